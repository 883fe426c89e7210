"""Payloads of links: f-puzzles', SudokuPad's and sudokuwiki's.

Each function takes the payload and returns the board, `.` for a blank, or a `Puzzle` where the
format has constraints.

SudokuPad shortens JSON, `{ce:[[,{v:5},],…],t:'A title'}`: names and words are without quotes,
strings in single ones, `{}` in a list is left out, and colours are bare hexadecimal digits. The
format has no specification; the parser follows published links.
"""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Iterator, Sequence
from typing import Any

from cluewise.desks.sudoku.constraints import Constraint
from cluewise.desks.sudoku.formats import constraints as rules
from cluewise.desks.sudoku.formats.characters import LINK_SIDES, SIDES, symbol_error
from cluewise.desks.sudoku.formats.lzstring import decompress
from cluewise.desks.sudoku.formats.strings import Puzzle
from cluewise.desks.sudoku.position import SYMBOLS, Shape
from cluewise.errors import BadNotation

# A digit and up to five blanks after it make one character: the digit, plus 10 for each blank.
_SHORT = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
# Here a run of blanks is a character of its own: B is one, C two, and so on.
_RUNS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz()[]-.~:@!$&'*,;=_"
_MOST = 2_000_000  # characters of an unpacked puzzle
_TOKEN = re.compile(r"\s*([\[\]{},:]|'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|[^\[\]{},:'\"\s]+)")
_DEPTH = 40
_SIGNS = frozenset("[]{},:")
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r"}
_WIKI = re.compile(r"S9B(?P<cells>[0-9a-z]{162})")


def inflate(data: bytes, *, raw: bool) -> str:
    """Decompress text of zlib, `raw` without its header. Raises `ValueError`."""
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

    Digits that are not marked as given were entered by a solver and are left out.
    """
    try:
        puzzle = json.loads(decompress(data))
        rows = puzzle["grid"]
    except (ValueError, KeyError, TypeError, RecursionError):
        raise BadNotation("The link does not hold a puzzle of f-puzzles.") from None
    board = _read_board(rows, only_givens=True)
    return _puzzle(board, rules.read_fpuzzles_constraints(puzzle, len(rows)))


def _puzzle(board: str, constraints: Sequence[Constraint]) -> Puzzle:
    """The puzzle; raises `BadNotation` if a board without boxes has no regions."""
    side = LINK_SIDES.get(len(board))
    if side is None:
        return Puzzle(board, constraints)
    if not any(one.kind == "regions" for one in constraints):
        raise BadNotation(f"The link's board has {side[1]} rows and no regions: no sudoku.")
    return Puzzle(board, constraints, Shape(*side))


def read_scl(data: str) -> Puzzle:
    """The givens and constraints of an `scl` or `ctc` payload (LZ-string of shortened JSON)."""
    try:
        puzzle = parse_short_json(decompress(data))
        rows = puzzle["cells"] if "cells" in puzzle else puzzle["ce"]
    except (KeyError, TypeError, RecursionError):
        raise BadNotation("The link does not hold a board of SudokuPad.") from None
    board = _read_board(rows, only_givens=False)
    return _puzzle(board, rules.read_sudokupad_constraints(puzzle, len(rows)))


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


def _read_board(rows: Any, *, only_givens: bool) -> str:
    try:
        cells = [cell for row in rows for cell in row]
        size = len(rows)
    except TypeError:
        raise BadNotation("The link does not hold a board.") from None
    if len(cells) != size * size or len(cells) not in SIDES | LINK_SIDES:
        raise BadNotation(f"The link's board has {size} rows and {len(cells)} cells: no sudoku.")
    return "".join(_read_symbol(cell, i, size, only_givens) for i, cell in enumerate(cells))


def _read_symbol(cell: Any, at: int, size: int, only_givens: bool) -> str:
    if not isinstance(cell, dict) or (only_givens and cell.get("given") is not True):
        return "."
    value = cell.get("value", cell.get("v"))
    if isinstance(value, str) and value.isdecimal() and len(value) < 5:
        value = int(value)
    if value in (None, "", 0):
        return "."
    if not isinstance(value, int) or not 1 <= value <= size:
        raise symbol_error(value, at, size)
    return SYMBOLS[value - 1]


# -- shortened JSON ---------------------------------------------------------------------------


def parse_short_json(text: str) -> Any:
    """The value of shortened JSON, or of plain JSON. Raises `BadNotation` if it is neither.

    >>> parse_short_json("{ce:[[,{v:5}],[]],t:'It\\\\'s one'}")
    {'ce': [[{}, {'v': 5}], []], 't': "It's one"}
    """
    try:
        return json.loads(text)
    except ValueError:
        pass
    try:
        return json.loads(" ".join(_plain_json(_tokens(text))))
    except ValueError:
        raise _broken() from None


def _tokens(text: str) -> list[str]:
    """The text's signs and words. (`findall` is quadratic for a string without an end.)"""
    text, tokens, at = text.rstrip(), [], 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise _broken()
        tokens.append(match[1])
        at = match.end()
    return tokens


def _broken() -> BadNotation:
    return BadNotation("The link does not hold a board of SudokuPad.")


def _plain_json(tokens: list[str]) -> Iterator[str]:
    """Yield the tokens of JSON: names in quotes, empty objects in lists, no comma before a `}`."""
    opened: list[str] = []
    for before, token, after in zip(["", *tokens], tokens, [*tokens[1:], ""], strict=False):
        in_list = opened[-1:] == ["["]
        if in_list and token in (",", "]") and before in ("[", ",") and before + token != "[]":
            yield "{}"
        if token in ("[", "{"):
            opened.append(token)
        elif token in ("]", "}"):
            opened = opened[:-1]
        if token + after == ",}" and not in_list and before != "{":
            continue
        yield token if token in _SIGNS else _plain_word(token, is_name=after == ":")
        if len(opened) > _DEPTH:
            raise _broken()


def _plain_word(word: str, *, is_name: bool) -> str:
    """A name, a string or a number as JSON."""
    if word[0] in "'\"":
        word = re.sub(r"\\(.)", lambda found: _ESCAPED.get(found[1], found[1]), word[1:-1])
    elif not is_name and re.fullmatch(r"-?\d{1,15}", word):
        return str(int(word))
    elif not is_name and re.fullmatch(r"-?\d{1,9}\.\d{1,9}", word):
        return repr(float(word))
    return json.dumps(word)
