"""Boards drawn over several lines: bare rows, bars and frames, tables with a mark between cells.

No one says which way a drawing is meant, so each way to cut lines into cells (`row_tokenizers`) is
tried on the whole text, and the one that makes sense of the most cells is taken.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from typing import NamedTuple, TypeAlias

from cluewise.desks.sudoku.constraints import Constraint
from cluewise.desks.sudoku.formats.characters import SIDES, meanings
from cluewise.desks.sudoku.position import SYMBOLS, Shape

_FRAME = frozenset(" \t|+=-~:.'`*,_<>")
_IGNORED = frozenset(" \t|+=~'\"`[](){}<>:,;/\\!^")
Line: TypeAlias = tuple[int, str]


class Cell(NamedTuple):
    """A cell's text (empty for a blank) and its column in the line, from 1."""

    text: str
    column: int


Row: TypeAlias = list[Cell]
Tokenizer: TypeAlias = Callable[[str], "Row | None"]
_LABEL = re.compile(r"^(\s*(?:[Rr](?:ow)?\s*)?([A-Za-z]|\d{1,2})(?:\s*[|:).=]\s*|\s+))")
Numbered: TypeAlias = list[tuple[int, Row]]


class BoardInText(NamedTuple):
    """A board, the line it begins on, the constraints that came with it, and its box if given."""

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
    """What one way made of a text; `cells` counts those that made sense."""

    boards: list[BoardInText]
    bad: list[ParseError]
    cells: int
    words: str


def read_rows(lines: list[str], shape: Shape | None) -> ParseResult:
    """The reading of drawn boards that makes sense of the most cells."""
    best = ParseResult([], [], 0, "")
    for version in _versions(lines):
        for words, way in row_tokenizers(version):
            rows = [(number, way(line)) for number, line in version]
            found = _Assembly(rows, version, shape).reading(words)
            if words.endswith("spaces") and (found.bad or not found.boards):
                continue
            if _weight(found) > _weight(best):
                best = found
            if best.boards and not best.bad:
                return best
    return best if best.cells else _no_side(lines)


def _no_side(lines: list[str]) -> ParseResult:
    """What to say of rows whose length no board has."""
    rows = [(i, len(re.findall(r"[0-9.*_?]", line)), line) for i, line in enumerate(lines, 1)]
    rows = [(i, n, line) for i, n, line in rows if n > 1 and 2 * n > len(line.strip())]
    length, count = Counter(n for _, n, _ in rows).most_common(1)[0] if rows else (0, 0)
    if count < 4 or length > 40 or length**2 in SIDES:
        return ParseResult([], [], 0, "")
    first = next(i for i, n, _ in rows if n == length)
    text = (
        f"Rows of {length} cells make no board: its side is 4, 6, 8, 9, 10, 12, 15, 16, 18, 20, …"
    )
    return ParseResult([], [ParseError(first, 1, text)], 0, "")


def _weight(reading: ParseResult) -> tuple[int, int]:
    whole = sum(len(placed.board) for placed in reading.boards)
    return reading.cells + whole, -len(reading.bad)


def _versions(lines: list[str]) -> Iterator[list[Line]]:
    """The lines with their numbers; then without labels A, B, C or 1, 2, 3 before the rows."""
    plain = [
        (number, re.split(r"\s(?:#|//)", line, maxsplit=1)[0])
        for number, line in enumerate(lines, 1)
        if not line.lstrip().startswith(("#", "//", "%"))
    ]
    yield plain
    for labels in ([chr(65 + i) for i in range(26)], [str(i + 1) for i in range(36)]):
        stripped, count = _without(labels, plain)
        if count > 3:
            yield stripped


def _without(labels: list[str], lines: list[Line]) -> tuple[list[Line], int]:
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


class _Assembly:
    """Rows put together; a row that cannot be read holds its place, so that others keep theirs."""

    def __init__(
        self, rows: list[tuple[int, Row | None]], lines: list[Line], shape: Shape | None
    ) -> None:
        self._texts = dict(lines)
        self._boards: list[BoardInText] = []
        self._bad: list[ParseError] = []
        self._cells = 0
        self._words = ""
        self._side = self._most(rows, shape)
        if self._side:
            self._of(self._unfolded(rows))

    def reading(self, words: str) -> ParseResult:
        """The result; `words` says how the cells were distinguished."""
        both = ", ".join(filter(None, (words, self._words)))
        self._boards.sort(key=lambda placed: placed.line)
        return ParseResult(self._boards, sorted(self._bad), self._cells, both)

    def _most(self, rows: list[tuple[int, Row | None]], shape: Shape | None) -> int:
        lengths = Counter(len(row) for _, row in rows if row and len(row) ** 2 in SIDES)
        wanted = shape.size if shape else 9
        return max(lengths, key=lambda n: (n * lengths[n], n == wanted, n), default=0)

    def _unfolded(self, rows: list[tuple[int, Row | None]]) -> list[tuple[int, Row | None]]:
        """Two boards side by side as one after the other."""
        half, odd = divmod(self._side, 2)
        count = sum(row is not None and len(row) == self._side for _, row in rows)
        if odd or half**2 not in SIDES or count % half or count % self._side == 0:
            return rows
        self._side = half
        left = [(number, row[:half] if row else row) for number, row in rows]
        right = [(n, row[half:]) for n, row in rows if row and len(row) == 2 * half]
        return [*left, (0, None), *right]

    def _of(self, rows: list[tuple[int, Row | None]]) -> None:
        cells = [c.text for _, row in rows if row and len(row) == self._side for c in row]
        self._value, self._words = meanings(cells, self._side)
        waiting: Numbered = []
        for block in self._blocks(rows):
            other = len(block[0][1])
            if other != self._side and self._is_whole(block, other):
                self._other(block)
                continue
            if waiting and len(waiting) + len(block) > self._side:
                self._put(waiting)
                waiting = []
            waiting += block
            if len(waiting) % self._side == 0:
                self._put(waiting)
                waiting = []
        self._put(waiting)

    def _blocks(self, rows: list[tuple[int, Row | None]]) -> Iterator[Numbered]:
        """Rows between empty lines and lines that are no rows at all."""
        block: Numbered = []
        for number, row in rows:
            text = self._texts.get(number, "")
            if row is not None and self._is_row(row):
                block.append((number, row))
                continue
            if row is not None:
                column = len(text) - len(text.lstrip()) + 1
                shown = text.strip()[:30]
                self._bad.append(
                    ParseError(number, column, f"“{shown}” is no row of a {self._name()} board.")
                )
            if block and (row is not None or not text.strip() or not number):
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

    def _is_whole(self, block: Numbered, side: int) -> bool:
        return (
            side**2 in SIDES
            and len(block) % side == 0
            and all(len(row) == side for _, row in block)
        )

    def _other(self, block: Numbered) -> None:
        """A board of another size than most."""
        side, self._side = self._side, len(block[0][1])
        value, words = self._value, self._words
        self._value, _ = meanings([c.text for _, row in block for c in row], self._side)
        self._put(block)
        self._side, self._value, self._words = side, value, words

    def _put(self, rows: Numbered) -> None:
        for start in range(0, len(rows), self._side):
            self._board(rows[start : start + self._side])

    def _board(self, rows: Numbered) -> None:
        board: list[str] = []
        for i, (number, row) in enumerate(rows, 1):
            board += self._row(i, number, row)
        if len(rows) < self._side:
            last, cells = rows[-1]
            are = "is 1" if len(rows) == 1 else f"are {len(rows)}"
            text = f"A {self._name()} board has {self._side} rows, here {are}."
            self._bad.append(ParseError(last, cells[0].column, text))
        elif len(board) == self._side**2 and "" not in board:
            self._boards.append(BoardInText(rows[0][0], "".join(board)))

    def _row(self, i: int, number: int, row: Row) -> list[str]:
        if len(row) != self._side:
            at = row[self._side].column if len(row) > self._side else row[-1].column + 1
            text = f"Row {i} has {len(row)} cells, not {self._side}."
            self._bad.append(ParseError(number, at, text))
            return []
        out = []
        for k, cell in enumerate(row, 1):
            value = self._value(cell.text)
            self._cells += value is not None
            out.append("" if value is None else SYMBOLS[value - 1] if value else ".")
            if value is None:
                what = f"{cell.text[:20]!r} in row {i}, column {k}"
                text = f"{what} is not a symbol of a {self._name()} board."
                self._bad.append(ParseError(number, cell.column, text))
        return out

    def _name(self) -> str:
        return f"{self._side}×{self._side}"


# -- lines cut into cells ------------------------------------------------------------------------


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
