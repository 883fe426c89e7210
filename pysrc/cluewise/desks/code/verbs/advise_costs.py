"""Options ranked by expected guesses, or by the codes found within the rows left.

A cost is exact if the search ends within its budget, otherwise a bracket: lower bound a perfect
tree, upper bound a strategy. The progress carries the advice found so far.

Within the rows left: classes are searched by decreasing upper bound, the sum of min(cell, capacity)
over the cells, until no bound exceeds the worst option shown.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Generic, TypeAlias, TypeVar

from msgspec.structs import asdict, replace

from cluewise.core.information import expected_remaining
from cluewise.core.work import Job, Progress
from cluewise.desks.code.engine.costs import NOTE, Cost, Costs, perfect_total
from cluewise.desks.code.engine.guess_classes import Classes
from cluewise.desks.code.engine.optimal import NEVER
from cluewise.desks.code.engine.state import CELLS, MOST_CODES, State, pack
from cluewise.desks.code.engine.within import Reach, ReachSearch, capacity
from cluewise.desks.code.position import Rules
from cluewise.desks.code.results import Advice, AdviseOptions, Guesses, Mine, Option, Within
from cluewise.errors import TooLarge

LIMIT = 60_000_000
"""The solver's work for costs that are no criterion: some tenths of a second."""
MAX_BOUNDED = MOST_CODES
"""Codes left up to which a strategy for all of them bounds the costs."""
MAX_UNASKED = 1 << 20
"""Codes of the strategies that bound the options of another criterion, summed over options."""
MAX_ASKED = 1 << 22
"""The same where the cost in guesses is the criterion; at least one option is bounded."""
SMALL_RULES = 1296
"""Guesses (Mastermind) up to which every cost is computed exactly, without a limit, unless answers
are so few (exact matches, sums) that the search takes minutes."""

MOST_PLACED = 200_000_000
"""Guesses times codes times classes, up to which the rank of the player's guess is searched."""

Costed = Mapping[str, Cost]


def too_many(n: int) -> TooLarge:
    """Return the error for `n` codes left, whose costs take too long to bound."""
    return TooLarge(
        f"Costs in guesses are bounded for at most {MAX_BOUNDED:,} codes left; here {n:,} are."
    )


def searches_without_limit(state: State) -> bool:
    """Whether costs of this state are searched without a limit on the work."""
    return state.guesses <= SMALL_RULES and state.rules.feedback not in ("exact", "sum")


def limit_of(state: State, options: AdviseOptions) -> int | None:
    """Return the budget of the exact search; None: no limit."""
    if options.criterion == "guesses" or options.settle or searches_without_limit(state):
        return None
    return LIMIT


def add_costs(state: State, found: Advice, options: AdviseOptions) -> Job[Advice]:
    """Return the advice with the costs of its options: first brackets, then exact ones."""
    costs = Costs(state, options.consistent_only, limit_of(state, options), options.seconds)
    yield from costs.merge_equal_guesses()
    shown: list[Option | Mine] = [*found.options, *([found.mine] if found.mine else [])]
    known: dict[str, Cost] = {}
    affordable = MAX_UNASKED // state.n
    for option in shown if options.settle else shown[:affordable]:
        yield Progress(len(known), len(shown), NOTE, with_costs(found, known))
        known.setdefault(option.guess, (yield from costs.bracket(pack(option.guess))))
    for done, guess in enumerate(dict.fromkeys(option.guess for option in shown)):
        if guess in known and known[guess].exact:
            continue
        yield Progress(done, len(shown), NOTE, with_costs(found, known))
        exact = yield from costs.find_exact(pack(guess))
        if exact is not None:
            known[guess] = exact
    return with_costs(found, known)


def rank_by_brackets(
    state: State, found: Advice, options: AdviseOptions, low: int = 0
) -> Job[Advice]:
    """Return the advice ranked by upper bounds of the costs, for too many guesses to search.

    `low`: a lower bound of every guess.
    """
    costs = Costs(state, options.consistent_only, limit_of(state, options), options.seconds)
    known: dict[str, Cost] = {}
    affordable = max(1, MAX_ASKED // state.n)
    found = replace(found, options=found.options[:affordable])
    shown: list[Option | Mine] = [*found.options, *([found.mine] if found.mine else [])]
    low = max(low, perfect_total(state.n, costs.answers))
    for done, option in enumerate(shown):
        partial = _rank(found, known, low, options.top) if known else None
        yield Progress(done, len(shown), NOTE, partial)
        if option.guess not in known:
            known[option.guess] = yield from costs.bracket(pack(option.guess))
    return _rank(found, known, low, options.top)


def _rank(found: Advice, known: Costed, low: int, top: int) -> Advice:
    """Rank the options with known bounds by the upper bound."""
    ranked = sorted(
        (o for o in found.options if o.guess in known),
        key=lambda o: (known[o.guess].high, not o.possible, o.guess),
    )
    best = min(known.values(), key=lambda cost: cost.high)
    mine = found.mine
    if mine is not None and mine.guess in known:
        ahead = sum(known[o.guess].high < known[mine.guess].low for o in ranked)
        mine = replace(mine, rank=1 + ahead, rank_to=found.kept)
    least = guesses_of(Cost(min(low, best.high), best.high, best.worst), found.remaining)
    ties = sum(known[o.guess].high == known[ranked[0].guess].high for o in ranked)
    return with_costs(
        replace(found, options=ranked[:top], mine=mine, least=least, ties=ties), known
    )


def lower_bound(option: Option, rules: Rules) -> int:
    """Return the lower bound of an option's total: a perfect tree in each cell."""
    win, kinds = rules.answer_name(rules.win), len(rules.answers()) - 1
    cells = (n for text, n in option.answers.items() if text != win)
    return sum(option.answers.values()) + sum(perfect_total(n, kinds) for n in cells)


def with_costs(found: Advice, known: Costed) -> Advice:
    """Return the advice with the known costs of its options."""
    n = found.remaining

    def priced(option: Option) -> Option:
        cost = known.get(option.guess)
        return option if cost is None else replace(option, guesses=guesses_of(cost, n))

    mine = found.mine and priced(found.mine)
    return replace(found, options=[priced(o) for o in found.options], mine=mine)


def guesses_of(cost: Cost, n: int) -> Guesses:
    """Return a cost over `n` codes as expected guesses per game."""
    if cost.exact:
        return Guesses(exact=True, expected=cost.high / n, worst=cost.worst)
    return Guesses(exact=False, low=cost.low / n, high=cost.high / n)


def make_option(
    guess: str, bits: float, answers: dict[str, int], possible: bool, same: int
) -> Option:
    """Return the option of a guess with these cell sizes by answer."""
    sizes = list(answers.values())
    left, worst = expected_remaining(sizes), max(sizes)
    return Option(guess, bits, left, worst, len(sizes), possible, answers, same)


def as_mine(
    option: Option, like: str, rank: int, bits_lost: float, rank_to: int | None = None
) -> Mine:
    """Return an option as the player's own guess."""
    return Mine(**asdict(option), like=like, rank=rank, bits_lost=bits_lost, rank_to=rank_to)


# ---- rankings of classes -------------------------------------------------------------------


Bounds = TypeVar("Bounds")


class ClassRanking(Generic[Bounds]):
    """Classes ranked by bounds that a search finds one after another.

    A row is the place of a class. Rows are ordered by value (less is better), then possible secrets
    first, then by guess.
    """

    def __init__(self, state: State, classes: Classes, options: AdviseOptions) -> None:
        self.state = state
        self.words = state.frame.get(classes.best, "Q", classes.count)
        self.can = state.frame.get(classes.can, "B", classes.count)
        self.most = min(options.top, classes.count)
        self.known: dict[int, Bounds] = {}

    def value(self, row: int) -> int:
        """Return the value by which a known row is ranked."""
        raise NotImplementedError

    def best(self) -> list[int]:
        """Return the best rows known so far, best first."""
        rows = ((self.value(row), not self.can[row], self.words[row], row) for row in self.known)
        return [row for *_, row in sorted(rows)[: self.most]]

    def last_value(self) -> int | None:
        """Return the value of the last row shown; None while fewer are known."""
        values = sorted(map(self.value, self.known))
        return values[self.most - 1] if len(values) >= self.most else None

    def precedes(self, row: int, value: int, own: int, possible: bool) -> bool:
        """Whether a row with this value ranks above a guess of value `own`."""
        return value < own or (value == own and bool(self.can[row]) and not possible)


# ---- by expected guesses -------------------------------------------------------------------


class CostRanking(ClassRanking[Cost]):
    """Classes ranked by cost: searched by increasing lower bound, with the last row as cutoff."""

    def __init__(self, state: State, classes: Classes, options: AdviseOptions) -> None:
        super().__init__(state, classes, options)
        self.costs = Costs(
            state, options.consistent_only, limit_of(state, options), options.seconds
        )
        self.lows = self.costs.lower_bounds(classes.best, classes.count)

    def value(self, row: int) -> int:
        """Return the upper bound of the row's cost."""
        return self.known[row].high

    def run(self, likely: Sequence[int], report: Callable[[], Advice]) -> Job[None]:
        """Search the costs, `likely` rows first; costs over the budget remain brackets."""
        yield from self.costs.merge_equal_guesses()
        order = sorted(range(len(self.words)), key=lambda r: (self.lows[r], not self.can[r], r))
        rows = dict.fromkeys([*likely, *order])
        if not self.costs.is_solvable():
            rows = dict.fromkeys(likely)
        most = self.most
        for self.most in dict.fromkeys((1, most)):  # the best row alone has a lower cutoff
            for done, row in enumerate(rows):
                limit = self._cutoff()
                if self.lows[row] >= limit or row in self.known:
                    continue
                yield Progress(done, len(rows), NOTE, report() if self.known else None)
                yield from self._search(row, limit)
            if not self.known:
                return
            low = min(self.known[r].low if r in self.known else self.lows[r] for r in order)
            best = self.known[self.best()[0]]
            least = self.costs.least_cost = Cost(low, best.high, best.worst)
        alike = [row for row in rows if self.lows[row] == NEVER]  # for all codes left
        for row in sorted(alike)[: self.most - len(self.known)]:
            self.known[row] = least.after_useless_guess(self.state.n)

    def _cutoff(self) -> int:
        """Return the least cost that is not shown; costs equal to the last one count as ties."""
        last = self.last_value()
        return NEVER if last is None else last + 1

    def _search(self, row: int, limit: int) -> Job[None]:
        cost = yield from self.costs.find_exact(self.words[row], limit)
        if cost is None:
            cost = yield from self.costs.bracket(self.words[row])
        self.lows[row] = max(self.lows[row], cost.low)
        if cost.high < limit:
            self.known[row] = cost

    def place(self, own: Cost, possible: bool) -> Job[tuple[int, int]]:
        """Return bounds of the rank of a guess with that cost among all classes, from 1."""
        least, n = self.costs.least_cost, self.state.n
        open_rows = sum(
            row not in self.known for row, low in enumerate(self.lows) if low <= own.high
        )
        affordable = open_rows * n * self.state.guesses <= MOST_PLACED
        self.costs.budget.work = LIMIT
        ahead = perhaps = 0
        for row, low in enumerate(self.lows):
            cost = self.known.get(row)
            if cost is None and low == NEVER and least is not None:
                cost = least.after_useless_guess(n)
            if cost is None and low <= own.high and affordable:
                cost = yield from self.costs.bracket(self.words[row])
                if not (cost.exact or cost.high < own.low):
                    found = yield from self.costs.find_exact(self.words[row], own.high + 1)
                    cost = found or cost
                yield Progress(row, len(self.lows), NOTE)
            cost = cost or Cost(low, NEVER, 0)
            ahead += self.precedes(row, cost.high, own.low, possible)
            perhaps += self.precedes(row, cost.low, own.high, possible)
        return 1 + ahead, 1 + perhaps

    def ties(self) -> int:
        """Return the number of rows with exactly the best cost."""
        best = self.known[self.best()[0]].high
        return sum(cost.high == best for cost in self.known.values())


def cost_of(costs: Costs, option: Option) -> Job[Cost]:
    """Return the exact cost of a guess, or a bracket."""
    exact = yield from costs.find_exact(pack(option.guess))
    return exact if exact is not None else (yield from costs.bracket(pack(option.guess)))


# ---- by codes found within the rows left --------------------------------------------------------

_BATCH = 4096  # guesses split in one kernel call
_NOTE = "counting codes found within the rows"


Counted: TypeAlias = tuple[
    Advice, Callable[[Sequence[int]], list[Option]], Sequence[int], list[int]
]
"""The advice without ranks; a function from classes to options; classes to search first; for each
class an upper bound of the codes found within the rows."""


def bounds(state: State, classes: Classes, planes: int, rows: int) -> list[int]:
    """Return for each class an upper bound of the codes found: the sum of its cells' bounds."""
    rules = state.rules
    cells = len(rules.answers())
    cap = capacity(cells, rows - 1)
    highs: list[int] = []
    with state.frame.kernel.frame() as scratch:
        columns = scratch.reserve(8 * rules.pegs * ((state.n + 63) // 64))
        out = scratch.reserve(4 * CELLS * min(_BATCH, classes.count))
        for first in range(0, classes.count, _BATCH):
            many = min(_BATCH, classes.count - first)
            at = classes.best + 8 * first
            scratch.call("code_split", state.packed, planes, state.n, at, many, columns, out)
            flat = scratch.get(out, "I", CELLS * many)
            for row in range(many):
                sizes = flat[CELLS * row : CELLS * row + cells]
                highs.append(sizes[-1] + sum(min(size, cap) for size in sizes[:-1]))
    return highs


class WithinRanking(ClassRanking[Reach]):
    """Classes ranked by the codes found within the rows left."""

    def __init__(
        self, state: State, classes: Classes, options: AdviseOptions, highs: list[int]
    ) -> None:
        assert options.rows is not None
        super().__init__(state, classes, options)
        self.rows = options.rows
        self.search = ReachSearch(
            state, options.rows, options.consistent_only, limit_of(state, options), options.seconds
        )
        self.highs = highs

    def value(self, row: int) -> int:
        """Return the negative lower bound of the codes found."""
        return -self.known[row].low

    def run(self, likely: Sequence[int], report: Callable[[], Advice]) -> Job[None]:
        """Find the best rows; rows with equal bounds in the order of `likely`."""
        first = {row: place for place, row in enumerate(likely)}
        order = sorted(
            range(len(self.words)),
            key=lambda r: (-self.highs[r], first.get(r, len(first)), not self.can[r], r),
        )
        for done, row in enumerate(order):
            cutoff = self._cutoff()
            if self.highs[row] <= cutoff:
                break
            yield Progress(done, len(order), _NOTE, report() if self.known else None)
            reach = yield from self.search.of_guess(self.words[row], cutoff)
            if reach is None:
                self.highs[row] = cutoff
            else:
                self.known[row], self.highs[row] = reach, reach.high

    def _cutoff(self) -> int:
        """Return the greatest number of codes found that is not shown; as many as shown: a tie."""
        last = self.last_value()
        return -1 if last is None else -last - 1

    def settled(self) -> bool:
        """Whether no guess finds more codes than the first option."""
        best = self.known[self.best()[0]]
        return best.exact and max(self.highs) <= best.low

    def ties(self) -> int:
        """Return the number of known rows with as many codes as the best."""
        return sum(reach == self.known[self.best()[0]] for reach in self.known.values())

    def of_word(self, word: int) -> Job[Reach]:
        """Return the codes found after a guess of the player."""
        reach = yield from self.search.of_guess(word, -1)
        assert reach is not None
        return reach

    def place(self, own: Reach, possible: bool) -> tuple[int, int]:
        """Return bounds of the rank of a guess with that reach among all classes, from 1."""
        ahead = perhaps = 0
        for row, high in enumerate(self.highs):
            reach = self.known.get(row, Reach(0, high))
            ahead += self.precedes(row, -reach.low, -own.high, possible)
            perhaps += self.precedes(row, -reach.high, -own.low, possible)
        return 1 + ahead, 1 + perhaps

    def text(self, reach: Reach) -> Within:
        """Return a reach as the result's struct."""
        low, high = reach.low * self.state.unit, reach.high * self.state.unit
        if reach.exact:
            return Within(self.rows, exact=True, codes=high)
        return Within(self.rows, exact=False, low=low, high=high)
