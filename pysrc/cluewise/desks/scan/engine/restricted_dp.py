"""Improves a scan plan by an exact dynamic program on a restricted state space (restricted_dp.c).

The states are those of a plan found and what scans that rank high in them leave; over these the
kernel finds the least plan, wherever its scans are made. With `rounds` the states of the plan found
are expanded in turn, until nothing is gained.
"""

from __future__ import annotations

import struct
from array import array
from dataclasses import dataclass

from cluewise.core.work import Job, Progress, SliceTimer
from cluewise.desks.scan.engine.decision_tree import (
    Cost,
    Node,
    build_tree,
    choose,
    cost,
    first_step,
)
from cluewise.desks.scan.engine.planner import NOWHERE, Action, Planner, Tile
from cluewise.errors import TooLarge
from cluewise.kernel import Frame, kernel
from cluewise.kernel.layouts import SCAN

_SEED = struct.Struct(SCAN.ScanSeed_FORMAT)
_ROOMS = (28 << 20, 16 << 20)  # bytes; less where other work holds memory
_NOTE = "making the route better"
ALLOWANCE = 3  # of every state of the plan
FEW, ALLOWANCE_OF_FEW = 21, 4  # of up to so many spots, whose families still find room


@dataclass(frozen=True, slots=True)
class SeedState:
    """A state that a family grows from: its spots, where one comes from, and what is tried."""

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
        """Find the family's plans; False where the map is too large for it."""
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
        """The least total of a member from a tile, and where its first scan is made."""
        self.frame.write(self._set, array("Q", [spots]))
        total = self.frame.call("scan_family_value", self._state, self._set, *here, self._out)
        tile = self.planner.read_action(self._out).at
        return total, None if tile[0] == NOWHERE else tile

    def members(self) -> list[int]:
        """The sets of the family."""
        count = self.frame.call("scan_family_list", self._state, self._set, 0)
        out = self.frame.reserve(8 * count)
        self.frame.call("scan_family_list", self._state, out, count)
        return self.frame.get(out, "Q", count).tolist()


def usual_allowance(planner: Planner) -> int:
    """How far a family goes in a moment: the more spots, the more sets it has."""
    return ALLOWANCE_OF_FEW if planner.everything.bit_count() <= FEW else ALLOWANCE


def improve_plan(
    planner: Planner, tree: Node, here: Tile, allowance: int | None = None, rounds: int = 1
) -> Job[tuple[Node, Cost]]:
    """A plan that takes no more ticks than one of scans on the open plane, with its cost.

    The given tree stays as it is. It is the answer where other work holds too much memory. With
    more `rounds` the family of each plan found is looked at as well, while that gains something.
    """
    best = tree, cost(planner, tree, planner.everything, here)
    if not best[1].ticks:
        return best  # nothing takes less
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
    """The least plan of the family of a known one, if it takes fewer ticks."""
    planner = family.planner
    if not (yield from family.find(seeds_of(known[0], allowance), known[1].ticks)):
        return None
    tree = yield from _follow(family, planner.everything, here)
    return None if tree is None else (tree, cost(planner, tree, planner.everything, here))


def seeds_of(tree: Node, allowance: int) -> list[SeedState]:
    """The states of a plan, the whole first, all with one allowance."""
    seeds, stack = [], [tree]
    while stack:
        node = stack.pop()
        seeds.append(SeedState(node.spots, node.here, allowance))
        stack.extend(node.children.values())
    return seeds


def _follow(family: RestrictedDp, spots: int, here: Tile) -> Job[Node | None]:
    """The plan found, scan by scan; states of few spots are finished exactly."""
    if family.least(spots, here)[1] is None:
        return None
    return (yield from build_tree(lambda left, at: _step(family, left, at), spots, here, _NOTE))


def _step(family: RestrictedDp, spots: int, here: Tile) -> Job[Node]:
    """The first scan of a state; what an exact plan of few spots leaves need not be a member."""
    planner = family.planner
    total, tile = family.least(spots, here)
    if tile is not None:
        exact = planner.least(spots, here, total)
        tile = exact[1].at if exact is not None and exact[1] is not None else tile
    else:
        action = yield from choose(planner, spots, here, "search", 0, SliceTimer(first=16))
        assert action is not None  # on the open plane some scan distinguishes any two spots
        tile = action.at
    return first_step(planner, spots, here, Action(tile, tile, 0, ()))
