"""Scan trees of method packs, read and rated by the rule and the walking model of that notation.

A node's place is its area, else where its path ends. Its children have to be the answers that some
spot left can give from some tile of the place: one child an answer, and for triples one a spot. A
spot shows “different level” if it is on another floor or its complement is within range + 15.

Ticks: runs two tiles a tick; a teleport as long as the table of landings says, else 5; abilities
none, but they wait for their charges (34 ticks, 17 with the perk Mobile; 2 between surges and
escapes); doors and the like 2; 1 a scan, and 1 where a path ends with an ability.
"""

from __future__ import annotations

import base64
import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from cluewise.desks.scan.scene import on_other_level, pulse, steps_between

Place = tuple[int, int, int]  # x, y, level
Key = tuple[int, bool, Place | None]  # pulse, “different level”, the spot of a triple

TELEPORT, DOOR, BURST = 5, 2, 10  # ticks; a powerburst of acceleration lasts so long
STEPS = frozenset(
    {
        "run", "ability", "teleport", "orientation", "redclick", "powerburst", "cheat", "cosmetic",
        "transport",
    }
)  # fmt: skip
MOST_DEPTH = 300
MOST_AREA = 1 << 16  # tiles of a place
NAMES = {1: "single", 2: "double", 3: "triple"}


@dataclass
class RatedTree:
    """What replaying a tree finds."""

    covered: set[Place] = field(default_factory=set)
    answers: int = 0
    depth: int = 0
    faults: list[str] = field(default_factory=list)
    ticks: dict[Place, list[int]] = field(default_factory=dict)

    @property
    def mean(self) -> float | None:
        """The mean over the spots that are dug, each by the mean of its ends."""
        means = [sum(all_) / len(all_) for all_ in self.ticks.values()]
        return sum(means) / len(means) if means else None


@dataclass(frozen=True, slots=True)
class _Walk:
    """The ticks so far, and at which tick each charge is ready."""

    charges: Mapping[str, tuple[int, ...]]
    rest: int
    tick: int = 0
    burst: int = -99


def rate_tree(method: Mapping[str, Any], teleports: Mapping[Place, int]) -> RatedTree:
    """Replay the tree of a method; `teleports` are the ticks to known landings.

    Raises `KeyError`, `TypeError` or `ValueError` for a tree that is not of this form.
    """
    tree, given = method["tree"], method.get("assumptions") or {}
    spots = [_place(spot) for spot in tree["ordered_spots"]]
    reach, out = int(tree["assumed_range"]), RatedTree()
    charges = {name: (0,) * (1 + bool(given.get(f"double_{name}"))) for name in ("surge", "escape")}
    walk = _Walk({**charges, "dive": (0,), "barge": (0,)}, 17 if given.get("mobile_perk") else 34)
    stack: list[tuple[Any, list[Place], Place | None, bool, _Walk, tuple[Key, ...]]] = [
        (tree["root"], spots, None, False, walk, ())
    ]
    while stack:
        node, left, at, unknown, walk, keys = stack.pop()
        out.depth = max(out.depth, len(keys))
        if len(keys) > MOST_DEPTH:
            raise ValueError(f"deeper than {MOST_DEPTH} answers")
        path, way = node.get("path") or [], _way(keys)
        for step in path:
            if step["type"] not in STEPS:
                out.faults.append(f"{way}: a step of the unknown type {step['type']!r}.")
            start = step["waypoints"][0] if step["type"] == "run" else None
            start = step["from"] if step["type"] == "ability" else start
            if start is not None and at is not None and not unknown and _place(start) != at:
                out.faults.append(
                    f"{way}: a step starts at {_named(_place(start))}, not {_named(at)}."
                )
            end = _end(step)
            if end == "?":
                unknown = True
            elif isinstance(end, tuple):
                at, unknown = end, False
        walk = _walked(walk, path, teleports)
        if not node.get("children"):
            _dig(out, left, at, unknown, walk.tick, way)
            continue
        area = (node.get("region") or {}).get("area")
        place = list(_tiles(area)) if area else [at] if at is not None and not unknown else None
        if place is None:
            out.faults.append(f"{way}: it is not known where one scans.")
            continue
        unknown = unknown or at is None
        parts, children = split(left, place, reach), dict[Key, Any]()
        for child in node["children"]:
            out.answers += 1
            children[_key(child["key"])] = child["value"]
        for key in sorted(parts.keys() - children.keys(), key=str):
            out.faults.append(f"{way}: no child for the answer {_said(key)}.")
        for key in sorted(children.keys() - parts.keys(), key=str):
            out.faults.append(f"{way}: the answer {_said(key)} cannot be there.")
        walk = _Walk(walk.charges, walk.rest, walk.tick + 1, walk.burst)
        for key, child in reversed(children.items()):
            if key in parts:
                stack.append((child, parts[key], at, unknown, walk, (*keys, key)))
    return out


def split(left: Sequence[Place], place: Sequence[Place], reach: int) -> dict[Key, list[Place]]:
    """The spots that can give each answer from some tile of a place."""
    parts: dict[Key, list[Place]] = {}
    for spot in left:
        for heard, sign in {
            (pulse(tile, spot, reach), on_other_level(tile, spot, reach)) for tile in place
        }:
            parts.setdefault((heard, sign, spot if heard == 3 else None), []).append(spot)
    return parts


def _dig(
    out: RatedTree, left: list[Place], at: Place | None, unknown: bool, tick: int, way: str
) -> None:
    if len(left) != 1:
        out.faults.append(f"{way}: the branch ends with {len(left)} spots left.")
        return
    spot = left[0]
    near = at is not None and at[2] == spot[2]
    if unknown or (at and near and steps_between(at, spot) <= 1):
        out.covered.add(spot)
        out.ticks.setdefault(spot, []).append(tick)
    else:
        where = "nowhere" if at is None else f"at {_named(at)}"
        out.faults.append(f"{way}: the path ends {where}, not within a tile of {_named(spot)}.")


def _walked(walk: _Walk, path: Sequence[Any], teleports: Mapping[Place, int]) -> _Walk:
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
            burned = name != "escape" and tick - burst <= BURST
            rest = 2 if burned else 34 if name == "barge" else walk.rest
            charges[name] = (*ready[:i], tick + rest, *ready[i + 1 :])
            if name in ("surge", "escape"):
                for other in ("surge", "escape"):
                    charges[other] = tuple(max(one, tick + 2) for one in charges[other])
        elif kind == "teleport":
            tick += teleports.get(_place(step["spot"]), TELEPORT) if step.get("spot") else TELEPORT
        elif kind == "powerburst":
            burst = tick
        elif kind == "cheat":
            tick += step.get("ticks") or 0
        elif kind == "transport":
            tick += DOOR
    if path and path[-1]["type"] == "ability":
        tick += 1
    return _Walk(charges, walk.rest, tick, burst)


def _end(step: Mapping[str, Any]) -> Place | str | None:
    """Where a step ends; None if it does not move, "?" where only the game says."""
    kind = step["type"]
    if kind == "run":
        return _place(step["waypoints"][-1])
    if kind == "ability":
        return _place(step["to"])
    if kind == "cheat":
        return _place(step["target"])
    if kind == "teleport":
        return _place(step["spot"]) if step.get("spot") else "?"
    return _end_of_door(step) if kind == "transport" else None


def _end_of_door(step: Mapping[str, Any]) -> Place | str:
    actions = (step.get("internal") or {}).get("actions") or [{}]
    for move in actions[0].get("movement") or []:
        if fixed := move.get("fixed_target"):
            origin = fixed.get("target", fixed).get("origin")
            return _place(origin) if origin else "?"
        if by := move.get("offset"):
            x, y, level = _place(step["assumed_start"])
            return x + by["x"], y + by["y"], level + by.get("level", 0)
    return "?"


def _tiles(area: Mapping[str, Any]) -> Iterator[Place]:
    x, y, level = _place(area["origin"])
    size = area.get("size") or {"x": 1, "y": 1}
    width, height = int(size["x"]), int(size["y"])
    if not 0 < width * height <= MOST_AREA:
        raise ValueError("a place that is too large")
    bits = base64.b64decode(area["data"]) if area.get("data") else None
    for n in range(width * height):
        if bits is None or bits[n // 8] >> n % 8 & 1:
            yield x + n % width, y + n // width, level


def _place(tile: Mapping[str, Any]) -> Place:
    return int(tile["x"]), int(tile["y"]), int(tile["level"])


def _key(key: Mapping[str, Any]) -> Key:
    spot = _place(key["spot"]) if key.get("spot") else None
    return int(key["pulse"]), bool(key.get("different_level")), spot


def _named(place: Place) -> str:
    return f"{place[0]}, {place[1]} on floor {place[2]}"


def _said(key: Key) -> str:
    name = NAMES.get(key[0], str(key[0])) + (" with the sign" if key[1] else "")
    return f"{name} of {key[2][0]}, {key[2][1]}" if key[2] else name


def _way(keys: Sequence[Key]) -> str:
    return "After " + ", ".join(map(_said, keys)) if keys else "At the start"
