"""The verb `fewest`: the fewest scans that are enough on average, wherever they are made."""

from __future__ import annotations

import time

from cluewise.core.work import Job, Progress, SliceTimer
from cluewise.desks.scan.engine.decision_tree import build, cost
from cluewise.desks.scan.engine.planner import MOST_SPOTS, Planner
from cluewise.desks.scan.engine.stairs import refuse_stairs
from cluewise.desks.scan.position import Position
from cluewise.desks.scan.results import Fewest, FewestOptions
from cluewise.desks.scan.scene import ScanModel
from cluewise.errors import BadPosition, TooLarge
from cluewise.kernel import Frame, kernel
from cluewise.kernel.layouts import SCAN

_POOL = 1 << 18  # scans
_TABLE_BITS = 20


def refuse_uncertain(scene: ScanModel) -> None:
    """Raise `BadPosition` where scans may tell less than is counted on."""
    for name in ("slack", "misread"):
        if getattr(scene.position, name):
            raise BadPosition(
                "The fewest scans are proved for exact places and pulses that are read right; "
                f"set `{name}` to 0.",
                f"$.position.{name}",
            )


def fewest(position: Position, options: FewestOptions) -> Job[Fewest]:
    """The verb `fewest`: the least total, proved, or bounds when the time is up."""
    scene = ScanModel.of(position)
    refuse_stairs(scene, "The fewest scans are proved for one floor")
    refuse_uncertain(scene)
    spots = len(scene.must_remain())
    if spots < 2:
        yield Progress(1, 1)
        return Fewest(0, 0, spots, 0.0, 0.0, True, 0)
    if spots > MOST_SPOTS:
        raise TooLarge(
            f"The fewest scans are proved for up to {MOST_SPOTS} spots; {spots} are left."
        )
    with kernel().frame() as frame:
        planner = Planner(frame, scene)
        yield from planner.lay_walls(scene.start)
        tree = yield from build(planner, planner.everything, scene.start, "bits", 0)
        greedy = cost(planner, tree, planner.everything, scene.start).scans
        low, proved = yield from _prove(frame, planner, greedy, options.seconds)
    total = low if proved else greedy
    mean = total / spots
    return Fewest(total, low, spots, mean, mean * options.stop, proved, greedy)


def _prove(frame: Frame, planner: Planner, greedy: int, seconds: float) -> Job[tuple[int, bool]]:
    """Return a total of scans that no plan beats, and whether it is the least total.

    Distances play no part. Levels do where they are used, and walls limit where scans are made.
    """
    began = time.monotonic()
    state, bounds = frame.reserve(frame.call("scan_fewest_bytes")), frame.reserve(8)
    pool, table = (
        frame.reserve(SCAN.SCAN_POOLED_SCAN * _POOL),
        frame.reserve(SCAN.SCAN_BOUNDS_ENTRY << _TABLE_BITS),
    )
    here = planner.scene.start
    if frame.call("scan_fewest", state, planner.address, *here, pool, _POOL, table, _TABLE_BITS):
        return 0, False  # walls keep one from every tile that would tell some spots apart
    pace = SliceTimer(first=2000)
    while True:
        done = frame.call("scan_fewest_run", state, pace.rows(1 << 30), bounds)
        pace.took()
        low = frame.get(bounds, "i", 1)[0]
        if done or low >= greedy:
            return low, True
        if time.monotonic() - began > seconds:
            return low, False
        yield Progress(low, greedy, f"at least {low} scans in all")
