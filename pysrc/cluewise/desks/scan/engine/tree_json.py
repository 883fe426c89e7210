"""Decision trees as JSON values, with the abilities, teleports and stairs used on their ways."""

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
    """The tree as JSON values with `uses` on its ways and `digs` at its leaves, and its cost.

    A scan has `answers`, a run `heard`. Spots have their numbers in the region. Abilities are
    marked in one pass down the tree: all charges are ready at the start, and a charge used on one
    way is missing on the next. No ability is used while pulses are watched. Tiles and scans are
    those of the plan without abilities, so with them the plan need not be optimal.
    """
    digs, total = list[int](), Cost(0, 0, 0)
    root: dict[str, Any] = {}
    stack = [(tree, planner.everything, here, kit.full, 0, 0, root)]
    while stack:
        node, spots, at, ready, spent, scans, out = stack.pop()
        if node is None:
            ways = {j: path_to_dig(planner, at, j, kit, ready) for j in bit_indices(spots)}
            digs = [spent + gone.ticks for gone in ways.values()]
            total = Cost(
                total.ticks + sum(digs), max(total.worst, *digs), total.scans + scans * len(digs)
            )
            out.update(leaf_to_json(planner, ways, kit))
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
        ends = [dict[str, Any]() for _ in node.heard]
        if node.listens:
            if node.since is not None:
                out["from"] = node.since
            if planner.walled:
                out["path"] = [list(place) for place in node.places]
            out["heard"] = [
                {**msgspec.to_builtins(change_of(planner, node, one)), "then": end}
                for one, end in zip(node.heard, ends, strict=True)
            ]
        else:
            out["answers"] = {one.name: end for one, end in zip(node.heard, ends, strict=True)}
        for one, end in zip(node.heard, ends, strict=True):
            ticks = gone.ticks + stop if node.scanned else one.ticks
            later = gone.after(stop) if node.scanned else gone.after(ticks)
            stack.append(
                (one.then, one.spots, one.at, later, spent + ticks, scans + one.scanned, end)
            )
    return root, total


def leaf_to_json(planner: Planner, ways: dict[int, Path], kit: Abilities) -> dict[str, Any]:
    """A leaf of a plan: one spot, or those of which an arrow shows one, with the ways to them if
    anything can be used on those."""
    numbers = [planner.scene.remaining[j] for j in ways]
    end: dict[str, Any] = {"spots": numbers} if len(numbers) > 1 else {"spot": numbers[0]}
    if kit.any or any(gone.uses for gone in ways.values()):
        end["digs"] = [
            {"spot": number, "walk_ticks": gone.ticks, **uses_to_json(gone)}
            for number, gone in zip(numbers, ways.values(), strict=True)
        ]
    return end
