"""A plan walked with abilities: the abilities used on each way, and the cost of the whole.

One pass down the tree of a plan that was found without abilities, with the charges as they are when
a node is reached: tiles and scans stay, so the result is no optimum among plans with abilities.
Cost: one way a node and one a spot.
"""

from __future__ import annotations

from typing import Any

from cluewise.core.conflict import bit_indices
from cluewise.desks.scan.engine.abilities import Abilities, Path, Ready
from cluewise.desks.scan.engine.decision_tree import Cost, Node, leaf, place_to_json
from cluewise.desks.scan.engine.movement import path_to, path_to_dig, uses_to_json
from cluewise.desks.scan.engine.planner import Planner, Tile


def add_abilities(
    planner: Planner, tree: Node | None, here: Tile, kit: Abilities
) -> tuple[dict[str, Any], Cost]:
    """The tree as JSON values with `uses` on its ways and `digs` at its ends, and its cost.

    All charges are ready at the start; what was used on one way is missed on the next. The tiles
    are those of the plan without abilities, and so are its scans.
    """
    ends = PlanEnds(planner, kit)
    root: dict[str, Any] = {}
    stack = [(tree, planner.everything, here, kit.full, 0, 0, root)]
    while stack:
        node, spots, at, ready, spent, scans, out = stack.pop()
        if node is None:
            out.update(ends.end(spots, at, ready, spent, scans))
            continue
        out.update(place_to_json(planner, node))
        if node.scanned:
            gone = path_to(planner, at, node.tile, kit, ready)
            stop = planner.stop
        else:  # a pulse on the way is seen on foot
            stop = 0
            uses = () if node.on_foot else path_to(planner, at, node.tile).uses
            gone = Path(node.walk, uses, Path(0, (), ready).after(node.walk))
        out.update(walk_ticks=gone.ticks, **uses_to_json(gone), answers={})
        spent += gone.ticks + stop
        for name, left in node.answers.items():
            out["answers"][name] = {}
            following = node.children.get(name)
            then = (node.at, gone.after(stop), spent, scans + node.scanned, out["answers"][name])
            stack.append((following, left, *then))
    return root, ends.cost


class PlanEnds:
    """The ends of a plan, and the totals over all its spots."""

    def __init__(self, planner: Planner, kit: Abilities) -> None:
        self.planner, self.kit = planner, kit
        self.cost = Cost(0, 0, 0)

    def end(self, spots: int, at: Tile, ready: Ready, spent: int, scans: int) -> dict[str, Any]:
        """A leaf: each of its spots with the way to it."""
        numbers, digs = bit_indices(spots), []
        for j in numbers:
            gone = path_to_dig(self.planner, at, j, self.kit, ready)
            spot = {"spot": self.planner.scene.remaining[j]}
            digs.append(spot | {"walk_ticks": gone.ticks, **uses_to_json(gone)})
            total = spent + gone.ticks
            old = self.cost
            self.cost = Cost(old.ticks + total, max(old.worst, total), old.scans + scans)
        shown = self.kit.any or any("uses" in dig for dig in digs)
        return leaf([dig["spot"] for dig in digs]) | ({"digs": digs} if shown else {})
