"""Teleports the slow way: every value by trying every tile, and plans gone through tick by tick."""

from collections.abc import Sequence
from typing import Any

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


class Traveller:
    """Somebody who follows a plan literally: teleports where it says so, walks two tiles a tick."""

    def __init__(self, here: Tile, teleports: Sequence[Any], stop: int) -> None:
        self.at, self.tick, self.stop, self.used = here, 0, stop, 0
        self.teleports = {(t["at"][0], t["at"][1], t["name"]): t["ticks"] for t in teleports}

    def go(self, to: Tile, uses: list[Any]) -> None:
        """One way, as it is marked."""
        for use in uses:
            assert (use["ability"], use["tick"], tuple(use["at"])) == ("teleport", 0, self.at)
            x, y = use["to"]
            self.tick += self.teleports[x, y, use["name"]]
            self.at, self.used = (x, y), self.used + 1
        while self.at != to:
            for _ in range(2):
                x, y = self.at
                dx, dy = to[0] - x, to[1] - y
                self.at = x + (dx > 0) - (dx < 0), y + (dy > 0) - (dy < 0)
            self.tick += 1

    def hunt(self, node: Any, answer: Any, spot: int, spots: list[Spot]) -> int:
        """Ticks until one stands within a tile of a spot, by a plan."""
        while "tile" in node:
            self.go((node["tile"][0], node["tile"][1]), node.get("uses", []))
            self.tick += self.stop
            node = node["answers"][answer(self.at, spots[spot])]
        assert spot in node.get("spots", [node.get("spot")])
        marked = {dig["spot"]: dig.get("uses", []) for dig in node.get("digs", [])}
        for use in marked.get(spot, []):
            self.go((use["to"][0], use["to"][1]), [use])
        return self.tick + ticks_to_spot(self.at, spots[spot])
