"""The thirty missions' wires, and a table laid out for them."""

from __future__ import annotations

import random
from dataclasses import dataclass

from cluewise.desks.rack.position import (
    Group,
    Position,
    Slot,
    Stand,
    TokenKind,
    Wires,
    dealt,
    in_play,
)
from cluewise.desks.rack.wires import wire_code, wire_name


@dataclass(frozen=True, slots=True)
class Mission:
    """What is in play: `yellow=(2, 3)` is "2 of 3"; (2, 2) two wires that all know."""

    yellow: tuple[int, int] = (0, 0)
    red: tuple[int, int] = (0, 0)
    highest: int = 12
    token: TokenKind = "standard"
    unsorted: bool = False


def _plain(yellow: int = 0, red: int = 0) -> Mission:
    return Mission((yellow, yellow), (red, red))


MISSIONS: dict[int, Mission] = {
    1: Mission(highest=6),
    2: Mission((2, 2), highest=8),
    3: Mission(red=(1, 1), highest=10),
    4: _plain(2, 1),
    5: Mission((2, 3), (1, 1)),
    6: _plain(4, 1),
    7: Mission(red=(1, 2)),
    8: Mission((2, 3), (1, 2)),
    9: _plain(2, 1),
    10: _plain(4, 1),
    11: _plain(2),
    12: _plain(4, 1),
    13: _plain(0, 3),
    14: Mission((2, 3), (2, 2)),
    15: Mission(red=(1, 3)),
    16: Mission((2, 3), (1, 1)),
    17: Mission(red=(2, 3)),
    18: _plain(0, 2),
    19: Mission((2, 3), (1, 1)),
    20: Mission((2, 2), (2, 2), unsorted=True),
    21: Mission(red=(1, 2), token="parity"),
    22: _plain(4, 1),
    23: Mission(red=(1, 3)),
    24: Mission(red=(2, 2), token="multiplicity"),
    25: _plain(0, 2),
    26: _plain(0, 2),
    27: _plain(4, 1),
    28: _plain(4, 2),
    29: _plain(0, 3),
    30: Mission((4, 4), (1, 2)),
}


def stand_owners(players: int) -> list[int]:
    """Who sits behind each stand: two stands each for two players, two for the captain of three."""
    return {2: [0, 0, 1, 1], 3: [0, 0, 1, 2]}.get(players, list(range(players)))


def stand_sizes(wires: int, stands: int) -> list[int]:
    """As even as it goes, the captain's stands first: `[11, 11, 10, 10, 10]` for 52 and 5."""
    return [wires // stands + (i < wires % stands) for i in range(stands)]


def draw_wires(mission: Mission, dice: random.Random) -> Wires:
    """Which yellow and red numbers this game has; those not certain go into groups."""
    highest = min(mission.highest - 1, 11)
    named: dict[str, tuple[str, ...]] = {}
    groups: list[Group] = []
    for letter, (count, of) in (("Y", mission.yellow), ("R", mission.red)):
        numbers = sorted(dice.sample(range(1, highest + 1), of))
        wires = tuple(f"{letter}{n}" for n in numbers)
        named[letter] = wires if count == of else ()
        if count != of:
            groups.append(Group(wires, count))
    return Wires((1, mission.highest), named["Y"], named["R"], tuple(groups))


def empty_table(number: int, players: int, seed: int) -> Position:
    """The mission's table before anybody has looked at a wire."""
    mission = MISSIONS[number]
    wires = draw_wires(mission, random.Random(seed))
    owners = stand_owners(players)
    sizes = stand_sizes(dealt(wires), len(owners))
    stands = tuple(
        Stand(tuple(_blank(mission, j, n) for j in range(n)), owner=owner if owner != i else None)
        for i, (owner, n) in enumerate(zip(owners, sizes, strict=True))
    )
    return Position(wires=wires, stands=stands, token=mission.token, mission=number)


def _blank(mission: Mission, slot: int, size: int) -> Slot:
    """Mission 20 puts one wire of each stand, unsorted, at its right end."""
    last = mission.unsorted and slot == size - 1
    return Slot(tokens=("unsorted",) if last else ())


def deal_hands(table: Position, dice: random.Random) -> list[list[str]]:
    """Wires for every stand, sorted; the last of an unsorted stand stays where it fell."""
    undrawn = {
        wire_code(w)
        for g in table.wires.groups
        for w in dice.sample(sorted(g.of), len(g.of) - g.drawn)
    }
    wires = [
        c for c, n in sorted(in_play(table.wires).items()) for _ in range(n) if c not in undrawn
    ]
    dice.shuffle(wires)
    hands = []
    for stand in table.stands:
        hand = [wires.pop() for _ in stand.slots]
        loose = sum("unsorted" in slot.tokens for slot in stand.slots)
        fixed = sorted(hand[: len(hand) - loose]) + hand[len(hand) - loose :]
        hands.append([wire_name(code) for code in fixed])
    return hands


def describe(table: Position) -> str:
    """The wires in play in words: "Blue 1–12, yellow 3 and 7, 1 of red 2, 5"."""
    low, high = table.wires.blue
    parts = [f"blue {low}–{high}"]
    for word, wires in (("yellow", table.wires.yellow), ("red", table.wires.red)):
        if wires:
            parts.append(f"{word} {', '.join(w[1:] for w in wires)}")
    for group in table.wires.groups:
        word = "yellow" if group.of[:1] and group.of[0][0] == "Y" else "red"
        parts.append(f"{group.drawn} of {word} {', '.join(w[1:] for w in group.of)}")
    text = "; ".join(parts)
    return f"{text[0].upper()}{text[1:]}. {dealt(table.wires)} wires on {len(table.stands)} stands."
