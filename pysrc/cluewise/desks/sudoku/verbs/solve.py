"""The verb `solve`: none, one or several solutions."""

from __future__ import annotations

from typing import Literal

from cluewise.core.desk import NoOptions
from cluewise.core.work import Job
from cluewise.desks.sudoku.constraints import of_board, words
from cluewise.desks.sudoku.engine.solver import solutions
from cluewise.desks.sudoku.position import Position, conflict, read_cells, write_cells
from cluewise.desks.sudoku.results import Solved
from cluewise.desks.sudoku.violations import violation
from cluewise.errors import BadPosition


def solve(position: Position, options: NoOptions) -> Job[Solved]:
    """`{"solutions": "1", "found": ["483…"], "solution": "483…"}`.

    A board that breaks the rules has no solution; `conflict` then says where. The constraints are
    taken into account where the solutions as plain sudoku decide the answer: there is none, the
    only one breaks a constraint or keeps all, or two keep all.
    """
    if len(position.grids) != 1:
        raise BadPosition("`solve` is about one board.", "$.position.grids")
    shape = position.shape
    cells = read_cells(position.grids[0], shape)
    every = of_board(position.constraints, 0)
    rules = [one for one in every if one.kind != "other"]
    named, others = words(rules), words(one for one in every if one.kind == "other")
    clash = violation(cells, rules, shape)
    if clash:
        return Solved("0", [], None, clash, others, named)
    if any(one.kind == "regions" for one in rules):  # the solver knows boxes only
        named, others, rules = [], words(every), []
        plain_clash = conflict(cells, shape)
        if plain_clash:
            return Solved("0", [], None, plain_clash[2], others)
    result = yield from solutions(cells, shape)
    found = [write_cells(board) for board in result.found]
    broken = [why for board in result.found if (why := violation(board, rules, shape))]
    if result.number == 1 and broken:
        why = f"Its only solution as plain sudoku breaks a rule. {broken[0]}"
        return Solved("0", [], None, why, others, named)
    if broken:
        return Solved(">=2", found, None, None, words(every))
    number: dict[int, Literal["0", "1"]] = {0: "0", 1: "1"}
    solution = found[0] if result.number == 1 else None
    return Solved(number.get(result.number, ">=2"), found, solution, None, others, named)
