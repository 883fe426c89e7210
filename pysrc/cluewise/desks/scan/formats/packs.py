"""Reads and rates scan trees of method packs, by the rules and the walking model of that format.

A node's place is its area, by default the end of its path. Its children must be the answers that
some spot of the branch gives at some tile of the place: one child per answer, for triples one per
spot. A spot shows “different level” if it is on another floor or its complement is within
range + 15.

Ticks: a run takes one for two tiles; a teleport those of the table of landings, by default 5;
abilities none, but they wait for their charges (34 ticks, 17 with the perk Mobile; 2 between surges
and escapes); a powerburst makes surge and dive ready and has a cooldown of 120; doors and other
transports take 2; a scan 1, and a path that ends with an ability 1 more.
"""

from __future__ import annotations

import base64
import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from cluewise.desks.scan.scene import (
    COMPLEMENT_EXTRA,
    Rect,
    could_pulse,
    cut_area,
    steps_between,
)

Place = tuple[int, int, int]  # x, y, level
Part = tuple[Rect, int]  # of a node's place: a rectangle and its level
Key = tuple[int, bool, Place | None]  # pulse, “different level”, the spot of a triple

TELEPORT, DOOR = 5, 2  # ticks
BURST, BURST_COOLDOWN = 10, 120  # ticks of a powerburst of acceleration
STEPS = frozenset(
    {
        "run", "ability", "teleport", "orientation", "redclick", "powerburst", "cheat", "cosmetic",
        "transport",
    }
)  # fmt: skip
MOST_DEPTH = 300
MOST_AREA = 1 << 16  # tiles of a place that is no rectangle
NAMES = {1: "single", 2: "double", 3: "triple"}


@dataclass
class RatedTree:
    """Coverage, size, faults and ticks of a replayed tree."""

    covered: set[Place] = field(default_factory=set)
    answers: int = 0
    depth: int = 0
    faults: list[str] = field(default_factory=list)
    ticks: dict[Place, list[int]] = field(default_factory=dict)

    @property
    def mean(self) -> float | None:
        """The mean over the spots covered, each by the mean of its leaves."""
        means = [sum(all_) / len(all_) for all_ in self.ticks.values()]
        return sum(means) / len(means) if means else None


@dataclass(frozen=True, slots=True)
class Walk:
    """The ticks so far, and at which tick each charge is ready."""

    charges: Mapping[str, tuple[int, ...]]
    rest: int
    tick: int = 0
    burst: int = -BURST_COOLDOWN


def rate_tree(method: Mapping[str, Any], teleports: Mapping[Place, int]) -> RatedTree:
    """Replay the tree of a method; `teleports`: the ticks to known landings.

    Raises `KeyError`, `TypeError` or `ValueError` for a tree of another form.
    """
    tree, given = method["tree"], method.get("assumptions") or {}
    spots = [_place(spot) for spot in tree["ordered_spots"]]
    reach, out = int(tree["assumed_range"]), RatedTree()
    walk = begin_walk(given)
    stack: list[tuple[Any, list[Place], Place | None, bool, Walk, tuple[Key, ...]]] = [
        (tree["root"], spots, None, False, walk, ())
    ]
    while stack:
        node, left, at, unknown, walk, keys = stack.pop()
        out.depth = max(out.depth, len(keys))
        if len(keys) > MOST_DEPTH:
            raise ValueError(f"deeper than {MOST_DEPTH} answers")
        path, branch = node.get("path") or [], _branch_name(keys)
        for step in path:
            if step["type"] not in STEPS:
                out.faults.append(f"{branch}: a step of the unknown type {step['type']!r}.")
            start = step["waypoints"][0] if step["type"] == "run" else None
            start = step["from"] if step["type"] == "ability" else start
            if start is not None and at is not None and not unknown and _place(start) != at:
                wrong = f"{_place_name(_place(start))}, not {_place_name(at)}"
                out.faults.append(f"{branch}: a step starts at {wrong}.")
            end = end_of(step)
            if end == "?":
                unknown = True
            elif isinstance(end, tuple):
                at, unknown = end, False
        walk = walk_path(walk, path, teleports)
        if not node.get("children"):
            _rate_leaf(out, left, at, unknown, walk.tick, branch)
            continue
        place = None if at is None or unknown else [tile_part(at)]
        if area := (node.get("region") or {}).get("area"):
            place = _rectangles(area)
        if place is None:
            out.faults.append(f"{branch}: it is not known where one scans.")
            continue
        unknown = unknown or at is None
        cells, children = split(left, place, reach), dict[Key, Any]()
        for child in node["children"]:
            out.answers += 1
            children[_key(child["key"])] = child["value"]
        for key in sorted(cells.keys() - children.keys(), key=str):
            out.faults.append(f"{branch}: no child for the answer {_answer_name(key)}.")
        for key in sorted(children.keys() - cells.keys(), key=str):
            out.faults.append(f"{branch}: the answer {_answer_name(key)} cannot be there.")
        walk = Walk(walk.charges, walk.rest, walk.tick + 1, walk.burst)
        for key, child in reversed(children.items()):
            if key in cells:
                stack.append((child, cells[key], at, unknown, walk, (*keys, key)))
    return out


def begin_walk(given: Mapping[str, Any]) -> Walk:
    """Return the start of a walk under a method's assumptions, with all charges ready."""
    charges = {name: (0,) * (1 + bool(given.get(f"double_{name}"))) for name in ("surge", "escape")}
    return Walk({**charges, "dive": (0,), "barge": (0,)}, 17 if given.get("mobile_perk") else 34)


def tile_part(tile: Place) -> Part:
    """Return a tile as part of a place."""
    return (tile[0], tile[1], tile[0], tile[1]), tile[2]


def split(left: Sequence[Place], place: Sequence[Part], reach: int) -> dict[Key, list[Place]]:
    """Return the spots that can give each answer at some tile of a place."""
    cells: dict[Key, list[Place]] = {}
    for spot in left:
        for pulse, sign in sorted({key for part in place for key in _answers(part, spot, reach)}):
            cells.setdefault((pulse, sign, spot if pulse == 3 else None), []).append(spot)
    return cells


def _answers(part: Part, spot: Place, reach: int) -> Iterator[tuple[int, bool]]:
    """The answers that a spot gives at tiles of a rectangle."""
    area, level = part
    for sign in (False, True):
        inside = [area] if sign else []
        if spot[2] == level:
            inside = cut_area(area, spot, reach + COMPLEMENT_EXTRA, inside=sign)
        for pulse in (1, 2, 3):
            if any(could_pulse(one, spot, reach, pulse) for one in inside):
                yield pulse, sign


def _rate_leaf(
    out: RatedTree, left: list[Place], at: Place | None, unknown: bool, tick: int, branch: str
) -> None:
    """Add the dig at a leaf to the coverage, or its fault."""
    if len(left) != 1:
        out.faults.append(f"{branch}: the branch ends with {len(left)} spots left.")
        return
    spot = left[0]
    near = at is not None and at[2] == spot[2]
    if unknown or (at and near and steps_between(at, spot) <= 1):
        out.covered.add(spot)
        out.ticks.setdefault(spot, []).append(tick)
    else:
        where = "nowhere" if at is None else f"at {_place_name(at)}"
        out.faults.append(
            f"{branch}: the path ends {where}, not within a tile of {_place_name(spot)}."
        )


def walk_path(walk: Walk, path: Sequence[Any], teleports: Mapping[Place, int]) -> Walk:
    """Return the walk after the steps of a path."""
    charges, tick, burst = dict(walk.charges), walk.tick, walk.burst
    for step in path:
        kind = step["type"]
        if kind == "run":
            points = step["waypoints"]
            tiles = sum(
                max(abs(a["x"] - b["x"]), abs(a["y"] - b["y"]))
                for a, b in itertools.pairwise(points)
            )
            tick += (tiles + 1) // 2
        elif kind == "ability":
            name = step["ability"]
            ready = charges[name]
            i = ready.index(min(ready))
            tick = max(tick, ready[i])
            in_burst = name != "escape" and tick - burst <= BURST
            rest = 2 if in_burst else 34 if name == "barge" else walk.rest
            charges[name] = (*ready[:i], tick + rest, *ready[i + 1 :])
            if name in ("surge", "escape"):
                for other in ("surge", "escape"):
                    charges[other] = tuple(max(one, tick + 2) for one in charges[other])
        elif kind == "teleport":
            tick += teleports.get(_place(step["spot"]), TELEPORT) if step.get("spot") else TELEPORT
        elif kind == "powerburst":
            burst = tick = max(tick, burst + BURST_COOLDOWN)
            for ability in ("surge", "dive"):
                charges[ability] = tuple(min(one, tick) for one in charges[ability])
        elif kind == "cheat":
            tick += step.get("ticks") or 0
        elif kind == "transport":
            tick += DOOR
    if path and path[-1]["type"] == "ability":
        tick += 1
    return Walk(charges, walk.rest, tick, burst)


def end_of(step: Mapping[str, Any]) -> Place | str | None:
    """Return the end of a step; None if it does not move, "?" if the pack does not have it."""
    kind = step["type"]
    if kind == "run":
        return _place(step["waypoints"][-1])
    if kind == "ability":
        return _place(step["to"])
    if kind == "cheat":
        return _place(step["target"])
    if kind == "teleport":
        return _place(step["spot"]) if step.get("spot") else "?"
    return _end_of_transport(step) if kind == "transport" else None


def _end_of_transport(step: Mapping[str, Any]) -> Place | str:
    actions = (step.get("internal") or {}).get("actions") or [{}]
    start = tile_part(_place(step["assumed_start"]))
    for move in actions[0].get("movement") or []:
        if (area := move.get("valid_from")) and start not in _tile_parts(area):
            continue
        if fixed := move.get("fixed_target"):
            origin = fixed.get("target", fixed).get("origin")
            return _place(origin) if origin else "?"
        if by := move.get("offset"):
            x, y, level = _place(step["assumed_start"])
            return x + by["x"], y + by["y"], level + by.get("level", 0)
    return "?"


def _rectangles(area: Mapping[str, Any]) -> list[Part]:
    """Return an area as rectangles."""
    (x, y, level), (width, height) = _place(area["origin"]), _size(area)
    if not area.get("data"):
        return [((x, y, x + width - 1, y + height - 1), level)]
    return list(_tile_parts(area))


def _tile_parts(area: Mapping[str, Any]) -> Iterator[Part]:
    """The tiles of an area, as rectangles."""
    (x, y, level), (width, height) = _place(area["origin"]), _size(area)
    if width * height > MOST_AREA:
        raise ValueError("a place that is too large")
    bits = base64.b64decode(area["data"]) if area.get("data") else None
    for n in range(width * height):
        if bits is None or bits[n // 8] >> n % 8 & 1:
            yield tile_part((x + n % width, y + n // width, level))


def _size(area: Mapping[str, Any]) -> tuple[int, int]:
    size = area.get("size") or {"x": 1, "y": 1}
    width, height = int(size["x"]), int(size["y"])
    if width < 1 or height < 1:
        raise ValueError("a place without tiles")
    return width, height


def _place(tile: Mapping[str, Any]) -> Place:
    return int(tile["x"]), int(tile["y"]), int(tile["level"])


def _key(key: Mapping[str, Any]) -> Key:
    spot = _place(key["spot"]) if key.get("spot") else None
    return int(key["pulse"]), bool(key.get("different_level")), spot


def _place_name(place: Place) -> str:
    return f"{place[0]}, {place[1]} on floor {place[2]}"


def _answer_name(key: Key) -> str:
    name = NAMES.get(key[0], str(key[0])) + (" with the sign" if key[1] else "")
    return f"{name} of {key[2][0]}, {key[2][1]}" if key[2] else name


def _branch_name(keys: Sequence[Key]) -> str:
    return "After " + ", ".join(map(_answer_name, keys)) if keys else "At the start"
