"""How sites pack a board into a link, unpacked: SudokuPad's several ways, and sudokuwiki's.

Each function takes what stands in the link and gives the board, `.` for a blank; formats that can
carry constraints give a `Puzzle`.

SudokuPad shortens JSON, `{ce:[[,{v:5},],…],t:'A title'}`: names and words stand without quotes,
strings in single ones, `{}` in a list is left out altogether, and colours are bare hexadecimal
digits. The parser is written anew from what such texts look like.
"""

from __future__ import annotations

import json
import re
import zlib
from typing import Any, NamedTuple

from cluewise.desks.sudoku.constraints import Constraint
from cluewise.desks.sudoku.formats import constraints as rules
from cluewise.desks.sudoku.formats.characters import LINK_SIDES, SIDES
from cluewise.desks.sudoku.formats.lzstring import decompress
from cluewise.desks.sudoku.position import SYMBOLS, Shape
from cluewise.errors import BadNotation

# A digit and up to five blanks after it make one character: the digit, plus 10 for each blank.
_SHORT = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
# Here a run of blanks is a character of its own: B is one, C two, and so on.
_RUNS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz()[]-.~:@!$&'*,;=_"
_MOST = 2_000_000  # characters of an unpacked puzzle
_PART = re.compile(r"\s*([\[\]{},:]|'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|[^\[\]{},:'\"\s]+)")
_DEPTH = 40
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r"}
_WIKI = re.compile(r"S9B(?P<cells>[0-9a-z]{162})")


class Puzzle(NamedTuple):
    """A board and what its puzzle asks beyond rows, columns and boxes."""

    board: str
    constraints: list[Constraint]

    @property
    def shape(self) -> Shape | None:
        """The box where it is not the usual one of a board of that size."""
        side = LINK_SIDES.get(len(self.board))
        return Shape(*side) if side else None


def inflated(data: bytes, *, raw: bool) -> str:
    """The text that was packed by zlib, `raw` without its frame. Raises `ValueError`."""
    packer = zlib.decompressobj(-15 if raw else 15)
    try:
        text = packer.decompress(data, _MOST)
    except zlib.error:
        raise ValueError("not packed by zlib") from None
    if packer.unconsumed_tail or not packer.eof:
        raise ValueError("cut off, or too long")
    return text.decode()


def read_fpuzzles(data: str) -> Puzzle:
    """The givens of an f-puzzles payload (LZ-string of JSON with a `grid`), and its constraints.

    A digit that is not marked as given is the solver's, and is left out.
    """
    try:
        puzzle = json.loads(decompress(data))
        rows = puzzle["grid"]
    except (ValueError, KeyError, TypeError, RecursionError):
        raise BadNotation("The link does not hold a puzzle of f-puzzles.") from None
    board = _board(rows, only_givens=True)
    return _whole(Puzzle(board, rules.read_fpuzzles_constraints(puzzle, len(rows))))


def _whole(puzzle: Puzzle) -> Puzzle:
    """The puzzle, if a board without boxes has its regions."""
    if puzzle.shape and not any(one.kind == "regions" for one in puzzle.constraints):
        raise BadNotation(
            f"The link's board has {puzzle.shape.size} rows and no regions: no sudoku."
        )
    return puzzle


def read_scl(data: str) -> Puzzle:
    """The givens and constraints of an `scl` or `ctc` payload (LZ-string of shortened JSON)."""
    try:
        puzzle = parse_short_json(decompress(data))
        rows = puzzle["cells"] if "cells" in puzzle else puzzle["ce"]
    except (KeyError, TypeError, RecursionError):
        raise BadNotation("The link does not hold a board of SudokuPad.") from None
    board = _board(rows, only_givens=False)
    return _whole(Puzzle(board, rules.read_sudokupad_constraints(puzzle, len(rows))))


def read_short(data: str) -> str | None:
    """The board of `scf` and of SudokuPad's short names; None unless it has exactly 81 cells.

    >>> read_short("o51" + "o" * 11 + "o0o")
    """
    if re.fullmatch(r"[0-9A-Za-x]+", data):
        values = [_SHORT.index(c) for c in data]
        digits = "".join(str(value % 10) + "0" * (value // 10) for value in values)
        if len(digits) == 81:
            return digits.replace("0", ".")
    if all(c in _RUNS or c in "123456789" for c in data):
        runs = "".join(c if c.isdigit() else "." * _RUNS.index(c) for c in data[:200])
        if len(runs) == 81:
            return runs
    return None


def read_sudokuwiki(data: str) -> str | None:
    """The givens of sudokuwiki's `S9B…`, its solved cells if it has no givens; None if it is none.

    Two base-36 digits a cell: 1–9 a given, 10–18 a solved cell, beyond that 18 and a mask of notes.
    """
    found = _WIKI.fullmatch(data)
    if not found:
        return None
    cells = found["cells"]
    values = [int(cells[i : i + 2], 36) for i in range(0, 162, 2)]
    if not any(1 <= value <= 9 for value in values):
        values = [value - 9 if 10 <= value <= 18 else 0 for value in values]
    return "".join(str(value) if 1 <= value <= 9 else "." for value in values)


def _board(rows: Any, *, only_givens: bool) -> str:
    try:
        cells = [cell for row in rows for cell in row]
        size = len(rows)
    except TypeError:
        raise BadNotation("The link does not hold a board.") from None
    if len(cells) != size * size or len(cells) not in SIDES | LINK_SIDES:
        raise BadNotation(f"The link's board has {size} rows and {len(cells)} cells: no sudoku.")
    return "".join(_symbol(cell, i, size, only_givens) for i, cell in enumerate(cells))


def _symbol(cell: Any, at: int, size: int, only_givens: bool) -> str:
    if not isinstance(cell, dict) or (only_givens and cell.get("given") is not True):
        return "."
    value = cell.get("value", cell.get("v"))
    if isinstance(value, str) and value.isdecimal():
        value = int(value)
    if value in (None, "", 0):
        return "."
    if not isinstance(value, int) or not 1 <= value <= size:
        place = f"row {at // size + 1}, column {at % size + 1}"
        raise BadNotation(f"The link has {value!r} in {place} of a board of {size} symbols.")
    return SYMBOLS[value - 1]


# -- shortened JSON ---------------------------------------------------------------------------


def parse_short_json(text: str) -> Any:
    """The value behind the text; plain JSON is read as well. Raises `BadNotation` if it is neither.

    >>> parse_short_json("{ce:[[,{v:5}],[]],t:'It\\\\'s one'}")
    {'ce': [[{}, {'v': 5}], []], 't': "It's one"}
    """
    try:
        return json.loads(text)
    except ValueError:
        pass
    parts = _parts(text)
    value, end = _value(parts, 0, 0)
    if end != len(parts):
        raise _broken()
    return value


def _parts(text: str) -> list[str]:
    """The text's signs and words. A search would try a string without an end from every place."""
    text, parts, at = text.rstrip(), [], 0
    while at < len(text):
        match = _PART.match(text, at)
        if match is None:
            raise _broken()
        parts.append(match[1])
        at = match.end()
    return parts


def _broken() -> BadNotation:
    return BadNotation("The link does not hold a board of SudokuPad.")


def _value(parts: list[str], at: int, depth: int) -> tuple[Any, int]:
    if at >= len(parts) or depth > _DEPTH:
        raise _broken()
    part = parts[at]
    if part == "[":
        return _list(parts, at + 1, depth)
    if part == "{":
        return _object(parts, at + 1, depth)
    if part in ("]", "}", ",", ":"):
        raise _broken()
    return _word(part), at + 1


def _list(parts: list[str], at: int, depth: int) -> tuple[list[Any], int]:
    out: list[Any] = []
    if parts[at : at + 1] == ["]"]:
        return out, at + 1
    while at < len(parts):
        if parts[at] in (",", "]"):
            value: Any = {}  # an empty object is left out
        else:
            value, at = _value(parts, at, depth + 1)
        out.append(value)
        mark = parts[at : at + 1]
        if mark == ["]"]:
            return out, at + 1
        if mark != [","]:
            raise _broken()
        at += 1
    raise _broken()


def _object(parts: list[str], at: int, depth: int) -> tuple[dict[str, Any], int]:
    out: dict[str, Any] = {}
    while at < len(parts) and parts[at] != "}":
        name = _word(parts[at])
        if parts[at + 1 : at + 2] != [":"]:
            raise _broken()
        out[str(name)], at = _value(parts, at + 2, depth + 1)
        if parts[at : at + 1] == [","]:
            at += 1
        elif parts[at : at + 1] != ["}"]:
            raise _broken()
    return out, at + 1


def _word(part: str) -> Any:
    if part[0] in "'\"":
        return re.sub(r"\\(.)", lambda found: _ESCAPED.get(found[1], found[1]), part[1:-1])
    if re.fullmatch(r"-?\d{1,15}", part):
        return int(part)
    return float(part) if re.fullmatch(r"-?\d{1,9}\.\d{1,9}", part) else part
