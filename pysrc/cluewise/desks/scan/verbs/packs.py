"""The verbs `pack` and `rate`: write a route as a method pack, and check the scan trees of packs.

A scan tree is a decision tree in the format of other tools (`formats/packs.py`).
"""

from __future__ import annotations

import itertools
import json
import random
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from cluewise.core.work import Job, Progress
from cluewise.desks.scan.formats.packs import Key, Place, RatedTree, rate_tree, split, tile_part
from cluewise.desks.scan.position import Position, floor_of, range_of
from cluewise.desks.scan.regions import by_id, landings
from cluewise.desks.scan.results import (
    MethodPack,
    PackOptions,
    RatedPack,
    RateOptions,
    Route,
    RouteOptions,
    TreeRating,
)
from cluewise.desks.scan.scene import ScanModel, steps_between
from cluewise.desks.scan.steps import DX, DY, Terrain
from cluewise.desks.scan.verbs.route import route
from cluewise.desks.scan.walls import walkable_window, window_terrain
from cluewise.errors import BadNotation, BadOption, BadPosition

_ORDER = (0, 2, 3, 1, 7, 6, 4, 5)  # in which the game tries directions: W E S N SW SE NW NE


def pack(position: Position, options: PackOptions) -> Job[MethodPack]:
    """Return the route of a whole hunt as a pack with one method.

    Every possible answer has a child, also with the sign “different level”. A dig for several spots
    becomes a scan that distinguishes them, a pulse seen in passing a scan at its tile.
    """
    if position.region is None:
        raise BadPosition("A method pack is for a region; name one.", "$.position.region")
    if options.listen:
        raise BadOption(
            "A scan tree branches by the answer at a tile, not by the tick at which the orb "
            "changes; leave this out.",
            "$.options.listen",
        )
    fresh = msgspec.structs.replace(
        position, observations=(), ruled_out=(), practice=None, misread=0, slack=0
    )
    by = {name: getattr(options, name) for name in RouteOptions.__struct_fields__}
    found = yield from route(fresh, RouteOptions(**by))
    scene, beyond = ScanModel.of(fresh), set(found.beyond or ())
    left = [spot for i, spot in enumerate(scene.spots) if i not in beyond]
    if not left:
        raise BadPosition("No spot can be reached from there.", "$.position")
    root = _Writer(fresh, scene).node(found.tree, left, _level(found.start, scene.floor))
    return MethodPack(_pack(fresh, options, found, left, root))


def _pack(
    position: Position, options: PackOptions, found: Route, left: Sequence[Place], root: Any
) -> dict[str, Any]:
    assert position.region is not None
    region = by_id()[position.region]
    identity = _identity(f"{position.region} {options.name} {found.start} {found.expected_ticks}")
    ground = "the game's terrain" if ScanModel.of(position).has_ground else "open ground"
    method = {
        "type": "scantree",
        "id": identity,
        "timestamp": 0,
        "name": options.name,
        "description": f"{found.expected_ticks:.2f} ticks on average on {ground}, "
        f"{options.stop} a scan{', none for a pulse on the way' if options.on_the_way else ''}.",
        "assumptions": {
            "meerkats_active": position.meerkats,
            "double_surge": options.surge == 2,
            "double_escape": options.escape == 2,
            "mobile_perk": options.mobile,
        },
        "for": {"clue": position.region},
        "expected_time": found.expected_ticks,
        "tree": {
            "ordered_spots": [_tile(spot) for spot in left],
            "assumed_range": range_of(position),
            "root": root,
        },
    }
    return {
        "type": "imported",
        "local_id": identity,
        "original_id": identity,
        "author": "Cluewise",
        "name": options.name,
        "description": f"Scan tree for {region.name}.",
        "default_method_name": options.name,
        "default_assumptions": {},
        "timestamp": 0,
        "methods": [method],
    }


class _Writer:
    """Converts nodes of a route to nodes of a scan tree."""

    def __init__(self, position: Position, scene: ScanModel) -> None:
        self.position, self.scene = position, scene
        self.reach, self.floor = scene.reach, floor_of(position)
        xs, ys = [s[0] for s in scene.spots], [s[1] for s in scene.spots]
        self.around = min(xs), min(ys), max(xs) - min(xs) + 1, max(ys) - min(ys) + 1

    def _terrain(self, level: int) -> Terrain | None:
        """Return the terrain of a floor; None without walls."""
        given = self.scene.walls_on(level)
        if given is None:
            return None
        return window_terrain(given, walkable_window(given, self.around))

    def node(self, step: Any, left: Sequence[Place], here: Place) -> dict[str, Any]:
        """Return the node for a step of the route; `left`: the spots of the branch."""
        if len(left) == 1 or not ("tile" in step or "dig" in step):
            return self._leaf(step, left[0], here)
        at = _level(step.get("at") or step.get("tile") or step["dig"], self.floor)
        path = self._path(here, at, step.get("uses", ()), _is_at(at))
        cells = split(left, [tile_part(at)], self.reach)
        return {
            "path": path,
            "region": {"name": "", "area": {"origin": _tile(at)}},
            "directions": f"Scan at {at[0]}, {at[1]}",
            "children": [
                {"key": _key(key), "value": self.node(self._after(step, key), cells[key], at)}
                for key in sorted(cells, key=str)
            ],
        }

    def _after(self, step: Any, key: Key) -> Any:
        """Return the route's step after an answer."""
        if "dig" in step:
            return step.get("else", {})
        name = str(key[0]) + ("d" if self.scene.with_levels and key[1] else "")
        return step["answers"].get(name, {})

    def _leaf(self, step: Any, spot: Place, here: Place) -> dict[str, Any]:
        """Return a leaf: a path to within a tile of the spot, on its floor."""
        number = self.scene.spots.index(spot)
        digs = [dig for dig in step.get("digs", ()) if dig["spot"] == number]
        uses = digs[0].get("uses", ()) if digs else ()
        path = self._path(here, spot, uses, lambda tile: steps_between(tile, spot) <= 1)
        end = _end_of(path, here)
        if end[2] != spot[2]:  # plans without stairs treat all paths as on one floor
            path.append({"type": "cheat", "target": _tile((end[0], end[1], spot[2])), "ticks": 0})
        directions = f"Dig at {spot[0]}, {spot[1]}"
        return {"path": path, "directions": directions, "children": []}

    def _path(
        self, here: Place, goal: Place, uses: Sequence[Any], arrived: Callable[[Place], bool]
    ) -> list[dict[str, Any]]:
        path: list[dict[str, Any]] = []
        for use in uses:
            name = use["ability"]
            at, to = _level(use["at"], here[2]), _level(use["to"], here[2])
            if name != "teleport":
                path += self._run(here, _is_at(at), at)
            if name in ("teleport", "stairs"):
                step = {"type": "cheat", "target": _tile(to), "ticks": self._ticks(use)}
            else:
                step = {"type": "ability", "ability": name, "from": _tile(at), "to": _tile(to)}
            path.append(step)
            here = to
        return path + self._run(here, arrived, goal)

    def _ticks(self, use: Any) -> int:
        kinds = self.position.teleports if use["ability"] == "teleport" else self.position.stairs
        named = [one.ticks for one in kinds if one.name == use.get("name", "")]
        return min(named, default=0)

    def _run(
        self, here: Place, arrived: Callable[[Place], bool], goal: Place
    ) -> list[dict[str, Any]]:
        """Return a run as far as needed: straight on open ground, along the terrain with walls."""
        if arrived((*here[:2], goal[2])):
            return []
        terrain = self._terrain(here[2])
        points = self._shortest_path(terrain, here, arrived) if terrain is not None else None
        if points is None:
            x, y = goal[:2]
            if arrived((x + _sign(here[0] - x), y + _sign(here[1] - y), goal[2])):
                x, y = x + _sign(here[0] - x), y + _sign(here[1] - y)
            points = [here, (x, y, here[2])]
        return [{"type": "run", "waypoints": [_tile(point) for point in points]}]

    def _shortest_path(
        self, terrain: Terrain, here: Place, arrived: Callable[[Place], bool]
    ) -> list[Place] | None:
        """Return the corners of a shortest path on terrain, by breadth-first search; else None."""
        (x0, y0, width, height), steps = terrain.window, terrain.steps
        parents: dict[Place, tuple[Place, int] | None] = {here: None}
        queue = deque([here])
        while queue:
            tile = queue.popleft()
            for floor in {tile[2], *(spot[2] for spot in self.scene.spots)}:
                if arrived((tile[0], tile[1], floor)):
                    return _corners(parents, tile)
            x, y = tile[0] - x0, tile[1] - y0
            if not (0 <= x < width and 0 <= y < height):
                continue
            for k in _ORDER:
                to = (tile[0] + DX[k], tile[1] + DY[k], tile[2])
                if steps[k][y] >> x & 1 and to not in parents:
                    parents[to] = (tile, k)
                    queue.append(to)
        return None


def _corners(parents: dict[Place, tuple[Place, int] | None], tile: Place) -> list[Place]:
    """Return the tiles of a path at which its direction changes, and both ends."""
    points, direction = [tile], None
    while (step := parents[tile]) is not None:
        if direction is not None and step[1] != direction:
            points.append(tile)
        tile, direction = step
    return [*points, tile][::-1]


def _end_of(path: Sequence[Any], here: Place) -> Place:
    for step in reversed(path):
        end = step.get("target") or step.get("to") or step["waypoints"][-1]
        return end["x"], end["y"], end["level"]
    return here


def _is_at(place: Place) -> Callable[[Place], bool]:
    return lambda tile: tile[:2] == place[:2]


def _sign(value: int) -> int:
    return (value > 0) - (value < 0)


def _level(tile: Sequence[int], floor: int) -> Place:
    return tile[0], tile[1], tile[2] if len(tile) > 2 else floor


def _tile(place: Sequence[int]) -> dict[str, int]:
    return {"x": place[0], "y": place[1], "level": place[2]}


def _key(key: Key) -> dict[str, Any]:
    answer: dict[str, Any] = {"pulse": key[0], "different_level": key[1]}
    return answer | ({"spot": _tile(key[2])} if key[2] is not None else {})


def _identity(text: str) -> str:
    """Return a UUID that depends on the text only."""
    digits = f"{random.Random(text).getrandbits(128):032x}"
    digits = f"{digits[:12]}4{digits[13:16]}a{digits[17:]}"
    cuts = (0, 8, 12, 16, 20, 32)
    return "-".join(digits[a:b] for a, b in itertools.pairwise(cuts))


MOST_TEXT = 20_000_000  # characters


def rate(_position: Position, options: RateOptions) -> Job[RatedPack]:
    """Rate the scan trees: coverage, faults and ticks; other methods are skipped."""
    methods = _methods(options.pack)
    teleports: dict[Place, int] = {}
    for rows in landings().values():
        for one in rows:
            teleports[one.at] = min(one.ticks, teleports.get(one.at, one.ticks))
    trees = []
    for i, method in enumerate(methods):
        if isinstance(method, Mapping) and method.get("type") == "scantree":
            trees.append(_rating(method, teleports))
        yield Progress(i + 1, len(methods))
    return RatedPack(trees)


def _methods(text: str) -> list[Any]:
    where = "$.options.pack"
    if len(text) > MOST_TEXT:
        raise BadNotation("The pack is too long.", where)
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        raise BadNotation("This is not the JSON of a method pack.", where) from None
    if isinstance(found, dict) and isinstance(found.get("pack"), dict):
        found = found["pack"]
    methods = found.get("methods") if isinstance(found, dict) else None
    if not isinstance(methods, list):
        raise BadNotation("A method pack has a list of `methods`.", where)
    return methods


def _rating(method: Mapping[str, Any], teleports: Mapping[Place, int]) -> TreeRating:
    clue, found, faults = None, RatedTree(), list[str]()
    spots = 0
    try:
        clue = int(method["for"]["clue"])
        if clue not in by_id():
            faults.append(f"There is no region {clue}.")
        spots = len(method["tree"]["ordered_spots"])
        found = rate_tree(method, teleports)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as problem:
        faults.append(f"The tree is damaged: {problem or type(problem).__name__}.")
    expected = method.get("expected_time")
    return TreeRating(
        clue=clue,
        name=str(method.get("name", "")),
        spots=spots,
        covered=len(found.covered),
        answers=found.answers,
        depth=found.depth,
        faults=[*faults, *found.faults],
        ticks=found.mean,
        told=float(expected) if isinstance(expected, (int, float)) else None,
    )
