"""A position as the kernel's deal words: which wires may stand where.

Everything that one slot knows by itself (order, parity, "not 7", colour, a label beside a known
wire) becomes the mask of wires allowed there. What ties slots together (multiplicity, labels
between unknown neighbours, "has") goes along as numbers; see wasm_build/kernel/rack/rack.h.
One file, because the order of the words is one layout.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from cluewise.desks.rack.position import LABELS, TIMES, Position, Slot, Stand, in_play, wire_of
from cluewise.desks.rack.wires import RED, YELLOW, value_number, value_of, wire_code, wire_name
from cluewise.errors import BadPosition, Contradiction, TooLarge

ASK_DOUBT = "Ask for doubt to see which facts cannot all hold."
MOST_UNSORTED = 4
MOST_PAIRS = 16

Knows = Callable[[int, Slot], "int | None"]


@dataclass(slots=True)
class Part:
    """A stand or a box as the kernel sees it; `slots[e]` is the slot of element e."""

    stand: int | None
    slots: list[int]
    words: list[int]


@dataclass(slots=True)
class Plan:
    """The kernel's words and what its layers and elements mean."""

    words: array[int]
    codes: list[int]
    parts: list[Part]
    values: list[int] = field(init=False)

    def __post_init__(self) -> None:
        self.values = [value_of(code) for code in self.codes]

    @property
    def elements(self) -> int:
        """Slots (box places included) whose wire is unknown."""
        return sum(len(part.slots) for part in self.parts)


def viewer_knows(position: Position) -> Knows:
    """What the viewer knows for sure: public wires, her own, and a teammate's if it is entered.

    A wire entered in another's hidden slot was seen: handed over, or looked at. Nobody in
    particular (`viewer` null) knows no hidden wire.
    """

    def knows(stand: int, slot: Slot) -> int | None:
        if slot.state == "hidden" and position.viewer is None:
            return None
        return wire_of(slot)

    return knows


def public(stand: int, slot: Slot) -> int | None:
    """What everybody knows: cut and shown wires."""
    return None if slot.state == "hidden" else wire_of(slot)


def pack(position: Position, *, tile_removal: bool = False) -> Plan:
    """The whole table as the viewer sees it.

    Raises Contradiction where single facts already clash, BadPosition when the wires in play do
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
    boxes = [
        _box(codes, [wire_code(w) for w in group.of], len(group.of) - group.drawn)
        for group in position.wires.groups
        if group.drawn < len(group.of)
    ]
    _check_sizes(position, sum(len(p.slots) for p in parts + boxes), sum(left.values()))
    return _plan(parts + boxes or [_box(codes, [], 0)], codes, left, tile_removal)


def _plan(parts: list[Part], codes: list[int], left: Counter[int], tile_removal: bool) -> Plan:
    words = array("i", [int(tile_removal), len(codes), len(parts)])
    for code in codes:
        words.extend((value_of(code), left[code]))
    for part in parts:
        words.extend(part.words)
    return Plan(words, codes, parts)


def pack_one(stand: Stand, index: int, left: Counter[int]) -> Plan:
    """One stand as everybody sees it, with the wires `left` to stand on it or elsewhere."""
    codes = sorted(code for code, copies in left.items() if copies)
    return _plan([pack_stand(stand, index, codes, public)], codes, left, False)


def pool(position: Position, knows: Knows) -> Counter[int]:
    """Copies whose place is unknown, by code."""
    left = in_play(position.wires)
    for name in position.known_elsewhere:
        code = wire_code(name)
        assert code is not None
        left[code] -= 1
    for i, stand in enumerate(position.stands):
        for slot in stand.slots:
            code = knows(i, slot)
            if code is not None:
                left[code] -= 1
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
    boxed = sum(len(g.of) - g.drawn for g in position.wires.groups)
    raise BadPosition(
        f"{copies - boxed} wires are not placed yet, but {slots - boxed} slots are open. "
        "Stands and wires in play must match.",
        "$.stands",
    )


def _box(codes: list[int], candidates: list[int | None], places: int) -> Part:
    """The candidates of a group that are not in play, as one more stand that nobody sees."""
    mask = sum(1 << d for d, code in enumerate(codes) if code in candidates)
    words = [places, 0, 0, 0, *[0] * 30, *[0] * len(codes)]
    for _ in range(places):
        words.extend((*_halves(mask), 0, 0))
    return Part(None, list(range(places)), words)


def _halves(mask: int) -> tuple[int, int]:
    low, high = mask & 0xFFFFFFFF, mask >> 32
    return low - (1 << 32) if low >> 31 else low, high


class _Builder:
    """One stand on its way to words."""

    def __init__(self, stand: Stand, index: int, codes: list[int], knows: Knows) -> None:
        self.stand = stand
        self.codes = codes
        self.where = f"$.stands[{index}]"
        self.wires = [knows(index, slot) for slot in stand.slots]
        self.masks = [self._own_mask(slot) if w is None else 0 for slot, w in self._slots()]
        self.visible = Counter(value_of(w) for w in self.wires if w is not None)
        self.exact: dict[int, int] = {}
        self.pairs: list[tuple[int, int, bool]] = []
        self.has = 0

    def _slots(self) -> list[tuple[Slot, int | None]]:
        return list(zip(self.stand.slots, self.wires, strict=True))

    def clash(self, message: str, where: str) -> Contradiction:
        """The error for facts that clash on this stand."""
        return Contradiction(f"{message} {ASK_DOUBT}", self.where + where)

    def value_mask(self, value: int) -> int:
        """The layers that are called `value`."""
        return sum(1 << d for d, code in enumerate(self.codes) if value_of(code) == value)

    def _own_mask(self, slot: Slot) -> int:
        mask = (1 << len(self.codes)) - 1
        if slot.value is not None:
            mask = self.value_mask(value_number(slot.value) or 0)
        for token in slot.tokens:
            mask &= self._token_mask(token)
        if slot.state == "hidden":
            for fact in self.stand.facts:
                if fact.kind == "lacks":
                    mask &= ~self.value_mask(value_number(fact.value) or 0)
        return mask

    def _token_mask(self, token: str) -> int:
        everything = (1 << len(self.codes)) - 1
        if token in ("even", "odd"):
            odd = token == "odd"
            return sum(
                1 << d
                for d, code in enumerate(self.codes)
                if code % 10 == 0 and (code // 10) % 2 == odd
            )
        if token in TIMES:
            return everything & ~self.value_mask(RED)
        if token.startswith("not:"):
            return everything & ~self.value_mask(value_number(token[4:]) or 0)
        return everything

    def check_known(self) -> None:
        """Tokens on wires that are known: they hold, or they fix how many there are."""
        for i, (slot, code) in enumerate(self._slots()):
            if code is None:
                continue
            value = value_of(code)
            for j, token in enumerate(slot.tokens):
                where = f".slots[{i}].tokens[{j}]"
                if token in TIMES and value != RED:
                    self._fix(value, TIMES[token], where)
                elif (
                    token in TIMES
                    or (token in ("even", "odd") and (code % 10 or value % 2 != (token == "odd")))
                    or token == f"not:{_value_name(value)}"
                ):
                    raise self.clash(f"A token {token} lies on {wire_name(code)}.", where)

    def _fix(self, value: int, times: int, where: str) -> None:
        if self.exact.setdefault(value, times) != times:
            raise self.clash("Two tokens give different numbers for one value.", where)

    def bound(self) -> None:
        """Rising order: unknown slots lie between their nearest known sorted neighbours."""
        low, at = 0, -1
        for i, (slot, code) in enumerate(self._slots()):
            if "unsorted" in slot.tokens:
                continue
            if code is None:
                self.masks[i] &= sum(1 << d for d, c in enumerate(self.codes) if c >= low)
                continue
            if code < low:
                raise self.clash(
                    f"{wire_name(code)} stands right of {wire_name(low)}.", f".slots[{i}]"
                )
            below = sum(1 << d for d, c in enumerate(self.codes) if c <= code)
            for j in range(at + 1, i):
                self.masks[j] &= -1 if "unsorted" in self.stand.slots[j].tokens else below
            low, at = code, i

    def label(self) -> None:
        """Labels between neighbours: masks beside a known wire, pairs between unknown ones."""
        for i, slot in enumerate(self.stand.slots[:-1]):
            for token in slot.tokens:
                if token in LABELS:
                    self._one_label(i, LABELS[token])

    def _one_label(self, i: int, equal: bool) -> None:
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

    def facts(self) -> None:
        """`has` and `lacks` against what is known of the hidden wires."""
        held = {
            value_of(code)
            for slot, code in self._slots()
            if code is not None and slot.state == "hidden"
        }
        for i, fact in enumerate(self.stand.facts):
            value = value_number(fact.value) or 0
            if fact.kind == "lacks":
                if value in held:
                    raise self.clash(f"A hidden {fact.value} stands here.", f".facts[{i}]")
            elif value not in held:
                self.has |= 1 << value
                if not self.value_mask(value):
                    raise self.clash(
                        f"No {fact.value} is left that could be hidden here.", f".facts[{i}]"
                    )

    def settle(self, unknown: bool) -> None:
        """Numbers that no unknown slot can change any more."""
        for value, times in self.exact.items():
            if (not unknown or not self.value_mask(value)) and self.visible[value] != times:
                raise self.clash(f"Exactly {times} of one value cannot be right.", ".slots")
        if self.has and not unknown:
            raise self.clash("A wire that should be hidden here is not.", ".facts")


def _value_name(value: int) -> str:
    return {YELLOW: "YELLOW", RED: "RED"}.get(value, str(value))


def pack_stand(stand: Stand, index: int, codes: list[int], knows: Knows) -> Part:
    """One stand as a part; its elements are the sorted unknown slots, then the unsorted ones."""
    build = _Builder(stand, index, codes, knows)
    build.check_known()
    build.bound()
    build.label()
    build.facts()
    unknown = [i for i, code in enumerate(build.wires) if code is None]
    loose = [i for i in unknown if "unsorted" in stand.slots[i].tokens]
    build.settle(bool(unknown))
    if len(loose) > MOST_UNSORTED:
        raise TooLarge(
            f"At most {MOST_UNSORTED} hidden unsorted wires fit one stand.", build.where + ".slots"
        )
    if len(build.pairs) > MOST_PAIRS:
        raise TooLarge(
            f"At most {MOST_PAIRS} labels between hidden wires fit one stand.", build.where
        )
    slots = [i for i in unknown if i not in loose] + loose
    return Part(index, slots, _part_words(build, slots, len(loose)))


def _part_words(build: _Builder, slots: list[int], loose: int) -> list[int]:
    stand, codes = build.stand, build.codes
    known = Counter(
        code for slot, code in build._slots() if code is not None and "unsorted" not in slot.tokens
    )
    words = [len(slots) - loose, loose, len(build.pairs), build.has]
    words += [build.visible[v] for v in range(15)]
    words += [build.exact.get(v, 0) for v in range(15)]
    words += [known[code] for code in codes]
    for i in slots:
        times = {TIMES[t] for t in stand.slots[i].tokens if t in TIMES}
        mask = build.masks[i] if len(times) < 2 else 0
        words += [*_halves(mask), max(times, default=0), int(stand.slots[i].state == "hidden")]
    element = {slot: e for e, slot in enumerate(slots)}
    for left, right, equal in build.pairs:
        words += [element[left], element[right], int(equal)]
    return words
