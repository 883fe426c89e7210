"""Implied houses: 0/1 vectors in the linear span of the stated houses.

>>> from cluewise.core.work import finish
>>> from cluewise.desks.sudoku.constraints import Constraint
>>> from cluewise.desks.sudoku.position import Shape
>>> finish(implied_houses([Constraint("windows")], Shape(2, 2)))
((0, 3, 12, 15), (1, 2, 13, 14), (4, 7, 8, 11))

A house is a set of n cells that holds every symbol once. As 0/1 vectors over the cells, houses
obey linear equations (for every symbol d, the number of d in a house is 1), so a 0/1 vector with n
ones in the linear span of the stated houses is a house of every solution. A vector of the span is
determined by its values on the pivot cells of the reduced basis, each 0 or 1: a depth-first search
over the basis finds all of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from math import lcm
from typing import NamedTuple, TypeAlias

from cluewise.core.work import Job, Progress
from cluewise.desks.sudoku.constraints import Constraint
from cluewise.desks.sudoku.houses import houses
from cluewise.desks.sudoku.position import Shape
from cluewise.errors import TooLarge

Cells: TypeAlias = tuple[int, ...]
_MOST_NODES = 4_000_000
_SLICE = 20_000  # nodes between two progress reports
_MOST_CACHED = 64
_CACHE: dict[tuple[frozenset[Cells], int], tuple[Cells, ...]] = {}


def stated_houses(rules: Iterable[Constraint], shape: Shape) -> set[Cells]:
    """The stated houses, each with its cells ascending: all sets of n cells that must differ."""
    found = (tuple(sorted(house.cells)) for house in houses(rules, *shape))
    return {cells for cells in found if len(cells) == shape.size}


def implied_houses(rules: Iterable[Constraint], shape: Shape) -> Job[tuple[Cells, ...]]:
    """A job: the implied houses that are not stated, ascending.

    Raises `TooLarge` where the search takes more than 4 million nodes (boards above 16×16 with
    houses other than rows, columns and boxes).
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
    """All 0/1 vectors with `size` ones in the span of the stated houses."""
    basis = _integers(_reduced(stated))
    search = _Search.of(basis, size)
    stack = [(0, search.zero)]
    found: set[Cells] = set()
    nodes = 0
    while stack:
        row, vector = stack.pop()
        nodes += 1
        if nodes % _SLICE == 0:
            if nodes > _MOST_NODES:
                raise TooLarge("This board is too large to look for its implied houses.")
            yield Progress(nodes, None, "implied houses")
        if not search.can_end_in_houses(row, vector):
            continue
        if row == len(basis.rows):
            cells = search.house(vector)
            if cells:
                found.add(cells)
            continue
        stack += [(row + 1, vector), (row + 1, vector + search.added[row])]
    return found


class _Basis(NamedTuple):
    """Rows as {cell: coefficient}, all multiplied by `one`, their common denominator."""

    rows: list[dict[int, int]]
    one: int


def _reduced(vectors: Iterable[Cells]) -> list[dict[int, Fraction]]:
    """The reduced row echelon form of 0/1 vectors, given by their ones."""
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
    return [rows[pivot] for pivot in sorted(rows)]


def _subtract(target: dict[int, Fraction], row: dict[int, Fraction], factor: Fraction) -> None:
    if not factor:
        return
    for cell, x in row.items():
        target[cell] = target.get(cell, Fraction(0)) - factor * x
        if not target[cell]:
            del target[cell]


def _integers(rows: list[dict[int, Fraction]]) -> _Basis:
    one = lcm(*(x.denominator for row in rows for x in row.values()))
    return _Basis([{cell: int(x * one) for cell, x in row.items()} for row in rows], one)


class _Search(NamedTuple):
    """A vector as one integer: every cell has a field of `width` bits that holds its value plus a
    bias, so that adding and comparing whole vectors are a few operations on integers.

    `highest[i]` and `lowest[i]` answer whether all cells can still end in 0 to 1 when the rows from
    i on may be added or not; `settled[i]` selects the cells that those rows do not change.
    """

    size: int
    one: int
    width: int
    cells: int
    zero: int
    added: list[int]
    highest: list[int]
    lowest: list[int]
    settled: list[int]

    @classmethod
    def of(cls, basis: _Basis, size: int) -> _Search:
        cells, one = size * size, basis.one
        steps = list(_suffix_bounds(basis.rows, cells))
        least, most = steps[-1]
        width = max(one + h - low for low, h in zip(least, most, strict=True)).bit_length() + 2

        def pack(values: Iterable[int]) -> int:
            return sum(x << width * cell for cell, x in enumerate(values))

        bias = pack([1 << width - 1] * cells)
        steps.reverse()
        return cls(
            size, one, width, cells, bias,
            [pack(row.get(cell, 0) for cell in range(cells)) for row in basis.rows],
            [2 * bias + pack([one] * cells) - pack(low) for low, _ in steps],
            [pack(high) for _, high in steps],
            [pack(one * (low == high == 0) for low, high in zip(*step, strict=True))
             for step in steps],
        )  # fmt: skip

    def can_end_in_houses(self, row: int, vector: int) -> bool:
        """False if a cell must end below 0 or above 1, or if too many cells are 1 already."""
        bias = self.zero
        if (self.highest[row] - vector) & bias != bias or (
            self.lowest[row] + vector
        ) & bias != bias:
            return False
        ones = (vector & self.settled[row]).bit_count()
        return ones <= self.size * self.one.bit_count()

    def house(self, vector: int) -> Cells | None:
        """The cells of a finished vector, None if it is no 0/1 vector with `size` ones."""
        field = (1 << self.width) - 1
        zero = 1 << self.width - 1
        values = [(vector >> self.width * cell & field) - zero for cell in range(self.cells)]
        cells = tuple(cell for cell, value in enumerate(values) if value)
        whole = all(values[cell] == self.one for cell in cells)
        return cells if whole and len(cells) == self.size else None


def _suffix_bounds(
    rows: Sequence[dict[int, int]], cells: int
) -> Iterator[tuple[list[int], list[int]]]:
    """The least and the greatest that the last 0, 1, 2, … rows can add to each cell."""
    least, most = [0] * cells, [0] * cells
    yield least, most
    for row in reversed(rows):
        least = [x + min(row.get(cell, 0), 0) for cell, x in enumerate(least)]
        most = [x + max(row.get(cell, 0), 0) for cell, x in enumerate(most)]
        yield least, most
