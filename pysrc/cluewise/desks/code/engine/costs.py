"""What a guess costs, in guesses: the fewest that are needed in all if it is asked now.

Costs are totals over the secrets left, this guess and the winning one counted; divided by their
number they are the expected guesses. Small sets are solved by the kernel in one frame, guess by
guess with a common memo; large ones cell by cell by `Search`.
"""

from __future__ import annotations

import time
from array import array
from collections.abc import Iterable
from dataclasses import dataclass
from typing import cast

from cluewise.core.work import Job, Progress
from cluewise.desks.code.engine.optimal import (
    MOST_GUESSES,
    NEVER,
    UNLIMITED,
    Search,
    Words,
)
from cluewise.desks.code.engine.state import State
from cluewise.desks.code.engine.tree import MOST_CODES, grow
from cluewise.desks.code.engine.words import CELLS, unpack
from cluewise.desks.code.position import Clue
from cluewise.errors import TooLarge

SLICE = 400_000
"""Units of the solver's work in one slice: 2 to 5 ms. Always the same, so that a limit on the
work ends at the same place on every machine."""
MOST_TREES = 30_000_000  # guesses times secrets: above that no tree is grown for an upper bound
MOST_FRAME = 3_000_000  # guesses times secrets that are solved in one frame
FEW_SECRETS = 400  # above that, cells by themselves keep symmetries that a frame loses
NOTE = "counting guesses to the end"


@dataclass(frozen=True, slots=True)
class Cost:
    """Bounds of a total, and the most guesses that the way with the upper one takes."""

    low: int
    high: int
    worst: int

    @property
    def exact(self) -> bool:
        """Whether the total is known."""
        return self.low == self.high


class Costs:
    """Costs of guesses from one state.

    `limit`: the solver's work that may be spent, None = any; `seconds`: the time.
    """

    def __init__(
        self, state: State, consistent_only: bool, limit: int | None, seconds: float | None = None
    ) -> None:
        self.state = state
        self.frame = state.frame
        self.consistent_only = consistent_only
        self.left = limit
        self.until = None if seconds is None else time.perf_counter() + seconds
        self.answers = len(state.rules.answers()) - 1
        self.whole = state.n * state.guesses <= MOST_FRAME and state.n <= FEW_SECRETS
        self.search: Search | None = None

    def solvable(self) -> bool:
        """Whether exact costs can be worked out at all here."""
        rules = self.state.rules
        if rules.pegs * rules.colours > 64 or self.answers >= 32:
            return False
        return self.whole or (self.left is None and self.state.guesses <= MOST_GUESSES)

    def low(self, cells: Iterable[int]) -> int:
        """A bound from the sizes of a guess's cells, the winning one left out: perfect trees."""
        return self.state.n + sum(perfect_total(m, self.answers) for m in cells)

    def lows(self, words: int, count: int) -> list[int]:
        """The same bound for many guesses in the kernel's memory; NEVER where nothing is told."""
        state = self.state
        place = {word: i for i, word in enumerate(self.frame.get(state.space, "Q", state.guesses))}
        guesses = self.frame.get(words, "Q", count)
        with self.frame.kernel.frame() as scratch:
            numbers = scratch.put(array("I", [place[word] for word in guesses]))
            planes = scratch.reserve(8 * scratch.call("code_plane_words", state.packed, state.n))
            columns = scratch.reserve(8 * state.rules.pegs * ((state.n + 63) // 64))
            out = scratch.reserve(8 * count)
            scratch.call(
                "code_bounds", rules=state.packed, secrets=state.secrets, n=state.n,
                space=state.space, guesses=numbers, count=count, depth=UNLIMITED, planes=planes,
                columns=columns, out=out,
            )  # fmt: skip
            return list(scratch.get(out, "i", 2 * count)[::2])

    # ---- upper bounds -----------------------------------------------------------------------

    def grown(self, word: int) -> Job[tuple[int, int] | None]:
        """Total and worst case of a real way to play on after the guess, by most bits each time.

        None where the guess tells nothing, or where that takes too long.
        """
        state = self.state
        if state.n * state.guesses > MOST_TREES or max(state.n, state.guesses) > MOST_CODES:
            return None
        total, worst = state.n, 1
        for members in self._cells(word):
            if len(members) == state.n:
                return None
            cost, deep = yield from self._grown_cell(members, word)
            total, worst = total + cost, max(worst, 1 + deep)
        return total, worst

    def _grown_cell(self, members: Words, word: int) -> Job[tuple[int, int]]:
        if len(members) <= 2:
            return 2 * len(members) - 1, len(members)
        state = self.state
        asked = Clue(unpack(word, state.rules.pegs), 0)  # a tree looks at guesses only
        with self.frame.kernel.frame() as scratch:
            inner = State(
                scratch, state.rules, state.packed, [*state.clues, asked], scratch.put(members),
                len(members), state.space, state.guesses,
            )  # fmt: skip
            steps = (yield from grow(inner, "entropy", self.consistent_only)).histogram()
        return sum(k * n for k, n in enumerate(steps, 1)), len(steps)

    def _cells(self, word: int) -> list[Words]:
        """The secrets that each answer but the win leaves."""
        state = self.state
        with self.frame.kernel.frame() as scratch:
            out, starts = scratch.reserve(8 * state.n), scratch.reserve(4 * (CELLS + 1))
            guess = scratch.put(array("Q", [word]))
            cells = scratch.call(
                "code_part", state.packed, guess, state.secrets, state.n, out, starts
            )
            edges = scratch.get(starts, "I", cells + 1)
            words = scratch.get(out, "Q", state.n)
        pairs = ((edges[c], edges[c + 1]) for c in range(cells - 1))
        return [words[first:last] for first, last in pairs if first < last]

    # ---- exact ------------------------------------------------------------------------------

    def exact(self, word: int, below: int = NEVER) -> Job[Cost | None]:
        """The cost if it is less than `below`, else a lower bound as `low` with `high` = NEVER.

        None where the work has run out or memory does not do.
        """
        if not self.solvable() or (self.left is not None and self.left <= 0):
            return None
        job = self._in_frame(word, below) if self.whole else self._by_cells(word)
        try:
            while True:
                progress = next(job)
                if self.until is not None and time.perf_counter() > self.until:
                    job.close()
                    self.left = 0
                    return None
                yield progress
        except StopIteration as stop:
            return cast("Cost | None", stop.value)
        except TooLarge:
            self.left = 0
            return None

    def _in_frame(self, word: int, below: int) -> Job[Cost | None]:
        state = self.state
        if self.search is None:
            self.search = Search(state, self.consistent_only, size=self._room())
            self.frame.call(
                "code_solver_frame", self.search.solver, state.space, state.guesses,
                state.secrets, state.n, state.space, 0,
            )  # fmt: skip
        solver = self.search.solver
        with self.frame.kernel.frame() as scratch:
            guess = scratch.put(array("Q", [word]))
            self.frame.call("code_solver_try", solver, guess, UNLIMITED, below)
        while self.frame.call("code_solver_step", solver, SLICE):
            if self.left is not None:
                self.left -= SLICE
                if self.left <= 0:
                    return None
            yield Progress(0, None, NOTE)
        value = self.frame.call("code_solver_value", solver)
        if value >= below:
            return Cost(below, NEVER, 0)
        return Cost(value, value, self.frame.call("code_solver_worst", solver))

    def _room(self) -> int:
        """Bytes that the frame takes: labels, hot words in one or two planes, members."""
        n, columns = self.state.n, min(self.state.guesses, 65536) + 32
        planes = 2 if self.answers >= 16 else 1
        return (5 << 20) + n * columns * (1 + 2 * planes) + 4 * n * n + 64 * columns

    def _by_cells(self, word: int) -> Job[Cost | None]:
        """Cell by cell, each bounded from above by the way that is known."""
        state = self.state
        if self.search is None:
            self.search = Search(state, self.consistent_only, size=24 << 20)
        path = self.search.clues() + array("Q", [word])
        total, worst = state.n, 1
        for members in sorted(self._cells(word), key=len):
            cost, deep = yield from self._grown_cell(members, word)
            value, tree = yield from self.search.solve(members, path, cost)
            if value < cost:
                cost, deep = value, tree
            total, worst = total + cost, max(worst, 1 + deep)
        return Cost(total, total, worst)


def perfect_total(n: int, answers: int) -> int:
    """The least total of n secrets: one is found by the first guess, then K, K² …

    >>> perfect_total(1, 13), perfect_total(2, 13), perfect_total(16, 13)
    (1, 3, 33)
    """
    total, room, guess = 0, 1, 1
    while n > 0:
        found = min(n, room)
        total, n, room, guess = total + found * guess, n - found, room * answers, guess + 1
    return total
