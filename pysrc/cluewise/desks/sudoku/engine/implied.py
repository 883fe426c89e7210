"""Implied houses: 0/1 vectors in the linear span of the stated houses.

>>> from cluewise.core.work import finish
>>> from cluewise.desks.sudoku.constraints import Constraint
>>> from cluewise.desks.sudoku.position import Shape
>>> finish(implied_houses([Constraint("windows")], Shape(2, 2)))
((0, 3, 12, 15), (1, 2, 13, 14), (4, 7, 8, 11))

A house is a set of n cells that holds every symbol once. As 0/1 vectors over the cells, houses
obey linear equations (for every symbol d, the number of d in a house is 1), so a 0/1 vector with n
ones in the linear span of the stated houses is a house of every solution. A vector of the span is
determined by its values on the pivot cells of the reduced basis, each 0 or 1: the search of the
variant solver finds all of them.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import lcm
from typing import TypeAlias

from cluewise.core.work import Job
from cluewise.desks.sudoku.constraints import Constraint
from cluewise.desks.sudoku.engine.variant_solver import solve_linear
from cluewise.desks.sudoku.houses import houses
from cluewise.desks.sudoku.position import Shape
from cluewise.errors import TooLarge

Cells: TypeAlias = tuple[int, ...]
_MOST_NODES = 400_000
_MOST_CACHED = 64
_CACHE: dict[tuple[frozenset[Cells], int], tuple[Cells, ...]] = {}


def stated_houses(rules: Iterable[Constraint], shape: Shape) -> set[Cells]:
    """The stated houses, each with its cells ascending: all sets of n cells that must differ."""
    found = (tuple(sorted(house.cells)) for house in houses(rules, *shape))
    return {cells for cells in found if len(cells) == shape.size}


def implied_houses(rules: Iterable[Constraint], shape: Shape) -> Job[tuple[Cells, ...]]:
    """A job: the implied houses that are not stated, ascending.

    Raises `TooLarge` where the search takes more than 400 000 nodes, and for boards above 16×16
    with houses other than rows, columns and boxes.
    """
    stated = stated_houses(rules, shape)
    if stated == stated_houses((), shape):
        return ()  # rows, columns and boxes alone imply no other house
    key = frozenset(stated), shape.size
    if key not in _CACHE:
        found = yield from _closure(sorted(stated), shape.size)
        while len(_CACHE) >= _MOST_CACHED:
            del _CACHE[next(iter(_CACHE))]
        _CACHE[key] = tuple(sorted(found - stated))
    return _CACHE[key]


def _closure(stated: Sequence[Cells], size: int) -> Job[set[Cells]]:
    """All 0/1 vectors with `size` ones in the span of the stated houses.

    Unknowns of the search are 1 for a cell outside and 2 for a cell inside. A cell that is no pivot
    is determined by the pivots; the last equation counts the ones.
    """
    rows = _reduced(stated)
    one = lcm(*(x.denominator for row in rows.values() for x in row.values()))
    by_cell: dict[int, dict[int, int]] = {cell: {cell: -one} for cell in range(size * size)}
    ones: dict[int, int] = {}
    for pivot, row in rows.items():
        ones[pivot] = int(sum(row.values()) * one)
        for cell, x in row.items():
            by_cell[cell][pivot] = int(x * one)
    sums = [(terms, sum(terms.values())) for cell, terms in by_cell.items() if cell not in rows]
    sums.append((ones, size * one + sum(ones.values())))
    found = yield from solve_linear(size, array("I", [3] * size * size), sums, _MOST_NODES)
    if found is None:
        raise TooLarge("This board is too large to look for its implied houses.")
    return {tuple(i for i, value in enumerate(board) if value == 2) for board in found.found}


def _reduced(vectors: Iterable[Cells]) -> dict[int, dict[int, Fraction]]:
    """The reduced row echelon form of 0/1 vectors, given by their ones: rows by their pivots."""
    rows: dict[int, dict[int, Fraction]] = {}
    for cells in vectors:
        mine = dict.fromkeys(cells, Fraction(1))
        for pivot in [cell for cell in cells if cell in rows]:
            _subtract(mine, rows[pivot], mine.get(pivot, Fraction(0)))
        if not mine:
            continue
        pivot = min(mine)
        mine = {cell: x / mine[pivot] for cell, x in mine.items()}
        for other in rows.values():
            _subtract(other, mine, other.get(pivot, Fraction(0)))
        rows[pivot] = mine
    return rows


def _subtract(target: dict[int, Fraction], row: dict[int, Fraction], factor: Fraction) -> None:
    if not factor:
        return
    for cell, x in row.items():
        target[cell] = target.get(cell, Fraction(0)) - factor * x
        if not target[cell]:
            del target[cell]
