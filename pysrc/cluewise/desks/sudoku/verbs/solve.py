"""The verb `solve`: none, one or several solutions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from msgspec.structs import replace

from cluewise.core.work import Job
from cluewise.desks.sudoku.constraints import (
    Constraint,
    names_of,
    of_board,
    supported,
    unsupported_names,
)
from cluewise.desks.sudoku.engine.solver import Solutions, solutions
from cluewise.desks.sudoku.engine.variant_solver import solve_variant
from cluewise.desks.sudoku.position import Position, conflict, read_cells, write_cells
from cluewise.desks.sudoku.results import Solved, SolveOptions
from cluewise.desks.sudoku.violations import violation
from cluewise.errors import BadPosition, TooLarge


def solve(position: Position, options: SolveOptions) -> Job[Solved]:
    """`{"solutions": "1", "found": ["483…"], "solution": "483…"}`.

    A board that breaks the rules has no solution; `conflict` then says where. All constraints but
    those known by name alone are taken into account. A board with at most one solution as plain
    sudoku is decided by that one, which may break a constraint. Constraints of boards that are too
    large for the solver are left out unless the solutions as plain sudoku decide the answer. A
    `limit` above 2 lists all solutions up to that many, on boards of up to 16 symbols.
    """
    if len(position.grids) != 1:
        raise BadPosition("`solve` is about one board.", "$.position.grids")
    shape = position.shape
    cells = read_cells(position.grids[0], shape)
    every = of_board(position.constraints, 0)
    rules = supported(every)
    named, others = names_of(rules), unsupported_names(every)
    clash = violation(cells, rules, shape)
    if clash:
        return Solved("0", [], None, clash, not_compared=others, compared=named)
    if options.limit > 2:
        every_one = yield from solve_variant(cells, rules, shape, options.limit)
        complete = every_one.number < options.limit
        return replace(_solved(every_one, others, named), complete=complete)
    if any(one.kind == "regions" for one in rules):
        return (yield from _solve_regions(position, rules, others))
    result = yield from solutions(cells, shape)
    if not rules:
        return _solved(result, others, [])
    broken = [why for board in result.found if (why := violation(board, rules, shape))]
    if result.number == 1 and broken:
        why = f"Its only solution as plain sudoku breaks a rule. {broken[0]}"
        return Solved("0", [], None, why, not_compared=others, compared=named)
    if broken:
        try:
            result = yield from solve_variant(cells, rules, shape)
        except TooLarge:
            return _solved(result, names_of(every), [])
    return _solved(result, others, named)


def _solve_regions(
    position: Position, rules: Sequence[Constraint], others: list[str]
) -> Job[Solved]:
    """With moved regions the boxes do not count, so plain sudoku says nothing about the board."""
    shape = position.shape
    cells = read_cells(position.grids[0], shape)
    try:
        return _solved((yield from solve_variant(cells, rules, shape)), others, names_of(rules))
    except TooLarge:
        every = [*names_of(rules), *others]
        plain_clash = conflict(cells, shape)
        if plain_clash:
            return Solved("0", [], None, plain_clash[2], not_compared=every)
        return _solved((yield from solutions(cells, shape)), every, [])


def _solved(result: Solutions, left_out: list[str], compared: list[str]) -> Solved:
    found = [write_cells(board) for board in result.found]
    number: dict[int, Literal["0", "1"]] = {0: "0", 1: "1"}
    solution = found[0] if result.number == 1 else None
    return Solved(
        number.get(result.number, ">=2"), found, solution, None, not_compared=left_out,
        compared=compared,
    )  # fmt: skip
