"""The least plan of all, over all tiles and scans, or the proof that it is a known one."""

from array import array
from dataclasses import dataclass

from cluewise.core.work import Job, Progress, SliceTimer
from cluewise.desks.scan.engine.decision_tree import Node, build_tree, first_step
from cluewise.desks.scan.engine.planner import NOWHERE, Action, Planner, Tile
from cluewise.errors import TooLarge
from cluewise.kernel import Frame, kernel

ROOMS = (44 << 20, 36 << 20, 28 << 20, 16 << 20)  # bytes; less where other work holds memory
WORK = 1_200_000_000  # tiles looked at before it is given up, some four seconds
_NOTE = "looking for the best plan there is"


@dataclass(frozen=True, slots=True)
class OptimalPlan:
    """What the least plan of all takes, over all spots, and it; no tree: it is the known one."""

    total: int
    tree: Node | None


def prove_optimal(
    planner: Planner, here: Tile, known: int, rooms: tuple[int, ...] = ROOMS, work: int = WORK
) -> Job[OptimalPlan | None]:
    """The least plan if it takes less than `known`, or that none does; None: not found out."""
    if not known:
        return OptimalPlan(known, None)
    with kernel().frame() as frame:
        try:
            optimum = OptimalPlanProver(frame, planner, rooms)
        except TooLarge:
            return None
        if not (yield from optimum.find(here, known, work)):
            return None
        total, tile = optimum.least(planner.everything, here)
        if tile is None:
            return OptimalPlan(known, None)
        return OptimalPlan(total, (yield from optimum.follow(here)))


class OptimalPlanProver:
    """The kernel's memory for the least plan of a planner's spots."""

    def __init__(self, frame: Frame, planner: Planner, rooms: tuple[int, ...] = ROOMS) -> None:
        self._frame, self._planner = frame, planner
        self._state = frame.reserve(frame.call("scan_optimum_bytes"))
        self._set, self._out = frame.reserve(8), frame.reserve(64)
        self._pool, length = frame.reserve_most(rooms)
        self._room = length // 2  # numbers
        self._pace = SliceTimer(first=1 << 20)

    def find(self, here: Tile, known: int, work: int) -> Job[bool]:
        """Look for a plan of less than `known`; False where there is no room or work to know."""
        self._frame.write(self._set, array("Q", [self._planner.everything]))
        asked = (self._planner.address, self._set, *here, known, self._pool, self._room)
        try:
            self._frame.call("scan_optimum", self._state, *asked)
            while work > 0:
                tiles = self._pace.rows(work)
                if self._frame.call("scan_optimum_run", self._state, tiles):
                    return True
                work -= tiles
                self._pace.took()
                yield Progress(0, None, _NOTE)
        except TooLarge:
            pass
        return False

    def least(self, spots: int, here: Tile) -> tuple[int, Tile | None]:
        """The least total of a set that the plan leaves at a tile, and where its scan is made."""
        self._frame.write(self._set, array("Q", [spots]))
        total = self._frame.call("scan_optimum_value", self._state, self._set, *here, self._out)
        tile = self._planner.read_action(self._out).at
        return total, None if tile[0] == NOWHERE else tile

    def follow(self, here: Tile) -> Job[Node | None]:
        """The plan found, scan by scan."""
        return (yield from build_tree(self._step, self._planner.everything, here, _NOTE))

    def _step(self, spots: int, here: Tile) -> Job[Node]:
        yield Progress(0, None, _NOTE)
        _, tile = self.least(spots, here)
        assert tile is not None  # what a plan leaves takes less than was wanted of it
        return first_step(self._planner, spots, here, Action(tile, tile, 0, ()))
