"""Ranks and addresses of grids in text: `5472730538`, `5 472 730 538`, `rspzfgc`.

>>> letters(5472730538, 7), value_of("rspzfgc")
('rspzfgc', 5472730538)

An address may have a set of givens and a transform after the rank, each a number in base 26.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import permutations
from math import factorial
from typing import NamedTuple

from cluewise.core.work import finish
from cluewise.desks.sudoku.engine.grid_rank import GRIDS, numbers
from cluewise.desks.sudoku.formats.strings import is_heading
from cluewise.desks.sudoku.position import NINE, Cells, write_cells
from cluewise.desks.sudoku.transform import Transform, apply

FORM = (
    "A grid's number has digits, or seven letters; an address goes on with 18 letters for "
    "a puzzle's givens, nine for where it is taken, or both, each after a hyphen."
)
_DIGITS = re.compile(r"[1-9](?:\d{0,9}|\d{0,2}(?:[ ,]\d{3}){1,3})")
_LETTERS = re.compile(r"[a-z]{7}|[A-Z]{7}|[A-Za-z]{7}-[A-Za-z]+(?:-[A-Za-z]+)?")
_REMARK_DIGITS = 3  # longest numbers that are remarks, unless they are the whole text
_ROW_DIGITS = 8  # longest numbers that may be rows of small boards or counts of boards
_ALPHABET = "abcdefghijklmnopqrstuvwxyz"
LINES = 1296  # orders of nine lines that keep bands together: 6 of the bands, 6 in each
TRANSFORMS = 2 * LINES**2 * factorial(9)  # 1 218 998 108 160, in 41 bits
_ORDERS = list(permutations(range(3)))
NUMBER, GIVENS, TRANSFORM = 7, 18, 9  # letters: 26^7 > all grids, 26^18 > 2^81, 26^9 > TRANSFORMS


class Address(NamedTuple):
    """A grid's number, its givens as a bit mask (None: all), and a transform of the board."""

    number: int
    givens: int | None = None
    transform: Transform | None = None

    def of(self, cells: Cells) -> Cells:
        """The board, from the minlex grid of the number."""
        if self.givens is not None:
            shown = f"{self.givens:0{NINE.cells}b}"
            cells = bytes(d if bit == "1" else 0 for d, bit in zip(cells, shown, strict=True))
        return cells if self.transform is None else apply(self.transform, cells)


class Named(NamedTuple):
    """The board that a line names, or the error; the column counts from 1.

    `ambiguous` if the line can be a row of a drawn board as well.
    """

    board: str
    column: int
    problem: str
    ambiguous: bool = False


def read_address(text: str) -> Address | None:
    """The address that digits, seven letters or a full address state; None for other texts.

    >>> read_address("RSPZFGC").number == read_address("5 472 730 538").number == 5472730538
    True
    """
    plain = "".join(text.split()).replace(",", "").lower()
    if plain.isdecimal():
        return Address(int(plain[:20]))
    name, *parts = plain.split("-")
    known = [[], [GIVENS], [TRANSFORM], [GIVENS, TRANSFORM]]
    if len(name) != NUMBER or [len(part) for part in parts] not in known:
        return None
    try:
        values = {len(part): value_of(part) for part in parts}
        number = value_of(name)
    except ValueError:
        return None
    givens, place = values.get(GIVENS), values.get(TRANSFORM)
    if (givens or 0) >> NINE.cells or (place or 0) >= TRANSFORMS:
        return None
    return Address(number, givens, None if place is None else transform_of(place))


def out_of_range(number: int) -> str:
    """Return the error of a number that no grid has; empty if one has it."""
    if 1 <= number <= GRIDS:
        return ""
    last, shown = (f"{n:,}".replace(",", "\u00a0") for n in (GRIDS, number))
    return f"Grids have the numbers 1 to {last}, not {shown}."


def looks_like_name(line: str) -> bool:
    """Return whether a line is nothing but digits or letters in the form of a number or address."""
    text = line.strip()
    return bool(_DIGITS.fullmatch(text) or (_LETTERS.fullmatch(text) and not is_heading(text)))


def read_name(line: str, *, alone: bool) -> Named | None:
    """Return the 9×9 board of a line that is a grid's number or an address; None if it is neither.

    Unless the line is the whole text (`alone`), a number that can also be a row of a drawn board
    or a count of boards is no board but a problem that gives the address to write for it.
    """
    if not looks_like_name(line):
        return None
    text = line.strip()
    digits = text[0].isdecimal()
    if digits and len(text) <= _REMARK_DIGITS and not alone:
        return None
    column = len(line) - len(line.lstrip()) + 1
    address = read_address(text)
    problem = out_of_range(address.number) if address else f"“{text}” is no address. {FORM}"
    if address and not problem and digits and not alone and _can_be_row(text):
        name = letters(address.number, NUMBER)
        problem = (
            f"“{text}” can be a row of a board, a count of boards or a grid's number. "
            f"For the grid of that number, write its address: {name}."
        )
        return Named("", column, problem, ambiguous=True)
    if problem or not address:
        return Named("", column, problem, ambiguous=digits and _can_be_row(text))
    cells = finish(numbers()).grids(address.number)[0]
    return Named(write_cells(address.of(cells)), column, "")


def _can_be_row(text: str) -> bool:
    """Whether the digits are few, or no digit but 0 is repeated."""
    plain = re.sub(r"\D", "", text)
    given = plain.replace("0", "")
    return len(plain) <= _ROW_DIGITS or len(set(given)) == len(given)


def letters(value: int, count: int) -> str:
    """A number in base 26 with `count` letters, the highest first."""
    text = ""
    for _ in range(count):
        value, rest = divmod(value, len(_ALPHABET))
        text = _ALPHABET[rest] + text
    return text


def value_of(text: str) -> int:
    """The number of letters a to z in base 26. Raises `ValueError` for other characters."""
    value = 0
    for c in text:
        value = value * len(_ALPHABET) + _ALPHABET.index(c)
    return value


def index_of(t: Transform) -> int:
    """The rank of a 9×9 transform: transposition, rows, columns, symbols (mixed radix)."""
    rank = 0
    left = list(range(1, 10))
    for d in t.digits[1:]:
        rank = rank * len(left) + left.index(d)
        left.remove(d)
    lines = t.transpose * LINES + _index_of_line(t.rows)
    return (lines * LINES + _index_of_line(t.cols)) * factorial(9) + rank


def transform_of(index: int) -> Transform:
    """The transform of a rank from 0 to TRANSFORMS - 1: the inverse of `index_of`."""
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
