"""Which clues of a position can hold together: many questions about one board.

Linear equations answer nearly all of them at once (simplex.c); what rounding or the amount of work
leaves open, the search decides.
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
    answer,
    asked_cells,
    chosen,
    clue_number,
    framed,
    state,
    with_answer,
)
from cluewise.desks.mines.engine.cdcl import begin_sums, open_search
from cluewise.desks.mines.position import Graph, Position, clue_names, graph
from cluewise.kernel import Frame

BUDGET = 15_000_000  # a slice: about 15 ms
SLICES = 30  # before the search is asked instead
ROOM = 13 << 20  # leaves what the exact count may need
TINY = 1e-6
YES, NO, MORE = 1, 0, 2
NOTE = "adding up the clues"


class Clue:
    """A clue as a question sees it: its cells as bits, how many mines it wants, its number."""

    __slots__ = ("cells", "flag", "number", "want")

    def __init__(self, position: Position, board: Graph, name: str) -> None:
        self.flag = int(name[5:]) if name.startswith("flag:") else -1
        self.number = -1 if self.flag >= 0 else clue_number(board, name)
        self.cells = sum(1 << c for c in asked_cells(position, board, name))
        self.want = answer(position, board, name)


class SimplexQuestions:
    """A position's clues as equations; make it with `open_simplex`.

    A set of clues is an int, bit i for the i-th of `names`; `flags` are those that are flags, and
    `flag_of` says which of them flags a cell. `layouts` has every layout that was
    met: its mines as bits, and the clues that hold in it. What one question finds serves the next.
    """

    def __init__(self, frame: Frame, position: Position) -> None:
        self.names = clue_names(position)
        self.layouts: dict[int, int] = {}
        self._position, self._board = position, graph(position)
        self._clues = [Clue(position, self._board, name) for name in self.names]
        self.flag_of = {clue.flag: i for i, clue in enumerate(self._clues) if clue.flag >= 0}
        self.flags = sum(1 << i for i in self.flag_of.values())
        self._counting: dict[int, int] = {}
        self._frame, self._numbers = frame, len(self._board.groups) + self._board.cells
        self._work = begin_sums(frame, self._board, state(position), None, ROOM)
        self._size = (self._numbers + 7) // 8
        self._question = frame.reserve(28 + 2 * self._size)
        self._answered = frame.reserve(self._size + (self._board.cells + 7) // 8)

    def counting(self, gone: int) -> int:
        """The counts that have a cell outside of `gone`, a set of cells."""
        found = self._counting.get(gone)
        if found is None:
            found = self._counting[gone] = sum(
                1 << i for i, clue in enumerate(self._clues) if clue.flag < 0 and clue.cells & ~gone
            )
        return found

    def fits(self, clues: int, cell: int = -1, value: int = 0) -> Job[int | None]:
        """All clues that hold in some layout in which these do; None if there is none.

        With a `cell`, in a layout in which it is safe (0) or a mine (1).
        """
        return (yield from self.most(clues, 0, cell, value))

    def most(self, clues: int, among: int, cell: int = -1, value: int = 0) -> Job[int | None]:
        """The same in a layout to which those `among` were added one by one, as far as they fit.

        Where all of it takes long, fewer may have been added.
        """
        found = yield from self._set("mines_sums_most", clues, among, cell, value)
        if found == NO:
            return None
        if found == YES:
            held, mines = self._answer()
            self.layouts[mines] = held
            return held
        layout = yield from self._searched(clues, cell, value)
        return (
            None if layout is None else (yield from self._grown(layout, clues, among, cell, value))
        )

    def least(self, clues: int, among: int, cell: int = -1, value: int = 0) -> Job[int]:
        """Clues that do not fit, less those `among` without which they still do not.

        Left out one by one, the first first.
        """
        if (yield from self._set("mines_sums_least", clues, among, cell, value)) == NO:
            return self._answer()[0]
        for one in bit_indices(clues & among):
            if (yield from self.fits(clues & ~(1 << one), cell, value)) is None:
                clues &= ~(1 << one)
        return clues

    def refuted(self, clues: int, cell: int, value: int) -> Job[dict[str, float] | None]:
        """How often each of the clues enters a sum that rules out the cell's value.

        Up to rounding and a common factor; None where no one sum of them does.
        """
        verdict = yield from self._set("mines_sums_most", clues, 0, cell, value)
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
        """One of the clues."""
        return self._clues[index]

    def _searched(self, clues: int, cell: int, value: int) -> Job[int | None]:
        """The same as `fits`, by the search."""
        marks, numbers = self._chosen(self._position, clues)
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
        return self._held(values)

    def _grown(self, layout: int, clues: int, among: int, cell: int, value: int) -> Job[int]:
        """The same as `most`, clue by clue, from a layout in which the clues hold."""
        for one in bit_indices(among & ~layout):
            if not layout >> one & 1:
                more = clues | among & layout | 1 << one
                layout = (yield from self.fits(more, cell, value)) or layout
        return layout

    def allows(self, clues: int, clue: int, low: int, high: int) -> Job[bool]:
        """Whether a layout in which these clues hold has `low` to `high` mines in another."""
        if low > high or high < 0:
            return False
        found = yield from self._set("mines_sums_most", clues, 0, -1, 0, (clue, low, high))
        if found != MORE:
            return found == YES
        flag = self._clues[clue].flag
        for value in range(low, high + 1):
            name = self.names[clue]
            position = self._position if flag >= 0 else with_answer(self._position, name, value)
            board, more = graph(position), 0 if flag >= 0 else 1 << clue
            with open_search(board, *self._chosen(position, clues | more)) as search:
                if (yield from search.exists(flag, value)):
                    return True
        return False

    def _chosen(self, position: Position, clues: int) -> tuple[array[int], bytes]:
        return chosen(position, [self.names[i] for i in bit_indices(clues)], graph(position))

    def _held(self, values: Sequence[int]) -> int:
        """The clues that hold in a layout: SAFE, MINE or NONE per cell."""
        mines = sum(1 << c for c, value in enumerate(values) if value == 1)
        held = 0
        for i, clue in enumerate(self._clues):
            if (clue.cells & mines).bit_count() == clue.want:
                held |= 1 << i
        self.layouts[mines] = held
        return held

    def _set(
        self, name: str, clues: int, among: int, cell: int, value: int,
        other: tuple[int, int, int] = (-1, 0, 0),
    ) -> Job[int]:  # fmt: skip
        """What the equations say of a set; MORE if that is undecided, or takes too long.

        `other`: a clue, the fewest and the most mines that it may count.
        """
        if self._work is None:
            return MORE
        size, verdict = self._size, MORE
        for i in range(SLICES + 1):
            again = 0 if i == 0 else 2 if i == SLICES else 1
            head = array("i", [cell, value, *other, again, BUDGET]).tobytes()
            sets = clues | among << 8 * size
            self._frame.write(self._question, head + sets.to_bytes(2 * size, "little"))
            verdict = self._frame.call(name, self._work, self._question, self._answered)
            yield Progress(i + 1, None, NOTE)  # after short answers too: there may be thousands
            if verdict != MORE:
                break
        return verdict if verdict in (YES, NO) else MORE

    def _answer(self) -> tuple[int, int]:
        """The set that the kernel wrote, and the mines behind it."""
        wrote = self._frame.get(self._answered, "B", self._size + (self._board.cells + 7) // 8)
        both = int.from_bytes(wrote.tobytes(), "little")
        return both & (1 << 8 * self._size) - 1, both >> 8 * self._size


open_simplex = framed(SimplexQuestions)
