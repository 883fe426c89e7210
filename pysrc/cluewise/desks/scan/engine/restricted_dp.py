"""Improves a scan plan on the open plane: restricted dynamic programming, then more room.

The dynamic program (restricted_dp.c) has a restricted state space: the states of the given plan and
the cells of high-ranked scans in them. Over these states the kernel finds the optimal plan, at any
tiles. With `rounds` it is repeated from the plan found, until nothing improves.

Room: scans move to tiles where you may be off by more, at the same total of ticks. Walls are not
known on the open plane, so a tile may be blocked; the more tiles round it have the same answers,
the likelier one of them is free. Walks are rounded to ticks, so many scans can move at no cost.
Cost: two passes over the tree, 81 tiles a scan; a tenth of a plan's time.
"""

from __future__ import annotations

import struct
from array import array
from collections.abc import Callable
from dataclasses import dataclass

from cluewise.core.conflict import bit_indices
from cluewise.core.work import Job, Progress, SliceTimer
from cluewise.desks.scan.engine.decision_tree import (
    Cost,
    Node,
    build_tree,
    choose,
    cost,
    first_step,
)
from cluewise.desks.scan.engine.planner import MOST_ROOM, NOWHERE, Action, Planner, Tile
from cluewise.desks.scan.scene import (
    COMPLEMENT_EXTRA,
    complement_y,
    steps_between,
    ticks_between,
)
from cluewise.errors import TooLarge
from cluewise.kernel import Frame, kernel
from cluewise.kernel.layouts import SCAN

_SEED = struct.Struct(SCAN.ScanSeed_FORMAT)
_ROOMS = (28 << 20, 16 << 20)  # bytes; less where other work holds memory
_NOTE = "making the route better"
ALLOWANCE = 3  # of every state of the plan
FEW, ALLOWANCE_OF_FEW = 21, 4  # up to 21 spots the larger family fits


@dataclass(frozen=True, slots=True)
class SeedState:
    """A state from which a family is expanded, with its allowance of discrepancies."""

    spots: int
    here: Tile
    allowance: int


class RestrictedDp:
    """The kernel's memory for families of a planner of up to 64 spots on the open plane."""

    def __init__(self, frame: Frame, planner: Planner) -> None:
        self.frame, self.planner = frame, planner
        self._state = frame.reserve(frame.call("scan_family_bytes"))
        self._set, self._out = frame.reserve(8), frame.reserve(64)
        self._pool, length = frame.reserve_most(_ROOMS)
        self._room = length // 2  # numbers
        self.pace = SliceTimer(first=1 << 18)

    def find(self, seeds: list[SeedState], upper: int) -> Job[bool]:
        """Solve the family; False if the map is too large."""
        data = b"".join(_SEED.pack(s.spots, *s.here, s.allowance) for s in seeds)
        given = self.frame.put(data)
        asked = (self.planner.address, given, len(seeds), upper, self._pool, self._room)
        try:
            self.frame.call("scan_family", self._state, *asked)
            while not self.frame.call("scan_family_run", self._state, self.pace.rows(1 << 26)):
                self.pace.took()
                yield Progress(0, None, _NOTE)
        except TooLarge:
            return False
        return True

    def least(self, spots: int, here: Tile) -> tuple[int, Tile | None]:
        """Return the least total of a member from a tile, and the tile of its first scan."""
        self.frame.write(self._set, array("Q", [spots]))
        total = self.frame.call("scan_family_value", self._state, self._set, *here, self._out)
        tile = self.planner.read_action(self._out).at
        return total, None if tile[0] == NOWHERE else tile

    def members(self) -> list[int]:
        """Return the sets of the family."""
        count = self.frame.call("scan_family_list", self._state, self._set, 0)
        out = self.frame.reserve(8 * count)
        self.frame.call("scan_family_list", self._state, out, count)
        return self.frame.get(out, "Q", count).tolist()


def usual_allowance(planner: Planner) -> int:
    """Return the allowance for a quick answer, smaller for more spots."""
    return ALLOWANCE_OF_FEW if planner.everything.bit_count() <= FEW else ALLOWANCE


def improve_plan(
    planner: Planner, tree: Node, here: Tile, allowance: int | None = None, rounds: int = 1
) -> Job[tuple[Node, Cost]]:
    """Return a plan of at most the ticks of `tree`, and its cost.

    `tree` is not changed, and returned if there is too little memory. With more `rounds` the family
    of each plan found is solved as well, while that improves the plan.
    """
    best = tree, cost(planner, tree, planner.everything, here)
    if not best[1].ticks:
        return best
    allowance = usual_allowance(planner) if allowance is None else allowance
    with kernel().frame() as frame:
        try:
            family = RestrictedDp(frame, planner)
        except TooLarge:
            return best
        for _ in range(rounds):
            found = yield from _round(family, best, here, allowance)
            if found is None or found[1].ticks >= best[1].ticks:
                break
            best = found
    return best


def _round(
    family: RestrictedDp, known: tuple[Node, Cost], here: Tile, allowance: int
) -> Job[tuple[Node, Cost] | None]:
    """Return the optimal plan of the family of a plan; None if none is better."""
    planner = family.planner
    if not (yield from family.find(seeds_of(known[0], allowance), known[1].ticks)):
        return None
    tree = yield from _follow(family, planner.everything, here)
    return None if tree is None else (tree, cost(planner, tree, planner.everything, here))


def seeds_of(tree: Node, allowance: int) -> list[SeedState]:
    """Return the states of a plan, the root first, all with one allowance."""
    return [SeedState(node.spots, node.here, allowance) for node in tree.descendants()]


def _follow(family: RestrictedDp, spots: int, here: Tile) -> Job[Node | None]:
    """Build the tree of the plan found; states of few spots are solved exactly."""
    if family.least(spots, here)[1] is None:
        return None
    return (yield from build_tree(lambda left, at: _step(family, left, at), spots, here, _NOTE))


def _step(family: RestrictedDp, spots: int, here: Tile) -> Job[Node]:
    """Return the first scan of a state; states below an exact plan may be no members."""
    planner = family.planner
    total, tile = family.least(spots, here)
    if tile is not None:
        exact = planner.solve_exactly(spots, here, total)
        tile = exact[1].at if exact is not None and exact[1] is not None else tile
    else:
        action = yield from choose(planner, spots, here, "search", 0, SliceTimer(first=16))
        assert action is not None  # on the open plane some scan distinguishes any two spots
        tile = action.at
    return first_step(planner, spots, here, Action(tile, tile, 0, ()))


# ---- room --------------------------------------------------------------------------------

_FAR = 4  # tiles by which a scan is moved, at most
_PASSES = 2  # after a move, parents and children may move

Square = tuple[int, int, int]  # x, y, half its width without the middle


class PlaneRooms:
    """Answers at tiles of the open plane, by the sets of squares that contain a tile."""

    def __init__(self, planner: Planner) -> None:
        reach, floor = planner.scene.reach, planner.scene.floor
        squares: list[Square] = []
        self._squares_of: list[int] = []  # bits, by spot
        for x, y, level in planner.spots:
            mine = [(x, y, reach), (x, y, 2 * reach)]
            if planner.with_levels and level == floor:
                mine.append((x, complement_y(y), reach + COMPLEMENT_EXTRA))
            self._squares_of.append(((1 << len(mine)) - 1) << len(squares))
            squares += mine
        self._columns = _Strips(squares, 0)
        self._rows = _Strips(squares, 1)

    def near(self, tile: Tile, spots: int, far: int) -> list[tuple[int, Tile]]:
        """Return the tiles within `far` of a tile that have its answers, with their room."""
        chosen = 0
        for j in bit_indices(spots):
            chosen |= self._squares_of[j]
        x, y, size = tile[0], tile[1], far + MOST_ROOM
        columns = [self._columns[x + u] & chosen for u in range(-size, size + 1)]
        rows = [self._rows[y + v] & chosen for v in range(-size, size + 1)]
        squares = columns[size] & rows[size]
        same = [[column & row == squares for column in columns] for row in rows]
        found, inner = [], range(MOST_ROOM, MOST_ROOM + 2 * far + 1)
        for room in range(MOST_ROOM + 1):
            if room:
                same = _erode(same)
            found.append([[same[v - room][u - room] for u in inner] for v in inner])
        return [
            (sum(at[v][u] for at in found) - 1, (x + u - far, y + v - far))
            for v in range(2 * far + 1)
            for u in range(2 * far + 1)
            if found[0][v][u]
        ]


class _Strips(dict[int, int]):
    """By coordinate on one axis, the squares that contain it, as bits; filled on demand."""

    def __init__(self, squares: list[Square], axis: int) -> None:
        super().__init__()
        self._ends = [(square[axis] - square[2], square[axis] + square[2]) for square in squares]

    def __missing__(self, at: int) -> int:
        self[at] = sum(1 << i for i, (low, high) in enumerate(self._ends) if low <= at <= high)
        return self[at]


def _erode(same: list[list[bool]]) -> list[list[bool]]:
    """Erode by the eight neighbours, without the border."""
    across = [
        [a and b and c for a, b, c in zip(row, row[1:], row[2:], strict=False)] for row in same
    ]
    return [
        [a and b and c for a, b, c in zip(*rows, strict=True)]
        for rows in zip(across, across[1:], across[2:], strict=False)
    ]


def give_room(planner: Planner, tree: Node) -> None:
    """Move the scans of a plan on the open plane to nearby tiles with more room.

    The total of ticks over all spots stays or falls.
    """
    rooms = PlaneRooms(planner)
    for _ in range(_PASSES):
        for node in tree.descendants():
            _move(planner, rooms, node)


def _move(planner: Planner, rooms: PlaneRooms, node: Node) -> None:
    near, legs = rooms.near(node.at, node.spots, _FAR), _legs(planner, node)
    now = sum(count * ticks(node.at) for count, ticks in legs)
    room = next(room for room, tile in near if tile == node.at)
    roomier = ((-more, steps_between(node.at, t), t) for more, t in near if more > room)
    for _, _, tile in sorted(roomier):
        if sum(count * ticks(tile) for count, ticks in legs) <= now:
            node.move(tile, ticks_between(node.here, tile), planner.stop)
            for child in node.children.values():
                child.here = tile
                child.move(child.tile, ticks_between(tile, child.tile), planner.stop)
            return


def _legs(planner: Planner, node: Node) -> list[tuple[int, Callable[[Tile], int]]]:
    """Return the walks to and from a scan: the number of spots, and ticks by the scan's tile."""

    def walk(to: Tile) -> Callable[[Tile], int]:
        return lambda tile: ticks_between(tile, to)

    def dig(spot: Tile) -> Callable[[Tile], int]:
        return lambda tile: steps_between(tile, spot) >> 1

    legs = [(node.spots.bit_count(), walk(node.here))]
    for one in node.outcomes:
        if one.then is not None:
            legs.append((one.spots.bit_count(), walk(one.then.at)))
        else:
            legs += [(1, dig(planner.spots[j])) for j in bit_indices(one.spots)]
    return legs
