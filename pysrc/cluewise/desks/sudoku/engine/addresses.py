"""Transforms and sets of cells as whole numbers, and numbers as letters: parts of an address.

>>> letters(5472730538, 7), value_of("rspzfgc")
('rspzfgc', 5472730538)
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from math import factorial

from cluewise.desks.sudoku.transform import Transform

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
LINES = 1296  # orders of nine lines that keep bands together: 6 of the bands, 6 in each
TRANSFORMS = 2 * LINES**2 * factorial(9)  # 1 218 998 108 160, in 41 bits
_ORDERS = list(permutations(range(3)))
NUMBER, GIVENS, TRANSFORM = 7, 18, 9  # letters: 26^7 > all grids, 26^18 > 2^81, 26^9 > TRANSFORMS


def letters(value: int, count: int) -> str:
    """A number in so many letters, the highest first."""
    text = ""
    for _ in range(count):
        value, rest = divmod(value, len(_LETTERS))
        text = _LETTERS[rest] + text
    return text


def value_of(text: str) -> int:
    """The number that letters stand for. Raises `ValueError` for anything but a to z."""
    value = 0
    for c in text:
        value = value * len(_LETTERS) + _LETTERS.index(c)
    return value


def index_of(t: Transform) -> int:
    """A 9×9 transform's place among all of them: transposition, rows, columns, then symbols."""
    rank = 0
    left = list(range(1, 10))
    for d in t.digits[1:]:
        rank = rank * len(left) + left.index(d)
        left.remove(d)
    lines = t.transpose * LINES + _index_of_line(t.rows)
    return (lines * LINES + _index_of_line(t.cols)) * factorial(9) + rank


def transform_of(index: int) -> Transform:
    """The transform at a place: the inverse of `index_of`, for 0 to TRANSFORMS - 1."""
    lines, rank = divmod(index, factorial(9))
    lines, cols = divmod(lines, LINES)
    transpose, rows = divmod(lines, LINES)
    picks = []
    for size in range(1, 10):
        rank, pick = divmod(rank, size)
        picks.append(pick)
    left = list(range(1, 10))
    digits = [left.pop(pick) for pick in reversed(picks)]
    return Transform(bool(transpose), _line_of(rows), _line_of(cols), (0, *digits))


def _index_of_line(line: Sequence[int]) -> int:
    index = _ORDERS.index((line[0] // 3, line[3] // 3, line[6] // 3))
    for i in (0, 3, 6):
        index = index * 6 + _ORDERS.index((line[i] % 3, line[i + 1] % 3, line[i + 2] % 3))
    return index


def _line_of(index: int) -> tuple[int, ...]:
    parts = []
    for _ in range(4):
        index, part = divmod(index, 6)
        parts.append(_ORDERS[part])
    *inside, blocks = parts
    return tuple(
        3 * block + i for block, inner in zip(blocks, reversed(inside), strict=True) for i in inner
    )
