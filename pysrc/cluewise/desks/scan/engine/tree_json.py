"""Decision trees as JSON values, with the abilities, teleports and stairs of their walks."""

from __future__ import annotations

from typing import Any

import msgspec

from cluewise.core.conflict import bit_indices
from cluewise.desks.scan.engine.abilities import Abilities, Path
from cluewise.desks.scan.engine.decision_tree import Cost, Node
from cluewise.desks.scan.engine.movement import BARE, path_to, path_to_dig, uses_to_json
from cluewise.desks.scan.engine.planner import Planner, Tile
from cluewise.desks.scan.engine.runs import change_of


def tree_to_json(
    planner: Planner, tree: Node | None, here: Tile, kit: Abilities = BARE
) -> tuple[dict[str, Any], Cost]:
    """Return the tree as JSON values with `uses` of its walks and `digs` at leaves, and its cost.

    A scan has `answers`, a run `heard`. Spots have their numbers in the region. Abilities are
    scheduled in one pass down the tree: all charges are ready at the start, and each walk begins
    with those that the previous one left. No ability is used while pulses are watched. Tiles and
    scans are those of the plan without abilities, so with them the plan need not be optimal.
    """
    total = Cost(0, 0, 0)
    root: dict[str, Any] = {}
    stack = [(tree, planner.everything, here, kit.full, 0, 0, root)]
    while stack:
        node, spots, at, ready, spent, scans, out = stack.pop()
        if node is None:
            paths = {j: path_to_dig(planner, at, j, kit, ready) for j in bit_indices(spots)}
            ticks = [spent + path.ticks for path in paths.values()]
            total = Cost(
                total.ticks + sum(ticks),
                max(total.worst, *ticks),
                total.scans + scans * len(ticks),
            )
            out.update(leaf_to_json(planner, paths, kit))
            continue
        out["tile"] = list(node.tile)
        if node.scanned:
            gone, stop = path_to(planner, at, node.tile, kit, ready), planner.stop
            if room := planner.room(node.tile, node.spots):
                out["room"] = room
        else:
            uses = () if node.on_foot else path_to(planner, at, node.tile).uses
            gone, stop = Path(node.walk, uses, ready), 0
            if not node.listens:
                out["at"] = list(node.at)
        out.update(walk_ticks=gone.ticks, **uses_to_json(gone))
        ends = [dict[str, Any]() for _ in node.outcomes]
        if node.listens:
            if node.since is not None:
                out["from"] = node.since
            if planner.walled:
                out["path"] = [list(place) for place in node.places]
            out["heard"] = [
                {**msgspec.to_builtins(change_of(planner, node, one)), "then": end}
                for one, end in zip(node.outcomes, ends, strict=True)
            ]
        else:
            out["answers"] = {one.name: end for one, end in zip(node.outcomes, ends, strict=True)}
        for one, end in zip(node.outcomes, ends, strict=True):
            used = gone.ticks + stop if node.scanned else one.ticks
            later = gone.after(stop) if node.scanned else gone.after(used)
            stack.append(
                (one.then, one.spots, one.at, later, spent + used, scans + one.scanned, end)
            )
    return root, total


def leaf_to_json(planner: Planner, paths: dict[int, Path], kit: Abilities) -> dict[str, Any]:
    """Return a leaf: one spot, or several of which an arrow shows one, with paths that have uses or
    could have them."""
    numbers = [planner.scene.remaining[j] for j in paths]
    leaf: dict[str, Any] = {"spots": numbers} if len(numbers) > 1 else {"spot": numbers[0]}
    if kit.any or any(path.uses for path in paths.values()):
        leaf["digs"] = [
            {"spot": number, "walk_ticks": path.ticks, **uses_to_json(path)}
            for number, path in zip(numbers, paths.values(), strict=True)
        ]
    return leaf
