"""The ray joined to a detector: two numbers named for several wires of a stand at once.

It works where at least one of the wires has either number; the bomb goes off where all are red.
Both chances are exact: one and two wires by the tables of conditional chances that pairs come
from, more by a posterior each, of the likeliest only (`KEPT` a stand and detector). What lies
between is bounded: three wires hold a number with at most the sum of their chances less two of
what pairs have in common, and with at least the sum less all three.
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

KEPT = 3  # a stand and detector
SLACK = 1e-12  # chances that are nearer than this are equal
Pair = tuple[int, int]  # two numbers


@dataclass(frozen=True, slots=True)
class Candidate:
    """Wires and two numbers; the chance to work is from `least` to `most`."""

    least: float
    most: float
    aim: Aim
    pair: Pair


class RayDetectors:
    """Every detector of the viewer's that the ray may join; `found` are the likeliest."""

    def __init__(self, detectors: Detectors) -> None:
        self.detectors, self.hand, self.plan = detectors, detectors.hand, detectors.hand.plan
        self.found: list[Cut] = []
        self._there: dict[tuple[int | None, int, int], float] = {}  # part, elements, number

    def gather(self, wanted: set[str]) -> Job[None]:
        """Weighs the wanted detectors on every stand; nothing where the ray is not wanted."""
        ray = set(nameable(self.hand.rules, "either", self.hand.held))
        for action in DETECTORS if "either" in wanted else ():
            numbers = sorted(ray & set(nameable(self.hand.rules, action, self.hand.held)))
            if action not in wanted or len(numbers) < 2:
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
        """The likeliest of a stand: candidates by what they may reach, until none reaches more."""
        pairs = list(combinations(numbers, 2))
        aims = [aim for aim in self.detectors.aims(stand, action) if aim.elements]
        best: list[tuple[float, Candidate]] = []
        for one in sorted(_likely(tables, aims, pairs), key=lambda c: -c.most):
            if len(best) == KEPT and best[-1][0] >= one.most - SLACK:
                break
            chance = one.least
            if one.most - one.least > SLACK:
                chance = yield from self._chance(one, done)
            if chance > 0:
                best = sorted([*best, (chance, one)], key=_place)[:KEPT]
        for chance, one in best:
            yield from self._add(action, one, chance, tables, done)

    def _chance(self, one: Candidate, done: Progress) -> Job[float]:
        """The first number there; or, where it is not, the second."""
        first, second = one.pair
        key = (one.aim.part, one.aim.mask, first)
        if key not in self._there:
            alone = self.detectors.alone(self.plan, one.aim, first, done)
            self._there[key] = yield from alone
        there = self._there[key]
        if there > 1 - SLACK:
            return there
        plan = self.plan.without(one.aim.part or 0, one.aim.mask, first)
        return there + (1 - there) * (yield from self.detectors.alone(plan, one.aim, second, done))

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
            red = (yield from self.detectors.weigh(aim, number, done)).red
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
        """The conditional chances of every element, for the numbers."""
        mask = sum(1 << v for v in numbers)
        for e in range(len(self.chance)):
            self.table.append((yield from self.detectors.conditional(self.part, e, mask, done)))

    def one(self, element: int, pair: Pair) -> float:
        """The chance of either number."""
        return self.chance[element][pair[0]] + self.chance[element][pair[1]]

    def both(self, a: int, b: int, pair: Pair) -> float:
        """The chance that both elements have one of the numbers."""
        rows = ((v * self.size + b * counting.VALUES, pair) for v in pair)
        return fsum(self.table[a][at + w] for at, some in rows for w in some)


def _likely(
    tables: ConditionalTables, aims: list[Aim], pairs: Iterable[Pair]
) -> Iterator[Candidate]:
    """Candidates with their bounds; those that cannot be among the `KEPT` likeliest left out."""
    lowest: list[float] = []
    for pair in pairs:
        one = [tables.one(e, pair) for e in range(len(tables.chance))]
        shared: dict[tuple[int, int], float] = {}
        for aim in aims:
            if aim.match(pair[0]) or aim.match(pair[1]):
                continue  # a known wire: a plain cut is as certain
            sum_ = fsum(one[e] for e in aim.elements)
            if sum_ <= 0 or (len(lowest) == KEPT and sum_ < lowest[-1] - SLACK):
                continue
            least, most = 0.0, min(sum_, 1.0)
            if len(aim.elements) <= 3 and tables.table:
                common = sorted(_shared(tables, aim, pair, shared))
                least = sum_ - fsum(common)
                most = min(most, least + (common[0] if len(common) == 3 else 0.0))
            lowest = sorted([*lowest, least], reverse=True)[:KEPT]
            yield Candidate(max(least, 0.0), most, aim, pair)


def _shared(
    tables: ConditionalTables, aim: Aim, pair: Pair, known: dict[tuple[int, int], float]
) -> Iterator[float]:
    """What every two of the elements have in common."""
    for a, b in combinations(aim.elements, 2):
        if (a, b) not in known:
            known[a, b] = tables.both(a, b, pair)
        yield known[a, b]


def _place(one: tuple[float, Candidate]) -> tuple[object, ...]:
    """Likeliest first; of equals the first slots and numbers."""
    chance, candidate = one
    return -round(chance, 12), candidate.aim.elements, candidate.aim.known, candidate.pair
