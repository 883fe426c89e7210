"""What a turn leaves on the table: cut wires, tokens, "not V", wires that changed stands.

An exchange changes the hands that earlier facts were about. What it may have made untrue is left
out: nothing true is ever excluded, though a little that was known is no longer used. In a practice
game the sealed wires move too, and show where what arrives goes in.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise, permutations

import msgspec

from cluewise.core.seal import seal, unseal
from cluewise.desks.rack.position import LABELS, TIMES, Position, TokenKind, in_play, wire_of
from cluewise.desks.rack.stand import (
    VALUE_NAMES,
    YELLOW,
    Fact,
    Slot,
    format_value,
    value_number,
    value_of,
    wire_code,
    wire_name,
)
from cluewise.errors import BadOption, BadPosition

Place = tuple[int, int]
PURPOSE = "rack"  # of the seal on a practice game's wires
COUNT_PHRASES = {"x1": "one of its kind", "x2": "two of its kind", "x3": "three of its kind"}
replace = msgspec.structs.replace
Move = tuple[Place, int, int]  # from where, to which stand, and to which place there


def replace_slot(table: Position, stand: int, slot: int, new: Slot) -> Position:
    """The table with one slot changed."""
    slots = list(table.stands[stand].slots)
    slots[slot] = new
    stands = list(table.stands)
    stands[stand] = msgspec.structs.replace(stands[stand], slots=tuple(slots))
    return msgspec.structs.replace(table, stands=tuple(stands))


def called_value(text: str) -> int | None:
    """The value of a wire's or a value's text: `called_value("Y4") == YELLOW`."""
    code = wire_code(text)
    return value_of(code) if code is not None else value_number(text)


def with_facts(table: Position, stand: int, facts: tuple[Fact, ...]) -> Position:
    """The table with other facts said of a stand."""
    stands = list(table.stands)
    stands[stand] = msgspec.structs.replace(stands[stand], facts=facts)
    return msgspec.structs.replace(table, stands=tuple(stands))


def add_player_fact(table: Position, player: int, fact: Fact) -> Position:
    """The table with a fact that is true of each stand of a player."""
    for i, stand in enumerate(table.stands):
        if table.owner_of(i) == player and fact not in stand.facts:
            table = with_facts(table, i, (*stand.facts, fact))
    return table


def set_slot(table: Position, place: Place, value: int, new: Slot) -> Position:
    """The slot as `new`. `has` of a value whose wire leaves the hidden ones says nothing more."""
    stand, slot = place
    if table.stands[stand].slots[slot].state == "hidden":
        gone = Fact("has", VALUE_NAMES[value])
        facts = tuple(fact for fact in table.stands[stand].facts if fact != gone)
        table = with_facts(table, stand, facts)
    return replace_slot(table, stand, slot, new)


def exclude_values(table: Position, place: Place, values: set[int]) -> Position:
    """The table with `not:V` on a hidden slot, for each of the values."""
    old = table.stands[place[0]].slots[place[1]]
    if old.state != "hidden":
        return table
    words = [f"not:{VALUE_NAMES[v]}" for v in sorted(values)]
    return replace_slot(table, *place, _with_tokens(old, words))


def number_cut_yellow(table: Position) -> Position:
    """The table with the numbers of cut yellow wires for which order and elimination leave one.

    `4 5 [yellow] 6` with Y5 and Y10 in play is Y5, and another cut yellow wire then Y10. A wire
    that may have several numbers is left as it is. Cost: numbers in play to the power of wires cut
    without one, at most four.
    """
    slots = {(i, j): slot for i, s in enumerate(table.stands) for j, slot in enumerate(s.slots)}
    cut = [
        p for p, s in slots.items() if s.state == "cut" and (s.wire, s.value) == (None, "YELLOW")
    ]
    if not 0 < len(cut) <= 4:
        return table
    known = {place: code for place, slot in slots.items() if (code := wire_of(slot)) is not None}
    elsewhere = {wire_code(name) for name in table.known_elsewhere}
    free = {code for code in in_play(table.wires) if value_of(code) == YELLOW} - elsewhere
    free -= set(known.values())
    stands = {i for i, _ in cut}
    in_order = {p for p, slot in slots.items() if p[0] in stands and "unsorted" not in slot.tokens}
    fixed = {place: code for place, code in known.items() if place in in_order}

    def fits(numbers: dict[Place, int]) -> bool:
        row = sorted((fixed | {p: code for p, code in numbers.items() if p in in_order}).items())
        return all(a[0][0] != b[0][0] or a[1] <= b[1] for a, b in pairwise(row))

    tried = (dict(zip(cut, chosen, strict=True)) for chosen in permutations(sorted(free), len(cut)))
    found = [numbers for numbers in tried if fits(numbers)]
    for place in cut:
        numbers = {one[place] for one in found}
        if len(numbers) == 1:
            named = replace(slots[place], wire=wire_name(numbers.pop()), value=None)
            table = replace_slot(table, *place, named)
    return table


def _with_tokens(slot: Slot, words: list[str]) -> Slot:
    new = [word for word in words if word not in slot.tokens]
    return msgspec.structs.replace(slot, tokens=(*slot.tokens, *new))


def place_failure_token(table: Position, at: Place, shown: str) -> tuple[Position, str]:
    """The table with what a failed cut lays there, and it in words: `"7"`, `"odd"`."""
    old = table.stands[at[0]].slots[at[1]]
    if shown in ("even", "odd", *TIMES):
        return replace_slot(table, *at, _with_tokens(old, [shown])), COUNT_PHRASES.get(shown, shown)
    value = called_value(shown)
    if value is None:
        raise BadOption(f"{shown!r} is neither a wire nor a value.", "$.options.shown")
    if value == YELLOW:  # the token says yellow, not which
        new = Slot("info", old.wire, None if old.wire else "YELLOW", old.tokens)
    else:
        new = Slot("info", VALUE_NAMES[value], None, old.tokens)
    return set_slot(table, at, value, new), format_value(value)


def token_of(kind: TokenKind, hand: list[str], slot: int) -> str:
    """What a failed cut lays on a slot whose stand is known: `"7"`, `"odd"`, `"x2"`.

    "" where there is no token for it: four of a kind.
    """
    if kind == "standard":
        return hand[slot]
    values = [value_of(wire_code(w) or 0) for w in hand]
    if kind == "multiplicity":
        count = values.count(values[slot])
        return f"x{count}" if count < 4 else ""
    return "odd" if values[slot] % 2 else "even"


def place_token(table: Position, stand: int, slot: int, hand: list[str]) -> Position:
    """The table after the stand's holder has shown a token of the table's kind on the slot."""
    old = table.stands[stand].slots[slot]
    if table.token == "standard":
        new = msgspec.structs.replace(old, state="info", wire=hand[slot])
    else:
        word = token_of(table.token, hand, slot)
        new = msgspec.structs.replace(old, tokens=(*old.tokens, word))
    return replace_slot(table, stand, slot, new)


def unseal_hands(position: Position) -> list[list[str]]:
    """The sealed wires of every stand; [] when nothing is sealed."""
    if position.sealed is None:
        return []
    hands = [hand.split(",") for hand in unseal(position.sealed, PURPOSE).split(";")]
    sizes = [len(stand.slots) for stand in position.stands]
    if [len(hand) for hand in hands] != sizes or any(
        wire_code(wire) is None for hand in hands for wire in hand
    ):
        raise BadPosition("The sealed deal is of another table.", "$.sealed")
    return hands


def move_wires(
    table: Position, hands: list[list[str]], moves: Sequence[Move], got: str | None
) -> Position:
    """The table after wires have moved at once; `hands` are the sealed ones, [] where none are.

    `got`: the wire that the viewer was handed, where she was.
    """
    wires, stands = [], [(list(s.slots), list(s.facts)) for s in table.stands]
    for (i, j), to, _ in moves:
        wire = hands[i].pop(j) if hands else got if table.owner_of(to) == table.viewer else None
        slot = _taken(*stands[i], j)
        known = table.viewer in (table.owner_of(to), table.owner_of(i)) and slot.state == "hidden"
        wires.append((wire, replace(slot, wire=slot.wire or wire) if known else slot))
    for (_, to, at), (wire, slot) in zip(moves, wires, strict=True):
        if hands:
            at = _arrival(stands[to][0], hands[to], wire or "")
            hands[to].insert(at, wire or "")
        _put(*stands[to], at, slot)
    touched = {i for (here, _), to, _ in moves for i in (here, to)}
    rows = zip(table.stands, stands, strict=True)
    return replace(
        table,
        stands=tuple(replace(s, slots=tuple(new), facts=tuple(facts)) for s, (new, facts) in rows),
        agreed=tuple(t for t in table.agreed if t.stand not in touched),  # it spoke of the old hand
        sealed=seal(";".join(map(",".join, hands)), PURPOSE) if hands else None,
    )


def insert_wire(table: Position, to: int, at: int, wire: Slot) -> Position:
    """The table once a wire from next to the stands has come onto one."""
    stands = list(table.stands)
    slots, facts = list(stands[to].slots), list(stands[to].facts)
    _put(slots, facts, at, wire)
    stands[to] = replace(stands[to], slots=tuple(slots), facts=tuple(facts))
    return replace(table, stands=tuple(stands))


def _arrival(slots: list[Slot], hand: list[str], wire: str) -> int:
    """Where a wire is sorted in: behind the last sorted one that is not higher."""
    sorted_in = [j for j, slot in enumerate(slots) if "unsorted" not in slot.tokens]
    code = wire_code(wire) or 0
    below = [j + 1 for j in sorted_in if (wire_code(hand[j]) or 0) <= code]
    return (below or [0])[-1] or (sorted_in or [0])[0]


def _taken(slots: list[Slot], facts: list[Fact], j: int) -> Slot:
    """The wire off its stand; what that may have made untrue goes too.

    Number and yellow tokens go along, and what the stand lacked; counts and labels do not.
    """
    slot = slots.pop(j)
    if slot.state == "cut":
        raise BadOption("A cut wire stays where it is.", "$.options.slot")
    kept = [t for t in slot.tokens if t in ("even", "odd") or t.startswith("not:")]
    facts[:] = [fact for fact in facts if fact.kind == "lacks"]
    if slot.state == "hidden":
        kept += _denied(facts)
    _unsettle(slots, j)
    return replace(slot, tokens=(*dict.fromkeys(kept), "moved"))


def _put(slots: list[Slot], facts: list[Fact], at: int, wire: Slot) -> None:
    """The wire in its place; what the stand lacked, it lacks in the wires that stood there."""
    if not 0 <= at <= len(slots):
        raise BadOption("Where was it inserted?", "$.options.at")
    _unsettle(slots, at)
    for j, slot in enumerate(slots):
        if slot.state == "hidden":
            slots[j] = replace(slot, tokens=tuple(dict.fromkeys((*slot.tokens, *_denied(facts)))))
    facts[:] = [fact for fact in facts if fact.kind == "has"]
    slots.insert(at, wire)


def _denied(facts: list[Fact]) -> list[str]:
    return [f"not:{fact.value}" for fact in facts if fact.kind == "lacks"]


def _unsettle(slots: list[Slot], at: int) -> None:
    """Counts of equal wires go from a stand, and the label across the place of a change."""
    for j, slot in enumerate(slots):
        gone = {*TIMES, *(LABELS if j == at - 1 else ())}
        slots[j] = replace(slot, tokens=tuple(t for t in slot.tokens if t not in gone))
