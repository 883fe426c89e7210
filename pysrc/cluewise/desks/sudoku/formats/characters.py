"""Characters of boards in foreign text: normalisation, blanks, and detection of the alphabet.

A board's cells are read as texts first (`"7"`, `"12"`, `"G"`, `""` for a blank) and become symbols
once its size is known, because the value of a letter depends on the others: 16×16 boards are
written 1–9 and A–G, 0–9 and A–F, A–P, or in numbers.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable

from cluewise.desks.sudoku.position import SYMBOLS, WITHOUT_BOXES
from cluewise.errors import BadNotation

# Cells of a board by its number of cells; the commonest box of that size.
LINK_SIDES = {(rows * cols) ** 2: (rows, cols) for rows, cols in WITHOUT_BOXES}
SIDES = {16: (2, 2), 36: (2, 3), 64: (2, 4), 81: (3, 3), 100: (2, 5), 144: (3, 4), 225: (3, 5),
         256: (4, 4), 324: (3, 6), 400: (4, 5), 576: (4, 6), 625: (5, 5), 900: (5, 6),
         1296: (6, 6)}  # fmt: skip
BLANKS = frozenset(".0*_?xX-")
_UNSEEN = re.compile("[\ufeff\u200b-\u200f\u2060\ufe0e\ufe0f\u20e3\x00\ufffd]")
_VERTICAL = "│┃║╎╏┆┇┊┋｜¦╽╿"
_HORIZONTAL = "─━═╌╍┄┅┈┉╼╾"
_DOTS = "·•∙⋅●○◦□■▢▣⬜⬛◻◼▪▫"


def sides_of(size: int) -> tuple[int, int]:
    """Rows and columns of a box of a board with that many symbols."""
    return (SIDES | LINK_SIDES)[size * size]


def symbol_error(value: object, at: int, size: int) -> BadNotation:
    """The error of a link that has no symbol of its board in a cell."""
    place = f"row {at // size + 1}, column {at % size + 1}"
    shown = repr(value)[:40]
    return BadNotation(f"The link has {shown} in {place} of a board of {size} symbols.")


def tidy(text: str) -> list[str]:
    """The lines of a text with plain characters: `tidy("5│３\\r\\n") == ["5|3"]`.

    Box drawing becomes `|`, `=` and `+`, dots and squares become `.`, digits of other scripts 0–9;
    invisible characters (a byte order mark) are removed, so that columns count visible ones.
    """
    text = _UNSEEN.sub("", text)
    odd = {ord(c): _plain(c) for c in set(text) if ord(c) > 126}
    return text.translate(odd).splitlines()


def _plain(c: str) -> str:
    if "\u2500" <= c <= "\u257f" or c in _VERTICAL:
        return "|" if c in _VERTICAL else "=" if c in _HORIZONTAL else "+"
    if c in _DOTS:
        return "."
    if c in "\u2010\u2011\u2012\u2013\u2014\u2212":
        return "-"
    if "\uff01" <= c <= "\uff5e":
        return chr(ord(c) - 0xFEE0)
    if c.isdecimal():
        return str(int(c))
    return " " if c.isspace() and c not in "\x85\u2028\u2029" else c


def is_blank(text: str, side: int) -> bool:
    """Whether a cell's text is a blank; `x` is one unless the board has it as a symbol."""
    return text in BLANKS and not (text in "xX" and side > 32) if text else True


def find_alphabet(cells: Iterable[str], side: int) -> tuple[Callable[[str], int | None], str]:
    """The alphabet of a board: a function from a cell's text to its value (0 for a blank, None for
    no symbol), and a remark about it.

    >>> value, remark = find_alphabet(["0", "F", "."], 16)
    >>> value("0"), value("F"), value("."), remark
    (1, 16, 0, 'symbols 0 to F')
    """
    count = Counter(cells)
    plain = {text for text in count if not is_blank(text, side)}
    if any(len(text) > 1 and text.isdecimal() for text in plain):
        return lambda text: _number(text, side), "numbers"
    letters = {text.upper() for text in plain if text.isalpha() and text.isascii()}
    symbols, remark = _DIGITS[1 : side + 1], ""
    cases: tuple[Callable[[str], str], ...] = (str.lower, str.upper)
    if _counts_from_zero(count, letters, side):
        symbols, remark = _DIGITS[:side], f"symbols 0 to {_DIGITS[side - 1]}"
    elif _letters_alone(plain, letters, side):
        symbols, remark = _DIGITS[10 : 10 + side], f"letters A to {chr(64 + side)}"
    elif side > 35:  # capitals come after small letters
        symbols, cases = SYMBOLS[:side], (str,)
    values: dict[str, int] = {text: 0 for text in ("", *BLANKS) if is_blank(text, side)}
    for case in cases:
        values |= {case(symbol): value for value, symbol in enumerate(symbols, 1)}
    return values.get, remark


def _counts_from_zero(count: Counter[str], letters: set[str], side: int) -> bool:
    """Whether the symbols are 0 to F or the like."""
    if not 10 < side <= len(_DIGITS) or not count["0"] or not letters:
        return False
    # 0 is a symbol if it is as rare as one, or if blanks have another character.
    rare = count["0"] * side <= count.total()
    is_symbol = rare or any(count[mark] for mark in _BLANKS)
    return is_symbol and all(text <= _DIGITS[side - 1] for text in letters)


_DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_BLANKS = (".", "-", "*", "_", "?", "")


def _letters_alone(plain: set[str], letters: set[str], side: int) -> bool:
    """Whether a board is written in A, B, C … and nothing else."""
    fit = all(len(text) == 1 and ord(text) - 64 <= side <= 26 for text in letters)
    return bool(letters) and fit and not any(text.isdecimal() for text in plain)


def _number(text: str, side: int) -> int | None:
    if is_blank(text, side):
        return 0
    return int(text) if text.isdecimal() and len(text) < 4 and int(text) <= side else None
