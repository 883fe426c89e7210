"""Room on the open plane: scans moved to where one may be off by more, at the same total of ticks.

Walls are not known there, so a tile may turn out to be blocked; the more tiles round it have the
same answers, the likelier one of them is free. Walks are rounded to ticks, so many scans can be
moved at no cost. Cost: two passes over the tree, 81 tiles a scan; a tenth of a plan's time.
"""

from __future__ import annotations

from collections.abc import Callable

from cluewise.core.conflict import bit_indices
from cluewise.desks.scan.engine.decision_tree import Node
from cluewise.desks.scan.engine.planner import MOST_ROOM, Planner
from cluewise.desks.scan.scene import (
    COMPLEMENT_EXTRA,
    Tile,
    complement_y,
    steps_between,
    ticks_between,
)

_FAR = 4  # tiles that a scan is moved at most
_PASSES = 2  # a scan moved may let its neighbours move

Square = tuple[int, int, int]  # x, y, half its width without the middle


class PlaneRooms:
    """The answers round tiles of the open plane, as sets of the squares that a tile is in."""

    def __init__(self, planner: Planner) -> None:
        reach, floor = planner.scene.reach, planner.scene.floor
        squares: list[Square] = []
        self._of: list[int] = []  # by spot, its squares as bits
        for x, y, level in planner.spots:
            mine = [(x, y, reach), (x, y, 2 * reach)]
            if planner.with_levels and level == floor:
                mine.append((x, complement_y(y), reach + COMPLEMENT_EXTRA))
            self._of.append(((1 << len(mine)) - 1) << len(squares))
            squares += mine
        self._columns = _Strips(squares, 0)
        self._rows = _Strips(squares, 1)

    def near(self, tile: Tile, spots: int, far: int) -> list[tuple[int, Tile]]:
        """The tiles within `far` of one that have its answers, each with its room."""
        chosen = 0
        for j in bit_indices(spots):
            chosen |= self._of[j]
        x, y, size = tile[0], tile[1], far + MOST_ROOM
        columns = [self._columns[x + u] & chosen for u in range(-size, size + 1)]
        rows = [self._rows[y + v] & chosen for v in range(-size, size + 1)]
        asked = columns[size] & rows[size]
        same = [[column & row == asked for column in columns] for row in rows]
        found, inner = [], range(MOST_ROOM, MOST_ROOM + 2 * far + 1)
        for room in range(MOST_ROOM + 1):
            if room:
                same = _shrunk(same)
            found.append([[same[v - room][u - room] for u in inner] for v in inner])
        return [
            (sum(at[v][u] for at in found) - 1, (x + u - far, y + v - far))
            for v in range(2 * far + 1)
            for u in range(2 * far + 1)
            if found[0][v][u]
        ]


class _Strips(dict[int, int]):
    """By a coordinate on one axis, the squares that lie across it, as bits."""

    def __init__(self, squares: list[Square], axis: int) -> None:
        super().__init__()
        self._ends = [(square[axis] - square[2], square[axis] + square[2]) for square in squares]

    def __missing__(self, at: int) -> int:
        self[at] = sum(1 << i for i, (low, high) in enumerate(self._ends) if low <= at <= high)
        return self[at]


def _shrunk(same: list[list[bool]]) -> list[list[bool]]:
    """Where a tile and its eight neighbours are all set, without the border."""
    across = [
        [a and b and c for a, b, c in zip(row, row[1:], row[2:], strict=False)] for row in same
    ]
    return [
        [a and b and c for a, b, c in zip(*rows, strict=True)]
        for rows in zip(across, across[1:], across[2:], strict=False)
    ]


def give_room(planner: Planner, tree: Node) -> None:
    """Move the scans of a plan on the open plane to where there is most room.

    The total of ticks over all spots stays or falls.
    """
    rooms = PlaneRooms(planner)
    for _ in range(_PASSES):
        stack = [tree]
        while stack:
            node = stack.pop()
            _move(planner, rooms, node)
            stack.extend(node.children.values())


def _move(planner: Planner, rooms: PlaneRooms, node: Node) -> None:
    near, legs = rooms.near(node.at, node.spots, _FAR), _legs(planner, node)
    now = sum(count * ticks(node.at) for count, ticks in legs)
    room = next(room for room, tile in near if tile == node.at)
    roomier = ((-more, steps_between(node.at, t), t) for more, t in near if more > room)
    for _, _, tile in sorted(roomier):
        if sum(count * ticks(tile) for count, ticks in legs) <= now:
            node.tile = node.at = tile
            node.walk = ticks_between(node.here, tile)
            for child in node.children.values():
                child.here, child.walk = tile, ticks_between(tile, child.at)
            return


def _legs(planner: Planner, node: Node) -> list[tuple[int, Callable[[Tile], int]]]:
    """The ways to and from a scan: how many spots go each, and its ticks by the scan's tile."""

    def way(to: Tile) -> Callable[[Tile], int]:
        return lambda tile: ticks_between(tile, to)

    def dig(spot: Tile) -> Callable[[Tile], int]:
        return lambda tile: steps_between(tile, spot) >> 1

    legs = [(node.spots.bit_count(), way(node.here))]
    legs += [(child.spots.bit_count(), way(child.at)) for child in node.children.values()]
    for name, left in node.answers.items():
        if name not in node.children:
            legs += [(1, dig(planner.spots[j])) for j in bit_indices(left)]
    return legs
