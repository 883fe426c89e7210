"""Satisfiability of sets of a position's clues: an incremental oracle for MUS searches.

Each query is an integer program over the counts, solved by dual simplex and branching on one
tableau that all queries share (simplex.c, sums_queries.c). CDCL (cdcl.py) decides the queries that
rounding errors or the limit of work leave undecided. `grow` and `shrink` are those of MARCO
(Liffiton, Previti, Malik, Marques-Silva 2016).
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from cluewise.core.conflict import bit_indices
from cluewise.core.work import Job, Progress
from cluewise.desks.mines.engine.board import (
    FLAG,
    QUESTION,
    UNKNOWN,
    clue_cells,
    clue_count,
    clue_number,
    framed,
    state,
    state_of_clues,
    with_clue_count,
)
from cluewise.desks.mines.engine.cdcl import begin_sums, open_search
from cluewise.desks.mines.position import Graph, Position, clue_names, graph
from cluewise.kernel import Frame

BUDGET = 15_000_000  # a slice: about 15 ms
SLICES = 30  # before CDCL takes over
ROOM = 13 << 20  # bytes; leaves enough for an exact count
TINY = 1e-6
YES, NO, MORE = 1, 0, 2
NOTE = "adding up the clues"


class Clue:
    """A clue: its cells as bits, the mines among them, its number in the kernel, its flag or -1."""

    __slots__ = ("cells", "flag", "number", "want")

    def __init__(self, position: Position, board: Graph, name: str) -> None:
        self.flag = int(name[5:]) if name.startswith("flag:") else -1
        self.number = -1 if self.flag >= 0 else clue_number(board, name)
        self.cells = sum(1 << c for c in clue_cells(board, name))
        self.want = clue_count(position, board, name)


class ClueSetOracle:
    """Answers queries about sets of a position's clues; made by `open_oracle`.

    A set of clues is an int, bit i for `names[i]`. `flags` is the set of the flags; `flag_of` maps
    a flagged cell to its clue. `layouts` caches the layouts found, mines as bits, each with the set
    of clues that it satisfies.
    """

    def __init__(self, frame: Frame, position: Position) -> None:
        self.names = clue_names(position)
        self.layouts: dict[int, int] = {}
        self._position, self._board = position, graph(position)
        self._clues = [Clue(position, self._board, name) for name in self.names]
        self.flag_of = {clue.flag: i for i, clue in enumerate(self._clues) if clue.flag >= 0}
        self.flags = sum(1 << i for i in self.flag_of.values())
        self._counts_beyond: dict[int, int] = {}
        self._frame, self._numbers = frame, len(self._board.groups) + self._board.cells
        self._work = begin_sums(frame, self._board, state(position), None, ROOM)
        self._size = (self._numbers + 7) // 8
        self._query_buffer = frame.reserve(28 + 2 * self._size)
        self._reply = frame.reserve(self._size + (self._board.cells + 7) // 8)

    def counts_beyond(self, gone: int) -> int:
        """Return the counts with a cell outside of `gone`, a set of cells."""
        found = self._counts_beyond.get(gone)
        if found is None:
            found = self._counts_beyond[gone] = sum(
                1 << i for i, clue in enumerate(self._clues) if clue.flag < 0 and clue.cells & ~gone
            )
        return found

    def fits(self, clues: int, cell: int = -1, value: int = 0) -> Job[int | None]:
        """Return all clues satisfied by some layout that satisfies these; None if there is none.

        With a `cell`, a layout in which it is safe (0) or a mine (1).
        """
        return (yield from self.grow(clues, 0, cell, value))

    def grow(self, clues: int, among: int, cell: int = -1, value: int = 0) -> Job[int | None]:
        """Return `fits` of a set grown greedily by clues of `among`, in order; None as `fits`.

        The set is maximal unless the limit of work ends the growth early.
        """
        found = yield from self._query("mines_sums_most", clues, among, cell, value)
        if found == NO:
            return None
        if found == YES:
            held, mines = self._read_answer()
            self.layouts[mines] = held
            return held
        layout = yield from self._fits_by_cdcl(clues, cell, value)
        if layout is None:
            return None
        return (yield from self._grow_by_cdcl(layout, clues, among, cell, value))

    def shrink(self, clues: int, among: int, cell: int = -1, value: int = 0) -> Job[int]:
        """Return an unsatisfiable set without the clues of `among` that it does not need.

        Deletion in order: a minimal unsatisfiable subset if `among` is all of `clues`.
        """
        if (yield from self._query("mines_sums_least", clues, among, cell, value)) == NO:
            return self._read_answer()[0]
        for clue in bit_indices(clues & among):
            if (yield from self.fits(clues & ~(1 << clue), cell, value)) is None:
                clues &= ~(1 << clue)
        return clues

    def farkas_weights(self, clues: int, cell: int, value: int) -> Job[dict[str, float] | None]:
        """Return the weights of a linear combination of clues that excludes the cell's value.

        A Farkas certificate up to rounding and a common factor; None if the proof needs branching.
        """
        verdict = yield from self._query("mines_sums_most", clues, 0, cell, value)
        if self._work is None or verdict != NO:
            return None
        out = self._frame.reserve(8 * self._numbers)
        if self._frame.call("mines_sums_proof", self._work, out) != 1:
            return None
        weights = self._frame.get(out, "d", self._numbers)
        named = ((self.names[i], self._clues[i]) for i in bit_indices(clues))
        return {name: weights[clue.number] for name, clue in named
                if clue.flag < 0 and abs(weights[clue.number]) > TINY}  # fmt: skip

    def clue(self, index: int) -> Clue:
        """Return a clue by its index in `names`."""
        return self._clues[index]

    def _fits_by_cdcl(self, clues: int, cell: int, value: int) -> Job[int | None]:
        """Return `fits` by CDCL."""
        marks, numbers = self._state_of(self._position, clues)
        if cell >= 0:
            if marks[cell] != UNKNOWN:
                return None
            marks[cell] = FLAG if value else QUESTION
        with open_search(self._board, marks, numbers) as search:
            values = yield from search.layout()
        if values is None:
            return None
        for at, mark in enumerate(marks):
            if mark == FLAG:
                values[at] = 1
        return self._satisfied(values)

    def _grow_by_cdcl(self, layout: int, clues: int, among: int, cell: int, value: int) -> Job[int]:
        """Return `grow` from a layout that satisfies the clues, one query a clue."""
        for clue in bit_indices(among & ~layout):
            if not layout >> clue & 1:
                more = clues | among & layout | 1 << clue
                layout = (yield from self.fits(more, cell, value)) or layout
        return layout

    def allows(self, clues: int, clue: int, low: int, high: int) -> Job[bool]:
        """Return whether a layout satisfies these clues with `low` to `high` mines in another."""
        if low > high or high < 0:
            return False
        found = yield from self._query("mines_sums_most", clues, 0, -1, 0, (clue, low, high))
        if found != MORE:
            return found == YES
        flag = self._clues[clue].flag
        for value in range(low, high + 1):
            name = self.names[clue]
            position = self._position if flag >= 0 else with_clue_count(self._position, name, value)
            board, more = graph(position), 0 if flag >= 0 else 1 << clue
            with open_search(board, *self._state_of(position, clues | more)) as search:
                if (yield from search.exists(flag, value)):
                    return True
        return False

    def _state_of(self, position: Position, clues: int) -> tuple[array[int], bytes]:
        return state_of_clues(position, [self.names[i] for i in bit_indices(clues)])

    def _satisfied(self, values: Sequence[int]) -> int:
        """Return and cache the clues that a layout (SAFE, MINE or NONE per cell) satisfies."""
        mines = sum(1 << c for c, value in enumerate(values) if value == 1)
        held = 0
        for i, clue in enumerate(self._clues):
            if (clue.cells & mines).bit_count() == clue.want:
                held |= 1 << i
        self.layouts[mines] = held
        return held

    def _query(
        self, name: str, clues: int, among: int, cell: int, value: int,
        other: tuple[int, int, int] = (-1, 0, 0),
    ) -> Job[int]:  # fmt: skip
        """Run a query of the kernel; MORE if it is undecided or exceeds the limit of work.

        `other`: a clue, and the fewest and the most mines that it may count.
        """
        if self._work is None:
            return MORE
        size, verdict = self._size, MORE
        for i in range(SLICES + 1):
            again = 0 if i == 0 else 2 if i == SLICES else 1
            head = array("i", [cell, value, *other, again, BUDGET]).tobytes()
            sets = clues | among << 8 * size
            self._frame.write(self._query_buffer, head + sets.to_bytes(2 * size, "little"))
            verdict = self._frame.call(name, self._work, self._query_buffer, self._reply)
            yield Progress(i + 1, None, NOTE)  # even after a short query: there may be thousands
            if verdict != MORE:
                break
        return verdict if verdict in (YES, NO) else MORE

    def _read_answer(self) -> tuple[int, int]:
        """Return the set of clues and the layout that the kernel wrote."""
        wrote = self._frame.get(self._reply, "B", self._size + (self._board.cells + 7) // 8)
        both = int.from_bytes(wrote.tobytes(), "little")
        return both & (1 << 8 * self._size) - 1, both >> 8 * self._size


open_oracle = framed(ClueSetOracle)
