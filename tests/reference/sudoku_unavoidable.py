"""Unavoidable sets by filling grids otherwise: no theory, only completions compared."""

from itertools import combinations

from reference.sudoku import completions


def unavoidable(cells: bytes, rows: int, cols: int, most: int) -> list[list[int]]:
    """Minimal sets of at most `most` cells in which some other grid differs from this one."""
    found: set[frozenset[int]] = set()
    for symbols in combinations(range(1, rows * cols + 1), most // 2):
        emptied = [0 if d in symbols else d for d in cells]
        for other in completions(emptied, rows, cols):
            differs = frozenset(i for i, d in enumerate(cells) if other[i] != d)
            if 0 < len(differs) <= most:
                found.add(differs)
    least = [one for one in found if not any(other < one for other in found)]
    return sorted((sorted(one) for one in least), key=lambda one: (len(one), one))
