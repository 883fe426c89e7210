"""Encodes a position as DEAL ENCODING for the kernel (wasm_build/kernel/rack/rack.h).

A layer is a wire code that may be unplaced, in ascending order; an element is an unknown slot.
Constraints on a single slot (order, parity, "not 7", colour, a label next to a known wire) become
the mask of wires allowed there. Constraints between slots (multiplicity, labels between unknown
neighbours, "has") are passed as numbers. Facts that contradict each other already here raise
Contradiction.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from cluewise.desks.rack.game.missions import mission_of, treated_as_red
from cluewise.desks.rack.position import LABELS, TIMES, Position, in_play, wire_of
from cluewise.desks.rack.stand import (
    RED,
    Slot,
    Stand,
    value_number,
    value_of,
    wire_code,
    wire_name,
)
from cluewise.errors import BadPosition, Contradiction, TooLarge
from cluewise.kernel.layouts import RACK

ASK_DOUBT = "Ask for doubt to see which facts cannot all hold."
MAX_UNSORTED = RACK.UNSORTED  # per stand
MAX_PAIRS = RACK.PAIRS  # per stand

Knows = Callable[[int, Slot], "int | None"]


@dataclass(frozen=True, slots=True)
class UnknownSlot:
    """A slot whose wire is unknown: layers that may stand there (bit d), the number on its token.

    `hidden` is False for a shown yellow of unknown number: it satisfies no `has`.
    """

    mask: int
    times: int = 0
    hidden: bool = True

    def encode(self) -> list[int]:
        """Return `[allowed low, allowed high, times, hidden]`."""
        return [*halves(self.mask), self.times, int(self.hidden)]


@dataclass(frozen=True, slots=True)
class StandModel:
    """A part of the deal, a stand or a box; `slots[e]` is the slot of element e.

    `has`: bit v if a hidden wire has value v; `visible`, `exact` by value and `known` by layer as
    in rack.h; `pairs` of elements with a label between them, or turned together.
    """

    stand: int | None
    slots: list[int]
    elements: list[UnknownSlot]
    unsorted: int
    has: int
    visible: list[int]
    exact: list[int]
    known: list[int]
    pairs: list[tuple[int, int, int]]

    def encode(self) -> list[int]:
        """Return the part's numbers in the order of rack.h."""
        head = [len(self.slots) - self.unsorted, self.unsorted, len(self.pairs), self.has]
        body = [number for element in self.elements for number in element.encode()]
        labels = [int(number) for pair in self.pairs for number in pair]
        return head + self.visible + self.exact + self.known + body + labels

    def without(self, pointed: int, layers: int) -> StandModel:
        """Return the part with some layers forbidden on the elements of a mask."""
        elements = [
            replace(element, mask=element.mask & ~layers) if pointed >> e & 1 else element
            for e, element in enumerate(self.elements)
        ]
        return replace(self, elements=elements)


@dataclass(slots=True)
class DealModel:
    """The model of a deal: its layers, its parts, and both as DEAL ENCODING (`encoded`).

    `deadly`: a value that counts as red if a cut points at it; `counts_as`: by layer the value, or
    red for that one.
    """

    codes: list[int]
    copies: list[int]
    parts: list[StandModel]
    tile_removal: bool = False
    deadly: int | None = None
    encoded: array[int] = field(init=False)
    values: list[int] = field(init=False)
    counts_as: list[int] = field(init=False)

    def __post_init__(self) -> None:
        self.values = [value_of(code) for code in self.codes]
        self.counts_as = [RED if value == self.deadly else value for value in self.values]
        self.encoded = array("i", [int(self.tile_removal), len(self.codes), len(self.parts)])
        for numbers in zip(self.values, self.copies, self.counts_as, strict=True):
            self.encoded.extend(numbers)
        for part in self.parts:
            self.encoded.extend(part.encode())

    @property
    def elements(self) -> int:
        """The number of slots, box places included, whose wire is unknown."""
        return sum(len(part.slots) for part in self.parts)

    def layers_of(self, value: int) -> int:
        """Return the layers of a value (bits)."""
        return sum(1 << d for d, v in enumerate(self.values) if v == value)

    def without(self, part: int, pointed: int, value: int) -> DealModel:
        """Return the model with a value forbidden on some elements of a part."""
        parts = list(self.parts)
        parts[part] = parts[part].without(pointed, self.layers_of(value))
        return replace(self, parts=parts)


def viewer_knows(position: Position) -> Knows:
    """Return a function for what the viewer knows: public wires, own ones, and entered ones.

    A wire entered in a teammate's hidden slot was seen, for example handed over. Without a viewer
    no hidden wire is known.
    """

    def knows(stand: int, slot: Slot) -> int | None:
        if slot.state == "hidden" and position.viewer is None:
            return None
        return wire_of(slot)

    return knows


def public(stand: int, slot: Slot) -> int | None:
    """Return what all players know of a slot: the code of a cut or shown wire, else None."""
    return None if slot.state == "hidden" else wire_of(slot)


def pack(position: Position, *, tile_removal: bool = False) -> DealModel:
    """Build the model of the whole table as the viewer sees it.

    Raises Contradiction if single facts contradict each other, BadPosition if the wires in play do
    not fill the slots exactly, TooLarge beyond the kernel's limits.
    """
    knows = viewer_knows(position)
    left = pool(position, knows)
    codes = sorted(code for code, copies in left.items() if copies)
    parts = [
        part
        for i, stand in enumerate(position.stands)
        if (part := pack_stand(stand, i, codes, knows)).slots
    ]
    if turns_two(position):
        parts = [turned_pair(position, part, codes, knows) for part in parts]
    boxes = [
        _box(codes, [wire_code(w) for w in group.of], len(group.of) - group.drawn)
        for group in position.wires.groups
        if group.drawn < len(group.of)
    ]
    if position.wires.aside:
        boxes.append(_box(codes, list(codes), position.wires.aside))
    _check_sizes(position, sum(len(p.slots) for p in parts + boxes), sum(left.values()))
    parts = parts + boxes or [_box(codes, [], 0)]
    return DealModel(codes, [left[c] for c in codes], parts, tile_removal, treated_as_red(position))


def pack_one(stand: Stand, index: int, left: Counter[int]) -> DealModel:
    """Build the model of one stand by public information; `left`: wires on it or elsewhere."""
    codes = sorted(code for code, copies in left.items() if copies)
    return DealModel(codes, [left[c] for c in codes], [pack_stand(stand, index, codes, public)])


def unplaced(position: Position, knows: Knows) -> Counter[int]:
    """Return the copies whose place is unknown; negative if more are shown than are in play."""
    left = in_play(position.wires)
    left.subtract(wire_code(name) or 0 for name in position.known_elsewhere)
    for i, stand in enumerate(position.stands):
        for slot in stand.slots:
            code = knows(i, slot)
            if code is not None:
                left[code] -= 1
    return left


def pool(position: Position, knows: Knows) -> Counter[int]:
    """Return `unplaced`; raise Contradiction if more copies are shown than are in play."""
    left = unplaced(position, knows)
    for code, copies in sorted(left.items()):
        if copies < 0:
            shown = in_play(position.wires)[code] - copies
            raise Contradiction(
                f"{shown} copies of {wire_name(code)} are shown, but only {shown + copies} are in "
                f"play. {ASK_DOUBT}",
                "$.stands",
            )
    return left


def _check_sizes(position: Position, slots: int, copies: int) -> None:
    if slots == copies:
        return
    boxed = position.wires.aside + sum(len(g.of) - g.drawn for g in position.wires.groups)
    raise BadPosition(
        f"{copies - boxed} wires are not placed yet, but {slots - boxed} slots are open. "
        "Stands and wires in play must match.",
        "$.stands",
    )


def _box(codes: list[int], candidates: list[int | None], places: int) -> StandModel:
    """Model wires on no stand, such as a group's undrawn ones, as a part that no player sees."""
    mask = sum(1 << d for d, code in enumerate(codes) if code in candidates)
    none = [0] * 15
    elements = [UnknownSlot(mask)] * places
    return StandModel(None, list(range(places)), elements, 0, 0, none, none, [0] * len(codes), [])


def halves(mask: int) -> tuple[int, int]:
    """Split a mask into two 32-bit integers, low half first."""
    low, high = mask & 0xFFFFFFFF, mask >> 32
    return low - (1 << 32) if low >> 31 else low, high


def lacked_values(stand: Stand) -> set[int | None]:
    """Return the values of which a stand hides no wire."""
    return {value_number(fact.value) for fact in stand.facts if fact.kind == "lacks"}


def allowed_layers(slot: Slot, lacks: set[int | None], codes: list[int]) -> int:
    """Return the layers (bits) that a slot's tokens allow; its stand `lacks` those values."""
    denied = {value_number(token[4:]) for token in slot.tokens if token.startswith("not:")}
    denied |= lacks if slot.state == "hidden" else set()
    denied |= {RED} if not TIMES.keys().isdisjoint(slot.tokens) else set()
    parities = [token == "odd" for token in slot.tokens if token in ("even", "odd")]
    if not denied and not parities:
        return (1 << len(codes)) - 1
    return sum(
        1 << d
        for d, code in enumerate(codes)
        if value_of(code) not in denied
        and all(code % 10 == 0 and code // 10 % 2 == odd for odd in parities)
    )


class _Builder:
    """Collects masks, counts and pairs of one stand, and raises where its facts contradict."""

    def __init__(self, stand: Stand, index: int, codes: list[int], knows: Knows) -> None:
        self.stand = stand
        self.codes = codes
        self.lacks = lacked_values(stand)
        self.where = f"$.stands[{index}]"
        self.wires = [knows(index, slot) for slot in stand.slots]
        self.masks = [self._own_mask(slot) if w is None else 0 for slot, w in self._slots()]
        self.visible = Counter(value_of(w) for w in self.wires if w is not None)
        self.exact: dict[int, int] = {}
        self.pairs: list[tuple[int, int, int]] = []
        self.has = 0

    def _slots(self) -> list[tuple[Slot, int | None]]:
        return list(zip(self.stand.slots, self.wires, strict=True))

    def clash(self, message: str, where: str) -> Contradiction:
        """Return the error for facts of this stand that contradict each other."""
        return Contradiction(f"{message} {ASK_DOUBT}", self.where + where)

    def value_mask(self, value: int) -> int:
        """Return the layers of a value (bits)."""
        return sum(1 << d for d, code in enumerate(self.codes) if value_of(code) == value)

    def _own_mask(self, slot: Slot) -> int:
        mask = allowed_layers(slot, self.lacks, self.codes)
        if slot.value is not None:
            mask &= self.value_mask(value_number(slot.value) or 0)
        return mask

    def check_known(self) -> None:
        """Check tokens on known wires; multiplicity tokens fix the number of the value."""
        for i, (slot, code) in enumerate(self._slots()):
            if code is None:
                continue
            value = value_of(code)
            for j, token in enumerate(slot.tokens):
                where = f".slots[{i}].tokens[{j}]"
                if token in TIMES and value != RED:
                    self._fix(value, TIMES[token], where)
                elif not allowed_layers(Slot(tokens=(token,)), set(), [code]):
                    raise self.clash(f"A token {token} lies on {wire_name(code)}.", where)

    def _fix(self, value: int, times: int, where: str) -> None:
        if self.exact.setdefault(value, times) != times:
            raise self.clash("Two tokens give different numbers for one value.", where)

    def apply_order(self) -> None:
        """Bound unknown slots by their nearest known sorted neighbours."""
        every = (1 << len(self.codes)) - 1
        low, at, above = 0, -1, every
        for i, (slot, code) in enumerate(self._slots()):
            if "unsorted" in slot.tokens:
                continue
            if code is None:
                self.masks[i] &= above
                continue
            if code < low:
                raise self.clash(
                    f"{wire_name(code)} stands right of {wire_name(low)}.", f".slots[{i}]"
                )
            below = (1 << bisect_right(self.codes, code)) - 1
            for j in range(at + 1, i):
                self.masks[j] &= -1 if "unsorted" in self.stand.slots[j].tokens else below
            low, at, above = code, i, every - (1 << bisect_right(self.codes, code - 1)) + 1

    def apply_labels(self) -> None:
        """Apply labels between neighbours: masks next to a known wire, pairs of unknown ones."""
        for i, slot in enumerate(self.stand.slots[:-1]):
            for token in slot.tokens:
                if token in LABELS:
                    self._apply_label(i, LABELS[token])

    def _apply_label(self, i: int, equal: bool) -> None:
        left, right = self.wires[i], self.wires[i + 1]
        if left is not None and right is not None:
            if (value_of(left) == value_of(right)) != equal:
                raise self.clash("A label between two known wires is wrong.", f".slots[{i}].tokens")
        elif left is None and right is None:
            self.pairs.append((i, i + 1, equal))
        else:
            mask = self.value_mask(value_of(left if left is not None else right or 0))
            open_slot = i if left is None else i + 1
            self.masks[open_slot] &= mask if equal else ~mask

    def apply_facts(self) -> None:
        """Check `has`, `lacks` and `one` against known wires; collect those not yet satisfied."""
        held = {
            value_of(code)
            for slot, code in self._slots()
            if code is not None and slot.state == "hidden"
        }
        for i, fact in enumerate(self.stand.facts):
            value = value_number(fact.value) or 0
            if fact.kind == "one":
                self._fix(value, 1, f".facts[{i}]")
            elif fact.kind == "lacks":
                if value in held:
                    raise self.clash(f"A hidden {fact.value} stands here.", f".facts[{i}]")
            elif value not in held:
                self.has |= 1 << value
                if not self.value_mask(value):
                    raise self.clash(
                        f"No {fact.value} is left that could be hidden here.", f".facts[{i}]"
                    )

    def check_counts(self, unknown: bool) -> None:
        """Check numbers and facts that no unknown slot can change."""
        for value, times in self.exact.items():
            if (not unknown or not self.value_mask(value)) and self.visible[value] != times:
                raise self.clash(f"Exactly {times} of one value cannot be right.", ".slots")
        if self.has and not unknown:
            raise self.clash("A wire that should be hidden here is not.", ".facts")


def pack_stand(stand: Stand, index: int, codes: list[int], knows: Knows) -> StandModel:
    """Model a stand; its elements are the sorted unknown slots, then the unsorted ones."""
    build = _Builder(stand, index, codes, knows)
    build.check_known()
    build.apply_order()
    build.apply_labels()
    build.apply_facts()
    unknown = [i for i, code in enumerate(build.wires) if code is None]
    unsorted = [i for i in unknown if "unsorted" in stand.slots[i].tokens]
    build.check_counts(bool(unknown))
    if len(unsorted) > MAX_UNSORTED:
        raise TooLarge(
            f"At most {MAX_UNSORTED} hidden unsorted wires fit one stand.", build.where + ".slots"
        )
    if len(build.pairs) > MAX_PAIRS:
        raise TooLarge(
            f"At most {MAX_PAIRS} labels between hidden wires fit one stand.", build.where
        )
    slots = [i for i in unknown if i not in unsorted] + unsorted
    known = Counter(
        code for slot, code in build._slots() if code is not None and "unsorted" not in slot.tokens
    )
    element = {slot: e for e, slot in enumerate(slots)}
    return StandModel(
        index,
        slots,
        [_element(stand.slots[i], build.masks[i]) for i in slots],
        len(unsorted),
        build.has,
        [build.visible[v] for v in range(15)],
        [build.exact.get(v, 0) for v in range(15)],
        [known[code] for code in codes],
        [(element[left], element[right], int(equal)) for left, right, equal in build.pairs],
    )


def turns_two(position: Position) -> bool:
    """Return whether two wires of every player are turned away from the owner, the lower left."""
    mission = mission_of(position)
    rule = mission.rule("flipped") if mission else None
    return rule is not None and rule["count"] == 2


def turned_pair(position: Position, part: StandModel, codes: list[int], knows: Knows) -> StandModel:
    """Return the part with the order of its two turned wires, if both stand on it."""
    assert part.stand is not None
    slots = position.stands[part.stand].slots
    turned = [j for j, slot in enumerate(slots) if "unsorted" in slot.tokens]
    unknown = [j for j in turned if j in part.slots]
    if len(turned) != 2 or not unknown:
        return part
    first = part.slots.index(unknown[0])
    if len(unknown) == 2:
        pair = (first, part.slots.index(unknown[1]), RACK.RISING)
        return replace(part, pairs=[*part.pairs, pair])
    left = unknown[0] == turned[0]
    other = knows(part.stand, slots[turned[1] if left else turned[0]])
    assert other is not None
    mask = sum(1 << d for d, c in enumerate(codes) if (c <= other if left else c >= other))
    elements = list(part.elements)
    elements[first] = replace(elements[first], mask=elements[first].mask & mask)
    half = [(first, codes.index(other), int(RACK.HALVED))] if other in codes else []
    return replace(part, elements=elements, pairs=[*part.pairs, *half])


def _element(slot: Slot, mask: int) -> UnknownSlot:
    times = {TIMES[t] for t in slot.tokens if t in TIMES}
    return UnknownSlot(mask if len(times) < 2 else 0, max(times, default=0), slot.state == "hidden")
