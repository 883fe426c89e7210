"""The sum of fewest counts, each added or subtracted once, that decides a forced cell."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

from cluewise.core.work import Job
from cluewise.desks.mines.engine.board import put_board, run_slices
from cluewise.desks.mines.engine.count import workspace_bytes
from cluewise.desks.mines.position import Graph
from cluewise.kernel import kernel
from cluewise.kernel.layouts import MINES

WORKSPACE = 4 << 20
BUDGET = 5_000_000  # a slice: about 15 ms
SLICES = 100  # the hardest position of 40 levels of the game takes 20


class LeastSum(NamedTuple):
    """The weight of each clue number in the sum, and the cell that it decides."""

    weights: dict[int, int]
    cell: int


def least_sum(
    board: Graph, cells: array[int], values: Sequence[int], mines: int, cell: int = -1
) -> Job[LeastSum | None]:
    """The least sum, or the least for a forced `cell`; None if the search takes too long or if
    there is none.

    `values`: 0 or 1 for every forced cell, else below 0; `mines`: a layout that fits, as bits.
    """
    layout = array("b", (mines >> c & 1 for c in range(board.cells)))
    with kernel().frame() as frame:
        size = min(WORKSPACE, workspace_bytes())
        work, weights = frame.reserve(size), frame.reserve(board.cells + len(board.groups))
        begun = frame.call(
            "mines_least_begin", *put_board(frame, board, cells)[:3],
            values=frame.put(array("b", values)), layout=frame.put(layout), cell=cell,
            most=MINES.MINES_LEAST, work=work, size=size,
        )  # fmt: skip
        if not begun:
            return None
        slices = iter(range(SLICES))
        step = partial(frame.call, "mines_least_run", work, BUDGET)
        found = yield from run_slices(lambda: step() if next(slices, None) is not None else 0,
                                      "looking for the shortest sum")  # fmt: skip
        if found != 2:
            return None
        decided = frame.call("mines_least_result", work, weights)
        weighed = frame.get(weights, "b", board.cells + len(board.groups))
    return LeastSum({clue: w for clue, w in enumerate(weighed) if w}, decided)
