"""The forced cells of a state by linear programmes, one per cell (lp_backbone.c).

Quick where long clues have to be added up, which takes CDCL exponential time; a cell whose
programme branches too often, or is numerically unstable, is left to other methods.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from cluewise.core.work import Job, Progress
from cluewise.desks.mines.engine.board import FLAG, UNKNOWN, put_board
from cluewise.desks.mines.position import CELLS, Graph
from cluewise.kernel import kernel

BUDGET = 15_000_000  # a slice: about 15 ms
SLICES = 200
ROOM = 13 << 20  # leaves what the exact count may need
UNDECIDED = -3


def lp_backbone(
    board: Graph, cells: Sequence[int], clues: bytes | None = None
) -> Job[array[int] | None]:
    """0 safe, 1 mine, -1 open, -2 not unknown, UNDECIDED per cell; empty if no layout fits.

    None where the programmes are too large or take too long.
    """
    unknown = array("h", (UNKNOWN if mark == FLAG else mark for mark in cells))
    groups, numbers = len(board.groups), [cell for cell, mark in enumerate(cells) if mark >= 0]
    rows, columns = groups + len(numbers), unknown.count(UNKNOWN)
    members = sum(len(g.cells) for g in board.groups)
    members += sum(len(board.neighbours[c]) for c in numbers)
    size = (1 << 16) + 8 * (rows + 1) * (columns + 1) + 2 * members + 96 * (rows + board.cells)
    with kernel().frame() as frame:
        if size > min(ROOM, kernel().free() // 2):
            return None
        least = array("h", [0]) * (groups + board.cells)
        most = array("h", [CELLS]) * (groups + board.cells)
        counts = [*((i, g.count) for i, g in enumerate(board.groups))]
        for clue, count in (*counts, *((groups + c, cells[c]) for c in numbers)):
            if clues is None or clues[clue]:
                least[clue] = most[clue] = count
        fixed = array("b", (1 if mark == FLAG else -1 for mark in cells))
        work, values = frame.reserve(size), frame.reserve(board.cells)
        frame.call("mines_sums_begin", *put_board(frame, board, unknown)[:3], work, size)
        given = (frame.put(least), frame.put(most), frame.put(fixed))
        frame.call("mines_sums_ask", work, *given)
        for i in range(SLICES):
            done = frame.call("mines_sums_backbone", work, values, BUDGET)
            if done == 0:
                return array("b")
            if done == 1:
                found = frame.get(values, "b", board.cells)
                for cell, mark in enumerate(cells):
                    if mark == FLAG:
                        found[cell] = -2
                return found
            if done == 3:
                return None
            yield Progress(i + 1, None, "adding up the clues")
    return None
