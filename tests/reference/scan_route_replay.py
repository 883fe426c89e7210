"""Routes and runs walked literally for one true spot: tile by tile, pulse by pulse."""

import random
from collections import deque
from collections.abc import Callable, Sequence
from itertools import product
from typing import Any, NamedTuple

from reference.scan import Spot, Tile, answer, draw_apart, ticks_to_spot, walk_ticks

Answer = Callable[[Tile, Spot], tuple[int, bool]]


def layout(
    seed: int, sides: Sequence[int], reaches: Sequence[int]
) -> tuple[list[Spot], int, int, Tile]:
    """Drawn spots in a square of one of the sides, a range, what a stop costs, and a start."""
    r = random.Random(seed)
    side, count = r.choice(sides), r.choice([1, 2, 3, 5, 9, 16])
    spots: list[Spot] = draw_apart(lambda: (r.randint(0, side), r.randint(0, side), 0), count)
    start = (r.randint(-20, side + 20), r.randint(-20, side + 20))
    return spots, r.choice(reaches), r.choice([0, 1, 3, 6]), start


def along(here: Tile, to: Tile, ticks: int) -> Tile:
    """Where one is after some ticks of a walk: diagonal first, then straight."""

    def axis(a: int, b: int) -> int:
        return a + max(-2 * ticks, min(2 * ticks, b - a))

    return axis(here[0], to[0]), axis(here[1], to[1])


def name(seen: tuple[int, bool]) -> str:
    """The answer's key in a tree."""
    return f"{seen[0]}{'d' if seen[1] else ''}"


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


class Walker:
    """Follows a tree towards one spot and counts ticks and scans."""

    def __init__(
        self, spots: list[Spot], left: list[int], hear: Answer, on_the_way: bool, stop: int = 1
    ) -> None:
        self.spots, self.left, self.hear, self.on_the_way = spots, left, hear, on_the_way
        self.stop = stop

    def walk(self, tree: Any, start: Tile, true: int) -> tuple[int, int]:
        """Ticks until within one tile of the spot, and the scans made."""
        at, ticks, scans, node, left = start, 0, 0, tree, set(self.left)
        while "tile" in node or "dig" in node:
            if "dig" in node:
                place = (node["dig"][0], node["dig"][1])
                ticks += walk_ticks(at, place)
                assert all(ticks_to_spot(place, self.spots[s]) == 0 for s in node["spots"])
                if true in node["spots"]:
                    assert "else" in node or sorted(left) == sorted(node["spots"])
                    return ticks, scans
                ticks, at, left = ticks + self.stop, place, left - set(node["spots"])
                node = node["else"]
                continue
            leg, node = self.leg(node, at, left, true)
            at, ticks, scans, left = leg.at, ticks + leg.ticks, scans + leg.scanned, {*leg.spots}
            if leg.pulses == (3,):  # the arrow shows the spot
                break
        known = [node["spot"]] if "spot" in node else node["spots"]
        self.check_end(left, known)
        assert true in known
        return ticks + ticks_to_spot(at, self.spots[true]), scans

    def check_end(self, left: set[int], known: list[int]) -> None:
        """Check the spots at the end of a plan."""
        assert sorted(left) == sorted(known)

    def leg(self, node: Any, at: Tile, left: set[int], true: int) -> tuple[Part, Any]:
        """The next answer of the plan, as it is for the true spot, and what follows."""
        tile = (node["tile"][0], node["tile"][1])
        stop = tuple(node.get("at", tile))
        spent = self.until_news(at, tile, left) if "at" in node else None
        assert self.on_the_way or spent is None
        assert stop == (tile if spent is None else along(at, tile, spent))
        ticks = walk_ticks(at, tile) + self.stop if spent is None else spent
        at = (stop[0], stop[1])
        seen = self.hear(at, self.spots[true])
        same = frozenset(s for s in left if self.hear(at, self.spots[s]) == seen)
        part = Part(at, ticks, spent is None, same, (seen[0],), None)
        return part, node["answers"][name(seen)]

    def until_news(self, here: Tile, tile: Tile, left: set[int]) -> int | None:
        """The tick of the first pulse on the way that distinguishes some spots."""
        for tick in range(2, walk_ticks(here, tile), 2):
            place = along(here, tile, tick)
            heard = {self.hear(place, self.spots[s]) for s in left}
            if len(heard) > 1 or next(iter(heard))[0] == 3:
                return tick
        return None


def listener(reach: int, floor: int, with_levels: bool) -> Answer:
    """What is heard at a tile for a spot, by the rule."""
    return lambda tile, spot: answer(tile, spot, reach, floor, with_levels)


def distances(
    start: list[Tile], walls: set[Tile], box: tuple[int, int, int, int]
) -> dict[Tile, int]:
    """Steps from the start tiles in eight directions, not past the corner of a wall."""
    x0, y0, x1, y1 = box

    def free(tile: Tile) -> bool:
        return x0 <= tile[0] <= x1 and y0 <= tile[1] <= y1 and tile not in walls

    found, queue = dict.fromkeys(start, 0), deque(start)
    while queue:
        x, y = queue.popleft()
        for dx in (-1, 0, 1):
            for dy in (-1, 0, 1):
                other = (x + dx, y + dy)
                if other in found or not free(other):
                    continue
                if dx and dy and not (free((x + dx, y)) and free((x, y + dy))):
                    continue
                found[other] = found[x, y] + 1
                queue.append(other)
    return found


Report = tuple[int, int]
"""The pulse, and the tick of the run at which it is reported."""


def display(
    pulses: list[int], phase: int, reaction: int, known: int | None, first: int
) -> Report | None:
    """What a display that is renewed at every second tick first shows, reported after a time."""
    for tick in range(1, len(pulses)):
        renewed = tick % 2 == phase
        if renewed and (pulses[tick] != known if known else tick >= first):
            return pulses[tick], tick + reaction
    return None


def watched_from(spots: list[Spot], left: set[int], hear: Answer, places: list[Tile]) -> int:
    """The first tick of a run at which pulses differ, given its tile at the end of each."""
    pulses = ({hear(at, spots[s])[0] for s in left} for at in places)
    return next((t for t, heard in enumerate(pulses) if t and len(heard) > 1), len(places))


def reports(
    spots: list[Spot], left: set[int], hear: Answer, places: list[Tile], reaction: int
) -> dict[int, dict[tuple[int, int], Report | None]]:
    """By spot, phase and reaction what is reported of a run, given its tile at each tick's end."""
    pulses = {s: [hear(place, spots[s])[0] for place in places] for s in left}
    begin = {heard[0] for heard in pulses.values()}
    known = min(begin) if len(begin) == 1 else None
    first = watched_from(spots, left, hear, places)
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


class Runner(Walker):
    """Follows a plan over runs towards one spot and counts ticks and scans."""

    def __init__(
        self, spots: list[Spot], left: list[int], hear: Answer, stop: int, reaction: int = 1
    ) -> None:
        super().__init__(spots, left, hear, False, stop)
        self.reaction, self.shown = reaction, False

    def check_end(self, left: set[int], known: list[int]) -> None:
        assert left <= {*known}
        assert len(left) == 1 or self.shown

    def leg(self, node: Any, at: Tile, left: set[int], true: int) -> tuple[Part, Any]:
        tile = (node["tile"][0], node["tile"][1])
        step = self.run(node, at, tile, left, true) if "heard" in node else None
        part, after = step or super().leg(node, at, left, true)
        self.shown = part.pulses == (3,)
        return part, after

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
