"""The verb `solve`: none, one or several solutions."""

from __future__ import annotations

from typing import Literal

from msgspec.structs import replace

from cluewise.core.work import Job
from cluewise.desks.sudoku.constraints import of_board, scope_of
from cluewise.desks.sudoku.engine.solver import Solutions, solutions
from cluewise.desks.sudoku.engine.variant_solver import solve_variant
from cluewise.desks.sudoku.position import Position, conflict, read_cells, write_cells
from cluewise.desks.sudoku.results import Solved, SolveOptions
from cluewise.desks.sudoku.violations import violation
from cluewise.errors import BadPosition, TooLarge


def solve(position: Position, options: SolveOptions) -> Job[Solved]:
    """`{"solutions": "1", "found": ["483…"], "solution": "483…"}`.

    A board that breaks the rules has no solution; `conflict` then names the place. All constraints
    but those known by name alone are taken into account. The solutions as plain sudoku are found
    first: if there is only one, it decides the answer. Constraints of boards that are too large for
    the solver are left out unless those solutions decide the answer. A `limit` above 2 lists all
    solutions up to that many, on boards of up to 16 symbols.
    """
    if len(position.grids) != 1:
        raise BadPosition("`solve` is about one board.", "$.position.grids")
    shape = position.shape
    cells = read_cells(position.grids[0], shape)
    scope = scope_of(of_board(position.constraints, 0))
    rules = scope.rules
    clash = violation(cells, rules, shape)
    if clash:
        return scope.label(_unsolvable(clash))
    if options.limit > 2:
        found = yield from solve_variant(cells, rules, shape, options.limit)
        complete = found.number < options.limit
        return scope.label(replace(_solved(found), complete=complete))
    if any(one.kind == "regions" for one in rules):  # the boxes of plain sudoku do not count
        try:
            return scope.label(_solved((yield from solve_variant(cells, rules, shape))))
        except TooLarge:
            scope, plain_clash = scope.without_rules(), conflict(cells, shape)
        if plain_clash:
            return scope.label(_unsolvable(plain_clash))
        return scope.label(_solved((yield from solutions(cells, shape))))
    found = yield from solutions(cells, shape)
    broken = [why for board in found.found if rules and (why := violation(board, rules, shape))]
    if found.number == 1 and broken:
        why = f"Its only solution as plain sudoku breaks a rule. {broken[0]}"
        return scope.label(_unsolvable(why))
    if broken:
        try:
            found = yield from solve_variant(cells, rules, shape)
        except TooLarge:
            scope = scope.without_rules()
    return scope.label(_solved(found))


def _unsolvable(why: str) -> Solved:
    return Solved("0", [], None, why)


def _solved(result: Solutions) -> Solved:
    found = [write_cells(board) for board in result.found]
    number: dict[int, Literal["0", "1"]] = {0: "0", 1: "1"}
    solution = found[0] if result.number == 1 else None
    return Solved(number.get(result.number, ">=2"), found, solution, None)
