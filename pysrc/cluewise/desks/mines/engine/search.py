"""Complete search: does a layout exist, and which cells are the same in every layout."""

from __future__ import annotations

from array import array
from collections.abc import Generator
from contextlib import contextmanager

from cluewise.core.work import Job, Progress
from cluewise.desks.mines.engine.board import packed
from cluewise.desks.mines.position import Graph
from cluewise.kernel import Frame, kernel

CONFLICTS = 1500  # a slice: 1500 conflicts take about 20 ms on 150 cells
SAFE, MINE, OPEN, NONE = 0, 1, -1, -2


def workspace(board: Graph) -> int:
    """Bytes the search needs: lessons, and the clues as bit sets and lists."""
    edges = sum(map(len, board.neighbours)) + sum(len(g.cells) for g in board.groups)
    words = (board.cells + 63) // 64
    clues = board.cells + len(board.groups) + 1
    return (1 << 18) + (3 << 19) + 8 * edges + 8 * clues * words + 128 * (board.cells + clues)


class Search:
    """One position's clues, ready for questions; make it with `searching`."""

    def __init__(self, frame: Frame, board: Graph, cells: array[int], clues: bytes | None) -> None:
        graph = packed(board)
        at, state = frame.put(graph), frame.put(cells)
        active = frame.put(clues) if clues is not None else 0
        size = workspace(board)
        self._frame, self._cells = frame, board.cells
        self._work = frame.reserve(size)
        self._values = frame.reserve(board.cells)
        frame.call("mines_search_begin", at, len(graph), state, active, self._work, size)

    def exists(self, cell: int = -1, value: int = 0) -> Job[bool]:
        """Whether a layout fits in which `cell` is `value` (-1: any layout at all)."""
        slices = 0
        while True:
            found = self._frame.call("mines_search_solve", self._work, cell, value, CONFLICTS)
            if found != 2:
                return found == 1
            slices += 1
            yield Progress(slices, None, "looking for a layout")

    def model(self) -> array[int]:
        """The layout that the last `exists` found: SAFE, MINE or NONE per cell."""
        self._frame.call("mines_search_model", self._work, self._values)
        return self._frame.get(self._values, "b", self._cells)

    def backbone(self) -> Job[array[int] | None]:
        """SAFE, MINE, OPEN or NONE per cell; None if the clues contradict."""
        slices = 0
        while True:
            done = self._frame.call("mines_search_backbone", self._work, self._values, CONFLICTS)
            if done != 2:
                break
            slices += 1
            yield Progress(slices, None, "looking for forced cells")
        return self._frame.get(self._values, "b", self._cells) if done else None


@contextmanager
def searching(
    board: Graph, cells: array[int], clues: bytes | None = None
) -> Generator[Search, None, None]:
    """A `Search` over those clues, its memory freed at the end of the block."""
    with kernel().frame() as frame:
        yield Search(frame, board, cells, clues)


def backbone(board: Graph, cells: array[int], clues: bytes | None = None) -> Job[array[int] | None]:
    """The forced cells of one state; None if the clues contradict."""
    with searching(board, cells, clues) as search:
        return (yield from search.backbone())


def consistent(board: Graph, cells: array[int], clues: bytes | None = None) -> Job[bool]:
    """Whether any layout fits."""
    with searching(board, cells, clues) as search:
        return (yield from search.exists())
