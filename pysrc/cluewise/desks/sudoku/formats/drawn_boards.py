"""Boards drawn over several lines: bare rows, bars and frames, tables with a mark between cells.

No one says which way a drawing is meant, so each way of `row_tokenizers` is tried on the whole text
and the one that makes sense of the most cells is taken.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

from cluewise.desks.sudoku.constraints import Constraint
from cluewise.desks.sudoku.formats.characters import SIDES, meanings
from cluewise.desks.sudoku.formats.row_tokenizers import Line, Row, is_frame, row_tokenizers
from cluewise.desks.sudoku.position import SYMBOLS, Shape

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
