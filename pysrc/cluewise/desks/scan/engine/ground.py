"""Terrain in the kernel's memory, and the floors and teleports that a plan may use."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

import msgspec

from cluewise.desks.scan import walls
from cluewise.desks.scan.engine.classes import window_of
from cluewise.desks.scan.position import Stairs, Teleport
from cluewise.desks.scan.scene import ScanModel, Tile, ticks_between
from cluewise.desks.scan.steps import Terrain, Window
from cluewise.errors import BadPosition, TooLarge
from cluewise.kernel import Frame
from cluewise.kernel.layouts import SCAN

MOST_GROUND = 4 << 20  # tiles of a ground, the kernel's limit
MOST_FIELDS = 24 << 20  # bytes of the distances to the spots
MOST_WALKS = 24 << 20  # bytes of the cached searches
MOST_BYTES = 36 << 20  # of distances and searches together
MOST_CELLS = SCAN.SCAN_BREAKS  # of an axis
FEW_TELEPORTS = 8  # up to which none is removed as dominated


class LoadedGround(NamedTuple):
    """Terrain in the kernel's memory: floors of one window, the lowest first."""

    address: int
    window: Window
    terrain: dict[int, Terrain]
    """By floor; without stairs only that of the current floor, as 0."""


def load_ground(frame: Frame, scene: ScanModel, *tiles: Tile) -> LoadedGround | None:
    """Write a ScanGround that includes some tiles; None if it would have no wall.

    Raises `TooLarge` beyond the kernel's limits.
    """
    spots, floors = len(scene.remaining), _floors(scene)
    near, whole = _windows(_with_tiles(window_of(scene), *tiles), list(floors.values()))
    size = len(floors) * whole[2] * whole[3]
    fields = 2 * len(floors) * near[2] * near[3] * spots
    if size > MOST_GROUND or fields > MOST_FIELDS:
        raise TooLarge(
            f"Ways round walls are computed for {MOST_GROUND >> 20} million tiles, and "
            f"{MOST_FIELDS >> 21} million times spots round them; here are {whole[2]} × {whole[3]} "
            f"tiles, {near[2]} × {near[3]} of them round the {spots} spots"
            f"{f', on {len(floors)} floors' if len(floors) > 1 else ''}."
        )
    terrain = {level: walls.window_terrain(given, whole) for level, given in floors.items()}
    if not scene.has_ground and all(
        row == (1 << whole[2]) - 1 for one in terrain.values() for row in one.standable
    ):
        return None
    return LoadedGround(_write_ground(frame, terrain, whole, near, scene), whole, terrain)


def _floors(scene: ScanModel) -> dict[int, walls.Walls]:
    """Return the walls of every floor from the lowest to the highest with stairs."""
    if not scene.stairs:
        return {0: scene.walls_on(scene.floor) or walls.Walls()}
    levels = {scene.floor, *(end[2] for one in scene.stairs for end in (one.at, one.to))}
    return {n: scene.walls_on(n) or walls.Walls() for n in range(min(levels), max(levels) + 1)}


def _windows(near: Window, floors: list[walls.Walls]) -> tuple[Window, Window]:
    """Return the window of the scans, and one with a shortest path between any of its tiles."""
    grounds = [(*one.ground.at, *one.ground.size) for one in floors if one.ground is not None]
    if len(grounds) == len(floors):
        whole = _bounding_window(grounds)
        return _intersection(near, whole), whole
    whole = near
    while True:
        grown = _bounding_window([whole, *(walls.walkable_window(one, whole) for one in floors)])
        if grown == whole:
            return near, whole
        whole = grown


def _write_ground(
    frame: Frame, terrain: dict[int, Terrain], whole: Window, near: Window, scene: ScanModel
) -> int:
    x0, y0, width, height = whole
    spots, floors, mask = len(scene.remaining), len(terrain), (1 << width) - 1
    blocked = [~row & mask for one in terrain.values() for row in one.standable]
    steps = [[row for one in terrain.values() for row in one.steps[k]] for k in range(8)]
    count, rows = floors * width * height, near[2] + floors * near[3]
    blocks = -(-width // SCAN.SCAN_BLOCK) * -(-floors * height // SCAN.SCAN_BLOCK)
    cells = floors * min(near[2], MOST_CELLS) * min(near[3], MOST_CELLS)
    walks = min(MOST_WALKS, MOST_BYTES - 2 * floors * near[2] * near[3] * spots)
    slots = max(1, min(SCAN.SCAN_SEARCHES, walks // (7 * count)))
    ground = frame.reserve(SCAN.ScanGround, zero=True)
    frame.set(
        ground, SCAN.ScanGround_AT, x0=x0, y0=y0, width=width, height=height,
        level=min(terrain), floors=floors,
        near_x=near[0] - x0, near_y=near[1] - y0, near_width=near[2], near_height=near[3],
        prefer_room=int(scene.has_ground),
        walls=frame.put(walls.window_words(blocked, width)),
        steps=frame.put(b"".join(walls.window_words(one, width) for one in steps)),
        exits=frame.reserve(count), entries=frame.reserve(count),
        near_sets=frame.reserve(24 * rows),
        near_cells=frame.reserve(2 * rows),
        cell_bounds=frame.reserve(SCAN.SCAN_CELL_BOUND_ENTRY * cells),
        to_spot=frame.reserve(2 * (floors * near[2] * near[3] * spots + 8)),
        block_steps=frame.reserve(2 * (blocks * spots + 8)), block_bounds=frame.reserve(8 * blocks),
        slots=slots, distance=frame.reserve(2 * count * slots),
        arrived=frame.reserve(count * slots), queue=frame.reserve(4 * count * slots),
        path=frame.reserve(4 * count),
    )  # fmt: skip
    return ground


def levels_reached(stairs: tuple[Stairs, ...], floor: int) -> set[int]:
    """Return the levels that can be reached from one by stairs, itself included.

    >>> levels_reached((Stairs((0, 0, 0), (0, 0, 1)), Stairs((9, 0, 2), (9, 0, 3))), 1)
    {0, 1}
    """
    reached, grown = {floor}, set[int]()
    while reached != grown:
        grown = set(reached)
        for one in stairs:
            if reached & {one.at[2], one.to[2]}:
                reached |= {one.at[2], one.to[2]}
    return reached


def over_floors(scene: ScanModel) -> ScanModel:
    """Return the scene for plans, with the spots that no stairs lead to in `beyond`.

    Raises `TooLarge` beyond 64 spots, `BadPosition` for a teleport to a floor from which no stairs
    lead back.
    """
    if not scene.stairs:
        return scene
    reached = levels_reached(scene.stairs, scene.floor)
    for i, teleport in enumerate(scene.position.teleports):
        level = scene.tile(teleport.at)[2]
        if level not in reached:
            raise BadPosition(
                f"This teleport leads to floor {level}, and no stairs lead from there to floor "
                f"{scene.floor}; leave it out or add those stairs.",
                f"$.position.teleports[{i}]",
            )
    beyond = tuple(i for i in scene.fitting if scene.spots[i][2] not in reached)
    found = replace(scene, beyond=beyond)
    if len(found.remaining) > SCAN.SCAN_ROUTE_SPOTS:
        raise TooLarge(
            f"Ways over floors are planned for up to {SCAN.SCAN_ROUTE_SPOTS} spots; "
            f"{len(found.remaining)} are left. Rule spots out or leave the stairs out."
        )
    return found


def usable_teleports(scene: ScanModel) -> tuple[Teleport, ...]:
    """Return the teleports that a plan may use; on a ground those that land on it.

    With more than FEW_TELEPORTS on the open plane, dominated ones are left out: another one is at
    least as quick to every tile, or they take longer than any walk.
    """
    found = scene.position.teleports
    if scene.has_ground:
        return tuple(_teleports_onto(scene))
    if len(found) <= FEW_TELEPORTS or scene.stairs or scene.position.walls or not scene.remaining:
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


def _teleports_onto(scene: ScanModel) -> Iterator[Teleport]:
    """The teleports to a ground's floor, each to the nearest standable tile of its landing area."""
    for one in scene.position.teleports:
        given, level = scene.walls_at(one.at), (*one.at, scene.floor)[2]
        if given is None or (
            not scene.stairs and given.ground and one.at[2:] not in ((), (given.ground.level,))
        ):
            continue
        if tile := walls.landing_tile(given, (one.at[0], one.at[1])):
            yield msgspec.structs.replace(one, at=(*tile, level)[: len(scene.tile(one.at))])


def _with_tiles(window: Window, *tiles: Tile) -> Window:
    """Extend a window to some tiles with a margin of two."""
    x0, y0, width, height = window
    x1 = max([x0 + width, *(tile[0] + 3 for tile in tiles)])
    y1 = max([y0 + height, *(tile[1] + 3 for tile in tiles)])
    x0, y0 = min([x0, *(t[0] - 2 for t in tiles)]), min([y0, *(t[1] - 2 for t in tiles)])
    return x0, y0, x1 - x0, y1 - y0


def _bounding_window(windows: list[Window]) -> Window:
    """Return the bounding window."""
    x0, y0 = min(w[0] for w in windows), min(w[1] for w in windows)
    x1, y1 = max(w[0] + w[2] for w in windows), max(w[1] + w[3] for w in windows)
    return x0, y0, x1 - x0, y1 - y0


def _intersection(a: Window, b: Window) -> Window:
    """Return the intersection of two windows."""
    x0, y0 = max(a[0], b[0]), max(a[1], b[1])
    x1, y1 = min(a[0] + a[2], b[0] + b[2]), min(a[1] + a[3], b[1] + b[3])
    return x0, y0, x1 - x0, y1 - y0
