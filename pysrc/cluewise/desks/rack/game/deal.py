"""A mission's table laid out and dealt: stands, wires, number cards, all from a seed."""

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
    """Who sits behind each stand: two stands each for two players, two for the captain of three."""
    return {2: [0, 0, 1, 1], 3: [0, 0, 1, 2]}.get(players, list(range(players)))


def stand_sizes(wires: int, stands: int) -> list[int]:
    """As even as it goes, the captain's stands first: `[11, 11, 10, 10, 10]` for 52 and 5."""
    return [wires // stands + (i < wires % stands) for i in range(stands)]


def split_evenly(mission: Mission, players: int) -> list[int]:
    """Wires of a colour dealt apart, one to some stands: `[1, 1, 1, 0]`; zeros where none are.

    Of a player with two stands the first one gets it, where the card does not say which.
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
    """Wires of any kind that lie on no stand at first."""
    rule = mission.rule("off_stands")
    return rule["count"][str(players)] if rule and rule["of"] == "any" else 0


def draw_wires(mission: Mission, players: int, dice: random.Random) -> Wires:
    """Which yellow and red numbers this game has; those not certain go into groups."""
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
        if pile and pile["of"] == colour.upper():  # all of them lie in a pile for now
            count = 0
        named[colour] = wires if count == of else ()
        if count != of:
            groups.append(Group(wires, count))
    return Wires(
        (1, mission.highest), named["yellow"], named["red"], aside(mission, players), tuple(groups)
    )


def empty_table(number: int, players: int, seed: int) -> Position:
    """The mission's table before anybody has looked at a wire."""
    mission = missions()[number]
    dice = random.Random(seed)
    wires = draw_wires(mission, players, dice)
    owners, extra = stand_owners(players), split_evenly(mission, players)
    sizes = stand_sizes(dealt(wires) - sum(extra), len(owners))
    stands = tuple(
        Stand(
            _blank_slots(mission, owners, i, sizes[i] + extra[i]),
            owner=owner if owner != i else None,
            facts=_apart_facts(mission, extra[i]),
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
    return _at_the_start(table, dice)


def _at_the_start(table: Position, dice: random.Random) -> Position:
    """The table with its air, the robot, and a limit card at each number."""
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
    """The open number cards at the start, where the rules are about some."""
    order, gate = mission.rule("order"), mission.rule("value_gate")
    if order:
        return tuple(dice.sample(NUMBERS, order["cards"]))
    if asks_number(mission) or (gate and str(gate["values"]).startswith("top")):
        return (dice.choice(NUMBERS),)
    if gate and str(gate["values"]).startswith(("open", "sum")):
        return tuple(NUMBERS)
    return ()


def draw_constraint_card(mission: Mission, dice: random.Random) -> str | None:
    """The limit card that binds the viewer at the start of a practice game."""
    rule = mission.rule("constraint")
    if rule is None or rule["scope"] not in ("own", "all") or "paired" in rule:
        return None
    return dice.choice(CONSTRAINTS[:5] if rule["cards"] == "A-E" else CONSTRAINTS)


def draw_limits(
    mission: Mission, players: int, seat: int, own: str | None, dice: random.Random
) -> tuple[str | None, ...]:
    """A limit card for each player, where each has one; `own` is the one at `seat`."""
    rule = mission.rule("constraint")
    if rule is None or rule["scope"] != "own":
        return ()
    others = [letter for letter in CONSTRAINTS[:5] if letter != own]
    limits: list[str | None] = list(dice.sample(others, players - 1))
    limits.insert(seat, own)
    return tuple(limits)


def _apart_facts(mission: Mission, one: int) -> tuple[Fact, ...]:
    rule = mission.rule("dealt_apart")
    return (Fact("one" if one else "lacks", rule["colour"]),) if rule else ()


def unsorted_slots(mission: Mission, owners: list[int], stand: int, size: int) -> list[int]:
    """The slots of a stand whose wires are not sorted in, or turned away from their owner."""
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
    """Wires for every stand, sorted; unsorted ones stay where they fell."""
    pool = _on_the_table(table, dice)
    hands: list[list[int | None]] = [[None] * len(stand.slots) for stand in table.stands]
    first = [_take_apart(stand, pool) for stand in table.stands]
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
        _lower_left(table, hands)
    return [[wire_name(code or 0) for code in hand] for hand in hands]


def _on_the_table(table: Position, dice: random.Random) -> list[int]:
    """The wires that lie on the stands, shuffled."""
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


def _take_apart(stand: Stand, pool: list[int]) -> list[int]:
    """The wire of a colour that was dealt to this stand by itself."""
    for fact in stand.facts:
        if fact.kind == "one":
            value = value_number(fact.value)
            return [pool.pop(next(i for i, c in enumerate(pool) if value_of(c) == value))]
    return []


def _lower_left(table: Position, hands: list[list[int | None]]) -> None:
    """Of a player's two turned wires the lower one goes to the far left."""
    for player in {table.owner_of(i) for i in range(len(hands))}:
        places = [
            (i, j)
            for i, stand in enumerate(table.stands)
            if table.owner_of(i) == player
            for j, slot in enumerate(stand.slots)
            if "unsorted" in slot.tokens
        ]
        codes = sorted(hands[i][j] or 0 for i, j in places)
        for (i, j), code in zip(places, codes, strict=True):
            hands[i][j] = code


def describe(table: Position) -> str:
    """The wires in play in words: "Blue 1–12, yellow 3 and 7, 1 of red 2, 5"."""
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
