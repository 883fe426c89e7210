"""The least total of any plan, over all tiles and scans, or the proof that it is a known one."""

from array import array

from cluewise.core.work import Job, Progress, SliceTimer
from cluewise.desks.scan.engine.planner import NOWHERE, Planner, Tile
from cluewise.kernel import kernel


def prove_optimal(planner: Planner, here: Tile, known: int, room: int) -> Job[int]:
    """The least total if it is below `known`, else `known`; with so many bytes of memory.

    Raises `TooLarge` where these are too few.
    """
    with kernel().frame() as frame:
        state = frame.reserve(frame.call("scan_optimum_bytes"))
        spots, out = frame.reserve(8), frame.reserve(64)
        pool, length = frame.reserve_most((room,))
        pace = SliceTimer(first=1 << 20)
        frame.write(spots, array("Q", [planner.everything]))
        frame.call("scan_optimum", state, planner.address, spots, *here, known, pool, length // 2)
        while not frame.call("scan_optimum_run", state, pace.rows(1 << 30)):
            pace.took()
            yield Progress(0, None, "looking for the best plan there is")
        total = frame.call("scan_optimum_value", state, spots, *here, out)
        return known if planner.read_action(out).at[0] == NOWHERE else total
