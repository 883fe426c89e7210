"""Plans over weighted spots: misread pulses, imprecise places, digs that serve several spots.

A state is a tuple of weights, one per spot of the planner; 0 excludes a spot. The weights are
proportional to the posterior after the log (`ScanModel.weights`). A plan costs the sum of weight
times ticks; its mean is that sum divided by the sum of the weights.

With a slack of k tiles a later scan is at each of the (2k + 1)² tiles round the planned one with
equal probability. A cell has every spot that gives the answer at some of them, its weight
multiplied by their number.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from cluewise.desks.scan import walls
from cluewise.desks.scan.engine.abilities import Abilities, Ready
from cluewise.desks.scan.engine.movement import BARE, path_to, path_to_dig, uses_to_json
from cluewise.desks.scan.engine.planner import NEVER, Planner, Tile
from cluewise.desks.scan.engine.tree_json import leaf_to_json
from cluewise.desks.scan.results import PlanOptions
from cluewise.desks.scan.scene import ScanModel, steps_between

Weights = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Known:
    """A leaf: one spot is left, or the arrow of a triple shows it."""


@dataclass(frozen=True, slots=True)
class Scan:
    """Walk to a tile and scan; the step after each answer."""

    tile: Tile
    answers: dict[str, Step]


@dataclass(frozen=True, slots=True)
class Dig:
    """Dig at a tile for the spots that it serves; the step after a dig that finds nothing."""

    tile: Tile
    served: tuple[int, ...]
    otherwise: Step | None = None


Step = Known | Scan | Dig


@dataclass(frozen=True, slots=True)
class MeanCost:
    """The cost of a plan: weighted sums of ticks and scans, and the worst ticks."""

    ticks: float
    worst: int
    scans: float


def support(weights: Weights) -> list[int]:
    """Return the spots whose weight is not 0."""
    return [j for j, weight in enumerate(weights) if weight]


def without(weights: Weights, spots: Sequence[int]) -> Weights:
    """Return the state with some spots excluded."""
    return tuple(0 if j in spots else weight for j, weight in enumerate(weights))


def set_of(weights: Weights) -> int:
    """Return the support as bits."""
    return sum(1 << j for j in support(weights))


def is_uncertain(scene: ScanModel) -> bool:
    """Whether places may be off or the spots are not equally likely."""
    weights = {scene.weights[i] for i in scene.remaining}
    return bool(scene.position.slack) or len(weights) > 1


def spots_left(scene: ScanModel) -> list[tuple[int, int, int]]:
    """Return the remaining spots, each x, y, level."""
    return [scene.spots[i] for i in scene.remaining]


def shares_digs(scene: ScanModel) -> bool:
    """Whether one dig can serve two of the remaining spots."""
    spots = spots_left(scene)
    return any(dig_box([a, b]) for i, a in enumerate(spots) for b in spots[:i])


def needs_posterior(scene: ScanModel, options: PlanOptions) -> bool:
    """Whether plans need weighted spots, or digs that serve several spots.

    Plans with pulses in passing need them only if one dig serves all spots left.
    """
    if options.digs or is_uncertain(scene):
        return True
    if options.listen or options.on_the_way:
        return dig_box(spots_left(scene)) is not None
    return shares_digs(scene)


def dig_box(spots: Sequence[tuple[int, ...]]) -> tuple[int, int, int, int] | None:
    """Return the tiles at which one dig serves all the spots, (x0, y0, x1, y1); None without any.

    >>> dig_box([(100, 100, 0), (101, 100, 0)]), dig_box([(100, 100, 0), (103, 100, 0)])
    ((100, 99, 101, 101), None)
    """
    xs, ys = [s[0] for s in spots], [s[1] for s in spots]
    x0, y0, x1, y1 = max(xs) - 1, max(ys) - 1, min(xs) + 1, min(ys) + 1
    return (x0, y0, x1, y1) if x0 <= x1 and y0 <= y1 and len({s[2] for s in spots}) == 1 else None


class Posterior:
    """The states of a planner's spots: the partition of a scan, the spots that a dig serves."""

    def __init__(self, planner: Planner, *, digs: bool) -> None:
        scene = planner.scene
        self.planner, self.digs, self.stop = planner, digs, planner.stop
        self.weights: Weights = tuple(scene.weights[i] for i in scene.remaining)
        self.slack = scene.position.slack
        self.places = (2 * self.slack + 1) ** 2
        self._answers: dict[Tile, list[dict[str, int]]] = {}

    def answers(self, tile: Tile) -> list[dict[str, int]]:
        """Return for each spot its answers at a tile, with the number of places that give each."""
        found = self._answers.get(tile)
        if found is None:
            scene, levels = self.planner.scene, self.planner.with_levels
            places = tiles_around(tile, self.slack)
            found = self._answers[tile] = []
            for spot in self.planner.spots:
                counts = dict[str, int]()
                for place in places:
                    name = scene.answer(place, spot, with_levels=levels)
                    counts[name] = counts.get(name, 0) + 1
                found.append(counts)
        return found

    def parts(self, weights: Weights, tile: Tile) -> dict[str, Weights]:
        """Return the partition of a state by the answers at a tile."""
        found = self.answers(tile)
        names = sorted({name for j in support(weights) for name in found[j]})
        return {
            name: tuple(w * counts.get(name, 0) for w, counts in zip(weights, found, strict=True))
            for name in names
        }

    def distinguishes(self, weights: Weights, parts: dict[str, Weights]) -> bool:
        """Whether every answer but a triple excludes some spot."""
        count = len(support(weights))
        return all(len(support(p)) < count for n, p in parts.items() if not n.startswith("3"))

    def served(self, tile: Tile) -> int:
        """Return the spots that a dig at a tile serves, as bits."""
        found = 0
        for j, spot in enumerate(self.planner.spots):
            near = steps_between(tile, spot) <= 1
            found |= (near and tile[2:] in ((), spot[2:])) << j
        return found

    def groups(self, weights: Weights) -> Iterator[list[int]]:
        """The sets of spots that a dig at some tile serves."""
        left, spots, seen = support(weights), self.planner.spots, set[tuple[int, ...]]()
        for j in left:
            x, y, level = spots[j]
            near = [k for k in left if dig_box([spots[j], spots[k]])]
            for tile in self._tiles((x - 1, y - 1, x + 1, y + 1), level):
                group = tuple(k for k in near if steps_between(tile, spots[k]) <= 1)
                if group not in seen:
                    seen.add(group)
                    yield list(group)

    def served_with(self, group: Sequence[int], tile: Tile, weights: Weights) -> list[int]:
        """All spots of a state that a dig for a group of them serves at a tile."""
        spots = self.planner.spots
        level = spots[group[0]][2]
        return [
            j
            for j in support(weights)
            if spots[j][2] == level and steps_between(tile, spots[j]) <= 1
        ]

    def dig_tile(self, here: Tile, group: Sequence[int]) -> tuple[int, Tile] | None:
        """Return the ticks to the nearest tile at which one dig serves a group, and the tile."""
        spots = [self.planner.spots[j] for j in group]
        box = dig_box(spots)
        if box is None:
            return None
        found = [
            (self.planner.walk_ticks(here, tile), tile[1], tile)
            for tile in self._tiles(box, spots[0][2])
        ]
        best = min(found, default=None)
        return None if best is None or best[0] >= NEVER else (best[0], best[2])

    def _tiles(self, box: tuple[int, int, int, int], level: int = 0) -> Iterator[Tile]:
        """The tiles of a box that are no walls."""
        x0, y0, x1, y1 = box
        given = self.planner.scene.walls_on(level)
        for y in range(y0, y1 + 1):
            for x in range(x0, x1 + 1):
                if given is None or not walls.is_wall(given, (x, y)):
                    yield (x, y, level) if self.planner.stairs else (x, y)

    # ---- the cost of a plan ---------------------------------------------------------------

    def price(self, step: Step, weights: Weights, here: Tile) -> float:
        """Return the cost of a plan: the sum of weight times ticks over the spots of a state."""
        total = 0.0
        stack = [(step, weights, here, 1)]
        while stack:
            step, weights, here, share = stack.pop()
            mass = sum(weights)
            if isinstance(step, Known):
                ticks = self.planner.ticks_from(here)
                total += sum(weights[j] * ticks[j] for j in support(weights)) / share
                continue
            spent = self.planner.walk_ticks(here, step.tile) * mass
            if isinstance(step, Dig):
                rest = without(weights, step.served)
                spent += self.stop * sum(rest)
                if step.otherwise is not None:
                    stack.append((step.otherwise, rest, step.tile, share))
            else:
                spent += self.stop * mass
                for name, part in self.parts(weights, step.tile).items():
                    stack.append((step.answers[name], part, step.tile, share * self.places))
            total += spent / share
        return total


def tiles_around(tile: Tile, distance: int) -> list[Tile]:
    """Return the tiles of the square within a distance of a tile."""
    offsets = range(-distance, distance + 1)
    return [(tile[0] + u, tile[1] + v, *tile[2:]) for u in offsets for v in offsets]


def plan_to_json(
    posterior: Posterior, plan: Step, here: Tile, kit: Abilities = BARE
) -> tuple[dict[str, Any], MeanCost]:
    """Return a plan as JSON values with the `uses` of its walks, and its cost."""
    encoder = _Encoder(posterior, kit)
    tree = encoder.node(plan, posterior.weights, here, kit.full, 0, 0, 1)
    return tree, MeanCost(encoder.ticks, encoder.worst, encoder.scans)


class _Encoder:
    """Converts the nodes of a plan to JSON and sums the cost of its leaves."""

    def __init__(self, posterior: Posterior, kit: Abilities) -> None:
        self.posterior, self.planner, self.kit = posterior, posterior.planner, kit
        self.ticks, self.scans, self.worst = 0.0, 0.0, 0
        self.has_uses = kit.any or self.planner.teleports or self.planner.stairs

    def node(
        self, step: Step, weights: Weights, here: Tile, ready: Ready, spent: int, scans: int,
        share: int,
    ) -> dict[str, Any]:  # fmt: skip
        if isinstance(step, Known):
            return self._known(weights, here, ready, spent, scans, share)
        gone = path_to(self.planner, here, step.tile, self.kit, ready)
        walk: dict[str, Any] = {
            "walk_ticks": gone.ticks,
            **(uses_to_json(gone) if self.has_uses else {}),
        }
        spent, stop = spent + gone.ticks, self.posterior.stop
        if isinstance(step, Dig):
            served = [j for j in step.served if weights[j]]
            self._end(sum(weights[j] for j in served), spent, scans, share)
            spots = [self.planner.scene.remaining[j] for j in served]
            found = {"dig": list(step.tile), **walk, "spots": spots}
            if step.otherwise is None:
                return found
            rest, later = without(weights, served), (gone.after(stop), spent + stop, scans, share)
            return found | {"else": self.node(step.otherwise, rest, step.tile, *later)}
        later = (gone.after(stop), spent + stop, scans + 1, share * self.posterior.places)
        parts = self.posterior.parts(weights, step.tile)
        answers = {
            name: self.node(step.answers[name], part, step.tile, *later)
            for name, part in parts.items()
        }
        return {"tile": list(step.tile), **walk, "answers": answers}

    def _end(self, weight: int, spent: int, scans: int, share: int) -> None:
        self.ticks += weight * spent / share
        self.scans += weight * scans / share
        self.worst = max(self.worst, spent)

    def _known(
        self, weights: Weights, here: Tile, ready: Ready, spent: int, scans: int, share: int
    ) -> dict[str, Any]:
        paths = {j: path_to_dig(self.planner, here, j, self.kit, ready) for j in support(weights)}
        for j, path in paths.items():
            self._end(weights[j], spent + path.ticks, scans, share)
        return leaf_to_json(self.planner, paths, self.kit)
