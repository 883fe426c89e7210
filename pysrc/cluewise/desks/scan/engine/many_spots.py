"""States of more than 64 spots: where to scan next, one step ahead, by the cells of their map.

The kernel's routes keep a set of spots in one word. Until a state is that small, the same
ranking runs over the compressed grid of the classes, which takes any number of words.
"""

from __future__ import annotations

import struct

from cluewise.core.conflict import bit_indices
from cluewise.core.work import Job, Progress, SliceTimer
from cluewise.desks.scan.engine.classes import ClassComputation, window_of
from cluewise.desks.scan.engine.planner import MOST_SPOTS, POLICIES, Action, Planner, Policy, Tile
from cluewise.desks.scan.position import Position
from cluewise.desks.scan.scene import (
    COMPLEMENT_EXTRA,
    ScanModel,
    along,
    complement_y,
    ticks_between,
)
from cluewise.desks.scan.steps import Window
from cluewise.kernel import kernel
from cluewise.kernel.layouts import SCAN

_CELL = struct.Struct(SCAN.ScanCell_FORMAT)


def actions_of(
    planner: Planner, spots: int, here: Tile, policy: Policy, room: int
) -> Job[list[Action]]:
    """The best actions of a state of any number of spots, best first."""
    if spots.bit_count() <= MOST_SPOTS:
        return planner.actions(spots, here, policy, room)
    tiles = yield from _ranked(planner, spots, here, policy, room)
    return [_action(planner, spots, here, tile) for tile in tiles]


def _ranked(planner: Planner, spots: int, here: Tile, policy: Policy, room: int) -> Job[list[Tile]]:
    with kernel().frame() as frame:
        scene = _scene_of(planner, spots)
        work = ClassComputation(frame, scene, window=_window(scene, here))
        for _ in work.cut():
            yield Progress(0, None, "cutting the map")
        work.set_up()
        out, weights = frame.reserve(room * _CELL.size), frame.reserve(8 * spots.bit_count() + 8)
        order = frame.reserve(2 * work.rows)
        x0, y0 = work.window[:2]
        count, row, pace = 0, 0, SliceTimer(first=16)
        while row < work.rows:
            end = row + pace.rows(work.rows - row)
            count = frame.call(
                "scan_rank", map=work.map, x=here[0] - x0, y=here[1] - y0,
                policy=POLICIES[policy], stop=planner.stop, first=row, end=end, count=count,
                room=room, out=out, weights=weights, order=order,
            )  # fmt: skip
            pace.took()
            row = end
            yield Progress(row, work.rows, "comparing places")
        cells = _CELL.iter_unpack(frame.get(out, "B", count * _CELL.size).tobytes())
        return [(x + x0, y + y0) for _score, _ticks, x, y, _column, _row in cells]


def _scene_of(planner: Planner, spots: int) -> ScanModel:
    """The spots of a set as a clue of their own."""
    scene = planner.scene
    chosen = tuple(planner.spots[j] for j in bit_indices(spots))
    fresh = Position(range=scene.reach, spots=chosen, floor=scene.floor)
    return ScanModel(fresh, chosen, scene.reach, scene.floor, planner.with_levels)


def _window(scene: ScanModel, here: Tile) -> Window:
    """The classes' window, with the tile one stands on and, with levels, the complements."""
    x0, y0, width, height = window_of(scene)
    xs, ys = [x0, x0 + width - 1, here[0]], [y0, y0 + height - 1, here[1]]
    if scene.with_levels:
        half = scene.reach + COMPLEMENT_EXTRA + 1
        for x, y, _level in scene.spots:
            xs += [x - half, x + half]
            ys += [complement_y(y) - half, complement_y(y) + half]
    return min(xs), min(ys), max(xs) - min(xs) + 1, max(ys) - min(ys) + 1


def _action(planner: Planner, spots: int, here: Tile, tile: Tile) -> Action:
    at, spent = _stop(planner, spots, here, tile)
    answers = planner.answers(at, spots)
    shown = sum(left for name, left in answers.items() if name.startswith("3"))
    parts = tuple(left for name, left in answers.items() if not name.startswith("3"))
    cost = spots.bit_count() * spent + planner.straight(at, shown)
    return Action(tile, at, cost, parts)


def _stop(planner: Planner, spots: int, here: Tile, tile: Tile) -> tuple[Tile, int]:
    """Where the answer comes and after how many ticks: on arrival, or by a pulse on the way."""
    by, before = planner.way_by(here, tile), 0
    if by is not None:
        here, before = planner.landing(by), planner.used[by].ticks
    ticks = ticks_between(here, tile)
    for tick in range(2, ticks, 2) if planner.on_the_way else ():
        at = along(here, tile, tick)
        answers = planner.answers(at, spots)
        if len(answers) > 1 or "3" in answers or "3d" in answers:
            return at, before + tick
    return tile, before + ticks + planner.stop
