"""Terrain in the kernel's memory, and the teleports that a plan may use on it."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from cluewise.desks.scan import walls
from cluewise.desks.scan.engine.classes import window_of
from cluewise.desks.scan.position import Teleport
from cluewise.desks.scan.scene import ScanModel, Tile, ticks_between
from cluewise.desks.scan.steps import Window
from cluewise.errors import TooLarge
from cluewise.kernel import Frame
from cluewise.kernel.layouts import SCAN

MOST_GROUND = 4 << 20  # tiles one may walk on, as the kernel has it
MOST_FIELDS = 24 << 20  # bytes of distances to the spots
FEW_TELEPORTS = 8  # all of so many are planned with
LANDING = 2  # tiles round the middle of a landing area


def put_ground(
    frame: Frame, scene: ScanModel, given: walls.Walls, *tiles: Tile
) -> tuple[int, Window]:
    """The address of a ScanGround that reaches to some tiles, and its window; 0 where no wall is in
    the way.

    Raises `TooLarge` beyond the kernel's limits.
    """
    spots = len(scene.remaining)
    near = _with_tiles(window_of(scene), *tiles)
    x0, y0, width, height = whole = walls.walkable_window(given, near)
    if given.ground is not None:
        near = _common(near, whole)
    if width * height > MOST_GROUND or 2 * near[2] * near[3] * spots > MOST_FIELDS:
        raise TooLarge(
            f"Walking round walls is worked out for {MOST_GROUND >> 20} million tiles, and "
            f"{MOST_FIELDS >> 21} million times spots round them; here are {width} × {height} "
            f"tiles, {near[2]} × {near[3]} of them round the {spots} spots."
        )
    terrain = walls.window_terrain(given, whole)
    mask = (1 << width) - 1
    blocked = [~row & mask for row in terrain.standable]
    if given.ground is None and not any(blocked):
        return 0, whole
    lines = (walls.window_words(rows, width) for rows in terrain.steps)
    count = width * height
    ground = frame.reserve(SCAN.ScanGround, zero=True)
    frame.set(
        ground, SCAN.ScanGround_AT, x0=x0, y0=y0, width=width, height=height,
        near_x=near[0] - x0, near_y=near[1] - y0, near_width=near[2], near_height=near[3],
        prefer_room=int(given.ground is not None),
        walls=frame.put(walls.window_words(blocked, width)), steps=frame.put(b"".join(lines)),
        exits=frame.reserve(count), near_sets=frame.reserve(24 * (near[2] + near[3])),
        to_spot=frame.reserve(2 * near[2] * near[3] * spots),
        distance=frame.reserve(2 * count), arrived=frame.reserve(count),
        queue=frame.reserve(4 * count),
    )  # fmt: skip
    return ground, whole


def usable_teleports(scene: ScanModel) -> tuple[Teleport, ...]:
    """The teleports that a plan may use; on a ground those that land on it.

    Of more than a few on the open plane those are left out that can shorten no way: another one is
    nearer to every tile, or they take longer than any walk.
    """
    given, found = scene.position.walls, scene.position.teleports
    if given is not None and given.ground is not None:
        return tuple(_landing_on(given, found))
    if len(found) <= FEW_TELEPORTS or scene.stairs or given is not None or not scene.remaining:
        return found
    x0, y0, width, height = window_of(scene)
    x1, y1, (x, y) = x0 + width - 1, y0 + height - 1, scene.start[:2]
    longest = max(max(x1, x) - min(x0, x), max(y1, y) - min(y0, y))
    kept: list[Teleport] = []
    for one in sorted(found, key=lambda t: t.ticks):
        u, v = one.at[:2]
        away = max(x0 - u, u - x1, y0 - v, v - y1, 0)
        near = any(t.ticks + ticks_between(t.at, one.at) <= one.ticks for t in kept)
        if not near and 2 * one.ticks + away < longest:
            kept.append(one)
    return tuple(kept)


def _landing_on(given: walls.Walls, teleports: tuple[Teleport, ...]) -> Iterator[Teleport]:
    """The teleports to a ground's floor, each to the nearest standable tile of its landing area."""
    assert given.ground is not None
    for one in teleports:
        tile = walls.nearest_free(given, (one.at[0], one.at[1]), LANDING)
        if one.at[2:] in ((), (given.ground.level,)) and not walls.is_wall(given, tile):
            yield msgspec.structs.replace(one, at=tile)


def _with_tiles(window: Window, *tiles: Tile) -> Window:
    """A window grown to some tiles and two more round each."""
    x0, y0, width, height = window
    x1 = max([x0 + width, *(x + 3 for x, _ in tiles)])
    y1 = max([y0 + height, *(y + 3 for _, y in tiles)])
    x0, y0 = min([x0, *(x - 2 for x, _ in tiles)]), min([y0, *(y - 2 for _, y in tiles)])
    return x0, y0, x1 - x0, y1 - y0


def _common(a: Window, b: Window) -> Window:
    """The part of two windows that they share."""
    x0, y0 = max(a[0], b[0]), max(a[1], b[1])
    x1, y1 = min(a[0] + a[2], b[0] + b[2]), min(a[1] + a[3], b[1] + b[3])
    return x0, y0, x1 - x0, y1 - y0
