"""Scans that still tell something where one may stand a tile or two beside the one that is meant.

A scan near a border is noted so that either side of it stays possible: what it was to tell apart
stays open then, and the plan, which takes tiles at their word, would advise it again and again.
"""

from __future__ import annotations

from typing import Literal

from cluewise.desks.scan.engine.listen import Leg, rows_of
from cluewise.desks.scan.engine.plan import Planner, Tile
from cluewise.desks.scan.position import Observation
from cluewise.desks.scan.scene import Scene

SURE = 32  # scans compared with slack
Ranked = list[tuple[int, Tile]]  # totals of ticks and where to walk


def sure_first(scene: Scene, ranked: Ranked) -> Ranked:
    """With slack first the scans of which every answer rules something out, then those of which
    some do, and last of all one that was made already; in each the order that they had."""
    if not scene.position.slack:
        return ranked
    left = sum(1 << i for i in scene.remaining)
    made = {(*o.at, scene.floor)[:3] for o in scene.position.observations if o.at}

    def doubt(tile: Tile) -> int:
        at = (*tile, scene.floor)[:3]
        names = {scene.answer(tile, scene.spots[i]) for i in scene.remaining}
        told = [scene.left_by(row) & left for row in _rows(scene, names, at)]
        if left in told and at in made:
            return 3
        shown = len(told) < len(names)  # a triple shows the spot
        return int(left in told) + int(not shown and all(kept == left for kept in told))

    return sorted(ranked, key=lambda one: doubt(one[1]))


def _rows(scene: Scene, names: set[str], at: Tile) -> list[Observation]:
    """The answers that are no triple, as rows of the log."""
    pulses: dict[str, Literal[1, 2]] = {"1": 1, "2": 2}
    return [
        Observation(pulses[n[0]], at, different_level=n[1:] == "d" if scene.with_levels else None)
        for n in sorted(names)
        if n[0] in pulses
    ]


def tells(planner: Planner, leg: Leg) -> bool:
    """Whether whatever comes on a run rules something out, as it is noted with slack."""
    scene, left = planner.scene, sum(1 << i for i in planner.scene.remaining)
    for heard in leg.heard:
        kept = left
        for row in rows_of(planner, leg, heard):
            kept &= scene.left_by(row)
        if kept == left and heard.name != "3":
            return False
    return True
