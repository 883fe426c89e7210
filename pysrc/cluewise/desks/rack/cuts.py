"""What to cut: every legal cut with its success, its risk and what it would tell.

The wire pointed at is what the table learns: a success shows the wire, a failure its value (a
yellow one stays "yellow"; a red one ends the game). Detectors name numbers only. The holder of
several matching wires, or of several that may take the token, chooses evenly.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from itertools import combinations
from math import log2

import msgspec

from cluewise.core.work import Job, Progress
from cluewise.desks.rack.engine import counting
from cluewise.desks.rack.engine.packing import Plan, pack
from cluewise.desks.rack.front import front
from cluewise.desks.rack.position import Position, Slot, wire_of
from cluewise.desks.rack.posterior import ASSUMED
from cluewise.desks.rack.results import Action, Cut, Cuts, CutsOptions
from cluewise.desks.rack.ties import settle
from cluewise.desks.rack.wires import RED, VALUE_NAMES, YELLOW, value_number, value_of
from cluewise.errors import BadOption, BadPosition

ACTIONS: tuple[Action, ...] = ("dual", "solo", "reveal", "double", "triple", "super", "either")
TRIPLES_KEPT = 3
FAILURE = {
    "standard": "A failed cut shows the wire's value.",
    "parity": "A failed cut shows whether the wire is even or odd; a failed detector its value.",
    "multiplicity": "The bits of a failed cut are those of a token with the wire's value.",
}


def cuts(position: Position, options: CutsOptions) -> Job[Cuts]:
    """Legal cuts, certain ones first, then by success, red, gain; and a short list to choose from.

    The expected gain is the drop in the entropy of the deal. Raises BadPosition without a viewer,
    since only a player's own wires can be cut.
    """
    wanted = _wanted(options.actions)
    if position.viewer is None:
        raise BadPosition(
            "Say whose turn it is: cuts are made with the viewer's wires.", "$.viewer"
        )
    start = Progress(0, None, "weighing cuts")
    yield start
    table = Table(position, pack(position, tile_removal=options.model == "tile-removal"))
    found = [*table.solo(), *table.reveal()] if table.held else []
    if "dual" in wanted:
        yield start
        found += table.dual()
    if "either" in wanted:
        yield start
        found += table.either()
    if "double" in wanted:
        found += yield from table.double()
    if "super" in wanted:
        found += yield from table.sweep()
    if "triple" in wanted:
        found += yield from table.triple(None if options.every_triple else TRIPLES_KEPT)
    yield Progress(0, None, "comparing cuts")
    ordered = order(cut for cut in found if cut.action in wanted)
    assumed = f"{ASSUMED[options.model]} {FAILURE[position.token]}"
    return Cuts(options.model, table.chances.bits, ordered, front(ordered), assumed)


def _wanted(names: list[str]) -> set[str]:
    for i, name in enumerate(names):
        if name not in ACTIONS:
            raise BadOption(
                f"{name!r} is no cut; there are {', '.join(ACTIONS)}.", f"$.options.actions[{i}]"
            )
    return set(names or ACTIONS)


def order(found: Iterable[Cut]) -> list[Cut]:
    """Certain first, then success, red, gain; equal numbers made equal so that slots decide."""
    cuts_ = list(found)
    columns = zip(
        settle([c.success for c in cuts_]),
        settle([c.red for c in cuts_]),
        settle([c.gain for c in cuts_]),
        strict=True,
    )
    even = [
        msgspec.structs.replace(
            cut, success=1.0 if cut.certain else success, red=red, gain=max(gain, 0.0)
        )
        for cut, (success, red, gain) in zip(cuts_, columns, strict=True)
    ]
    return sorted(even, key=_key)


def _key(cut: Cut) -> tuple[object, ...]:
    values = [value_number(v) or 0 for v in cut.value.split("/")]
    return (not cut.certain, -cut.success, cut.red, -cut.gain, cut.stand, cut.slots, values,
            ACTIONS.index(cut.action))  # fmt: skip


def held_value(slot: Slot) -> int | None:
    """The value a slot's owner knows to hold there, None if it is cut or not given."""
    if slot.state == "cut":
        return None
    code = wire_of(slot)
    if code is not None:
        return value_of(code)
    return value_number(slot.value) if slot.value is not None else None


class Table:
    """The viewer's turn: her wires, the plan, the chances that every action reads from."""

    def __init__(self, position: Position, plan: Plan) -> None:
        self.position, self.plan = position, plan
        self.chances = counting.chances(plan, count=False)
        self.own = [
            (i, j, slot)
            for i, stand in enumerate(position.stands)
            if position.owner_of(i) == position.viewer
            for j, slot in enumerate(stand.slots)
            if slot.state != "cut"
        ]
        values = [held_value(slot) for _, _, slot in self.own]
        self.held = {v for v in values if v is not None}
        self.numbers = sorted(v for v in self.held if v < YELLOW)
        self.first = [0]
        for part in plan.parts:
            self.first.append(self.first[-1] + len(part.slots))

    def targets(self) -> Iterator[tuple[int, int]]:
        """Parts that are teammates' stands: `(part, stand)`."""
        for p, part in enumerate(self.plan.parts):
            if (
                part.stand is not None
                and self.position.owner_of(part.stand) != self.position.viewer
            ):
                yield p, part.stand

    def hidden(self, part: int) -> list[int]:
        """The elements of a stand that a detector may point at."""
        packed = self.plan.parts[part]
        assert packed.stand is not None
        slots = self.position.stands[packed.stand].slots
        return [e for e, slot in enumerate(packed.slots) if slots[slot].state == "hidden"]

    def by_value(self, part: int, element: int) -> list[float]:
        """Chances of an element by value, 15 numbers."""
        result = [0.0] * counting.VALUES
        row = self.chances.rows[self.first[part] + element]
        for value, p in zip(self.plan.values, row, strict=True):
            result[value] += p
        return result

    def dual(self) -> list[Cut]:
        """One slot of a teammate, one value of the viewer's."""
        mask = sum(1 << v for v in self.held if v <= YELLOW)
        ask = [0] * len(self.plan.parts)
        for p, _ in self.targets():
            ask[p] = mask
        found = []
        for row in counting.dual_cuts(self.plan, ask):
            part = self.plan.parts[row.part]
            assert part.stand is not None
            slot, value = part.slots[row.element], VALUE_NAMES[row.value]
            gain = row.gain
            if self.position.token == "parity":
                gain = self._parity_gain(row.part, row.element, row.value)
            found.append(
                Cut("dual", part.stand, [slot], value, row.success, row.red, gain, row.certain)
            )
        return found + self._shown()

    def _parity_gain(self, part: int, element: int, value: int) -> float:
        """In a mission of even and odd tokens a failure says no more than that."""
        row = self.chances.rows[self.first[part] + element]
        told: dict[tuple[str, int], float] = {}
        for code, called, p in zip(self.plan.codes, self.plan.values, row, strict=True):
            failed = ("value", called) if called >= YELLOW else ("parity", called % 2)
            outcome = ("wire", code) if called == value else failed
            told[outcome] = told.get(outcome, 0.0) + p
        return sum(_information(p) for p in told.values())

    def _shown(self) -> list[Cut]:
        """Certain cuts of wires that everybody knows: a 5 on the table and a 5 of one's own."""
        return [
            Cut("dual", i, [j], VALUE_NAMES[value_of(code)], 1.0, 0.0, 0.0, True)
            for i, stand in enumerate(self.position.stands)
            if self.position.owner_of(i) != self.position.viewer
            for j, slot in enumerate(stand.slots)
            if slot.state == "info"
            and (code := wire_of(slot)) is not None
            and value_of(code) in self.held
            and value_of(code) != RED
        ]

    def _elsewhere(self, value: int) -> bool:
        """Whether an uncut wire of the value may lie on a teammate's stand or is unknown."""
        for part, packed in enumerate(self.plan.parts):
            if packed.stand is None:
                continue
            for e in range(len(packed.slots)):
                if self.by_value(part, e)[value] > 0:
                    return True
        return any(
            held_value(slot) == value and self.position.owner_of(i) != self.position.viewer
            for i, stand in enumerate(self.position.stands)
            for slot in stand.slots
            if slot.state == "info"
        )

    def solo(self) -> list[Cut]:
        """Both or all four of a number, or all yellow, when no other is left anywhere."""
        found = []
        for value in sorted(self.held - {RED}):
            own = [(i, j) for i, j, slot in self.own if held_value(slot) == value]
            if (value == YELLOW or len(own) in (2, 4)) and not self._elsewhere(value):
                found.append(self._own_cut("solo", own, value))
        return found

    def reveal(self) -> list[Cut]:
        """All remaining wires of the viewer, when every one of them is red."""
        if self.held != {RED} or any(held_value(slot) is None for _, _, slot in self.own):
            return []
        return [self._own_cut("reveal", [(i, j) for i, j, _ in self.own], RED)]

    def _own_cut(self, action: Action, places: list[tuple[int, int]], value: int) -> Cut:
        stand = places[0][0]
        slots = [j for i, j in places if i == stand]
        also = [place for place in places if place[0] != stand]
        return Cut(action, stand, slots, VALUE_NAMES[value], 1.0, 0.0, 0.0, True, also)

    def either(self) -> list[Cut]:
        """X-or-Y ray: one slot, two numbers of the viewer's."""
        found = []
        for part, stand in self.targets():
            for e in self.hidden(part):
                chance = self.by_value(part, e)
                gain = sum(_information(p) for p in chance)
                only = [v for v in range(counting.VALUES) if chance[v] > 0]
                slot = self.plan.parts[part].slots[e]
                for a, b in combinations(self.numbers, 2):
                    if not (chance[a] > 0 and chance[b] > 0):
                        continue  # one number alone does the same
                    certain = set(only) <= {a, b}
                    name = f"{a}/{b}"
                    success = chance[a] + chance[b]
                    found.append(
                        Cut("either", stand, [slot], name, success, chance[RED], gain, certain)
                    )
        return found

    def double(self) -> Job[list[Cut]]:
        """Every pair of hidden slots on one stand, every number of the viewer's."""
        mask = sum(1 << v for v in self.numbers)
        found: list[Cut] = []
        for part, stand in self.targets() if mask else ():
            tables = array("d")
            elements = len(self.plan.parts[part].slots)
            for e in range(elements):
                tables.extend((yield from self._conditional(part, e, mask)))
            chance = array("d", (p for e in range(elements) for p in self.by_value(part, e)))
            hidden = set(self.hidden(part))
            for a, b, value, *numbers in counting.doubles(elements, mask, chance, tables):
                if a in hidden and b in hidden:
                    certain = self._certain(part, 1 << a | 1 << b, value, numbers[0])
                    found.append(
                        self._detected("double", part, stand, [a, b], value, numbers, certain)
                    )
        return found

    def _conditional(self, part: int, element: int, values: int) -> Job[array[float]]:
        """The rows of `counting.joint_row` for all values; those not asked for stay 0."""
        done = Progress(self.first[part] + element, self.plan.elements, "pairs of wires")
        chance = self.by_value(part, element)
        table = array("d")
        for value in range(counting.VALUES):
            if (values | 1 << RED) >> value & 1 and chance[value] > 0:
                yield done
                table += counting.joint_row(self.plan, part, element, value, chance[value])
            else:
                table.frombytes(bytes(8 * counting.VALUES * len(self.plan.parts[part].slots)))
        return table

    def _weigh(
        self, part: int, pointed: int, layer: int, done: Progress
    ) -> Job[tuple[float, float, float, bool]]:
        """Success, red, gain and whether it is certain, of any detector."""
        numbers = yield from counting.detector(self.plan, part, pointed, layer, done)
        return *numbers, self._certain(part, pointed, self.plan.values[layer], numbers[0])

    def _detected(
        self,
        action: Action,
        part: int,
        stand: int,
        elements: Iterable[int],
        value: int,
        numbers: Iterable[float],
        certain: bool,
    ) -> Cut:
        success, red, gain = numbers
        slots = sorted(self.plan.parts[part].slots[e] for e in elements)
        return Cut(action, stand, slots, VALUE_NAMES[value], success, red, gain, certain)

    def _certain(self, part: int, pointed: int, value: int, success: float) -> bool:
        """Whether no deal is without the value there: asked only where it looks so."""
        if success < 1 - 1e-9:
            return False
        return not counting.possible(_without(self.plan, part, pointed, value))

    def sweep(self) -> Job[list[Cut]]:
        """Super detector: a whole stand."""
        found: list[Cut] = []
        for part, stand in self.targets():
            hidden = self.hidden(part)
            pointed = sum(1 << e for e in hidden)
            for value in self.numbers if hidden else ():
                layer = self._layer(value)
                if layer is None:
                    continue
                done = Progress(part, len(self.plan.parts), "whole stands")
                *numbers, certain = yield from self._weigh(part, pointed, layer, done)
                if numbers[0] > 0:
                    found.append(
                        self._detected("super", part, stand, hidden, value, numbers, certain)
                    )
        return found

    def triple(self, keep: int | None) -> Job[list[Cut]]:
        """Three hidden slots; by default the `keep` likeliest a stand and number."""
        found: list[Cut] = []
        for part, stand in self.targets():
            hidden = set(self.hidden(part))
            for value in self.numbers:
                layer = self._layer(value)
                if layer is None or len(hidden) < 3:
                    continue
                done = Progress(part, len(self.plan.parts), "three wires at once")
                rows = counting.triple_successes(self.plan, part, layer)
                yield done
                rows = [row for row in rows if hidden.issuperset(row[0])]
                chance = settle([row[1] for row in rows])
                best = sorted(range(len(rows)), key=lambda i: (-chance[i], rows[i][0]))
                for i in best[:keep]:
                    elements = rows[i][0]
                    pointed = sum(1 << e for e in elements)
                    *numbers, certain = yield from self._weigh(part, pointed, layer, done)
                    found.append(
                        self._detected("triple", part, stand, elements, value, numbers, certain)
                    )
        return found

    def _layer(self, value: int) -> int | None:
        return self.plan.values.index(value) if value in self.plan.values else None


def _information(p: float) -> float:
    return -p * log2(p) if p > 0 else 0.0


def _without(plan: Plan, part: int, pointed: int, value: int) -> Plan:
    """The plan with a value forbidden on some elements of a part."""
    words, layers = plan.words[:], len(plan.codes)
    at = 3 + 2 * layers + sum(len(p.words) for p in plan.parts[:part])
    forbidden = sum(1 << d for d, v in enumerate(plan.values) if v == value)
    for e in range(len(plan.parts[part].slots)):
        if pointed >> e & 1:
            place = at + 34 + layers + 4 * e
            mask = (words[place] & 0xFFFFFFFF) | (words[place + 1] & 0xFFFFFFFF) << 32
            mask &= ~forbidden
            for half in (0, 1):
                word = mask >> 32 * half & 0xFFFFFFFF
                words[place + half] = word - (1 << 32) if word >> 31 else word
    return Plan(words, plan.codes, plan.parts)
