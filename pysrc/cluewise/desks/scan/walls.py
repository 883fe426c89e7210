"""Walls: tiles that cannot be walked on. A packed grid or a ground, with rectangles painted over.

A grid's `packed` is base64url of raw-deflated bits, row by row from the lowest y, each row
padded to whole bytes, lowest x in the lowest bit, 1 = wall. Everything outside is walkable. A
ground has steps between neighbouring tiles (`steps.py`); nothing outside it is walkable. Each floor
may have walls of its own.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from cluewise.desks.scan.steps import (
    Ground,
    Terrain,
    Window,
    deflate,
    inflate,
    terrain_of_ground,
    terrain_of_tiles,
)
from cluewise.desks.scan.steps import unpack as unpack_ground
from cluewise.errors import BadPosition

MOST_TILES = 1 << 20  # of an imported grid: 1024 x 1024
MOST_SIDE = 4096
MOST_PAINTED = 4000
HIGHEST_LEVEL = 3
LANDING = 2  # radius in tiles of a landing area on a ground
_EDGE = 20000


class WallGrid(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """An imported walkability grid."""

    at: tuple[int, int]
    """Its lowest corner, [x, y]."""
    size: tuple[int, int]
    """[width, height] in tiles."""
    packed: str
    """Base64url of raw-deflated bits, row by row from the lowest y, padded to bytes, 1 = wall."""


class FloorWalls(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The walls of one floor: a grid or a ground, and what was painted over it."""

    level: int
    """The floor."""
    grid: WallGrid | None = None
    """The imported grid; null without one."""
    ground: Ground | None = None
    """Terrain from the game's collision data; null without it or with a grid."""
    painted: tuple[tuple[int, int, int, int, int], ...] = ()
    """Strokes in order: [x0, y0, x1, y1, 1] makes walls, 0 at the end frees."""


class Walls(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A grid or a ground, and what was painted over it; of other floors in `floors`."""

    grid: WallGrid | None = None
    """The imported grid; null without one."""
    ground: Ground | None = None
    """Terrain from the game's collision data; null without it or with a grid."""
    painted: tuple[tuple[int, int, int, int, int], ...] = ()
    """Strokes in order: [x0, y0, x1, y1, 1] makes walls, 0 at the end frees."""
    floors: tuple[FloorWalls, ...] = ()
    """Floors with walls of their own. The walls above are those of all other floors; a ground, with
    its strokes, of its own floor alone where there are stairs or such floors."""


def on_floor(walls: Walls, level: int) -> Walls:
    """Return the walls of a floor."""
    for one in walls.floors:
        if one.level == level:
            return Walls(one.grid, one.ground, one.painted)
    if walls.ground is not None and walls.ground.level != level:
        return Walls()
    return msgspec.structs.replace(walls, floors=()) if walls.floors else walls


def check(walls: Walls, where: str) -> None:
    """Raise `BadPosition` for a grid beyond the limits or one that does not unpack."""
    if walls.grid is not None:
        check_size(walls.grid.size, f"{where}.grid.size")
        if any(abs(v) > _EDGE for v in walls.grid.at):
            raise BadPosition("The grid lies off the map.", f"{where}.grid.at")
        unpack(walls.grid, f"{where}.grid.packed")
    if walls.ground is not None:
        if walls.grid is not None:
            raise BadPosition("Give a grid or a ground, not both.", f"{where}.ground")
        check_size(walls.ground.size, f"{where}.ground.size")
        if any(abs(v) > _EDGE for v in walls.ground.at):
            raise BadPosition("The ground lies off the map.", f"{where}.ground.at")
        if not 0 <= walls.ground.level <= HIGHEST_LEVEL:
            raise BadPosition("A level is a number from 0 to 3.", f"{where}.ground.level")
        unpack_ground(walls.ground, f"{where}.ground.packed")
    if len(walls.painted) > MOST_PAINTED:
        raise BadPosition(f"At most {MOST_PAINTED} painted strokes.", f"{where}.painted")
    for i, (x0, y0, x1, y1, kind) in enumerate(walls.painted):
        if x0 > x1 or y0 > y1 or max(abs(v) for v in (x0, y0, x1, y1)) > _EDGE:
            raise BadPosition(
                "A painted stroke is [x0, y0, x1, y1, 1 or 0], lowest corner first, on the map.",
                f"{where}.painted[{i}]",
            )
        if kind not in (0, 1):
            raise BadPosition("A stroke ends with 1 (wall) or 0 (free).", f"{where}.painted[{i}]")
    for i, one in enumerate(walls.floors):
        at = f"{where}.floors[{i}]"
        if not 0 <= one.level <= HIGHEST_LEVEL:
            raise BadPosition("A level is a number from 0 to 3.", f"{at}.level")
        if any(other.level == one.level for other in walls.floors[:i]):
            raise BadPosition(f"Floor {one.level} has walls twice.", f"{at}.level")
        if one.ground is not None and one.ground.level != one.level:
            raise BadPosition("The ground is of another floor.", f"{at}.ground.level")
        check(Walls(one.grid, one.ground, one.painted), at)


def check_size(size: tuple[int, int], where: str) -> None:
    """Raise `BadPosition` that names the limit for a grid that is too large or empty."""
    width, height = size
    if width < 1 or height < 1:
        raise BadPosition("A grid has at least one tile.", where)
    if width > MOST_SIDE or height > MOST_SIDE or width * height > MOST_TILES:
        raise BadPosition(
            f"A walkability grid may have {MOST_TILES} tiles (1024 × 1024) and {MOST_SIDE} a side; "
            f"this one is {width} × {height}.",
            where,
        )


def pack(rows: Iterable[int], at: tuple[int, int], size: tuple[int, int]) -> WallGrid:
    """Pack rows, integers with bit x = wall at the x-th tile, lowest y first."""
    line = (size[0] + 7) // 8
    data = b"".join(row.to_bytes(line, "little") for row in rows)
    return WallGrid(at, size, deflate(data))


def unpack(grid: WallGrid, where: str = "$.walls.grid.packed") -> list[int]:
    """Return the grid's rows as integers, lowest y first."""
    width, height = grid.size
    line = (width + 7) // 8
    data = inflate(grid.packed, line * height, grid.size, "The grid's bits", where)
    mask = (1 << width) - 1
    return [int.from_bytes(data[i : i + line], "little") & mask for i in range(0, len(data), line)]


def window_rows(walls: Walls, window: Window) -> list[int]:
    """Return the rows of a window (x0, y0, width, height), lowest y first, bit = wall."""
    x0, y0, width, height = window
    mask, rows = (1 << width) - 1, [0] * height
    if walls.ground is not None:
        terrain = terrain_of_ground(walls.ground, walls.painted).crop(window)
        return [~row & mask for row in terrain.standable]
    if walls.grid is not None:
        gx, gy = walls.grid.at
        for i, bits in enumerate(unpack(walls.grid)):
            if 0 <= gy + i - y0 < height:
                shift = gx - x0
                rows[gy + i - y0] = (bits << shift if shift >= 0 else bits >> -shift) & mask
    for a, b, c, d, kind in walls.painted:
        left, right = max(a - x0, 0), min(c - x0, width - 1)
        if left > right:
            continue
        stroke = ((1 << (right - left + 1)) - 1) << left
        for y in range(max(b - y0, 0), min(d - y0, height - 1) + 1):
            rows[y] = rows[y] | stroke if kind else rows[y] & ~stroke
    return rows


def window_terrain(walls: Walls, window: Window) -> Terrain:
    """Return the steps in a window; without a ground all between free tiles, corners not cut."""
    if walls.ground is not None:
        return terrain_of_ground(walls.ground, walls.painted).crop(window)
    mask = (1 << window[2]) - 1
    return terrain_of_tiles([~row & mask for row in window_rows(walls, window)], window)


def walkable_window(walls: Walls, window: Window) -> Window:
    """Extend a window until no wall crosses its edge, with a margin of one free tile.

    A path that leaves this window can be projected onto its edge without becoming longer, so some
    shortest path between any two of its tiles stays inside. Strokes count whole, a grid by the box
    of its walls. With a ground it is the ground's window.
    """
    if walls.ground is not None:
        return (*walls.ground.at, *walls.ground.size)
    x0, y0, x1, y1 = window[0], window[1], window[0] + window[2] - 1, window[1] + window[3] - 1
    boxes = [(a, b, c, d) for a, b, c, d, kind in walls.painted if kind] + _grid_box(walls)
    while True:
        touching = [o for o in boxes if o[0] <= x1 and o[2] >= x0 and o[1] <= y1 and o[3] >= y0]
        a, b = min([x0, *(o[0] - 1 for o in touching)]), min([y0, *(o[1] - 1 for o in touching)])
        c, d = max([x1, *(o[2] + 1 for o in touching)]), max([y1, *(o[3] + 1 for o in touching)])
        if (a, b, c, d) == (x0, y0, x1, y1):
            return x0, y0, x1 - x0 + 1, y1 - y0 + 1
        x0, y0, x1, y1 = a, b, c, d


def extent(walls: Walls) -> Window | None:
    """Return the least window with every wall, painted boxes whole; None without walls. With a
    ground it is the ground's window."""
    if walls.ground is not None:
        return (*walls.ground.at, *walls.ground.size)
    boxes = [(a, b, c, d) for a, b, c, d, kind in walls.painted if kind] + _grid_box(walls)
    if not boxes:
        return None
    x0, y0 = min(box[0] for box in boxes), min(box[1] for box in boxes)
    x1, y1 = max(box[2] for box in boxes), max(box[3] for box in boxes)
    return x0, y0, x1 - x0 + 1, y1 - y0 + 1


def _grid_box(walls: Walls) -> list[tuple[int, int, int, int]]:
    """Return the box of a grid's walls, if it has any."""
    rows = [] if walls.grid is None else unpack(walls.grid)
    some = [i for i, row in enumerate(rows) if row]
    if walls.grid is None or not some:
        return []
    x, y = walls.grid.at
    union = 0
    for row in rows:
        union |= row
    left = (union & -union).bit_length() - 1
    return [(x + left, y + some[0], x + union.bit_length() - 1, y + some[-1])]


def window_words(rows: list[int], width: int) -> bytes:
    """Return the rows for the kernel: whole 64-bit words per row, little-endian."""
    line = (width + 63) // 64 * 8
    return b"".join(row.to_bytes(line, "little") for row in rows)


def nearest_free(walls: Walls, tile: tuple[int, int], within: int = 100) -> tuple[int, int]:
    """Return the free tile nearest to `tile` (Chebyshev, then lowest y, then lowest x).

    Returns `tile` itself if everything within that distance is wall.
    """
    x, y = tile
    side = 2 * within + 1
    rows = window_rows(walls, (x - within, y - within, side, side))
    free = [
        (max(abs(u - within), abs(v - within)), v, u)
        for v, row in enumerate(rows)
        for u in range(side)
        if not row >> u & 1
    ]
    if not free:
        return tile
    _, v, u = min(free)
    return x - within + u, y - within + v


def is_wall(walls: Walls, tile: tuple[int, int]) -> bool:
    """Whether no one can stand on that tile."""
    return bool(window_rows(walls, (*tile, 1, 1))[0])


def is_outside(walls: Walls, tile: tuple[int, int]) -> bool:
    """Whether a tile lies outside the window of a ground."""
    if walls.ground is None:
        return False
    (x0, y0), (width, height) = walls.ground.at, walls.ground.size
    return not (0 <= tile[0] - x0 < width and 0 <= tile[1] - y0 < height)


def landing_tile(walls: Walls, tile: tuple[int, int]) -> tuple[int, int] | None:
    """Return the tile of a landing: on a ground the nearest standable one of the landing area;
    None in a wall."""
    if walls.ground is not None:
        tile = nearest_free(walls, tile, LANDING)
    return None if is_wall(walls, tile) else tile
