"""Edits of a table: cut wires, tokens, exclusions (`not:V`), wires that change stands.

Every function returns a changed copy. An exchange of wires invalidates facts about the hands
concerned: those that may be false afterwards are dropped, which is sound but loses information. In
a practice game the sealed wires move too, and determine the place of insertion.
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
    parse_value,
    value_of,
    wire_code,
    wire_name,
)
from cluewise.errors import BadOption, BadPosition

Place = tuple[int, int]
PURPOSE = "rack"  # key of the seal of a practice game's wires
COUNT_PHRASES = {"x1": "one of its kind", "x2": "two of its kind", "x3": "three of its kind"}
replace = msgspec.structs.replace
Move = tuple[Place, int, int]  # source, target stand, target slot


def replace_stand(
    table: Position, stand: int, **fields: tuple[Slot, ...] | tuple[Fact, ...]
) -> Position:
    """Return the table with some fields of one stand replaced: `slots=`, `facts=`."""
    stands = list(table.stands)
    stands[stand] = replace(stands[stand], **fields)
    return replace(table, stands=tuple(stands))


def replace_slot(table: Position, stand: int, slot: int, new: Slot) -> Position:
    """Return the table with one slot replaced."""
    slots = list(table.stands[stand].slots)
    slots[slot] = new
    return replace_stand(table, stand, slots=tuple(slots))


def with_facts(table: Position, stand: int, facts: tuple[Fact, ...]) -> Position:
    """Return the table with the facts of a stand replaced."""
    return replace_stand(table, stand, facts=facts)


def add_player_fact(table: Position, player: int, fact: Fact) -> Position:
    """Return the table with a fact added to each stand of a player, if not there yet."""
    for i in table.stands_of(player):
        table = add_fact(table, i, fact)
    return table


def add_fact(table: Position, stand: int, fact: Fact) -> Position:
    """Return the table with a fact added to a stand, if not there yet."""
    facts = table.stands[stand].facts
    return table if fact in facts else with_facts(table, stand, (*facts, fact))


def set_slot(table: Position, place: Place, value: int, new: Slot) -> Position:
    """Replace a slot; the fact `has` of its value is dropped if the slot was hidden."""
    stand, slot = place
    if table.stands[stand].slots[slot].state == "hidden":
        gone = Fact("has", VALUE_NAMES[value])
        facts = tuple(fact for fact in table.stands[stand].facts if fact != gone)
        table = with_facts(table, stand, facts)
    return replace_slot(table, stand, slot, new)


def exclude_values(table: Position, place: Place, values: set[int]) -> Position:
    """Add `not:V` to a hidden slot for each of the values; other slots stay as they are."""
    old = table.stands[place[0]].slots[place[1]]
    if old.state != "hidden":
        return table
    tokens = [f"not:{VALUE_NAMES[v]}" for v in sorted(values)]
    return replace_slot(table, *place, with_tokens(old, tokens))


def number_cut_yellow(table: Position) -> Position:
    """Enter the numbers of cut yellow wires that are unique by exhaustive search.

    In `4 5 [yellow] 6` with Y5 and Y10 in play the wire is Y5, and another cut yellow wire then
    Y10. An assignment fits if no sorted stand descends. Cost: numbers in play to the power of wires
    cut without a number, at most four (else nothing is entered).
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


def with_tokens(slot: Slot, tokens: list[str]) -> Slot:
    """Return the slot with these tokens added, each at most once."""
    new = [token for token in tokens if token not in slot.tokens]
    return replace(slot, tokens=(*slot.tokens, *new))


def place_failure_token(table: Position, at: Place, shown: str) -> tuple[Position, str]:
    """Return the table with the token of a failed cut, and the token in words: `"7"`, `"odd"`.

    Raises BadOption if `shown` is no token.
    """
    old = table.stands[at[0]].slots[at[1]]
    if shown in ("even", "odd", *TIMES):
        return replace_slot(table, *at, with_tokens(old, [shown])), COUNT_PHRASES.get(shown, shown)
    value = parse_value(shown)
    if value is None:
        raise BadOption(f"{shown!r} is neither a wire nor a value.", "$.options.shown")
    if value == YELLOW:  # the token shows the colour, not the number
        new = Slot("info", old.wire, None if old.wire else "YELLOW", old.tokens)
    else:
        new = Slot("info", VALUE_NAMES[value], None, old.tokens)
    return set_slot(table, at, value, new), format_value(value)


def token_of(kind: TokenKind, hand: list[str], slot: int) -> str:
    """Return the token of a failed cut at a slot of a known hand: `"7"`, `"odd"`, `"x2"`.

    "" if there is none: for four of a kind.
    """
    if kind == "standard":
        return hand[slot]
    values = [value_of(wire_code(w) or 0) for w in hand]
    if kind == "multiplicity":
        count = values.count(values[slot])
        return f"x{count}" if count < 4 else ""
    return "odd" if values[slot] % 2 else "even"


def has_token(table: Position, stand: int) -> bool:
    """Whether a stand has a token."""
    return any(s.state == "info" or set(s.tokens) - {"unsorted"} for s in table.stands[stand].slots)


def place_token(table: Position, stand: int, slot: int, hand: list[str]) -> Position:
    """Return the table after its owner has placed a token of the table's kind on a slot."""
    old = table.stands[stand].slots[slot]
    if table.token == "standard":
        new = replace(old, state="info", wire=hand[slot])
    else:
        new = replace(old, tokens=(*old.tokens, token_of(table.token, hand, slot)))
    return replace_slot(table, stand, slot, new)


def unseal_hands(position: Position) -> list[list[str]]:
    """Return the sealed wires of every stand; [] without a seal.

    Raises BadPosition if the seal is of another table.
    """
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
    """Return the table after simultaneous moves; `hands`: the sealed wires or [], changed in place.

    `got`: the wire that the viewer received, if any. Raises BadOption for a cut wire.
    """
    wires, stands = [], [(list(s.slots), list(s.facts)) for s in table.stands]
    for (i, j), to, _ in moves:
        wire = hands[i].pop(j) if hands else got if table.owner_of(to) == table.viewer else None
        slot = _take(*stands[i], j)
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
        agreed=tuple(t for t in table.agreed if t.stand not in touched),  # chosen for the old hand
        sealed=seal(";".join(map(",".join, hands)), PURPOSE) if hands else None,
    )


def insert_wire(table: Position, to: int, at: int, wire: Slot) -> Position:
    """Return the table with a wire from outside the stands inserted into one."""
    slots, facts = list(table.stands[to].slots), list(table.stands[to].facts)
    _put(slots, facts, at, wire)
    return replace_stand(table, to, slots=tuple(slots), facts=tuple(facts))


def _arrival(slots: list[Slot], hand: list[str], wire: str) -> int:
    """Return the slot of a sorted insertion: after the last sorted wire that is not higher."""
    sorted_in = [j for j, slot in enumerate(slots) if "unsorted" not in slot.tokens]
    code = wire_code(wire) or 0
    below = [j + 1 for j in sorted_in if (wire_code(hand[j]) or 0) <= code]
    return (below or [0])[-1] or (sorted_in or [0])[0]


def _take(slots: list[Slot], facts: list[Fact], j: int) -> Slot:
    """Remove and return a wire; drop the facts of the stand that may be false afterwards.

    Tokens about the wire itself move with it, also what the stand lacked; counts and labels do not.
    """
    slot = slots.pop(j)
    if slot.state == "cut":
        raise BadOption("A cut wire stays where it is.", "$.options.slot")
    tokens = [t for t in slot.tokens if t in ("even", "odd") or t.startswith("not:")]
    facts[:] = [fact for fact in facts if fact.kind == "lacks"]
    if slot.state == "hidden":
        tokens += _exclusions(facts)
    _drop_relations(slots, j)
    return replace(slot, tokens=(*dict.fromkeys(tokens), "moved"))


def _put(slots: list[Slot], facts: list[Fact], at: int, wire: Slot) -> None:
    """Insert a wire; facts `lacks` of the stand become exclusions of its other hidden wires."""
    if not 0 <= at <= len(slots):
        raise BadOption("Where was it inserted?", "$.options.at")
    _drop_relations(slots, at)
    for j, slot in enumerate(slots):
        if slot.state == "hidden":
            slots[j] = with_tokens(slot, _exclusions(facts))
    facts[:] = [fact for fact in facts if fact.kind == "has"]
    slots.insert(at, wire)


def _exclusions(facts: list[Fact]) -> list[str]:
    return [f"not:{fact.value}" for fact in facts if fact.kind == "lacks"]


def _drop_relations(slots: list[Slot], at: int) -> None:
    """Drop a stand's counts of equal wires, and the label between the wires around a change."""
    for j, slot in enumerate(slots):
        gone = {*TIMES, *(LABELS if j == at - 1 else ())}
        slots[j] = replace(slot, tokens=tuple(t for t in slot.tokens if t not in gone))
