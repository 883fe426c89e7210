"""Solutions of a board, counted up to a limit, with the first two.

9×9 boards: the bit-parallel solver of solve.c, up to 20 000 guesses a board. Other shapes, and 9×9
boards beyond that: the search of shape_solve.c in slices. Cost: exponential at worst; a limit of
nodes (`patience`) ends it at the same place on every machine.
"""

from __future__ import annotations

from typing import NamedTuple

from cluewise.core.work import Job, Progress, SliceTimer
from cluewise.desks.sudoku.position import NINE, Cells, Shape
from cluewise.kernel.call import kernel
from cluewise.kernel.layouts import SUDOKU

CELLS = SUDOKU.CELLS


class Solutions(NamedTuple):
    """The number of solutions up to a limit, and the first one or two."""

    number: int
    found: list[Cells]


def solve_nine(boards: Cells, count: int, limit: int = 2) -> tuple[bytes, list[int]]:
    """The first two solutions (2·81 bytes a board) and the numbers up to `limit`.

    A number is negative for a board that breaks the rules or takes more than 20 000 guesses.
    """
    with kernel().frame() as frame:
        source, found = frame.put(boards), frame.reserve(2 * CELLS * count)
        counts = frame.reserve(4 * count)
        frame.call("sudoku_solve", source, count, limit, found, counts)
        return (
            frame.get(found, "B", 2 * CELLS * count).tobytes(),
            frame.get(counts, "i", count).tolist(),
        )


def solutions(board: Cells, shape: Shape, limit: int = 2) -> Job[Solutions]:
    """A job: the solutions of a legal board of any shape."""
    found = yield from solutions_within(board, shape, None, limit)
    assert found is not None, "without a limit on patience there is an answer"
    return found


def solutions_within(
    board: Cells, shape: Shape, patience: int | None, limit: int = 2
) -> Job[Solutions | None]:
    """`solutions`, or None if that takes more than `patience` nodes on a board other than 9×9.

    Nodes are counted, not seconds, so that the same seed makes the same puzzle anywhere.
    """
    if shape == NINE:
        patience = None
        data, counts = solve_nine(board, 1, limit)
        if counts[0] >= 0:  # negative is rare: more than 20 000 guesses
            return Solutions(counts[0], _first_two(data, CELLS, counts[0]))
    with kernel().frame() as frame:
        source, found = frame.put(board), frame.reserve(2 * shape.cells)
        room = kernel().call("sudoku_shape_solve_room", shape.rows, shape.cols)
        work = frame.reserve(room)
        kernel().call("sudoku_shape_solve_begin", shape.rows, shape.cols, source, limit, work, room)
        number = yield from run_search("sudoku_shape_solve_run", work, found, patience)
        if number is None:
            return None
        data = frame.get(found, "B", 2 * shape.cells).tobytes()
    return Solutions(number, _first_two(data, shape.cells, number))


def run_search(step: str, work: int, found: int, patience: int | None) -> Job[int | None]:
    """Call the kernel's `step` until its search has ended: how many it found; None after `patience`
    nodes.
    """
    nodes, pace = 0, SliceTimer(first=20)
    left = 1 << 20 if patience is None else patience
    while not (ended := kernel().call(step, work, found, rows := pace.rows(left))):
        pace.took()
        nodes += rows
        if patience is not None:
            left = patience - nodes
            if left <= 0:
                return None
        yield Progress(nodes, None, "solving")
    return ended - 1


def _first_two(data: bytes, cells: int, count: int) -> list[Cells]:
    return [data[i * cells : (i + 1) * cells] for i in range(min(2, count))]
