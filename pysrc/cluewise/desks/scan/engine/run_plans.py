"""Plans over runs: trees in which an answer comes where it is first heard.

A run goes to a tile; who hears the pulse change stops there, who has heard none at its end scans.
With stairs a run stays on its level: they are climbed on walks to scans.
Every state keeps the plan that only scans where that is better, and so does the whole.
"""

from __future__ import annotations

import struct
from array import array
from dataclasses import dataclass
from typing import Any, Literal

import msgspec

from cluewise.core.conflict import bit_indices
from cluewise.core.work import Job, Progress, SliceTimer
from cluewise.desks.scan.engine.best_plan import Plan, search_effort
from cluewise.desks.scan.engine.decision_tree import Cost, Node, first_step, leaf_at
from cluewise.desks.scan.engine.movement import path_to, uses_to_json
from cluewise.desks.scan.engine.planner import MOST_SPOTS, NOWHERE, Action, Planner, Tile, pack_tile
from cluewise.desks.scan.position import Observation
from cluewise.desks.scan.scene import pulse
from cluewise.kernel.layouts import SCAN

_GROUP = struct.Struct(SCAN.ScanGroup_FORMAT)
_TABLE_BITS = 15
_PULSES: dict[int, Literal[1, 2, 3]] = {1: 1, 2: 2, 3: 3}


@dataclass(slots=True)
class RunOutcome:
    """What decides on a run: the pulse at a tile, ticks after its start, and what it leaves.

    `silent`: no change was heard up to there, so a scan is made, its ticks included.
    """

    name: str
    at: Tile
    ticks: int
    spots: int
    silent: bool
    then: Leg | None = None

    @property
    def open(self) -> bool:
        """Whether something is left to ask."""
        return self.name[0] != "3" and self.spots.bit_count() > 1


@dataclass(slots=True)
class Leg:
    """A walk from `here` towards `tile`; with `listens` a run, else a scan at its end."""

    here: Tile
    tile: Tile
    listens: bool
    heard: list[RunOutcome]


@dataclass(frozen=True, slots=True)
class RunPlan:
    """A listening plan and its cost; `leg` is None where there is nothing to ask."""

    leg: Leg | None
    cost: Cost


class RunSearch:
    """The kernel's search over runs for a planner of up to 64 spots without walls."""

    def __init__(self, planner: Planner) -> None:
        frame = planner.frame
        self.planner = planner
        self.state = frame.reserve(frame.call("scan_listen_bytes"))
        self.table = frame.reserve(SCAN.SCAN_KNOWN_ENTRY << _TABLE_BITS)
        self._set, self._count = frame.reserve(8), frame.reserve(4)
        self._scan = frame.reserve(SCAN.ScanAction)
        self._groups = frame.reserve(_GROUP.size * MOST_SPOTS)
        planner.begin_listening(self.state, self.table, _TABLE_BITS)

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
            return total, self._run(here, action.tile, count)
        exact = planner.least(spots, here, total)
        if exact is not None and exact[1] is not None:
            total, action = exact[0], exact[1]
        return total, None if action.at[0] == NOWHERE else scan_leg(planner, spots, here, action)

    def plan(self, spots: int, here: Tile, plain: Plan, effort: int) -> Job[RunPlan]:
        """The better of a plan over runs from a state and of `plain`, which only scans."""
        planner, pace = self.planner, SliceTimer(first=16)
        root = (yield from self.first(spots, here, effort, pace))[1]
        if root is None:
            return as_run_plan(planner, plain)
        stack, done, total = [root], 0, spots.bit_count()
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
        found = RunPlan(root, cost_of(planner, root))
        return found if found.cost.ticks < plain.cost.ticks else as_run_plan(planner, plain)

    def _run(self, here: Tile, tile: Tile, count: int) -> Leg:
        data = bytes(self.planner.frame.get(self._groups, "B", count * _GROUP.size))
        heard = []
        for spots, ticks, _bound, x, y, answer, silent in _GROUP.iter_unpack(data):
            heard.append(RunOutcome(str(answer), (x, y, *here[2:]), ticks, spots, bool(silent)))
        return Leg(here, tile, True, heard)


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


def along(here: Tile, tile: Tile, ticks: int) -> Tile:
    """Where a run is after some ticks, two tiles each: first diagonally, then straight on.

    >>> along((0, 0), (5, -20), 2), along((0, 0), (5, -20), 4)
    ((4, -4), (5, -8))
    """
    far = 2 * ticks
    dx, dy = tile[0] - here[0], tile[1] - here[1]
    return here[0] + max(-far, min(far, dx)), here[1] + max(-far, min(far, dy)), *here[2:]


def run_ticks(leg: Leg) -> int:
    """Ticks of a run as far as it goes where nothing is heard; a run is on foot."""
    dx, dy = leg.tile[0] - leg.here[0], leg.tile[1] - leg.here[1]
    return (max(abs(dx), abs(dy)) + 1) >> 1


def run_leg(planner: Planner, spots: int, here: Tile, tile: Tile) -> Leg:
    """A run from `here` to another tile, as the kernel's search has it, for any set of spots.

    While all spots give one pulse each is heard where its pulse first changes; who hears no
    change scans at the end. Where they differ at the start, all part at the first tile that
    distinguishes some of them.
    """
    first = planner.answers(here, spots, with_levels=False)
    heard: list[RunOutcome] = []
    quiet, ticks = spots, 0
    while quiet:
        ticks += 1
        at = along(here, tile, ticks)
        parts = planner.answers(at, quiet, with_levels=False)
        if len(first) > 1:
            if len(parts) == 1 and "3" not in parts and at != tile:
                continue
            return Leg(
                here, tile, True, [RunOutcome(p, at, ticks, s, False) for p, s in parts.items()]
            )
        heard += [RunOutcome(p, at, ticks, s, False) for p, s in parts.items() if p not in first]
        (unchanged,) = first
        quiet = parts.get(unchanged, 0)
        if quiet and (at == tile or not quiet & (quiet - 1)):
            heard.append(RunOutcome(unchanged, at, ticks + planner.stop, quiet, True))
            break
    return Leg(here, tile, True, heard)


def rows_of(planner: Planner, leg: Leg, heard: RunOutcome) -> list[Observation]:
    """What is known once this is heard on a run, as rows of the log that exclude the others.

    A spot that gives the same pulse at the end would have been heard earlier: where that was
    is a row of its own, with the pulse of the start.
    """
    floor, reach = planner.scene.floor, planner.scene.reach
    name = _PULSES[int(heard.name)]
    earlier = [
        other.at
        for other in leg.heard
        if other is not heard
        and any(pulse(heard.at, planner.spots[j], reach) == name for j in bit_indices(other.spots))
    ]
    before = pulse(leg.here, planner.spots[bit_indices(heard.spots)[0]], reach)
    towards = leg.tile[0], leg.tile[1]
    rows = [
        Observation(pulse=before, at=(*at, floor)[:3], towards=towards, in_passing=True)
        for at in dict.fromkeys(earlier)
    ]
    passing = not heard.silent
    return [
        *rows,
        Observation(pulse=name, at=(*heard.at, floor)[:3], towards=towards, in_passing=passing),
    ]


def listening_plan(planner: Planner, here: Tile, plain: Plan, effort: int) -> Job[RunPlan]:
    """The better of a plan over runs and of `plain`, the plan that only scans.

    That is the plan for more than 64 spots, whose runs are not searched. With teleports a search
    on foot is made as well, which takes them by chance.
    """
    if plain.tree is None:
        return RunPlan(None, plain.cost)
    if planner.wide:
        return as_run_plan(planner, plain)
    listener = RunSearch(planner)
    found = yield from listener.plan(planner.everything, here, plain, effort)
    if not planner.teleports:
        return found
    planner.use_teleports(False)
    planner.begin_listening(listener.state, listener.table, _TABLE_BITS)
    runs = yield from listener.plan(planner.everything, here, plain, effort)
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


def legs_to_json(planner: Planner, leg: Leg) -> dict[str, Any]:
    """The plan as JSON values: `answers` where a leg scans, `heard` where it runs."""
    after = [
        legs_to_json(planner, heard.then)
        if heard.then is not None
        else leaf_at(planner, heard.spots, heard.at)
        for heard in leg.heard
    ]
    out: dict[str, Any] = {"tile": list(leg.tile), "walk_ticks": run_ticks(leg)}
    if not leg.listens:
        gone = path_to(planner, leg.here, leg.tile)
        out.update({"walk_ticks": gone.ticks, **uses_to_json(gone)})
        out["answers"] = {h.name: then for h, then in zip(leg.heard, after, strict=True)}
        return out
    out["heard"] = [
        {
            "at": list(h.at),
            "ticks": h.ticks,
            "pulse": int(h.name),
            "silent": h.silent,
            "rows": msgspec.to_builtins(rows_of(planner, leg, h)),
            "then": then,
        }
        for h, then in zip(leg.heard, after, strict=True)
    ]
    return out
