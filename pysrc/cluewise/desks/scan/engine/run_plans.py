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
from typing import Any, Literal

import msgspec

from cluewise.core.conflict import bit_indices
from cluewise.core.work import Job, Progress, SliceTimer
from cluewise.desks.scan.engine.best_plan import Plan, search_effort
from cluewise.desks.scan.engine.decision_tree import Cost, Node, first_step, leaf_at
from cluewise.desks.scan.engine.movement import path_to, uses_to_json
from cluewise.desks.scan.engine.planner import MOST_SPOTS, NOWHERE, Action, Planner, Tile, pack_tile
from cluewise.desks.scan.position import Observation
from cluewise.desks.scan.results import Change
from cluewise.desks.scan.scene import pulse
from cluewise.kernel.layouts import SCAN

_GROUP = struct.Struct(SCAN.ScanGroup_FORMAT)
_TABLE_BITS = 15
_PULSES: dict[int, Literal[1, 2, 3]] = {1: 1, 2: 2, 3: 3}


@dataclass(slots=True)
class RunOutcome:
    """An answer: where one goes on, ticks after the start of the way, and the spots it leaves.

    `silent`: no change was reported, so a scan is made, its ticks included. `name` is the answer
    of the scan, or the pulse of a run, the pulse reported first where there are several `pulses`.
    `seen` are the first and the last tick of the run at which it is reported.
    """

    name: str
    at: Tile
    ticks: int
    spots: int
    silent: bool
    then: Leg | None = None
    seen: tuple[int, int] | None = None
    pulses: tuple[int, ...] = ()

    @property
    def open(self) -> bool:
        """Whether something is left to ask."""
        named = self.name[0] == "3" and len(self.pulses) < 2
        return not named and self.spots.bit_count() > 1


@dataclass(slots=True)
class Leg:
    """A walk from `here` towards `tile`; with `listens` a run, else a scan at its end.

    `since`: the tick from which a run is watched, where the pulse at its start is not known.
    """

    here: Tile
    tile: Tile
    listens: bool
    heard: list[RunOutcome]
    since: int | None = None


@dataclass(frozen=True, slots=True)
class RunPlan:
    """A listening plan and its cost; `leg` is None where there is nothing to ask."""

    leg: Leg | None
    cost: Cost


class RunSearch:
    """The kernel's search over runs for a planner of up to 64 spots without walls."""

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

    def plan(self, spots: int, here: Tile, plain: Plan, effort: int) -> Job[RunPlan]:
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
        best = min(found, mixed, key=lambda plan: plan.cost.ticks)
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
            pulses = tuple(p for p in _PULSES if mask >> p - 1 & 1)
            seen = None if silent else (first, last)
            at = (x, y, *here[2:])
            heard.append(
                RunOutcome(str(pulses[0]), at, ticks, left, silent == 1, None, seen, pulses)
            )
        return Leg(here, tile, True, heard, _first_difference(self.planner, spots, here, tile))


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


def _ticks_between(here: Tile, tile: Tile) -> int:
    return (max(abs(tile[0] - here[0]), abs(tile[1] - here[1])) + 1) >> 1


def run_ticks(leg: Leg) -> int:
    """Ticks of a run as far as it goes where nothing is heard; a run is on foot."""
    return _ticks_between(leg.here, leg.tile)


def _first_difference(planner: Planner, spots: int, here: Tile, tile: Tile) -> int | None:
    """The first tick at which pulses differ that differ at the start of a run; else None."""
    reach, left = planner.scene.reach, [planner.spots[j] for j in bit_indices(spots)]
    for ticks in range(_ticks_between(here, tile) + 1):
        at = along(here, tile, ticks)
        if len({pulse(at, spot, reach) for spot in left}) > 1:
            return max(1, ticks) if len({pulse(here, s, reach) for s in left}) > 1 else None
    return None


def run_leg(planner: Planner, spots: int, here: Tile, tile: Tile, reaction: int) -> Leg:
    """A run from `here` to another tile, for any set of spots.

    The kernel's search has the same, and leaves out runs with answers that the log cannot hold.
    """
    reach, ticks = planner.scene.reach, _ticks_between(here, tile)
    places = [along(here, tile, tick) for tick in range(ticks + 1)]
    numbers = bit_indices(spots)
    pulses = {j: [pulse(at, planner.spots[j], reach) for at in places] for j in numbers}
    since = _since(pulses)
    shown = {j: _shown(pulses[j], since) for j in numbers}
    late, arrows = 0, dict[tuple[int, int], int]()
    for j, ((a, x), (b, y)) in shown.items():
        if not (a and b) or max(a, b) + reaction >= ticks:
            late |= 1 << j
        elif x == y == 3:
            seen = min(a, b), max(a, b) + reaction
            arrows[seen] = arrows.get(seen, 0) | 1 << j
    heard = [
        RunOutcome("3", places[seen[1]], seen[1], left, False, None, seen, (3,))
        for seen, left in arrows.items()
    ]
    end = late
    for left in _joined(shown, reaction):
        if left & late:
            end |= left
            continue
        reports = [report for j in bit_indices(left) for report in shown[j]]
        seen = min(t for t, _ in reports), max(t for t, _ in reports) + reaction
        names = tuple(sorted({name for _, name in reports}))
        outcome = RunOutcome(
            str(names[0]), places[seen[1]], seen[1], left, False, None, seen, names
        )
        heard.append(outcome)
    heard.sort(key=lambda h: (h.seen or (0, 0), h.spots))
    alone = bool(heard) and not end & (end - 1)  # known once nothing else can be reported
    spent = max(h.ticks for h in heard) if alone else ticks + planner.stop
    at = places[spent] if alone else tile
    for name, left in planner.answers(at, end, with_levels=False).items():
        heard.append(RunOutcome(name, at, spent, left, not alone, None, None, (int(name),)))
    return Leg(here, tile, True, heard, since)


def _since(pulses: dict[int, list[Literal[1, 2, 3]]]) -> int | None:
    """The first tick from 1 on at which spots differ that differ at the start; else None.

    >>> _since({0: [1, 1, 1], 1: [1, 2, 2]}), _since({0: [1, 2, 1], 1: [2, 2, 2]})
    (None, 2)
    """
    columns = [len(set(column)) > 1 for column in zip(*pulses.values(), strict=True)]
    if not columns[0]:
        return None
    return next((tick for tick, differ in enumerate(columns) if tick and differ), len(columns))


def _shown(pulses: list[Literal[1, 2, 3]], since: int | None) -> list[tuple[int, int]]:
    """For each phase of the display the tick of the first change shown and its pulse, or (0, 0).

    >>> _shown([1, 1, 2, 2, 2], None), _shown([1, 2, 1, 1], None)
    ([(2, 2), (3, 2)], [(0, 0), (1, 2)])
    """
    found = []
    for phase in (0, 1):
        ticks = range(phase or 2, len(pulses), 2)
        changes = (
            (t, pulses[t])
            for t in ticks
            if (pulses[t] != pulses[0] if since is None else t >= since)
        )
        found.append(next(changes, (0, 0)))
    return found


def _joined(shown: dict[int, list[tuple[int, int]]], reaction: int) -> list[int]:
    """The sets of spots with reports in common, of those that have one other than a triple."""
    joined: list[int] = []
    for name in (1, 2):
        ticks = sorted({t for reports in shown.values() for t, p in reports if t and p == name})
        chains: list[list[int]] = []
        for tick in ticks:
            if chains and tick - chains[-1][-1] <= reaction:
                chains[-1].append(tick)
            else:
                chains.append([tick])
        for chain in chains:
            left = sum(
                1 << j for j, reports in shown.items() if any((t, name) in reports for t in chain)
            )
            left |= sum(other for other in joined if other & left) & ~left
            joined = [other for other in joined if not other & left] + [left]
    return joined


def rows_of(planner: Planner, leg: Leg, heard: RunOutcome) -> list[Observation]:
    """What is sure once an answer is heard on a run, as rows of the log.

    Each row is a pulse that all its spots give at a tile passed; the last row of a run of a plan is
    where one goes on. The rows exclude the other spots as far as a tile parts them from these.
    """
    reach, floor = planner.scene.reach, planner.scene.floor
    own = [planner.spots[j] for j in bit_indices(heard.spots)]
    last = heard.ticks - planner.stop * heard.silent
    places = [along(leg.here, leg.tile, tick) for tick in range(last + 1)]
    agreed = {
        tick: name
        for tick, at in enumerate(places)
        if len({name := pulse(at, spot, reach) for spot in own}) == 1 and tick
    }
    if not agreed:
        return []
    rows = [max(agreed)]
    for other in leg.heard:
        for j in bit_indices(other.spots if other is not heard else 0):
            gives = {tick: pulse(places[tick], planner.spots[j], reach) for tick in agreed}
            if not any(gives[tick] != agreed[tick] for tick in rows):
                rows += [tick for tick in agreed if gives[tick] != agreed[tick]][-1:]
    towards = leg.tile[0], leg.tile[1]
    return [
        Observation(
            pulse=agreed[tick],
            at=(*places[tick], floor)[:3],
            towards=towards,
            in_passing=not (heard.silent and tick == last),
        )
        for tick in sorted(rows)
    ]


def listening_plan(
    planner: Planner, here: Tile, plain: Plan, effort: int, reaction: int
) -> Job[RunPlan]:
    """The better of a plan over runs and of `plain`, the plan that only scans.

    That is the plan for more than 64 spots, whose runs are not searched. With teleports a search
    on foot is made as well, which takes them by chance.
    """
    if plain.tree is None:
        return RunPlan(None, plain.cost)
    if planner.wide:
        return as_run_plan(planner, plain)
    listener = RunSearch(planner, reaction)
    found = yield from listener.plan(planner.everything, here, plain, effort)
    if not planner.teleports:
        return found
    planner.use_teleports(False)
    listener.begin()
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
    if leg.since is not None:
        out["from"] = leg.since
    out["heard"] = [
        {**msgspec.to_builtins(change_of(planner, leg, h)), "then": then}
        for h, then in zip(leg.heard, after, strict=True)
    ]
    return out


def change_of(planner: Planner, leg: Leg, heard: RunOutcome) -> Change:
    """An answer of a run as `changes` and `heard` have it."""
    return Change(
        at=list(heard.at),
        ticks=heard.ticks,
        pulse=int(heard.name),
        silent=heard.silent,
        leaves=heard.spots.bit_count(),
        rows=rows_of(planner, leg, heard),
        seen=list(heard.seen) if heard.seen else None,
        pulses=list(heard.pulses) if len(heard.pulses) > 1 else None,
    )
