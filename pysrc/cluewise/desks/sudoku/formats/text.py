"""Boards in pasted text: strings, grids drawn with lines, lists, .sdk and .sdm files, links.

What could not be read is reported with its line and column (from 1); the rest is still read.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from cluewise.desks.sudoku.formats.links import read_link
from cluewise.desks.sudoku.position import SYMBOLS, Shape
from cluewise.errors import BadNotation

_SIDES = {16: (2, 2), 36: (2, 3), 64: (2, 4), 81: (3, 3), 100: (2, 5), 144: (3, 4),
          225: (3, 5), 256: (4, 4), 400: (4, 5), 625: (5, 5), 1296: (6, 6)}  # fmt: skip
_BLANKS = ".0*_?xX-"
_DRAWING = set("|+-=─━│┃┌┐└┘├┤┬┴┼╔╗╚╝╠╣╦╩╬═║: \t,;")
MOST = 2000  # boards that a paste box takes; longer lists have the verb `group`


class Problem(NamedTuple):
    """Something that could not be read: `Problem(3, 80, "80 characters, not 81")`."""

    line: int
    column: int
    text: str


class Found(NamedTuple):
    """What a text is, its boards, their box (the one given, if it fits) and what was unreadable."""

    format: str
    shape: Shape
    boards: list[str]
    problems: list[Problem]


def read_text(text: str, shape: Shape | None = None) -> Found:
    """The boards of a text. Raises `BadNotation` only if the text is empty.

    The box follows from the number of cells unless `shape` fits it; for 6×6 that is 2×3.
    """
    lines = text.replace("\r", "").split("\n")
    if not text.strip():
        raise BadNotation("There is nothing to read: the text is empty.")
    links = _read_links(lines)
    boards, problems, name = links or _read_boards(lines, shape)
    found = _shape_of(boards, shape)
    kept = [board for board in boards if len(board) == found.cells]
    if len(kept) < len(boards):
        problems.append(Problem(1, 1, "The text mixes boards of different sizes."))
    if not kept and not problems:
        problems.append(Problem(1, 1, "No board was recognised in this text."))
    return Found(name, found, kept[:MOST], problems)


def _shape_of(boards: list[str], shape: Shape | None) -> Shape:
    if not boards:
        return shape or Shape(3, 3)
    if shape and shape.cells == len(boards[0]):
        return shape
    return Shape(*_SIDES[len(boards[0])])


def _read_links(lines: list[str]) -> tuple[list[str], list[Problem], str] | None:
    boards, problems, name = [], [], ""
    for number, line in enumerate(lines, 1):
        for match in re.finditer(r"\S+", line):
            try:
                link = read_link(match[0])
            except BadNotation as problem:
                problems.append(Problem(number, match.start() + 1, problem.message))
                name = name or "link"
                continue
            if link is None:
                continue
            board = _plain(link[1])
            if len(board) in _SIDES:
                name = f"{link[0]} link"
                boards.append(board)
            else:
                text = f"The link holds {len(board)} cells, which is no board."
                problems.append(Problem(number, match.start() + 1, text))
    return (boards, problems, name) if name else None


def _plain(word: str) -> str:
    return "".join("." if c in _BLANKS else c for c in word)


def _read_boards(lines: list[str], shape: Shape | None) -> tuple[list[str], list[Problem], str]:
    strings, problems = _read_strings(lines, shape)
    if strings:
        return strings, problems, "string" if len(strings) == 1 else "list"
    drawn, unreadable = _read_drawn(lines)
    if drawn:
        name = ".sdk" if any(line.startswith(("#", "[")) for line in lines) else "grid"
        return drawn, unreadable, name
    return [], problems or unreadable, "unknown"


def _read_strings(lines: list[str], shape: Shape | None) -> tuple[list[str], list[Problem]]:
    """One board a line, anything after it is a comment (as in .sdm files and lists)."""
    boards, problems = [], []
    for number, line in enumerate(lines, 1):
        word = re.split(r"[\s,;#\"]+", line.strip().lstrip('"'), maxsplit=1)[0]
        if not word or line.lstrip().startswith("#"):
            continue
        problem = string_problem(word, shape)
        if problem is None:
            boards.append(_plain(word))
        elif len(word) > 12 and not _DRAWING.issuperset(word):
            start = len(line) - len(line.lstrip())
            problems.append(Problem(number, start + problem[0] + 1, problem[1]))
    return boards, problems


def string_problem(word: str, shape: Shape | None = None) -> tuple[int, str] | None:
    """Why a word is no board, and at which character (from 0); None if it is one."""
    size = shape.cells if shape else 81
    if (shape and len(word) != size) or len(word) not in _SIDES:
        return min(len(word), size), f"A board has {size} characters, this line has {len(word)}."
    symbols = SYMBOLS[: int(len(word) ** 0.5)]
    for at, c in enumerate(word):
        if c not in symbols and c not in _BLANKS:
            side = len(symbols)
            place = f"row {at // side + 1}, column {at % side + 1}"
            return at, f"{c!r} in {place} is no symbol of a {side}×{side} board."
    return None


def _read_drawn(lines: list[str]) -> tuple[list[str], list[Problem]]:
    """Boards drawn over several lines, with or without bars, frames and spaces."""
    rows: list[str] = []
    problems: list[Problem] = []
    for number, line in enumerate(lines, 1):
        if line.lstrip().startswith(("#", "[")):
            continue
        row = ""
        for column, c in enumerate(line, 1):
            if c in SYMBOLS or c in ".0*_?":
                row += "." if c in ".0*_?" else c
            elif c == "-" and not re.search(r"-{3,}|-\+|\+-", line):
                row += "."
            elif c not in _DRAWING:
                problems.append(Problem(number, column, f"{c!r} is neither symbol nor blank."))
        if row:
            rows.append(row)
    return _cut_rows(rows, problems)


def _cut_rows(rows: list[str], problems: list[Problem]) -> tuple[list[str], list[Problem]]:
    if not rows:
        return [], problems
    side = max(set(map(len, rows)), key=lambda n: (sum(len(r) == n for r in rows), n))
    if side * side not in _SIDES:
        return [], [*problems, Problem(1, 1, f"Rows of {side} cells make no board.")]
    problems += [
        Problem(i, 1, f"Row {i} has {len(row)} cells, not {side}.")
        for i, row in enumerate(rows, 1)
        if len(row) != side
    ]
    good = [row for row in rows if len(row) == side]
    allowed = set(SYMBOLS[:side]) | {"."}
    for i, row in enumerate(good, 1):
        for column, c in enumerate(row, 1):
            if c not in allowed:
                text = f"{c!r} is no symbol of a {side}×{side} board."
                problems.append(Problem(i, column, text))
    if len(good) % side:
        problems.append(Problem(1, 1, f"{len(good)} rows of {side} cells make no whole board."))
    boards = ["".join(good[i : i + side]) for i in range(0, len(good) - side + 1, side)]
    return [board for board in boards if allowed.issuperset(board)], problems
