"""Complete search: is there a layout, and which cells are equal in all layouts (backbone).

Conflict-driven clause learning in the kernel (cdcl.c), in slices of `CONFLICTS`. If a first slice
leaves the backbone open, CDCL alternates with linear programs, one per cell (sums_queries.c), then
with an exact count: the programs need one slice on boards of the game, CDCL fewer than they on most
of 400 to 961 cells. Long clues that have to be added up take CDCL alone exponential time.
"""

from __future__ import annotations

from array import array
from itertools import count as count_from

from cluewise.core.work import Job, Progress
from cluewise.desks.mines.engine.board import (
    FLAG,
    QUESTION,
    UNKNOWN,
    framed,
    put_board,
    run_slices,
)
from cluewise.desks.mines.engine.count import Count, count
from cluewise.desks.mines.position import Graph
from cluewise.errors import TooLarge
from cluewise.kernel import Frame, kernel

CONFLICTS = 1500  # a slice: 1500 conflicts take about 20 ms on 150 cells
FIRST = 400  # before the count is tried: it takes 10 to 80 ms on a board of lines
LP_BUDGET = 15_000_000  # a slice of the linear programs: about 15 ms
LP_SLICES = 200
LP_ROOM = 13 << 20  # leaves what the exact count may need
LOOKING = "looking for forced cells"
SAFE, MINE, OPEN, NONE, UNDECIDED = 0, 1, -1, -2, -3


def workspace(board: Graph) -> int:
    """Return the bytes of a search: learned clauses, and the clues as bit sets and lists."""
    edges = sum(map(len, board.neighbours)) + sum(len(g.cells) for g in board.groups)
    words = (board.cells + 63) // 64
    clues = board.cells + len(board.groups) + 1
    return (1 << 18) + (3 << 19) + 8 * edges + 8 * clues * words + 128 * (board.cells + clues)


class CdclSearch:
    """Queries about a position's clues; made by `open_search`.

    Refutations that need sums of counts, such as rows against columns, take CDCL exponential time.
    So a backbone that a first slice leaves open is also computed by other methods, in turns, and an
    undecided query by an exact count.
    """

    def __init__(
        self, frame: Frame, board: Graph, cells: array[int], clues: bytes | None = None
    ) -> None:
        given, size = put_board(frame, board, cells, clues), workspace(board)
        self._frame, self._board, self._state, self._clues = frame, board, cells, clues
        self._work = frame.reserve(size)
        self._values = frame.reserve(board.cells)
        frame.call("mines_search_begin", *given, self._work, size)

    def exists(self, cell: int = -1, value: int = 0) -> Job[bool]:
        """Return whether a layout fits in which `cell` is `value` (-1: any layout at all)."""
        found = self._ask(cell, value)
        if found == 2:
            try:
                return (yield from self._counted(cell, value)) is not None
            except TooLarge:
                found = yield from self._go_on(cell, value)
        return found == 1

    def layout(self) -> Job[array[int] | None]:
        """Return SAFE, MINE or NONE per cell of some layout; None if the clues contradict."""
        if not (yield from self.exists()) or not (yield from self._go_on(-1, 0)):
            return None
        self._frame.call("mines_search_model", self._work, self._values)
        return self._read()

    def backbone(self, countable: bool = True) -> Job[array[int] | None]:
        """Return SAFE, MINE, OPEN or NONE per cell; None if the clues contradict.

        `countable` false: an exact count is known to be too large.
        """
        if (done := self._slice(FIRST)) != 2:
            return self._read() if done else None
        others = self._other_methods(countable)
        found: array[int] | None
        try:
            for slices in count_from(1):
                yield next(others)
                if (done := self._slice(CONFLICTS)) != 2:
                    found = self._read() if done else None
                    break
                yield Progress(slices, None, LOOKING)
        except StopIteration as ended:
            found = ended.value
        finally:
            others.close()
        return found

    def _other_methods(self, countable: bool) -> Job[array[int] | None]:
        """Return the backbone by linear programs or an exact count; never ends if both fail."""
        found = yield from lp_backbone(self._board, self._state, self._clues)
        if found is not None:
            return (yield from self._completed(found)) if found else None
        if countable:
            try:
                counted = yield from self._counted(-1, 0)
                return forced_by_count(counted, self._state) if counted else None
            except TooLarge:
                pass
        while True:
            yield Progress(0, None, LOOKING)

    def _completed(self, values: array[int]) -> Job[array[int]]:
        """Decide the cells that the linear programs left undecided."""
        for cell, value in enumerate(values):
            if value == UNDECIDED:
                safe = yield from self.exists(cell, 0)
                mine = yield from self.exists(cell, 1)
                values[cell] = OPEN if safe and mine else MINE if mine else SAFE
        return values

    def _slice(self, conflicts: int) -> int:
        """Return 1 if the backbone is complete, 0 if the clues contradict, 2 to go on."""
        return self._frame.call("mines_search_backbone", self._work, self._values, conflicts)

    def _ask(self, cell: int, value: int) -> int:
        """Return 1 yes, 0 no, 2 undecided after a slice."""
        return self._frame.call("mines_search_solve", self._work, cell, value, CONFLICTS)

    def _go_on(self, cell: int, value: int) -> Job[int]:
        """Run a query to its end."""
        return (yield from run_slices(lambda: self._ask(cell, value), "looking for a layout", 2))

    def _counted(self, cell: int, value: int) -> Job[Count[int] | None]:
        """Count the layouts with that cell known. Raises TooLarge."""
        cells = self._state[:]
        if cell >= 0:
            cells[cell] = FLAG if value else QUESTION
        return (yield from count(self._board, cells, self._clues))

    def _read(self) -> array[int]:
        return self._frame.get(self._values, "b", self._board.cells)


def forced_by_count(found: Count[int], cells: array[int]) -> array[int]:
    """Return SAFE, MINE, OPEN or NONE per cell, from exact counts."""
    out = array("b", [NONE]) * len(cells)
    for cell, mark in enumerate(cells):
        if mark == UNKNOWN:
            mass = found.mass(cell)
            out[cell] = SAFE if mass == 0 else MINE if mass == found.solutions else OPEN
    return out


open_search = framed(CdclSearch)


def backbone(
    board: Graph, cells: array[int], clues: bytes | None = None, *, countable: bool = True
) -> Job[array[int] | None]:
    """Return the forced cells of one state; None if the clues contradict.

    `countable` false: an exact count is known to be too large.
    """
    with open_search(board, cells, clues) as search:
        return (yield from search.backbone(countable))


def consistent(board: Graph, cells: array[int], clues: bytes | None = None) -> Job[bool]:
    """Return whether some layout fits."""
    with open_search(board, cells, clues) as search:
        return (yield from search.exists())


def begin_sums(
    frame: Frame, board: Graph, cells: array[int], clues: bytes | None, room: int
) -> int | None:
    """Set up a state's clues as equations (simplex.c); return the address, None beyond `room`."""
    numbers = [cell for cell, mark in enumerate(cells) if mark >= 0]
    rows, columns = len(board.groups) + len(numbers), cells.count(UNKNOWN) + cells.count(FLAG)
    members = sum(len(g.cells) for g in board.groups)
    members += sum(len(board.neighbours[c]) for c in numbers)
    size = (1 << 16) + 8 * (rows + 1) * (columns + 1) + 2 * members + 96 * (rows + board.cells)
    if size > min(room, kernel().free() // 2):
        return None
    work = frame.reserve(size)
    frame.call("mines_sums_begin", *put_board(frame, board, cells, clues), work, size)
    return work


def lp_backbone(
    board: Graph, cells: array[int], clues: bytes | None = None
) -> Job[array[int] | None]:
    """Return SAFE, MINE, OPEN, NONE or UNDECIDED per cell; empty if no layout fits.

    UNDECIDED: the cell's program branches too often or is numerically unstable. None if the
    programs are too large or take too long.
    """
    with kernel().frame() as frame:
        work, values = begin_sums(frame, board, cells, clues, LP_ROOM), frame.reserve(board.cells)
        if work is None:
            return None
        for i in range(LP_SLICES):
            done = frame.call("mines_sums_backbone", work, values, LP_BUDGET)
            if done == 0:
                return array("b")
            if done == 1:
                found = frame.get(values, "b", board.cells)
                for cell, mark in enumerate(cells):
                    if mark == FLAG:
                        found[cell] = NONE
                return found
            if done == 3:
                return None
            yield Progress(i + 1, None, "adding up the clues")
    return None
