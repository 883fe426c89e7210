"""The verb `route`: a decision tree from a start tile, its cost, and a lower bound.

With `seconds` it is an anytime search: allowances of the limited-discrepancy search grow until the
deadline, as tasks of several processes, and each progress has the best route so far.
"""

from __future__ import annotations

import time
from contextlib import closing
from typing import Any, NamedTuple, TypeVar

import msgspec

from cluewise.core.work import Job, Progress
from cluewise.desks.scan.engine.best_plan import (
    Plan,
    has_families,
    make_planner,
    usual_effort,
)
from cluewise.desks.scan.engine.decision_tree import Cost, build, cost
from cluewise.desks.scan.engine.ground import over_floors
from cluewise.desks.scan.engine.planner import Planner, Tile
from cluewise.desks.scan.engine.posterior import (
    MeanCost,
    Posterior,
    is_uncertain,
    needs_posterior,
    plan_to_json,
    shares_digs,
)
from cluewise.desks.scan.engine.posterior_plan import (
    PlanBuilder,
    PosteriorPlans,
    posterior_plans,
)
from cluewise.desks.scan.engine.restricted_dp import give_room, improve_plan
from cluewise.desks.scan.engine.runs import make_plan
from cluewise.desks.scan.engine.tree_json import tree_to_json
from cluewise.desks.scan.position import HIGHEST, LOWEST, Position
from cluewise.desks.scan.regions import STOPS, by_id, proven_totals, starts_of
from cluewise.desks.scan.results import Route, RouteOptions
from cluewise.desks.scan.scene import ScanModel
from cluewise.errors import BadOption
from cluewise.kernel import Frame, kernel
from cluewise.parallel.tasks import ParallelContext, Result, map_tasks

_T = TypeVar("_T")

TASKS = 4  # of some seconds each; too few to start additional processes
MOST_EFFORT = 9
WIDER, ROUNDS = 4, 3  # allowance and rounds of the restricted dynamic program in a longer search


def route_tasks(_position: Position, options: RouteOptions) -> int:
    """Return the number of parallel tasks: the allowances tried within `seconds`."""
    wider = options.policy == "search" and not options.listen
    return TASKS if options.seconds and wider else 1


def route(
    position: Position, options: RouteOptions, sharing: ParallelContext | None = None
) -> Job[Route]:
    """Return the route; with `seconds` the best one of searches with growing allowances."""
    scene = ScanModel.of(_with_start(position, options.start))
    scene.must_remain()
    scene, began = over_floors(scene), time.monotonic()
    with kernel().frame() as frame:
        planner = yield from _make_planner(frame, scene, options)
        scene, here = planner.scene, scene.start
        if not scene.remaining:
            nowhere = Route(0.0, 0, 0.0, {}, options.policy, list(here), 0, 0, 0.0)
            return _with_beyond(nowhere, scene)
        if len(scene.remaining) > 1 and needs_posterior(scene, options):
            return (yield from _plan_weighted(planner, options, began))
        baseline = yield from _baseline(planner, here)
        if options.listen:
            with_pulses = yield from _plan_runs(planner, here, options, baseline)
            return (yield from _or_shared_digs(scene, options, began, with_pulses))
        planner.use_passing_pulses(options.in_passing)
        effort = usual_effort(planner, options.effort)
        best = yield from make_plan(planner, here, options, effort)
        result = _route_of_plan(planner, options, best, effort, baseline)
        best_known = best.cost.ticks == _proven_total(planner, here)
        efforts = range(effort + (not has_families(planner)), MOST_EFFORT + 1)
        exact = not (options.on_the_way or options.abilities.any or position.misread)
        bound = _least_mean(planner, here, best.cost.ticks) if options.bound and exact else None
    if options.seconds and options.policy == "search" and not best_known:
        longer = _LongSearch(position, options, efforts, began + options.seconds)
        result = yield from _search_longer(longer, best.cost.ticks, result, sharing)
    if options.on_the_way:
        return (yield from _or_shared_digs(scene, options, began, result))
    return result if bound is None else msgspec.structs.replace(result, lower_bound=bound)


def _plan_weighted(planner: Planner, options: RouteOptions, began: float) -> Job[Route]:
    """Return the route with weighted spots, imprecise places or digs that serve several spots;
    with `seconds` the best one of growing allowances."""
    scene, here = planner.scene, planner.scene.start
    builder = PlanBuilder(Posterior(planner, digs=False), "bits", 0)
    baseline, _ = yield from builder.solve(builder.posterior.weights, here)
    best: tuple[PosteriorPlans, int] | None = None
    for effort in range(usual_effort(planner, options.effort), MOST_EFFORT + 1):
        planner.clear_table()
        plans = yield from posterior_plans(planner, here, options.policy, effort, digs=options.digs)
        if best is None or plans.total < best[0].total:
            best = plans, effort
        if plans.least or time.monotonic() - began >= options.seconds:
            break
    assert best is not None
    result = _weighted_result(best[0], options, best[1], baseline)
    uncertain = is_uncertain(scene) or bool(scene.position.misread)
    if options.bound and best[0].least and not (options.abilities.any or uncertain):
        return msgspec.structs.replace(result, lower_bound=result.expected_ticks)
    return result


def _or_shared_digs(
    scene: ScanModel, options: RouteOptions, began: float, with_pulses: Route
) -> Job[Route]:
    """Return the route with pulses in passing, or one with shared digs if that takes less."""
    if not shares_digs(scene):
        return with_pulses
    with kernel().frame() as frame:
        planner = yield from _make_planner(frame, scene, options)
        plain = yield from _plan_weighted(planner, options, began)
    if plain.expected_ticks >= with_pulses.expected_ticks:
        return with_pulses
    return msgspec.structs.replace(
        plain, lower_bound=None, baseline_ticks=with_pulses.baseline_ticks
    )


def _weighted_result(
    plans: PosteriorPlans, options: RouteOptions, effort: int, baseline: float
) -> Route:
    posterior, kit = plans.posterior, options.abilities
    mass = sum(posterior.weights)
    tree, found = plan_to_json(posterior, plans.plan, posterior.planner.scene.start, kit)
    on_foot = plans.total / mass if kit.any else None
    made = _make_route(posterior.planner, options, tree, found, mass, effort, baseline / mass)
    return msgspec.structs.replace(made, on_foot_ticks=on_foot)


def _make_planner(frame: Frame, scene: ScanModel, options: RouteOptions) -> Job[Planner]:
    most = MOST_EFFORT if options.seconds else options.effort
    return make_planner(frame, scene, options.stop, most)


def _with_beyond(result: Route, scene: ScanModel) -> Route:
    """Add the spots that cannot be reached to a route."""
    beyond, left = list(scene.beyond) or None, result.remaining + len(scene.beyond)
    return msgspec.structs.replace(result, remaining=left, beyond=beyond)


def _plan_runs(planner: Planner, here: Tile, options: RouteOptions, baseline: float) -> Job[Route]:
    """Return the route over runs; with `seconds` the best one of growing allowances."""
    began, best = time.monotonic(), None
    for effort in range(usual_effort(planner, options.effort), MOST_EFFORT + 1):
        planner.clear_table()
        job = make_plan(planner, here, options, effort)
        while True:
            try:
                step = next(job)
            except StopIteration as stop:
                found = stop.value
                break
            if best is not None and time.monotonic() - began >= options.seconds:
                return best
            yield Progress(step.done, step.total, step.note, best=best)
        made = _route_of_plan(planner, options, found, effort, baseline)
        if best is None or made.expected_ticks < best.expected_ticks:
            best = made
        if time.monotonic() - began >= options.seconds:
            break
    assert best is not None
    return best


def _least_mean(planner: Planner, here: Tile, known: int) -> float | None:
    """Return the proven least mean of any route from `here`; None if it is not known.

    A few spots are solved exactly, with the total of a known route as upper bound; totals of whole
    regions are in a table.
    """
    count = planner.everything.bit_count()
    if count < 2:
        return None
    exact = planner.solve_exactly(planner.everything, here, known)
    total = _proven_total(planner, here) if exact is None else exact[0]
    return None if total is None else total / count


def _proven_total(planner: Planner, here: Tile) -> int | None:
    """Return the least total of ticks of any plan from `here`; None if the table has none.

    It has one for all spots of a region with the range, a start and a stop cost of the table, on
    the open plane without levels, teleports and pulses in passing.
    """
    region = by_id().get(planner.scene.position.region or 0)
    if region is None or planner.stop not in STOPS:
        return None
    if planner.walled or planner.on_the_way or planner.teleports or planner.stairs:
        return None
    if planner.with_levels or planner.scene.reach != region.range:
        return None
    start = next((name for name, at in starts_of(region).items() if at == here), None)
    if tuple(planner.spots) != region.spots or start is None:
        return None
    return proven_totals(region)[planner.stop, start]


def _with_start(position: Position, start: Tile | None) -> Position:
    if start is None:
        return position
    if not all(LOWEST <= v <= HIGHEST for v in start):
        raise BadOption(
            f"The start is off the map, which goes from {LOWEST} to {HIGHEST}.", "$.options.start"
        )
    return msgspec.structs.replace(position, here=start)


def _baseline(planner: Planner, here: Tile) -> Job[float]:
    """Return the mean ticks of the greedy policy by information."""
    tree = yield from build(planner, planner.everything, here, "bits", 0)
    total = cost(planner, tree, planner.everything, here).ticks
    return total / planner.everything.bit_count()


class _LongSearch(NamedTuple):
    """The parameters of a longer search."""

    position: Position
    options: RouteOptions
    efforts: range
    ends: float


def _search_longer(
    search: _LongSearch, ticks: int, result: Route, sharing: ParallelContext | None
) -> Job[Route]:
    """Return the best route of growing allowances and larger families, until the deadline."""
    position, options = msgspec.to_builtins(search.position), msgspec.to_builtins(search.options)
    tasks = ((position, options, effort) for effort in search.efforts)
    with closing(map_tasks(search_task, tasks, sharing)) as steps:
        for step in steps:
            if isinstance(step, Result) and step.value[0] < ticks:
                ticks = step.value[0]
                found = msgspec.convert(step.value[1], Route)
                result = msgspec.structs.replace(found, baseline_ticks=result.baseline_ticks)
            left = search.ends - time.monotonic()
            if left <= 0:
                break
            total = search.options.seconds
            waits = not isinstance(step, Result) and step.idle
            yield Progress(total - left, total, "thinking longer", best=result, waits=waits)
    return result


def search_task(
    position: dict[str, Any], options: dict[str, Any], effort: int
) -> Job[tuple[int, dict[str, Any]]]:
    """Search the route of one allowance on a worker; return its total ticks on foot as well."""
    by = msgspec.convert(options, RouteOptions)
    scene = over_floors(ScanModel.of(_with_start(msgspec.convert(position, Position), by.start)))
    with kernel().frame() as frame:
        planner = yield from _make_planner(frame, scene, by)
        planner.use_passing_pulses(by.in_passing)
        found = yield from make_plan(planner, scene.start, by, effort)
        if found.tree is not None and has_families(planner):
            more, _ = yield from improve_plan(planner, found.tree, scene.start, WIDER, ROUNDS)
            give_room(planner, more)
            found = Plan(more, cost(planner, more, planner.everything, scene.start))
        route_of_plan = _route_of_plan(planner, by, found, effort, 0.0)
        return found.cost.ticks, msgspec.to_builtins(route_of_plan)


def _route_of_plan(
    planner: Planner, options: RouteOptions, found: Plan, effort: int, baseline: float
) -> Route:
    count, kit = len(planner.spots), options.abilities
    tree, spent = tree_to_json(planner, found.tree, planner.scene.start, kit)
    made = _make_route(planner, options, tree, spent, count, effort, baseline)
    on_foot = found.cost.ticks / count if kit.any else None
    return msgspec.structs.replace(made, on_foot_ticks=on_foot)


def _make_route(
    planner: Planner, options: RouteOptions, tree: dict[str, Any], found: Cost | MeanCost,
    mass: int, effort: int, baseline: float,
) -> Route:  # fmt: skip
    """Return the result of a tree; `found` sums over spots whose weights sum to `mass`."""
    made = Route(
        expected_ticks=found.ticks / mass,
        worst_ticks=found.worst,
        expected_scans=found.scans / mass,
        tree=tree,
        policy=options.policy,
        start=list(planner.scene.start),
        remaining=len(planner.spots),
        effort=effort if options.policy == "search" else 0,
        baseline_ticks=baseline,
    )
    return _with_beyond(made, planner.scene)
