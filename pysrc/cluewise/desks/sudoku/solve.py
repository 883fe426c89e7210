"""The verb `solve`: none, one or several solutions."""

from __future__ import annotations

from typing import Literal

from cluewise.core.work import Job
from cluewise.desks.sudoku.constraints import words
from cluewise.desks.sudoku.engine.solver import solutions
from cluewise.desks.sudoku.position import Position, conflict, read_cells, write_cells
from cluewise.desks.sudoku.results import NoChoice, Solved
from cluewise.errors import BadPosition


def run_solve(position: Position, options: NoChoice) -> Job[Solved]:
    """`{"solutions": "1", "found": ["483…"], "solution": "483…"}`.

    A board that breaks the rules has no solution; `conflict` then says where.
    """
    if len(position.grids) != 1:
        raise BadPosition("`solve` is about one board.", "$.position.grids")
    cells = read_cells(position.grids[0], position.shape)
    left = words(position.constraints)
    clash = conflict(cells, position.shape)
    if clash:
        return Solved("0", [], None, clash[2], left)
    result = yield from solutions(cells, position.shape)
    found = [write_cells(board) for board in result.found]
    number: dict[int, Literal["0", "1"]] = {0: "0", 1: "1"}
    solution = found[0] if result.number == 1 else None
    return Solved(number.get(result.number, ">=2"), found, solution, None, left)
