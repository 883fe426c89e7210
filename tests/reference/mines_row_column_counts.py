"""Grids of which only the counts of rows and columns are known, row by row."""

from functools import cache
from itertools import combinations


def layouts_of(rows: tuple[int, ...], columns: tuple[int, ...]) -> int:
    """How many grids have those counts."""
    return _filled(rows, tuple(sorted(columns)))


def with_mine(rows: tuple[int, ...], columns: tuple[int, ...], row: int, column: int) -> int:
    """In how many of them that cell is a mine."""
    rest = rows[:row] + rows[row + 1 :]
    return sum(
        layouts_of(rest, _less(columns, chosen))
        for chosen in combinations(range(len(columns)), rows[row])
        if column in chosen
    )


@cache
def _filled(rows: tuple[int, ...], columns: tuple[int, ...]) -> int:
    if min(columns, default=0) < 0:
        return 0
    if not rows:
        return int(not any(columns))
    return sum(
        _filled(rows[1:], tuple(sorted(_less(columns, chosen))))
        for chosen in combinations(range(len(columns)), rows[0])
    )


def _less(columns: tuple[int, ...], chosen: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(need - (x in chosen) for x, need in enumerate(columns))
