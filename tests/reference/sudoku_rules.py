"""Every kind of constraint as a plain test of a complete board; nothing of the desk is used."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, pairwise
from typing import Any


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
