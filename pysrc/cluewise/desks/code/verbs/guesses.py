"""Options in guesses: what each costs if it is asked now, and those that cost least.

Costs are exact where the search ends, otherwise a bracket: a perfect tree below, above a real way
to play on. What is known so far goes out with the progress.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from msgspec.structs import replace

from cluewise.core.work import Job, Progress
from cluewise.desks.code.engine.classes import Classes
from cluewise.desks.code.engine.costs import NOTE, Cost, Costs
from cluewise.desks.code.engine.optimal import NEVER
from cluewise.desks.code.engine.state import State
from cluewise.desks.code.engine.words import pack
from cluewise.desks.code.results import Advice, AdviseOptions, Guesses, Mine, Option

LIMIT = 60_000_000
"""The solver's work that is spent unasked, some tenths of a second."""
SMALL_RULES = 1296
"""With at most that many guesses (Mastermind) every cost is worked out, whatever it takes."""

Costed = Mapping[str, Cost]


def limit_of(state: State, options: AdviseOptions) -> int | None:
    """How much work may go into exact costs: any amount where that was asked for."""
    if options.criterion == "guesses" or options.settle or state.guesses <= SMALL_RULES:
        return None
    return LIMIT


def price(state: State, found: Advice, options: AdviseOptions) -> Job[Advice]:
    """The advice with the cost of every option shown; brackets first, then one by one exactly."""
    costs = Costs(state, options.consistent_only, limit_of(state, options), options.seconds)
    shown: list[Option | Mine] = [*found.options, *([found.mine] if found.mine else [])]
    known: dict[str, Cost] = {}
    for option in shown:
        yield Progress(len(known), len(shown), NOTE, with_costs(found, known))
        cost = yield from _bracket(costs, option)
        if cost is not None:
            known.setdefault(option.guess, cost)
    for done, guess in enumerate(list(known)):
        if known[guess].exact:
            continue
        yield Progress(done, len(known), NOTE, with_costs(found, known))
        exact = yield from costs.exact(pack(guess))
        if exact is not None:
            known[guess] = exact
    return with_costs(found, known)


def _bracket(costs: Costs, option: Option) -> Job[Cost | None]:
    """Bounds from a perfect tree and from a real one; None where no real one is at hand."""
    win = f"{costs.state.rules.pegs}A0B"
    low = costs.low(m for answer, m in option.answers.items() if answer != win)
    grown = yield from costs.grown(pack(option.guess))
    return None if grown is None else Cost(low, *grown)


def with_costs(found: Advice, known: Costed) -> Advice:
    """The advice with what is known of its options' costs."""
    n = found.remaining

    def priced(option: Option) -> Option:
        cost = known.get(option.guess)
        return option if cost is None else replace(option, guesses=guesses_of(cost, n))

    mine = found.mine and priced(found.mine)
    return replace(found, options=[priced(o) for o in found.options], mine=mine)


def guesses_of(cost: Cost, n: int) -> Guesses:
    """A cost as it is shown: expected guesses a game."""
    if cost.exact:
        return Guesses(exact=True, expected=cost.high / n, worst=cost.worst)
    return Guesses(exact=False, low=cost.low / n, high=cost.high / n)


# ---- the fewest guesses --------------------------------------------------------------------


class Cheapest:
    """The classes that cost least: looked at by their bounds, dropped once they are beaten."""

    def __init__(self, state: State, classes: Classes, options: AdviseOptions) -> None:
        frame, count = state.frame, classes.count
        self.costs = Costs(
            state, options.consistent_only, limit_of(state, options), options.seconds
        )
        self.words = frame.get(classes.best, "Q", count)
        self.can = frame.get(classes.can, "B", count)
        self.lows = self.costs.lows(classes.best, count)
        self.most = min(options.top, count)
        self.known: dict[int, Cost] = {}

    def key(self, row: int) -> tuple[int, bool, int]:
        """Rows in order: by cost, then those that can be the secret, then by the guess."""
        return self.known[row].high, not self.can[row], self.words[row]

    def best(self) -> list[int]:
        """The rows known so far, best first."""
        return sorted(self.known, key=self.key)[: self.most]

    def run(self, likely: Sequence[int], report: Callable[[Cheapest], Advice]) -> Job[None]:
        """Find them; `likely` rows are tried first. Raises nothing: what is left is a bracket."""
        order = sorted(range(len(self.words)), key=lambda r: (self.lows[r], not self.can[r], r))
        rows = dict.fromkeys([*likely, *order])
        if not self.costs.solvable():
            rows = dict.fromkeys(likely)
        for done, row in enumerate(rows):
            limit = self._limit()
            if self.lows[row] >= limit:
                continue
            yield Progress(done, len(rows), NOTE, report(self) if self.known else None)
            yield from self._look(row, limit)

    def _limit(self) -> int:
        """Costs from there on are not among the best; equal ones are, to tell ties."""
        exact = sorted(cost.high for cost in self.known.values())
        return exact[self.most - 1] + 1 if len(exact) >= self.most else NEVER

    def _look(self, row: int, limit: int) -> Job[None]:
        cost = yield from self.costs.exact(self.words[row], limit)
        if cost is None:
            grown = yield from self.costs.grown(self.words[row])
            cost = None if grown is None else Cost(self.lows[row], *grown)
        if cost is not None and cost.high < limit:
            self.known[row] = cost

    def ties(self) -> int:
        """Rows with exactly the best cost."""
        best = self.known[self.best()[0]].high
        return sum(cost.high == best for cost in self.known.values())


def cost_of(costs: Costs, option: Option) -> Job[Cost | None]:
    """The exact cost of one guess, else a bracket; None where neither is at hand."""
    exact = yield from costs.exact(pack(option.guess))
    return exact if exact is not None else (yield from _bracket(costs, option))


__all__ = ["Cheapest", "cost_of", "guesses_of", "price", "with_costs"]
