"""Plans over weighted spots: exact on small maps, else the cheapest of several candidates.

The kernel's search treats all spots as equally likely and places as exact, so its plans are
candidates: each is priced with the weights, and a dig replaces scans where it serves all spots left
at no more ticks. With slack, scans come from the kernel's ranking and are moved to a tile whose
neighbours within the slack give the same answers, if there is one.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import gcd

from cluewise.core.work import Job, Progress, SliceTimer
from cluewise.desks.scan.engine.best_plan import best_plan, toward
from cluewise.desks.scan.engine.decision_tree import Node, actions_of, choose
from cluewise.desks.scan.engine.planner import NEVER, Planner, Policy, Tile
from cluewise.desks.scan.engine.posterior import (
    Dig,
    Known,
    Posterior,
    Scan,
    Step,
    Weights,
    set_of,
    support,
    tiles_around,
    without,
)
from cluewise.desks.scan.engine.posterior_exact import ExactPosterior, fits_exactly
from cluewise.desks.scan.scene import steps_between
from cluewise.errors import TooLarge

COMPARED = 8  # first scans whose plans are compared
TRIED = 32  # ranked scans that are tried for enough room
FEW = 5  # spots up to which a dig that may find nothing is tried at every state

Priced = tuple[float, Scan]


@dataclass(frozen=True, slots=True)
class Option:
    """A first step: the cost of the plan with it, its tile, and whether it is a dig."""

    total: float
    tile: Tile
    digs: bool


@dataclass(frozen=True, slots=True)
class PosteriorPlans:
    """The compared first steps, best first (in the policy's order unless it is `search`), and the
    plan of the best one; `least`: proven optimal."""

    posterior: Posterior
    options: list[Option]
    plan: Step
    total: float
    least: bool


def posterior_plans(
    planner: Planner, here: Tile, policy: Policy, effort: int, *, digs: bool
) -> Job[PosteriorPlans]:
    """Return the plans of a policy for the weighted spots of a planner."""
    planner.use_passing_pulses(False)
    posterior = Posterior(planner, digs=digs)
    builder = PlanBuilder(posterior, policy, effort)
    found = yield from builder.compare(here)
    if policy != "search" or not fits_exactly(posterior):
        return found
    try:
        exact = ExactPosterior(posterior, here, found.total)
        steps = yield from exact.first_steps(posterior.weights, here)
        if not steps or steps[0][0] > found.total:  # equal up to rounding
            return PosteriorPlans(posterior, found.options, found.plan, found.total, True)
        _, tile, is_dig = steps[0]
        plan = yield from exact.follow(posterior.weights, tile, is_dig)
    except TooLarge:
        return found
    options = [Option(*step) for step in steps]
    seen = {_key(posterior, option) for option in options}
    options += [option for option in found.options if _key(posterior, option) not in seen]
    options.sort(key=lambda one: one.total)
    return PosteriorPlans(posterior, options, plan, options[0].total, True)


def _key(posterior: Posterior, option: Option) -> object:
    """Return the partition of a first step, to remove duplicates."""
    if option.digs:
        return posterior.served(option.tile)
    return tuple(sorted(posterior.parts(posterior.weights, option.tile).items()))


class PlanBuilder:
    """Builds plans state by state, memoized, from scans ranked or searched by the kernel."""

    def __init__(self, posterior: Posterior, policy: Policy, effort: int) -> None:
        self.posterior, self.planner = posterior, posterior.planner
        self.policy, self.effort = policy, effort
        self.pace = SliceTimer(first=16)
        self.known = dict[tuple[Weights, Tile], tuple[float, Step]]()

    def compare(self, here: Tile) -> Job[PosteriorPlans]:
        """Compare the first steps by their plans."""
        weights, scans = self.posterior.weights, list[Priced]()
        for tile in (yield from self._first_tiles(here)):
            scans += yield from self._scan(weights, here, tile)
            yield Progress(0, None, "comparing plans")
        if not self.posterior.slack:
            scans += yield from self._price_searched_plan(here)
        if self.policy == "search":
            scans.sort(key=lambda one: one[0])
        digs = yield from self._digs(weights, here, may_fail=self.posterior.digs or not scans)
        every = [Option(total, step.tile, False) for total, step in scans]
        every += [Option(total, step.tile, True) for total, step in digs]
        first = dict[object, Option]()
        for option in every:
            first.setdefault(_key(self.posterior, option), option)
        options = list(first.values())
        plans: list[tuple[float, Step]] = [*scans[:1], *digs]
        total, plan = min(plans, key=_rank_key)
        if self.policy == "search":
            options.sort(key=lambda one: one.total)
        return PosteriorPlans(self.posterior, options, plan, total, False)

    def solve(self, weights: Weights, here: Tile) -> Job[tuple[float, Step]]:
        """Return the cost of a good plan of a state, and the plan."""
        factor = gcd(*weights)
        state = tuple(w // factor for w in weights)
        if (state, here) not in self.known:
            self.known[state, here] = yield from self._solve(state, here)
        total, step = self.known[state, here]
        return total * factor, step

    def _solve(self, weights: Weights, here: Tile) -> Job[tuple[float, Step]]:
        left = support(weights)
        if len(left) == 1:
            return self.posterior.price(Known(), weights, here), Known()
        scans = list[Priced]()
        for tile in (yield from self._tiles(weights, here)):
            scans += yield from self._scan(weights, here, tile)
        may_fail = not scans or (self.posterior.digs and len(left) <= FEW)
        digs = yield from self._digs(weights, here, may_fail=may_fail)
        plans: list[tuple[float, Step]] = [*scans, *digs]
        if not plans:  # every further step leads to where some spot cannot be reached
            return self.posterior.price(Known(), weights, here), Known()
        return min(plans, key=_rank_key)

    def _reaches_all(self, weights: Weights, tile: Tile) -> bool:
        """Whether every spot of a state can be reached from a tile."""
        ticks = self.planner.ticks_from(tile)
        return all(ticks[j] < NEVER for j in support(weights))

    # ---- scans ----------------------------------------------------------------------------

    def _scan(self, weights: Weights, here: Tile, tile: Tile) -> Job[list[Priced]]:
        """Return the plan that begins with a scan; [] if some answer excludes nothing."""
        posterior, walk = self.posterior, self.planner.walk_ticks(here, tile)
        parts = posterior.parts(weights, tile)
        if walk >= NEVER or not self._reaches_all(weights, tile):
            return []
        if not posterior.distinguishes(weights, parts):
            return []
        total, answers = 0.0, dict[str, Step]()
        for name, part in parts.items():
            if name.startswith("3"):
                answers[name] = Known()
                total += posterior.price(Known(), part, tile)
            else:
                value, answers[name] = yield from self.solve(part, tile)
                total += value
        spent = sum(weights) * (walk + posterior.stop)
        return [(spent + total / posterior.places, Scan(tile, answers))]

    def _first_tiles(self, here: Tile) -> Job[list[Tile]]:
        """Return candidates for the first scan: the best ranked, one towards a likely spot."""
        planner, weights = self.planner, self.posterior.weights
        if self.posterior.slack:
            return (yield from self._tiles_with_room(weights, here, COMPARED))
        actions = yield from actions_of(planner, planner.everything, here, self.policy, COMPARED)
        return list(
            dict.fromkeys([a.tile for a in actions] + self._tile_toward_likeliest(weights, here))
        )

    def _tiles(self, weights: Weights, here: Tile) -> Job[list[Tile]]:
        """Return candidates for a later scan."""
        if self.posterior.slack:
            return (yield from self._tiles_with_room(weights, here, 1))
        spots = set_of(weights)
        action = yield from choose(self.planner, spots, here, self.policy, self.effort, self.pace)
        return ([action.tile] if action else []) + self._tile_toward_likeliest(weights, here)

    def _tile_toward_likeliest(self, weights: Weights, here: Tile) -> list[Tile]:
        """Return the first tile on the path to a spot with at least half of the weight from which,
        with the slack, it gives a triple; [] without such a spot."""
        heaviest = max(weights)
        if self.policy != "search" or 2 * heaviest < sum(weights):
            return []
        if self.planner.walled or self.planner.stairs:
            return []
        spot = self.planner.spots[weights.index(heaviest)]
        return [toward(here, spot, max(0, self.planner.scene.reach - self.posterior.slack))]

    def _tiles_with_room(self, weights: Weights, here: Tile, count: int) -> Job[list[Tile]]:
        """With slack, return the ranked scans, moved to tiles whose neighbours answer alike.

        A scan without such a tile is kept if each of its answers excludes a spot.
        """
        actions = yield from actions_of(self.planner, set_of(weights), here, self.policy, TRIED)
        certain, others = dict[Tile, None](), dict[Tile, None]()
        for tile in [
            *self._tile_toward_likeliest(weights, here),
            *(action.tile for action in actions),
        ]:
            with_room = self._with_room(weights, here, tile)
            if with_room is not None:
                certain[with_room] = None
            elif self.posterior.distinguishes(weights, self.posterior.parts(weights, tile)):
                others[tile] = None
            if len(certain) >= count:
                break
        return [*certain, *others][:count]

    def _with_room(self, weights: Weights, here: Tile, tile: Tile) -> Tile | None:
        """Return the nearest tile whose neighbours within the slack have the answers of `tile`."""
        scene, left = self.planner.scene, support(weights)
        spots = [self.planner.spots[j] for j in left]
        answers = [scene.answer(tile, s, with_levels=self.planner.with_levels) for s in spots]
        if len(set(answers)) == 1 and not answers[0].startswith("3"):
            return None
        places = tiles_around(tile, self.posterior.slack)
        places.sort(key=lambda one: (steps_between(here, one), steps_between(tile, one)))
        for place in places:
            found = self.posterior.answers(place)
            if all(set(found[j]) == {a} for j, a in zip(left, answers, strict=True)):
                return place
        return None

    def _price_searched_plan(self, here: Tile) -> Job[list[Priced]]:
        """Return the plan of the kernel's search, priced with the weights."""
        plan = yield from best_plan(self.planner, here, self.policy, self.effort)
        if plan.tree is None:
            return []
        total, step = yield from self._price_tree(plan.tree, self.posterior.weights, here)
        return [(total, step)] if isinstance(step, Scan) else []

    def _price_tree(
        self, node: Node, weights: Weights, here: Tile, *, first: bool = True
    ) -> Job[tuple[float, Step]]:
        """Convert a tree of the kernel to a plan; a dig replaces scans if it costs no more."""
        total, answers = 0.0, dict[str, Step]()
        step: Step
        children = node.children
        for name, part in self.posterior.parts(weights, node.tile).items():
            child = children.get(name)
            if name.startswith("3"):
                value, step = self.posterior.price(Known(), part, node.tile), Known()
            elif child is not None:
                value, step = yield from self._price_tree(child, part, node.tile, first=False)
            else:
                value, step = yield from self.solve(part, node.tile)
            total, answers[name] = total + value, step
        total += sum(weights) * (self.planner.walk_ticks(here, node.tile) + self.posterior.stop)
        plans: list[tuple[float, Step]] = [(total, Scan(node.tile, answers))]
        if not first:
            plans += yield from self._digs(weights, here, may_fail=False)
        return min(plans, key=_rank_key)

    # ---- digs -----------------------------------------------------------------------------

    def _digs(
        self, weights: Weights, here: Tile, *, may_fail: bool
    ) -> Job[list[tuple[float, Dig]]]:
        """Return the plans that begin with a dig for all spots, or with `may_fail` for some."""
        posterior, left, found = self.posterior, support(weights), list[tuple[float, Dig]]()
        for group in posterior.groups(weights):
            if len(group) < len(left) and not may_fail:
                continue
            nearest = posterior.dig_tile(here, group)
            if nearest is None:
                continue
            ticks, tile = nearest
            served = posterior.served_with(group, tile, weights)
            rest = without(weights, served)
            total, otherwise = float(ticks * sum(weights)), None
            if not self._reaches_all(rest, tile):
                continue
            if any(rest):
                value, otherwise = yield from self.solve(rest, tile)
                total += posterior.stop * sum(rest) + value
            found.append((total, Dig(tile, tuple(served), otherwise)))
        return found


def _rank_key(plan: tuple[float, Step]) -> tuple[float, bool, bool]:
    """Return the sort key: the cost, then digs before scans, first those that cannot fail."""
    total, step = plan
    return total, not isinstance(step, Dig), isinstance(step, Dig) and step.otherwise is not None
