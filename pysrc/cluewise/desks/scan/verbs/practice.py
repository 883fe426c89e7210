"""Practice: a hidden spot, pulses where you walk, and the route's ticks to compare with.

The walk is the position's observations, in order, so undo and links work as ever. It goes round
walls as the route does, and only scans that were made count.
"""

from __future__ import annotations

import random
from typing import Any

import msgspec

from cluewise.core.seal import seal
from cluewise.core.work import Job, Progress
from cluewise.desks.scan.engine.plan import NEVER, Planner, Tile
from cluewise.desks.scan.position import Position, hidden_spot, spots_of
from cluewise.desks.scan.results import (
    Heard,
    Hidden,
    ListenOptions,
    PracticeOptions,
    RouteOptions,
)
from cluewise.desks.scan.scene import Scene, on_other_level, pulse
from cluewise.desks.scan.verbs.route import route
from cluewise.errors import BadOption, BadPosition
from cluewise.kernel import kernel


def practice(position: Position, options: PracticeOptions) -> Job[Hidden]:
    """The verb `practice`: hide one of the remaining spots; walking starts where one stands."""
    yield Progress(1, 1)
    scene = Scene.of(position)
    left = scene.must_remain()
    if not left:
        raise BadPosition("There is no spot to hide.", "$.position.spots")
    with kernel().frame() as frame:  # refuses spots that nobody can walk to
        yield from Planner(frame, scene, stop=0, on_the_way=False, table_bits=8).lay_walls(
            scene.start
        )
    spot = random.Random(options.seed).choice(left)
    return Hidden(list(scene.start), seal(str(spot), "scan"))


def listen(position: Position, options: ListenOptions) -> Job[Heard]:
    """The verb `listen`: the pulse at a tile, and the tally; the route once the spot is shown."""
    number = hidden_spot(position)
    if number is None or position.practice is None:
        raise BadPosition("Nothing is hidden here; ask `practice` first.", "$.position.practice")
    scene, spot = Scene.of(position), spots_of(position)[number]
    here = options.tile
    if here is None and not options.reveal:
        here = position.here or position.practice.start
    heard = None if here is None else pulse(here, spot, scene.reach)
    other = None
    if here is not None and scene.with_levels:
        other = on_other_level((*here, scene.floor), spot, scene.reach)
    stops = [(o.at[0], o.at[1]) for o in position.observations if o.at is not None]
    if here is not None and stops[-1:] != [here]:
        stops.append(here)
    fresh = _from_the_start(position, number)
    ticks, rest = yield from _walk(fresh, stops, number, options.stop)
    shown = heard == 3 or options.reveal
    compared: tuple[int, float] | None = None
    if shown:
        ticks += rest
        compared = yield from _route(fresh, number, options.stop)
    yield Progress(1, 1)
    return Heard(
        pulse=heard,
        different_level=other,
        spot=number if shown else None,
        ticks=ticks,
        scans=len(stops),
        route_ticks=compared[0] if compared else None,
        route_mean=compared[1] if compared else None,
    )


def _from_the_start(position: Position, number: int) -> Position:
    """The position as the hidden spot was to be found: nothing seen, back at the start."""
    assert position.practice is not None
    return msgspec.structs.replace(
        position,
        observations=(),
        ruled_out=tuple(i for i in position.ruled_out if i != number),
        here=position.practice.start,
        practice=None,
    )


def _walk(fresh: Position, stops: list[Tile], number: int, cost: int) -> Job[tuple[int, int]]:
    """Ticks along the stops in order with `cost` ticks a scan, and from the last on to the spot."""
    scene = Scene.of(fresh)
    at, ticks = scene.start, 0
    with kernel().frame() as frame:
        planner = Planner(frame, scene, stop=0, on_the_way=False, table_bits=8)
        yield from planner.lay_walls(at, *stops)
        for stop in stops:
            walk = planner.walk_ticks(at, stop)
            if walk >= NEVER:
                raise BadOption(
                    f"{stop[0]}, {stop[1]} cannot be reached from {at[0]}, {at[1]}: "
                    "walls are in the way.",
                    "$.options.tile",
                )
            at, ticks = stop, ticks + walk + cost
        return ticks, planner.ticks_from(at)[scene.remaining.index(number)]


def _route(fresh: Position, number: int, stop: int) -> Job[tuple[int, float]]:
    """What the default route from the same start takes for that spot, and its mean."""
    found = yield from route(fresh, RouteOptions(stop=stop))
    start, scene = (found.start[0], found.start[1]), Scene.of(fresh)
    with kernel().frame() as frame:
        planner = Planner(frame, scene, stop=0, on_the_way=False, table_bits=8)
        yield from planner.lay_walls(start)
        ticks, at = _follow(found.tree, start, number, stop)
        ticks += planner.ticks_from(at)[scene.remaining.index(number)]
    return ticks, found.expected_ticks


def _follow(tree: dict[str, Any], start: Tile, number: int, stop: int) -> tuple[int, Tile]:
    """Ticks along a route's tree until the spot is known, and where that is."""
    ticks, at, node = 0, start, tree
    while "tile" in node:
        ticks += node["walk_ticks"] + stop
        at = (node["tile"][0], node["tile"][1])
        node = next(child for child in node["answers"].values() if _holds(child, number))
    return ticks, at


def _holds(node: dict[str, Any], number: int) -> bool:
    """Whether a spot is among the leaves below."""
    stack = [node]
    while stack:
        item = stack.pop()
        if item.get("spot") == number or number in item.get("spots", ()):
            return True
        stack.extend(item.get("answers", {}).values())
    return False
