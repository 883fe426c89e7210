"""Wires that change stands: one each between two players, or one that is taken.

An exchange changes the hands that earlier facts were about. What it may have made untrue is left
out: nothing true is ever excluded, though a little that was known is no longer used. In a practice
game the sealed wires move too, and show where what arrives goes in.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from cluewise.core.seal import seal
from cluewise.desks.rack.marks import PURPOSE, Place
from cluewise.desks.rack.position import LABELS, TIMES, Fact, Position, Slot, Stand
from cluewise.desks.rack.wires import wire_code
from cluewise.errors import BadOption

Move = tuple[Place, int, int]
"""From where, to which stand, and to which place there once all moved wires are gone."""


def moved(
    table: Position, hands: list[list[str]], moves: Sequence[Move], got: str | None
) -> Position:
    """The table after wires have moved at once; `hands` are the sealed ones, [] where none are.

    `got`: the wire that the viewer was handed, where she was.
    """
    wires = [_on_its_way(table, place) for place, _, _ in moves]
    sealed = [hands[i].pop(j) for (i, j), _, _ in moves] if hands else []
    for (i, j), _, _ in moves:
        table = _taken(table, i, j)
    for k, (place, to, at) in enumerate(moves):
        wire = sealed[k] if sealed else got if table.owner_of(to) == table.viewer else None
        known = table.viewer in (table.owner_of(to), table.owner_of(place[0]))
        if known and wire and wires[k].state == "hidden":
            wires[k] = msgspec.structs.replace(wires[k], wire=wires[k].wire or wire)
        if sealed:
            at = _arrival(table.stands[to], hands[to], sealed[k])
            hands[to].insert(at, sealed[k])
        table = _put(table, to, at, wires[k])
    if hands:
        table = msgspec.structs.replace(table, sealed=seal(";".join(map(",".join, hands)), PURPOSE))
    touched = {i for (here, _), to, _ in moves for i in (here, to)}
    kept = tuple(one for one in table.agreed if one.stand not in touched)
    return msgspec.structs.replace(table, agreed=kept)  # theirs told something of the old hands


def _arrival(stand: Stand, hand: list[str], wire: str) -> int:
    """Where a wire is sorted in: behind the last sorted one that is not higher."""
    code = wire_code(wire) or 0
    before = [
        j + 1
        for j, slot in enumerate(stand.slots)
        if "unsorted" not in slot.tokens and (wire_code(hand[j]) or 0) <= code
    ]
    first = next((j for j, s in enumerate(stand.slots) if "unsorted" not in s.tokens), 0)
    return max(before, default=first)


def _on_its_way(table: Position, place: Place) -> Slot:
    """The wire as it travels: number and yellow tokens go along, counts and labels do not."""
    stand = table.stands[place[0]]
    slot = stand.slots[place[1]]
    if slot.state == "cut":
        raise BadOption("A cut wire stays where it is.", "$.options.slot")
    kept = [t for t in slot.tokens if t in ("even", "odd") or t.startswith("not:")]
    if slot.state == "hidden":
        kept += [f"not:{fact.value}" for fact in stand.facts if fact.kind == "lacks"]
    return msgspec.structs.replace(slot, tokens=(*dict.fromkeys(kept), "moved"))


def _taken(table: Position, i: int, j: int) -> Position:
    """The stand without the wire; what it may have made untrue goes too."""
    stand = table.stands[i]
    slots = [_without(slot, TIMES) for slot in stand.slots]
    slots.pop(j)
    if j:
        slots[j - 1] = _without(slots[j - 1], LABELS)
    return _with_stand(table, i, slots, tuple(f for f in stand.facts if f.kind == "lacks"))


def _put(table: Position, i: int, at: int, wire: Slot) -> Position:
    """The wire in its place of arrival; a hidden one may have any value that is not denied."""
    stand = table.stands[i]
    slots = [_without(slot, TIMES) for slot in stand.slots]
    if not 0 <= at <= len(slots):
        raise BadOption("Where did it go in?", "$.options.at")
    if at:
        slots[at - 1] = _without(slots[at - 1], LABELS)
    # What the stand lacked, it lacks in the wires that stood there already.
    denied = [f"not:{fact.value}" for fact in stand.facts if fact.kind == "lacks"]
    for j, slot in enumerate(slots):
        if slot.state == "hidden":
            slots[j] = msgspec.structs.replace(
                slot, tokens=tuple(dict.fromkeys((*slot.tokens, *denied)))
            )
    slots.insert(at, wire)
    return _with_stand(table, i, slots, tuple(f for f in stand.facts if f.kind == "has"))


def _with_stand(table: Position, i: int, slots: list[Slot], facts: tuple[Fact, ...]) -> Position:
    stands = list(table.stands)
    stands[i] = msgspec.structs.replace(stands[i], slots=tuple(slots), facts=facts)
    return msgspec.structs.replace(table, stands=tuple(stands))


def _without(slot: Slot, tokens: Sequence[str] | dict[str, int] | dict[str, bool]) -> Slot:
    return msgspec.structs.replace(slot, tokens=tuple(t for t in slot.tokens if t not in tokens))
