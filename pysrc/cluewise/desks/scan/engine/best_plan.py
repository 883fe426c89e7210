"""The plan of a policy from a position, with its cost: for `next`, `route` and `review`.

The cheapest of several candidates, with and without pulses in passing, levels and teleports, so
that an additional observation or move never makes a plan more expensive. On open ground a
restricted dynamic program improves the plan of the search, and scans move to tiles with more room
(restricted_dp.py).
"""

from __future__ import annotations

from dataclasses import dataclass

from cluewise.core.work import Job, Progress, SliceTimer
from cluewise.desks.scan.engine.decision_tree import (
    Cost,
    Node,
    actions_of,
    build,
    cost,
    first_step,
    relabel_answers,
)
from cluewise.desks.scan.engine.planner import Action, Planner, Policy, Tile
from cluewise.desks.scan.engine.restricted_dp import give_room, improve_plan
from cluewise.desks.scan.scene import ScanModel, steps_between
from cluewise.kernel import Frame

QUICK = 3  # the default allowance of the search
FAMILY = 2  # how much less allowance the search gets if the restricted dynamic program follows
WIDE_EFFORT = 1  # the greatest allowance for more than 64 spots, which have many large states
WIDE_STEPS = 5  # first steps compared there


@dataclass(frozen=True, slots=True)
class Plan:
    """A tree and its cost; `tree` is None if no scan is needed or helps."""

    tree: Node | None
    cost: Cost


def make_planner(
    frame: Frame, scene: ScanModel, stop: int, effort: int, *stops: Tile
) -> Job[Planner]:
    """Return a planner with the walls of a scene; their window includes the stops.

    The transposition table takes 3 MB, 12 MB for searches with a large allowance.
    """
    planner = Planner(frame, scene, stop=stop, table_bits=17 if effort <= QUICK else 19)
    yield from planner.load_walls(scene.start, *stops)
    return planner


def usual_effort(planner: Planner, effort: int) -> int:
    """Return the allowance for a quick answer: smaller with walls and for many spots."""
    limit = planner.walls_effort if planner.walled else WIDE_EFFORT if planner.is_wide else effort
    return min(effort, limit)


def _goes_straight(planner: Planner) -> bool:
    """Whether all walks are straight: the open plane, on foot, without pulses in passing."""
    return not (planner.walled or planner.on_the_way or planner.teleports or planner.stairs)


def has_families(planner: Planner) -> bool:
    """Whether the restricted dynamic program applies.

    Not if one spot is the likeliest by far: the program treats all spots as equally likely.
    """
    return _goes_straight(planner) and not planner.is_wide and planner.scene.leading is None


def search_effort(planner: Planner, effort: int) -> int:
    """Return the allowance of the search, smaller if the restricted dynamic program follows."""
    return max(0, effort - FAMILY) if has_families(planner) else effort


def best_plan(planner: Planner, here: Tile, policy: Policy, effort: int) -> Job[Plan]:
    """Return the plan of a policy for all spots; `search` with that allowance."""
    tile = approach_most_likely(planner, here) if policy == "search" else None
    if tile is not None:
        return (yield from plan_after(planner, here, Action(tile, tile, 0, ()), policy, effort))
    listens, levels = planner.on_the_way, planner.with_levels
    best: Plan | None = None
    for use in (False, True) if levels and policy == "search" else (levels,):
        planner.use_levels(use)
        for listen in (False, True) if listens and use == levels else (False,):
            planner.use_passing_pulses(listen)
            plan = yield from _plan(planner, here, policy, effort)
            if use != levels and plan.tree is not None:
                planner.use_levels(levels)
                plan = price_plan(
                    planner, here, relabel_answers(planner, plan.tree, here, planner.everything)
                )
                planner.use_levels(use)
            best = plan if best is None else choose_shorter(best, plan)
    assert best is not None
    if policy == "search" and best.tree is not None and has_families(planner):
        give_room(planner, best.tree)
        return price_plan(planner, here, best.tree)
    return best


def approach_most_likely(planner: Planner, here: Tile) -> Tile | None:
    """Return the first tile on the path to the leading spot (`ScanModel.leading`) with a triple.

    Triples are never misread: if it is the spot, the check costs one stop, less than plans that
    treat all spots as equally likely. With slack the tiles round it give a triple as well. None
    without a leading spot, or if walks are not straight.
    """
    scene, (x, y) = planner.scene, here[:2]
    if scene.leading is None or not _goes_straight(planner):
        return None
    return toward((x, y), scene.spots[scene.leading], max(0, scene.reach - scene.position.slack))


def toward(here: Tile, spot: Tile, reach: int) -> Tile:
    """Return the first tile on the path to a spot within `reach` of it, after whole ticks.

    >>> toward((0, 0), (10, 4), 3), toward((0, 0), (2, 0), 3)
    ((8, 4), (0, 0))
    """
    far = steps_between(here, spot)
    steps = max(0, far - reach)
    if steps % 2 and steps < far:  # the other half of a tick
        steps += 1
    x, y = (at + max(-steps, min(steps, to - at)) for at, to in zip(here[:2], spot, strict=False))
    return x, y


def _plan(planner: Planner, here: Tile, policy: Policy, effort: int) -> Job[Plan]:
    """Return the plan of a policy; with teleports the best of three candidates.

    The others are searched on foot and priced with teleports: one starts here, one at the landing
    of the first teleport of the plan found.
    """
    best = yield from _one_plan(planner, here, policy, effort)
    if policy != "search" or not planner.teleports or not planner.on_foot or best.tree is None:
        return best
    teleport = planner.teleport_between(here, best.tree.at)
    starts = [here]
    if teleport is not None and not planner.is_wide:
        starts.append(planner.landing(teleport))
    for start in starts:
        planner.use_teleports(False)
        plan = yield from _one_plan(planner, start, policy, effort)
        planner.use_teleports(True)
        if plan.tree is not None and (start == here or plan.tree.scanned):
            best = choose_shorter(
                best, price_plan(planner, here, remeasure(planner, plan.tree, here))
            )
    return best


def _one_plan(planner: Planner, here: Tile, policy: Policy, effort: int) -> Job[Plan]:
    if policy == "search" and planner.is_wide:
        ranked = yield from wide_steps(planner, here)
        action, quick = ranked[0]
        return choose_shorter(quick, (yield from plan_after(planner, here, action, policy, effort)))
    allowance = search_effort(planner, effort)
    tree = yield from build(planner, planner.everything, here, policy, allowance)
    if policy == "search" and tree is not None and has_families(planner):
        return Plan(*(yield from improve_plan(planner, tree, here)))
    return price_plan(planner, here, tree)


def remeasure(planner: Planner, tree: Node, here: Tile) -> Node:
    """Recompute the walks to the scans of a plan from `here`; walks with pulses stay on foot."""
    tree.here = here
    for node in tree.descendants():
        node.on_foot = not node.scanned
        if node.scanned:
            node.move(node.tile, planner.walk_ticks(node.here, node.tile), planner.stop)
    return tree


def wide_steps(planner: Planner, here: Tile) -> Job[list[tuple[Action, Plan]]]:
    """Return the best ranked actions for more than 64 spots with a quick plan, best plan first."""
    found = []
    for action in (yield from actions_of(planner, planner.everything, here, "search", WIDE_STEPS)):
        plan = yield from plan_after(planner, here, action, "search", 0)
        found.append((action, plan))
    return sorted(found, key=lambda f: (f[1].cost.ticks, f[0].tile[1], f[0].tile[0]))


def plan_after(
    planner: Planner, here: Tile, action: Action, policy: Policy, effort: int
) -> Job[Plan]:
    """Return the plan that begins with an action and continues by a policy."""
    node = first_step(planner, planner.everything, here, action)
    for one in filter(lambda one: one.is_open, node.outcomes):
        one.then = yield from build(planner, one.spots, node.at, policy, effort)
        yield Progress(0, None, "comparing ways")
    return price_plan(planner, here, node)


def price_plan(planner: Planner, here: Tile, tree: Node | None) -> Plan:
    """Return the plan of a tree, with its expected ticks and scans from a tile."""
    return Plan(tree, cost(planner, tree, planner.everything, here))


def choose_shorter(first: Plan, second: Plan) -> Plan:
    """Return the plan of fewer expected ticks; of equals the first."""
    return second if second.cost.ticks < first.cost.ticks else first


def total_after(planner: Planner, action: Action, allowance: int, pace: SliceTimer) -> Job[int]:
    """Return the total of an action of up to 64 spots, followed by searches with an allowance."""
    total = action.cost
    for part in filter(None, action.parts):
        if part & (part - 1):
            more, _ = yield from planner.search(part, action.at, allowance, pace, every=False)
        else:
            more = planner.straight_total(action.at, part)
        total += more
    return total
