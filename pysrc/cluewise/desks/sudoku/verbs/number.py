"""The verb `number`: the place of a grid among all grids that are essentially different."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from cluewise.core.desk import NoOptions
from cluewise.core.work import Job
from cluewise.desks.sudoku.constraints import of_board, words
from cluewise.desks.sudoku.engine import addresses, minlex
from cluewise.desks.sudoku.engine.grid_rank import CLASSES, GRIDS, numbers
from cluewise.desks.sudoku.engine.solver import solutions
from cluewise.desks.sudoku.group_elements import between
from cluewise.desks.sudoku.position import (
    NINE,
    Cells,
    Position,
    boards,
    is_complete,
    write_cells,
)
from cluewise.desks.sudoku.results import Numbered
from cluewise.desks.sudoku.transform import Transform, apply, compose, identity, inverse
from cluewise.desks.sudoku.violations import violation
from cluewise.errors import BadPosition


def number(position: Position, options: NoOptions) -> Job[Numbered]:
    """The grid's rank in minlex order, from 1, and what belongs to its class.

    Two complete grids are the same board in disguise exactly if their numbers are equal; with
    `transform` the number gives the grid itself. A puzzle with one solution has the number of its
    solution, and is distinguished from other puzzles of that grid by `carried`.
    """
    (cells,) = boards(position, 1)
    if position.shape != NINE:
        raise BadPosition("Only 9×9 grids have numbers.", "$.position.box")
    grid = yield from solution_of(position, cells)
    found = yield from numbers()
    least, maps = minlex.minlex_maps(grid)
    carried, there = min(
        ((apply(t, cells), t) for t in maps), key=lambda one: (one[0], _back(one[1]))
    )
    value = found.of(least)
    chutes = found.chutes_of(grid)
    puzzle = grid != cells
    name = addresses.letters(value, addresses.NUMBER)
    whole = f"{name}-{_givens(carried)}" if puzzle else name
    return Numbered(
        value, GRIDS, sorted(chutes), len(maps), name,
        f"{whole}-{addresses.letters(_back(there), addresses.TRANSFORM)}", whole,
        write_cells(least), there, chutes,
        min(range(3), key=chutes.__getitem__), min(range(3), key=chutes[3:].__getitem__),
        _orders(maps), addresses.TRANSFORMS // len(maps), CLASSES[len(maps)],
        write_cells(carried) if puzzle else "", not_compared=words(position.constraints),
    )  # fmt: skip


def solution_of(position: Position, cells: Cells) -> Job[Cells]:
    """The grid itself, or a puzzle's only solution. Raises `BadPosition` where there is no such."""
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


def _back(t: Transform) -> int:
    """The place among all transforms of what leads from the least grid to the board."""
    return addresses.index_of(inverse(t))


def _givens(carried: Cells) -> str:
    """Which cells have a given, the first the highest bit."""
    mask = int("".join("1" if d else "0" for d in carried), 2)
    return addresses.letters(mask, addresses.GIVENS)


def _orders(maps: Iterable[Transform]) -> dict[int, int]:
    """How many automorphisms have which order, ascending; all maps lead to one form."""
    first, *others = maps
    counts = Counter([1])
    for t in others:
        one = between(first, t)
        power, order = one, 1
        while power != identity(9):
            power, order = compose(power, one), order + 1
        counts[order] += 1
    return dict(sorted(counts.items()))
