"""Scan rules the slow, obvious way: tile by tile, spot by spot, answer by answer."""

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any

Tile = tuple[int, int]
Spot = tuple[int, int, int]


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
