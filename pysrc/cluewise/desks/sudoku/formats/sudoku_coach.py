"""sudoku.coach's puzzles: `SCv7_32_`, then JSON, packed by zlib, in base32hex (RFC 4648).

`{"gridSize": 9, "givenDigits": "0050…", "regions": [1, 1, …], "givenConstraints": [{"type": "cage",
"segments": [{"cells": [9, 10], "parameters": {"sum": 12}}], "settings": {}}]}`; cells count from 0,
row by row. Described by the site's author (reddit r/sudoku, 26 September 2024);
published puzzles agree.
"""

from __future__ import annotations

import json
import zlib
from base64 import b32hexdecode, b32hexencode
from collections.abc import Iterable, Sequence
from typing import Any

from cluewise.desks.sudoku.constraints import Constraint
from cluewise.desks.sudoku.formats.characters import symbol_error
from cluewise.desks.sudoku.formats.constraints import (
    NAMES,
    if_possible,
    normalise,
    read_regions,
    regions_of,
    unsupported,
)
from cluewise.desks.sudoku.formats.strings import Puzzle
from cluewise.desks.sudoku.formats.sudokupad import inflate
from cluewise.desks.sudoku.position import SYMBOLS
from cluewise.errors import BadNotation

PREFIX = "SCv7_32_"
_LARGEST = 9
# Keys that are no rules: the solver's state, and colours.
_ORNAMENTS = frozenset(("gridSize", "givenDigits", "regions", "givenConstraints", "colours",
                        "givenColours", "title", "author", "id"))  # fmt: skip
_WHOLE = {
    "diagonalNegative": "diagonal", "diagonalPositive": "antidiagonal", "antiKnight": "antiknight",
    "antiKing": "antiking", "nonconsecutive": "nonconsecutive",
}  # fmt: skip
_LINES = {"thermometer": "thermometer", "arrow": "arrow", "palindromeLine": "palindrome",
          "renban": "renban"}  # fmt: skip
_OTHERS = NAMES | {
    "cage": "killer cages", "fog": "fog", "whisper": "whisper lines",
    "betweenLine": "between lines", "lockoutLine": "lockout lines",
    "entropicLine": "entropic lines", "entropy": "entropy", "modularLine": "modular lines",
    "consecutiveLine": "consecutive lines", "regionSumLine": "region sum lines",
    "pillArrow": "arrows", "twoCellSum": "sums of two cells",
    "greaterLess": "greater and less signs", "sandwich": "sandwich sums",
    "littleKiller": "little killer sums",
    "cosmeticLine": "drawn lines", "cosmeticText": "drawn words", "cosmeticShape": "drawn shapes",
    "cosmeticCage": "drawn cages",
}  # fmt: skip
CARRIED = frozenset((*_WHOLE.values(), *_LINES.values(), "diagonals", "regions", "killer", "even",
                     "odd"))  # fmt: skip


def read_sudoku_coach(text: str) -> Puzzle:
    """The givens and constraints of `SCv7_32_…`; digits that the solver filled in are left out.

    Raises `BadNotation` with the place where there is one.
    """
    try:
        digits = text.removeprefix(PREFIX)
        packed = b32hexdecode(digits + "=" * (-len(digits) % 8), casefold=True)
        puzzle = json.loads(inflate(packed, raw=False))
        size, givens = puzzle["gridSize"], puzzle["givenDigits"]
        if not isinstance(size, int) or not isinstance(givens, str):
            raise TypeError
    except (ValueError, KeyError, TypeError, RecursionError):
        raise BadNotation("The link does not hold a puzzle of sudoku.coach.") from None
    return Puzzle(_read_board(givens, size), _read_constraints(puzzle, size))


def _read_board(digits: str, size: int) -> str:
    if len(digits) != size * size or size not in (4, 6, 8, 9):
        raise BadNotation(
            f"The link's board has {size} rows and {len(digits)} cells; of sudoku.coach, boards of "
            "4, 6, 8 and 9 symbols are read."
        )
    for at, symbol in enumerate(digits):
        if symbol not in "0" + SYMBOLS[:size]:
            raise symbol_error(symbol, at, size)
    return digits.replace("0", ".")


def _read_constraints(puzzle: dict[str, Any], size: int) -> list[Constraint]:
    found = []
    regions = puzzle.get("regions")
    if regions:
        found += read_regions(regions, size) if isinstance(regions, list) else [
            unsupported("moved regions")]  # fmt: skip
    for key, value in puzzle.items():
        if value and key not in _ORNAMENTS and not key.startswith("user"):
            found.append(unsupported(f"“{key}”"))
    rules = puzzle.get("givenConstraints") or []
    for rule in rules if isinstance(rules, list) else [rules]:
        found += _read_rule(rule, size)
    return normalise(found)


def _read_rule(rule: Any, size: int) -> list[Constraint]:
    """A rule's constraints; one that is unsupported, or makes no sense, by its name."""
    kind = str(rule.get("type")) if isinstance(rule, dict) else "rule"
    name = unsupported(_OTHERS.get(kind, f"“{kind}”"))
    segments = rule.get("segments") if isinstance(rule, dict) else None
    if kind in _WHOLE:
        return [Constraint(_WHOLE[kind])] if not segments else [name]  # type: ignore[arg-type]
    parts = [_read_cells(one, size) for one in segments] if isinstance(segments, list) else []
    if not parts or not all(parts):
        return [name]
    found: list[Constraint]
    if kind in ("even", "odd"):
        marked = tuple(dict.fromkeys(cell for part in parts for cell in part))
        found = [Constraint("even" if kind == "even" else "odd", marked)]
    elif kind == "cage":
        sums = [_read_sum(one) for one in segments or []]
        if None in sums:
            return [name]
        found = [Constraint("killer", part, total or None)
                 for part, total in zip(parts, sums, strict=True)]  # fmt: skip
    elif kind in _LINES:
        found = [Constraint(_LINES[kind], part) for part in parts]  # type: ignore[arg-type]
    else:
        return [name]
    return if_possible(found, size) or [name]


def _read_cells(segment: Any, size: int) -> tuple[int, ...]:
    """A segment's cells; empty if one of them is no cell of the board."""
    cells = segment.get("cells") if isinstance(segment, dict) else None
    if not isinstance(cells, list) or len(set(map(str, cells))) < len(cells):
        return ()
    return tuple(cells) if all(type(c) is int and 0 <= c < size * size for c in cells) else ()


def _read_sum(segment: dict[str, Any]) -> int | None:
    """A cage's sum, 0 if it is not stated, None if it is not a number."""
    parameters = segment.get("parameters")
    total = parameters.get("sum") if isinstance(parameters, dict) else None
    if total in (None, ""):
        return 0
    return int(total) if str(total).isdecimal() and len(str(total)) < 5 else None


def write_sudoku_coach(board: str, size: int, constraints: Sequence[Constraint]) -> str:
    """A link that opens the board there; without constraints the 81 digits are not packed.

    >>> write_sudoku_coach("." * 81, 9, [])[:41]
    'https://sudoku.coach/en/play/000000000000'
    """
    if size > _LARGEST:
        raise BadNotation("sudoku.coach takes boards of up to nine symbols only.")
    givens = board.replace(".", "0")
    kept = [one for one in constraints if one.kind in CARRIED]
    if size == _LARGEST and not kept:
        return f"https://sudoku.coach/en/play/{givens}"
    puzzle = {"gridSize": size, "regions": [n + 1 for n in regions_of(kept, size)],
              "givenDigits": givens, "givenConstraints": list(_rules(kept))}  # fmt: skip
    data = zlib.compress(json.dumps(puzzle, separators=(",", ":")).encode(), 9)
    digits = b32hexencode(data).decode().rstrip("=").lower()
    return f"https://sudoku.coach/en/construct/{PREFIX}{digits}"


def _rules(constraints: Iterable[Constraint]) -> Iterable[dict[str, Any]]:
    """The constraints in the site's format."""
    names = {kind: name for name, kind in (_WHOLE | _LINES).items()} | {"killer": "cage"}
    rules = [
        (kind, one) for one in constraints if one.kind != "regions"
        for kind in (("diagonal", "antidiagonal") if one.kind == "diagonals" else (one.kind,))
    ]  # fmt: skip
    for number, (kind, one) in enumerate(rules):
        groups = [[cell] for cell in one.cells] if kind in ("even", "odd") else [one.cells]
        parameters = {"sum": one.sum} if one.sum else {}
        segments = [{"cells": cells, "parameters": parameters} for cells in groups if cells]
        yield {"id": number, "type": names.get(kind, kind), "segments": segments, "settings": {}}
