"""The rule of a scan, and the spots that fit a position's clues.

>>> pulse((0, 0), (3, -1), 3), pulse((0, 0), (4, 0), 3), pulse((0, 0), (7, 0), 3)
(3, 2, 1)
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import msgspec

from cluewise.core.conflict import bit_indices
from cluewise.desks.scan import walls
from cluewise.desks.scan.position import (
    Observation,
    Position,
    Stairs,
    floor_of,
    range_of,
    spots_of,
)
from cluewise.errors import BadPosition, Contradiction

Rect = tuple[int, int, int, int]  # x0, y0, x1, y1, inclusive
Tile = tuple[int, ...]  # x, y; where stairs lead to other levels, the level too

HALF_WORLD, WORLD = 6400, 12800  # a dungeon lies 6400 tiles north of what is above it
LIKELY, SURE = 70, 95  # percent: the spots that plans consider, and the certainty to dig
COMPLEMENT_EXTRA = 15  # tiles beyond the range at which the complement shows


def steps_between(here: tuple[int, ...], to: tuple[int, ...]) -> int:
    """Return the steps from one tile to another on open ground, diagonal ones included."""
    return max(abs(to[0] - here[0]), abs(to[1] - here[1]))


def ticks_between(here: tuple[int, ...], to: tuple[int, ...]) -> int:
    """Return the ticks of a run between two tiles on open ground, two tiles each."""
    return (steps_between(here, to) + 1) >> 1


def along(here: Tile, tile: Tile, ticks: int) -> Tile:
    """Return the tile of a run on open ground after some ticks: diagonal first, then straight.

    >>> along((0, 0), (5, -20), 2), along((0, 0), (5, -20), 4)
    ((4, -4), (5, -8))
    """
    far = 2 * ticks
    dx, dy = tile[0] - here[0], tile[1] - here[1]
    return here[0] + max(-far, min(far, dx)), here[1] + max(-far, min(far, dy)), *here[2:]


def pulse(tile: Tile, spot: tuple[int, ...], reach: int) -> Literal[1, 2, 3]:
    """3 (triple) within `reach` tiles, 2 (double) within twice that, else 1; ends included."""
    distance = steps_between(tile, spot)
    return 3 if distance <= reach else 2 if distance <= 2 * reach else 1


def complement_y(y: int) -> int:
    """Return the y of the same place above or below ground."""
    return (y + HALF_WORLD) % WORLD


def on_other_level(tile: Tile, spot: tuple[int, int, int], reach: int) -> bool:
    """Whether a scan at the tile shows "different level" for the spot."""
    if spot[2] != tile[2]:
        return True
    return steps_between(tile, (spot[0], complement_y(spot[1]))) <= reach + COMPLEMENT_EXTRA


@dataclass(frozen=True)
class ScanModel:
    """A position with derived data: all spots, the effective range, the spots of each clue."""

    position: Position
    spots: tuple[tuple[int, int, int], ...]
    reach: int
    floor: int
    with_levels: bool
    beyond: tuple[int, ...] = ()
    """Spots that fit but cannot be reached: plans exclude them."""

    @classmethod
    def of(cls, position: Position) -> ScanModel:
        """Return the scene of a checked position."""
        levels = position.levels == "use"
        return cls(position, spots_of(position), range_of(position), floor_of(position), levels)

    @cached_property
    def everything(self) -> int:
        """All spots as a set of bits."""
        return (1 << len(self.spots)) - 1

    @cached_property
    def clues(self) -> list[int]:
        """The spots that each clue leaves, as bits: observations first, then rule-outs."""
        seen = [self.left_by(o) for o in self.position.observations]
        return seen + [self.everything & ~(1 << i) for i in self.position.ruled_out]

    @cached_property
    def fitting(self) -> list[int]:
        """The numbers of the spots that no clue excludes."""
        return bit_indices(self.fitting_clues(range(len(self.clues))))

    def fitting_clues(self, clues: Iterable[int]) -> int:
        """Return the spots that fit some of the clues, as bits."""
        left = self.everything
        for i in clues:
            left &= self.clues[i]
        return left

    @cached_property
    def remaining(self) -> list[int]:
        """The numbers of the spots that plans consider: those that fit, or the likely ones."""
        left = likely(self.weights) if self.position.misread else self.fitting
        return [i for i in left if i not in self.beyond] if self.beyond else left

    @cached_property
    def stairs(self) -> tuple[Stairs, ...]:
        """The usable stairs: with levels all of the position's, else those on the only floor with
        spots; on a ground their ends are moved to standable tiles."""
        floors = {level for _, _, level in self.spots}
        found = self.position.stairs
        if not self.with_levels:
            found = tuple(one for one in found if floors == {one.at[2]} == {one.to[2]})
        if self.position.walls is None:
            return found
        return tuple(
            msgspec.structs.replace(one, at=self._landing(one.at), to=self._landing(one.to))
            for one in found
        )

    def _landing(self, end: tuple[int, int, int]) -> tuple[int, int, int]:
        assert self.position.walls is not None
        here = walls.on_floor(self.position.walls, end[2])
        return (*(walls.landing_tile(here, end[:2]) or end[:2]), end[2])

    def walls_on(self, level: int) -> walls.Walls | None:
        """Return the walls of a floor; without stairs and walls by floor, those of all floors."""
        given = self.position.walls
        if given is None or not (given.floors or self.position.stairs):
            return given
        return walls.on_floor(given, level)

    def walls_at(self, tile: Tile) -> walls.Walls | None:
        """Return the walls of a tile's floor."""
        return self.walls_on((*tile, self.floor)[2])

    @cached_property
    def has_ground(self) -> bool:
        """Whether some floor's walls come from the game's collision data."""
        given = self.position.walls
        if given is None:
            return False
        return given.ground is not None or any(one.ground is not None for one in given.floors)

    def tile(self, at: Tile) -> Tile:
        """Return a place as a tile: with stairs with its level, by default the current one."""
        return (*at, self.floor)[:3] if self.stairs else (at[0], at[1])

    @cached_property
    def weights(self) -> list[int]:
        """The posterior of the spots up to a factor, as integers, from a uniform prior.

        A clue is misread, single as double or the reverse, at `misread` percent; triples are always
        read correctly. If no spot fits under that model, every clue may be wrong at that rate.
        Without misreading, spots that fit weigh 1 and the others 0.
        """
        rate = self.position.misread
        if not rate:
            fits = set(self.fitting)
            return [int(i in fits) for i in range(len(self.spots))]
        misread = self._posterior(rate, 0)
        return misread if any(misread) else self._posterior(rate, rate)

    def _posterior(self, misread: int, wrong: int) -> list[int]:
        """Return the weights if clues are misread, or wrong otherwise, at these percentages."""
        weights = [1] * len(self.spots)
        seen = self.position.observations
        swapped = [  # a triple stays one
            self.left_by(msgspec.structs.replace(o, pulse=3 - o.pulse) if o.pulse < 3 else o)
            for o in seen
        ] + [0] * len(self.position.ruled_out)
        for clue, other in zip(self.clues, swapped, strict=True):
            if clue == self.everything:
                continue
            for i in range(len(weights)):
                right, swapped_right = clue >> i & 1, other >> i & 1
                weights[i] *= 100 - misread if right else misread if swapped_right else wrong
        return weights

    @cached_property
    def leading(self) -> int | None:
        """The number of a spot with at least LIKELY percent of the weight, but not certain.

        None without such a spot, or if pulses are not misread.
        """
        few = _largest(self.weights, LIKELY) if self.position.misread else []
        return few[0] if len(few) == 1 < len(self.remaining) and few[0] in self.remaining else None

    def answer(
        self, tile: Tile, spot: tuple[int, int, int], *, with_levels: bool | None = None
    ) -> str:
        """Return the answer of a spot at a tile: "2"; with levels "2d" if the sign shows."""
        name = str(pulse(tile, spot, self.reach))
        if not (self.with_levels if with_levels is None else with_levels):
            return name
        place = (*tile, self.floor)[:3]
        return name + ("d" if on_other_level(place, spot, self.reach) else "")

    def must_remain(self) -> list[int]:
        """Return `remaining`; raise `Contradiction` if the clues exclude every spot."""
        if self.spots and not self.remaining:
            raise Contradiction(
                "No spot is left: what you saw and ruled out cannot all be right. "
                "Ask `doubt` for the clues that disagree.",
                "$.position.observations",
            )
        return self.remaining

    def must_reach(self, spot: int) -> None:
        """Raise `BadPosition` if no path leads to a spot."""
        if spot in self.beyond:
            raise BadPosition(
                f"Spot {spot + 1} cannot be reached on this ground from where you start.",
                "$.position.walls.ground",
            )

    def left_by(self, seen: Observation) -> int:
        """Return the spots that an observation leaves, as bits; all if it is ignored."""
        if seen.ignored:
            return self.everything
        return sum(1 << i for i, spot in enumerate(self.spots) if self.could_give(seen, spot))

    def could_give(self, seen: Observation, spot: tuple[int, int, int]) -> bool:
        """Whether the spot could have given the answer, at the tile or anywhere in the area."""
        if seen.at is not None:
            x, y, level = (*seen.at, self.floor)[:3]
            slack = self.position.slack
            area: Rect = (x - slack, y - slack, x + slack, y + slack)
        else:
            assert seen.area is not None
            area, level = seen.area, self.floor
        if not self.with_levels or seen.different_level is None:
            return could_pulse(area, spot, self.reach, seen.pulse)
        if spot[2] != level:
            return seen.different_level and could_pulse(area, spot, self.reach, seen.pulse)
        parts = cut_area(area, spot, self.reach + COMPLEMENT_EXTRA, inside=seen.different_level)
        return any(could_pulse(part, spot, self.reach, seen.pulse) for part in parts)

    @cached_property
    def start(self) -> Tile:
        """The current tile: the position's, else that of the last pulse, else the start of a
        practice, else the centre of the remaining spots.

        An assumed tile that is a wall is replaced by the nearest free one, on terrain also a given
        tile, such as a landmark.
        """
        if self.position.here is not None:
            return self._landed(self.tile(self.position.here))
        last = self._last_place
        if last is not None:
            return last
        xs = [self.spots[i][0] for i in self.remaining] or [0]
        ys = [self.spots[i][1] for i in self.remaining] or [0]
        centre = (min(xs) + max(xs)) // 2, (min(ys) + max(ys)) // 2
        return self.tile(self._free(centre))

    @property
    def _last_place(self) -> Tile | None:
        """Where the last counted pulse was seen, or its area's middle; else a practice's start."""
        for seen in reversed(self.position.observations):
            if seen.ignored:
                continue
            if seen.at is not None:
                return self.tile((*self._free(seen.at[:2]), *seen.at[2:]))
            assert seen.area is not None
            x0, y0, x1, y1 = seen.area
            return self.tile(self._free(((x0 + x1) // 2, (y0 + y1) // 2)))
        hidden = self.position.practice
        return None if hidden is None else self.tile(hidden.start)

    def _landed(self, tile: Tile) -> Tile:
        """Return the tile; on terrain the nearest standable one within the landing area."""
        given = self.walls_at(tile)
        if given is None or given.ground is None or walls.is_outside(given, (tile[0], tile[1])):
            return tile
        return (*walls.nearest_free(given, (tile[0], tile[1]), walls.LANDING), *tile[2:])

    def _free(self, tile: Tile) -> Tile:
        """Return the tile, or the nearest one that is no wall."""
        given = self.walls_on(self.floor)
        return tile if given is None else walls.nearest_free(given, (tile[0], tile[1]))


def likely(weights: list[int]) -> list[int]:
    """Return the indices of the largest weights with the share that plans consider, ascending.

    >>> likely([1, 60, 30, 9]), likely([2, 94, 2, 2]), likely([2, 95, 2, 1])
    ([1, 2], [0, 1, 2, 3], [1])

    A single index needs the larger share SURE, else more are added. Of equal weights all or none
    are included.
    """
    few = _largest(weights, LIKELY)
    return few if len(few) > 1 else _largest(weights, SURE)


def _largest(weights: list[int], share: int) -> list[int]:
    order = sorted(range(len(weights)), key=lambda i: (-weights[i], i))
    kept: list[int] = []
    total, mass = sum(weights), 0
    for i in order:
        enough = 100 * mass >= share * total
        if not weights[i] or (enough and weights[i] < weights[kept[-1]]):
            break
        kept.append(i)
        mass += weights[i]
    return sorted(kept)


def could_pulse(area: Rect, spot: tuple[int, ...], reach: int, answer: int) -> bool:
    """Whether some tile of the area gives that pulse.

    Distances to the tiles of a rectangle take every whole value between the least and the
    greatest, so the two ends decide.
    """
    x0, y0, x1, y1 = area
    x, y = spot[0], spot[1]
    least = max(x0 - x, x - x1, y0 - y, y - y1, 0)
    greatest = max(x1 - x, x - x0, y1 - y, y - y0)
    if answer == 3:
        return least <= reach
    if answer == 1:
        return greatest > 2 * reach
    return max(least, reach + 1) <= min(greatest, 2 * reach)


def cut_area(area: Rect, spot: tuple[int, ...], half: int, *, inside: bool) -> list[Rect]:
    """Return the parts of an area inside or outside the square round the spot's complement."""
    x, y = spot[0], complement_y(spot[1])
    x0, y0, x1, y1 = area
    a, b, c, d = max(x0, x - half), max(y0, y - half), min(x1, x + half), min(y1, y + half)
    if a > c or b > d:
        return [] if inside else [area]
    if inside:
        return [(a, b, c, d)]
    parts = [(x0, y0, x1, b - 1), (x0, d + 1, x1, y1), (x0, b, a - 1, d), (c + 1, b, x1, d)]
    return [p for p in parts if p[0] <= p[2] and p[1] <= p[3]]
