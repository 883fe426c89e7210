"""Properties of a grid: the verbs `views`, the equivalent grids that obey one more rule, and
`unavoidable`, the unavoidable sets of four and six cells.

A set of cells of a complete grid is unavoidable if it can be filled differently with all other
cells unchanged, so that every puzzle of the grid has a given in it; it is minimal if no proper
subset is unavoidable. Every symbol in such a set occurs at least twice, so there are three kinds of
minimal sets with at most six cells:

 - two symbols: a connected component of their cells, where cells of one row, column or box with
   different symbols are neighbours. Four cells are a rectangle, six a cycle of three rows or
   columns;
 - three symbols in two rows of one band, in the same three columns; likewise columns of a stack;
 - three symbols in two rows of different bands, in the same three columns of one stack; likewise
   columns of different stacks.

Six cells with three symbols in three rows and three columns are impossible: the two symbols of each
row, and of each column, would have to be exchanged, and the third symbol would meet itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import chain, combinations
from typing import Literal, NamedTuple

from cluewise.core.desk import NoOptions
from cluewise.core.work import Job, Progress
from cluewise.desks.sudoku.constraints import Constraint, names_of
from cluewise.desks.sudoku.houses import houses_of_cells, pairs
from cluewise.desks.sudoku.position import (
    NINE,
    Cells,
    Position,
    Shape,
    boards,
    is_complete,
    write_cells,
)
from cluewise.desks.sudoku.results import UnavoidableSets, View, Views
from cluewise.desks.sudoku.transform import Transform, from_map, transposed
from cluewise.desks.sudoku.verbs.number import solution_of
from cluewise.errors import BadPosition, TooLarge
from cluewise.kernel import kernel
from cluewise.kernel.layouts import SUDOKU

CELLS, MAP = SUDOKU.CELLS, SUDOKU.MAP
Kind = Literal["diagonals", "windows", "disjoint", "antiknight", "antiking"]
# The number of standard cell maps that preserve each rule: so many views are one way.
KEPT_BY: dict[Kind, int] = {
    "diagonals": 96, "windows": 128, "disjoint": 2592, "antiknight": 8, "antiking": 8,
}  # fmt: skip


class Redrawn(NamedTuple):
    """The number of cell maps to grids that obey a rule, the least such grid, and its transform."""

    found: int
    least: Cells
    transform: Transform


@lru_cache
def _differing(kind: Kind) -> bytes:
    """The pairs of cells that differ only because of a rule, in the kernel's format."""
    new = pairs([Constraint(kind)], *NINE).keys() - pairs((), *NINE).keys()
    by_column = (sorted(pair, key=lambda cell: cell % 9) for pair in new)
    return bytes(chain(*sorted(by_column, key=lambda pair: pair[1] % 9)))


def redraw(grid: Cells, kind: Kind) -> Redrawn:
    """The views of a complete 9×9 grid that obey a rule; `least` is undefined if none does."""
    differing = _differing(kind)
    with kernel().frame() as frame:
        best, at = frame.reserve(CELLS), frame.reserve(MAP)
        count = frame.call(
            "sudoku_views", grid=frame.put(grid), pairs=frame.put(differing),
            count=len(differing) // 2, best=best, map=at,
        )  # fmt: skip
        transform = from_map(frame.get(at, "B", MAP).tobytes(), 9)
        return Redrawn(count, frame.get(best, "B", CELLS).tobytes(), transform)


def views(position: Position, options: NoOptions) -> Job[Views]:
    """`{"views": [{"kind": "diagonals", "ways": 3, …}, …]}`.

    A view is the image under one of the 3 359 232 cell maps; views that differ by a map that
    preserves the rule are one way. Raises `BadPosition` unless there is one complete 9×9 grid.
    """
    (grid,) = boards(position, 1)
    if position.shape != NINE:
        raise BadPosition("Only 9×9 grids are redrawn.", "$.position.box")
    if not is_complete(grid):
        raise BadPosition("This question is about a complete grid.", "$.position.grids[0]")
    found = []
    for n, (kind, kept_by) in enumerate(KEPT_BY.items()):
        yield Progress(n, len(KEPT_BY), "views")
        one = redraw(grid, kind)
        ways, rest = divmod(one.found, kept_by)
        assert not rest, "the views of one way are as many as the maps that keep the rule"
        if ways:
            found.append(View(kind, ways, write_cells(one.least), one.transform))
        else:
            found.append(View(kind, 0, None, None))
    return Views(found, not_compared=names_of(position.constraints))


MOST = 6  # cells of a set
_LARGEST = 16  # symbols; larger boards would take a minute in a browser


def unavoidable(position: Position, options: NoOptions) -> Job[UnavoidableSets]:
    """All minimal unavoidable sets of at most six cells, of a grid or of a puzzle's solution.

    Raises `BadPosition` for a puzzle without just one solution, `TooLarge` beyond 16 symbols.
    """
    (cells,) = boards(position, 1)
    if position.shape.size > _LARGEST:
        raise TooLarge(f"Sets of boards larger than {_LARGEST}×{_LARGEST} would take too long.")
    grid = yield from solution_of(position, cells)
    sets = unavoidable_sets(grid, position.shape)
    counts = {size: sum(len(one) == size for one in sets) for size in (4, 6)}
    givens = [] if is_complete(cells) else [sum(cells[i] > 0 for i in one) for one in sets]
    left = names_of(position.constraints)
    return UnavoidableSets(write_cells(grid), sets, counts, givens, not_compared=left)


def unavoidable_sets(grid: Cells, shape: Shape) -> list[list[int]]:
    """All minimal unavoidable sets of at most six cells, the smaller first, each ascending."""
    n = shape.size
    found = {tuple(sorted(cells)) for cells in _of_two(grid, shape)}
    found |= {tuple(sorted(cells)) for cells in _of_three(grid, shape)}
    across = _of_three(transposed(grid, n), Shape(shape.cols, shape.rows))
    found |= {tuple(sorted(i % n * n + i // n for i in cells)) for cells in across}
    return [list(cells) for cells in sorted(found, key=lambda cells: (len(cells), cells))]


def _of_two(grid: Cells, shape: Shape) -> Iterator[list[int]]:
    """The components of each two symbols' cells that have at most six cells."""
    houses = houses_of_cells(*shape)
    for pair in combinations(range(1, shape.size + 1), 2):
        left = {i for i, d in enumerate(grid) if d in pair}
        while left:
            cells = [left.pop()]
            for one in cells:
                near = [i for i in left if grid[i] != grid[one] and houses[i] & houses[one]]
                left.difference_update(near)
                cells += near
            if len(cells) <= MOST:
                yield cells


def _of_three(grid: Cells, shape: Shape) -> Iterator[list[int]]:
    """Two rows with three symbols in the same three columns, in one band or one stack."""
    n = shape.size
    for r, s in combinations(range(n), 2):
        one, two = grid[r * n : r * n + n], grid[s * n : s * n + n]
        for c in range(n):
            d = one.index(two[c])
            e = one.index(two[d])
            if c > min(d, e) or two[e] != one[c] or c == e:
                continue
            in_band = r // shape.rows == s // shape.rows
            if in_band or c // shape.cols == d // shape.cols == e // shape.cols:
                yield [line * n + x for line in (r, s) for x in (c, d, e)]
