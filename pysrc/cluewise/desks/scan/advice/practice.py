"""Practice: a hidden spot, pulses where you walk, and the route's ticks to compare with.

The walk is the position's observations, in order, so undo and links work as ever.
"""

from __future__ import annotations

import random
from typing import Any

import msgspec

from cluewise.core.seal import seal
from cluewise.core.work import Job, Progress
from cluewise.desks.scan.advice.route import run_route
from cluewise.desks.scan.position import ScanPosition, hidden_spot, spots_of
from cluewise.desks.scan.results import (
    ListenOptions,
    ListenResult,
    PracticeOptions,
    PracticeResult,
    RouteOptions,
)
from cluewise.desks.scan.scene import Scene, on_other_level, pulse
from cluewise.errors import BadPosition

Tile = tuple[int, int]


def run_practice(position: ScanPosition, options: PracticeOptions) -> Job[PracticeResult]:
    """The verb `practice`: hide one of the remaining spots; walking starts where one stands."""
    yield Progress(1, 1)
    scene = Scene.of(position)
    left = scene.must_remain()
    if not left:
        raise BadPosition("There is no spot to hide.", "$.position.spots")
    spot = random.Random(options.seed).choice(left)
    return PracticeResult(list(scene.start), seal(str(spot), "scan"))


def run_listen(position: ScanPosition, options: ListenOptions) -> Job[ListenResult]:
    """The verb `listen`: the pulse at a tile, and the tally; the route once the spot is shown."""
    number = hidden_spot(position)
    if number is None or position.practice is None:
        raise BadPosition("Nothing is hidden here; ask `practice` first.", "$.position.practice")
    scene, spot = Scene.of(position), spots_of(position)[number]
    here = options.tile or position.here or position.practice.start
    heard = pulse(here, spot, scene.reach)
    other = on_other_level((*here, scene.floor), spot, scene.reach) if scene.with_levels else None
    shown = heard == 3 or options.reveal
    ticks, scans = _tally(position, here)
    route: tuple[int, float] | None = None
    if shown:
        ticks += _to_spot(here, spot)
        route = yield from _route(position, number)
    yield Progress(1, 1)
    return ListenResult(
        pulse=heard,
        different_level=other,
        spot=number if shown else None,
        ticks=ticks,
        scans=scans,
        route_ticks=route[0] if route else None,
        route_mean=route[1] if route else None,
    )


def _tally(position: ScanPosition, here: Tile) -> tuple[int, int]:
    """Ticks and scans along the observed tiles in order and then `here`, on the open plane."""
    assert position.practice is not None
    at, ticks, scans = position.practice.start, 0, 0
    stops = [(o.at[0], o.at[1]) for o in position.observations if o.at is not None]
    if not stops or stops[-1] != here:
        stops.append(here)
    for stop in stops:
        ticks += (max(abs(at[0] - stop[0]), abs(at[1] - stop[1])) + 1) // 2 + 1
        at, scans = stop, scans + 1
    return ticks, scans


def _to_spot(here: Tile, spot: tuple[int, int, int]) -> int:
    return max(abs(here[0] - spot[0]), abs(here[1] - spot[1])) // 2


def _route(position: ScanPosition, number: int) -> Job[tuple[int, float]]:
    """What the default route from the same start takes for that spot, and its mean."""
    assert position.practice is not None
    fresh = msgspec.structs.replace(
        position, observations=(), here=position.practice.start, practice=None, walls=None
    )
    found = yield from run_route(fresh, RouteOptions())
    spots = spots_of(position)
    return _follow(found.tree, position.practice.start, number, spots), found.expected_ticks


def _follow(tree: dict[str, Any], start: Tile, number: int, spots: Any) -> int:
    """Ticks along a route's tree to a spot."""
    ticks, at, node = 0, start, tree
    while "tile" in node:
        ticks += node["walk_ticks"] + 1
        at = (node["tile"][0], node["tile"][1])
        node = next(child for child in node["answers"].values() if _holds(child, number))
    return ticks + _to_spot(at, spots[number])


def _holds(node: dict[str, Any], number: int) -> bool:
    """Whether a spot is among the leaves below."""
    stack = [node]
    while stack:
        item = stack.pop()
        if item.get("spot") == number or number in item.get("spots", ()):
            return True
        stack.extend(item.get("answers", {}).values())
    return False
