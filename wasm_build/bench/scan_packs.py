"""Compare scan trees of method packs with this project's plans: ticks from the same start.

    python -m wasm_build.bench.scan_packs [--ground FOLDER] PACK.json ... > table

Each tree is rated by `rate`; the plan starts where the tree's first teleport lands, with the same
abilities and the tree's other teleports, and is rated by its expected ticks, one tick a scan. In
FOLDER, REGION.json may hold the terrain of a region as `{"ground": ...}` (see walls.ground): then
the plan keeps to it.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from cluewise import service
from cluewise.desks.scan.regions import by_id, landings
from cluewise.desks.scan.walls import Walls, nearest_free

TELEPORT = 5  # ticks of a teleport that the table of landings does not have


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


def start_of(root: Any) -> tuple[list[int] | None, bool]:
    """Return where a tree's first step ends or begins, and whether it is a teleport."""
    for step in root.get("path") or ():
        teleported = step["type"] == "teleport"
        place = step.get("spot") if teleported else (step.get("waypoints") or [None])[0]
        place = place or step.get("from") or step.get("assumed_start")
        if place:
            return [place["x"], place["y"], place["level"]], teleported
    return None, False


def planned(method: Any, ground: Path | None) -> tuple[float | None, bool]:
    """Return the ticks of the plan for a tree, its first teleport included; whether on terrain."""
    region, tree = int(method["for"]["clue"]), method["tree"]
    ticks = {one.at: one.ticks for one in landings()[region]}
    start, teleported = start_of(tree["root"])
    if start is None:
        return None, False
    before = ticks.get((start[0], start[1], start[2]), TELEPORT) if teleported else 0
    places = {(one["x"], one["y"], one["level"]) for one in teleports_of(tree["root"])}
    levels = {spot[2] for spot in by_id()[region].spots}
    position: dict[str, Any] = {
        "region": region,
        "levels": "use",
        "meerkats": True,
        "here": start[:2],
        "floor": start[2],
        "teleports": [
            {"at": place[:2], "ticks": ticks.get(place, TELEPORT), "name": str(place)}
            for place in sorted(places)
            if place[2] in levels
        ],
    }
    file = None if ground is None else ground / f"{region}.json"
    on_terrain = file is not None and file.exists()
    if file is not None and on_terrain:
        position["walls"] = {"ground": json.loads(file.read_text())["ground"]}
        given = msgspec.convert(position["walls"], Walls)
        position["here"] = nearest_free(given, (start[0], start[1]), 3)
    kit = method.get("assumptions") or {}
    found = ask(
        "route", position, stop=1, dive=True, mobile=bool(kit.get("mobile_perk")),
        surge=1 + bool(kit.get("double_surge")), escape=1 + bool(kit.get("double_escape")),
    )  # fmt: skip
    return found["expected_ticks"] + before, on_terrain


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
    print("| region | spots covered | faults | stated | rated | this project | terrain |")
    print("|---|---|---|---|---|---|---|")
    for path in args.packs:
        pack = json.loads(path.read_text())
        methods = [one for one in pack["methods"] if one.get("type") == "scantree"]
        rated = ask("rate", {}, pack=path.read_text())["trees"]
        for method, tree in zip(methods, rated, strict=True):
            try:
                ours, on_terrain = planned(method, args.ground)
            except Exception as problem:  # one tree must not end the table
                print(tree["name"], problem, file=sys.stderr)
                ours, on_terrain = None, False
            name = by_id()[tree["clue"]].name
            print(
                f"| {name}: {tree['name']} | {tree['covered']} of {tree['spots']} "
                f"| {len(tree['faults'])} | {shown(tree.get('told'))} | {shown(tree.get('ticks'))} "
                f"| {shown(ours)} | {'yes' if on_terrain else ''} |",
                flush=True,
            )
    return 0


if __name__ == "__main__":
    sys.exit(main())
