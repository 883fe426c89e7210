"""Exact plans over weighted spots on a small map: dynamic programming over states and tiles.

The value of a state at a tile of the window is the least sum of weight times ticks from there: the
minimum over scans and digs at each tile, then over the walks to it by a distance transform in two
passes (Rosenfeld & Pfaltz 1966) with two tiles a tick. Cost: O(states x tiles); raises `TooLarge`
beyond a limit.
"""

from __future__ import annotations

from functools import reduce
from math import gcd, inf
from operator import add, mul

from cluewise.core.conflict import bit_indices
from cluewise.core.work import Job, Progress
from cluewise.desks.scan.engine.planner import Planner, Tile
from cluewise.desks.scan.engine.posterior import (
    Dig,
    Known,
    Posterior,
    Scan,
    Step,
    Weights,
    set_of,
    support,
    without,
)
from cluewise.desks.scan.scene import steps_between, ticks_between
from cluewise.errors import TooLarge

MOST_SPOTS = 8
MOST_SPOTS_WITH_SLACK = 4  # answers overlap, so that there are many more states
MOST_TILES = 12_000  # of a window
MOST_WORK = 400_000  # tiles of all states together
SMALL_TILES, WORK_OF_SMALL = 1000, 1_500_000  # a window of few tiles may have more states

Rows = list[list[float]]
_Cell = tuple[tuple[tuple[str, Weights], ...], list[int]]  # counts by answer, and the tiles


def has_exact_plans(planner: Planner) -> bool:
    """Whether the program applies: straight walks only, and all spots on one level."""
    levels = {level for _, _, level in planner.spots}
    return len(levels) == 1 and not (planner.walled or planner.teleports or planner.stairs)


def fits_exactly(posterior: Posterior) -> bool:
    """Whether the optimum is likely to be found within the limits."""
    most = MOST_SPOTS_WITH_SLACK if posterior.slack else MOST_SPOTS
    return has_exact_plans(posterior.planner) and len(posterior.weights) <= most


class ExactPosterior:
    """Optimal plans of a posterior over the tiles of a window."""

    def __init__(self, posterior: Posterior, here: Tile, upper: float) -> None:
        self.posterior, self.here = posterior, here
        planner = posterior.planner
        spots, grow = planner.spots, 2 * planner.scene.reach + 1 + posterior.slack
        xs, ys = [s[0] for s in spots], [s[1] for s in spots]
        self.box = min(xs) - grow, min(ys) - grow, max(xs) + grow, max(ys) + grow
        if not posterior.slack:
            self.box = self._box_below(upper)
        x0, y0, x1, y1 = self.box
        self.width, self.height = max(0, x1 - x0 + 1), max(0, y1 - y0 + 1)
        if self.width * self.height > MOST_TILES:
            raise TooLarge("This map is too large for exact plans.")
        self.tiles = [(x, y) for y in range(y0, y1 + 1) for x in range(x0, x1 + 1)]
        small = len(self.tiles) <= SMALL_TILES
        self.most = (WORK_OF_SMALL if small else MOST_WORK) // max(1, len(self.tiles))
        self.fields: list[list[float]] = [
            [steps_between(tile, s) >> 1 for tile in self.tiles] for s in spots
        ]
        self.cells = self._cells()
        self.near = [posterior.served(tile) for tile in self.tiles]
        self.known = dict[Weights, list[float]]()

    def _box_below(self, upper: float) -> tuple[int, int, int, int]:
        """Return the bounding box of the tiles through which a plan can cost at most `upper`.

        Lower bound: at a tile at least two spots are left; the two cheapest detours pass it, all
        other walks are direct.
        """
        x0, y0, x1, y1 = self.box
        spots, weights = self.posterior.planner.spots, self.posterior.weights
        straight = [steps_between(self.here, s) >> 1 for s in spots]
        base = sum(w * t for w, t in zip(weights, straight, strict=True))
        found = []
        for y in range(y0, y1 + 1):
            for x in range(x0, x1 + 1):
                walk = ticks_between(self.here, (x, y))
                least = second = inf
                for s, w, t in zip(spots, weights, straight, strict=True):
                    more = w * (walk + (steps_between((x, y), s) >> 1) - t)
                    if more < least:
                        least, second = more, least
                    elif more < second:
                        second = more
                if base + least + second <= upper:
                    found.append((x, y))
        if not found:
            return 0, 0, -1, -1
        xs, ys = [x for x, _ in found], [y for _, y in found]
        return min(xs), min(ys), max(xs), max(ys)

    def _cells(self) -> list[_Cell]:
        """Group the tiles by the number of places at which each spot gives each answer."""
        cells = dict[tuple[tuple[str, Weights], ...], list[int]]()
        for place, tile in enumerate(self.tiles):
            found = self.posterior.answers(tile)
            names = sorted({name for counts in found for name in counts})
            key = tuple((name, tuple(counts.get(name, 0) for counts in found)) for name in names)
            cells.setdefault(key, []).append(place)
        return list(cells.items())

    # ---- values ---------------------------------------------------------------------------

    def values(self, weights: Weights) -> Job[tuple[list[float], int]]:
        """Return the values of a state divided by its common factor, and that factor."""
        factor = reduce(gcd, weights)
        state = tuple(w // factor for w in weights)
        if state not in self.known:
            left = support(state)
            if len(left) == 1:
                self.known[state] = [float(t) for t in self.fields[left[0]]]
            else:
                if len(self.known) >= self.most:
                    raise TooLarge("These spots have too many states for exact plans.")
                scans = yield from self.scan_values(state)
                digs = yield from self.dig_values(state, scans)
                found = [min(a, b) for a, b in zip(scans, digs, strict=True)]
                self.known[state] = self._spread_walks(found, sum(state))
                yield Progress(0, None, "comparing plans")
        return self.known[state], factor

    def scan_values(self, weights: Weights) -> Job[list[float]]:
        """Return the value of a scan at each tile; infinite if some answer excludes nothing."""
        places, excluded = self.posterior.places, weights.count(0)
        values, stop = [inf] * len(self.tiles), self.posterior.stop * sum(weights)
        alike = dict[tuple[Weights, ...], list[int]]()
        for answers, tiles in self.cells:
            shown: Weights = (0,) * len(weights)
            parts = list[Weights]()
            for name, counts in answers:
                part = tuple(map(mul, weights, counts))
                if name[0] == "3":
                    shown = tuple(map(add, shown, part))
                elif part.count(0) == excluded:
                    break  # this answer excludes no spot
                elif any(part):
                    parts.append(part)
            else:
                alike.setdefault((shown, *parts), []).extend(tiles)
        for (triples, *others), tiles in alike.items():
            fields: list[tuple[list[float], int]] = [
                (self.fields[j], w) for j, w in enumerate(triples) if w
            ]
            for part in others:
                found = yield from self.values(part)
                fields.append(found)
            for tile in tiles:
                total = 0.0
                for field, factor in fields:
                    total += field[tile] * factor
                values[tile] = stop + total / places
        return values

    def dig_values(self, weights: Weights, scans: list[float]) -> Job[list[float]]:
        """Return the value of a dig at each tile, the plan after a failed dig included."""
        left = set_of(weights)
        values, posterior = [inf] * len(self.tiles), self.posterior
        may_fail = posterior.digs or self._is_inseparable(weights, scans)
        for served in {near & left for near in self.near if near & left}:
            if served != left and not may_fail:
                continue
            rest = without(weights, bit_indices(served))
            after, factor = (
                ([0.0] * len(values), 1) if served == left else (yield from self.values(rest))
            )
            fail = posterior.stop * sum(rest)
            for place, near in enumerate(self.near):
                if near & left == served:
                    values[place] = fail + factor * after[place]
        return values

    def _is_inseparable(self, weights: Weights, scans: list[float]) -> bool:
        """Whether no scan distinguishes the spots of a state."""
        spots = [self.posterior.planner.spots[j] for j in support(weights)]
        if not self.posterior.slack and len({s[:2] for s in spots}) > 1:
            return False  # a scan that does may lie outside the window
        return min(scans, default=inf) == inf

    def _spread_walks(self, values: list[float], mass: int) -> list[float]:
        """Return the minimum over the walks to a scan or dig: the distance transform."""
        wide = self.width
        rows = [values[i : i + wide] for i in range(0, len(values), wide)]
        rows = _pass(rows, mass)
        rows = _pass([row[::-1] for row in rows[::-1]], mass)
        return [value for row in rows[::-1] for value in row[::-1]]

    # ---- the plan -------------------------------------------------------------------------

    def first_steps(self, weights: Weights, here: Tile) -> Job[list[tuple[float, Tile, bool]]]:
        """Return the first steps of a state, best first: value, tile, whether it is a dig.

        Of scans with equal partitions, and of digs for the same spots, only the best.
        """
        scans = yield from self.scan_values(weights)
        digs = yield from self.dig_values(weights, scans)
        mass, best = sum(weights), dict[object, tuple[float, bool, int, int]]()
        keys = [(True, near) for near in self.near]
        for kind, values in ((False, scans), (True, digs)):
            for place, value in enumerate(values):
                if value == inf:
                    continue
                x, y = self.tiles[place]
                walk = ticks_between(here, (x, y))
                found = value + mass * walk, not kind, y, x
                key: object = keys[place] if kind else self._cell_of(weights, (x, y))
                if key not in best or found < best[key]:
                    best[key] = found
        return [(total, (x, y), not scans) for total, scans, y, x in sorted(best.values())]

    def _cell_of(self, weights: Weights, tile: Tile) -> object:
        return tuple(sorted(self.posterior.parts(weights, tile).items()))

    def plan(self, weights: Weights, here: Tile) -> Job[Step]:
        """Return the optimal plan of a state."""
        if len(support(weights)) == 1:
            return Known()
        _, tile, digs = (yield from self.first_steps(weights, here))[0]
        return (yield from self.follow(weights, tile, digs))

    def follow(self, weights: Weights, tile: Tile, digs: bool) -> Job[Step]:
        """Return the optimal plan of a state after a given first step."""
        if digs:
            served = bit_indices(self.posterior.served(tile) & set_of(weights))
            rest = without(weights, served)
            return Dig(
                tile, tuple(served), (yield from self.plan(rest, tile)) if any(rest) else None
            )
        answers = dict[str, Step]()
        for name, part in self.posterior.parts(weights, tile).items():
            known = name.startswith("3")
            answers[name] = Known() if known else (yield from self.plan(part, tile))
        return Scan(tile, answers)


def _pass(rows: Rows, mass: int) -> Rows:
    """Do one pass of the distance transform: down the rows, to the right along each."""
    found, near, far = list[list[float]](), None, None
    for row in rows:
        if near is not None:
            row = [min(v, o + mass) for v, o in zip(row, near, strict=True)]
        if far is not None:
            row = [min(v, o + mass) for v, o in zip(row, far, strict=True)]
        one = two = inf
        walked = []
        for value in row:
            offer = (min(two, one)) + mass
            if offer < value:
                value = offer
            walked.append(value)
            one, two = value, one
        found.append(walked)
        edge = [inf, inf]
        padded = edge + walked + edge
        far, near = near, list(map(min, walked, padded, padded[1:], padded[3:], padded[4:]))
    return found
