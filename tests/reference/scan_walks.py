"""Reference for walks tile by tile, and for the pulses that the display shows at every tick."""

import base64
import random
import zlib
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import Any, NamedTuple

from reference.scan import Spot, Tile, answer, draw_apart, walk_ticks


def sign(v: int) -> int:
    return (v > 0) - (v < 0)


class Plane:
    """Open ground, on every floor."""

    def ground(self, _level: int) -> "Plane":
        """Return the ground of a floor."""
        return self

    def path(self, start: Tile, ends: set[Tile]) -> list[Tile]:
        """Return the tiles of a run: diagonally until aligned with the goal, then straight."""
        (end,), found = ends, [start]
        while (at := found[-1]) != end:
            found.append((at[0] + sign(end[0] - at[0]), at[1] + sign(end[1] - at[1])))
        return found

    def around(self, here: Tile, spot: Any) -> set[Tile]:
        """Return the tiles within one tile of a spot at which a run to it may end."""
        return {(spot[0] - sign(spot[0] - here[0]), spot[1] - sign(spot[1] - here[1]))}

    def leap(self, _here: Tile, _to: Tile) -> bool:
        """Return whether a dive reaches its tile."""
        return True

    def can_step(self, _tile: Tile, _step: Tile) -> bool:
        """Return whether a step to a neighbour is allowed."""
        return True


ORDER = (0, 2, 3, 1, 7, 6, 4, 5)  # W, E, S, N, SW, SE, NW, NE, as the game's search tries them
STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1), (-1, 1), (1, 1), (1, -1), (-1, -1))


def pack(rows: list[list[int]]) -> str:
    """Return rows of step bits, lowest row first, in the encoding of a position."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    data = packer.compress(bytes(byte for row in rows for byte in row)) + packer.flush()
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


class SlowGround(Plane):
    """Terrain from rows of step bits at a corner, changed by painted strokes."""

    def __init__(self, at: Tile, rows: list[list[int]]) -> None:
        self.at, self.size = at, (len(rows[0]), len(rows))
        self.exits = {
            (at[0] + x, at[1] + y): {k for k in range(8) if byte >> k & 1}
            for y, row in enumerate(rows)
            for x, byte in enumerate(row)
        }
        for tile, exits in self.exits.items():
            exits -= {k for k in exits if self.to(tile, k) not in self.exits}
        self.standable = {self.to(t, k) for t, exits in self.exits.items() for k in exits}

    @staticmethod
    def to(tile: Tile, k: int) -> Tile:
        return tile[0] + STEPS[k][0], tile[1] + STEPS[k][1]

    def paint(self, stroke: tuple[int, int, int, int, int]) -> None:
        x0, y0, x1, y1, kind = stroke
        area = {t for t in self.exits if x0 <= t[0] <= x1 and y0 <= t[1] <= y1}
        self.standable = self.standable - area if kind else self.standable | area
        for tile, exits in self.exits.items():
            for k in range(8):
                if kind and self.to(tile, k) in area:
                    exits.discard(k)
                both = {tile, self.to(tile, k)}
                if not kind and both & area and both <= self.standable:
                    exits.add(k)

    def around(self, here: Tile, spot: Any) -> set[Tile]:
        return {(spot[0] + u, spot[1] + v) for u in (-1, 0, 1) for v in (-1, 0, 1)}

    def can_step(self, tile: Tile, step: Tile) -> bool:
        return STEPS.index(step) in self.exits.get(tile, ())

    def steps_from(self, start: Tile) -> dict[Tile, int]:
        """Return the least number of steps to every reachable tile, by breadth-first search."""
        found, queue = {start: 0}, deque([start])
        while queue:
            tile = queue.popleft()
            for to in (self.to(tile, k) for k in self.exits.get(tile, ())):
                if to not in found:
                    found[to] = found[tile] + 1
                    queue.append(to)
        return found

    def to_dig(self, start: Tile, spot: Tile) -> int | None:
        """Return the least number of steps to within one tile of a spot, or None."""
        found = self.steps_from(start)
        near = [n for t, n in found.items() if max(abs(t[0] - spot[0]), abs(t[1] - spot[1])) <= 1]
        return min(near, default=None)

    def classes(self, pulses: Any, window: tuple[int, int, int, int]) -> list[set[Tile]]:
        """Return the components of standable tiles of the window with equal pulses."""
        x0, x1, y0, y1 = window
        left = {t for t in self.standable if x0 <= t[0] <= x1 and y0 <= t[1] <= y1}
        found = []
        while left:
            stack, one = [left.pop()], set[Tile]()
            while stack:
                tile = stack.pop()
                one.add(tile)
                for to in self._joined(tile):
                    if to in left and pulses(to) == pulses(tile):
                        left.discard(to)
                        stack.append(to)
            found.append(one)
        return found

    def _joined(self, tile: Tile) -> Iterator[Tile]:
        for k in range(4):
            to = self.to(tile, k)
            if k in self.exits[tile] or (k ^ 2) in self.exits.get(to, ()):
                yield to

    def path(self, start: Tile, ends: set[Tile]) -> list[Tile]:
        """Return the game's walk to the first of `ends` in its breadth-first search."""
        parent, queue = dict[Tile, Tile | None]({start: None}), deque([start])
        while queue:
            tile: Tile | None = queue.popleft()
            assert tile is not None
            if tile in ends:
                found = []
                while tile is not None:
                    found.append(tile)
                    tile = parent[tile]
                return found[::-1]
            for k in ORDER:
                to = self.to(tile, k)
                if k in self.exits.get(tile, ()) and to not in parent:
                    parent[to] = tile
                    queue.append(to)
        raise AssertionError(f"no walk leads from {start} to {ends}")

    def leap(self, here: Tile, to: Tile) -> bool:
        """Return whether a dive reaches its tile: diagonal steps first, else along x, then y."""
        at = here
        while at != to:
            dx, dy = sign(to[0] - at[0]), sign(to[1] - at[1])
            ways = [(dx, dy)] * bool(dx and dy) + [(dx, 0)] * bool(dx) + [(0, dy)] * bool(dy)
            open_ = [way for way in ways if self.can_step(at, way)]
            if not open_:
                return False
            at = at[0] + open_[0][0], at[1] + open_[0][1]
        return True


# ---- what the display shows

Answer = Callable[[Tile, Spot], tuple[int, bool]]


def layout(
    seed: int, sides: Sequence[int], reaches: Sequence[int]
) -> tuple[list[Spot], int, int, Tile]:
    """Return random spots in a square of one of the sides, a range, a stop cost and a start."""
    r = random.Random(seed)
    side, count = r.choice(sides), r.choice([1, 2, 3, 5, 9, 16])
    spots: list[Spot] = draw_apart(lambda: (r.randint(0, side), r.randint(0, side), 0), count)
    start = (r.randint(-20, side + 20), r.randint(-20, side + 20))
    return spots, r.choice(reaches), r.choice([0, 1, 3, 6]), start


def tile_after(here: Tile, to: Tile, ticks: int) -> Tile:
    """Return the tile after some ticks of a walk: diagonal first, then straight."""

    def axis(a: int, b: int) -> int:
        return a + max(-2 * ticks, min(2 * ticks, b - a))

    return axis(here[0], to[0]), axis(here[1], to[1])


def name(seen: tuple[int, bool]) -> str:
    """Return the key of an answer in a tree."""
    return f"{seen[0]}{'d' if seen[1] else ''}"


class Part(NamedTuple):
    """An answer of a run: tile and ticks at its end, whether scanned, spots, and reports."""

    at: Tile
    ticks: int
    scanned: bool
    spots: frozenset[int]
    pulses: tuple[int, ...]
    seen: tuple[int, int] | None

    @property
    def key(self) -> tuple[object, ...]:
        """The identity of an entry of `heard`; triples shown at the same ticks are one entry."""
        return self.at, self.ticks, self.scanned, self.pulses, self.seen


def listener(reach: int, floor: int, with_levels: bool) -> Answer:
    """Return the function from tile and spot to the answer, by the rule."""
    return lambda tile, spot: answer(tile, spot, reach, floor, with_levels)


def distances(
    start: list[Tile], walls: set[Tile], box: tuple[int, int, int, int]
) -> dict[Tile, int]:
    """Return the steps from the start tiles in eight directions, without cutting corners."""
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
    """Return the first new pulse of a display renewed every second tick, and its reported tick."""
    for tick in range(1, len(pulses)):
        renewed = tick % 2 == phase
        if renewed and (pulses[tick] != known if known else tick >= first):
            return pulses[tick], tick + reaction
    return None


def watched_from(spots: list[Spot], left: set[int], hear: Answer, places: list[Tile]) -> int:
    """Return the first tick of a run at which pulses differ, given its tile at each tick's end."""
    pulses = ({hear(at, spots[s])[0] for s in left} for at in places)
    return next((t for t, heard in enumerate(pulses) if t and len(heard) > 1), len(places))


def reports(
    spots: list[Spot], left: set[int], hear: Answer, places: list[Tile], reaction: int
) -> dict[int, dict[tuple[int, int], Report | None]]:
    """Return the report of a run by spot and by phase and reaction, given its tile at each tick."""
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
    """Return the answers of a run by definition: spots with a common report are one answer."""
    places = places or [tile_after(here, to, t) for t in range(walk_ticks(here, to) + 1)]
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
    """Return the key of an entry of `heard` or `changes`."""
    seen, pulses = entry.get("seen"), entry.get("pulses") or [entry["pulse"]]
    at = tuple(entry["at"])
    return at, entry["ticks"], entry["silent"], tuple(pulses), seen and tuple(seen)


def part_reports(entry: Any) -> set[Report]:
    """Return the reports that an entry of `heard` covers."""
    if not entry.get("seen"):
        return set()
    first, last = entry["seen"]
    pulses = entry.get("pulses") or [entry["pulse"]]
    return {(pulse, tick) for pulse in pulses for tick in range(first, last + 1)}
