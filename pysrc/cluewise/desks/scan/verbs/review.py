"""The verb `review`: a hunt looked back on, scan by scan, luck apart from skill.

In ticks: what the hunt took = what the plan promised at the start + what each scan gave away
- what each answer saved. Values are those of the plan advised at the start, and of plans made anew
at states that it does not come to; a scan of the player's that beats the plan becomes the plan
there.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import log2

import msgspec

from cluewise.core.information import entropy
from cluewise.core.work import Job, Progress
from cluewise.desks.scan.engine.best_plan import QUICK, Plan, best_plan, usual_effort
from cluewise.desks.scan.engine.decision_tree import Node, Outcome, build, cost, first_step
from cluewise.desks.scan.engine.ground import over_floors
from cluewise.desks.scan.engine.planner import NEVER, Action, Planner, Tile
from cluewise.desks.scan.engine.runs import RunSearch, log_run, rows_of, run_leg
from cluewise.desks.scan.position import Observation, Position, floor_of
from cluewise.desks.scan.results import Review, ReviewedScan, ReviewOptions
from cluewise.desks.scan.scene import ScanModel
from cluewise.desks.scan.verbs.next import (
    refuse_unreached,
    table_bits,
)
from cluewise.desks.scan.verbs.review_doubt import made_review, review_doubtful
from cluewise.errors import BadOption, BadPosition, Contradiction
from cluewise.kernel import kernel


@dataclass(frozen=True, slots=True)
class _Step:
    """A scan or run that was made: what it could have shown, and the spots before and after."""

    seen: Observation
    leg: Node
    heard: Outcome
    before: int
    after: int


class _Plans:
    """Values of states: the total of the plan's ticks over the spots, and its first leg."""

    def __init__(self, planner: Planner, options: ReviewOptions) -> None:
        self.planner = planner
        self.effort = usual_effort(planner, QUICK)
        self.listener: RunSearch | None = None
        if options.listen and not planner.wide:
            self.listener = RunSearch(planner, options.reaction)
        self.known: dict[tuple[int, Tile], Node] = {}

    def make_plans(self) -> Job[None]:
        """Make the plan that was advised at the start; its states keep what it does in them."""
        planner = self.planner
        plan = yield from best_plan(planner, planner.scene.start, "search", self.effort)
        for node in plan.tree.descendants() if plan.tree is not None else ():
            self.known[node.spots, node.here] = node

    def of(self, spots: int, here: Tile) -> Job[Plan]:
        """The plan of a state."""
        tree = self.known.get((spots, here))
        if tree is None:
            tree = yield from build(self.planner, spots, here, "search", self.effort)
        plain = Plan(tree, cost(self.planner, tree, spots, here))
        if self.listener is None or tree is None:
            return plain
        return (yield from self.listener.plan(spots, here, plain, self.effort))


def review(position: Position, options: ReviewOptions) -> Job[Review]:
    """For every scan what it took, what the plan would have done, what was given away, and luck.

    Raises `BadPosition` while several spots are left and none is named.
    """
    model = ScanModel.of(position)
    spot = _spot(position, options)
    fresh = _before(position, spot, options.start)
    if position.misread or position.slack:
        doubtful = msgspec.structs.replace(fresh, misread=position.misread)
        return (yield from review_doubtful(position, doubtful, spot, options.stop))
    scene = over_floors(ScanModel.of(fresh))
    if spot in scene.beyond:
        raise BadPosition(f"No stairs lead to spot {spot}'s floor.", "$.position.stairs")
    if spot not in scene.remaining:
        raise BadOption(f"Spot {spot} is ruled out.", "$.options.spot")
    with kernel().frame() as frame:
        planner = Planner(frame, scene, stop=options.stop, table_bits=table_bits(QUICK))
        yield from planner.lay_walls(scene.start, *_places(model))
        scene = planner.scene
        refuse_unreached(scene, spot)
        steps = list(_steps(planner, position, scene.remaining.index(spot), options.reaction))
        last = steps[-1].heard.at if steps else scene.start
        rest = planner.ticks_from(last)[scene.remaining.index(spot)]
        plans = _Plans(planner, options)
        yield from plans.make_plans()
        rows, first = yield from _rows(plans, steps, rest)
        count = (steps[0].before if steps else planner.everything).bit_count()
        ticks = rest + sum(step.heard.ticks for step in steps)
        followed = _followed(planner, first, scene.remaining.index(spot))
        planned = first.cost.ticks / count
        return made_review(spot, scene.start, rows, ticks, planned, followed)


def _spot(position: Position, options: ReviewOptions) -> int:
    scene = ScanModel.of(position)
    left = scene.must_remain()
    if options.spot is not None:
        if options.spot >= len(scene.weights) or not scene.weights[options.spot]:
            raise BadOption(f"Spot {options.spot} does not fit the clues.", "$.options.spot")
        return options.spot
    if len(left) != 1:
        raise BadPosition(
            f"The hunt is not over: {len(left)} spots are left. Name the one that it was with "
            "`spot`, or rule the others out.",
            "$.position",
        )
    return left[0]


def _before(position: Position, spot: int, start: Tile | None) -> Position:
    """The position before the first scan: of the spots ruled out those that the last triple's
    arrow did not show are still there."""
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

    The rows that a run is known by are one step; a row that is left of them is a step to its
    tile, which cost no scan if it was seen in passing.
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
            run = _run(planner, [o for _, o in rows], (left, here, spot), reaction)
            if run is not None:
                leg, heard, used = run
                after = heard.spots
            else:
                leg = _scan(planner, seen, model.tile(seen.at), left, here)
                heard = next(h for h in leg.heard if h.spots >> spot & 1)
            last = rows[used - 1][1]
            if last.pulse == 3:
                after = 1 << spot  # its arrow shows the spot
            yield _Step(last, leg, heard, left, after)
            here = heard.at
        left, rows = after, rows[used:]


def _run(
    planner: Planner, rows: list[Observation], state: tuple[int, Tile, int], reaction: int
) -> tuple[Node, Outcome, int] | None:
    """The run that the first rows note, what was heard, how many rows; None if they note none."""
    towards, at, (left, here, spot) = rows[0].towards, rows[0].at, state
    if towards is None or at is None or here[2:] not in ((), at[2:]):
        return None
    leg = run_leg(planner, left, here, (*towards, *here[2:]), reaction)
    heard = next((h for h in leg.heard if h.spots >> spot & 1), None)
    if heard is None:  # no walk leads there
        return None
    noted = [_noted(row) for row in rows]
    for known in (log_run(planner, leg, heard, spot), rows_of(planner, leg, heard)):
        if known and [_noted(row) for row in known] == noted[: len(known)]:
            return leg, heard, len(known)
    return None


def _noted(row: Observation) -> tuple[object, ...]:
    return (row.at or ())[:2], row.pulse, row.towards, row.in_passing


def _scan(planner: Planner, seen: Observation, tile: Tile, left: int, here: Tile) -> Node:
    """A walk to where something was seen, with all that could have been."""
    scan = first_step(planner, left, here, Action(tile, tile, 0, ()))
    if scan.walk >= NEVER:
        raise BadPosition(
            f"{tile[0]}, {tile[1]} cannot be reached from {here[0]}, {here[1]}: "
            "walls are in the way.",
            "$.position.observations",
        )
    if seen.in_passing:
        for heard in scan.heard:
            heard.ticks, heard.scanned = scan.walk, False
    return scan


def _rows(plans: _Plans, steps: list[_Step], rest: int) -> Job[tuple[list[ReviewedScan], Plan]]:
    """The scans looked at from the last to the first, and the plan before the first.

    So the value after a scan is known when it is looked at: what an answer saved is counted
    against the very value that the next scan is measured by.
    """
    planner = plans.planner
    rows: list[ReviewedScan] = []
    following = float(rest)
    if not steps:
        return rows, (yield from plans.of(planner.everything, planner.scene.start))
    for done, step in enumerate(reversed(steps)):
        yield Progress(done, len(steps), f"looking at scan {len(steps) - done}")
        plan = yield from plans.of(step.before, step.leg.here)
        rows.append((yield from _row(plans, step, plan, following)))
        following = rows[-1].best_ticks
    return rows[::-1], plan


def _row(plans: _Plans, step: _Step, plan: Plan, following: float) -> Job[ReviewedScan]:
    """One scan; `following` = the mean of ticks from it on, after what was seen."""
    planner, total = plans.planner, 0.0
    for h in step.leg.heard:
        size = h.spots.bit_count()
        total += h.ticks * size
        if h.name[0] == "3":
            total += planner.straight(h.at, h.spots)
        elif h.spots == step.after:
            total += following * size
        else:
            total += (yield from plans.of(h.spots, h.at)).cost.ticks
    count = step.before.bit_count()
    mine = total / count
    best = min(plan.cost.ticks / count, mine)
    after, at, towards = step.after.bit_count(), list(step.heard.at), step.seen.towards
    to = at if towards is None else list(towards)
    return ReviewedScan(
        tile=at,
        pulse=step.seen.pulse,
        walk_ticks=step.heard.ticks - planner.stop * step.heard.scanned,
        towards=to if step.leg.listens else None,
        before=count,
        after=after,
        bits=entropy(_sizes(step.leg)),
        got=log2(count / after),
        expected_ticks=mine,
        best=list(plan.tree.tile) if plan.tree is not None and best < mine else to,
        best_ticks=best,
        loss=mine - best,
        luck=mine - step.heard.ticks - following,
    )


def _sizes(leg: Node) -> list[int]:
    """What each answer leaves; a triple shows the spot, so each of its spots is an answer."""
    sizes: list[int] = []
    for h in leg.heard:
        size = h.spots.bit_count()
        sizes += [1] * size if h.name[0] == "3" else [size]
    return sizes


def _followed(planner: Planner, plan: Plan, spot: int) -> tuple[int, int]:
    """Ticks and scans of a plan for one spot."""
    ticks = scans = 0
    leg, here = plan.tree, planner.scene.start
    while leg is not None:
        heard = next(h for h in leg.heard if h.spots >> spot & 1)
        ticks, scans, here, leg = ticks + heard.ticks, scans + heard.scanned, heard.at, heard.then
    return ticks + planner.ticks_from(here)[spot], scans
