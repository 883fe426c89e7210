"""The rank of a grid among the essentially different grids (`number`), and its inverse (`grid`)."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable

from cluewise.core.desk import NoOptions
from cluewise.core.work import Job, Progress, finish
from cluewise.desks.sudoku.constraints import names_of, of_board
from cluewise.desks.sudoku.engine import minlex
from cluewise.desks.sudoku.engine.grid_rank import CLASSES, GRIDS, numbers
from cluewise.desks.sudoku.engine.solver import solutions
from cluewise.desks.sudoku.formats import names
from cluewise.desks.sudoku.formats.names import FORM, Address, out_of_range, read_address
from cluewise.desks.sudoku.position import (
    NINE,
    Cells,
    Position,
    boards,
    is_complete,
    write_cells,
)
from cluewise.desks.sudoku.results import GridOfNumber, GridOptions, Numbered
from cluewise.desks.sudoku.transform import Transform, apply, between, compose, identity, inverse
from cluewise.desks.sudoku.violations import violation
from cluewise.errors import BadOption, BadPosition


def number(position: Position, options: NoOptions) -> Job[Numbered]:
    """The grid's rank in minlex order, from 1, and the properties of its class.

    Two complete grids are equivalent exactly if their numbers are equal; number and `transform`
    determine the grid. A puzzle with one solution has the number of its solution, and `carried`
    distinguishes it from other puzzles of that grid.
    """
    (cells,) = boards(position, 1)
    if position.shape != NINE:
        raise BadPosition("Only 9×9 grids have numbers.", "$.position.box")
    grid = yield from solution_of(position, cells)
    found = yield from numbers()
    least, maps = minlex.minlex_maps(grid)
    carried, there = min(
        ((apply(t, cells), t) for t in maps), key=lambda one: (one[0], _rank_back(one[1]))
    )
    value = found.of(least)
    chutes = found.chutes_of(grid)
    puzzle = grid != cells
    name = names.letters(value, names.NUMBER)
    whole = f"{name}-{_givens(carried)}" if puzzle else name
    return Numbered(
        value, GRIDS, sorted(chutes), len(maps), name,
        f"{whole}-{names.letters(_rank_back(there), names.TRANSFORM)}", whole,
        write_cells(least), there, chutes,
        min(range(3), key=chutes.__getitem__), min(range(3), key=chutes[3:].__getitem__),
        _orders(maps), names.TRANSFORMS // len(maps), CLASSES[len(maps)],
        write_cells(carried) if puzzle else "", not_compared=names_of(position.constraints),
    )  # fmt: skip


def solution_of(position: Position, cells: Cells) -> Job[Cells]:
    """The grid itself, or a puzzle's only solution. Raises `BadPosition` if there is none."""
    if is_complete(cells):
        return cells
    solved = yield from solutions(cells, position.shape)
    if solved.number != 1:
        why = "no solution" if solved.number == 0 else "several solutions"
        plain = "As plain sudoku this board" if position.constraints else "This board"
        raise BadPosition(f"{plain} has {why}; the question is about one.", "$.position.grids")
    rules = of_board(position.constraints, 0)
    broken = "" if any(one.kind == "regions" for one in rules) else violation(
        solved.found[0], rules, position.shape
    )  # fmt: skip
    if broken:
        raise BadPosition(
            f"This board has no solution: its only one as plain sudoku breaks a rule. {broken}",
            "$.position.grids",
        )
    return solved.found[0]


def _rank_back(t: Transform) -> int:
    """The rank among all transforms of the one from the least grid to the board."""
    return names.index_of(inverse(t))


def _givens(carried: Cells) -> str:
    """The givens as a bit mask in letters, the first cell the highest bit."""
    mask = int("".join("1" if d else "0" for d in carried), 2)
    return names.letters(mask, names.GIVENS)


def _orders(maps: Iterable[Transform]) -> dict[int, int]:
    """The number of automorphisms of each order, ascending, from all maps to the minlex form."""
    first, *others = maps
    counts = Counter([1])
    for t in others:
        one = between(first, t)
        power, order = one, 1
        while power != identity(9):
            power, order = compose(power, one), order + 1
        counts[order] += 1
    return dict(sorted(counts.items()))


def grid(position: Position, options: GridOptions) -> Job[GridOfNumber]:
    """The minlex grid of a number, 9×9, or the board of an address; the position is ignored.

    Raises `BadOption` for a number that no grid has, and for an invalid address.
    """
    address = _address(options)
    value, whole = address.number, address.givens is None and address.transform is None
    count = options.count if whole else 1
    found = yield from numbers()
    grids = found.grids(value, count)
    while len(grids) < count and value + len(grids) <= GRIDS:
        yield Progress(len(grids), count, "grids")
        grids += found.grids(value + len(grids), count - len(grids))
    texts = [write_cells(address.of(cells)) for cells in grids]
    return GridOfNumber(texts[0], value, GRIDS, names.letters(value, names.NUMBER), texts)


def from_name(name: str) -> Position:
    """The position with the board of an address: what `#/sudoku/rspzfgc` opens."""
    found = finish(grid(Position(), GridOptions(code=name)))
    return Position(grids=(found.grid,))


def _address(options: GridOptions) -> Address:
    if options.number is None and not options.code:
        return Address(random.Random(options.seed).randrange(GRIDS) + 1)
    where = "$.options.code" if options.number is None else "$.options.number"
    found = read_address(options.code) if options.number is None else Address(options.number)
    if found is None:
        raise BadOption(FORM, where)
    problem = out_of_range(found.number)
    if problem:
        raise BadOption(problem, where)
    return found
