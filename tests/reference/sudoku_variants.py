"""Slow, obvious variants: each constraint a plain test of a complete board; all maps tried."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, pairwise, permutations
from typing import Any

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


def holds(board: Sequence[int], rules: Sequence[Any], rows: int, cols: int) -> bool:
    """Whether a complete board obeys the constraints and sudoku's own rules."""
    n = rows * cols
    boxes = [i // n // rows * rows + i % n // cols for i in range(n * n)]
    regions = next((list(one.cells) for one in rules if one.kind == "regions"), boxes)
    houses = [
        [i for i in range(n * n) if number(i) == k]
        for number in (lambda i: i // n, lambda i: i % n, regions.__getitem__)
        for k in set(map(number, range(n * n)))
    ]
    if any(len({board[i] for i in house}) < n for house in houses):
        return False
    return all(_holds(board, one, rules, regions, rows, cols) for one in rules)


def _steps(n: int, *lengths: tuple[int, int]) -> Iterator[tuple[int, int]]:
    """Pairs of cells so many rows and columns apart."""
    for a, b in combinations(range(n * n), 2):
        apart = (abs(a // n - b // n), abs(a % n - b % n))
        if apart in lengths or apart[::-1] in lengths:
            yield a, b


def _holds(
    board: Sequence[int], one: Any, rules: Sequence[Any], regions: list[int], rows: int, cols: int
) -> bool:
    n, kind, line = rows * cols, one.kind, range(rows * cols)
    if kind in ("diagonals", "diagonal", "antidiagonal"):
        falling, rising = ({board[i * n + (i, n - 1 - i)[k]] for i in line} for k in (0, 1))
        return (kind == "antidiagonal" or len(falling) == n) and (
            kind == "diagonal" or len(rising) == n
        )
    if kind == "windows":
        corners = [
            (r, c) for r in range(1, n - rows, rows + 1) for c in range(1, n - rows, rows + 1)
        ]
        return all(
            len({board[(r + i) * n + c + k] for i in range(rows) for k in range(rows)}) == n
            for r, c in corners
        )
    if kind == "disjoint":
        places = [i // n % rows * cols + i % n % cols for i in range(n * n)]
        return all(len({board[i] for i in range(n * n) if places[i] == p}) == n for p in line)
    if kind in ("antiknight", "antiking"):
        moves = [(1, 2)] if kind == "antiknight" else [(1, 1)]
        return all(board[a] != board[b] for a, b in _steps(n, *moves))
    if kind in ("nonconsecutive", "negative"):
        return _unmarked(board, one, rules, n)
    return _holds_in_cells(board, one, rules, regions, n)


def _holds_in_cells(
    board: Sequence[int], one: Any, rules: Sequence[Any], regions: list[int], n: int
) -> bool:
    """Kinds that have cells."""
    kind, v = one.kind, [board[i] for i in one.cells]
    if kind in ("minimum", "maximum"):
        marked = {i for other in rules if other.kind == kind for i in other.cells}
        sign = 1 if kind == "minimum" else -1
        return all(
            sign * board[a] < sign * board[b]
            for pair in _steps(n, (0, 1)) for a, b in (pair, pair[::-1])
            if a in one.cells and b not in marked
        )  # fmt: skip
    if kind in ("rowindex", "columnindex"):
        for i in one.cells:
            row, col = divmod(i, n)
            other = row * n + board[i] - 1 if kind == "columnindex" else (board[i] - 1) * n + col
            if board[other] != (col if kind == "columnindex" else row) + 1:
                return False
        return True
    if kind == "regionsum":
        sums = [0]
        for k, i in enumerate(one.cells):
            if k and regions[i] != regions[one.cells[k - 1]]:
                sums.append(0)
            sums[-1] += board[i]
        return len(set(sums)) == 1
    if kind == "arrow":
        return bool(int("0" + "".join(map(str, v[: one.head]))) == sum(v[one.head :]))
    if kind == "zipper":
        half = len(v) // 2
        middle = v[half] if len(v) % 2 else v[half - 1] + v[half]
        return all(v[i] + v[-1 - i] == middle for i in range(half))
    return _holds_alone(v, one, n)


def _holds_alone(v: list[int], one: Any, n: int) -> bool:
    """Kinds whose own symbols decide."""
    different = len(set(v)) == len(v)
    tests: dict[str, Callable[[], Any]] = {
        "regions": lambda: True,
        "house": lambda: different,
        "killer": lambda: different and one.sum in (None, sum(v)),
        "little": lambda: one.sum in (None, sum(v)),
        "thermometer": lambda: all(a < b for a, b in pairwise(v)),
        "slow": lambda: all(a <= b for a, b in pairwise(v)),
        "palindrome": lambda: v == v[::-1],
        "clone": lambda: v[: len(v) // 2] == v[len(v) // 2 :],
        "renban": lambda: different and max(v) - min(v) == len(v) - 1,
        "whispers": lambda: all(abs(a - b) >= (one.value or (n + 1) // 2) for a, b in pairwise(v)),
        "entropic": lambda: all(
            len({_third(x, n) for x in part}) == len(part)
            for part in (v[i : i + 3] for i in range(max(1, len(v) - 2)))
        ),
        "between": lambda: all(min(v[0], v[-1]) < x < max(v[0], v[-1]) for x in v[1:-1]),
        "ratio": lambda: v[0] == v[1] * (one.value or 2) or v[1] == v[0] * (one.value or 2),
        "difference": lambda: abs(v[0] - v[1]) == (1 if one.value is None else one.value),
        "xv": lambda: sum(v) == one.value,
        "quadruple": lambda: Counter(one.values) <= Counter(v),
        "even": lambda: not any(x % 2 for x in v),
        "odd": lambda: all(x % 2 for x in v),
        "candidates": lambda: set(v) <= set(one.values),
        "sandwich": lambda: (
            sum(v[min(v.index(1), v.index(n)) + 1 : max(v.index(1), v.index(n))]) == one.sum
        ),
        "xsum": lambda: sum(v[: v[0]]) == one.sum,
        "skyscraper": lambda: sum(x == max(v[: i + 1]) for i, x in enumerate(v)) == one.value,
    }
    return bool(tests[one.kind]())


def _third(symbol: int, n: int) -> str:
    low = {0: n // 3, 1: n // 3, 2: n // 3 + 1}[n % 3]
    return "low" if symbol <= low else "high" if symbol > n - low else "middle"


def _unmarked(board: Sequence[int], one: Any, rules: Sequence[Any], n: int) -> bool:
    kinds = ("xv",) if one.of == "xv" else ("ratio", "difference")
    marked = {frozenset(other.cells) for other in rules if other.kind in kinds}
    ratios = {other.value or 2 for other in rules if other.kind == "ratio"} or {2}
    for a, b in _steps(n, (0, 1)):
        low, high = sorted((board[a], board[b]))
        wrong = {
            "xv": low + high in (5, 10), "ratio": any(high == low * k for k in ratios),
            "": high - low == 1,
        }[one.of]  # fmt: skip
        if wrong and frozenset((a, b)) not in marked:
            return False
    return True
