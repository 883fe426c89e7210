"""Runs with the pulse watched: what is displayed and reported, and what the log holds of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from cluewise.core.conflict import bit_indices
from cluewise.desks.scan.engine.planner import Planner, Tile
from cluewise.desks.scan.position import Observation
from cluewise.desks.scan.results import Change
from cluewise.desks.scan.scene import pulse

PULSES: dict[int, Literal[1, 2, 3]] = {1: 1, 2: 2, 3: 3}


@dataclass(slots=True)
class RunOutcome:
    """An answer: where one goes on, ticks after the start of the way, and the spots it leaves.

    `silent`: no change was reported, so a scan is made, its ticks included. `name` is the answer
    of the scan, or the pulse of a run, the lowest one where there are several `pulses`.
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
    places: list[Tile] = field(default_factory=list)
    """Of a run the tile at the end of each tick, the first of them `here`."""


def run_ticks(leg: Leg) -> int:
    """Ticks of a run as far as it goes where nothing is heard; a run is on foot."""
    return len(leg.places) - 1


def first_difference(planner: Planner, spots: int, places: list[Tile]) -> int | None:
    """The first tick at which pulses differ that differ at the start of a run; else None."""
    reach, left = planner.scene.reach, [planner.spots[j] for j in bit_indices(spots)]
    for ticks, at in enumerate(places):
        if len({pulse(at, spot, reach) for spot in left}) > 1:
            return max(1, ticks) if len({pulse(places[0], s, reach) for s in left}) > 1 else None
    return None


def run_leg(planner: Planner, spots: int, here: Tile, tile: Tile, reaction: int) -> Leg:
    """A run from `here` to another tile, for any set of spots; nothing is heard without a walk there.

    The kernel's search has the same, and leaves out runs with answers that the log cannot hold.
    """
    reach, places = planner.scene.reach, planner.run_places(here, tile)
    ticks = len(places) - 1
    if not places:
        return Leg(here, tile, True, [])
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
    return Leg(here, tile, True, heard, since, places)


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
    places = leg.places[: last + 1]
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


def log_run(planner: Planner, leg: Leg, heard: RunOutcome, spot: int) -> list[Observation]:
    """Return `rows_of` a run to bit `spot`, and its pulse at the end if no row is there."""
    rows, at = rows_of(planner, leg, heard), (*heard.at, planner.scene.floor)[:3]
    if rows and rows[-1].at == at:
        return rows
    name = pulse(heard.at, planner.spots[spot], planner.scene.reach)
    towards = leg.tile[0], leg.tile[1]
    return [*rows, Observation(pulse=name, at=at, towards=towards, in_passing=True)]


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
