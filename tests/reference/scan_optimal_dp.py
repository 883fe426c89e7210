"""The least ticks of a scan clue, exactly: a dynamic programme over all tiles.

    V(set, p) = min over tiles q of  n * (ceil(d(p, q) / 2) + stop) + ticks to the triples at q
                                     + V(doubles, q) + V(singles, q)

On the open plane, three answers, or six with a floor; also where any way may go by a teleport.
Values are totals over the spots of a set.
"""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from reference.scan import Spot, Tile, ticks_to_spot, walk_ticks, window

Field = NDArray[np.int64]
FAR = 1 << 40


class Optimum:
    """All values of a clue, tile by tile: `Optimum(spots, reach, stop).total((0, 0))`.

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
    are; a stop each at least, and nothing of a single spot. The numbers are those of left.c.
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
