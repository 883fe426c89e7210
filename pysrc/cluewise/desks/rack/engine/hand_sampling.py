"""Hands that a teammate may hold, drawn from the exact chances of the deal.

A stand is drawn slot by slot: the chances of its first unknown slot, a draw, the chances of the
next given that draw, and so on. That is an exact sample of the posterior, not a shuffle.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

import msgspec

from cluewise.desks.rack.engine.counting import chances
from cluewise.desks.rack.engine.encoding import pack
from cluewise.desks.rack.game.table_edits import replace_slot
from cluewise.desks.rack.position import Position, wire_of
from cluewise.desks.rack.stand import wire_name


def teammate_hands(
    position: Position, shown: int, samples: int, seed: int
) -> Iterator[tuple[int, Counter[int]]]:
    """`(how many in all, wires hidden from the rest of the table)`, one teammate after another.

    The player who indicates knows her own wires, so the hands are drawn as she sees them.
    """
    viewer = position.owner_of(shown)
    seen = seen_by(position, viewer)
    others = [
        i
        for i, stand in enumerate(position.stands)
        if position.owner_of(i) != viewer and any(s.state == "hidden" for s in stand.slots)
    ]
    dice = random.Random(seed)
    for stand in others:
        for _ in range(samples):
            yield len(others) * samples, draw_hand(seen, stand, dice)


def seen_by(position: Position, viewer: int | None) -> Position:
    """The position as another player sees it, or all do: only her own hidden wires are given."""
    if position.viewer == viewer:
        return position
    stands = tuple(
        stand
        if position.owner_of(i) == viewer
        else msgspec.structs.replace(
            stand,
            slots=tuple(
                msgspec.structs.replace(slot, wire=None) if slot.state == "hidden" else slot
                for slot in stand.slots
            ),
        )
        for i, stand in enumerate(position.stands)
    )
    return msgspec.structs.replace(position, viewer=viewer, stands=stands)


def draw_hand(position: Position, stand: int, dice: random.Random) -> Counter[int]:
    """One hand of the stand's wires that no one else sees, by their chances."""
    hand: Counter[int] = Counter()
    for slot, given in enumerate(position.stands[stand].slots):
        code = wire_of(given)
        if given.state == "cut" or (given.state == "info" and code is not None):
            continue
        if code is None:
            code = _draw_slot(position, stand, slot, dice)
            position = put_wire(position, stand, slot, code)
        hand[code] += 1
    return hand


def _draw_slot(position: Position, stand: int, slot: int, dice: random.Random) -> int:
    plan = pack(position)
    rows = chances(plan, count=False).rows
    element = 0
    for part in plan.parts:
        if part.stand == stand:
            row = rows[element + part.slots.index(slot)]
            return dice.choices(plan.codes, weights=row)[0]
        element += len(part.slots)
    raise AssertionError("the stand has no unknown slot")


def put_wire(position: Position, stand: int, slot: int, code: int) -> Position:
    """The position with the viewer knowing that slot's wire; all that was said of it stays."""
    known = msgspec.structs.replace(position.stands[stand].slots[slot], wire=wire_name(code))
    return replace_slot(position, stand, slot, known)
