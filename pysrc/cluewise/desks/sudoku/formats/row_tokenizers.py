"""The ways in which a line of a drawing can be cut into cells."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from typing import NamedTuple, TypeAlias

from cluewise.desks.sudoku.formats.characters import SIDES

_FRAME = frozenset(" \t|+=-~:.'`*,_<>")
_IGNORED = frozenset(" \t|+=~'\"`[](){}<>:,;/\\!^")
Line: TypeAlias = tuple[int, str]


class Cell(NamedTuple):
    """A cell's text (empty for a blank) and its column in the line, from 1."""

    text: str
    column: int


Row: TypeAlias = list[Cell]
Tokenizer: TypeAlias = Callable[[str], "Row | None"]


def row_tokenizers(lines: list[Line]) -> Iterator[tuple[str, Tokenizer]]:
    """Ways worth trying on these lines, the plainest first, each with words for it."""
    yield "", _characters(dashes=False)
    if any("-" in line and re.search(r"\d", line) for _, line in lines):
        yield "", _characters(dashes=True)
    for mark, name in ((",", "commas"), ("\t", "tabs"), (";", "semicolons"), ("|", "bars")):
        if sum(mark in line for _, line in lines) > 3:
            yield f"cells between {name}", _fields(mark)
    words = [word for _, line in lines for word in line.split()]
    noted = any(_are_notes(word) for word in words)
    # Notes stand among single digits; words of several digits alone are rows or bands of rows.
    if not noted or any(len(word) == 1 and word.isalnum() for word in words):
        yield "notes left out" if noted else "", _tokens
    if any(mark in line for _, line in lines if not is_frame(line) for mark in ".0*_?"):
        return
    for side in sorted({round(n**0.5) for n in SIDES}):
        way = _fixed(side, lines)
        if way:
            yield "blanks are spaces", way


def is_frame(line: str) -> bool:
    """Whether a line only draws, as `+---+---+` and `:-----:` do."""
    drawn = any(mark in line for mark in ("+", "---", "===", "~~~"))
    return drawn and _FRAME.issuperset(line)


def _characters(*, dashes: bool) -> Tokenizer:
    """Each symbol is a cell, spaces and bars mean nothing; `-` is a blank or a part of a frame."""
    ignored = _IGNORED if dashes else _IGNORED | {"-"}

    def read(line: str) -> Row | None:
        frame = is_frame(line)
        if frame and not (dashes and "+" not in line):
            return None
        row = [Cell(c, i) for i, c in enumerate(line, 1) if c not in ignored]
        # A line of dashes alone is a row only if it has a row's length.
        return row if row and (not frame or len(row) ** 2 in SIDES) else None

    return read


def _fields(mark: str) -> Tokenizer:
    """The cells stand between marks; nothing between two of them is a blank."""

    def read(line: str) -> Row | None:
        if is_frame(line) or not line.strip():
            return None
        row, at = [], 1
        for part in line.split(mark):
            text = part.strip().strip("\"'[](){}").strip()
            row.append(Cell(text, at + len(part) - len(part.lstrip())))
            at += len(part) + 1
        if mark == "|" and row[0].text == "":
            row.pop(0)
        if row and row[-1].text == "" and (mark == "|" or len(row) ** 2 not in SIDES):
            row.pop()  # a mark after the last cell
        return row or None

    return read


def _tokens(line: str) -> Row | None:
    """The cells are words or numbers between spaces; several digits of a small board are notes."""
    if is_frame(line):
        return None
    row = [Cell(m[0], m.start() + 1) for m in re.finditer(r"[^\s|+=:,;\"'\[\](){}]+", line)]
    if len(row) < 10:
        row = [Cell("", c.column) if _are_notes(c.text) else c for c in row]
    return row or None


def _are_notes(text: str) -> bool:
    """Whether the text is several digits, in any order, none of them twice."""
    return len(text) > 1 and text.isdecimal() and len(set(text)) == len(text)


def _fixed(side: int, lines: list[Line]) -> Tokenizer | None:
    """Every cell has its own column of the text, a space there is a blank; None if none fits."""
    drawn = [_pieces(line)[1] for _, line in lines if line.strip() and not is_frame(line)]
    counts = Counter(map(len, drawn))
    parts = max(counts, key=lambda n: (counts[n], n), default=0)
    if not parts or side % parts:
        return None
    cells = side // parts
    drawn = [pieces for pieces in drawn if len(pieces) == parts]
    width = max(len(piece) for pieces in drawn for piece in pieces)
    layouts = {cells: (0, 1), 2 * cells - 1: (0, 2), 2 * cells + 1: (1, 2), 3 * cells: (1, 3)}
    if width not in layouts:
        return None
    first, step = layouts[width]
    places = range(first, first + step * cells, step)
    if not any(p[i].isspace() for row in drawn for p in row for i in places if i < len(p.rstrip())):
        return None  # a row that is merely too short is no row with blanks

    def read(line: str) -> Row | None:
        at, pieces = _pieces(line)
        if not line.strip() or is_frame(line) or len(pieces) != parts:
            return None
        row: Row = []
        for piece in pieces:
            if any(not c.isspace() for i, c in enumerate(piece) if i not in places):
                return None
            padded = piece.ljust(width)
            row += [Cell(padded[i].strip(), at + i) for i in places]
            at += len(piece) + 1
        return row

    return read


def _pieces(line: str) -> tuple[int, list[str]]:
    """The column of the first piece between bars, and the pieces."""
    text = line.rstrip()
    start = 1
    if text.lstrip().startswith("|"):
        start += len(text) - len(text.lstrip()) + 1
    return start, text[start - 1 :].removesuffix("|").split("|")
