"""The most codes that one strategy finds within k guesses, the next one included.

    W(S, 0) = 0, W(S, 1) = 1, W(S, k) = max over guesses g of [g in S] + sum of W(cell, k - 1)

With weights, W is the weight of the codes found and W(S, 1) that of the heaviest. The kernel
searches a set by branch and bound (within.c); where the state does not fit into one frame of the
solver, this module searches the cells of each first guess one by one. Where time or memory runs
out, the result is a bracket: the codes found by the tree of most bits, and the capacity U_k.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass

from cluewise.core.work import Job
from cluewise.desks.code.clue import Clue
from cluewise.desks.code.engine.optimal import Codes, Search
from cluewise.desks.code.engine.state import Budget, State, unpack
from cluewise.desks.code.engine.tree import MOST_CODES, build_strategy
from cluewise.errors import TooLarge
from cluewise.kernel.layouts import CODE

MOST_FRAME = 8_000_000
"""Guesses times codes of one frame: 30 MB of the kernel's memory."""
MOST_ROWS = CODE.UNLIMITED
_MANY_ROWS = 5  # from here on the tree of most bits often finds every code and is tried first
_NOTE = "counting codes found within the rows"


@dataclass(frozen=True, slots=True)
class Reach:
    """Bounds of the number of codes found, or of their weight."""

    low: int
    high: int

    @property
    def exact(self) -> bool:
        """Whether the number is known."""
        return self.low == self.high


def capacity(answers: int, rows: int) -> int:
    """The most codes that any strategy finds: 1, then 1 + (answers - 1) times as many.

    >>> [capacity(14, rows) for rows in range(4)]
    [0, 1, 14, 183]
    """
    most = 0
    for _ in range(min(rows, 12)):
        most = 1 + (answers - 1) * most
    return most


class ReachSearch:
    """Searches one state for the codes found in `rows` guesses; `work` limits the kernel's work."""

    def __init__(
        self,
        state: State,
        rows: int,
        consistent_only: bool,
        work: int | None,
        seconds: float | None = None,
    ) -> None:
        self.state = state
        self.frame = state.frame
        self.rows = rows
        self.consistent_only = consistent_only
        self.budget = Budget(work, seconds)
        self.answers = len(state.rules.answers())
        self.search = Search(state, consistent_only)
        self.framed: Codes | None = None  # the codes of the solver's frame
        self.steps: dict[bytes, list[int]] = {}

    def most(self, codes: Codes, rows: int) -> int:
        """Return an upper bound: the heaviest codes, as many as `rows` guesses can find."""
        cap = capacity(self.answers, rows)
        if self.state.weights is None:
            return min(len(codes), cap)
        return sum(sorted(map(self.state.weights.__getitem__, codes), reverse=True)[:cap])

    def of_guess(self, word: int, need: int = 0) -> Job[Reach | None]:
        """Return bounds of the codes found after that guess; None if at most `need` are."""
        if self.rows < _MANY_ROWS and self.state.n * self.state.guesses <= MOST_FRAME:
            value = yield from self._solve(self.state.codes(), self.rows, max(0, need), word)
            if value is not None:
                return Reach(value, value) if value > need else None
        cells = sorted((cell for _, cell in self.state.split(word, self.state.codes())), key=len)
        weights = self.state.weights
        won = self.state.n - sum(map(len, cells)) if weights is None else weights.get(word, 0)
        caps = [self.most(cell, self.rows - 1) for cell in cells]
        low, high = won, won + sum(caps)
        if high <= need:
            return None
        for cell, cap in zip(cells, caps, strict=True):
            found = yield from self._of_cell(cell, word, max(0, need - (high - cap)))
            low, high = low + found.low, high - cap + found.high
            if high <= need:
                return None
        return Reach(low, high)

    def _of_cell(self, cell: Codes, word: int, need: int) -> Job[Reach]:
        rows = self.rows - 1
        most = self.most(cell, rows)
        if rows <= 1 or len(cell) <= 2 or rows >= len(cell):
            return Reach(most, most)
        steps = yield from self._steps(cell, word)
        low = min(most, sum(steps[:rows]))
        if low == most:
            return Reach(most, most)
        value = yield from self._solve(cell, rows, need)
        if value is None:
            return Reach(low, most)
        # Up to `need` the value is an upper bound, and the guess cannot be among the best.
        return Reach(value, value) if value > need else Reach(min(low, value), value)

    def _steps(self, cell: Codes, word: int) -> Job[list[int]]:
        """Return the codes of a cell each number of guesses finds, by the tree of most bits."""
        key = cell.tobytes()
        if key not in self.steps:
            state, n = self.state, len(cell)
            if max(n, state.guesses) > MOST_CODES or not state.space:
                return [self.most(cell, 1)]
            clues = [*state.clues, Clue(unpack(word, state.rules.pegs), 0)]
            with self.frame.kernel.frame() as scratch:
                inner = state.with_codes(scratch, clues, cell)
                tree = yield from build_strategy(inner, "entropy", self.consistent_only)
            self.steps[key] = tree.histogram(state.weights)
        return self.steps[key]

    def _solve(
        self, codes: Codes, rows: int, need: int, word: int | None = None
    ) -> Job[int | None]:
        """Return the codes found of a set, after the guess if there is one, else after the best.

        None where the search does not finish.
        """
        state, rules = self.state, self.state.rules
        small = rules.feedback not in ("full", "exact") or rules.pegs * rules.colours <= 64
        if not small or self.answers > 32 or not state.space or self.budget.is_spent():
            return None
        if len(codes) * state.guesses > MOST_FRAME:
            return None
        try:
            solver = self.search.solver
            if self.framed != codes:
                self._load_frame(codes)
            if word is None:
                self.frame.call("code_within_begin", solver, rows, need)
            else:
                with self.frame.kernel.frame() as scratch:
                    guess = scratch.put(array("Q", [word]))
                    self.frame.call("code_within_try", solver, guess, rows, need)
            return (yield from self.search.run("code_within_step", self.budget, _NOTE))
        except TooLarge:
            self.framed = None
            return None

    def _load_frame(self, codes: Codes) -> None:
        """Make these codes the solver's frame."""
        state, solver, self.framed = self.state, self.search.solver, None
        with self.frame.kernel.frame() as scratch:
            self.search.load_frame(state.space, state.guesses, scratch.put(codes), len(codes))
            if (weights := state.weights) is not None:
                order = sorted(range(len(codes)), key=lambda place: -weights[codes[place]])
                falling = array("i", (weights[codes[place]] for place in order))
                self.frame.call(
                    "code_within_weights", solver, scratch.put(array("H", order)),
                    scratch.put(falling), len(codes),
                )  # fmt: skip
        self.framed = codes
