"""A plan walked with abilities: the abilities used on each way, and the cost of the whole."""

from __future__ import annotations

from typing import Any

from cluewise.core.conflict import bit_indices
from cluewise.desks.scan.engine.abilities import Abilities, Ready
from cluewise.desks.scan.engine.decision_tree import Cost, Node, leaf
from cluewise.desks.scan.engine.movement import path_to, path_to_dig, uses_to_json
from cluewise.desks.scan.engine.planner import Planner, Tile


def add_abilities(
    planner: Planner, tree: Node | None, here: Tile, kit: Abilities
) -> tuple[dict[str, Any], Cost]:
    """The tree as JSON values with `uses` on its ways and `digs` at its ends, and its cost.

    All charges are ready at the start; what was used on one way is missed on the next. The tiles
    are those of the plan without abilities, and so are its scans.
    """
    walker = _Marked(planner, kit)
    root: dict[str, Any] = {}
    stack = [(tree, planner.everything, here, kit.full, 0, 0, root)]
    while stack:
        node, spots, at, ready, spent, scans, out = stack.pop()
        if node is None:
            out.update(walker.end(spots, at, ready, spent, scans))
            continue
        gone = path_to(planner, at, node.tile, kit, ready)
        out.update(tile=list(node.tile), walk_ticks=gone.ticks, **uses_to_json(gone), answers={})
        spent += gone.ticks + planner.stop
        for name, left in node.answers.items():
            out["answers"][name] = {}
            following = node.children.get(name)
            then = (node.tile, gone.after(planner.stop), spent, scans + 1, out["answers"][name])
            stack.append((following, left, *then))
    return root, Cost(walker.ticks, walker.worst, walker.scans)


class _Marked:
    """The ends of a plan, and the totals over all its spots."""

    def __init__(self, planner: Planner, kit: Abilities) -> None:
        self.planner, self.kit = planner, kit
        self.ticks = self.worst = self.scans = 0

    def end(self, spots: int, at: Tile, ready: Ready, spent: int, scans: int) -> dict[str, Any]:
        """A leaf: each of its spots with the way to it."""
        digs = []
        for j in bit_indices(spots):
            gone = path_to_dig(self.planner, at, j, self.kit, ready)
            number = self.planner.scene.remaining[j]
            digs.append({"spot": number, "walk_ticks": gone.ticks, **uses_to_json(gone)})
            self.ticks += spent + gone.ticks
            self.worst = max(self.worst, spent + gone.ticks)
            self.scans += scans
        return leaf([dig["spot"] for dig in digs]) | {"digs": digs}
