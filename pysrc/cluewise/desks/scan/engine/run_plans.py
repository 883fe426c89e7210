"""Plans over runs: trees in which changes of the pulse are reported while running.

The display is renewed every two ticks, and the player reports a change up to `reaction` ticks
later; what can be reported alike is one answer. Without an answer he scans at the end of the run.
With stairs a run stays on its level: they are climbed on walks to scans.
Every state keeps the plan that only scans where that is better, and so does the whole.
"""

from __future__ import annotations

import struct
from array import array
from dataclasses import dataclass
from typing import Any

import msgspec

from cluewise.core.conflict import bit_indices
from cluewise.core.work import Job, Progress, SliceTimer
from cluewise.desks.scan.engine.abilities import Abilities, Path, Ready
from cluewise.desks.scan.engine.best_plan import Plan, search_effort
from cluewise.desks.scan.engine.decision_tree import Cost, Node, PlanEnds, first_step
from cluewise.desks.scan.engine.movement import BARE, path_to, uses_to_json
from cluewise.desks.scan.engine.planner import MOST_SPOTS, NOWHERE, Action, Planner, Tile, pack_tile
from cluewise.desks.scan.engine.runs import (
    PULSES,
    Leg,
    RunOutcome,
    change_of,
    first_difference,
    run_ticks,
)
from cluewise.kernel.layouts import SCAN

_GROUP = struct.Struct(SCAN.ScanGroup_FORMAT)
_TABLE_BITS = 15


@dataclass(frozen=True, slots=True)
class RunPlan:
    """A listening plan and its cost; `leg` is None where there is nothing to ask."""

    leg: Leg | None
    cost: Cost


class RunSearch:
    """The kernel's search over runs for a planner of up to 64 spots."""

    def __init__(self, planner: Planner, reaction: int) -> None:
        frame = planner.frame
        self.planner, self.reaction = planner, reaction
        self.state = frame.reserve(frame.call("scan_listen_bytes"))
        self.table = frame.reserve(SCAN.SCAN_KNOWN_ENTRY << _TABLE_BITS)
        self._set, self._count = frame.reserve(8), frame.reserve(4)
        self._scan = frame.reserve(SCAN.ScanAction)
        self._groups = frame.reserve(_GROUP.size * MOST_SPOTS)
        self.begin()

    def begin(self) -> None:
        """Set the kernel's search up for the plan as it is now."""
        self.planner.begin_listening(self.state, self.table, _TABLE_BITS, self.reaction)

    def first(
        self, spots: int, here: Tile, allowance: int, pace: SliceTimer
    ) -> Job[tuple[int, Leg | None]]:
        """The total of the best plan found from a state, and its first leg.

        Plans that only scan have the allowance that they are searched with where no one listens.
        """
        frame, planner = self.planner.frame, self.planner
        less = allowance - search_effort(planner, allowance)
        frame.write(self._set, array("Q", [spots]))
        frame.call("scan_listen_start", self.state, self._set, *pack_tile(here), allowance, less)
        while not frame.call("scan_listen_run", self.state, pace.rows(1 << 20)):
            pace.took()
            yield Progress(0, None, "searching runs")
        pace.took()
        total = frame.call(
            "scan_listen_value", self.state, self._scan, self._groups, MOST_SPOTS, self._count
        )
        action = planner.read_action(self._scan)
        count = frame.get(self._count, "i", 1)[0]
        if count:
            return total, self._run(spots, here, action.tile, count)
        exact = planner.least(spots, here, total)
        if exact is not None and exact[1] is not None:
            total, action = exact[0], exact[1]
        return total, None if action.at[0] == NOWHERE else scan_leg(planner, spots, here, action)

    def plan(
        self, spots: int, here: Tile, plain: Plan, effort: int, *, whole: bool = True
    ) -> Job[RunPlan]:
        """The better of a plan over runs from a state and of `plain`, which only scans.

        In the states that `plain` comes to, it goes on by runs where that is better.
        """
        planner, pace = self.planner, SliceTimer(first=16)
        root = yield from self._build(spots, here, effort, pace)
        if root is None or plain.tree is None:
            return as_run_plan(planner, plain)
        found = RunPlan(root, cost_of(planner, root))
        improved = legs_from_tree(planner, plain.tree)
        more = [improved]
        while more:
            for heard in more.pop().heard:
                if heard.then is None or heard.spots.bit_count() < 2:
                    continue
                runs = yield from self._build(heard.spots, heard.at, effort, pace)
                scans = cost_of(planner, heard.then).ticks
                if runs is not None and cost_of(planner, runs).ticks < scans:
                    heard.then = runs
                else:
                    more.append(heard.then)
        mixed = RunPlan(improved, cost_of(planner, improved))
        best = min([found, mixed] if whole else [mixed], key=lambda plan: plan.cost.ticks)
        return best if best.cost.ticks < plain.cost.ticks else as_run_plan(planner, plain)

    def _build(self, spots: int, here: Tile, effort: int, pace: SliceTimer) -> Job[Leg | None]:
        """The legs that the search finds from a state; None where there is nothing to ask."""
        root = (yield from self.first(spots, here, effort, pace))[1]
        stack, done, total = [] if root is None else [root], 0, spots.bit_count()
        while stack:
            leg = stack.pop()
            for heard in leg.heard:
                if not heard.open:
                    done += heard.spots.bit_count()
                    continue
                heard.then = (yield from self.first(heard.spots, heard.at, effort, pace))[1]
                if heard.then is not None:
                    stack.append(heard.then)
            yield Progress(done, total, "building the route")
        return root

    def _run(self, spots: int, here: Tile, tile: Tile, count: int) -> Leg:
        data = bytes(self.planner.frame.get(self._groups, "B", count * _GROUP.size))
        heard = []
        for left, ticks, _bound, x, y, mask, silent, first, last in _GROUP.iter_unpack(data):
            pulses = tuple(p for p in PULSES if mask >> p - 1 & 1)
            seen = None if silent else (first, last)
            at = (x, y, *here[2:])
            heard.append(
                RunOutcome(str(pulses[0]), at, ticks, left, silent == 1, None, seen, pulses)
            )
        places = self.planner.run_places(here, tile)
        since = first_difference(self.planner, spots, places)
        return Leg(here, tile, True, heard, since, places)


def scan_leg(planner: Planner, spots: int, here: Tile, action: Action) -> Leg:
    """A leg that scans at its end; nothing follows yet."""
    return _of_node(planner, first_step(planner, spots, here, action))


def _of_node(planner: Planner, node: Node) -> Leg:
    ticks = node.walk + planner.stop
    heard = [RunOutcome(name, node.at, ticks, left, True) for name, left in node.answers.items()]
    return Leg(node.here, node.tile, False, heard)


def legs_from_tree(planner: Planner, node: Node) -> Leg:
    """A tree without listening, as legs."""
    leg = _of_node(planner, node)
    for heard in leg.heard:
        if heard.name in node.children:
            heard.then = legs_from_tree(planner, node.children[heard.name])
    return leg


def listening_plan(
    planner: Planner, here: Tile, plain: Plan, effort: int, reaction: int, *, whole: bool
) -> Job[RunPlan]:
    """The better of a plan over runs and of `plain`, the plan that only scans.

    Without `whole` runs take the place of steps of `plain` only.

    That is the plan for more than 64 spots, whose runs are not searched. With teleports a search
    on foot is made as well, which takes them by chance.
    """
    if plain.tree is None:
        return RunPlan(None, plain.cost)
    if planner.wide:
        return as_run_plan(planner, plain)
    listener = RunSearch(planner, reaction)
    found = yield from listener.plan(planner.everything, here, plain, effort, whole=whole)
    if not planner.teleports:
        return found
    planner.use_teleports(False)
    listener.begin()
    runs = yield from listener.plan(planner.everything, here, plain, effort, whole=whole)
    planner.use_teleports(True)
    if runs.leg is not None:
        _measure(planner, runs.leg)
        runs = RunPlan(runs.leg, cost_of(planner, runs.leg))
    return runs if runs.cost.ticks < found.cost.ticks else found


def _measure(planner: Planner, root: Leg) -> None:
    """Say anew what the walks of a plan's scans take; its runs stay on foot."""
    stack = [root]
    while stack:
        leg = stack.pop()
        if not leg.listens:
            ticks = planner.walk_ticks(leg.here, leg.tile) + planner.stop
            for heard in leg.heard:
                heard.ticks = ticks
        stack.extend(heard.then for heard in leg.heard if heard.then is not None)


def as_run_plan(planner: Planner, plan: Plan) -> RunPlan:
    """A plan that only scans, as legs."""
    return RunPlan(None if plan.tree is None else legs_from_tree(planner, plan.tree), plan.cost)


def cost_of(planner: Planner, root: Leg) -> Cost:
    """What a plan over runs costs; scans are counted where one is made."""
    ticks = worst = scans = 0
    stack = [(root, 0, 0)]
    while stack:
        leg, spent, made = stack.pop()
        for heard in leg.heard:
            now, scanned = spent + heard.ticks, made + heard.silent
            if heard.then is not None:
                stack.append((heard.then, now, scanned))
                continue
            left = planner.ticks_from(heard.at)
            for j in bit_indices(heard.spots):
                ticks += now + left[j]
                worst = max(worst, now + left[j])
                scans += scanned
    return Cost(ticks, worst, scans)


def legs_to_json(
    planner: Planner, root: Leg | None, kit: Abilities = BARE
) -> tuple[dict[str, Any], Cost]:
    """The plan as JSON values, `answers` where a leg scans and `heard` where it runs, and its cost.

    Abilities are used on the walks to scans and to dig; runs are on foot, so that all is heard.
    """
    ends = PlanEnds(planner, kit)

    def written(
        leg: Leg | None, spots: int, at: Tile, ready: Ready, spent: int, scans: int
    ) -> dict[str, Any]:
        if leg is None:
            return ends.end(spots, at, ready, spent, scans)
        out: dict[str, Any] = {"tile": list(leg.tile)}
        if leg.listens:
            out["walk_ticks"], gone = run_ticks(leg), Path(0, (), ready)
            if leg.since is not None:
                out["from"] = leg.since
            if planner.walled:
                out["path"] = [list(place) for place in leg.places]
        else:
            gone = path_to(planner, leg.here, leg.tile, kit, ready)
            out.update(walk_ticks=gone.ticks, **uses_to_json(gone))
            if room := planner.room(leg.tile, spots):
                out["room"] = room
        after = []
        for heard in leg.heard:
            more = heard.ticks if leg.listens else gone.ticks + planner.stop
            then = gone.after(heard.ticks if leg.listens else planner.stop)
            after.append(
                written(heard.then, heard.spots, heard.at, then, spent + more, scans + heard.silent)
            )
        if leg.listens:
            out["heard"] = [
                {**msgspec.to_builtins(change_of(planner, leg, h)), "then": then}
                for h, then in zip(leg.heard, after, strict=True)
            ]
        else:
            out["answers"] = {h.name: t for h, t in zip(leg.heard, after, strict=True)}
        return out

    tree = written(root, planner.everything, planner.scene.start, kit.full, 0, 0)
    return tree, ends.cost
