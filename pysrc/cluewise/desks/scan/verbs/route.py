"""The verb `route`: a decision tree from a start tile, its cost, and a lower bound."""

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
    describe_plan,
    is_uncertain,
    needs_posterior,
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

PIECES = 4  # of some seconds each; fewer than start processes of their own
MOST_EFFORT = 9
WIDER, ROUNDS = 4, 3  # of families in a longer search: the allowance, and the rounds


def route_tasks(_position: Position, options: RouteOptions) -> int:
    """The number of parallel tasks: allowances tried within `seconds`."""
    wider = options.policy == "search" and not options.listen
    return PIECES if options.seconds and wider else 1


def route(
    position: Position, options: RouteOptions, sharing: ParallelContext | None = None
) -> Job[Route]:
    """The verb `route`; with `seconds` it repeats the search with ever larger allowances."""
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
            heard = yield from _plan_runs(planner, here, options, baseline)
            return (yield from _or_shared_digs(scene, options, began, heard))
        planner.listen_on_the_way(options.in_passing)
        effort = usual_effort(planner, options.effort)
        best = yield from make_plan(planner, here, options, effort)
        result = _route_of_plan(planner, options, best, effort, baseline)
        best_known = best.cost.ticks == _proven_total(planner, here)
        efforts = range(effort + (not has_families(planner)), MOST_EFFORT + 1)
        exact = not (options.on_the_way or options.abilities.any or position.misread)
        bound = _least_mean(planner, here, best.cost.ticks) if options.bound and exact else None
    if options.seconds and options.policy == "search" and not best_known:
        pieces = _LongSearch(position, options, efforts, began + options.seconds)
        result = yield from _search_longer(pieces, best.cost.ticks, result, sharing)
    if options.on_the_way:
        return (yield from _or_shared_digs(scene, options, began, result))
    return result if bound is None else msgspec.structs.replace(result, lower_bound=bound)


def _plan_weighted(planner: Planner, options: RouteOptions, began: float) -> Job[Route]:
    """The route with weighted spots, imprecise places or digs that serve several spots; with
    `seconds` it tries ever larger allowances."""
    scene, here = planner.scene, planner.scene.start
    builder = PlanBuilder(Posterior(planner, digs=False), "bits", 0)
    baseline, _ = yield from builder.solve(builder.posterior.weights, here)
    best: tuple[PosteriorPlans, int] | None = None
    for effort in range(usual_effort(planner, options.effort), MOST_EFFORT + 1):
        planner.forget()
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
    scene: ScanModel, options: RouteOptions, began: float, heard: Route
) -> Job[Route]:
    """A route with pulses on the way, or one with shared digs if that takes less."""
    if not shares_digs(scene):
        return heard
    with kernel().frame() as frame:
        planner = yield from _make_planner(frame, scene, options)
        plain = yield from _plan_weighted(planner, options, began)
    if plain.expected_ticks >= heard.expected_ticks:
        return heard
    return msgspec.structs.replace(plain, lower_bound=None, baseline_ticks=heard.baseline_ticks)


def _weighted_result(
    plans: PosteriorPlans, options: RouteOptions, effort: int, baseline: float
) -> Route:
    posterior, kit = plans.posterior, options.abilities
    mass = sum(posterior.weights)
    tree, found = describe_plan(posterior, plans.plan, posterior.planner.scene.start, kit)
    on_foot = plans.total / mass if kit.any else None
    made = _make_route(posterior.planner, options, tree, found, mass, effort, baseline / mass)
    return msgspec.structs.replace(made, on_foot_ticks=on_foot)


def _make_planner(frame: Frame, scene: ScanModel, options: RouteOptions) -> Job[Planner]:
    most = MOST_EFFORT if options.seconds else options.effort
    return make_planner(frame, scene, options.stop, most)


def _with_beyond(result: Route, scene: ScanModel) -> Route:
    """The route with the spots that cannot be reached."""
    beyond, left = list(scene.beyond) or None, result.remaining + len(scene.beyond)
    return msgspec.structs.replace(result, remaining=left, beyond=beyond)


def _plan_runs(planner: Planner, here: Tile, options: RouteOptions, baseline: float) -> Job[Route]:
    """The route over runs; with `seconds`, with ever larger allowances."""
    began, best = time.monotonic(), None
    for effort in range(usual_effort(planner, options.effort), MOST_EFFORT + 1):
        planner.forget()
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
    """Return the proven least mean of any route from `here`; None where it is not known.

    A few spots are solved exactly, with the total of a known route as upper bound; whole regions
    are looked up.
    """
    count = planner.everything.bit_count()
    if count < 2:
        return None
    exact = planner.least(planner.everything, here, known)
    total = _proven_total(planner, here) if exact is None else exact[0]
    return None if total is None else total / count


def _proven_total(planner: Planner, here: Tile) -> int | None:
    """Return the least total of ticks of any plan from `here`; None where the table has none.

    It has one for all spots of a region with the range, a start and a stop cost of the table, on
    the open plane without levels, teleports and pulses on the way.
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
    """The mean of always going to the most information, for comparison."""
    tree = yield from build(planner, planner.everything, here, "bits", 0)
    total = cost(planner, tree, planner.everything, here).ticks
    return total / planner.everything.bit_count()


class _LongSearch(NamedTuple):
    """A longer search: position, options, allowances, and its deadline."""

    position: Position
    options: RouteOptions
    efforts: range
    ends: float


def _search_longer(
    asked: _LongSearch, ticks: int, result: Route, sharing: ParallelContext | None
) -> Job[Route]:
    """The best route of ever larger allowances and wider families, until the deadline."""
    position, options = msgspec.to_builtins(asked.position), msgspec.to_builtins(asked.options)
    pieces = ((position, options, effort) for effort in asked.efforts)
    with closing(map_tasks(searched, pieces, sharing)) as steps:
        for step in steps:
            if isinstance(step, Result) and step.value[0] < ticks:
                ticks = step.value[0]
                found = msgspec.convert(step.value[1], Route)
                result = msgspec.structs.replace(found, baseline_ticks=result.baseline_ticks)
            left = asked.ends - time.monotonic()
            if left <= 0:
                break
            total = asked.options.seconds
            waits = not isinstance(step, Result) and step.idle
            yield Progress(total - left, total, "thinking longer", best=result, waits=waits)
    return result


def searched(
    position: dict[str, Any], options: dict[str, Any], effort: int
) -> Job[tuple[int, dict[str, Any]]]:
    """Worker task: the route of one allowance, with its total ticks on foot."""
    asked = msgspec.convert(options, RouteOptions)
    scene = over_floors(ScanModel.of(_with_start(msgspec.convert(position, Position), asked.start)))
    with kernel().frame() as frame:
        planner = yield from _make_planner(frame, scene, asked)
        planner.listen_on_the_way(asked.in_passing)
        found = yield from make_plan(planner, scene.start, asked, effort)
        if found.tree is not None and has_families(planner):
            more, _ = yield from improve_plan(planner, found.tree, scene.start, WIDER, ROUNDS)
            give_room(planner, more)
            found = Plan(more, cost(planner, more, planner.everything, scene.start))
        return found.cost.ticks, msgspec.to_builtins(
            _route_of_plan(planner, asked, found, effort, 0.0)
        )


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
    """The result for a tree; `found` sums over spots whose weights sum to `mass`."""
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
