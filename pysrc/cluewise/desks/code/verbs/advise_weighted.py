"""Advice for codes that are not equally likely: probabilities, bits and costs by their weights."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import log2

from msgspec.structs import replace

from cluewise.core.work import Job, Progress
from cluewise.desks.code.engine.guess_classes import Classes
from cluewise.desks.code.engine.optimal import MemoEntry
from cluewise.desks.code.engine.state import State, cell_names, pack, unpack
from cluewise.desks.code.engine.weighted_costs import NEVER, WeightedCosts
from cluewise.desks.code.engine.within import capacity
from cluewise.desks.code.results import Advice, AdviseOptions, Guesses, Mine, Option
from cluewise.desks.code.verbs.advise_costs import Counted, as_mine
from cluewise.errors import TooLarge

MOST_PAIRS = 50_000_000
"""Guesses times codes left, at most."""
SECONDS = 1.0
"""Time for costs that are no criterion."""


@dataclass(frozen=True, slots=True)
class Weighed:
    """A guess with its partition; `low` bounds its weighted total from below, `most` the weight of
    the codes found within the rows from above."""

    option: Option
    spread: int  # the sum over answers of weight times codes
    low: int
    most: int = 0


class WeightedAdvice:
    """Ranks the classes of a state by weights."""

    def __init__(self, state: State, classes: Classes, options: AdviseOptions) -> None:
        assert state.weights is not None
        self.state, self.options = state, options
        self.weights: Mapping[int, int] = state.weights
        self.costs = WeightedCosts(state, self.weights, options.consistent_only)
        self.members = self.costs.members()
        self.mass = self.costs.weight(self.members)
        self.names = cell_names(state.rules)
        self.words = state.frame.get(classes.best, "Q", classes.count)
        self.sizes = state.frame.get(classes.size, "I", classes.count)
        self.costed: dict[str, MemoEntry] = {}
        self.timed_out = False  # before some cost was known

    def run(self, mine: tuple[str, str, int] | None) -> Job[Advice]:
        """Rank the classes; `mine`: the player's guess, its class's representative and size."""
        rows = yield from self.weigh()
        rows.sort(key=self.key)
        own = None if mine is None else self._weigh_mine(*mine)
        if self.options.criterion == "guesses":
            yield from self._cost_best(rows)
            rows.sort(key=lambda row: (self._cost(row), *self.key(row)))
        if self.options.guesses or self.options.criterion == "guesses":
            for row in [*rows[: self.options.top], *([own] if own else [])]:
                yield from self._cost_one(row)
        return self.advice(rows, mine)

    def without_rank(self, mine: tuple[str, str, int] | None) -> Job[Counted]:
        """Return the classes for `WithinRanking`."""
        rows = yield from self.weigh()
        likely = sorted(range(len(rows)), key=lambda row: -rows[row].option.bits)
        highs = [row.most for row in rows]
        found, likely = self.advice(rows, mine), likely[: self.options.top]
        return found, lambda some: [rows[row].option for row in some], likely, highs

    def advice(self, rows: Sequence[Weighed], mine: tuple[str, str, int] | None) -> Advice:
        """Return the first rows as options with their known costs."""
        ties = sum(self._rank_key(row)[0] == self._rank_key(rows[0])[0] for row in rows)
        return Advice(
            remaining=self.state.n,
            criterion=self.options.criterion,
            candidates=self.state.n if self.options.consistent_only else self.state.guesses,
            kept=len(rows),
            ties=ties,
            exact=self.options.criterion != "guesses" or not self.timed_out,
            options=[self._shown(row) for row in rows[: self.options.top]],
            mine=None if mine is None else self._mine(self._weigh_mine(*mine), rows, mine[1]),
            least=self._least(rows) if self.options.criterion == "guesses" else None,
            weight=self.mass,
        )

    def weigh(self) -> Job[list[Weighed]]:
        """Partition the codes by each class, in the order of the classes."""
        if len(self.words) * self.state.n > MOST_PAIRS:
            raise TooLarge("With weights, at most 50,000,000 pairs of guess and code are compared.")
        lows = self.costs.lower_bounds(self.members, self.words)
        rows = []
        for i, (word, size) in enumerate(zip(self.words, self.sizes, strict=True)):
            if i % 64 == 0:
                yield Progress(i, len(self.words), "weighing the answers")
            rows.append(self._weigh(word, size, lows[i]))
        return rows

    def _weigh(self, word: int, same: int, low: int) -> Weighed:
        cells = self.state.split(word, self.members)
        won = word in self.weights
        codes = {self.names[number]: len(cell) for number, cell in cells}
        masses = {self.names[number]: self.costs.weight(cell) for number, cell in cells}
        if won:
            codes[self.names[-1]], masses[self.names[-1]] = 1, self.weights[word]
        most = masses.get(self.names[-1], 0)
        if self.options.rows is not None:
            cap = capacity(len(self.names), self.options.rows - 1)
            most += sum(self.costs.weight(cell[:cap]) for _, cell in cells)
        spread = sum(masses[name] * codes[name] for name in codes)
        bits = sum(m * log2(self.mass / m) for m in masses.values()) / self.mass
        option = Option(
            unpack(word, self.state.rules.pegs), bits, spread / self.mass, max(codes.values()),
            len(codes), won, codes, same, weights=masses,
        )  # fmt: skip
        return Weighed(option, spread, low, most)

    def key(self, row: Weighed) -> tuple[float, bool, str]:
        """Return the sort key of the criterion, without searched costs."""
        option = row.option
        by = {
            "entropy": -round(option.bits, 9),
            "minmax": option.worst,
            "minavg": row.spread,
            "maxparts": -option.parts,
            "guesses": row.low if row.low >= 0 else NEVER,
            "within": -row.most,
        }
        return by[self.options.criterion], not option.possible, option.guess

    # ---- costs ------------------------------------------------------------------------------

    def _cost(self, row: Weighed) -> int:
        known = self.costed.get(row.option.guess)
        return NEVER if known is None or not known.exact else known.value

    def _rank_key(self, row: Weighed) -> tuple[float, bool]:
        first: float = self.key(row)[0]
        if self.options.criterion == "guesses":
            first = self._cost(row)
        return first, not row.option.possible

    def _least(self, rows: Sequence[Weighed]) -> Guesses | None:
        """Return the least cost of all guesses; a bracket if the time ran out."""
        best = self._guesses(rows[0])
        if not self.timed_out or best is None:
            return best
        low = min(row.low for row in rows if row.low >= 0) / self.mass
        return Guesses(exact=False, low=low, high=best.expected or best.high)

    def _cost_best(self, rows: Sequence[Weighed]) -> Job[None]:
        """Search the least costs by increasing lower bound, with the last row shown as cutoff."""
        best: list[int] = []
        for row in rows:
            limit = best[self.options.top - 1] + 1 if len(best) >= self.options.top else NEVER
            if row.low < 0 or row.low >= limit:
                continue
            known = yield from self._search(row, limit)
            if known.exact:
                best = sorted([*best, known.value])

    def _cost_one(self, row: Weighed) -> Job[None]:
        if row.option.guess not in self.costed or not self.costed[row.option.guess].exact:
            yield from self._search(row, NEVER)

    def _search(self, row: Weighed, limit: int) -> Job[MemoEntry]:
        """Return the cost of a guess; a bound if the limit or the time is reached."""
        seconds = self.options.seconds
        if seconds is None and self.options.criterion != "guesses" and not self.options.settle:
            seconds = SECONDS
        if self.costs.deadline is None and seconds is not None:
            self.costs.deadline = time.perf_counter() + seconds
        try:
            if self.costs.deadline is not None and time.perf_counter() > self.costs.deadline:
                raise TimeoutError
            if row.low < 0:  # all codes answer alike: one guess more than the best play
                known = yield from self.costs.solve(self.members, self.costs.path())
                known = MemoEntry(known.value + self.mass, True, 0, known.worst + 1)
            else:
                known = yield from self.costs.solve_guess(pack(row.option.guess), limit)
        except TimeoutError:
            self.timed_out = True
            known = MemoEntry(max(row.low, self.mass), False, 0)
        self.costed[row.option.guess] = known
        return known

    def _guesses(self, row: Weighed) -> Guesses | None:
        known = self.costed.get(row.option.guess)
        if known is None:
            return None
        if known.exact:
            fraction = str(Fraction(known.value, self.mass))
            expected = known.value / self.mass
            return Guesses(exact=True, expected=expected, worst=known.worst, fraction=fraction)
        high = self.costs.upper_bound(self.members, self.costs.path(), pack(row.option.guess))
        return Guesses(exact=False, low=known.value / self.mass, high=high / self.mass)

    def _shown(self, row: Weighed) -> Option:
        return replace(row.option, guesses=self._guesses(row))

    # ---- the player's guess -----------------------------------------------------------------

    def _weigh_mine(self, guess: str, like: str, same: int) -> Weighed:
        word = pack(guess)
        return self._weigh(word, same, self.costs.lower_bounds(self.members, [word])[0])

    def _mine(self, own: Weighed, rows: Sequence[Weighed], like: str) -> Mine:
        key = self._rank_key(own)
        rank = 1 + sum(self._rank_key(row) < key for row in rows)
        return as_mine(
            self._shown(own), like, rank, max(0.0, rows[0].option.bits - own.option.bits)
        )
