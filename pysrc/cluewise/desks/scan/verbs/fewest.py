"""The verb `fewest`: prove the least mean number of scans, whatever their distances."""

from __future__ import annotations

import time

from cluewise.core.work import Job, Progress, SliceTimer
from cluewise.desks.scan.engine.decision_tree import build, cost
from cluewise.desks.scan.engine.ground import over_floors
from cluewise.desks.scan.engine.planner import MOST_SPOTS, Planner, Tile, pack_tile
from cluewise.desks.scan.position import Position
from cluewise.desks.scan.results import Fewest, FewestOptions
from cluewise.desks.scan.scene import ScanModel
from cluewise.errors import BadPosition, TooLarge
from cluewise.kernel import Frame, kernel
from cluewise.kernel.layouts import SCAN

_POOL = 1 << 18  # scans
_TABLE_BITS = 20


def fewest(position: Position, options: FewestOptions) -> Job[Fewest]:
    """Return the proven least total, or bounds after the time limit.

    With imprecise places or misread pulses the least total of exact scans is a lower bound, that of
    scans whose answers are certain an upper bound.
    """
    every = ScanModel.of(position)
    every.must_remain()
    scene, began = over_floors(every), time.monotonic()
    if len(scene.remaining) > MOST_SPOTS:
        raise TooLarge(
            f"The fewest scans are proved for up to {MOST_SPOTS} spots; "
            f"{len(scene.remaining)} are left."
        )
    with kernel().frame() as frame:
        planner, here = Planner(frame, scene), scene.start
        yield from planner.load_walls(here)
        spots, beyond = len(planner.spots), list(planner.scene.beyond) or None
        if spots < 2:
            yield Progress(1, 1)
            return Fewest(0, 0, spots, 0.0, 0.0, True, 0, beyond)
        tree = yield from build(planner, planner.everything, here, "bits", 0)
        greedy = cost(planner, tree, planner.everything, here).scans
        prover = _Prover(frame, planner, here, began + options.seconds)
        low, proved = yield from prover.prove(greedy)
        total = low if proved else greedy
        if position.slack or position.misread:
            worst = spots * (spots - 1)
            least, found = yield from prover.prove(worst, certain=True)
            total = least if found else worst
            proved = proved and total == low
    mean = total / spots
    return Fewest(total, low, spots, mean, mean * options.stop, proved, greedy, beyond)


class _Prover:
    """The kernel's search for the fewest scans of one planner, with a deadline."""

    def __init__(self, frame: Frame, planner: Planner, here: Tile, ends: float) -> None:
        self.frame, self.planner, self.here, self.ends = frame, planner, here, ends
        self._state, self._bounds = frame.reserve(frame.call("scan_fewest_bytes")), frame.reserve(8)
        self._pool = frame.reserve(SCAN.SCAN_POOLED_SCAN * _POOL)
        self._table = frame.reserve(SCAN.SCAN_BOUNDS_ENTRY << _TABLE_BITS)

    def prove(self, known: int, *, certain: bool = False) -> Job[tuple[int, bool]]:
        """Return a lower bound of the total, and whether it is the least total.

        `certain`: of plans that hold for every misreading and displacement. Distances do not count;
        levels do if they are used, and walls limit the tiles of scans.
        """
        (x, y), position = pack_tile(self.here), self.planner.scene.position
        merged = SCAN.SCAN_PLACES * bool(position.slack) + SCAN.SCAN_PULSES * bool(position.misread)
        stuck = self.frame.call(
            "scan_fewest", fewest=self._state, plan=self.planner.address, x=x, y=y,
            slack=position.slack, merged=merged if certain else 0, pool=self._pool,
            pool_room=_POOL, table=self._table, bits=_TABLE_BITS,
        )  # fmt: skip
        if stuck and certain:
            raise BadPosition(
                "No number of scans is enough for certain: some spots can be confused wherever one "
                "scans. Set `slack` or `misread` to less.",
                "$.position.slack" if position.slack else "$.position.misread",
            )
        if stuck:
            return 0, False  # no reachable tile distinguishes some two spots
        pace = SliceTimer(first=2000)
        while True:
            done = self.frame.call(
                "scan_fewest_run", fewest=self._state, work=pace.rows(1 << 30), bounds=self._bounds
            )
            pace.took()
            low = self.frame.get(self._bounds, "i", 1)[0]
            if done or low >= known:
                return low, True
            if time.monotonic() > self.ends:
                return low, False
            yield Progress(low, known, f"at least {low} scans in all")
