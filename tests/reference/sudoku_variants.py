"""Slow, obvious variants: symmetries by placing cell after cell, least forms by trying all."""

from collections.abc import Iterator, Sequence
from itertools import combinations, permutations

import numpy as np

Pairs = frozenset[frozenset[int]]


def differing(
    rows: int, cols: int, extra: Sequence[Sequence[int]] = (), apart: Sequence[tuple[int, int]] = ()
) -> Pairs:
    """Pairs of cells that differ: rows, columns, boxes, extra houses, cells so far `apart`."""
    n = rows * cols
    found = set()
    for a, b in combinations(range(n * n), 2):
        (r, c), (x, y) = divmod(a, n), divmod(b, n)
        same_box = r // rows == x // rows and c // cols == y // cols
        together = any(a in house and b in house for house in extra)
        steps = (abs(r - x), abs(c - y))
        if r == x or c == y or same_box or together or steps in apart or steps[::-1] in apart:
            found.add(frozenset((a, b)))
    return frozenset(found)


def houses_in_span(stated: Sequence[Sequence[int]], n: int) -> list[tuple[int, ...]]:
    """Every set of n cells whose 0/1 vector is a linear combination of the stated houses'."""
    subsets = list(combinations(range(n * n), n))
    rows = np.zeros((len(subsets), len(stated) + 1, n * n))
    for i, house in enumerate(stated):
        rows[:, i, list(house)] = 1
    rank = np.linalg.matrix_rank(rows[0])
    for matrix, cells in zip(rows, subsets, strict=True):
        matrix[-1, list(cells)] = 1
    return [
        cells for cells, r in zip(subsets, np.linalg.matrix_rank(rows), strict=True) if r == rank
    ]


def cell_maps(pairs: Pairs, cells: int) -> Iterator[tuple[int, ...]]:
    """Every map of cells that takes differing pairs to differing pairs, and only those."""
    differ = [[frozenset((a, b)) in pairs for b in range(cells)] for a in range(cells)]

    def extend(images: list[int]) -> Iterator[tuple[int, ...]]:
        at = len(images)
        if at == cells:
            yield tuple(images)
            return
        for image in range(cells):
            if image not in images and differ[at][:at] == [differ[image][q] for q in images]:
                yield from extend([*images, image])

    yield from extend([])


def grids(pairs: Pairs, n: int) -> Iterator[bytes]:
    """Every complete board whose differing pairs differ."""

    def extend(board: list[int]) -> Iterator[bytes]:
        at = len(board)
        if at == n * n:
            yield bytes(board)
            return
        for d in range(1, n + 1):
            if all(board[p] != d or frozenset((p, at)) not in pairs for p in range(at)):
                yield from extend([*board, d])

    yield from extend([])


def least(board: bytes, maps: Sequence[tuple[int, ...]]) -> tuple[bytes, int]:
    """The least string over the maps, symbols renamed as they appear; how many maps attain it."""
    found = [_renamed(bytes(board[i] for i in way)) for way in maps]
    best = min(found)
    return best, found.count(best)


def least_over_names(
    board: bytes, maps: Sequence[tuple[int, ...]], names: Sequence[tuple[int, ...]]
) -> bytes:
    """The least string over the maps, and over the renamings that are given."""
    return min(bytes(name[board[i]] for i in way) for way in maps for name in names)


def all_names(n: int) -> list[tuple[int, ...]]:
    """Every renaming of n symbols; the blank stays."""
    return [(0, *rest) for rest in permutations(range(1, n + 1))]


def _renamed(board: bytes) -> bytes:
    names = {0: 0}
    for d in board:
        if d:
            names.setdefault(d, len(names))
    return bytes(names[d] for d in board)


def carried(puzzle: bytes, solution: bytes, maps: Sequence[tuple[int, ...]]) -> bytes:
    """The least puzzle among all maps, with renaming, that take its solution to the least form."""
    best = least(solution, maps)[0]
    found = []
    for way in maps:
        names = {solution[i]: best[target] for target, i in enumerate(way)}
        if bytes(names[solution[i]] for i in way) == best:
            found.append(bytes(names.get(puzzle[i], 0) for i in way))
    return min(found)
