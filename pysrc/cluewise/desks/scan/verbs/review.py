"""The verb `review`: the loss and the luck of each scan of a finished hunt.

Ticks of the hunt = mean of the plan at the start + losses of the scans - luck of the answers, a
telescoping sum of differences of the cost-to-go. The cost-to-go is that of the plan advised at the
start; for states outside it a plan is searched. A scan that beats the plan replaces it in its
state, so no loss is negative.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import log2

import msgspec

from cluewise.core.information import entropy
from cluewise.core.work import Job, Progress
from cluewise.desks.scan.engine.best_plan import (
    QUICK,
    Plan,
    best_plan,
    make_planner,
    usual_effort,
)
from cluewise.desks.scan.engine.decision_tree import Node, Outcome, build, cost, first_step
from cluewise.desks.scan.engine.ground import over_floors
from cluewise.desks.scan.engine.planner import NEVER, Action, Planner, Tile
from cluewise.desks.scan.engine.runs import RunSearch, log_run, make_run, rows_of
from cluewise.desks.scan.position import Observation, Position, floor_of
from cluewise.desks.scan.results import Review, ReviewedScan, ReviewOptions
from cluewise.desks.scan.scene import ScanModel
from cluewise.desks.scan.verbs.review_doubt import make_review, review_doubtful
from cluewise.errors import BadOption, BadPosition, Contradiction
from cluewise.kernel import kernel


@dataclass(frozen=True, slots=True)
class _Step:
    """A scan or run of the hunt: its possible outcomes, and the spots before and after."""

    seen: Observation
    run: Node
    outcome: Outcome
    before: int
    after: int


class _Plans:
    """Plans of states, with their total ticks over the spots."""

    def __init__(self, planner: Planner, options: ReviewOptions) -> None:
        self.planner = planner
        self.effort = usual_effort(planner, QUICK)
        self.listener: RunSearch | None = None
        if options.listen and not planner.is_wide:
            self.listener = RunSearch(planner, options.reaction)
        self.known: dict[tuple[int, Tile], Node] = {}

    def make_plans(self) -> Job[None]:
        """Search the plan that was advised at the start, and cache its subtrees by state."""
        planner = self.planner
        plan = yield from best_plan(planner, planner.scene.start, "search", self.effort)
        for node in plan.tree.descendants() if plan.tree is not None else ():
            self.known[node.spots, node.here] = node

    def of(self, spots: int, here: Tile) -> Job[Plan]:
        """Return the plan of a state."""
        tree = self.known.get((spots, here))
        if tree is None:
            tree = yield from build(self.planner, spots, here, "search", self.effort)
        plain = Plan(tree, cost(self.planner, tree, spots, here))
        if self.listener is None or tree is None:
            return plain
        return (yield from self.listener.plan(spots, here, plain, self.effort))


def review(position: Position, options: ReviewOptions) -> Job[Review]:
    """Compare every scan with the plan: ticks, loss and luck.

    Raises `BadPosition` while several spots are left and none is named.
    """
    model = ScanModel.of(position)
    spot = _found_spot(position, options)
    fresh = _position_at_start(position, spot, options.start)
    if position.misread or position.slack:
        doubtful = msgspec.structs.replace(fresh, misread=position.misread)
        return (yield from review_doubtful(position, doubtful, spot, options.stop))
    scene = over_floors(ScanModel.of(fresh))
    if spot in scene.beyond:
        raise BadPosition(f"No stairs lead to spot {spot}'s floor.", "$.position.stairs")
    if spot not in scene.remaining:
        raise BadOption(f"Spot {spot} is ruled out.", "$.options.spot")
    with kernel().frame() as frame:
        planner = yield from make_planner(frame, scene, options.stop, QUICK, *_places(model))
        scene = planner.scene
        scene.must_reach(spot)
        steps = list(_steps(planner, position, scene.remaining.index(spot), options.reaction))
        last = steps[-1].outcome.at if steps else scene.start
        rest = planner.ticks_from(last)[scene.remaining.index(spot)]
        plans = _Plans(planner, options)
        yield from plans.make_plans()
        rows, first = yield from _rate_scans(plans, steps, rest)
        count = (steps[0].before if steps else planner.everything).bit_count()
        ticks = rest + sum(step.outcome.ticks for step in steps)
        followed = _ticks_of_plan(planner, first, scene.remaining.index(spot))
        planned = first.cost.ticks / count
        return make_review(spot, scene.start, rows, ticks, planned, followed)


def _found_spot(position: Position, options: ReviewOptions) -> int:
    scene = ScanModel.of(position)
    left = scene.must_remain()
    if options.spot is not None:
        inside = 0 <= options.spot < len(scene.weights)
        if not inside or not scene.weights[options.spot]:
            raise BadOption(f"Spot {options.spot} does not fit the clues.", "$.options.spot")
        return options.spot
    if len(left) != 1:
        raise BadPosition(
            f"The hunt is not over: {len(left)} spots are left. Name the one that it was with "
            "`spot`, or rule the others out.",
            "$.position",
        )
    return left[0]


def _position_at_start(position: Position, spot: int, start: Tile | None) -> Position:
    """Return the position before the first scan, with the spots excluded by the last arrow."""
    seen = [o for o in position.observations if not o.ignored]
    places = [o.at for o in seen if o.at is not None]
    stood = floor_of(position)
    floor = (*places[0], stood)[2] if places else stood
    bare = msgspec.structs.replace(position, ruled_out=(), misread=0, practice=None)
    by_arrow = {spot}
    if seen and seen[-1].pulse == 3:
        by_arrow |= set(ScanModel.of(bare).fitting)
    if start is None and position.practice is not None:
        x, y, floor = (*position.practice.start, floor)[:3]
        start = x, y
    if start is None and places:
        start = (places[0][0], places[0][1])
    return msgspec.structs.replace(
        bare,
        observations=(),
        ruled_out=tuple(i for i in position.ruled_out if i not in by_arrow),
        here=start or position.here,
        floor=floor if position.stairs else stood,
    )


def _places(model: ScanModel) -> list[Tile]:
    """The tiles at which something was seen."""
    seen = [o.at for o in model.position.observations if o.at is not None and not o.ignored]
    return [model.tile(at) for at in seen]


def _steps(planner: Planner, position: Position, spot: int, reaction: int) -> Iterator[_Step]:
    """The scans and runs in order, each with the spots before and after it.

    The rows that a run adds to the log are one step. Any other row is a step to its tile, without
    the cost of a scan if it was seen in passing.
    """
    here, left = planner.scene.start, planner.everything
    model = ScanModel.of(msgspec.structs.replace(position, misread=0, practice=None))
    rows = [(i, o) for i, o in enumerate(position.observations) if not o.ignored]
    while rows:
        (i, seen), used = rows[0], 1
        fits = model.left_by(seen)
        after = left & sum(1 << j for j, k in enumerate(planner.scene.remaining) if fits >> k & 1)
        if not after >> spot & 1:
            raise Contradiction("This pulse is not the spot's.", f"$.position.observations[{i}]")
        if seen.at is not None:
            matched = _match_run(planner, [o for _, o in rows], (left, here, spot), reaction)
            if matched is not None:
                run, outcome, used = matched
                after = outcome.spots
            else:
                run = _scan(planner, seen, model.tile(seen.at), left, here)
                outcome = run.outcome_of(spot)
            last = rows[used - 1][1]
            if last.pulse == 3:
                after = 1 << spot  # its arrow shows the spot
            yield _Step(last, run, outcome, left, after)
            here = outcome.at
        left, rows = after, rows[used:]


def _match_run(
    planner: Planner, rows: list[Observation], state: tuple[int, Tile, int], reaction: int
) -> tuple[Node, Outcome, int] | None:
    """Return the run whose log the first rows are, its outcome, and their number; else None."""
    towards, at, (left, here, spot) = rows[0].towards, rows[0].at, state
    if towards is None or at is None or here[2:] not in ((), at[2:]):
        return None
    run = make_run(planner, left, here, (*towards, *here[2:]), reaction)
    if not run.outcomes:  # no walk leads there
        return None
    outcome, keys = run.outcome_of(spot), [_row_key(row) for row in rows]
    for log in (log_run(planner, run, outcome, spot), rows_of(planner, run, outcome)):
        if log and [_row_key(row) for row in log] == keys[: len(log)]:
            return run, outcome, len(log)
    return None


def _row_key(row: Observation) -> tuple[object, ...]:
    return (row.at or ())[:2], row.pulse, row.towards, row.in_passing


def _scan(planner: Planner, seen: Observation, tile: Tile, left: int, here: Tile) -> Node:
    """Return a walk to the tile of a pulse, with all possible outcomes."""
    scan = first_step(planner, left, here, Action(tile, tile, 0, ()))
    if scan.walk >= NEVER:
        raise BadPosition(
            f"{tile[0]}, {tile[1]} cannot be reached from {here[0]}, {here[1]}: "
            "walls are in the way.",
            "$.position.observations",
        )
    if seen.in_passing:
        for outcome in scan.outcomes:
            outcome.ticks, outcome.scanned = scan.walk, False
    return scan


def _rate_scans(
    plans: _Plans, steps: list[_Step], rest: int
) -> Job[tuple[list[ReviewedScan], Plan]]:
    """Rate the scans from the last to the first; returns them and the plan before the first.

    The luck of an answer is measured against the cost-to-go with which the next scan was rated,
    that of the last answer against the walk to the spot.
    """
    planner = plans.planner
    rows: list[ReviewedScan] = []
    following = float(rest)
    if not steps:
        return rows, (yield from plans.of(planner.everything, planner.scene.start))
    for done, step in enumerate(reversed(steps)):
        yield Progress(done, len(steps), f"looking at scan {len(steps) - done}")
        plan = yield from plans.of(step.before, step.run.here)
        rows.append((yield from _rate_scan(plans, step, plan, following, is_last=not done)))
        following = rows[-1].best_ticks
    return rows[::-1], plan


def _rate_scan(
    plans: _Plans, step: _Step, plan: Plan, following: float, *, is_last: bool
) -> Job[ReviewedScan]:
    """Rate one scan; `following`: the mean ticks after its answer, after the last the actual ones,
    which are no mean if the answer leaves several spots."""
    planner, total = plans.planner, 0.0
    for h in step.run.outcomes:
        size = h.spots.bit_count()
        total += h.ticks * size
        if h.name[0] == "3":
            total += planner.straight_total(h.at, h.spots)
        elif h.spots == step.after and (size == 1 or not is_last):
            total += following * size
        else:
            total += (yield from plans.of(h.spots, h.at)).cost.ticks
    count = step.before.bit_count()
    mine = total / count
    best = min(plan.cost.ticks / count, mine)
    after, at, towards = step.after.bit_count(), list(step.outcome.at), step.seen.towards
    to = at if towards is None else list(towards)
    return ReviewedScan(
        tile=at,
        pulse=step.seen.pulse,
        walk_ticks=step.outcome.ticks - planner.stop * step.outcome.scanned,
        towards=to if step.run.listens else None,
        before=count,
        after=after,
        bits=entropy(_partition_sizes(step.run)),
        got=log2(count / after),
        expected_ticks=mine,
        best=list(plan.tree.tile) if plan.tree is not None and best < mine else to,
        best_ticks=best,
        loss=mine - best,
        luck=mine - step.outcome.ticks - following,
    )


def _partition_sizes(run: Node) -> list[int]:
    """Return the sizes of the partition; each spot that a triple shows is a cell."""
    sizes: list[int] = []
    for h in run.outcomes:
        size = h.spots.bit_count()
        sizes += [1] * size if h.name[0] == "3" else [size]
    return sizes


def _ticks_of_plan(planner: Planner, plan: Plan, spot: int) -> tuple[int, int]:
    """Return the ticks and scans of a plan for one spot."""
    ticks = scans = 0
    run, here = plan.tree, planner.scene.start
    while run is not None:
        outcome = run.outcome_of(spot)
        ticks, scans = ticks + outcome.ticks, scans + outcome.scanned
        here, run = outcome.at, outcome.then
    return ticks + planner.ticks_from(here)[spot], scans
