"""Runs, report by report: what can be reported of each spot, and plans over runs walked."""

from itertools import product
from typing import Any, NamedTuple

from reference.scan import Spot, Tile, ticks_to_spot, walk_ticks
from reference.scan_route_replay import Answer, along, name

Report = tuple[int, int]
"""The pulse, and the tick of the run at which it is reported."""


class Part(NamedTuple):
    """An answer: where and when one goes on, by a scan or not, the spots, and the reports."""

    at: Tile
    ticks: int
    scanned: bool
    spots: frozenset[int]
    pulses: tuple[int, ...]
    seen: tuple[int, int] | None

    @property
    def key(self) -> tuple[object, ...]:
        """What names the answer in `heard`; triples shown at the same ticks are one entry."""
        return self.at, self.ticks, self.scanned, self.pulses, self.seen


def display(
    pulses: list[int], phase: int, reaction: int, known: int | None, first: int
) -> Report | None:
    """What a display that is renewed at every second tick first shows, reported after a time."""
    for tick in range(1, len(pulses)):
        renewed = tick % 2 == phase
        if renewed and (pulses[tick] != known if known else tick >= first):
            return pulses[tick], tick + reaction
    return None


def reports(
    spots: list[Spot], left: set[int], hear: Answer, places: list[Tile], reaction: int
) -> dict[int, dict[tuple[int, int], Report | None]]:
    """By spot, phase and reaction what is reported of a run, given its tile at each tick's end."""
    ticks = len(places) - 1
    pulses = {s: [hear(place, spots[s])[0] for place in places] for s in left}
    begin = {heard[0] for heard in pulses.values()}
    known = min(begin) if len(begin) == 1 else None
    apart = (t for t in range(1, ticks + 1) if len({heard[t] for heard in pulses.values()}) > 1)
    first = next(apart, ticks + 1)
    return {
        s: {
            (phase, late): display(pulses[s], phase, late, known, first)
            for phase, late in product((0, 1), range(reaction + 1))
        }
        for s in left
    }


def run(
    spots: list[Spot], left: set[int], hear: Answer, here: Tile, to: Tile, stop: int,
    reaction: int = 1, places: list[Tile] | None = None,
) -> set[Part]:  # fmt: skip
    """The answers of a run by the definition: spots that can be reported alike are one answer."""
    places = places or [along(here, to, t) for t in range(walk_ticks(here, to) + 1)]
    ticks = len(places) - 1
    by_spot = reports(spots, left, hear, places, reaction)
    arrow = {s for s in left if all(r is not None and r[0] == 3 for r in by_spot[s].values())}
    late = {s for s in left if any(r is None or r[1] >= ticks for r in by_spot[s].values())}
    groups = [{s} for s in left]
    for s, other in product(left - (arrow - late), repeat=2):
        if {r for r in by_spot[s].values() if r and r[0] != 3} & {*by_spot[other].values()}:
            mine = next(g for g in groups if s in g)
            its = next(g for g in groups if other in g)
            if mine is not its:
                groups.remove(its)
                mine |= its
    parts, quiet = set[Part](), set[int]()
    for group in groups:
        if group & late:
            quiet |= group
            continue
        heard = [r for s in group for r in by_spot[s].values() if r is not None]
        seen = min(t for _, t in heard), max(t for _, t in heard)
        pulses = tuple(sorted({p for p, _ in heard}))
        at = places[seen[1]]
        parts.add(Part(at, seen[1], False, frozenset(group), pulses, seen))
    if len(quiet) == 1 and parts:
        spent = max(part.ticks for part in parts)
        at = places[spent]
        pulse = hear(at, spots[min(quiet)])[0]
        return parts | {Part(at, spent, False, frozenset(quiet), (pulse,), None)}
    for pulse in (1, 2, 3):
        same = frozenset(s for s in quiet if hear(to, spots[s])[0] == pulse)
        if same:
            parts.add(Part(to, ticks + stop, True, same, (pulse,), None))
    return parts


def entry_key(entry: Any) -> tuple[object, ...]:
    """The key of an entry of `heard` or `changes`."""
    seen, pulses = entry.get("seen"), entry.get("pulses") or [entry["pulse"]]
    at = tuple(entry["at"])
    return at, entry["ticks"], entry["silent"], tuple(pulses), seen and tuple(seen)


class Runner:
    """Follows a plan over runs towards one spot and counts ticks and scans."""

    def __init__(
        self, spots: list[Spot], left: list[int], hear: Answer, stop: int, reaction: int = 1
    ) -> None:
        self.spots, self.left, self.hear, self.stop = spots, left, hear, stop
        self.reaction = reaction

    def walk(self, tree: Any, start: Tile, true: int) -> tuple[int, int]:
        """Ticks until within one tile of the spot, and the scans made."""
        at, ticks, scans, node, left = start, 0, 0, tree, set(self.left)
        if "dig" in node:  # one dig serves all spots
            place = (node["dig"][0], node["dig"][1])
            assert sorted(left) == sorted(node["spots"])
            assert all(ticks_to_spot(place, self.spots[s]) == 0 for s in left)
            return walk_ticks(at, place), 0
        named = False
        while "tile" in node:
            tile = (node["tile"][0], node["tile"][1])
            if "heard" in node:
                part, node = self.run(node, at, tile, left, true)
                at, ticks, scans = part.at, ticks + part.ticks, scans + part.scanned
                left, named = set(part.spots), part.pulses == (3,)
            else:
                ticks, at = ticks + walk_ticks(at, tile) + self.stop, tile
                scans += 1
                seen = self.hear(at, self.spots[true])
                left = {s for s in left if self.hear(at, self.spots[s]) == seen}
                node, named = node["answers"][name(seen)], seen[0] == 3
        known = [node["spot"]] if "spot" in node else node["spots"]
        assert left <= {*known}
        assert true in known
        assert len(left) == 1 or named
        return ticks + ticks_to_spot(at, self.spots[true]), scans

    def run(self, node: Any, here: Tile, tile: Tile, left: set[int], true: int) -> tuple[Part, Any]:
        """One run of the plan, as it goes for the true spot."""
        parts = run(self.spots, left, self.hear, here, tile, self.stop, self.reaction)
        by_part = {entry_key(entry): entry for entry in node["heard"]}
        assert {part.key for part in parts} == {*by_part}
        (part,) = (part for part in parts if true in part.spots)
        entry = by_part[part.key]
        places = [along(here, tile, t) for t in range(walk_ticks(here, tile) + 1)]
        by_spot = reports(self.spots, left, self.hear, places, self.reaction)[true]
        for report in by_spot.values():  # every report leads to this entry and to no other
            if report is None or report[0] == 3:
                continue
            found = [e for e in node["heard"] if report in part_reports(e)]
            assert found in ([entry], [] if part.seen is None else [entry])
        return part, entry["then"]


def part_reports(entry: Any) -> set[Report]:
    """The reports that an entry of `heard` names."""
    if not entry.get("seen"):
        return set()
    first, last = entry["seen"]
    pulses = entry.get("pulses") or [entry["pulse"]]
    return {(pulse, tick) for pulse in pulses for tick in range(first, last + 1)}
