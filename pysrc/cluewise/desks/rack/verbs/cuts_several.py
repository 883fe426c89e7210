"""Cuts that point at several wires: detectors, and the mission's cut of several wires.

A detector names one value for wires of one stand. If several wires match, or several may take the
token, the holder chooses uniformly. Known wires may be pointed at too: they match for certain, or
they prevent an explosion, which needs all wires to be red.

For the mission's cut, the chance that all slots of a set hold the value is a product of conditional
chances, one posterior each, and exact. Sets are found by beam search, slot by slot, so a likelier
set may be missed.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from itertools import chain, combinations
from math import fsum

import msgspec

from cluewise.core.work import Job, Progress
from cluewise.desks.rack.engine import counting
from cluewise.desks.rack.engine.counting import snap_ties
from cluewise.desks.rack.engine.encoding import DealModel
from cluewise.desks.rack.engine.token_convention import TokenConvention
from cluewise.desks.rack.game.legal import Place, known_value, nameable, pointed_count
from cluewise.desks.rack.game.table_edits import replace_slot
from cluewise.desks.rack.position import Position
from cluewise.desks.rack.results import Action, Cut
from cluewise.desks.rack.stand import RED, VALUE_NAMES
from cluewise.desks.rack.verbs.cuts_hand import PlayerView

Known = tuple[int, int]  # slot, value
MAX_SETS = 6
BEAM_WIDTH = 24  # sets that are extended: so many posteriors per wire


@dataclass(frozen=True, slots=True)
class Aim:
    """Wires of one stand pointed at: unknown elements of a part, and known wires."""

    stand: int
    part: int | None
    elements: tuple[int, ...]
    known: tuple[Known, ...]

    @property
    def mask(self) -> int:
        """The elements (bits)."""
        return sum(1 << e for e in self.elements)

    def match(self, value: int) -> int:
        """Return how many known wires have the value."""
        return sum(v == value for _, v in self.known)

    def safe(self, value: int) -> int:
        """Return how many known wires are neither of the value nor red."""
        return sum(v not in (value, RED) for _, v in self.known)


class Detectors:
    """Computes the cuts with detectors into `found`."""

    def __init__(self, hand: PlayerView) -> None:
        self.hand, self.plan = hand, hand.plan
        self.parts = {stand: part for part, stand in hand.targets()}
        self.found: list[Cut] = []
        # Cache of `conditional`: by part, element, values, and whether tokens count.
        self._rows: dict[tuple[int, int, int, bool], array[float]] = {}

    def compute(self, actions: set[str], triples: int | None) -> Job[None]:
        """Compute the given actions; `triples`: at most so many per stand and value."""
        stands = range(len(self.hand.position.stands))
        for stand in stands:
            if "double" in actions and (numbers := self._numbers("double")):
                yield from self._double(stand, numbers)
            if "super" in actions and (numbers := self._numbers("super")):
                yield from self._super(stand, numbers)
            if "triple" in actions and (numbers := self._numbers("triple")):
                yield from self._triple(stand, numbers, triples)

    def _numbers(self, action: Action) -> list[int]:
        return nameable(self.hand.rules, action, self.hand.held)

    def _pointable(self, stand: int, action: str) -> tuple[list[int], list[Known]]:
        """Return what may be pointed at: elements, and known wires with what they count as."""
        part = self.parts.get(stand)
        elements = [] if part is None else self.hand.pointed_elements(part, action)
        known = [
            (slot, RED if value == self.hand.rules.deadly else value)
            for _, slot, value in self.hand.known_targets(action, stand)
        ]
        return elements, known

    def aims(self, stand: int, action: str) -> list[Aim]:
        """Return every set of wires that a detector may point at."""
        elements, known = self._pointable(stand, action)
        size = pointed_count(action, len(elements) + len(known))
        part = self.parts.get(stand)
        return [
            Aim(stand, part, some, others)
            for n in range(size + 1)
            for some in combinations(elements, n)
            for others in combinations(known, size - n)
            if size
        ]

    def _add(self, action: Action, aim: Aim, value: int, numbers: counting.Detected) -> None:
        if numbers.success <= 0:
            return
        slots = [slot for slot, _ in aim.known]
        if aim.part is not None:
            slots += [self.plan.parts[aim.part].slots[e] for e in aim.elements]
        certain = bool(aim.match(value)) or self._certain(aim, value, numbers.success)
        self.found.append(
            Cut(action, aim.stand, sorted(slots), VALUE_NAMES[value], numbers.success,
                numbers.red, numbers.gain, certain)
        )  # fmt: skip

    def _certain(self, aim: Aim, value: int, success: float) -> bool:
        """Return whether no deal is without the value there; tested only if it looks so."""
        if success < 1 - 1e-9 or aim.part is None:
            return False
        return not counting.possible(self.plan.without(aim.part, aim.mask, value))

    def evaluate(self, aim: Aim, value: int, done: Progress) -> Job[counting.Detected]:
        """Compute success, red and gain of any detector."""
        match, layer = aim.match(value), self._layer(value)
        if aim.part is None or not aim.elements or layer is None:
            return counting.Detected(1.0 if match else 0.0, 0.0, 0.0)
        token_kind = self.hand.token_kind(aim.stand)
        numbers = yield from counting.detector(
            self.plan,
            counting.DetectorCut(aim.part, aim.mask, layer, token_kind, aim.safe(value), match),
            done,
        )
        if token_kind == counting.BY_COUNT and aim.safe(value) and numbers.success < 1:
            return counting.Detected(numbers.success, numbers.red, None)
        return self._without_inexact_gain(aim, numbers)

    def _without_inexact_gain(self, aim: Aim, numbers: counting.Detected) -> counting.Detected:
        """Return the numbers, without a gain that is not exact."""
        exact = aim.part is not None and self.hand.has_exact_gain(aim.part, aim.elements)
        gain = numbers.gain if exact or numbers.success >= 1 else None
        return counting.Detected(numbers.success, numbers.red, gain)

    def success(self, plan: DealModel, aim: Aim, value: int, done: Progress) -> Job[float]:
        """Compute the chance that some unknown wire has the value; 0 if none is in play."""
        layer = self._layer(value)
        if aim.part is None or layer is None:
            return 0.0
        yield done
        return counting.detector_success(
            plan, counting.DetectorCut(aim.part, aim.mask, layer, 0, 0, 0)
        )

    def _layer(self, value: int) -> int | None:
        return self.plan.counts_as.index(value) if value in self.plan.counts_as else None

    def _progress(self, stand: int, what: str) -> Progress:
        return Progress(stand, len(self.hand.position.stands), what)

    def _double(self, stand: int, numbers: list[int]) -> Job[None]:
        """Compute pairs; those of unknown wires from tables of conditional chances."""
        done = self._progress(stand, "pairs of wires")
        for aim in self.aims(stand, "double"):
            if len(aim.elements) == 2:
                continue
            for value in numbers:
                self._add("double", aim, value, (yield from self.evaluate(aim, value, done)))
        elements, _ = self._pointable(stand, "double")
        part = self.parts.get(stand)
        if part is None or len(elements) < 2:
            return
        for row in (yield from self._pairs(part, numbers, done)):
            if row.first in elements and row.second in elements:
                aim = Aim(stand, part, (row.first, row.second), ())
                detected = self._without_inexact_gain(aim, row.numbers)
                self._add("double", aim, row.value, detected)

    def _pairs(self, part: int, numbers: list[int], done: Progress) -> Job[list[counting.Pair]]:
        mask = sum(1 << v for v in numbers)
        elements = len(self.plan.parts[part].slots)
        token_kind = self.hand.token_kind(self.plan.parts[part].stand or 0)
        tables = array("d")
        for e in range(elements):
            tables.extend((yield from self.conditional(part, e, mask, done, token_kind)))
        if token_kind == counting.BY_COUNT:
            chance = counting.joint_row(self.plan, part, -1, RED, 1.0, token_kind)
        else:
            chance = array("d", chain(*(self.hand.by_value(part, e) for e in range(elements))))
        return counting.doubles(elements, mask, token_kind, chance, tables)

    def conditional(
        self, part: int, element: int, values: int, done: Progress, token_kind: int = 0
    ) -> Job[array[float]]:
        """Return the rows of `counting.joint_row` for all values; 0 for values not in the mask."""
        key = part, element, values, token_kind == counting.BY_COUNT
        if key in self._rows:
            return self._rows[key]
        chance = self.hand.by_value(part, element)
        table = array("d")
        for value in range(counting.VALUES):
            if (values | 1 << RED) >> value & 1 and chance[value] > 0:
                yield done
                p = chance[value]
                table += counting.joint_row(self.plan, part, element, value, p, token_kind)
            else:
                size = counting.row_width(token_kind) * len(self.plan.parts[part].slots)
                table.frombytes(bytes(8 * size))
        self._rows[key] = table
        return table

    def _super(self, stand: int, numbers: list[int]) -> Job[None]:
        """Compute the super detector: all uncut wires of a stand."""
        elements, known = self._pointable(stand, "super")
        if not elements and not known:
            return
        aim = Aim(stand, self.parts.get(stand), tuple(elements), tuple(known))
        for value in numbers:
            done = self._progress(stand, "whole stands")
            self._add("super", aim, value, (yield from self.evaluate(aim, value, done)))

    def _triple(self, stand: int, numbers: list[int], keep: int | None) -> Job[None]:
        """Compute triples of hidden slots, the `keep` likeliest per value; ties by slots."""
        done = self._progress(stand, "three wires at once")
        aims = self.aims(stand, "triple")
        for value in numbers if aims else ():
            yield done
            rows = self._successes(stand, value, {len(aim.elements) for aim in aims})
            likely = [1.0 if aim.match(value) else rows.get(aim.elements, 0.0) for aim in aims]
            chance = snap_ties(likely)
            best = sorted(
                (i for i in range(len(aims)) if chance[i] > 0),
                key=lambda i: (-chance[i], aims[i].elements, aims[i].known),
            )
            for i in best[:keep]:
                detected = yield from self.evaluate(aims[i], value, done)
                self._add("triple", aims[i], value, detected)

    def _successes(self, stand: int, value: int, sizes: set[int]) -> dict[tuple[int, ...], float]:
        part, layer = self.parts.get(stand), self._layer(value)
        if part is None or layer is None:
            return {}
        return {
            elements: success
            for size in sizes - {0}
            for elements, success in counting.successes(self.plan, part, layer, size)
        }


def multi_cuts(hand: PlayerView, chosen: TokenConvention) -> Job[list[Cut]]:
    """Return likely sets for the mission's cut of several wires; [] if it has none."""
    special = hand.rules.together
    if special is None or hand.rules.action_fault("together", hand.position.viewer):
        return []
    search = MultiCutSearch(hand.position, chosen, special.value, special.count)
    found = yield from search.run()
    cuts = []
    for places, chance in found:
        stand = places[0][0]
        cuts.append(
            Cut(
                "together",
                stand,
                [j for i, j in places if i == stand],
                VALUE_NAMES[special.value],
                chance,
                1 - chance if special.explodes else 0.0,
                None if chance < 1 else 0.0,
                chance == 1,
                [place for place in places if place[0] != stand],
            )
        )
    return cuts


class MultiCutSearch:
    """Beam search for sets of uncut slots that are likely to all hold a value."""

    def __init__(self, position: Position, chosen: TokenConvention, value: int, size: int) -> None:
        self.position, self.chosen, self.value, self.size = position, chosen, value, size

    def run(self) -> Job[list[tuple[tuple[Place, ...], float]]]:
        """Return up to MAX_SETS sets, likeliest first, each with its exact chance."""
        beam: dict[tuple[Place, ...], float] = {(): 1.0}
        for size in range(self.size):
            extended: dict[tuple[Place, ...], float] = {}
            for chosen, share in beam.items():
                yield Progress(size, self.size, "wires cut together")
                for place, chance in self._conditional_chances(chosen).items():
                    if chance > 0:
                        extended[tuple(sorted((*chosen, place)))] = share * chance
            best = sorted(extended.items(), key=lambda item: (-item[1], item[0]))
            beam = dict(best[:BEAM_WIDTH])
        return list(beam.items())[:MAX_SETS]

    def _conditional_chances(self, chosen: tuple[Place, ...]) -> dict[Place, float]:
        """Compute the chance of the value in each other uncut slot, given the chosen ones."""
        position = self.position
        for place in chosen:
            position = self._with_value(position, place)
        plan = self.chosen.pack(position)
        found: dict[Place, float] = {}
        rows = iter(counting.chances(plan, count=False).rows)
        for part in plan.parts:
            for slot, row in zip(part.slots, rows, strict=False):
                if part.stand is not None:
                    pairs = zip(row, plan.values, strict=True)
                    found[part.stand, slot] = fsum(p for p, v in pairs if v == self.value)
        for i, stand in enumerate(position.stands):
            for j, one in enumerate(stand.slots):
                if one.state == "cut":
                    found.pop((i, j), None)
                elif (i, j) not in found and known_value(position, (i, j)) == self.value:
                    found[i, j] = 1.0
        return {place: chance for place, chance in found.items() if place not in chosen}

    def _with_value(self, position: Position, place: Place) -> Position:
        """Return the position with the value in a hidden slot: all other values are excluded."""
        if known_value(position, place) is not None:
            return position
        slot = position.stands[place[0]].slots[place[1]]
        others = tuple(f"not:{v}" for v in VALUE_NAMES[1:] if v != VALUE_NAMES[self.value])
        return replace_slot(position, *place, msgspec.structs.replace(
            slot, tokens=(*slot.tokens, *others)))  # fmt: skip
