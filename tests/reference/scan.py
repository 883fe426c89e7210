"""Reference for the scan desk: the rules tile by tile, and exact optimal plans."""

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

Tile = tuple[int, int]
Spot = tuple[int, int, int]
Field = NDArray[np.int64]
FAR = 1 << 40


def pulse(tile: Sequence[int], spot: Sequence[int], reach: int) -> int:
    """Return the pulse, 3, 2 or 1, by Chebyshev distance."""
    distance = max(abs(tile[0] - spot[0]), abs(tile[1] - spot[1]))
    if distance <= reach:
        return 3
    return 2 if distance <= 2 * reach else 1


def answer(tile: Tile, spot: Spot, reach: int, floor: int, with_levels: bool) -> tuple[int, bool]:
    """Return the pulse, and whether the sign "different level" is shown."""
    if not with_levels:
        return pulse(tile, spot, reach), False
    complement = (spot[0], (spot[1] + 6400) % 12800)
    near = max(abs(tile[0] - complement[0]), abs(tile[1] - complement[1])) <= reach + 15
    return pulse(tile, spot, reach), spot[2] != floor or near


def window(spots: Sequence[Spot], reach: int) -> tuple[int, int, int, int]:
    """Return xmin, xmax, ymin, ymax of the spots, grown by twice the range and one tile."""
    grow = 2 * reach + 1
    xs, ys = [s[0] for s in spots], [s[1] for s in spots]
    return min(xs) - grow, max(xs) + grow, min(ys) - grow, max(ys) + grow


class Classes:
    """The classes, by flood fill over 4-neighbours that are no wall."""

    def __init__(
        self,
        spots: Sequence[Spot],
        reach: int,
        walls: Iterable[Tile] = (),
        floor: int = 0,
        with_levels: bool = False,
    ) -> None:
        self.window = window(spots, reach)
        x0, x1, y0, y1 = self.window
        blocked = set(walls)
        self.profile = {
            (x, y): tuple(answer((x, y), s, reach, floor, with_levels) for s in spots)
            for y in range(y0, y1 + 1)
            for x in range(x0, x1 + 1)
            if (x, y) not in blocked
        }
        self.label: dict[Tile, int] = {}
        self.members: list[list[Tile]] = []
        for tile in self.profile:  # in raster order
            if tile not in self.label:
                self._flood(tile)

    def _flood(self, first: Tile) -> None:
        number, stack, members = len(self.members), [first], []
        self.label[first] = number
        while stack:
            x, y = stack.pop()
            members.append((x, y))
            for other in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
                if other in self.label or self.profile.get(other) != self.profile[first]:
                    continue
                self.label[other] = number
                stack.append(other)
        self.members.append(members)

    @property
    def profiles(self) -> int:
        """The number of different profiles."""
        return len(set(self.profile.values()))

    def counts(self, number: int) -> tuple[int, ...]:
        """Return the spots with single, double, triple pulse; then those with "different level"."""
        seen = Counter(self.profile[self.members[number][0]])
        return tuple(seen[p, other] for other in (False, True) for p in (1, 2, 3))


def bits(counts: Sequence[int]) -> float:
    """Return the information of counts single, double, triple (of one or two levels)."""
    n = sum(counts)
    total = 0.0
    for i, c in enumerate(counts):
        if c and i % 3 != 2:
            total += c / n * math.log2(n / c)
        elif c:
            total += c / n * math.log2(n)
    return total


def exact_key(counts: Sequence[int]) -> Fraction:
    """Return the product of n to the n: smaller is more information, equal is an exact tie."""
    product = 1
    for i, c in enumerate(counts):
        if i % 3 != 2 and c:
            product *= c**c
    return Fraction(product)


def smallest_covers(
    excluded: Sequence[frozenset[int]], everything: frozenset[int]
) -> list[list[int]]:
    """Return all smallest sets of clues that exclude everything, by trying all subsets."""
    for size in range(len(excluded) + 1):
        found = [
            list(c)
            for c in combinations(range(len(excluded)), size)
            if frozenset().union(*(excluded[i] for i in c)) == everything
        ]
        if found:
            return found
    return []


def fewest_scans(
    spots: Sequence[Spot],
    reach: int,
    floor: int = 0,
    with_levels: bool = False,
    tiles: Iterable[tuple[int, ...]] | None = None,
    slack: int = 0,
    misread: bool = False,
) -> int:
    """Return the least total of scans over all spots, by trying every profile on every set."""
    if tiles is None:
        x0, x1, y0, y1 = window(spots, reach)
        tiles = [(x, y) for x in range(x0, x1 + 1) for y in range(y0, y1 + 1)]
    off = range(-slack, slack + 1)

    def possible_answers(
        s: Spot, x: int, y: int, level: int = floor
    ) -> frozenset[tuple[int, bool]]:
        found = {answer((x + u, y + v), s, reach, level, with_levels) for u in off for v in off}
        return frozenset((1 if misread and p == 2 else p, other) for p, other in found)

    profiles = {tuple(possible_answers(s, *tile) for s in spots) for tile in tiles}
    totals: dict[frozenset[int], int] = {}

    def least(left: frozenset[int]) -> int:
        if len(left) < 2:
            return 0
        if left not in totals:
            totals[left] = len(left) + min(
                sum(least(part) for part in parts)
                for parts in {_partition(p, left) for p in profiles}
                if left not in parts
            )
        return totals[left]

    return least(frozenset(range(len(spots))))


def _partition(
    profile: tuple[frozenset[tuple[int, bool]], ...], left: frozenset[int]
) -> tuple[frozenset[int], ...]:
    """Return the spots that each answer below a triple leaves; a triple shows the spot."""
    groups: dict[tuple[int, bool], set[int]] = defaultdict(set)
    for spot in left:
        for one in profile[spot]:
            groups[one].add(spot)
    return tuple(frozenset(groups[p, other]) for p in (1, 2) for other in (False, True))


def draw_apart(draw: Callable[[], Any], count: int) -> list[Any]:
    """Return up to `count` spots no two of which one dig serves: three tiles or a level apart."""
    spots: list[Any] = []
    for _ in range(40 * count):
        new = draw()
        if all(s[2] != new[2] or max(abs(s[0] - new[0]), abs(s[1] - new[1])) > 2 for s in spots):
            spots.append(new)
        if len(spots) == count:
            break
    return spots


def walk_ticks(a: Tile, b: Tile) -> int:
    """Return the ticks of a walk on the open plane, two tiles a tick."""
    return (max(abs(a[0] - b[0]), abs(a[1] - b[1])) + 1) // 2


def ticks_to_spot(a: Tile, spot: Sequence[int]) -> int:
    """Return the ticks until within one tile of the spot."""
    distance, ticks = max(abs(a[0] - spot[0]), abs(a[1] - spot[1])), 0
    while distance > 1:
        distance, ticks = distance - 2, ticks + 1
    return ticks


class Optimum:
    """Exact cost-to-go of all states, tile by tile: `Optimum(spots, reach, stop).total((0, 0))`.

        V(set, p) = min over tiles q of  n * (ceil(d(p, q) / 2) + stop) + ticks to the triples at q
                                         + V(doubles, q) + V(singles, q)

    On the open plane, three answers, or six with a floor. Values are totals over a set's spots.
    No scan outside the window helps: its projection onto the edge is nearer, with equal answers.
    """

    def __init__(
        self, spots: Sequence[Spot], reach: int, stop: int, floor: int | None = None
    ) -> None:
        x0, x1, y0, y1 = window(spots, reach)
        self.corner, self.stop = (x0, y0), stop
        ys, xs = np.mgrid[y0 : y1 + 1, x0 : x1 + 1]
        away = [np.maximum(abs(xs - s[0]), abs(ys - s[1])) for s in spots]
        self.walk = [a // 2 for a in away]
        signed = [np.zeros_like(xs, bool) for _ in spots]
        if floor is not None:  # the sign "different level" is part of the answer
            for i, (x, y, level) in enumerate(spots):
                complement = np.maximum(abs(xs - x), abs(ys - (y + 6400) % 12800))
                signed[i] = (complement <= reach + 15) | (level != floor)
        kinds = [(a <= reach, (a > reach) & (a <= 2 * reach), a > 2 * reach) for a in away]
        self.triple = sum((1 << i) * kind[0] for i, kind in enumerate(kinds))
        self.others = [  # per answer that leaves several spots, which ones at each tile
            sum((1 << i) * (kind[k] & (signed[i] == sign)) for i, kind in enumerate(kinds))
            for k in (1, 2)
            for sign in (False, True)
        ]
        self.cache: dict[int, Field] = {}
        self.everything = (1 << len(spots)) - 1

    def total(self, start: Tile) -> int:
        """Return the least total of ticks over all spots from a tile of the window."""
        found = self.values(self.everything)
        return int(found[start[1] - self.corner[1], start[0] - self.corner[0]])

    def values(self, spots: int) -> Field:
        """Return V(spots, p) for every tile p."""
        if spots not in self.cache:
            self.cache[spots] = self._values(spots)
        return self.cache[spots]

    def _values(self, spots: int) -> Field:
        count = spots.bit_count()
        if count <= 1:
            return self.walk[spots.bit_length() - 1] if spots else np.zeros_like(self.walk[0])
        return distance_transform(self.scan_totals(spots, self.values), count)

    def scan_totals(self, spots: int, after: Callable[[int], Field]) -> Field:
        """Return the total with a scan at each tile, then `after`; FAR if it excludes nothing."""
        count = spots.bit_count()
        answers = [self.triple & spots, *(other & spots for other in self.others)]
        scanned: Field = np.full_like(answers[0], FAR)
        for shown, *parts in {*zip(*(a.ravel().tolist() for a in answers), strict=True)}:
            if spots in parts:
                continue
            here = np.logical_and.reduce(
                [a == part for a, part in zip(answers, (shown, *parts), strict=True)]
            )
            worth = count * self.stop + sum(after(part) for part in parts if part)
            for i in range(len(self.walk)):
                if shown >> i & 1:
                    worth = worth + self.walk[i]
            scanned = np.where(here, worth, scanned)
        return scanned


class RestrictedOptimum(Optimum):
    """The optimum over plans whose states are restricted to a family of sets."""

    members: frozenset[int] = frozenset()

    def _values(self, spots: int) -> Field:
        if spots.bit_count() > 1 and spots not in self.members:
            return np.full_like(self.walk[0], FAR)
        return super()._values(spots)


def distance_transform(values: Field, price: int) -> Field:
    """Return, per tile, the least value plus walk, at `price` per tick of two tiles."""
    while True:
        better = np.minimum(values, _two_tile_minimum(values) + price)
        if (better == values).all():
            return values
        values = better


def _two_tile_minimum(values: Field) -> Field:
    """Return the least value within two tiles, along one axis and then the other."""
    for axis in (0, 1):
        padded = np.pad(values, [(2, 2) if a == axis else (0, 0) for a in (0, 1)], mode="edge")
        shifts = [np.take(padded, range(k, k + values.shape[axis]), axis) for k in range(5)]
        values = np.minimum.reduce(shifts)
    return values


def heuristic_cost(spots: Sequence[Spot], reach: int, stop: int, tile: Tile) -> float:
    """Return the heuristic cost-to-go of a set of spots, in ticks beyond the straight walks.

    Per spot a linear function of bits, spread and distance, at least one stop; 0 for a single spot.
    The coefficients are those of heuristic.c.
    """
    n = len(spots)
    if n < 2:
        return 0.0
    xs, ys = np.array([s[0] for s in spots]), np.array([s[1] for s in spots])
    bits, spread = np.log2(n), np.sqrt(xs.var() + ys.var())
    away = np.maximum(abs(xs - tile[0]), abs(ys - tile[1])).mean()
    each = 2.447724 - 0.278084 * stop + (-0.908889 + 0.430742 * stop) * bits
    each += (-0.219394 + 0.148974 * bits + 0.466894 * stop / max(reach, 1)) * spread
    each += (0.073783 - 0.052524 * bits) * away
    return float(n * max(stop, each))


Teleport = tuple[int, int, int]  # x, y, ticks


def path_ticks(here: Tile, to: Tile, teleports: Sequence[Teleport]) -> int:
    """Return the ticks of the quickest path between two tiles of the open plane."""
    return min([walk_ticks(here, to), *(t + walk_ticks((x, y), to) for x, y, t in teleports)])


def dig_ticks(here: Tile, spot: Spot, teleports: Sequence[Teleport]) -> int:
    """Return the ticks of the quickest path to within one tile of a spot."""
    by = [t + ticks_to_spot((x, y), spot) for x, y, t in teleports]
    return min([ticks_to_spot(here, spot), *by])


class WithTeleports(Optimum):
    """The optimum where every walk may begin with a teleport."""

    def __init__(
        self, spots: Sequence[Spot], reach: int, stop: int, teleports: Sequence[Teleport]
    ) -> None:
        super().__init__(spots, reach, stop)
        self.teleports = teleports
        for i, spot in enumerate(spots):
            for x, y, ticks in teleports:
                self.walk[i] = np.minimum(self.walk[i], ticks + ticks_to_spot((x, y), spot))

    def _values(self, spots: int) -> Field:
        count = spots.bit_count()
        if count <= 1:
            return super()._values(spots)
        scanned = self.scan_totals(spots, self.values)
        found = distance_transform(scanned, count)
        ys, xs = np.mgrid[: scanned.shape[0], : scanned.shape[1]]
        for x, y, ticks in self.teleports:
            away = np.maximum(abs(xs + self.corner[0] - x), abs(ys + self.corner[1] - y))
            by = (scanned + count * (ticks + (away + 1) // 2)).min()
            found = np.minimum(found, by)
        return found
