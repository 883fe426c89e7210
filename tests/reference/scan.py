"""Scan rules the slow, obvious way, tile by tile; the least ticks of a clue, exactly."""

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

Tile = tuple[int, int]
Spot = tuple[int, int, int]
Field = NDArray[np.int64]
FAR = 1 << 40


def pulse(tile: Sequence[int], spot: Sequence[int], reach: int) -> int:
    """3, 2 or 1 by Chebyshev distance."""
    distance = max(abs(tile[0] - spot[0]), abs(tile[1] - spot[1]))
    if distance <= reach:
        return 3
    return 2 if distance <= 2 * reach else 1


def answer(tile: Tile, spot: Spot, reach: int, floor: int, with_levels: bool) -> tuple[int, bool]:
    """The pulse, and whether it comes with "different level"."""
    if not with_levels:
        return pulse(tile, spot, reach), False
    complement = (spot[0], (spot[1] + 6400) % 12800)
    near = max(abs(tile[0] - complement[0]), abs(tile[1] - complement[1])) <= reach + 15
    return pulse(tile, spot, reach), spot[2] != floor or near


def window(spots: Sequence[Spot], reach: int) -> tuple[int, int, int, int]:
    """xmin, xmax, ymin, ymax of the spots grown by twice the range and one tile."""
    grow = 2 * reach + 1
    xs, ys = [s[0] for s in spots], [s[1] for s in spots]
    return min(xs) - grow, max(xs) + grow, min(ys) - grow, max(ys) + grow


class Classes:
    """The classes by flood fill over 4-neighbours that are no wall."""

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
        """How many different profiles there are."""
        return len(set(self.profile.values()))

    def counts(self, number: int) -> tuple[int, ...]:
        """Single, double, triple of a class; then the same for "different level"."""
        seen = Counter(self.profile[self.members[number][0]])
        return tuple(seen[p, other] for other in (False, True) for p in (1, 2, 3))


def bits(counts: Sequence[int]) -> float:
    """The information of counts single, double, triple (of one or two levels)."""
    n = sum(counts)
    total = 0.0
    for i, c in enumerate(counts):
        if c and i % 3 != 2:
            total += c / n * math.log2(n / c)
        elif c:
            total += c / n * math.log2(n)
    return total


def exact_key(counts: Sequence[int]) -> Fraction:
    """Smaller is more information, equal is an exact tie: the product of n to the n."""
    product = 1
    for i, c in enumerate(counts):
        if i % 3 != 2 and c:
            product *= c**c
    return Fraction(product)


def smallest_covers(
    excluded: Sequence[frozenset[int]], everything: frozenset[int]
) -> list[list[int]]:
    """All least sets of clues that exclude everything, by trying all subsets."""
    from itertools import combinations

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
    """The least total of scans over all spots, by trying every profile on every set."""
    if tiles is None:
        x0, x1, y0, y1 = window(spots, reach)
        tiles = [(x, y) for x in range(x0, x1 + 1) for y in range(y0, y1 + 1)]
    off = range(-slack, slack + 1)

    def heard(s: Spot, x: int, y: int, level: int = floor) -> frozenset[tuple[int, bool]]:
        found = {answer((x + u, y + v), s, reach, level, with_levels) for u in off for v in off}
        return frozenset((1 if misread and p == 2 else p, other) for p, other in found)

    profiles = {tuple(heard(s, *tile) for s in spots) for tile in tiles}
    memo: dict[frozenset[int], int] = {}

    def least(left: frozenset[int]) -> int:
        if len(left) < 2:
            return 0
        if left not in memo:
            memo[left] = len(left) + min(
                sum(least(part) for part in parts)
                for parts in {_parts(p, left) for p in profiles}
                if left not in parts
            )
        return memo[left]

    return least(frozenset(range(len(spots))))


def _parts(
    profile: tuple[frozenset[tuple[int, bool]], ...], left: frozenset[int]
) -> tuple[frozenset[int], ...]:
    """What each answer but the triples leaves; a triple shows the spot."""
    groups: dict[tuple[int, bool], set[int]] = defaultdict(set)
    for spot in left:
        for one in profile[spot]:
            groups[one].add(spot)
    return tuple(frozenset(groups[p, other]) for p in (1, 2) for other in (False, True))


def draw_apart(draw: Callable[[], Any], count: int) -> list[Any]:
    """Up to so many drawn spots of which no dig serves two: three tiles apart, or on two levels."""
    spots: list[Any] = []
    for _ in range(40 * count):
        new = draw()
        if all(s[2] != new[2] or max(abs(s[0] - new[0]), abs(s[1] - new[1])) > 2 for s in spots):
            spots.append(new)
        if len(spots) == count:
            break
    return spots


def walk_ticks(a: Tile, b: Tile) -> int:
    """Ticks on the open plane, two tiles a tick."""
    return (max(abs(a[0] - b[0]), abs(a[1] - b[1])) + 1) // 2


def ticks_to_spot(a: Tile, spot: Sequence[int]) -> int:
    """Ticks until within one tile of the spot."""
    distance, ticks = max(abs(a[0] - spot[0]), abs(a[1] - spot[1])), 0
    while distance > 1:
        distance, ticks = distance - 2, ticks + 1
    return ticks


class Optimum:
    """All values of a clue, tile by tile: `Optimum(spots, reach, stop).total((0, 0))`.

        V(set, p) = min over tiles q of  n * (ceil(d(p, q) / 2) + stop) + ticks to the triples at q
                                         + V(doubles, q) + V(singles, q)

    On the open plane, three answers, or six with a floor. Values are totals over a set's spots.
    No scan outside the map's window helps: pressed onto its edge it answers the same, nearer by.
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
        if floor is not None:  # the sign "different level" is heard as well
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
        self.known: dict[int, Field] = {}
        self.everything = (1 << len(spots)) - 1

    def total(self, start: Tile) -> int:
        """The least total of ticks over all spots from a tile of the window."""
        found = self.values(self.everything)
        return int(found[start[1] - self.corner[1], start[0] - self.corner[0]])

    def values(self, spots: int) -> Field:
        """V(spots, p) for every tile p."""
        if spots not in self.known:
            self.known[spots] = self._values(spots)
        return self.known[spots]

    def _values(self, spots: int) -> Field:
        count = spots.bit_count()
        if count <= 1:
            return self.walk[spots.bit_length() - 1] if spots else np.zeros_like(self.walk[0])
        return walked(self.scanned(spots, self.values), count)

    def scanned(self, spots: int, after: Callable[[int], Field]) -> Field:
        """What a scan at each tile and all `after` it takes; FAR where it excludes nothing."""
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


class Within(Optimum):
    """The same where only some sets of several spots may be left: the least plan of a family."""

    members: frozenset[int] = frozenset()

    def _values(self, spots: int) -> Field:
        if spots.bit_count() > 1 and spots not in self.members:
            return np.full_like(self.walk[0], FAR)
        return super()._values(spots)


def walked(values: Field, price: int) -> Field:
    """The least of a value and its walk, `price` for every tick of two tiles in any direction."""
    while True:
        better = np.minimum(values, nearby(values) + price)
        if (better == values).all():
            return values
        values = better


def nearby(values: Field) -> Field:
    """The least value within two tiles, along one axis and then the other."""
    for axis in (0, 1):
        padded = np.pad(values, [(2, 2) if a == axis else (0, 0) for a in (0, 1)], mode="edge")
        shifts = [np.take(padded, range(k, k + values.shape[axis]), axis) for k in range(5)]
        values = np.minimum.reduce(shifts)
    return values


def likely_left(spots: Sequence[Spot], reach: int, stop: int, tile: Tile) -> float:
    """Ticks that some spots are likely to take from a tile, beyond the way straight to each.

    A sum of what a spot takes by how many there are, how wide they are spread and how far away they
    are; a stop each at least, and nothing of a single spot. The numbers are those of heuristic.c.
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


def way(here: Tile, to: Tile, teleports: Sequence[Teleport]) -> int:
    """Ticks of the quickest way between two tiles of the open plane."""
    return min([walk_ticks(here, to), *(t + walk_ticks((x, y), to) for x, y, t in teleports)])


def way_to_dig(here: Tile, spot: Spot, teleports: Sequence[Teleport]) -> int:
    """The same to within one tile of a spot."""
    by = [t + ticks_to_spot((x, y), spot) for x, y, t in teleports]
    return min([ticks_to_spot(here, spot), *by])


class WithTeleports(Optimum):
    """The least ticks where any way may go by a teleport."""

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
        scanned = self.scanned(spots, self.values)
        found = walked(scanned, count)
        ys, xs = np.mgrid[: scanned.shape[0], : scanned.shape[1]]
        for x, y, ticks in self.teleports:
            away = np.maximum(abs(xs + self.corner[0] - x), abs(ys + self.corner[1] - y))
            by = (scanned + count * (ticks + (away + 1) // 2)).min()
            found = np.minimum(found, by)
        return found
