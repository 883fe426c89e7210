"""Options ranked by the codes that are found within the rows left.

Guesses are looked at by falling bound, the sum of min(cell, U): once as many as are shown are known
exactly, a guess whose bound is not greater than the least of them is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from cluewise.core.work import Job, Progress
from cluewise.desks.code.engine.encoding import CELLS
from cluewise.desks.code.engine.guess_classes import Classes
from cluewise.desks.code.engine.state import State
from cluewise.desks.code.engine.within import Reach, ReachSearch, capacity
from cluewise.desks.code.results import Advice, AdviseOptions, Option, Within
from cluewise.desks.code.verbs.advise_costs import limit_of

_BATCH = 4096  # guesses split in one kernel call
_NOTE = "counting codes found within the rows"


Counted: TypeAlias = tuple[
    Advice, Callable[[Sequence[int]], list[Option]], Sequence[int], list[int]
]
"""The advice without ranks; the options of some classes; classes to try first; for each class the
most that can be found within the rows."""


def bounds(state: State, classes: Classes, planes: int, rows: int) -> list[int]:
    """For each class the sum of its cells' bounds."""
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


class WithinRanking:
    """The classes by the codes found; rows are the places of the classes."""

    def __init__(
        self, state: State, classes: Classes, options: AdviseOptions, highs: list[int]
    ) -> None:
        assert options.rows is not None
        self.state, self.rows = state, options.rows
        self.search = ReachSearch(
            state, options.rows, options.consistent_only, limit_of(state, options), options.seconds
        )
        self.words = state.frame.get(classes.best, "Q", classes.count)
        self.can = state.frame.get(classes.can, "B", classes.count)
        self.most = min(options.top, classes.count)
        self.highs = highs
        self.known: dict[int, Reach] = {}

    def key(self, row: int) -> tuple[int, bool, int]:
        """Rows in order: most codes found, then those that can be the secret, then the guess."""
        return -self.known[row].low, not self.can[row], self.words[row]

    def best(self) -> list[int]:
        """The rows known so far, best first."""
        return sorted(self.known, key=self.key)[: self.most]

    def run(self, likely: Sequence[int], report: Callable[[], Advice]) -> Job[None]:
        """Find the best rows; `likely` ones break ties of the bound."""
        first = {row: place for place, row in enumerate(likely)}
        order = sorted(
            range(len(self.words)),
            key=lambda r: (-self.highs[r], first.get(r, len(first)), not self.can[r], r),
        )
        for done, row in enumerate(order):
            need = self._need()
            if self.highs[row] <= need:
                break
            yield Progress(done, len(order), _NOTE, report() if self.known else None)
            reach = yield from self.search.of_guess(self.words[row], need)
            if reach is None:
                self.highs[row] = need
            else:
                self.known[row], self.highs[row] = reach, reach.high

    def _need(self) -> int:
        """A guess must find more than that to be shown; as many to be counted as a tie."""
        lows = sorted((reach.low for reach in self.known.values()), reverse=True)
        return lows[self.most - 1] - 1 if len(lows) >= self.most else -1

    def settled(self) -> bool:
        """Whether no guess finds more codes than the first option."""
        best = self.known[self.best()[0]]
        return best.exact and max(self.highs) <= best.low

    def ties(self) -> int:
        """Known rows with as many codes as the best."""
        return sum(reach == self.known[self.best()[0]] for reach in self.known.values())

    def of_word(self, word: int) -> Job[Reach]:
        """What a guess of the player finds."""
        reach = yield from self.search.of_guess(word, -1)
        assert reach is not None
        return reach

    def place(self, own: Reach, possible: bool) -> tuple[int, int]:
        """Bounds of the place of a guess with that reach among all classes, from 1."""
        ahead = perhaps = 0
        for row, high in enumerate(self.highs):
            reach = self.known.get(row, Reach(0, high))
            first = bool(self.can[row]) and not possible
            ahead += reach.low > own.high or (first and reach.low == own.high)
            perhaps += reach.high > own.low or (first and reach.high == own.low)
        return 1 + ahead, 1 + perhaps

    def shown(self, row: int) -> Within:
        """What is known of a row, as the result has it."""
        return self.text(self.known[row])

    def text(self, reach: Reach) -> Within:
        """A reach as the result has it."""
        low, high = reach.low * self.state.unit, reach.high * self.state.unit
        if reach.exact:
            return Within(self.rows, exact=True, codes=high)
        return Within(self.rows, exact=False, low=low, high=high)
