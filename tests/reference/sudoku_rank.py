"""Slow, obvious twins of the kernel's numbers of bands and of grids."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations, product

Rows = tuple[tuple[int, ...], ...]


def lines() -> Iterator[tuple[int, ...]]:
    """The 1296 orders of nine columns that keep stacks together."""
    for stacks in permutations(range(3)):
        for inner in product(permutations(range(3)), repeat=3):
            yield tuple(3 * s + i for s, order in zip(stacks, inner, strict=True) for i in order)


def least_band(band: Rows) -> Rows:
    """The least of a band's 7776 images, relabelled in order of appearance."""
    best: Rows | None = None
    for columns in lines():
        for order in permutations(range(3)):
            label: dict[int, int] = {}
            for c in columns:
                label[band[order[0]][c]] = len(label) + 1
            image = tuple(tuple(label[band[r][c]] for c in columns) for r in order)
            if best is None or image < best:
                best = image
    assert best is not None
    return best


def completions(grid: list[int], at: int = 36) -> Iterator[bytes]:
    """All grids that begin with these four rows, rows 5 < 6 and 7 < 8 < 9 by their first cell."""
    if at == 81:
        yield bytes(grid)
        return
    row, col = divmod(at, 9)
    taken = {grid[9 * row + c] for c in range(col)} | {grid[9 * r + col] for r in range(row)}
    top, left = row // 3 * 3, col // 3 * 3
    taken |= {grid[9 * r + c] for r in range(top, row) for c in range(left, left + 3)}
    least = grid[at - 9] + 1 if col == 0 and row in (5, 7, 8) else 1
    for digit in range(least, 10):
        if digit not in taken:
            grid[at] = digit
            yield from completions(grid, at + 1)
    grid[at] = 0
