"""The fewest scans that are enough on average, wherever they have to be made.

This is about counting scans, not ticks: distances play no part. Levels do, where they are used,
and walls say where nobody can scan.
"""

from __future__ import annotations

import time

from cluewise.core.work import Job, Pace, Progress
from cluewise.desks.scan.engine.plan import MOST_SPOTS, Planner
from cluewise.desks.scan.engine.tree import build, cost
from cluewise.desks.scan.position import ScanPosition
from cluewise.desks.scan.results import FewestOptions, FewestResult
from cluewise.desks.scan.scene import Scene
from cluewise.errors import TooLarge
from cluewise.kernel import Frame, kernel

_POOL = 1 << 18  # scans
_TABLE_BITS = 20


def run_fewest(position: ScanPosition, options: FewestOptions) -> Job[FewestResult]:
    """The verb `fewest`: the least total, proved, or bounds when the time is up."""
    scene = Scene.of(position)
    spots = len(scene.must_remain())
    if spots < 2:
        yield Progress(1, 1)
        return FewestResult(0, 0, spots, 0.0, True, 0)
    if spots > MOST_SPOTS:
        raise TooLarge(
            f"The fewest scans are proved for up to {MOST_SPOTS} spots; {spots} are left."
        )
    with kernel().frame() as frame:
        planner = Planner(frame, scene, on_the_way=False, table_bits=8)
        yield from planner.lay_walls(scene.start)
        tree = yield from build(planner, planner.everything, scene.start, "bits", 0)
        greedy = cost(planner, tree, planner.everything, scene.start).scans
        low, proved = yield from _prove(frame, planner, greedy, options.seconds)
    total = low if proved else greedy
    return FewestResult(total, low, spots, total / spots, proved, greedy)


def _prove(frame: Frame, planner: Planner, greedy: int, seconds: float) -> Job[tuple[int, bool]]:
    """What no plan can do with less, and whether that is also enough."""
    began = time.monotonic()
    state, bounds = frame.reserve(frame.call("scan_fewest_bytes")), frame.reserve(8)
    pool, table = frame.reserve(40 * _POOL), frame.reserve(16 << _TABLE_BITS)
    here = planner.scene.start
    if frame.call("scan_fewest", state, planner.address, *here, pool, _POOL, table, _TABLE_BITS):
        return 0, False  # walls keep one from every tile that would tell some spots apart
    pace = Pace(first=2000)
    while True:
        done = frame.call("scan_fewest_run", state, pace.rows(1 << 30), bounds)
        pace.took()
        low = frame.get(bounds, "i", 1)[0]
        if done or low >= greedy:
            return low, True
        if time.monotonic() - began > seconds:
            return low, False
        yield Progress(low, greedy, f"at least {low} scans in all")
