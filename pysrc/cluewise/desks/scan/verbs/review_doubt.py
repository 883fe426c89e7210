"""`review` with misread pulses or imprecise places: values are posterior means.

Before each scan the spots are weighted by the log so far, as in `next`; a row's ticks are weighted
means over the likely spots. Pulses in passing are ignored, and later pulses count as read
correctly.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from math import log2

import msgspec

from cluewise.core.work import Job, Progress
from cluewise.desks.scan.engine.best_plan import QUICK, usual_effort
from cluewise.desks.scan.engine.ground import over_floors
from cluewise.desks.scan.engine.planner import NEVER, Planner, Tile
from cluewise.desks.scan.engine.posterior import Dig, Known, Posterior, Scan, Step, Weights
from cluewise.desks.scan.engine.posterior_plan import PlanBuilder, posterior_plans
from cluewise.desks.scan.position import Observation, Position
from cluewise.desks.scan.results import Review, ReviewedScan
from cluewise.desks.scan.scene import ScanModel
from cluewise.errors import BadPosition
from cluewise.kernel import kernel


@dataclass(frozen=True, slots=True)
class _State:
    """The log before a scan, the scan, its tile, and the start of the walk to it."""

    before: Position
    seen: Observation
    tile: Tile
    here: Tile


def review_doubtful(position: Position, fresh: Position, spot: int, stop: int) -> Job[Review]:
    """Review a hunt for a spot; `fresh`: the position before its first scan."""
    scene = over_floors(ScanModel.of(fresh))
    states = list(_states(position, fresh, scene.start))
    last = states[-1].tile if states else scene.start
    with _planner(fresh, scene.start, stop) as planner:
        yield from planner.load_walls(scene.start, last)
        if spot not in planner.scene.remaining:
            raise BadPosition(f"Spot {spot + 1} cannot be reached.", "$.position")
        number = planner.scene.remaining.index(spot)
        rest = planner.ticks_from(last)[number]
        plans = yield from posterior_plans(
            planner, scene.start, "search", usual_effort(planner, QUICK), digs=False
        )
        followed = _ticks_of_plan(plans.posterior, plans.plan, scene.start, number)
        planned = plans.total / sum(plans.posterior.weights)
    rows: list[ReviewedScan] = []
    following = float(rest)
    after: Weights = (1,)  # the arrow of a triple shows the spot
    if states and states[-1].seen.pulse != 3:
        after = _weights(_with_rows(states[-1].before, states[-1].seen), last)
    for done, state in enumerate(reversed(states)):
        yield Progress(done, len(states), f"looking at scan {len(states) - done}")
        row, after = yield from _rate_scan(state, stop, following, after)
        rows.append(row)
        following = row.best_ticks
    rows.reverse()
    ticks = rest + sum(row.walk_ticks + stop * (not s.seen.in_passing)
                       for row, s in zip(rows, states, strict=True))  # fmt: skip
    return make_review(spot, scene.start, rows, ticks, planned, followed)


def make_review(
    spot: int,
    start: Tile,
    rows: list[ReviewedScan],
    ticks: int,
    planned: float,
    followed: tuple[int, int],
) -> Review:
    """Return the review of a hunt that took `ticks`; `planned`: the plan's mean without a scan.

    `followed` are the ticks and scans of the plan for this spot.
    """
    planned = rows[0].best_ticks if rows else planned
    loss = sum(row.loss for row in rows)
    luck = planned + loss - ticks
    return Review(spot, list(start), rows, ticks, planned, loss, luck, *followed)


def _with_rows(position: Position, *seen: Observation) -> Position:
    return msgspec.structs.replace(position, observations=(*position.observations, *seen))


def _states(position: Position, fresh: Position, here: Tile) -> Iterator[_State]:
    """The scans at tiles, in order; pulses in areas only change the weights."""
    before = fresh
    for seen in position.observations:
        if seen.ignored:
            continue
        if seen.at is not None:
            tile = ScanModel.of(position).tile(seen.at)
            yield _State(before, seen, tile, here)
            here = tile
        before = _with_rows(before, seen)


@contextmanager
def _planner(position: Position, here: Tile, stop: int) -> Iterator[Planner]:
    scene = over_floors(ScanModel.of(msgspec.structs.replace(position, here=(here[0], here[1]))))
    with kernel().frame() as frame:
        yield Planner(frame, scene, stop=stop, table_bits=17)


def _weights(position: Position, here: Tile) -> Weights:
    """Return the weights of the likely spots after a log."""
    scene = ScanModel.of(msgspec.structs.replace(position, here=(here[0], here[1])))
    return tuple(scene.weights[i] for i in scene.remaining)


def _rate_scan(
    state: _State, stop: int, following: float, after: Weights
) -> Job[tuple[ReviewedScan, Weights]]:
    """Rate one scan; also return the weights before it. `following`: mean ticks after it."""
    with _planner(state.before, state.here, stop) as planner:
        yield from planner.load_walls(state.here, state.tile)
        effort = usual_effort(planner, QUICK)
        plans = yield from posterior_plans(planner, state.here, "search", effort, digs=False)
        posterior, tile = plans.posterior, state.tile
        weights, walk = posterior.weights, planner.walk_ticks(state.here, tile)
        if walk >= NEVER:
            raise BadPosition(
                f"{tile[0]}, {tile[1]} cannot be reached: walls are in the way.",
                "$.position.observations",
            )
        spent, total = walk + stop * (not state.seen.in_passing), 0.0
        builder, parts = PlanBuilder(posterior, "search", effort), posterior.parts(weights, tile)
        for name, part in parts.items():
            if name.startswith("3"):
                total += posterior.price(Known(), part, tile)
            else:
                total += (yield from builder.solve(part, tile))[0]
        mass = sum(weights)
        mine = spent + total / posterior.places / mass
        best = min(plans.total / mass, mine)
    ends = [(0.0 if name.startswith("3") else _entropy(part), sum(part))
            for name, part in parts.items()]  # fmt: skip
    step = plans.plan.tile if isinstance(plans.plan, Scan | Dig) else tile
    row = ReviewedScan(
        tile=list(tile),
        pulse=state.seen.pulse,
        walk_ticks=walk,
        towards=None,
        before=len(weights),
        after=len(after),
        bits=_entropy(weights) - sum(bits * w for bits, w in ends) / sum(w for _, w in ends),
        got=_entropy(weights) - _entropy(after),
        expected_ticks=mine,
        best=list(step if best < mine else tile),
        best_ticks=best,
        loss=mine - best,
        luck=mine - spent - following,
    )
    return row, weights


def _entropy(weights: Weights) -> float:
    """Return the entropy of the spot, in bits.

    >>> _entropy((1, 1, 1, 1)), _entropy((1, 0))
    (2.0, 0.0)
    """
    total = sum(weights)
    return sum(w * log2(total / w) for w in weights if w) / total


def _ticks_of_plan(posterior: Posterior, plan: Step, here: Tile, spot: int) -> tuple[int, int]:
    """Return the ticks and scans of a plan for one spot, with every scan exactly at its tile."""
    ticks, scans, planner = 0, 0, posterior.planner
    while not isinstance(plan, Known):
        ticks += planner.walk_ticks(here, plan.tile)
        here = plan.tile
        if isinstance(plan, Dig):
            if spot in plan.served:
                return ticks, scans
            assert plan.otherwise is not None
            ticks, plan = ticks + posterior.stop, plan.otherwise
            continue
        name = planner.scene.answer(here, planner.spots[spot], with_levels=planner.with_levels)
        ticks, scans, plan = ticks + posterior.stop, scans + 1, plan.answers[name]
    return ticks + planner.ticks_from(here)[spot], scans
