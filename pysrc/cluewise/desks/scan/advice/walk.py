"""The verb `next`: where to walk now, ranked, each with what it costs and what it tells.

"Most informative" is not "best": on the map, the walk decides.
"""

from __future__ import annotations

from cluewise.core.information import entropy
from cluewise.core.work import Job, Pace, Progress
from cluewise.desks.scan.engine.classes import ClassMap, groups, partition
from cluewise.desks.scan.engine.plan import Action, Planner, Tile, members
from cluewise.desks.scan.engine.tree import build, cost
from cluewise.desks.scan.engine.wide import actions_of
from cluewise.desks.scan.position import ScanPosition
from cluewise.desks.scan.results import Dig, NextOption, NextOptions, NextResult, Policy
from cluewise.desks.scan.scene import Scene
from cluewise.errors import BadOption
from cluewise.kernel import kernel

QUICK = 3  # the default allowance of the search
WALLS_EFFORT = 1  # between walls a state costs a flood of the map, so the search stays shallow


def table_bits(effort: int) -> int:
    """The size of the search's table for an allowance, as a power of two: 3 or 12 MB."""
    return 17 if effort <= QUICK else 19


def refuse_walls_on_the_way(position: ScanPosition, on_the_way: bool) -> None:
    """Raise `BadOption`: which way one walks round a wall, and so what one hears, is unknown."""
    if on_the_way and position.walls is not None:
        raise BadOption(
            "Pulses seen while walking are modelled on the open plane only; "
            "remove the walls or switch this off.",
            "$.options.on_the_way",
        )


def run_next(position: ScanPosition, options: NextOptions) -> Job[NextResult]:
    """The verb `next`."""
    refuse_walls_on_the_way(position, options.on_the_way)
    scene = Scene.of(position)
    left = scene.must_remain()
    here = scene.start
    if not left:
        return NextResult(options.policy, [], list(here), 0)
    with kernel().frame() as frame:
        planner = Planner(
            frame, scene, on_the_way=options.on_the_way, table_bits=table_bits(options.effort)
        )
        yield from planner.lay_walls(here)
        if len(left) == 1:
            dig = Dig(left[0], planner.straight(here, 1))
            return NextResult(options.policy, [], list(here), 1, dig)
        effort = options.effort if position.walls is None else min(options.effort, WALLS_EFFORT)
        ranked = yield from _rank(planner, here, options, effort)
        cut = yield from partition(scene, shapes=False)
    shown = [_option(planner, cut, total, action) for total, action in ranked]
    return NextResult(options.policy, shown, list(here), len(left))


def _rank(
    planner: Planner, here: Tile, options: NextOptions, effort: int
) -> Job[list[tuple[int, Action]]]:
    """The best actions with the total of ticks each leads to, in the policy's order."""
    everything, policy = planner.everything, options.policy
    actions = yield from actions_of(planner, everything, here, policy, options.top)
    pace = Pace(first=16)
    if policy != "search" or planner.wide:
        ranked = []
        for action in actions:
            total = yield from _follow(planner, action, policy)
            ranked.append((total, action))
        return ranked if policy != "search" else sorted(ranked, key=lambda f: f[0])
    if not actions:  # walls keep one from every tile that would tell the spots apart
        return []
    total, best = yield from planner.search(everything, here, effort, pace)
    found = {(best.tile, best.parts): (total, best)}
    for action in actions:
        if (action.tile, action.parts) in found:
            continue
        total = action.cost
        for part in filter(None, action.parts):
            if part & (part - 1):
                more, _ = yield from planner.search(part, action.at, min(effort, 1), pace)
            else:
                more = planner.straight(action.at, part)
            total += more
        found[action.tile, action.parts] = (total, action)
    order = sorted(found.values(), key=lambda f: (f[0], f[1].tile[1], f[1].tile[0]))
    return order[: options.top]


def _follow(planner: Planner, action: Action, policy: Policy) -> Job[int]:
    """The total of taking an action and then going on with the same policy."""
    total = action.cost
    for part in filter(None, action.parts):
        tree = yield from build(planner, part, action.at, policy, 0)
        total += cost(planner, tree, part, action.at).ticks
        yield Progress(0, None, "comparing ways")
    return total


def _option(planner: Planner, cut: ClassMap, total: int, action: Action) -> NextOption:
    number = cut.class_at(*action.tile)
    answers = planner.answers(action.tile, planner.everything)
    with_levels = planner.scene.with_levels
    names = ["1", "2", "3", *(["1d", "2d", "3d"] if with_levels else [])]
    leaves = [answers.get(name, 0).bit_count() for name in names]
    return NextOption(
        tile=list(action.tile),
        bits=entropy(groups(tuple(leaves))),
        walk_ticks=walk_ticks(planner, action),
        expected_ticks=total / planner.everything.bit_count(),
        tiles=cut.tiles[number] if number is not None else 1,
        leaves=leaves,
    )


def walk_ticks(planner: Planner, action: Action) -> int:
    """The ticks of the whole walk to an action's tile."""
    if action.news:
        here = planner.scene.start
        away = max(abs(here[0] - action.tile[0]), abs(here[1] - action.tile[1]))
        return (away + 1) // 2
    shown = planner.everything
    for part in action.parts:
        shown &= ~part
    ticks = planner.ticks_from(action.at)
    known = sum(ticks[j] for j in members(shown))
    return (action.cost - known) // planner.everything.bit_count() - 1
