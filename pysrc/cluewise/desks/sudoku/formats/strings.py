"""One board a line: `53..7…` with any text before and after it, as in lists, .sdm and .csv files.

Also game ids of Simon Tatham's Solo: `3x3:a7_5b…`, block sizes and a run-length description.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from cluewise.desks.sudoku.constraints import Constraint
from cluewise.desks.sudoku.formats.characters import SIDES, find_alphabet
from cluewise.desks.sudoku.position import SYMBOLS, Shape, symbol_error, write_cells
from cluewise.errors import BadNotation

_WORD = re.compile(r"[0-9A-Za-z.*_?-]+")
_CHUNK = re.compile(r"[^\s,;|\"']+")
COMMENT = ("#", ";", "//", "%")
_SECTION = re.compile(r"\[\w+\]")
_HEADING = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_,;\t \r\n\"'")
_NAMES = frozenset(("puzzle", "puzzles", "quiz", "quizzes", "board", "grid", "sudoku", "problem"))
_BETWEEN = re.compile(r"[\s,;|/:\"'\[\](){}<>]+")


class Puzzle(NamedTuple):
    """A board, its constraints beyond rows, columns and boxes, and its box if it is stated."""

    board: str
    constraints: Sequence[Constraint] = ()
    shape: Shape | None = None


class Line(NamedTuple):
    """A line's board (None if there is none), or the error and its column (from 1)."""

    board: str | None
    column: int = 0
    problem: str = ""


NOTHING = Line(None)


def read_string(line: str, shape: Shape) -> Line:
    """The first board of that shape in a line: `read_string("7,53..7…,9", NINE).board`.

    An empty line and a comment (`#`, `;`, `//`, `%`) have neither board nor error.
    """
    text = line.strip()
    if not text or text.startswith(COMMENT) or _SECTION.fullmatch(text):
        return NOTHING
    words = [word for word in _WORD.finditer(line) if len(word[0]) == shape.cells]
    for word in words:
        board = _read_cells(list(word[0]), shape.size)
        if isinstance(board, str):
            return Line(board)
    separated = _read_separated(line, shape)
    return Line(separated) if separated else _error(line, words, shape)


def is_heading(line: str) -> bool:
    """Whether a first line only names columns, as `puzzle,solution` does in an exported table."""
    if len(line) > 500 or not _HEADING.issuperset(line):
        return False
    names = re.findall(r"[a-z]+", line.lower())
    return bool(names) and (any(m in line for m in ",;\t") or not _NAMES.isdisjoint(names))


def is_count(line: str) -> bool:
    """Whether a first line is the number of boards, as `49151` before the 17-clue list."""
    return re.fullmatch(r"\s*\d{1,8}\s*", line) is not None


def _read_cells(cells: list[str], side: int) -> str | int:
    """The board, or the index of the first cell that is no symbol."""
    value, _ = find_alphabet(cells, side)
    values = [value(cell) for cell in cells]
    return values.index(None) if None in values else write_cells(bytes(v or 0 for v in values))


def _read_separated(line: str, shape: Shape) -> str | None:
    """A board whose cells, rows or numbers are separated on one line; None if there is none."""
    text = line.strip().strip("\"'[](){};")
    separators = [mark for mark in (",", ";", "\t") if text.count(mark) == shape.cells - 1]
    for tokens in (
        *([token.strip(" \"'") for token in text.split(mark)] for mark in separators),
        _BETWEEN.split(text),
        list(_BETWEEN.sub("", text)) if len(text) < 4 * shape.cells else [],
    ):  # fmt: skip
        if len(tokens) == shape.cells:
            board = _read_cells(tokens, shape.size)
            if isinstance(board, str):
                return board
    return None


def _error(line: str, words: list[re.Match[str]], shape: Shape) -> Line:
    """The error of a line without a board: a symbol, a length, or nothing like a board."""
    chunks = list(_CHUNK.finditer(line))
    whole = [c for c in chunks if len(c[0]) == shape.cells] or words
    if whole:
        at = _read_cells(list(whole[0][0]), shape.size)
        assert isinstance(at, int), "a word of symbols is a board"
        text = symbol_error(whole[0][0][at], at, shape)
        return Line(None, whole[0].start() + at + 1, text)
    longest = max(chunks, key=lambda c: len(c[0]), default=None)
    if longest is None or len(longest[0]) < min(13, shape.cells // 2):
        start = len(line) - len(line.lstrip())
        text = f"There is no board here: {shape.cells} characters were expected."
        return Line(None, start + 1, text)
    length = len(longest[0])
    row, column = divmod(min(length, shape.cells), shape.size)
    where = (
        f"; it ends in row {row + 1}, column {column}" if length < shape.cells and column else ""
    )
    text = f"A {shape} board has {shape.cells} characters, this one has {length}{where}."
    return Line(None, longest.start() + min(length, shape.cells) + 1, text)


def likely_shapes(lines: list[str], shape: Shape | None) -> list[Shape]:
    """The shapes that boards of these lines can have by their words' lengths; `shape` first."""
    lengths = Counter(
        length for line in lines[:5000] for length in {len(word) for word in _WORD.findall(line)}
    )
    known = sorted((n for n in lengths if n in SIDES), key=lambda n: (-n * lengths[n], n))
    found = [Shape(*SIDES[n]) for n in known if shape is None or n != shape.cells]
    first = [shape] if shape else []
    return [*first, *found] or [Shape(3, 3)]


SOLO = "Solo game id"
SOLO_PATTERN = r"(?<![\w.:/])\d{1,2}(?:x\d{1,2}|j)[a-z\d]*(?:[:#]|%23|%3A)[^\s<>\"]+"
_ID = re.compile(r"(\d{1,2})(?:x(\d{1,2})|j)([a-z\d]*)([:#])(.+)")
_RUN = re.compile(r"[a-z]|\d+|_")
_COPY = "Read are plain ids and those with diagonals (x)."


def is_labelled_board(text: str) -> bool:
    """Return whether the text is no id but a size and a board, as `9x9:53..7…`."""
    found = _ID.fullmatch(text)
    if not found or not found[2] or found[4] == "#":
        return not found
    sides = [Shape(*SIDES[n]) for n in SIDES if n == len(found[5])]
    if not any(read_string(found[5], shape).board for shape in sides):
        return int(found[1]) * int(found[2]) > len(SYMBOLS)
    try:
        read_solo(text)
    except BadNotation:
        return True
    return False


def read_solo(text: str) -> Puzzle:
    """Return the board of a game id, its box, and both diagonals if the id has an `x`.

    >>> read_solo("2x2:1a2d3f_4a")
    Puzzle(board='1.2....3......4.', constraints=[], shape=Shape(rows=2, cols=2))

    Raises `BadNotation` that names the variant, or the character that is wrong.
    """
    found = _ID.fullmatch(text)
    if not found:
        raise BadNotation(f"“{text[:24]}” is not a Solo game id.")
    first, second, options, mark, description = found.groups()
    variants = re.sub(r"d[a-z]$|[rm]d?\d|a", "", options)  # difficulty and symmetry change nothing
    if description.startswith((":k:", "d:k:", ":d:k:")):
        raise BadNotation("This is a JSudoku killer string, not a Solo game id. It cannot be read.")
    for variant, name in (("k", "killer"), ("j", "jigsaw")):
        if variant in variants or (variant == "j" and not second):
            raise BadNotation(f"This Solo game id is of the {name} variant. {_COPY}")
    if variants not in ("", "x"):
        raise BadNotation(f"This Solo game id has unknown options: {options}. {_COPY}")
    if mark == "#":
        raise BadNotation(
            "This Solo game id (with #) is a random seed, from which only Solo makes the board. "
            "In Solo, copy the specific id (with a colon)."
        )
    shape = Shape(int(first), int(second))  # Solo counts bands of blocks last: height comes first
    if shape.cells not in SIDES or min(shape) < 2:
        raise BadNotation(f"Solo game id: blocks of {first}×{second} make no board here.")
    board = _expand(description, len(text) - len(description), shape)
    rules = [Constraint("diagonal"), Constraint("antidiagonal")] if variants else []
    return Puzzle(board, rules, shape)


def _expand(description: str, before: int, shape: Shape) -> str:
    """The board of a run-length description, which begins at character `before` of the id."""
    cells, at = "", 0
    while at < len(description):
        run = _RUN.match(description, at)
        value = int(run[0]) if run and run[0].isdecimal() else 0
        if not run or (run[0].isdecimal() and not 1 <= value <= shape.size):
            shown = run[0] if run else description[at]
            raise BadNotation(
                f"Solo game id: “{shown[:12]}” at character {before + at + 1} of the id is neither "
                f"a run of blanks (a to z) nor a number from 1 to {shape.size}."
            )
        if value:
            cells += SYMBOLS[value - 1]
        elif run[0] != "_":
            cells += "." * (ord(run[0]) - 96)
        at = run.end()
    if len(cells) != shape.cells:
        raise BadNotation(
            f"Solo game id: it describes {len(cells)} cells, and a {shape} board has {shape.cells}."
        )
    return cells
