"""Routes walked literally: tile by tile, pulse by pulse, for one true spot."""

import random
from collections import deque
from collections.abc import Callable, Sequence
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
