"""Costs of guesses: least totals of guesses over the remaining codes, exact or bracketed.

The cost of a guess g on a set S of n codes is n + the sum of the least totals of the cells that the
answers leave; divided by n it is the expected number of guesses. Exact costs are found by branch
and bound: in one frame of the kernel's solver where the state fits (optimal.c), else cell by cell
(optimal.py). Brackets need no search: below, the totals of complete trees; above, the total of a
greedy strategy.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from functools import cached_property
from typing import cast

from cluewise.core.work import Job
from cluewise.desks.code.clue import Clue
from cluewise.desks.code.engine.guess_classes import first_equals
from cluewise.desks.code.engine.optimal import NEVER, UNLIMITED, Codes, Search
from cluewise.desks.code.engine.state import Budget, State, unpack
from cluewise.desks.code.engine.tree import (
    MAX_WHOLE,
    MOST_CODES,
    build_strategy,
    greedy_histogram,
)
from cluewise.errors import TooLarge

MAX_TREE_PAIRS = 30_000_000  # guesses times secrets: above that trees use consistent guesses only
MAX_FRAME_PAIRS = 3_000_000  # guesses times secrets of one frame
MAX_FRAME_GUESSES = 65536
MAX_FRAME_SECRETS = 400  # above that, single cells have symmetries that a frame does not use
MAX_MERGED_PAIRS = 50_000_000  # guesses times secrets that are compared to find equal guesses
MAX_SEARCHED_PAIRS = 1 << 26  # guesses times secrets that are solved cell by cell
NOTE = "counting guesses to the end"


@dataclass(frozen=True, slots=True)
class Cost:
    """Bounds of a total, and the worst case of the strategy that has the upper one."""

    low: int
    high: int
    worst: int

    @property
    def exact(self) -> bool:
        """Whether the total is known."""
        return self.low == self.high

    def after_useless_guess(self, n: int) -> Cost:
        """Return the cost of a guess that all `n` codes answer alike; `self` is the least cost.

        >>> Cost(7, 7, 2).after_useless_guess(4)
        Cost(low=11, high=11, worst=3)
        """
        return Cost(self.low + n, self.high + n, self.worst + 1)


class Costs:
    """Costs of guesses from one state; searches stop when the budget is spent.

    Run `merge_equal_guesses` first where the state may have more guesses than a frame takes.
    """

    def __init__(
        self, state: State, consistent_only: bool, work: int | None, seconds: float | None = None
    ) -> None:
        self.state = state
        self.frame = state.frame
        self.consistent_only = consistent_only
        self.budget = Budget(work, seconds)
        self.answers = len(state.rules.answers()) - 1
        self.space, self.guesses = state.space, state.guesses
        self.fits_frame = self._fits_frame(state.guesses)
        self.least_cost: Cost | None = None

    def _fits_frame(self, guesses: int) -> bool:
        n = self.state.n
        few = n <= MAX_FRAME_SECRETS and guesses <= MAX_FRAME_GUESSES
        return few and n * guesses <= MAX_FRAME_PAIRS

    def merge_equal_guesses(self) -> Job[None]:
        """Reduce the guesses to one per partition of the codes if only then they fit a frame.

        Guesses that every code answers alike cost the same. The remaining codes are kept.
        """
        state = self.state
        if self.fits_frame or not state.space or state.n > MAX_FRAME_SECRETS:
            return
        if state.n * state.guesses > MAX_MERGED_PAIRS:
            return
        first = set((yield from first_equals(state, state.space, state.guesses)))
        guesses = state.every_guess()
        merged = array("Q", sorted({*(guesses[place] for place in first), *state.codes()}))
        if self._fits_frame(len(merged)):
            self.space, self.guesses, self.fits_frame = self.frame.put(merged), len(merged), True

    def is_solvable(self) -> bool:
        """Whether the solver takes this state."""
        rules, state = self.state.rules, self.state
        if rules.pegs * rules.colours > 64 or self.answers >= 32 or not self.space:
            return False
        by_cells = self.budget.work is None and state.guesses <= MAX_FRAME_GUESSES
        return self.fits_frame or (by_cells and state.n * state.guesses <= MAX_SEARCHED_PAIRS)

    def lower_bounds(self, guesses: int, count: int) -> list[int]:
        """Bound the costs of `count` guesses at an address by complete trees below their cells.

        NEVER for a guess that every code answers alike.
        """
        state = self.state
        number = {guess: i for i, guess in enumerate(state.every_guess())}
        with self.frame.kernel.frame() as scratch:
            numbers = array("I", map(number.__getitem__, self.frame.get(guesses, "Q", count)))
            planes = scratch.reserve(8 * scratch.call("code_plane_words", state.packed, state.n))
            columns = scratch.reserve(8 * state.rules.pegs * ((state.n + 63) // 64))
            out = scratch.reserve(8 * count)
            scratch.call(
                "code_bounds", rules=state.packed, secrets=state.secrets, n=state.n,
                space=state.space, guesses=scratch.put(numbers), count=count, depth=UNLIMITED,
                planes=planes, columns=columns, out=out,
            )  # fmt: skip
            return list(scratch.get(out, "i", 2 * count)[::2])

    # ---- brackets ---------------------------------------------------------------------------

    def bracket(self, guess: int) -> Job[Cost]:
        """Bound the cost of a guess: complete trees below, a greedy strategy above."""
        n, cells = self.state.n, self._cells(guess)
        if any(len(cell) == n for cell in cells):
            return (yield from self.find_least()).after_useless_guess(n)
        low, high, worst = n, n, 1
        for cell in cells:
            cost = yield from self._bracket_set(cell, guess)
            low, high, worst = low + cost.low, high + cost.high, max(worst, 1 + cost.worst)
        return Cost(low, high, worst)

    def find_least(self) -> Job[Cost]:
        """Find the least cost of all guesses within the budget; without a result bracket it."""
        if self.least_cost is None and self.is_solvable():
            self.least_cost = yield from self._within_budget(self._solve_state())
        if self.least_cost is None:
            self.least_cost = yield from self.bracket_least()
        return self.least_cost

    def bracket_least(self) -> Job[Cost]:
        """Bound the least cost without a search."""
        return (yield from self._bracket_set(self.state.codes(), None))

    def _uses_all_guesses(self) -> bool:
        """Whether greedy strategies choose among all guesses, not only among the codes."""
        state = self.state
        few = max(state.n, state.guesses) <= MOST_CODES
        return bool(state.space) and few and state.n * state.guesses <= MAX_TREE_PAIRS

    def _bracket_set(self, codes: Codes, guess: int | None) -> Job[Cost]:
        """Bound the least total of the codes that remain after a guess.

        A code that separates all others gives 2n - 1; without one the total is at least 2n.
        """
        n = len(codes)
        if n <= 2:
            return Cost(2 * n - 1, 2 * n - 1, n)
        state, clues = self.state, list(self.state.clues)
        if guess is not None:  # trees use the guesses of the clues only
            clues.append(Clue(unpack(guess, state.rules.pegs), 0))
        if self._uses_all_guesses():
            with self.frame.kernel.frame() as scratch:
                inner = state.with_codes(scratch, clues, codes)
                tree = yield from build_strategy(inner, "entropy", self.consistent_only)
                histogram = tree.histogram()
        else:
            histogram = yield from greedy_histogram(state, codes, clues)
        high = sum(depth * found for depth, found in enumerate(histogram, 1))
        low = perfect_total(n, self.answers)
        if low == 2 * n - 1 < high and (self._uses_all_guesses() or n <= MAX_WHOLE):
            low += 1  # the strategy tried every code as its first guess
        return Cost(low, high, len(histogram))

    def _cells(self, guess: int) -> list[Codes]:
        return [cell for _, cell in self.state.split(guess, self.state.codes())]

    # ---- exact costs ------------------------------------------------------------------------

    def find_exact(self, guess: int, cutoff: int = NEVER) -> Job[Cost | None]:
        """Find the cost if it is below the cutoff, else a lower bound as `low` with `high` = NEVER.

        None if the budget is spent or memory does not suffice.
        """
        if not self.is_solvable():
            return None
        n = self.state.n
        if any(len(cell) == n for cell in self._cells(guess)):
            least = yield from self.find_least()
            if not least.exact:
                return None
            cost = least.after_useless_guess(n)
            return cost if cost.high < cutoff else Cost(cutoff, NEVER, 0)
        job = self._solve_guess(guess, cutoff) if self.fits_frame else self._solve_by_cells(guess)
        return (yield from self._within_budget(job))

    def _within_budget(self, job: Job[Cost | None]) -> Job[Cost | None]:
        """Return the result of the job; None if time, work or memory runs out."""
        budget = self.budget
        if budget.work is not None and budget.work <= 0:
            return None
        try:
            while True:
                progress = next(job)
                if budget.is_spent():
                    job.close()
                    break
                yield progress
        except StopIteration as stop:
            return cast("Cost | None", stop.value)
        except TooLarge:
            pass
        budget.work = 0
        return None

    @cached_property
    def search(self) -> Search:
        """The search; with the state as its frame where it fits."""
        size = self._frame_bytes() if self.fits_frame else 24 << 20
        search = Search(self.state, self.consistent_only, size=size)
        if self.fits_frame:
            search.load_frame(self.space, self.guesses, self.state.secrets, self.state.n)
        return search

    def _solve_state(self) -> Job[Cost | None]:
        search = self.search
        if self.fits_frame:
            self.frame.call("code_solver_begin", search.solver, UNLIMITED, NEVER)
            return (yield from self._run_solver(NEVER))
        value, worst = yield from search.solve(self.state.codes(), search.clues(), NEVER)
        return Cost(value, value, worst)

    def _solve_guess(self, guess: int, cutoff: int) -> Job[Cost | None]:
        solver = self.search.solver
        with self.frame.kernel.frame() as scratch:
            at = scratch.put(array("Q", [guess]))
            self.frame.call("code_solver_try", solver, at, UNLIMITED, cutoff)
        return (yield from self._run_solver(cutoff))

    def _run_solver(self, cutoff: int) -> Job[Cost | None]:
        value = yield from self.search.run("code_solver_step", self.budget, NOTE)
        if value is None:
            return None
        if value >= cutoff:
            return Cost(cutoff, NEVER, 0)
        return Cost(value, value, self.frame.call("code_solver_worst", self.search.solver))

    def _frame_bytes(self) -> int:
        """Return the size of a frame: labels, answers one-hot in one or two planes, members."""
        n, columns = self.state.n, min(self.guesses, MAX_FRAME_GUESSES) + 32
        planes = 2 if self.answers >= 16 else 1
        return (5 << 20) + n * columns * (1 + 2 * planes) + 4 * n * n + 64 * columns

    def _solve_by_cells(self, guess: int) -> Job[Cost | None]:
        """Solve the cells one by one, small ones first, each below its greedy strategy."""
        path = self.search.clues() + array("Q", [guess])
        total, worst = self.state.n, 1
        for cell in sorted(self._cells(guess), key=len):
            known = yield from self._bracket_set(cell, guess)
            cost, depth = known.high, known.worst
            if not known.exact:
                value, depth_of_value = yield from self.search.solve(cell, path, cost)
                if value < cost:
                    cost, depth = value, depth_of_value
            total, worst = total + cost, max(worst, 1 + depth)
        return Cost(total, total, worst)


def perfect_total(n: int, answers: int) -> int:
    """Return the total of n secrets in a complete tree: 1 is found by the first guess, then K, K² …

    >>> perfect_total(1, 13), perfect_total(2, 13), perfect_total(16, 13)
    (1, 3, 33)
    """
    total, room, guess = 0, 1, 1
    while n > 0:
        found = min(n, room)
        total, n, room, guess = total + found * guess, n - found, room * answers, guess + 1
    return total
