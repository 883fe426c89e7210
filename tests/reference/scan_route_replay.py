"""Runs by their definition: what a display shows tick by tick, and the answers that follow."""

import random
from collections import deque
from collections.abc import Callable, Sequence
from itertools import product
from typing import Any, NamedTuple

from reference.scan import Spot, Tile, answer, draw_apart, walk_ticks

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


def part_reports(entry: Any) -> set[Report]:
    """The reports that an entry of `heard` names."""
    if not entry.get("seen"):
        return set()
    first, last = entry["seen"]
    pulses = entry.get("pulses") or [entry["pulse"]]
    return {(pulse, tick) for pulse in pulses for tick in range(first, last + 1)}
