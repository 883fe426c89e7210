"""A lower bound for routes where one dig serves several spots."""

from __future__ import annotations

from dataclasses import replace

from cluewise.core.work import Job
from cluewise.desks.scan.engine.best import QUICK, best_plan
from cluewise.desks.scan.engine.bound import lower_bound
from cluewise.desks.scan.engine.optimum import can_prove, least_plan
from cluewise.desks.scan.engine.plan import Planner
from cluewise.desks.scan.engine.posterior import without_shared_digs
from cluewise.desks.scan.scene import Scene
from cluewise.kernel import kernel

_TABLE_BITS = 17


def shared_bound(scene: Scene, stop: int) -> Job[float]:
    """Compute what no route beats that digs only when sure, as a mean over the spots.

    A plan for all spots is one for those of which no dig serves two; to the others one walks.
    """
    kept, here = without_shared_digs(scene), scene.start
    others = [i for i in scene.remaining if i not in kept]
    total = yield from _straight(scene, stop, others)
    if len(kept) > 1:
        fewer = replace(scene, beyond=(*scene.beyond, *others))
        with kernel().frame() as frame:
            planner = Planner(frame, fewer, stop=stop, on_the_way=False, table_bits=_TABLE_BITS)
            yield from planner.lay_walls(here)
            known = (yield from best_plan(planner, here, "search", QUICK)).cost.ticks
            least = (yield from least_plan(planner, here, known)) if can_prove(planner) else None
            if least is not None:
                total += least.total
            else:
                total += yield from lower_bound(frame, planner, here, known)
    return total / len(scene.remaining)


def _straight(scene: Scene, stop: int, spots: list[int]) -> Job[int]:
    """The ticks of walking straight to each of some spots."""
    with kernel().frame() as frame:
        planner = Planner(frame, scene, stop=stop, on_the_way=False, table_bits=_TABLE_BITS)
        yield from planner.lay_walls(scene.start)
        ticks = planner.ticks_from(scene.start)
        return sum(ticks[scene.remaining.index(i)] for i in spots)
