"""Terrain as steps between neighbouring tiles in eight directions.

Directions are numbered as the bits of the game's collision bytes: W, N, E, S, NW, NE, SE, SW, with
x growing east and y north. Each direction has a list of rows, lowest y first; bit x of a row is set
if the x-th tile has a step in that direction. A tile is standable if some step leads onto it. Steps
may lead off a tile that is not, so reachability is directed.

Rows are integers of any length, processed with bit operations.
"""

from __future__ import annotations

import base64
import binascii
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import msgspec

from cluewise.errors import BadPosition

Rows = list[int]
Window = tuple[int, int, int, int]  # x0, y0, width, height
Stroke = tuple[int, int, int, int, int]  # x0, y0, x1, y1, kind

DX = (-1, 0, 1, 0, -1, 1, 1, -1)
DY = (0, 1, 0, -1, 1, 1, -1, -1)
WEST, SOUTH = 0, 3
_AS_DIGITS = [
    bytes(ord("1") if byte >> k & 1 else ord("0") for byte in range(256)) for k in range(8)
]


class Ground(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Terrain from the game's collision data; nothing outside it can be walked on."""

    at: tuple[int, int]
    """Its lowest corner, [x, y]."""
    size: tuple[int, int]
    """[width, height] in tiles."""
    packed: str
    """Base64url of raw-deflated bytes, one a tile, row by row from the lowest y: bit 0 to 7 = the
    steps W, N, E, S, NW, NE, SE, SW."""
    level: int = 0
    """Its floor."""


@dataclass(frozen=True, slots=True)
class Terrain:
    """Standable tiles and the steps between tiles of a window, by direction."""

    window: Window
    standable: Rows
    steps: tuple[Rows, ...]

    def crop(self, window: Window) -> Terrain:
        """Return the terrain of another window; outside this one no tile is standable."""
        if window == self.window:
            return self
        inside = [_crop(rows, self.window, window) for rows in self.steps]
        mask = (1 << window[2]) - 1
        for k, rows in enumerate(inside):  # none leads out of the window
            open_ = _shift([mask] * window[3], DX[k], DY[k], mask)
            inside[k] = [row & o for row, o in zip(rows, open_, strict=True)]
        return Terrain(window, _crop(self.standable, self.window, window), tuple(inside))

    def closed(self) -> tuple[Rows, Rows]:
        """Return for each tile whether there is no step in either direction between it and its
        western, and its southern, neighbour, although both are standable."""
        mask = (1 << self.window[2]) - 1
        found = []
        for k in (WEST, SOUTH):
            back = _shift(self.steps[k ^ 2], DX[k], DY[k], mask)
            there = _shift(self.standable, DX[k], DY[k], mask)
            rows = zip(self.standable, there, self.steps[k], back, strict=True)
            found.append([here & to & ~(a | b) for here, to, a, b in rows])
        return found[0], found[1]


def deflate(data: bytes) -> str:
    """Return bytes raw-deflated, as base64url."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = packer.compress(data) + packer.flush()
    return base64.urlsafe_b64encode(packed).decode().rstrip("=")


def inflate(packed: str, length: int, size: tuple[int, int], what: str, where: str) -> bytes:
    """Return the bytes of `deflate`; `length` of them are for `size` tiles."""
    try:
        bits = base64.b64decode(packed + "=" * (-len(packed) % 4), b"-_", validate=True)
        data = zlib.decompressobj(-15).decompress(bits, length + 1)
    except (binascii.Error, ValueError, zlib.error):
        raise BadPosition(f"{what} do not unpack.", where) from None
    if len(data) != length:
        raise BadPosition(f"{what} are not {size[0]} × {size[1]} tiles.", where)
    return data


def unpack(ground: Ground, where: str = "$.walls.ground.packed") -> bytes:
    """Return a ground's bytes, one per tile."""
    width, height = ground.size
    return inflate(ground.packed, width * height, ground.size, "The ground's bytes", where)


@lru_cache(maxsize=8)
def terrain_of_ground(ground: Ground, painted: tuple[Stroke, ...]) -> Terrain:
    """Return the terrain of a ground with painted strokes: 1 closes all steps onto a tile; 0 makes
    it standable and opens the steps to and from standable neighbours."""
    data, (width, height) = unpack(ground), ground.size
    mask = (1 << width) - 1
    lines = [data[i : i + width][::-1] for i in range(0, len(data), width)]
    steps = [[int(line.translate(table), 2) for line in lines] for table in _AS_DIGITS]
    for k in range(8):  # none leads out of the ground
        inside = _shift([mask] * height, DX[k], DY[k], mask)
        steps[k] = [row & to for row, to in zip(steps[k], inside, strict=True)]
    standable = [0] * height
    for k in range(8):
        for y, row in enumerate(_shift(steps[k], -DX[k], -DY[k], mask)):
            standable[y] |= row
    for stroke in painted:
        _paint(stroke, (*ground.at, width, height), standable, steps)
    return Terrain((*ground.at, width, height), standable, tuple(steps))


def _paint(stroke: Stroke, window: Window, standable: Rows, steps: list[Rows]) -> None:
    _, y0, width, height = window
    mask = (1 << width) - 1
    area = rectangle(stroke[:4], window)
    for y in range(height):
        standable[y] = standable[y] | area[y] if stroke[4] == 0 else standable[y] & ~area[y]
    for k in range(8):
        onto = _shift(area, DX[k], DY[k], mask)
        there = _shift(standable, DX[k], DY[k], mask)
        for y in range(max(0, stroke[1] - 1 - y0), min(height, stroke[3] + 2 - y0)):
            if stroke[4]:
                steps[k][y] &= ~onto[y]
            else:
                steps[k][y] |= (area[y] & there[y]) | (standable[y] & onto[y])


def rectangle(box: Sequence[int], window: Window) -> Rows:
    """Return the tiles of a box (inclusive) in a window, as rows."""
    x0, y0, width, height = window
    left, right = max(box[0] - x0, 0), min(box[2] - x0, width - 1)
    row = ((1 << (right - left + 1)) - 1) << left if left <= right else 0
    return [row if box[1] <= y0 + y <= box[3] else 0 for y in range(height)]


def terrain_of_tiles(standable: Rows, window: Window) -> Terrain:
    """Return terrain with all steps between neighbouring standable tiles; a diagonal step requires
    both tiles next to it: corners are not cut."""
    mask = (1 << window[2]) - 1
    steps = []
    for dx, dy in zip(DX, DY, strict=True):
        needed = [standable, _shift(standable, dx, dy, mask)]
        if dx and dy:
            needed += [_shift(standable, dx, 0, mask), _shift(standable, 0, dy, mask)]
        rows = []
        for tiles in zip(*needed, strict=True):
            row = mask
            for tile in tiles:
                row &= tile
            rows.append(row)
        steps.append(rows)
    return Terrain(window, standable, tuple(steps))


def _shift(rows: Rows, dx: int, dy: int, mask: int) -> Rows:
    """Return for each tile the bit of the tile (dx, dy) further; 0 outside."""
    blank = [0] * abs(dy)
    moved = rows[dy:] + blank if dy >= 0 else blank + rows[:dy]
    if dx == 0:
        return moved[: len(rows)]
    return [row >> 1 if dx > 0 else row << 1 & mask for row in moved[: len(rows)]]


def _crop(rows: Rows, old: Window, new: Window) -> Rows:
    dx, dy, mask = new[0] - old[0], new[1] - old[1], (1 << new[2]) - 1
    out = []
    for y in range(dy, dy + new[3]):
        row = rows[y] if 0 <= y < len(rows) else 0
        out.append((row >> dx if dx >= 0 else row << -dx) & mask)
    return out
