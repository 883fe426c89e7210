"""Teleports the slow way: every value by trying every tile."""

from collections.abc import Sequence

import numpy as np

from reference.scan import Spot, Tile, ticks_to_spot, walk_ticks
from reference.scan_optimal_dp import Field, Optimum, walked

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
