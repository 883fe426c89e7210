"""Where one can walk: a text of walls and free tiles, and the game's collision data.

`collision-FX-FY-FLOOR.bin`, of 1280 x 1280 tiles, is a zlib stream of one byte a tile, row by row
from the lowest y, for the tiles from x = 1280 FX and y = 1280 FY on. A byte has the steps off its
tile (see `steps.py`).

>>> read_grid("#.\\n..")
(2, [0, 1])
"""

from __future__ import annotations

import base64
import binascii
import zlib
from collections.abc import Mapping

from cluewise.desks.scan.steps import Ground, deflate
from cluewise.desks.scan.walls import check_size
from cluewise.errors import BadNotation, BadOption, BadPosition

WALL, FREE = "#Xx1", ". 0"  # signs of a text
SIDE = 1280  # tiles of a collision file
WIDE, TALL = 6400, 12800  # tiles of the map


def read_grid(text: str) -> tuple[int, list[int]]:
    """Width and rows (lowest y first, bit = wall) of a text whose first line is the north."""
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
    """The same as text, `#` and `.`."""
    lines = ("".join("#" if row >> x & 1 else "." for x in range(width)) for row in rows[::-1])
    return "\n".join(lines) + "\n"


def read_ground(
    files: Mapping[str, tuple[str, str]], box: tuple[int, int, int, int], level: int
) -> Ground:
    """The tiles of a box (inclusive) of one floor, cut out of files by name: (place, base64).

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
    data = {place: _unpacked(name, *files[name]) for place, name in names.items()}
    lines = []
    for y in range(y0, y1 + 1):
        v, line = y // SIDE, y % SIDE * SIDE
        whole = b"".join(data[u, v][line : line + SIDE] for u in columns)
        begin = x0 - columns[0] * SIDE
        lines.append(whole[begin : begin + x1 - x0 + 1])
    return Ground((x0, y0), (x1 - x0 + 1, y1 - y0 + 1), deflate(b"".join(lines)), level)


def _unpacked(name: str, where: str, text: str) -> bytes:
    try:
        data = zlib.decompressobj().decompress(base64.b64decode(text, validate=True), SIDE**2 + 1)
    except (binascii.Error, ValueError, zlib.error):
        raise BadNotation(f"{name} does not unpack: it is not a collision file.", where) from None
    if len(data) != SIDE**2:
        raise BadNotation(f"{name} is not {SIDE} x {SIDE} tiles.", where)
    return data
