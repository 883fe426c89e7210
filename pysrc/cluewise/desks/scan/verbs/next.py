"""The verb `next`: rank tiles to scan by the expected ticks of a plan that begins there.

With weighted spots, imprecise places or shared digs the plans are those of posterior_plan.py, else
those of best_plan.py and runs.py.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import msgspec

from cluewise.core.information import entropy
from cluewise.core.work import Job, SliceTimer
from cluewise.desks.scan.engine.abilities import Abilities, Path
from cluewise.desks.scan.engine.best_plan import (
    Plan,
    make_planner,
    plan_after,
    search_effort,
    total_after,
    usual_effort,
    wide_steps,
)
from cluewise.desks.scan.engine.classes import ClassMap, groups, partition
from cluewise.desks.scan.engine.decision_tree import actions_of
from cluewise.desks.scan.engine.ground import over_floors
from cluewise.desks.scan.engine.movement import path_to, path_to_dig
from cluewise.desks.scan.engine.planner import NEVER, Planner, Tile
from cluewise.desks.scan.engine.posterior import Dig as DigStep
from cluewise.desks.scan.engine.posterior import (
    needs_posterior,
    plan_to_json,
    shares_digs,
    tiles_around,
)
from cluewise.desks.scan.engine.posterior_plan import PosteriorPlans, posterior_plans
from cluewise.desks.scan.engine.runs import change_of, make_plan
from cluewise.desks.scan.engine.tree_json import tree_to_json
from cluewise.desks.scan.position import Position
from cluewise.desks.scan.results import (
    AbilityUse,
    Advice,
    Dig,
    NextOption,
    NextOptions,
)
from cluewise.desks.scan.scene import ScanModel
from cluewise.kernel import kernel

Ranked = list[tuple[int, Tile]]  # totals of ticks and where to walk


def next_(position: Position, options: NextOptions) -> Job[Advice]:
    """Return the ranked scans, or the dig if it comes next."""
    every = ScanModel.of(position)
    remaining = len(every.must_remain())
    scene, kit = over_floors(every), options.abilities
    here = scene.start
    with kernel().frame() as frame:
        planner = yield from make_planner(frame, scene, options.stop, options.effort)
        scene = planner.scene
        left, beyond = scene.remaining, list(scene.beyond) or None
        if not left:
            return Advice(options.policy, [], list(here), remaining, beyond=beyond)
        if len(left) == 1:
            gone = path_to_dig(planner, here, 0, kit, kit.full)
            dig = Dig(left[0], gone.ticks, _uses_of(gone))
            return Advice(options.policy, [], list(here), remaining, dig, beyond=beyond)
        if needs_posterior(scene, options):
            return (yield from _weighted_advice(planner, every, here, options))
        planner.use_passing_pulses(options.in_passing)
        ability_ticks: float | None = None
        ranked, plan = yield from _rank(planner, here, options)
        if kit.any:
            ability_ticks = tree_to_json(planner, plan.tree, here, kit)[1].ticks / len(left)
        if shares_digs(scene):  # pulses in passing may save less than a shared dig
            plain = yield from _weighted_advice(planner, every, here, options)
            mean = plain.dig.expected_ticks if plain.dig else plain.options[0].expected_ticks
            if not ranked or (mean is not None and mean * len(left) < ranked[0][0]):
                return plain
            planner.use_passing_pulses(options.in_passing)
        means = [(total / len(left), tile) for total, tile in ranked[: options.top]]
        shown = yield from _options(planner, every, here, means, kit)
        changes = since = path = None
        if (run := plan.tree) is not None and run.listens:
            since = run.since
            changes = [change_of(planner, run, outcome) for outcome in run.outcomes]
            shown[0] = msgspec.structs.replace(shown[0], walk_ticks=run.walk, uses=None)
            path = [list(place) for place in run.places] if planner.walled else None
    return Advice(
        options.policy, shown, list(here), remaining, changes=changes, since=since, path=path,
        ability_ticks=ability_ticks, beyond=beyond,
    )  # fmt: skip


def _weighted_advice(
    planner: Planner, every: ScanModel, here: Tile, options: NextOptions
) -> Job[Advice]:
    """Return advice with weighted spots, imprecise places or digs that serve several spots."""
    effort, kit = usual_effort(planner, options.effort), options.abilities
    plans = yield from posterior_plans(planner, here, options.policy, effort, digs=options.digs)
    posterior, plan = plans.posterior, plans.plan
    mass, dig = sum(posterior.weights), None
    means = [(one.total / mass, one.tile) for one in plans.options if not one.digs]
    if isinstance(plan, DigStep):
        dig = _shared_dig(plans, plan, here, kit)
        means = means if plan.otherwise is not None else []
    ability_ticks = plan_to_json(posterior, plan, here, kit)[1].ticks / mass if kit.any else None
    return Advice(
        policy=options.policy,
        options=(yield from _options(planner, every, here, means[: options.top], kit)),
        from_tile=list(here),
        remaining=len(every.remaining),
        dig=dig,
        ability_ticks=ability_ticks,
        beyond=list(planner.scene.beyond) or None,
    )


def _shared_dig(plans: PosteriorPlans, plan: DigStep, here: Tile, kit: Abilities) -> Dig:
    """Return the dig that is the first step of a plan."""
    posterior = plans.posterior
    planner, weights = posterior.planner, posterior.weights
    gone = path_to(planner, here, plan.tile, kit, kit.full)
    likeliest = max(plan.served, key=lambda j: (weights[j], -j))
    numbers = planner.scene.remaining
    return Dig(
        spot=numbers[likeliest],
        walk_ticks=gone.ticks,
        uses=_uses_of(gone),
        spots=[numbers[j] for j in plan.served],
        at=list(plan.tile),
        expected_ticks=plans.total / sum(weights),
    )


def _uses_of(gone: Path) -> list[AbilityUse] | None:
    """Return the abilities, teleports and stairs of a path; None if there are none."""
    uses = [AbilityUse(u.ability, u.tick, list(u.at), list(u.to), u.name) for u in gone.uses]
    return uses or None


def _rank(planner: Planner, here: Tile, options: NextOptions) -> Job[tuple[Ranked, Plan]]:
    """Rank the first steps by the total ticks of their plans; return them and the best plan.

    The first one is that of the route; with `listen` it may be a run. The others are scans.
    """
    effort = usual_effort(planner, options.effort)
    others = yield from _compare_scans(planner, here, options, search_effort(planner, effort))
    plan = yield from make_plan(planner, here, options, effort)
    first = plan.tree
    if first is None:  # no reachable tile distinguishes the spots
        return [], plan

    def differs(tile: Tile) -> bool:
        if options.listen:
            return tile != first.tile
        everything = planner.everything
        return planner.answers(tile, everything) != planner.answers(first.at, everything)

    return [(plan.cost.ticks, first.tile), *(one for one in others if differs(one[1]))], plan


def _compare_scans(planner: Planner, here: Tile, options: NextOptions, effort: int) -> Job[Ranked]:
    """Return the ranked scans, each with the total ticks of a plan that begins with it."""
    everything, policy, pace = planner.everything, options.policy, SliceTimer(first=16)
    if planner.is_wide and policy == "search":
        steps = yield from wide_steps(planner, here)
        return [(plan.cost.ticks, action.tile) for action, plan in steps]
    found: Ranked = []
    actions = yield from actions_of(planner, everything, here, policy, options.top)
    for rank, action in enumerate(actions):
        if policy == "search":
            allowance = max(0, effort - planner.discrepancies(rank))
            total = yield from total_after(planner, action, allowance, pace)
        else:
            total = (yield from plan_after(planner, here, action, policy, 0)).cost.ticks
        if total < NEVER:  # else no further scan or dig can be reached from there
            found.append((total, action.tile))
    return found if policy != "search" else sorted(found, key=lambda f: (f[0], f[1][1], f[1][0]))


def _options(
    planner: Planner, every: ScanModel, here: Tile, means: list[tuple[float, Tile]], kit: Abilities
) -> Job[list[NextOption]]:
    """Return the ranked steps with the information of a scan there, from the map of its floor."""
    shown, maps = [], dict[int, ClassMap]()
    for mean, tile in means:
        level = (*tile, every.floor)[2]
        if level not in maps:
            maps[level] = yield from partition(replace(every, floor=level))
        shown.append(_option(planner, maps[level], every, here, mean, tile, kit))
    return shown


def _option(
    planner: Planner,
    classes: ClassMap,
    every: ScanModel,
    here: Tile,
    mean: float,
    tile: Tile,
    kit: Abilities,
) -> NextOption:
    number = classes.class_at(tile[0], tile[1])
    gone = path_to(planner, here, tile, kit, kit.full)
    counts = Counter(every.answer(tile, every.spots[i]) for i in every.remaining)
    names = ["1", "2", "3", *(["1d", "2d", "3d"] if every.with_levels else [])]
    leaves = [counts[name] for name in names]
    return NextOption(
        tile=list(tile),
        bits=entropy(groups(tuple(leaves))),
        walk_ticks=gone.ticks,
        expected_ticks=mean,
        tiles=classes.tiles[number] if number is not None else 1,
        leaves=leaves,
        core=_is_core(planner, tile),
        uses=_uses_of(gone),
        room=planner.room(tile, planner.everything),
        area=classes.rects_by_class[number] if number is not None else None,
    )


def _is_core(planner: Planner, tile: Tile) -> bool:
    """Whether every tile within the slack gives the same partition."""
    cells = planner.answers(tile, planner.everything)
    places = tiles_around(tile, planner.scene.position.slack)
    return all(planner.answers(place, planner.everything) == cells for place in places)
