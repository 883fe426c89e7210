"""The fewest scans that are enough on average, wherever they have to be made.

This is about counting scans, not ticks: distances play no part. Levels do, where they are used,
and walls say where no one can scan.
"""

from __future__ import annotations

import time

from cluewise.core.work import Job, Pace, Progress
from cluewise.desks.scan.engine.plan import Planner
from cluewise.kernel import Frame
from cluewise.kernel.layouts import SCAN

_POOL = 1 << 18  # scans
_TABLE_BITS = 20


def prove(frame: Frame, planner: Planner, greedy: int, seconds: float) -> Job[tuple[int, bool]]:
    """What no plan can do with less, and whether that is also enough."""
    began = time.monotonic()
    state, bounds = frame.reserve(frame.call("scan_fewest_bytes")), frame.reserve(8)
    pool, table = (
        frame.reserve(SCAN.SCAN_POOLED_SCAN * _POOL),
        frame.reserve(SCAN.SCAN_BOUNDS_ENTRY << _TABLE_BITS),
    )
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
