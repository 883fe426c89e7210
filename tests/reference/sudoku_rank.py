"""Slow, obvious twins of the kernel's numbers of bands and of grids."""

from collections.abc import Iterator
from itertools import permutations

import numpy as np

from reference.sudoku import line_orders


def least_band(band: bytes) -> tuple[bytes, int]:
    """The least of a band's 7776 images, relabelled in order of appearance; how many give it."""
    rows, columns = np.frombuffer(band, np.uint8).reshape(3, 9), line_orders()
    every: list[bytes] = []
    for order in permutations(range(3)):
        image = rows[list(order)][:, columns].transpose(1, 0, 2)
        label = np.argsort(image[:, 0], axis=1) + 1  # of the digits in ascending order
        digits = np.searchsorted(np.sort(rows[0]), image).reshape(len(columns), 27)
        every += map(bytes, np.take_along_axis(label, digits, 1).astype(np.uint8))
    return min(every), every.count(min(every))


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
