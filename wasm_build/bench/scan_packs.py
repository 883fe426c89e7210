"""Compare scan trees of method packs with this project's plans: ticks from the same start.

    python -m wasm_build.bench.scan_packs [--ground FOLDER] PACK.json ... > table

Each tree is rated by `rate`. Our plan starts at a place on the tree's paths, after the ticks until
there, with the same abilities, teleports and doors; its value is its expected ticks, one tick per
scan. FOLDER/REGION.json may have the terrain of a region as `{"ground": ...}`, optionally with
`floors` (desks/scan/walls.py), which the plan then respects.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from cluewise import service
from cluewise.desks.scan.formats.packs import (
    DOOR,
    TELEPORT,
    Place,
    begin_walk,
    end_of,
    walk_path,
)
from cluewise.desks.scan.position import MOST_STAIRS
from cluewise.desks.scan.regions import by_id, landings
from cluewise.desks.scan.walls import Walls, landing_tile, on_floor

MOST_STARTS = 4  # places from which a plan is made


def ask(want: str, position: Any, **options: Any) -> Any:
    """Return the result of a verb of the scan desk."""
    return service.run({"desk": "scan", "want": want, "position": position, "options": options})


def teleports_of(node: Any) -> Iterator[Any]:
    """Return the steps of a tree that are teleports to a known spot, in its order."""
    for step in node.get("path") or ():
        if step["type"] == "teleport" and step.get("spot"):
            yield step["spot"]
    for child in node.get("children") or ():
        yield from teleports_of(child["value"])


def starts_of(method: Any, teleports: Mapping[Place, int]) -> list[tuple[int, Place]]:
    """Return the places on a tree's paths with the least ticks until there, sorted by ticks.

    Going there at once gives less information than the tree's scans on the way.
    """
    found: dict[Place, int] = {}
    begun = begin_walk(method.get("assumptions") or {})
    stack = [(method["tree"]["root"], begun)]
    while stack:
        node, walk = stack.pop()
        path = node.get("path") or []
        for step in path[:1] if walk is begun else ():
            points = [step.get("from"), step.get("assumed_start"), *(step.get("waypoints") or ())]
            found |= {(one["x"], one["y"], one["level"]): 0 for one in points[:3] if one}
        for i, step in enumerate(path):
            if isinstance(end := end_of(step), tuple):
                ticks = walk_path(walk, path[: i + 1], teleports).tick
                found[end] = min(ticks, found.get(end, ticks))
        walk = walk_path(walk, path, teleports)
        stack += [(child["value"], walk) for child in node.get("children") or ()]
    return sorted((ticks, place) for place, ticks in found.items())


def doors_of(node: Any) -> Iterator[tuple[Place, Place]]:
    """Return both ends of the doors, tunnels and the like of a tree that lead to a known tile."""
    for step in node.get("path") or ():
        end = end_of(step) if step["type"] == "transport" else None
        if isinstance(end, tuple):
            start = step["assumed_start"]
            yield (start["x"], start["y"], start["level"]), end
    for child in node.get("children") or ():
        yield from doors_of(child["value"])


class Planned(NamedTuple):
    """The plan for a tree: the spots that it reaches, its ticks, and whether it is on terrain."""

    spots: int
    ticks: float | None
    on_terrain: bool


def planned(method: Any, ground: Path | None) -> Planned:
    """Return the plan from the first place on the tree's ways that reaches the most spots."""
    region = int(method["for"]["clue"])
    ticks = {one.at: one.ticks for one in landings()[region]}
    file = None if ground is None else ground / f"{region}.json"
    walls = json.loads(file.read_text()) if file is not None and file.exists() else None
    best = Planned(0, None, walls is not None)
    tried = 0
    for before, start in starts_of(method, ticks):
        position = position_of(method, start, ticks, walls)
        if position is None or tried == MOST_STARTS:
            continue
        if best.spots == len(by_id()[region].spots):
            break
        tried += 1
        kit = method.get("assumptions") or {}
        found = ask(
            "route", position, stop=1, dive=True, mobile=bool(kit.get("mobile_perk")),
            surge=1 + bool(kit.get("double_surge")), escape=1 + bool(kit.get("double_escape")),
        )  # fmt: skip
        reached = found["remaining"] - len(found.get("beyond") or ())
        one = Planned(reached, found["expected_ticks"] + before, walls is not None)
        if best.ticks is None or (-reached, one.ticks) < (-best.spots, best.ticks):
            best = one
    return best


def position_of(
    method: Any, start: Place, ticks: Mapping[Place, int], walls: Any
) -> dict[str, Any] | None:
    """Return the position at a tree's start; None where one cannot stand there."""
    region, root = int(method["for"]["clue"]), method["tree"]["root"]
    levels = {spot[2] for spot in by_id()[region].spots}
    given = None if walls is None else msgspec.convert(walls, Walls)

    def standing(place: Place) -> tuple[int, int] | None:
        at = (place[0], place[1])
        return at if given is None else landing_tile(on_floor(given, place[2]), at)

    if (here := standing(start)) is None:
        return None
    ports = {(one["x"], one["y"], one["level"]) for one in teleports_of(root)}
    doors = Counter(
        pair for pair in doors_of(root) if pair[0] != pair[1] and all(map(standing, pair))
    )
    if start[2] not in levels and all(start[2] not in (at[2], to[2]) for at, to in doors):
        return None
    return {
        "region": region,
        "levels": "use",
        "meerkats": True,
        "here": here,
        "floor": start[2],
        "teleports": [
            {"at": place, "ticks": ticks.get(place, TELEPORT), "name": str(place)}
            for place in sorted(ports)
            if place[2] in levels
        ],
        "stairs": [
            {"at": at, "to": to, "ticks": DOOR, "name": str(to)}
            for (at, to), _ in doors.most_common(MOST_STAIRS)
        ],
    } | ({} if walls is None else {"walls": walls})


def shown(ticks: float | None) -> str:
    """Return ticks with a decimal; a dash where there are none.

    >>> shown(21.46), shown(None)
    ('21.5', '–')
    """
    return "–" if ticks is None else f"{ticks:.1f}"


def main() -> int:
    """Print a row for each tree."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--ground", type=Path)
    parser.add_argument("packs", nargs="+", type=Path)
    args = parser.parse_args()
    print("| region | spots covered | faults | stated | rated | spots | this project | terrain |")
    print("|---|---|---|---|---|---|---|---|")
    for path in args.packs:
        pack = json.loads(path.read_text())
        methods = [one for one in pack["methods"] if one.get("type") == "scantree"]
        rated = ask("rate", {}, pack=path.read_text())["trees"]
        for method, tree in zip(methods, rated, strict=True):
            try:
                ours = planned(method, args.ground)
            except Exception as problem:  # one tree must not end the table
                print(tree["name"], problem, file=sys.stderr)
                ours = Planned(0, None, False)
            name = by_id()[tree["clue"]].name
            print(
                f"| {name}: {tree['name']} | {tree['covered']} of {tree['spots']} "
                f"| {len(tree['faults'])} | {shown(tree.get('told'))} | {shown(tree.get('ticks'))} "
                f"| {ours.spots} | {shown(ours.ticks)} | {'yes' if ours.on_terrain else ''} |",
                flush=True,
            )
    return 0


if __name__ == "__main__":
    sys.exit(main())
