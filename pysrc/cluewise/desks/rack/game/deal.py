"""Setup of a mission's table and deals of its wires, reproducible from a seed.

`empty_table` draws what the setup determines: coloured wires, number cards, air; `deal_hands` then
shuffles the wires in play and sorts each stand, except unsorted and turned wires.
"""

from __future__ import annotations

import random
from collections.abc import Iterable

import msgspec

from cluewise.desks.rack.game.missions import Mission, asks_number, missions
from cluewise.desks.rack.game.play import COMMON_AIR, play_of, total_air
from cluewise.desks.rack.position import CONSTRAINTS, Group, Position, Wires, dealt, in_play
from cluewise.desks.rack.stand import (
    Fact,
    Slot,
    Stand,
    value_number,
    value_of,
    wire_code,
    wire_name,
)

NUMBERS = [str(n) for n in range(1, 13)]


def stand_owners(players: int) -> list[int]:
    """Return each stand's owner: two players have two stands each, the captain of three has two."""
    return {2: [0, 0, 1, 1], 3: [0, 0, 1, 2]}.get(players, list(range(players)))


def stand_sizes(wires: int, stands: int) -> list[int]:
    """Return sizes that differ by at most one: `stand_sizes(52, 5) == [11, 11, 10, 10, 10]`."""
    return [wires // stands + (i < wires % stands) for i in range(stands)]


def split_evenly(mission: Mission, players: int) -> list[int]:
    """Return how many separately dealt wires of a colour each stand gets: `[1, 1, 1, 0]`.

    A player with two stands gets it on the first one, if the card does not specify it.
    """
    owners = stand_owners(players)
    rule = mission.rule("dealt_apart")
    if rule is None:
        return [0] * len(owners)
    who = rule["one_to"]
    if isinstance(who, str):  # every player; with five not the captain
        chosen = [owners.index(p) for p in range(players) if players < 5 or p]
    elif players == 2:  # the captain one on each stand, the other player one
        chosen = [0, 1, 2]
    else:
        chosen = [owners.index(p) for p in who]
    return [int(i in chosen) for i in range(len(owners))]


def aside(mission: Mission, players: int) -> int:
    """Return how many wires of any kind are set aside at the start."""
    rule = mission.rule("off_stands")
    return rule["count"][str(players)] if rule and rule["of"] == "any" else 0


def draw_wires(mission: Mission, players: int, dice: random.Random) -> Wires:
    """Draw the yellow and red wires in play; of "2 of 3" wires only the group is known."""
    highest = min(mission.highest - 1, 11)
    pile = mission.rule("off_stands")
    named: dict[str, tuple[str, ...]] = {}
    groups: list[Group] = []
    for colour in ("yellow", "red"):
        count, of = mission.drawn(colour, players)
        numbers: Iterable[int] = sorted(dice.sample(range(1, highest + 1), of))
        if colour == "yellow" and mission.yellow_numbers:
            numbers = mission.yellow_numbers
        wires = tuple(f"{colour[0].upper()}{n}" for n in numbers)
        if pile and pile["of"] == colour.upper():  # all of them start in a pile
            count = 0
        named[colour] = wires if count == of else ()
        if count != of:
            groups.append(Group(wires, count))
    return Wires(
        (1, mission.highest), named["yellow"], named["red"], aside(mission, players), tuple(groups)
    )


def empty_table(number: int, players: int, seed: int) -> Position:
    """Return the mission's table before the wires are dealt; number cards and air are drawn."""
    mission = missions()[number]
    dice = random.Random(seed)
    wires = draw_wires(mission, players, dice)
    owners, extra = stand_owners(players), split_evenly(mission, players)
    sizes = stand_sizes(dealt(wires) - sum(extra), len(owners))
    stands = tuple(
        Stand(
            _blank_slots(mission, owners, i, sizes[i] + extra[i]),
            owner=owner if owner != i else None,
            facts=_colour_facts(mission, extra[i]),
        )
        for i, owner in enumerate(owners)
    )
    cards = any(rule.get("who") == "captain_card" for rule in mission.rules)
    table = Position(
        wires=wires,
        stands=stands,
        token=mission.token,
        mission=number,
        detonator=mission.detonator(players),
        numbers=draw_numbers(mission, dice),
        captain_card=dice.randrange(players) if cards else None,
    )
    return _with_initial_state(table, dice)


def _with_initial_state(table: Position, dice: random.Random) -> Position:
    """Return the table with its air, the robot, and the limit cards paired with numbers."""
    play, start, seats = play_of(table), total_air(table), len(table.seats())
    air: tuple[int, ...] = ()
    if play.air == "each":
        air = (start,) * seats
    elif play.air == "pot" and table.mission != COMMON_AIR:
        air = (start, *(0,) * (seats - 1))
    reserve = {"pot": 0 if air else start}.get(play.air)
    pairs = dict(zip(NUMBERS, dice.sample(CONSTRAINTS, 12), strict=True))
    return msgspec.structs.replace(
        table,
        air=air,
        reserve=reserve,
        track=0 if play.track else None,
        pairs=pairs if play.next_limit == "paired" else {},
    )


def draw_numbers(mission: Mission, dice: random.Random) -> tuple[str, ...]:
    """Draw the open number cards at the start; () if the mission uses none."""
    order, gate = mission.rule("order"), mission.rule("value_gate")
    if order:
        return tuple(dice.sample(NUMBERS, order["cards"]))
    if asks_number(mission) or (gate and str(gate["values"]).startswith("top")):
        return (dice.choice(NUMBERS),)
    if gate and str(gate["values"]).startswith(("open", "sum")):
        return tuple(NUMBERS)
    return ()


def draw_constraint_card(mission: Mission, dice: random.Random) -> str | None:
    """Draw the limit card that binds the viewer at the start of a game, or None."""
    rule = mission.rule("constraint")
    if rule is None or rule["scope"] not in ("own", "all") or "paired" in rule:
        return None
    return dice.choice(CONSTRAINTS[:5] if rule["cards"] == "A-E" else CONSTRAINTS)


def draw_limits(
    mission: Mission, players: int, seat: int, own: str | None, dice: random.Random
) -> tuple[str | None, ...]:
    """Draw each player's limit card, `own` for `seat`; () if players have none of their own."""
    rule = mission.rule("constraint")
    if rule is None or rule["scope"] != "own":
        return ()
    others = [letter for letter in CONSTRAINTS[:5] if letter != own]
    limits: list[str | None] = list(dice.sample(others, players - 1))
    limits.insert(seat, own)
    return tuple(limits)


def _colour_facts(mission: Mission, one: int) -> tuple[Fact, ...]:
    rule = mission.rule("dealt_apart")
    return (Fact("one" if one else "lacks", rule["colour"]),) if rule else ()


def unsorted_slots(mission: Mission, owners: list[int], stand: int, size: int) -> list[int]:
    """Return the slots of a stand whose wires are unsorted, or turned away from their owner."""
    if mission.rule("unsorted"):
        return [size - 1]
    rule = mission.rule("flipped")
    owner = owners[stand]
    if rule is None or (rule["who"] == "captain" and owner):
        return []
    own = [i for i, one in enumerate(owners) if one == owner]
    ends = [0] if rule["count"] == 2 and stand == own[0] else []
    right = own[-1] if rule["count"] == 2 else own[0]
    return ends + ([size - 1] if stand == right else [])


def _blank_slots(mission: Mission, owners: list[int], stand: int, size: int) -> tuple[Slot, ...]:
    loose = unsorted_slots(mission, owners, stand, size)
    rule = mission.rule("unsorted")
    blue = ("not:YELLOW", "not:RED") if rule and rule["colour"] == "blue" else ()
    return tuple(Slot(tokens=("unsorted", *blue) if j in loose else ()) for j in range(size))


def deal_hands(table: Position, dice: random.Random) -> list[list[str]]:
    """Deal wires to every stand: `[["1", "Y2", …], …]`, sorted except unsorted and turned ones."""
    pool = _shuffled_wires(table, dice)
    hands: list[list[int | None]] = [[None] * len(stand.slots) for stand in table.stands]
    first = [_take_coloured(stand, pool) for stand in table.stands]
    for stand, hand in zip(table.stands, hands, strict=True):
        for j, slot in enumerate(stand.slots):
            if "unsorted" in slot.tokens:
                blue = "not:RED" in slot.tokens
                hand[j] = pool.pop(next(i for i, c in enumerate(pool) if not (blue and c % 10)))
    for given, hand in zip(first, hands, strict=True):
        open_slots = [j for j, code in enumerate(hand) if code is None]
        wires = given + [pool.pop() for _ in open_slots[len(given) :]]
        for j, code in zip(open_slots, sorted(wires), strict=True):
            hand[j] = code
    mission = missions().get(table.mission or 0)
    turned = mission.rule("flipped") if mission else None
    if turned and turned["count"] == 2:
        _sort_turned(table, hands)
    return [[wire_name(code or 0) for code in hand] for hand in hands]


def _shuffled_wires(table: Position, dice: random.Random) -> list[int]:
    """Return the codes of the wires on the stands, shuffled."""
    undrawn = {
        wire_code(w)
        for g in table.wires.groups
        for w in dice.sample(sorted(g.of), len(g.of) - g.drawn)
    }
    wires = [
        c for c, n in sorted(in_play(table.wires).items()) for _ in range(n) if c not in undrawn
    ]
    dice.shuffle(wires)
    return wires[: len(wires) - table.wires.aside]


def _take_coloured(stand: Stand, pool: list[int]) -> list[int]:
    """Take the separately dealt coloured wire of a stand from the pool: `[75]`, or []."""
    for fact in stand.facts:
        if fact.kind == "one":
            value = value_number(fact.value)
            return [pool.pop(next(i for i, c in enumerate(pool) if value_of(c) == value))]
    return []


def _sort_turned(table: Position, hands: list[list[int | None]]) -> None:
    """Swap each player's two turned wires, if needed, so that the lower one is on the left."""
    for player in {table.owner_of(i) for i in range(len(hands))}:
        places = [
            (i, j)
            for i in table.stands_of(player)
            for j, slot in enumerate(table.stands[i].slots)
            if "unsorted" in slot.tokens
        ]
        codes = sorted(hands[i][j] or 0 for i, j in places)
        for (i, j), code in zip(places, codes, strict=True):
            hands[i][j] = code


def describe(table: Position) -> str:
    """Describe the wires in play: `"Blue 1–12; yellow 3, 7. 50 wires on 5 stands."`"""
    low, high = table.wires.blue
    parts = [f"blue {low}–{high}"]
    for word, wires in (("yellow", table.wires.yellow), ("red", table.wires.red)):
        if wires:
            parts.append(f"{word} {', '.join(w[1:] for w in wires)}")
    for group in table.wires.groups:
        word = "yellow" if group.of[:1] and group.of[0][0] == "Y" else "red"
        some = f"{group.drawn} of {word} {', '.join(w[1:] for w in group.of)}"
        parts.append(some if group.drawn else f"no {word} on the stands")
    if table.wires.aside:
        parts.append(f"{table.wires.aside} more lie unseen beside the stands")
    text = "; ".join(parts)
    return f"{text[0].upper()}{text[1:]}. {dealt(table.wires)} wires on {len(table.stands)} stands."
