"""Texts and files of maps: spots, walls, and the game's collision data.

Spots are lines, several on a line, or JSON. Walls and free tiles are a text. The collision file
`collision-FX-FY-FLOOR.bin`, of 1280 x 1280 tiles, is a zlib stream of one byte a tile, row by row
from the lowest y, for the tiles from x = 1280 FX and y = 1280 FY on. A byte has the steps off its
tile (see `steps.py`).

>>> read_spots("1: 2990, 3390\\n(2995 3401 1)")
((2990, 3390, 0), (2995, 3401, 1))
>>> read_clue('{"range": 22, "spots": [[2990, 3390], {"x": 2995, "y": 3401}]}')
(22, ((2990, 3390, 0), (2995, 3401, 0)))
>>> read_grid("#.\\n..")
(2, [0, 1])
"""

from __future__ import annotations

import base64
import binascii
import re
import zlib
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec

from cluewise.desks.scan.position import HIGHEST, LEVELS, LOWEST, Position
from cluewise.desks.scan.steps import Ground, deflate
from cluewise.desks.scan.walls import check_size
from cluewise.errors import BadNotation, BadOption, BadPosition

Spot = tuple[int, int, int]

_NUMBERS = re.compile(r"(?<!\d)-?\d+")
_NUMBERED = re.compile(r"^\s*(?:spot\s*)?\d+\s*[:.)]\s+", re.IGNORECASE)
_FRACTION = re.compile(r"\d\.\d")
_NAMES = re.compile(r"\b(?:x|y|z|level|floor|plane|spots?)\b\s*[:=]?", re.IGNORECASE)
_RANGE = re.compile(r"^\s*(?:scan\s+)?range\s*[:=]?\s*(\d{1,4})\s*$", re.IGNORECASE)
_GROUPS = re.compile(r"[(\[{]([^()\[\]{}]*)[)\]}]")
_SHOWN = 60  # characters of a line that an error repeats


def read_spots(text: str) -> tuple[Spot, ...]:
    """Read spots from JSON, or lines of two or three numbers; `# …` and empty lines are skipped.

    A leading `3:`, `3.` or `3)` is the number of a line. Several spots on one line are separated by
    `;` or `|`, or each is in brackets; without either they are read in sequence if no coordinate is
    as small as a level. JSON is a list of `[x, y]`, `[x, y, level]` or
    `{"x": …, "y": …, "level": …}`, or an object with such a list under `spots` or, as in method
    packs, `ordered_spots`. Raises `BadNotation` with the line or the number of the entry.
    """
    return read_clue(text)[1]


def read_clue(text: str) -> tuple[int | None, tuple[Spot, ...]]:
    """Read the range (`range 22`, or `range` in JSON; else None) and the spots."""
    if text.lstrip().startswith(("{", "[")):
        try:
            return _read_json(msgspec.json.decode(text))
        except (msgspec.DecodeError, RecursionError):
            pass  # lines "[2990, 3390]", or brackets round each spot, are no JSON
    found, clue_range = list[Spot](), None
    for i, line in enumerate(text.splitlines(), start=1):
        body = line.split("#")[0]
        named = _RANGE.match(body)
        if named:
            clue_range = int(named[1])
        elif body.strip():
            found += _spots_of_line(body, f"line {i}")
    return clue_range, tuple(found)


def _spots_of_line(line: str, where: str) -> Iterator[Spot]:
    body = _NUMBERED.sub("", line)
    groups = _GROUPS.findall(body)
    if len(groups) > 1 and not _NUMBERS.search(_GROUPS.sub("", body)):
        parts = groups
    else:
        parts = [part for part in re.split(r"[;|]", body) if part.strip(" \t,")]
    if not parts:
        raise _no_spot(line, where)
    for part in parts:
        yield from _spots_of_part(part, line, where)


def _spots_of_part(part: str, line: str, where: str) -> Iterator[Spot]:
    """The spots of a part of a line without separators."""
    if _FRACTION.search(part) or re.search(r"[^\W\d_]", _NAMES.sub(" ", part)):
        raise _no_spot(line, where)
    found = _NUMBERS.findall(part)
    if any(len(n) > 11 for n in found):  # `int` does not read thousands of digits
        raise _no_spot(line, where)
    numbers = [int(n) for n in found]
    if 2 <= len(numbers) <= 3:
        yield _spot(numbers, where)
        return
    at = 0
    while at < len(numbers):
        spot = numbers[at : at + 3]
        if len(spot) < 3 or spot[2] < 0 or spot[2] > LEVELS:
            spot = spot[:2]
        if len(spot) < 2 or any(0 <= v <= LEVELS for v in spot[:2]):
            raise _no_spot(line, where)
        yield _spot(spot, where)
        at += len(spot)
    if not found:
        raise _no_spot(line, where)


def _no_spot(line: str, where: str) -> BadNotation:
    shown = line.strip()
    shown = repr(shown if len(shown) <= _SHOWN else f"{shown[:_SHOWN]}…")
    return BadNotation(
        f"Expected x, y and perhaps a level, found {shown}. Write one spot a line, or put ; "
        "between spots.",
        where,
    )


def _read_json(value: Any) -> tuple[int | None, tuple[Spot, ...]]:
    clue_range = None
    if isinstance(value, dict) and "ordered_spots" in value:  # a scan tree of a method pack
        value = {"range": value.get("assumed_range"), "spots": value["ordered_spots"]}
    if isinstance(value, dict) and "spots" in value:
        clue_range, value = value.get("range"), value["spots"]
        if clue_range is not None and not _is_whole(clue_range):
            raise BadNotation("The range is a whole number of tiles.", "$.range")
    if isinstance(value, dict) and {"x", "y"} <= {str(key).lower() for key in value}:
        value = [value]
    if isinstance(value, list) and 2 <= len(value) <= 3 and all(_is_whole(v) for v in value):
        value = [value]
    if not isinstance(value, list):
        raise BadNotation('Expected a list of spots, or {"range": …, "spots": [...]}.', "$")
    return clue_range, tuple(_read_entry(entry, f"entry {i}") for i, entry in enumerate(value, 1))


def _read_entry(entry: Any, where: str) -> Spot:
    if isinstance(entry, dict):
        names = {str(key).lower(): number for key, number in entry.items()}
        level = next((names[n] for n in ("level", "z", "plane", "floor") if n in names), 0)
        entry = [names.get("x"), names.get("y"), level]
    if not (isinstance(entry, list) and 2 <= len(entry) <= 3 and all(map(_is_whole, entry))):
        shown = msgspec.json.encode(entry).decode()[:_SHOWN]
        raise BadNotation(f"Expected [x, y], [x, y, level] or x and y, found {shown}.", where)
    return _spot(entry, where)


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _spot(numbers: list[int], where: str) -> Spot:
    """Return a spot; raises `BadNotation` off the map."""
    x, y, level = (*numbers, 0)[:3]
    for axis, value in (("x", x), ("y", y)):
        if not LOWEST <= value <= HIGHEST:
            raise BadNotation(
                f"{axis} = {value} is off the map, which goes from {LOWEST} to {HIGHEST}.", where
            )
    if not 0 <= level <= LEVELS:
        raise BadNotation(f"A level is a number from 0 to {LEVELS}, not {level}.", where)
    return x, y, level


def read_text(text: str) -> Position:
    """Read a position from a text with a line `range 14` and spots.

    Raises `BadNotation` with the line, or the missing part.
    """
    clue_range, spots = read_clue(text)
    if not spots:
        message = "There are no spots in this text. Write one a line, such as 2990, 3390."
        raise BadNotation(message, "$.position")
    if clue_range is None:
        message = "The scan range is missing. Write it on a line of its own, such as range 14."
        raise BadNotation(message, "$.position")
    return Position(range=clue_range, spots=spots)


def write_spots(spots: Iterable[Spot]) -> str:
    """Write spots as lines `x, y, level`."""
    return "".join(f"{x}, {y}, {level}\n" for x, y, level in spots)


WALL, FREE = "#Xx1", ". 0"  # signs of a text
SIDE = 1280  # tiles of a collision file
WIDE, TALL = 6400, 12800  # tiles of the map


def read_grid(text: str) -> tuple[int, list[int]]:
    """Read the width and rows (lowest y first, bit = wall) of a text, its first line the north."""
    lines = text.strip("\r\n").splitlines()
    width = max((len(line) for line in lines), default=0)
    check_size((width, len(lines)), "$")
    rows = []
    for i, line in enumerate(lines, start=1):
        row = 0
        for x, sign in enumerate(line):
            if sign in WALL:
                row |= 1 << x
            elif sign not in FREE:
                raise BadNotation(
                    f"A grid is written with {WALL} for walls and {FREE!r} for free tiles, "
                    f"not {sign!r}.",
                    f"line {i}, column {x + 1}",
                )
        rows.append(row)
    return width, rows[::-1]


def write_grid(width: int, rows: list[int]) -> str:
    """Write rows of walls as text, `#` and `.`."""
    lines = ("".join("#" if row >> x & 1 else "." for x in range(width)) for row in rows[::-1])
    return "\n".join(lines) + "\n"


def read_ground(
    files: Mapping[str, tuple[str, str]], box: tuple[int, int, int, int], level: int
) -> Ground:
    """Read the tiles of a box (inclusive) of one floor from files by name: (place, base64).

    Raises `BadOption` naming a file that is missing, `BadNotation` for one that does not unpack.
    """
    x0, y0 = max(box[0], 0), max(box[1], 0)
    x1, y1 = min(box[2], WIDE - 1), min(box[3], TALL - 1)
    try:
        check_size((x1 - x0 + 1, y1 - y0 + 1), "$.position.spots")
    except BadPosition as problem:
        raise BadOption(problem.message, "$.options.collision") from None
    columns = range(x0 // SIDE, x1 // SIDE + 1)
    rows = range(y0 // SIDE, y1 // SIDE + 1)
    names = {(u, v): f"collision-{u}-{v}-{level}.bin" for v in rows for u in columns}
    missing = [name for name in names.values() if name not in files]
    if missing:
        raise BadOption(f"Missing: {', '.join(missing)}.", "$.options.collision")
    data = {place: _unpack(name, *files[name]) for place, name in names.items()}
    lines = []
    for y in range(y0, y1 + 1):
        v, line = y // SIDE, y % SIDE * SIDE
        whole = b"".join(data[u, v][line : line + SIDE] for u in columns)
        begin = x0 - columns[0] * SIDE
        lines.append(whole[begin : begin + x1 - x0 + 1])
    return Ground((x0, y0), (x1 - x0 + 1, y1 - y0 + 1), deflate(b"".join(lines)), level)


def _unpack(name: str, where: str, text: str) -> bytes:
    try:
        data = zlib.decompressobj().decompress(base64.b64decode(text, validate=True), SIDE**2 + 1)
    except (binascii.Error, ValueError, zlib.error):
        raise BadNotation(f"{name} does not unpack: it is not a collision file.", where) from None
    if len(data) != SIDE**2:
        raise BadNotation(f"{name} is not {SIDE} x {SIDE} tiles.", where)
    return data
