"""What a guess costs, in guesses: the fewest that are needed in all if it is asked now.

Costs are totals over the secrets left, this guess and the winning one counted; divided by their
number they are the expected guesses. Small sets are solved by the kernel in one frame, guess by
guess with a common memo; large ones cell by cell by `Search`.
"""

from __future__ import annotations

import time
from array import array
from dataclasses import dataclass
from typing import cast

from cluewise.core.work import Job, Progress
from cluewise.desks.code.clue import Clue
from cluewise.desks.code.engine.guess_classes import first_equals
from cluewise.desks.code.engine.optimal import NEVER, UNLIMITED, Codes, Search
from cluewise.desks.code.engine.state import State, unpack
from cluewise.desks.code.engine.tree import MAX_WHOLE, MOST_CODES, build_strategy, count_steps
from cluewise.errors import TooLarge

SLICE = 400_000
"""Units of the solver's work in one slice: 2 to 5 ms. Always the same, so that a limit on the
work ends at the same place on every machine."""
MOST_TREES = 30_000_000  # guesses times secrets: above that trees choose among secrets alone
MOST_FRAME = 3_000_000  # guesses times secrets that are solved in one frame
MOST_COLUMNS = 65536  # guesses in one frame
MOST_COMPARED = 50_000_000  # guesses times secrets that are compared to find those alike
MOST_SEARCHED = 1 << 26  # guesses times secrets that are solved cell by cell
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

    def after(self, n: int) -> Cost:
        """The cost of a guess that all `n` codes left answer alike, where this is the least cost.

        >>> Cost(7, 7, 2).after(4)
        Cost(low=11, high=11, worst=3)
        """
        return Cost(self.low + n, self.high + n, self.worst + 1)


class Costs:
    """Costs of guesses from one state.

    `limit`: the solver's work that may be spent, None = any; `seconds`: the time. Where the state
    has more guesses than one solver takes, run `prepare` first.
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
        self.space, self.guesses = state.space, state.guesses
        self.whole = self._is_whole(state.guesses)
        self.search: Search | None = None
        self.least_cost: Cost | None = None

    def _is_whole(self, guesses: int) -> bool:
        """Whether that many guesses make one frame of the solver."""
        n = self.state.n
        return n * guesses <= MOST_FRAME and n <= FEW_SECRETS and guesses <= MOST_COLUMNS

    def prepare(self) -> Job[None]:
        """Keep one guess for each way to answer, where there are too many guesses for a frame.

        Guesses that every code left answers alike cost the same; the secrets themselves stay.
        """
        state = self.state
        if self.whole or not state.space or state.n > FEW_SECRETS:
            return
        if state.n * state.guesses > MOST_COMPARED:
            return
        kept = set((yield from first_equals(state, state.space, state.guesses)))
        words = state.every_guess()
        secrets = state.codes()
        space = array("Q", sorted({*(words[place] for place in kept), *secrets}))
        if self._is_whole(len(space)):
            self.space, self.guesses, self.whole = self.frame.put(space), len(space), True

    def solvable(self) -> bool:
        """Whether exact costs can be worked out at all here."""
        rules, state = self.state.rules, self.state
        if rules.pegs * rules.colours > 64 or self.answers >= 32 or not self.space:
            return False
        by_cells = self.left is None and state.guesses <= MOST_COLUMNS
        return self.whole or (by_cells and state.n * state.guesses <= MOST_SEARCHED)

    def lows(self, words: int, count: int) -> list[int]:
        """Bounds of many guesses in the kernel's memory from the sizes of their cells.

        NEVER for a guess that every code left answers alike.
        """
        state = self.state
        place = {word: i for i, word in enumerate(state.every_guess())}
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

    # ---- brackets ---------------------------------------------------------------------------

    def bracket(self, word: int) -> Job[Cost]:
        """Bounds of a guess's cost: perfect trees below, above a real way to play on."""
        n, cells = self.state.n, self._cells(word)
        if any(len(members) == n for members in cells):
            return (yield from self.least()).after(n)
        low, high, worst = n, n, 1
        for members in cells:
            cost = yield from self._grown(members, word)
            low, high, worst = low + cost.low, high + cost.high, max(worst, 1 + cost.worst)
        return Cost(low, high, worst)

    def least(self) -> Job[Cost]:
        """The least cost of all guesses: exact where it can be worked out, else a bracket."""
        if self.least_cost is None and self.solvable():
            self.least_cost = yield from self._within_limits(self._solve_state())
        if self.least_cost is None:
            self.least_cost = yield from self._grown(self.state.codes(), None)
        return self.least_cost

    def bounds(self) -> Job[Cost]:
        """Bounds of the least cost without a search: a perfect tree and the tree of most bits."""
        return (yield from self._grown(self.state.codes(), None))

    def _among_all(self) -> bool:
        """Whether trees may ask any guess, not only codes that are left."""
        state = self.state
        few = max(state.n, state.guesses) <= MOST_CODES
        return bool(state.space) and few and state.n * state.guesses <= MOST_TREES

    def _grown(self, members: Codes, word: int | None) -> Job[Cost]:
        """Bounds of the least total of a set: the total of a tree of most bits above.

        One code can tell all others apart, so that the total is 2n - 1, or it is 2n at least.
        """
        n = len(members)
        if n <= 2:
            return Cost(2 * n - 1, 2 * n - 1, n)
        state = self.state
        clues = state.clues if word is None else [*state.clues, _asked(word, state.rules.pegs)]
        if self._among_all():
            with self.frame.kernel.frame() as scratch:
                inner = state.with_codes(scratch, clues, members)
                tree = yield from build_strategy(inner, "entropy", self.consistent_only)
                steps = tree.histogram()
        else:
            steps = yield from count_steps(state, members, clues)
        high = sum(k * found for k, found in enumerate(steps, 1))
        low = perfect_total(n, self.answers)
        if low == 2 * n - 1 < high and (self._among_all() or n <= MAX_WHOLE):
            low += 1  # every code was tried as the first guess
        return Cost(low, high, len(steps))

    def _cells(self, word: int) -> list[Codes]:
        """The secrets that each answer but the win leaves."""
        return [cell for _, cell in self.state.split(word, self.state.codes())]

    # ---- exact ------------------------------------------------------------------------------

    def exact(self, word: int, below: int = NEVER) -> Job[Cost | None]:
        """The cost if it is less than `below`, else a lower bound as `low` with `high` = NEVER.

        None where the work has run out or memory does not do.
        """
        if not self.solvable():
            return None
        n = self.state.n
        if any(len(members) == n for members in self._cells(word)):
            least = yield from self.least()
            if not least.exact:
                return None
            cost = least.after(n)
            return cost if cost.high < below else Cost(below, NEVER, 0)
        job = self._in_frame(word, below) if self.whole else self._by_cells(word)
        return (yield from self._within_limits(job))

    def _within_limits(self, job: Job[Cost | None]) -> Job[Cost | None]:
        """What the job finds; None where the time, the work or the memory runs out."""
        if self.left is not None and self.left <= 0:
            return None
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

    def _solve_state(self) -> Job[Cost | None]:
        """The least total of the whole state."""
        if self.whole:
            self._frame()
            return (yield from self._solved("code_solver_begin", UNLIMITED, NEVER))
        if self.search is None:
            self.search = Search(self.state, self.consistent_only, size=24 << 20)
        search = self.search
        value, worst = yield from search.solve(search.state.codes(), search.clues(), NEVER)
        return Cost(value, value, worst)

    def _in_frame(self, word: int, below: int) -> Job[Cost | None]:
        self._frame()
        with self.frame.kernel.frame() as scratch:
            guess = scratch.put(array("Q", [word]))
            return (yield from self._solved("code_solver_try", guess, UNLIMITED, below))

    def _frame(self) -> None:
        """Give the solver the state as its frame, once."""
        if self.search is not None:
            return
        state = self.state
        self.search = Search(state, self.consistent_only, size=self._room())
        solver = self.search.solver
        with self.frame.kernel.frame() as scratch:
            every = scratch.put(array("I", range(self.guesses)))
            self.frame.call(
                "code_solver_frame", solver, self.space, self.guesses, state.secrets, state.n,
                every, self.guesses,
            )  # fmt: skip

    def _solved(self, call: str, *given: int) -> Job[Cost | None]:
        """What the solver finds for the set or the guess that the call begins with.

        `given` ends with the limit: a total from there on is a lower bound.
        """
        assert self.search is not None
        solver, below = self.search.solver, given[-1]
        self.frame.call(call, solver, *given)
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
        n, columns = self.state.n, min(self.guesses, MOST_COLUMNS) + 32
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
            known = yield from self._grown(members, word)
            cost, deep = known.high, known.worst
            if not known.exact:
                value, tree = yield from self.search.solve(members, path, cost)
                if value < cost:
                    cost, deep = value, tree
            total, worst = total + cost, max(worst, 1 + deep)
        return Cost(total, total, worst)


def _asked(word: int, pegs: int) -> Clue:
    """The guess as a clue without an answer, for trees, which look at guesses only."""
    return Clue(unpack(word, pegs), 0)


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
