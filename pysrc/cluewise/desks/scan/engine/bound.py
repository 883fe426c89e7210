"""A proven lower bound for routes: what no route can beat, to set beside the one found."""

from __future__ import annotations

from cluewise.core.work import Job, Pace, Progress
from cluewise.desks.scan.engine.plan import Planner, Tile
from cluewise.errors import TooLarge
from cluewise.kernel import Frame
from cluewise.kernel.layouts import SCAN

# Pieces' sides in tiles and depth in scans: coarse and deep, fine and shallow. The best counts.
PASSES = ((64, 3), (3, 3), (8, 4), (8, 5))
PATIENCE = 1_500_000  # cells looked at under one first piece
MOST_WORK = 30_000_000  # cells in one pass; a fixed amount, so that the bound is always the same
_POOL = 200_000  # items, 10 MB: other questions may be suspended with their memory meanwhile


def lower_bound(frame: Frame, planner: Planner, here: Tile, upper: int) -> Job[int]:
    """The largest total that is proved to be at most any route's; never above `upper`.

    Beyond 64 spots it is the walk straight to each spot.
    """
    best = planner.straight(here, planner.everything)
    if planner.wide:
        yield Progress(1, 1)
        return best
    pool = frame.reserve(SCAN.SCAN_POOLED_ITEM * _POOL)
    for number, (piece, depth) in enumerate(PASSES):
        yield Progress(number, len(PASSES), "proving a lower bound")
        found = yield from _pass(frame, planner, here, (piece, depth, upper), pool)
        best = max(best, found)
        if best >= upper:
            break
    return best


def _pass(
    frame: Frame, planner: Planner, here: Tile, how: tuple[int, int, int], pool: int
) -> Job[int]:
    """The bound of one pass; 0 where it did not get to its end."""
    piece, depth, upper = how
    state, out = frame.reserve(frame.call("scan_bound_bytes")), frame.reserve(4)
    try:
        frame.call(
            "scan_bound", state, planner.address, *here, piece, depth, upper, PATIENCE, pool, _POOL
        )
    except TooLarge:  # more pieces than room: a coarser pass has to do
        return 0
    pace, left = Pace(first=20_000), MOST_WORK
    while left > 0:
        slice_size = pace.rows(left)
        done = frame.call("scan_bound_run", state, slice_size, out)
        pace.took()
        left -= slice_size
        if done:
            return int(frame.get(out, "i", 1)[0])
        yield Progress(MOST_WORK - left, MOST_WORK, "proving a lower bound")
    return 0
