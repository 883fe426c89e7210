"""Solutions of a board, counted up to a limit, with the first two."""

from __future__ import annotations

from typing import NamedTuple

from cluewise.core.work import Job, Pace, Progress
from cluewise.desks.sudoku.position import NINE, Cells, Shape
from cluewise.errors import TooLarge
from cluewise.kernel.call import kernel

CELLS = 81


class Solutions(NamedTuple):
    """How many solutions there are up to the limit asked for, and the first one or two."""

    number: int
    found: list[Cells]


def solve_nine(boards: Cells, count: int, limit: int = 2) -> tuple[bytes, list[int]]:
    """The first two solutions (2·81 bytes a board) and the numbers up to `limit`.

    A number is negative for a board that breaks the rules or takes too long.
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
    if shape != NINE:
        return (yield from _solve_shape(board, shape, limit))
    found, counts = solve_nine(board, 1, limit)
    if counts[0] < 0:
        raise TooLarge("This board needs more than two million guesses.")
    return Solutions(counts[0], _pieces(found, CELLS, counts[0]))


def _solve_shape(board: Cells, shape: Shape, limit: int) -> Job[Solutions]:
    with kernel().frame() as frame:
        source, found = frame.put(board), frame.reserve(2 * shape.cells)
        room = kernel().call("sudoku_shape_solve_room", shape.rows, shape.cols)
        work = frame.reserve(room)
        kernel().call("sudoku_shape_solve_begin", shape.rows, shape.cols, source, limit, work, room)
        nodes, pace = 0, Pace(first=20)
        while not kernel().call("sudoku_shape_solve_run", work, found, step := pace.rows(1 << 20)):
            pace.took()
            nodes += step
            yield Progress(nodes, None, "solving")
        count = kernel().call("sudoku_shape_solve_count", work)
        data = frame.get(found, "B", 2 * shape.cells).tobytes()
    return Solutions(count, _pieces(data, shape.cells, count))


def _pieces(data: bytes, cells: int, count: int) -> list[Cells]:
    return [data[i * cells : (i + 1) * cells] for i in range(min(2, count))]
