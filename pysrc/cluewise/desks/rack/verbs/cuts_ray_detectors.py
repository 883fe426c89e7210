"""The X-or-Y ray with a detector: two values named for several wires of a stand.

It succeeds if at least one of the wires has either value; the bomb goes off if all are red. Both
chances are exact: for one and two wires by the tables of conditional chances of double detectors,
for more by posteriors, and only for the `KEPT` likeliest per stand and detector. These are found by
branch and bound: candidates in descending order of an upper bound, until none can be better.
Bounds for three wires (Bonferroni): at least the sum of their chances less all three pairwise
intersections, at most the sum less the two largest of them.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations
from math import fsum

from cluewise.core.work import Job, Progress
from cluewise.desks.rack.engine import counting
from cluewise.desks.rack.game.legal import DETECTORS, nameable
from cluewise.desks.rack.results import Action, Cut
from cluewise.desks.rack.stand import RED, VALUE_NAMES
from cluewise.desks.rack.verbs.cuts_several import Aim, Detectors

KEPT = 3  # per stand and detector
EQUAL = 1e-12  # chances that differ by less are equal
Pair = tuple[int, int]  # two values


@dataclass(frozen=True, slots=True)
class Candidate:
    """Wires and two values; the chance of success is between `least` and `most`."""

    least: float
    most: float
    aim: Aim
    pair: Pair


class RayDetectors:
    """Computes the likeliest cuts with the ray and a detector into `found`."""

    def __init__(self, detectors: Detectors) -> None:
        self.detectors, self.hand, self.plan = detectors, detectors.hand, detectors.hand.plan
        self.found: list[Cut] = []
        self._success: dict[tuple[int | None, int, int], float] = {}  # by part, elements, value

    def compute(self, actions: set[str]) -> Job[None]:
        """Compute the given detectors on every stand; none if the ray is not among the actions."""
        ray = set(nameable(self.hand.rules, "either", self.hand.held))
        for action in DETECTORS if "either" in actions else ():
            numbers = sorted(ray & set(nameable(self.hand.rules, action, self.hand.held)))
            if action not in actions or len(numbers) < 2:
                continue
            for stand, part in self.detectors.parts.items():
                done = Progress(stand, len(self.hand.position.stands), "detectors with the ray")
                tables = ConditionalTables(self.detectors, part)
                if action != "super":
                    yield from tables.fill(numbers, done)
                yield from self._stand(action, stand, tables, numbers, done)

    def _stand(
        self,
        action: Action,
        stand: int,
        tables: ConditionalTables,
        numbers: list[int],
        done: Progress,
    ) -> Job[None]:
        """Find the likeliest candidates of a stand by branch and bound."""
        pairs = list(combinations(numbers, 2))
        aims = [aim for aim in self.detectors.aims(stand, action) if aim.elements]
        best: list[tuple[float, Candidate]] = []
        for one in sorted(_candidates(tables, aims, pairs), key=lambda c: -c.most):
            if len(best) == KEPT and best[-1][0] >= one.most - EQUAL:
                break
            chance = one.least
            if one.most - one.least > EQUAL:
                chance = yield from self._chance(one, done)
            if chance > 0:
                best = sorted([*best, (chance, one)], key=_rank)[:KEPT]
        for chance, one in best:
            yield from self._add(action, one, chance, tables, done)

    def _chance(self, one: Candidate, done: Progress) -> Job[float]:
        """Compute P(first value) + P(not the first) P(second value | not the first)."""
        first, second = one.pair
        key = (one.aim.part, one.aim.mask, first)
        if key not in self._success:
            self._success[key] = yield from self.detectors.success(self.plan, one.aim, first, done)
        p = self._success[key]
        if p > 1 - EQUAL:
            return p
        plan = self.plan.without(one.aim.part or 0, one.aim.mask, first)
        return p + (1 - p) * (yield from self.detectors.success(plan, one.aim, second, done))

    def _add(
        self,
        action: Action,
        one: Candidate,
        chance: float,
        tables: ConditionalTables,
        done: Progress,
    ) -> Job[None]:
        aim, part = one.aim, tables.part
        certain = False
        if chance >= 1 - 1e-9:
            plan = self.plan.without(part, aim.mask, one.pair[0])
            certain = not counting.possible(plan.without(part, aim.mask, one.pair[1]))
        red = 0.0
        if not certain and not aim.safe(RED):
            number = next(v for v in one.pair if v in self.plan.counts_as)
            red = (yield from self.detectors.evaluate(aim, number, done)).red
        slots = [slot for slot, _ in aim.known]
        slots += [self.plan.parts[part].slots[e] for e in aim.elements]
        value = "/".join(VALUE_NAMES[v] for v in one.pair)
        success = 1.0 if certain else min(chance, 1.0)
        self.found.append(Cut(action, aim.stand, sorted(slots), value, success, red, None, certain))


class ConditionalTables:
    """Chances of one and of two elements of a stand, `table[e]` from `Detectors.conditional`."""

    def __init__(self, detectors: Detectors, part: int) -> None:
        self.detectors, self.part = detectors, part
        self.size = counting.VALUES * len(detectors.plan.parts[part].slots)
        self.chance = [detectors.hand.by_value(part, e) for e in range(self.size // 15)]
        self.table: list[array[float]] = []

    def fill(self, numbers: list[int], done: Progress) -> Job[None]:
        """Compute the conditional chances of every element, for the values."""
        mask = sum(1 << v for v in numbers)
        for e in range(len(self.chance)):
            self.table.append((yield from self.detectors.conditional(self.part, e, mask, done)))

    def one(self, element: int, pair: Pair) -> float:
        """Return the chance of either value."""
        return self.chance[element][pair[0]] + self.chance[element][pair[1]]

    def both(self, a: int, b: int, pair: Pair) -> float:
        """Return the chance that both elements have one of the values."""
        rows = ((v * self.size + b * counting.VALUES, pair) for v in pair)
        return fsum(self.table[a][at + w] for at, some in rows for w in some)


def _candidates(
    tables: ConditionalTables, aims: list[Aim], pairs: Iterable[Pair]
) -> Iterator[Candidate]:
    """Yield candidates with bounds, except those that cannot be among the `KEPT` likeliest."""
    lowest: list[float] = []
    for pair in pairs:
        one = [tables.one(e, pair) for e in range(len(tables.chance))]
        shared: dict[tuple[int, int], float] = {}
        for aim in aims:
            if aim.match(pair[0]) or aim.match(pair[1]):
                continue  # a known wire: a plain cut is as certain
            sum_ = fsum(one[e] for e in aim.elements)
            if sum_ <= 0 or (len(lowest) == KEPT and sum_ < lowest[-1] - EQUAL):
                continue
            least, most = 0.0, min(sum_, 1.0)
            if len(aim.elements) <= 3 and tables.table:
                common = sorted(_intersections(tables, aim, pair, shared))
                least = sum_ - fsum(common)
                most = min(most, least + (common[0] if len(common) == 3 else 0.0))
            lowest = sorted([*lowest, least], reverse=True)[:KEPT]
            yield Candidate(max(least, 0.0), most, aim, pair)


def _intersections(
    tables: ConditionalTables, aim: Aim, pair: Pair, cache: dict[tuple[int, int], float]
) -> Iterator[float]:
    """Yield for every two of the elements the chance that both have one of the values."""
    for a, b in combinations(aim.elements, 2):
        if (a, b) not in cache:
            cache[a, b] = tables.both(a, b, pair)
        yield cache[a, b]


def _rank(one: tuple[float, Candidate]) -> tuple[object, ...]:
    """Return the sort key: likeliest first, ties by slots and values."""
    chance, candidate = one
    return -round(chance, 12), candidate.aim.elements, candidate.aim.known, candidate.pair
