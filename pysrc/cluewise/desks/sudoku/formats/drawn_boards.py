"""Boards drawn over several lines: bare rows, bars and frames, tables with a separator of cells.

A drawing does not state its notation, so every tokenizer of rows (`row_tokenizers`) is tried on the
whole text, and the result with the most readable cells is taken.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

from cluewise.desks.sudoku.constraints import Constraint
from cluewise.desks.sudoku.formats.characters import SIDES, find_alphabet
from cluewise.desks.sudoku.position import SYMBOLS, Shape

COMMENTED = ("#", "//", "%")  # a line of a drawing that begins so is none of its rows
_FRAME = frozenset(" \t|+=-~:.'`*,_<>")
_IGNORED = frozenset(" \t|+=~'\"`[](){}<>:,;/\\!^")
_LABEL = re.compile(r"^(\s*(?:[Rr](?:ow)?\s*)?([A-Za-z]|\d{1,2})(?:\s*[|:).=]\s*|\s+))")
_SHOWN = 30  # characters of a line that a sentence quotes
Line: TypeAlias = tuple[int, str]


class Cell(NamedTuple):
    """A cell's text (empty for a blank) and its column in the line, from 1."""

    text: str
    column: int


Row: TypeAlias = list[Cell]
NumberedRow: TypeAlias = tuple[int, Row]
Tokenizer: TypeAlias = Callable[[str], "Row | None"]


class BoardInText(NamedTuple):
    """A board, its first line, the constraints of its link, and its box if that is stated."""

    line: int
    board: str
    constraints: tuple[Constraint, ...] = ()
    shape: Shape | None = None


class ParseError(NamedTuple):
    """Something that could not be read: `ParseError(3, 80, "80 characters, not 81")`."""

    line: int
    column: int
    why: str


class ParseResult(NamedTuple):
    """The boards of a text in one notation; `cells` counts the cells that were readable."""

    boards: list[BoardInText]
    bad: list[ParseError]
    cells: int
    remark: str = ""
    """How the cells were distinguished."""


NO_BOARDS = ParseResult([], [], 0)


def not_a_row(number: int, line: str, side: int) -> ParseError:
    """The error of a line between the rows of a board."""
    text = f"“{line.strip()[:_SHOWN]}” is no row of a {side}×{side} board."
    return ParseError(number, len(line) - len(line.lstrip()) + 1, text)


def read_rows(lines: list[str], shape: Shape | None) -> ParseResult:
    """The result with the most readable cells, then with the fewest errors."""
    best = NO_BOARDS
    for version in _without_labels(lines):
        for remark, tokenize in row_tokenizers(version):
            rows = [(number, tokenize(line)) for number, line in version]
            found = _Assembly(rows, version, shape).result(remark)
            if remark.endswith("spaces") and (found.bad or not found.boards):
                continue
            best = max(best, found, key=_score)
            if best.boards and not best.bad:
                return best
    return best if best.cells else _wrong_length(lines)


def _score(found: ParseResult) -> tuple[int, int]:
    whole = sum(len(placed.board) for placed in found.boards)
    return found.cells + whole, -len(found.bad)


def _wrong_length(lines: list[str]) -> ParseResult:
    """The error of rows whose length no board has."""
    rows = [(i, len(re.findall(r"[0-9.*_?]", line)), line) for i, line in enumerate(lines, 1)]
    rows = [(i, n, line) for i, n, line in rows if n > 1 and 2 * n > len(line.strip())]
    length, count = Counter(n for _, n, _ in rows).most_common(1)[0] if rows else (0, 0)
    if count < 4 or length > 40 or length**2 in SIDES:
        return NO_BOARDS
    first = next(i for i, n, _ in rows if n == length)
    text = (
        f"Rows of {length} cells make no board: its side is 4, 6, 8, 9, 10, 12, 15, 16, 18, 20, …"
    )
    return ParseResult([], [ParseError(first, 1, text)], 0)


def _without_labels(lines: list[str]) -> Iterator[list[Line]]:
    """The lines with their numbers; then without labels A, B, C or 1, 2, 3 before the rows."""
    plain = [
        (number, re.split(r"\s(?:#|//)", line, maxsplit=1)[0])
        for number, line in enumerate(lines, 1)
        if not line.lstrip().startswith(COMMENTED)
    ]
    yield plain
    for labels in ([chr(65 + i) for i in range(26)], [str(i + 1) for i in range(36)]):
        stripped, count = _strip_labels(labels, plain)
        if count > 3:
            yield stripped


def _strip_labels(labels: list[str], lines: list[Line]) -> tuple[list[Line], int]:
    """The lines without these labels, which count on from line to line, and how many there were."""
    out: list[Line] = []
    count = 0
    for number, line in lines:
        found = _LABEL.match(line)
        if found and count and found[2].upper() == labels[0]:
            out = [(n, "") for n, _ in out]  # what looked like row 1 was the heading above it
            count = 0
        if found and count < len(labels) and found[2].upper() == labels[count]:
            line = " " * len(found[1]) + line[len(found[1]) :]
            count += 1
        elif not count or is_frame(line):
            line = ""
        out.append((number, line))
    return out, count


# -- rows into boards ------------------------------------------------------------------------------


class _Assembly:
    """Boards out of rows. An unreadable row counts, so that the rows below it keep their places."""

    def __init__(
        self, rows: list[tuple[int, Row | None]], lines: list[Line], shape: Shape | None
    ) -> None:
        self._texts = dict(lines)
        self._boards: list[BoardInText] = []
        self._bad: list[ParseError] = []
        self._cells = 0
        self._remark = ""
        self._value: Callable[[str], int | None]
        lengths = Counter(len(row) for _, row in rows if row and len(row) ** 2 in SIDES)
        usual = shape.size if shape else 9
        self._side = max(lengths, key=lambda n: (n * lengths[n], n == usual, n), default=0)
        if self._side:
            self._add_rows(self._unfold(rows))

    def result(self, remark: str) -> ParseResult:
        """The boards; `remark` is about the tokenizer."""
        remarks = ", ".join(filter(None, (remark, self._remark)))
        self._boards.sort(key=lambda placed: placed.line)
        return ParseResult(self._boards, sorted(self._bad), self._cells, remarks)

    def _unfold(self, rows: list[tuple[int, Row | None]]) -> list[tuple[int, Row | None]]:
        """Two boards side by side as one after the other."""
        half, odd = divmod(self._side, 2)
        count = sum(row is not None and len(row) == self._side for _, row in rows)
        if odd or half**2 not in SIDES or count % half or count % self._side == 0:
            return rows
        self._side = half
        left = [(number, row[:half] if row else row) for number, row in rows]
        right = [(n, row[half:]) for n, row in rows if row and len(row) == 2 * half]
        return [*left, (0, None), *right]

    def _add_rows(self, rows: list[tuple[int, Row | None]]) -> None:
        self._remark = self._set_alphabet(
            [(n, row) for n, row in rows if row and len(row) == self._side]
        )
        waiting: list[NumberedRow] = []
        for block in self._blocks(rows):
            if self._is_of_other_size(block):
                usual = self._side, self._value
                self._side = len(block[0][1])
                self._set_alphabet(block)
                self._add_boards(block)
                self._side, self._value = usual
                continue
            if len(waiting) + len(block) > self._side:
                self._add_boards(waiting)
                waiting = []
            waiting += block
            if len(waiting) % self._side == 0:
                self._add_boards(waiting)
                waiting = []
        self._add_boards(waiting)

    def _set_alphabet(self, rows: list[NumberedRow]) -> str:
        texts = [cell.text for _, row in rows for cell in row]
        self._value, remark = find_alphabet(texts, self._side)
        return remark

    def _blocks(self, rows: list[tuple[int, Row | None]]) -> Iterator[list[NumberedRow]]:
        """Rows between empty lines and lines that are no rows at all."""
        block: list[NumberedRow] = []
        for number, row in rows:
            text = self._texts.get(number, "")
            if row is not None and self._is_row(row):
                block.append((number, row))
                continue
            if row is not None:
                self._bad.append(not_a_row(number, text, self._side))
            if block and (row is not None or not text.strip()):
                yield block
                block = []
        if block:
            yield block

    def _is_row(self, row: Row) -> bool:
        """Whether a line is meant as a row: about as long as one, and mostly of symbols."""
        good = sum(self._value(c.text) is not None for c in row)
        if len(row) ** 2 in SIDES and good == len(row):
            return True
        return self._side <= 2 * len(row) and len(row) < 2 * self._side and 3 * good >= 2 * len(row)

    def _is_of_other_size(self, block: list[NumberedRow]) -> bool:
        """Whether these rows are whole boards of another size."""
        side = len(block[0][1])
        return (
            side != self._side and side**2 in SIDES and len(block) % side == 0
            and all(len(row) == side for _, row in block)
        )  # fmt: skip

    def _add_boards(self, rows: list[NumberedRow]) -> None:
        for start in range(0, len(rows), self._side):
            self._add_board(rows[start : start + self._side])

    def _add_board(self, rows: list[NumberedRow]) -> None:
        board = "".join(self._read_row(i, *numbered) for i, numbered in enumerate(rows, 1))
        if len(rows) < self._side:
            last, cells = rows[-1]
            are = "is 1" if len(rows) == 1 else f"are {len(rows)}"
            text = f"A {self._name()} board has {self._side} rows, here {are}."
            self._bad.append(ParseError(last, cells[0].column, text))
        elif len(board) == self._side**2:
            self._boards.append(BoardInText(rows[0][0], board))

    def _read_row(self, i: int, number: int, row: Row) -> str:
        """The symbols of a row, without those that are unreadable."""
        if len(row) != self._side:
            at = row[self._side].column if len(row) > self._side else row[-1].column + 1
            text = f"Row {i} has {len(row)} cells, not {self._side}."
            self._bad.append(ParseError(number, at, text))
            return ""
        symbols = ""
        for k, cell in enumerate(row, 1):
            value = self._value(cell.text)
            if value is None:
                what = f"{cell.text[:20]!r} in row {i}, column {k}"
                text = f"{what} is not a symbol of a {self._name()} board."
                self._bad.append(ParseError(number, cell.column, text))
            else:
                symbols += SYMBOLS[value - 1] if value else "."
        self._cells += len(symbols)
        return symbols

    def _name(self) -> str:
        return f"{self._side}×{self._side}"


# -- tokenizers of rows ----------------------------------------------------------------------------


def row_tokenizers(lines: list[Line]) -> Iterator[tuple[str, Tokenizer]]:
    """The tokenizers that may fit these lines, the plainest first, each with a remark about it."""
    yield "", _characters(dashes=False)
    if any("-" in line and re.search(r"\d", line) for _, line in lines):
        yield "", _characters(dashes=True)
    for separator, name in ((",", "commas"), ("\t", "tabs"), (";", "semicolons"), ("|", "bars")):
        if sum(separator in line for _, line in lines) > 3:
            yield f"cells between {name}", _fields(separator)
    words = [word for _, line in lines for word in line.split()]
    noted = any(_are_notes(word) for word in words)
    # Notes stand among single digits; words of several digits alone are rows or bands of rows.
    if not noted or any(len(word) == 1 and word.isalnum() for word in words):
        yield "notes left out" if noted else "", _words
    if any(mark in line for _, line in lines if not is_frame(line) for mark in ".0*_?"):
        return
    for side in sorted({round(n**0.5) for n in SIDES}):
        tokenize = _fixed_columns(side, lines)
        if tokenize:
            yield "blanks are spaces", tokenize


def is_frame(line: str) -> bool:
    """Whether a line only draws, as `+---+---+` and `:-----:` do."""
    drawn = any(mark in line for mark in ("+", "---", "===", "~~~"))
    return drawn and _FRAME.issuperset(line)


def _characters(*, dashes: bool) -> Tokenizer:
    """Each symbol is a cell, spaces and bars mean nothing; `-` is a blank or a part of a frame."""
    ignored = _IGNORED if dashes else _IGNORED | {"-"}

    def tokenize(line: str) -> Row | None:
        frame = is_frame(line)
        if frame and not (dashes and "+" not in line):
            return None
        row = [Cell(c, i) for i, c in enumerate(line, 1) if c not in ignored]
        # A line of dashes alone is a row only if it has a row's length.
        return row if row and (not frame or len(row) ** 2 in SIDES) else None

    return tokenize


def _fields(separator: str) -> Tokenizer:
    """The cells are between separators; nothing between two of them is a blank."""

    def tokenize(line: str) -> Row | None:
        if is_frame(line) or not line.strip():
            return None
        row, at = [], 1
        for field in line.split(separator):
            text = field.strip().strip("\"'[](){}").strip()
            row.append(Cell(text, at + len(field) - len(field.lstrip())))
            at += len(field) + 1
        if separator == "|" and row[0].text == "":
            row.pop(0)
        if row and row[-1].text == "" and (separator == "|" or len(row) ** 2 not in SIDES):
            row.pop()  # a separator after the last cell
        return row or None

    return tokenize


def _words(line: str) -> Row | None:
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


def _fixed_columns(side: int, lines: list[Line]) -> Tokenizer | None:
    """Every cell has its own column of the text, where a space is a blank; None if none fits."""
    drawn = [_segments(line)[1] for _, line in lines if line.strip() and not is_frame(line)]
    counts = Counter(map(len, drawn))
    count = max(counts, key=lambda n: (counts[n], n), default=0)
    if not count or side % count:
        return None
    cells = side // count
    drawn = [segments for segments in drawn if len(segments) == count]
    width = max(len(segment) for segments in drawn for segment in segments)
    layouts = {cells: (0, 1), 2 * cells - 1: (0, 2), 2 * cells + 1: (1, 2), 3 * cells: (1, 3)}
    if width not in layouts:
        return None
    first, step = layouts[width]
    places = range(first, first + step * cells, step)
    if not any(s[i].isspace() for row in drawn for s in row for i in places if i < len(s.rstrip())):
        return None  # a row that is merely too short is no row with blanks

    def tokenize(line: str) -> Row | None:
        at, segments = _segments(line)
        if not line.strip() or is_frame(line) or len(segments) != count:
            return None
        row: Row = []
        for segment in segments:
            if any(not c.isspace() for i, c in enumerate(segment) if i not in places):
                return None
            padded = segment.ljust(width)
            row += [Cell(padded[i].strip(), at + i) for i in places]
            at += len(segment) + 1
        return row

    return tokenize


def _segments(line: str) -> tuple[int, Sequence[str]]:
    """The column of the first segment between bars, and the segments."""
    text = line.rstrip()
    start = 1
    if text.lstrip().startswith("|"):
        start += len(text) - len(text.lstrip()) + 1
    return start, text[start - 1 :].removesuffix("|").split("|")
