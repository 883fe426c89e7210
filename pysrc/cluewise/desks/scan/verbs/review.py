"""The verb `review`: a hunt looked back on, scan by scan, luck apart from skill.

In ticks: what the hunt took = what the plan promised at the start + what each scan gave away
- what each answer saved. Values are those of plans made anew at every state, as a player gets
them; a scan of the player's that beats the plan becomes the plan there.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import log2

import msgspec

from cluewise.core.information import entropy
from cluewise.core.work import Job, Progress
from cluewise.desks.scan.engine.best import QUICK, usual_effort
from cluewise.desks.scan.engine.classes import groups
from cluewise.desks.scan.engine.plan import NEVER, Planner, Tile
from cluewise.desks.scan.engine.tree import Node, build, cost
from cluewise.desks.scan.position import Observation, Position
from cluewise.desks.scan.results import Review, ReviewedScan, ReviewOptions
from cluewise.desks.scan.scene import Scene
from cluewise.desks.scan.verbs.next import table_bits
from cluewise.errors import BadOption, BadPosition, Contradiction
from cluewise.kernel import kernel


@dataclass(frozen=True, slots=True)
class _Step:
    """A scan that was made: where one came from, and the planner's spots before and after."""

    seen: Observation
    here: Tile
    tile: Tile
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class _Value:
    """A state's plan: its first step, the total of ticks over the spots."""

    tree: Node | None
    ticks: int


def review(position: Position, options: ReviewOptions) -> Job[Review]:
    """For every scan what it took, what the plan would have done, what was given away, and luck.

    Raises `BadPosition` while several spots are left and none is named.
    """
    spot = _spot(position, options)
    fresh = _before(position, spot, options.start)
    scene = Scene.of(fresh)
    if spot not in scene.remaining:
        raise BadOption(f"Spot {spot} is ruled out.", "$.options.spot")
    with kernel().frame() as frame:
        planner = Planner(
            frame, scene, stop=options.stop, on_the_way=False, table_bits=table_bits(QUICK)
        )
        steps = list(_steps(planner, position, scene.remaining.index(spot)))
        yield from planner.lay_walls(scene.start, *(step.tile for step in steps))
        last = steps[-1].tile if steps else scene.start
        rest = planner.ticks_from(last)[scene.remaining.index(spot)]
        rows, first = yield from _rows(planner, steps, rest)
        count = (steps[0].before if steps else planner.everything).bit_count()
        planned = rows[0].best_ticks if rows else first.ticks / count
        loss, ticks = (
            sum(row.loss for row in rows),
            rest + sum(row.walk_ticks + options.stop for row in rows),
        )
        plan_ticks, plan_scans = _followed(planner, first, scene.remaining.index(spot))
        return Review(
            spot=spot,
            start=list(scene.start),
            scans=rows,
            ticks=ticks,
            planned=planned,
            loss=loss,
            luck=planned + loss - ticks,
            plan_ticks=plan_ticks,
            plan_scans=plan_scans,
        )


def _spot(position: Position, options: ReviewOptions) -> int:
    left = Scene.of(msgspec.structs.replace(position, misread=0)).must_remain()
    if options.spot is not None:
        if options.spot not in left:
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
    bare = msgspec.structs.replace(position, ruled_out=(), misread=0, practice=None)
    by_arrow = set(Scene.of(bare).fitting) if seen and seen[-1].pulse == 3 else {spot}
    if start is None and position.practice is not None:
        start = position.practice.start
    if start is None and places:
        start = (places[0][0], places[0][1])
    return msgspec.structs.replace(
        bare,
        observations=(),
        ruled_out=tuple(i for i in position.ruled_out if i not in by_arrow),
        here=start or position.here,
    )


def _steps(planner: Planner, position: Position, spot: int) -> Iterator[_Step]:
    """The scans in order, each with the spots before and after it."""
    scene, here, left = planner.scene, planner.scene.start, planner.everything
    told = Scene.of(msgspec.structs.replace(position, misread=0, practice=None))
    for i, seen in enumerate(position.observations):
        if seen.ignored:
            continue
        fits = told.left_by(seen)
        after = left & sum(1 << j for j, k in enumerate(scene.remaining) if fits >> k & 1)
        if not after >> spot & 1:
            raise Contradiction("This pulse is not the spot's.", f"$.position.observations[{i}]")
        if seen.pulse == 3:
            after = 1 << spot  # its arrow shows the spot
        if seen.at is not None:
            tile = (seen.at[0], seen.at[1])
            yield _Step(seen, here, tile, left, after)
            here = tile
        left = after


def _rows(
    planner: Planner, steps: list[_Step], rest: int
) -> Job[tuple[list[ReviewedScan], _Value]]:
    """The scans looked at from the last to the first, and the plan before the first.

    So the value after a scan is known when it is looked at: what an answer saved is counted
    against the very value that the next scan is measured by.
    """
    rows: list[ReviewedScan] = []
    following = float(rest)
    if not steps:
        return rows, (yield from _plan(planner, planner.everything, planner.scene.start))
    for done, step in enumerate(reversed(steps)):
        yield Progress(done, len(steps), f"looking at scan {len(steps) - done}")
        value = yield from _plan(planner, step.before, step.here)
        rows.append((yield from _row(planner, step, value, following)))
        following = rows[-1].best_ticks
    return rows[::-1], value


def _plan(planner: Planner, spots: int, here: Tile) -> Job[_Value]:
    effort = usual_effort(planner, QUICK)
    tree = yield from build(planner, spots, here, "search", effort)
    return _Value(tree, cost(planner, tree, spots, here).ticks)


def _row(planner: Planner, step: _Step, plan: _Value, following: float) -> Job[ReviewedScan]:
    """One scan; `following` = the mean of ticks from it on, after what was seen."""
    walk = planner.walk_ticks(step.here, step.tile)
    if walk >= NEVER:
        raise BadPosition(
            f"{step.tile[0]}, {step.tile[1]} cannot be reached from {step.here[0]}, "
            f"{step.here[1]}: walls are in the way.",
            "$.position.observations",
        )
    answers, count = planner.answers(step.tile, step.before), step.before.bit_count()
    total = 0.0
    for name, left in answers.items():
        if left == step.after and name[0] != "3":
            total += following * left.bit_count()
        elif name[0] == "3":
            total += planner.straight(step.tile, left)
        else:
            total += (yield from _plan(planner, left, step.tile)).ticks
    open_ticks = total / count
    mine = walk + planner.stop + open_ticks
    best = min(plan.ticks / count, mine)
    after = step.after.bit_count()
    names = ["1", "2", "3", *(["1d", "2d", "3d"] if planner.scene.with_levels else [])]
    leaves = tuple(answers.get(name, 0).bit_count() for name in names)
    return ReviewedScan(
        tile=list(step.tile),
        pulse=step.seen.pulse,
        walk_ticks=walk,
        before=count,
        after=after,
        bits=entropy(groups(leaves)),
        got=log2(count / after),
        expected_ticks=mine,
        best=list(plan.tree.tile) if plan.tree is not None and best < mine else list(step.tile),
        best_ticks=best,
        loss=mine - best,
        luck=open_ticks - following,
    )


def _followed(planner: Planner, plan: _Value, spot: int) -> tuple[int, int]:
    """Ticks and scans of a plan for one spot."""
    ticks = scans = 0
    node, here = plan.tree, planner.scene.start
    while node is not None:
        ticks, scans, here = ticks + node.walk + planner.stop, scans + 1, node.at
        name = next(name for name, left in node.answers.items() if left >> spot & 1)
        node = node.children.get(name)
    return ticks + planner.ticks_from(here)[spot], scans
