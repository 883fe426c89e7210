"""Wires that change stands: one each between two players, or one that is taken.

An exchange changes the hands that earlier facts were about. What it may have made untrue is left
out: nothing true is ever excluded, though a little that was known is no longer used. In a practice
game the sealed wires move too, and show where what arrives goes in.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from cluewise.core.seal import seal
from cluewise.desks.rack.game.table_edits import PURPOSE, Place
from cluewise.desks.rack.position import LABELS, TIMES, Position
from cluewise.desks.rack.stand import Fact, Slot
from cluewise.desks.rack.wires import wire_code
from cluewise.errors import BadOption

replace = msgspec.structs.replace
Move = tuple[Place, int, int]  # from where, to which stand, and to which place there


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
