"""Unavoidable sets by filling grids otherwise: no theory, only completions compared."""

from collections.abc import Iterator
from functools import cache
from itertools import combinations


@cache
def _seen_from(cell: int, rows: int, cols: int) -> list[int]:
    """The cells of a cell's row, column and box."""
    n = rows * cols
    r, c = divmod(cell, n)
    return [
        i
        for i in range(n * n)
        if i // n == r or i % n == c or (i // n // rows, i % n // cols) == (r // rows, c // cols)
    ]


def _completions(
    grid: list[int], open_cells: list[int], rows: int, cols: int
) -> Iterator[list[int]]:
    """All ways to fill the open cells by the rules, the cell with the fewest choices first."""
    if not open_cells:
        yield grid.copy()
        return
    n = rows * cols

    def choices(cell: int) -> list[int]:
        seen = {grid[i] for i in _seen_from(cell, rows, cols)}
        return [d for d in range(1, n + 1) if d not in seen]

    cell = min(open_cells, key=lambda i: len(choices(i)))
    rest = [i for i in open_cells if i != cell]
    for d in choices(cell):
        grid[cell] = d
        yield from _completions(grid, rest, rows, cols)
        grid[cell] = 0


def unavoidable(cells: bytes, rows: int, cols: int, most: int) -> list[list[int]]:
    """Minimal sets of at most `most` cells in which some other grid differs from this one."""
    found: set[frozenset[int]] = set()
    for symbols in combinations(range(1, rows * cols + 1), most // 2):
        open_cells = [i for i, d in enumerate(cells) if d in symbols]
        emptied = [0 if d in symbols else d for d in cells]
        for other in _completions(emptied, open_cells, rows, cols):
            differs = frozenset(i for i, d in enumerate(cells) if other[i] != d)
            if 0 < len(differs) <= most:
                found.add(differs)
    least = [one for one in found if not any(other < one for other in found)]
    return sorted((sorted(one) for one in least), key=lambda one: (len(one), one))
