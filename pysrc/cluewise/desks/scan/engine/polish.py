"""A finished tree polished: the same questions in the same order, asked at better tiles.

The search tries one or two tiles of each class. Here every scan is moved about inside its class
while that saves ticks: between where one comes from, where one goes next and the spots it shows.
Steps that cost nothing are taken at random now and then, since tick counts have wide plateaus.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field

from cluewise.core.conflict import bits
from cluewise.core.work import Job, Progress
from cluewise.desks.scan.engine.plan import Planner, Tile
from cluewise.desks.scan.engine.tree import Node

ROUNDS = 60
LEAPS = (1, 2, 4, 8, 16)  # tiles
AROUND = tuple((dx, dy) for dy in (-1, 0, 1) for dx in (-1, 0, 1) if dx or dy)
STROLLS = 4  # free steps tried at each scan, a round
FAR = 4  # tiles, the longest of them


@dataclass(slots=True)
class _Stop:
    """A scan of the tree; `ends` are the spots from here on known, `next` the scans that follow."""

    node: Node
    before: _Stop | None
    here: Tile
    count: int
    ends: list[Tile]
    next: list[_Stop] = field(default_factory=list)

    def cost(self, x: int, y: int) -> int:
        """What depends on this scan's tile, as a total of ticks over all its spots."""
        u, v = self.before.here if self.before else self.node.here
        total = self.count * ((max(abs(u - x), abs(v - y)) + 1) >> 1)
        for u, v in self.ends:
            total += max(abs(u - x), abs(v - y)) >> 1
        for stop in self.next:
            u, v = stop.here
            total += stop.count * ((max(abs(u - x), abs(v - y)) + 1) >> 1)
        return total


def polish(planner: Planner, tree: Node) -> Job[Node]:
    """A tree of the same questions that takes no more ticks, usually a little fewer.

    For trees of scans on the open plane; the given tree stays as it is.
    """
    stops = _stops(planner, tree)
    chance = random.Random(0)
    for step in range(ROUNDS):
        for stop in stops:
            if step:
                _stroll(planner, stop, chance)
        moved = True
        while moved:
            moved = False
            for stop in stops:
                moved |= _descend(planner, stop)
                yield Progress(step, ROUNDS, "polishing the route")
    return _rebuilt(stops)


def _stops(planner: Planner, tree: Node) -> list[_Stop]:
    """The scans of a tree, each after the one before it."""
    found: list[_Stop] = []
    stack: list[tuple[Node, _Stop | None]] = [(tree, None)]
    while stack:
        node, before = stack.pop()
        ends = [
            planner.spots[j]
            for n, s in node.answers.items()
            if n not in node.children
            for j in bits(s)
        ]
        stop = _Stop(node, before, node.tile, node.spots.bit_count(), [(s[0], s[1]) for s in ends])
        if before is not None:
            before.next.append(stop)
        found.append(stop)
        stack.extend((child, stop) for child in node.children.values())
    return found


def _descend(planner: Planner, stop: _Stop) -> bool:
    """Move a scan to better tiles until there is none near; whether it moved."""
    moved, now = False, stop.cost(*stop.here)
    for leap in LEAPS:
        better = True
        while better:
            better = False
            for tile in _near(stop.here, leap):
                cost = stop.cost(*tile)
                if cost < now and _same_question(planner, stop, tile):
                    stop.here, now, moved, better = tile, cost, True, True
    return moved


def _near(tile: Tile, leap: int) -> Iterator[Tile]:
    return ((tile[0] + dx * leap, tile[1] + dy * leap) for dx, dy in AROUND)


def _stroll(planner: Planner, stop: _Stop, chance: random.Random) -> None:
    """A few steps at random that cost nothing."""
    now = stop.cost(*stop.here)
    for _ in range(STROLLS):
        tile = stop.here[0] + chance.randint(-FAR, FAR), stop.here[1] + chance.randint(-FAR, FAR)
        cost = stop.cost(*tile)
        if cost <= now and _same_question(planner, stop, tile):
            stop.here, now = tile, cost


def _same_question(planner: Planner, stop: _Stop, tile: Tile) -> bool:
    return planner.answers(tile, stop.node.spots) == stop.node.answers


def _rebuilt(stops: list[_Stop]) -> Node:
    made: dict[int, Node] = {}
    for stop in stops:
        old, here = stop.node, stop.before.here if stop.before else stop.node.here
        walk = (max(abs(here[0] - stop.here[0]), abs(here[1] - stop.here[1])) + 1) >> 1
        made[id(old)] = Node(here, stop.here, stop.here, walk, old.spots, old.answers)
        if stop.before is not None:
            parent = stop.before.node
            name = next(n for n, child in parent.children.items() if child is old)
            made[id(parent)].children[name] = made[id(old)]
    return made[id(stops[0].node)]
