"""Reference for several floors: shortest paths by Dijkstra, optimal plans over all tiles."""

import random
from collections.abc import Sequence
from functools import cache
from heapq import heappop, heappush
from itertools import product
from typing import Any

from reference.scan import Spot, answer, draw_apart, window
from reference.scan_walks import STEPS, Plane, SlowGround, pack

Place = tuple[int, int, int]  # x, y, level
Stairs = tuple[Place, Place, int]  # both ends, ticks
Teleport = tuple[int, int, int, int]  # x, y, level, ticks
FAR = 1 << 40


class Building:
    """A box of tiles on some floors, and the stairs between them."""

    def __init__(
        self,
        box: tuple[int, int, int, int],
        levels: Sequence[int],
        stairs: Sequence[Stairs],
        teleports: Sequence[Teleport] = (),
    ) -> None:
        self.box, self.levels, self.teleports = box, levels, teleports
        self.steps: dict[Place, list[tuple[Place, int]]] = {}
        for at, to, ticks in stairs:
            self.steps.setdefault(at, []).append((to, ticks))
            self.steps.setdefault(to, []).append((at, ticks))
        self.known: dict[Place, dict[Place, int]] = {}

    def neighbours(self, place: Place) -> list[tuple[Place, int]]:
        """Return the places after a tick of running and at other ends of stairs, with ticks."""
        x, y, level = place
        x0, y0, x1, y1 = self.box
        near = [
            ((u, v, level), 1)
            for u in range(max(x - 2, x0), min(x + 2, x1) + 1)
            for v in range(max(y - 2, y0), min(y + 2, y1) + 1)
        ]
        return near + self.steps.get(place, [])

    def ground(self, _level: int) -> Plane:
        """Return the ground of a floor."""
        return Plane()

    def can_stand(self, _place: Place) -> bool:
        return True

    def distances_from(self, begin: Place) -> dict[Place, int]:
        """Return the ticks to every reachable place without teleports."""
        if begin not in self.known:
            self.known[begin] = self.spread({begin: 0}, 1)
        return self.known[begin]

    def spread(self, begun: dict[Place, int], price: int) -> dict[Place, int]:
        """Return, per place, the least start value plus `price` per tick from it, by Dijkstra."""
        found, heap = dict(begun), sorted((total, place) for place, total in begun.items())
        while heap:
            total, place = heappop(heap)
            if total > found[place]:
                continue
            for other, ticks in self.neighbours(place):
                if total + price * ticks < found.get(other, FAR):
                    found[other] = total + price * ticks
                    heappush(heap, (found[other], other))
        return found

    def ways(self, begin: Place) -> list[tuple[dict[Place, int], int]]:
        """Return the distances from here, and from each teleport with its ticks."""
        there = [(self.distances_from((x, y, z)), ticks) for x, y, z, ticks in self.teleports]
        return [(self.distances_from(begin), 0), *there]

    def way(self, begin: Place, end: Place) -> int:
        """Return the ticks of the quickest path between two places; FAR if there is none."""
        return min(found.get(end, FAR) + spent for found, spent in self.ways(begin))

    def digging(self, spot: Spot) -> dict[Place, int]:
        """Return the ticks from every place to within a tile of a spot; steps are symmetric."""
        x, y, level = spot
        near = product(range(x - 1, x + 2), range(y - 1, y + 2), [level])
        found = self.spread({tile: 0 for tile in near if self.can_stand(tile)}, 1)
        by = [found.get((u, v, z), FAR) + ticks for u, v, z, ticks in self.teleports]
        return {place: min([ticks, *by]) for place, ticks in found.items()}

    def way_to_dig(self, begin: Place, spot: Spot) -> int:
        """Return the ticks of the quickest path to within a tile of a spot, on its floor."""
        x, y, level = spot
        near = list(product(range(x - 1, x + 2), range(y - 1, y + 2), [level]))
        return min(found.get(end, FAR) + spent for found, spent in self.ways(begin) for end in near)


class WalledBuilding(Building):
    """A building on terrain with symmetric steps."""

    def __init__(self, floors: dict[int, SlowGround], *of: Any) -> None:
        super().__init__(*of)
        self.floors = floors

    def ground(self, level: int) -> Plane:
        return self.floors[level]

    def can_stand(self, place: Place) -> bool:
        return place[:2] in self.floors[place[2]].standable

    def neighbours(self, place: Place) -> list[tuple[Place, int]]:
        ground = self.floors[place[2]]
        one = {ground.to(place[:2], k) for k in ground.exits[place[:2]]}
        two = {ground.to(tile, k) for tile in one for k in ground.exits[tile]}
        return [((*tile, place[2]), 1) for tile in one | two] + self.steps.get(place, [])


def box_of(spots: Sequence[Spot], reach: int, others: Sequence[Place]) -> tuple[int, int, int, int]:
    """Return the window, extended to stairs and start: no quickest path leaves it."""
    x0, x1, y0, y1 = window(spots, reach)
    xs, ys = [x for x, _, _ in others], [y for _, y, _ in others]
    return min([x0, *xs]), min([y0, *ys]), max([x1, *xs]), max([y1, *ys])


def optimal_total(
    building: Building, spots: Sequence[Spot], reach: int, stop: int, start: Place
) -> int:
    """Return the least total of ticks over all spots: exact dynamic program over all tiles."""
    tiles = sorted({place for found, _ in building.ways(start) for place in found})
    answers = {
        tile: [answer((tile[0], tile[1]), spot, reach, tile[2], True) for spot in spots]
        for tile in tiles
    }
    fields = [building.digging(spot) for spot in spots]
    digs = {tile: [field[tile] for field in fields] for tile in [start, *tiles]}

    @cache
    def after(left: frozenset[int]) -> dict[Place, int]:
        """Return, per tile where a scan excludes a spot, the total of that scan and of the rest."""
        found = {}
        for tile in tiles:
            total, parts = stop * len(left), dict[tuple[int, bool], set[int]]()
            for i in left:
                if answers[tile][i][0] == 3:
                    total += digs[tile][i]
                else:
                    parts.setdefault(answers[tile][i], set()).add(i)
            if any(len(part) == len(left) for part in parts.values()):
                continue
            total += sum(values(frozenset(part))[tile] for part in parts.values())
            found[tile] = total
        return found

    @cache
    def values(left: frozenset[int]) -> dict[Place, int]:
        """Return the least total of a set for every place."""
        if len(left) == 1:
            return {place: sum(digs[place][i] for i in left) for place in [start, *tiles]}
        scanned = after(left)
        if not scanned:  # nothing distinguishes them
            return {place: sum(digs[place][i] for i in left) for place in [start, *tiles]}
        found = building.spread(scanned, len(left))
        by = [found[x, y, z] + len(left) * ticks for x, y, z, ticks in building.teleports]
        return {place: min([total, *by]) for place, total in found.items()}

    return values(frozenset(range(len(spots))))[start]


def toy(
    seed: int, sides: list[int], counts: list[int], *, teleports: bool = False
) -> tuple[dict[str, Any], Building, int]:
    """Return a random position over floors joined by stairs, its building, a stop cost."""
    r = random.Random(seed)
    side, levels = r.choice(sides), r.choice([2, 2, 3])

    def tile(level: int) -> list[int]:
        return [r.randint(0, side), r.randint(0, side), level]

    stairs: list[dict[str, Any]] = [{"at": tile(n), "to": tile(n + 1)} for n in range(levels - 1)]
    for _ in range(r.randint(0, 4 - levels)):
        low, high = sorted(r.sample(range(levels), 2))
        at, to = tile(high), tile(low)
        if at[0] % 3 == 0 and at[:2] != to[:2]:
            to[2] = high  # a shortcut on one floor
        stairs.append({"at": at, "to": to})
    for i, one in enumerate(stairs):
        one |= {"ticks": r.choice([0, 1, 2, 5]), "name": r.choice(["", f"S{i}"])}
    spots = draw_apart(lambda: tile(r.randrange(levels)), r.choice(counts))
    position: dict[str, Any] = {
        "range": r.choice([1, 2, 3, side // 3]), "spots": spots, "levels": "use",
        "here": tile(0)[:2], "floor": r.randrange(levels), "stairs": stairs,
    }  # fmt: skip
    if teleports:
        position["teleports"] = [
            {"at": tile(r.randrange(levels)), "ticks": r.choice([0, 1, 4]), "name": f"T{i}"}
            for i in range(r.randint(1, 3))
        ]
    ends: list[Any] = [tuple(end) for s in stairs for end in (s["at"], s["to"])]
    ends += [tuple(t["at"]) for t in position.get("teleports", [])]
    placed: list[Any] = [tuple(s) for s in spots]
    box = box_of(placed, position["range"], [*ends, start_of(position)])
    steps: list[Any] = [(tuple(s["at"]), tuple(s["to"]), s["ticks"]) for s in stairs]
    building = Building(
        box, range(levels),
        steps,
        [(*t["at"], t["ticks"]) for t in position.get("teleports", [])],
    )  # fmt: skip
    return position, building, r.choice([0, 1, 3, 6])


def wall_in(position: dict[str, Any], building: Building, seed: int) -> WalledBuilding:
    """Add terrain with blocked tiles and steps to every floor, none near stairs and the start."""
    r, (x0, y0, x1, y1) = random.Random(seed), building.box
    kept = {*building.steps, start_of(position), *(t[:3] for t in building.teleports)}
    floors, given = dict[int, SlowGround](), list[dict[str, Any]]()
    for level in building.levels:
        tiles = list(product(range(x0, x1 + 1), range(y0, y1 + 1)))
        near = {(x + u, y + v) for x, y, z in kept if z == level for u, v in [(0, 0), *STEPS]}
        free = {tile for tile in tiles if tile in near or r.random() < 0.8}
        rows = [[0] * (x1 - x0 + 1) for _ in range(y1 - y0 + 1)]
        for (x, y), k in product(tiles, (0, 1, 4, 5)):
            u, v = SlowGround.to((x, y), k)
            if {(x, y), (u, v)} <= free and (r.random() < 0.85 or {(x, y), (u, v)} <= near):
                rows[y - y0][x - x0] |= 1 << k
                rows[v - y0][u - x0] |= 1 << (k ^ 2)  # the opposite direction
        floors[level] = SlowGround((x0, y0), rows)
        size, at = [len(rows[0]), len(rows)], [x0, y0]
        given.append({"at": at, "size": size, "packed": pack(rows), "level": level})
    others = [{"level": ground["level"], "ground": ground} for ground in given[1:]]
    position["walls"] = {"ground": given[0], "floors": others}
    walled = WalledBuilding(floors, building.box, building.levels, (), building.teleports)
    walled.steps = building.steps
    return walled


def start_of(position: Any) -> Place:
    return (*position["here"], position["floor"])
