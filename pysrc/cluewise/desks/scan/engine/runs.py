"""Runs on which the pulse is watched: their outcomes, and plans over runs.

The display is renewed every two ticks, and the player reports a change up to `reaction` ticks
later; spots whose reports can be the same are one outcome. Without a report the player scans at the
end of the run. Runs stay on one level: stairs are used on walks to scans only. In every state, and
for the whole plan, the plan that only scans is returned if it is better.
"""

from __future__ import annotations

from array import array
from typing import Literal

from cluewise.core.conflict import bit_indices
from cluewise.core.work import Job, Progress, SliceTimer
from cluewise.desks.scan.engine.best_plan import (
    Plan,
    best_plan,
    choose_shorter,
    price_plan,
    remeasure,
    search_effort,
)
from cluewise.desks.scan.engine.decision_tree import Node, Outcome, build_tree, cost, first_step
from cluewise.desks.scan.engine.planner import NOWHERE, Planner, Tile, pack_tile
from cluewise.desks.scan.position import Observation
from cluewise.desks.scan.results import Change, PlanOptions
from cluewise.desks.scan.scene import pulse
from cluewise.kernel.layouts import SCAN

_TABLE_BITS = 15


def make_run(planner: Planner, spots: int, here: Tile, tile: Tile, reaction: int) -> Node:
    """Return a run from `here` to a tile with its outcomes; none if no walk leads there.

    The kernel's search computes the same, but skips runs with outcomes that the log cannot express.
    """
    reach, places = planner.scene.reach, planner.run_places(here, tile)
    ticks = len(places) - 1
    run = Node(here, tile, tile, ticks, spots, [], True, True, None, places)
    if not places:
        return run
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
    outcomes = [
        Outcome("3", places[seen[1]], seen[1], left, False, None, seen, (3,))
        for seen, left in sorted(arrows.items())
    ]
    end = late
    for left in _joined(shown, reaction):
        if left & late:
            end |= left
            continue
        reports = [report for j in bit_indices(left) for report in shown[j]]
        seen = min(t for t, _ in reports), max(t for t, _ in reports) + reaction
        names = tuple(sorted({name for _, name in reports}))
        outcome = Outcome(str(names[0]), places[seen[1]], seen[1], left, False, None, seen, names)
        outcomes.append(outcome)
    outcomes.sort(key=lambda h: h.seen or (0, 0))
    alone = bool(outcomes) and not end & (end - 1)  # certain after the last possible report
    spent = max(h.ticks for h in outcomes) if alone else ticks + planner.stop
    at = places[spent] if alone else tile
    for name, left in planner.answers(at, end, with_levels=False).items():
        outcomes.append(Outcome(name, at, spent, left, not alone, None, None, (int(name),)))
    run.outcomes, run.since = outcomes, since
    return run


def _since(pulses: dict[int, list[Literal[1, 2, 3]]]) -> int | None:
    """Return the first tick from 1 on at which pulses differ, if they differ at the start.

    >>> _since({0: [1, 1, 1], 1: [1, 2, 2]}), _since({0: [1, 2, 1], 1: [2, 2, 2]})
    (None, 2)
    """
    columns = [len(set(column)) > 1 for column in zip(*pulses.values(), strict=True)]
    if not columns[0]:
        return None
    return next((tick for tick, differ in enumerate(columns) if tick and differ), len(columns))


def _shown(pulses: list[Literal[1, 2, 3]], since: int | None) -> list[tuple[int, int]]:
    """Return for each phase of the display the tick and pulse of its first change, or (0, 0).

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
    """Return the sets of spots connected by possible common reports other than triples."""
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


def rows_of(planner: Planner, run: Node, outcome: Outcome) -> list[Observation]:
    """Return the rows of the log that an outcome of a run implies.

    Each row is a pulse that all spots of the outcome give at a tile passed; in a planned run the
    last one is at the tile where the plan continues. The rows exclude every other spot that some
    tile distinguishes.
    """
    reach, floor = planner.scene.reach, planner.scene.floor
    own = [planner.spots[j] for j in bit_indices(outcome.spots)]
    last = outcome.ticks - planner.stop * outcome.scanned
    places = run.places[: last + 1]
    agreed = {
        tick: name
        for tick, at in enumerate(places)
        if len({name := pulse(at, spot, reach) for spot in own}) == 1 and tick
    }
    if not agreed:
        return []
    rows = [max(agreed)]
    for other in run.outcomes:
        for j in bit_indices(other.spots if other is not outcome else 0):
            gives = {tick: pulse(places[tick], planner.spots[j], reach) for tick in agreed}
            if not any(gives[tick] != agreed[tick] for tick in rows):
                rows += [tick for tick in agreed if gives[tick] != agreed[tick]][-1:]
    towards = run.tile[0], run.tile[1]
    return [
        Observation(
            pulse=agreed[tick],
            at=(*places[tick], floor)[:3],
            towards=towards,
            in_passing=not (outcome.scanned and tick == last),
        )
        for tick in sorted(rows)
    ]


def log_run(planner: Planner, run: Node, outcome: Outcome, spot: int) -> list[Observation]:
    """Return `rows_of` an outcome, and the pulse of bit `spot` at its tile if no row is there."""
    rows, at = rows_of(planner, run, outcome), (*outcome.at, planner.scene.floor)[:3]
    if rows and rows[-1].at == at:
        return rows
    name = pulse(outcome.at, planner.spots[spot], planner.scene.reach)
    towards = run.tile[0], run.tile[1]
    return [*rows, Observation(pulse=name, at=at, towards=towards, in_passing=True)]


def change_of(planner: Planner, run: Node, outcome: Outcome) -> Change:
    """Return an outcome of a run as a result, for `changes` and `heard`."""
    return Change(
        at=list(outcome.at),
        ticks=outcome.ticks,
        pulse=int(outcome.name),
        silent=outcome.scanned,
        leaves=outcome.spots.bit_count(),
        rows=rows_of(planner, run, outcome),
        seen=list(outcome.seen) if outcome.seen else None,
        pulses=list(outcome.pulses) if len(outcome.pulses) > 1 else None,
    )


# ---- plans over runs ----------------------------------------------------------------------


class RunSearch:
    """The kernel's search over runs for a planner of up to 64 spots."""

    def __init__(self, planner: Planner, reaction: int) -> None:
        frame = planner.frame
        self.planner, self.reaction = planner, reaction
        self.state = frame.reserve(frame.call("scan_listen_bytes"))
        self.table = frame.reserve(SCAN.SCAN_KNOWN_ENTRY << _TABLE_BITS)
        self._set, self._runs = frame.reserve(8), frame.reserve(4)
        self._step = frame.reserve(SCAN.ScanAction)
        self.begin()

    def begin(self) -> None:
        """Set up the kernel's search for the current plan."""
        self.planner.start_run_search(self.state, self.table, _TABLE_BITS, self.reaction)

    def first(
        self, spots: int, here: Tile, allowance: int, pace: SliceTimer
    ) -> Job[tuple[int, Node | None]]:
        """Return the total of the best plan found from a state, and its first step.

        Plans that only scan are searched with the same allowance as without `listen`.
        """
        frame, planner = self.planner.frame, self.planner
        less = allowance - search_effort(planner, allowance)
        frame.write(self._set, array("Q", [spots]))
        frame.call("scan_listen_start", self.state, self._set, *pack_tile(here), allowance, less)
        while not frame.call("scan_listen_run", self.state, pace.rows(1 << 20)):
            pace.took()
            yield Progress(0, None, "searching runs")
        pace.took()
        total = frame.call("scan_listen_value", self.state, self._step, self._runs)
        action = planner.read_action(self._step)
        if frame.get(self._runs, "i", 1)[0]:
            return total, make_run(planner, spots, here, action.tile, self.reaction)
        exact = planner.solve_exactly(spots, here, total)
        if exact is not None and exact[1] is not None:
            total, action = exact[0], exact[1]
        return total, None if action.at[0] == NOWHERE else first_step(planner, spots, here, action)

    def plan(
        self, spots: int, here: Tile, plain: Plan, effort: int, *, whole: bool = True
    ) -> Job[Plan]:
        """Return the best of a plan over runs, `plain` (scans only), and `plain` with runs where
        they are better.
        """
        planner, pace = self.planner, SliceTimer(first=16)
        tree = yield from self._build(spots, here, effort, pace)
        if tree is None or plain.tree is None:
            return plain
        found = Plan(tree, cost(planner, tree, spots, here))
        improved = plain.tree.copy()
        more = [improved]
        while more:
            for one in more.pop().outcomes:
                if one.then is None or one.spots.bit_count() < 2:
                    continue
                runs = yield from self._build(one.spots, one.at, effort, pace)
                scans = cost(planner, one.then, one.spots, one.at).ticks
                if runs is not None and cost(planner, runs, one.spots, one.at).ticks < scans:
                    one.then = runs
                else:
                    more.append(one.then)
        mixed = Plan(improved, cost(planner, improved, spots, here))
        best = choose_shorter(found, mixed) if whole else mixed
        return choose_shorter(plain, best)

    def _build(self, spots: int, here: Tile, effort: int, pace: SliceTimer) -> Job[Node | None]:
        """Build the searched tree from a state; None if no step helps."""

        def step(left: int, at: Tile) -> Job[Node | None]:
            return (yield from self.first(left, at, effort, pace))[1]

        return (yield from build_tree(step, spots, here, "building the route"))


def make_plan(planner: Planner, here: Tile, options: PlanOptions, effort: int) -> Job[Plan]:
    """Return the plan for the options of `next` and `route`.

    With `listen` the better of a plan of scans and a plan over runs. Except for the policy
    `search`, runs only replace steps of the former; for more than 64 spots they are not searched.
    With teleports, a plan searched without them and priced with them is a candidate.
    """
    plain = yield from best_plan(planner, here, options.policy, effort)
    if not options.listen or plain.tree is None or planner.is_wide:
        return plain
    everything, whole = planner.everything, options.policy == "search"
    listener = RunSearch(planner, options.reaction)
    found = yield from listener.plan(everything, here, plain, effort, whole=whole)
    if not planner.teleports:
        return found
    planner.use_teleports(False)
    listener.begin()
    runs = yield from listener.plan(everything, here, plain, effort, whole=whole)
    planner.use_teleports(True)
    if runs.tree is not None and runs is not plain:
        runs = price_plan(planner, here, remeasure(planner, runs.tree, here))
    return choose_shorter(found, runs)
