"""The verbs `practice` and `listen`: a hidden spot, its pulses, and the ticks of the walk.

The walk is the sequence of the position's observations, so that undo and links work without further
state. It goes round walls as the route does; pulses seen in passing cost no scan.
"""

from __future__ import annotations

import random
from typing import Any

import msgspec

from cluewise.core.seal import seal
from cluewise.core.work import Job, Progress
from cluewise.desks.scan.engine.ground import over_floors
from cluewise.desks.scan.engine.planner import NEVER, Planner, Tile
from cluewise.desks.scan.engine.runs import log_run, make_run
from cluewise.desks.scan.position import (
    Observation,
    Position,
    floor_of,
    hidden_spot,
    spots_of,
)
from cluewise.desks.scan.results import (
    Heard,
    Hidden,
    ListenOptions,
    PracticeOptions,
    RouteOptions,
)
from cluewise.desks.scan.scene import ScanModel, on_other_level, pulse
from cluewise.desks.scan.verbs.route import route
from cluewise.errors import BadOption, BadPosition
from cluewise.kernel import kernel

_Stop = tuple[Tile, bool]  # the tile, and whether a scan was made


def practice(position: Position, options: PracticeOptions) -> Job[Hidden]:
    """Hide one of the remaining spots; the walk starts at the current tile."""
    yield Progress(1, 1)
    scene = ScanModel.of(position)
    scene.must_remain()
    scene = over_floors(scene)
    with kernel().frame() as frame:  # only spots that can be reached are hidden
        planner = Planner(frame, scene)
        yield from planner.load_walls(scene.start)
        left = planner.scene.remaining
    if not left:
        raise BadPosition("There is no spot to hide.", "$.position.spots")
    spot = random.Random(options.seed).choice(left)
    return Hidden(list(scene.start), seal(str(spot), "scan"))


def listen(position: Position, options: ListenOptions) -> Job[Heard]:
    """Return the pulse at a tile and the ticks so far; at the end also the route's ticks."""
    number = hidden_spot(position)
    if number is None or position.practice is None:
        raise BadPosition("Nothing is hidden here; ask `practice` first.", "$.position.practice")
    scene, spot = ScanModel.of(position), spots_of(position)[number]
    here: Tile | None = options.tile
    if here is None and not options.reveal:
        here = position.here or position.practice.start
    here = None if here is None else scene.tile(here)
    fresh = _position_at_start(position, number)
    seen = [o for o in position.observations if o.at is not None]
    stops = [(scene.tile(o.at or ()), not o.in_passing) for o in seen]
    rows: list[Observation] = []
    if here is not None and [tile for tile, _ in stops[-1:]] != [here]:
        begin = stops[-1][0] if stops else scene.tile(position.practice.start)
        if options.listen and begin[2:] == here[2:]:  # to another floor one walks, and scans there
            rows = yield from _run(position, fresh, number, (begin, here), options.reaction)
        else:
            rows = [_scan(scene, here, spot)]
        stops += [(scene.tile(row.at or here), not row.in_passing) for row in rows]
        here = stops[-1][0]
    last = rows[-1] if rows else _scan(scene, here, spot) if here is not None else None
    ticks, rest = yield from _walk(fresh, stops, number, options.stop)
    shown = options.reveal or (last is not None and last.pulse == 3)
    compared: tuple[int, float] | None = None
    if shown:
        ticks += rest
        compared = yield from _route(fresh, number, options)
    yield Progress(1, 1)
    return Heard(
        pulse=last.pulse if last else None,
        different_level=last.different_level if last else None,
        at=None if here is None else list(here),
        rows=rows,
        spot=number if shown else None,
        ticks=ticks,
        scans=sum(scanned for _, scanned in stops),
        route_ticks=compared[0] if compared else None,
        route_mean=compared[1] if compared else None,
    )


def _scan(scene: ScanModel, here: Tile, spot: tuple[int, int, int]) -> Observation:
    """Return a scan at a tile as a row of the log."""
    at = (*here, scene.floor)[:3]
    other = on_other_level(at, spot, scene.reach) if scene.with_levels else None
    return Observation(pulse=pulse(here, spot, scene.reach), at=at, different_level=other)


def _run(
    position: Position, fresh: Position, number: int, way: tuple[Tile, Tile], reaction: int
) -> Job[list[Observation]]:
    """Return the rows of a run for the hidden spot, given all spots that still fit."""
    scene, fits = ScanModel.of(fresh), {*ScanModel.of(position).fitting, number}
    with kernel().frame() as frame:
        planner = Planner(frame, scene)
        yield from planner.load_walls(way[0], way[1])
        scene = planner.scene
        left = sum(1 << j for j, i in enumerate(scene.remaining) if i in fits)
        leg = make_run(planner, left, *way, reaction)
        if not leg.outcomes:  # no path leads there
            return [_scan(scene, way[1], scene.spots[number])]
        hidden = scene.remaining.index(number)
        return log_run(planner, leg, leg.outcome_of(hidden), hidden)


def _position_at_start(position: Position, number: int) -> Position:
    """Return the position at the start of the practice, without clues."""
    assert position.practice is not None
    x, y, floor = (*position.practice.start, floor_of(position))[:3]
    return msgspec.structs.replace(
        position,
        observations=(),
        ruled_out=tuple(i for i in position.ruled_out if i != number),
        here=(x, y),
        floor=floor,
        practice=None,
    )


def _scene_at_start(fresh: Position, number: int) -> ScanModel:
    """Return the scene of the start; raises `BadPosition` if no stairs lead to the spot."""
    scene = over_floors(ScanModel.of(fresh))
    if number in scene.beyond:
        raise BadPosition("No stairs lead to the hidden spot's floor.", "$.position.stairs")
    return scene


def _walk(fresh: Position, stops: list[_Stop], number: int, cost: int) -> Job[tuple[int, int]]:
    """Return the ticks along the stops, `cost` per scan, and those from the last to the spot."""
    scene = _scene_at_start(fresh, number)
    at, ticks = scene.start, 0
    with kernel().frame() as frame:
        planner = Planner(frame, scene)
        yield from planner.load_walls(at, *(stop for stop, _ in stops))
        planner.scene.must_reach(number)
        for stop, scanned in stops:
            walk = planner.walk_ticks(at, stop)
            if walk >= NEVER:
                raise BadOption(
                    f"{stop[0]}, {stop[1]} cannot be reached from {at[0]}, {at[1]}: "
                    "walls are in the way.",
                    "$.options.tile",
                )
            at, ticks = stop, ticks + walk + cost * scanned
        return ticks, planner.ticks_from(at)[planner.scene.remaining.index(number)]


def _route(fresh: Position, number: int, options: ListenOptions) -> Job[tuple[int, float]]:
    """Return the ticks of the default route from the same start for the spot, and its mean."""
    found = yield from route(
        fresh, RouteOptions(stop=options.stop, listen=options.listen, reaction=options.reaction)
    )
    start, scene = tuple(found.start), _scene_at_start(fresh, number)
    with kernel().frame() as frame:
        planner = Planner(frame, scene)
        yield from planner.load_walls(start)
        ticks, at = _follow(found.tree, scene, start, number, options.stop)
        if at is not None:
            ticks += planner.ticks_from(at)[planner.scene.remaining.index(number)]
    return ticks, found.expected_ticks


def _follow(
    tree: dict[str, Any], scene: ScanModel, start: Tile, number: int, stop: int
) -> tuple[int, Tile | None]:
    """Return the ticks along a route's tree to the leaf, and its tile; None after a dig."""
    ticks, at, node = 0, start, tree
    while "tile" in node or "dig" in node:
        if "dig" in node:
            ticks, at = ticks + node["walk_ticks"], tuple(node["dig"])
            if number in node["spots"]:
                return ticks, None
            ticks, node = ticks + stop, node["else"]
            continue
        if "heard" in node:
            heard = next(h for h in node["heard"] if _holds(h["then"], number))
            ticks, at, node = ticks + heard["ticks"], tuple(heard["at"]), heard["then"]
            continue
        ticks += node["walk_ticks"] + stop
        at = tuple(node["tile"])
        node = node["answers"][scene.answer(at, scene.spots[number])]
    return ticks, at


def _holds(node: dict[str, Any], number: int) -> bool:
    """Whether a spot is among the leaves below."""
    stack = [node]
    while stack:
        item = stack.pop()
        if item.get("spot") == number or number in item.get("spots", ()):
            return True
        stack.extend(item.get("answers", {}).values())
        stack.extend(heard["then"] for heard in item.get("heard", ()))
    return False
