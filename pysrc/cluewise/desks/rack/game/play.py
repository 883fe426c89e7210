"""Missions whose limit cards, air, robot or cutter change during the game: data and transitions.

`PLAYS` has one entry per mission. Where a card is ambiguous or leaves a choice to the players,
simulated games use the interpretation that helps them least, or `reading` describes it for the
note of results. A field that is not entered on the table has its value at the start.
"""

from __future__ import annotations

import random
from typing import Literal, NamedTuple

import msgspec

from cluewise.desks.rack.position import CONSTRAINTS, Position
from cluewise.desks.rack.stand import VALUE_NAMES, YELLOW

NextLimit = Literal["never", "stuck", "finished", "paired"]
COMMON_AIR = 44  # the mission whose air lies on the card
TRACK_END = 12  # the robot's space on which the bomb goes off


class Play(NamedTuple):
    """The state of a mission that changes with the turns."""

    next_limit: NextLimit = "never"
    """When the common limit card changes: if a player may do nothing, or a number is finished."""
    all_stuck: Literal["lost", "free", "next"] = "lost"
    """After a round of skipped turns: explosion, nothing, or a step and the next limit card."""
    air: Literal["none", "pot", "each"] = "none"
    """Who holds the air: all together (or one after another), or each player."""
    start: tuple[int, int, int, int] = (0, 0, 0, 0)
    """Air at the start with two to five players: of the pot, or of each."""
    by_thirds: bool = False
    """A cut costs 1 (1 to 4), 2 (5 to 8) or 3 (9 to 12) air; else the number named."""
    cutter: Literal["", "radar", "volunteer", "ordered"] = ""
    """Who cuts the open number instead of the active player."""
    track: bool = False
    """A robot on a track is the detonator."""
    reading: str = ""
    """Our reading, after "with" or "without"."""


AS_USUAL = Play()
NO_PASSING = (
    "with air paid for failed cuts too, once for a solo cut, and no turns passed on purpose"
)
ROBOT_FAILED = 2  # spaces that a failed cut moves the robot
PLAYS = {
    18: Play(cutter="radar", reading="with the holder whose cut is likeliest as cutter"),
    32: Play("stuck", "free", reading="with a new limit card only where a player could do nothing"),
    37: Play("finished", "next"),
    44: Play(air="pot", start=(4, 6, 8, 10), by_thirds=True, reading=NO_PASSING),
    45: Play(cutter="volunteer", reading="with the holder whose cut is likeliest as cutter"),
    49: Play(
        air="each", start=(7, 6, 5, 4), reading=f"{NO_PASSING} and air for the player who has least"
    ),
    51: Play(
        cutter="ordered",
        reading="with the player at whom most wires of the number are expected as cutter, and "
        "tokens for wrong orders on the first hidden wire",
    ),
    53: Play(track=True, reading="with sure cuts of the robot’s number first, then of lower ones"),
    57: Play("paired"),
    63: Play(air="pot", start=(14, 18, 24, 30), reading=NO_PASSING),
}


def play_of(position: Position) -> Play:
    """Return the entry of the table's mission; AS_USUAL if it has none."""
    return PLAYS.get(position.mission or 0, AS_USUAL)


def cost_of(play: Play, value: int) -> int:
    """Return the air that a cut of a number costs: `cost_of(PLAYS[44], 5) == 2`."""
    return (value + 3) // 4 if play.by_thirds else value


def total_air(position: Position) -> int:
    """Return the air of the pot, or of each player, at the start."""
    return play_of(position).start[max(len(position.seats()), 2) - 2]


def air_held(position: Position) -> list[int]:
    """Return the air of the pot, `[8]`, or of each player, `[5, 5, 3, 7]`; [] if cuts cost none."""
    play, start = play_of(position), total_air(position)
    if play.air == "none":
        return []
    if play.air == "each":
        return list(position.air) or [start] * len(position.seats())
    if position.mission == COMMON_AIR:  # the air lies on the card
        return [start if position.reserve is None else position.reserve]
    return [sum(position.air) if position.air else start - (position.reserve or 0)]


def air_fault(position: Position, player: int | None, value: int, name: str) -> str:
    """Return why a player cannot pay for a cut; "" if they can, or no air is entered."""
    play = play_of(position)
    entered = bool(position.air) or position.reserve is not None
    if play.air == "none" or not entered or player is None or value >= YELLOW:
        return ""
    held = air_held(position)
    left = held[player if play.air == "each" and player < len(held) else 0]
    cost = cost_of(play, value)
    return f"A cut of {name} costs {cost} air: {left} is left." if cost > left else ""


def letters_left(position: Position) -> list[str]:
    """Return the limit cards left in the common deck; [] in missions without one."""
    gone = {*position.limits_gone, position.constraint}
    drawn = play_of(position).next_limit in ("stuck", "finished")
    return [letter for letter in CONSTRAINTS if letter not in gone] if drawn else []


def card_number(letter: str | None) -> int:
    """Return the kernel's number of a limit card: 1 (A) to 12 (L), 0 for none."""
    return CONSTRAINTS.index(letter) + 1 if letter else 0


def encode_changes(position: Position, stands: int) -> list[int]:
    """Encode the limit cards of all, decks, robot and air for GAME ENCODING (rack.h)."""
    play, numbers = play_of(position), position.numbers_left
    limit = card_number(position.constraint) if play.next_limit != "never" else 0
    letters = sum(1 << CONSTRAINTS.index(letter) for letter in letters_left(position))
    live = set(numbers) if numbers is not None else {*map(str, range(1, 13))} - {*position.numbers}
    held = air_held(position)
    spent = total_air(position) - held[0] if play.air == "pot" else 0
    return [
        ("never", "stuck", "finished", "paired").index(play.next_limit),
        ("lost", "free", "next").index(play.all_stuck),
        ("none", "pot", "each").index(play.air),
        int(not play.by_thirds),
        *(card_number(position.pairs.get(str(n))) for n in range(1, 13)),
        limit,
        letters,
        sum(1 << int(n) for n in live) if play.cutter else 0,
        min(position.track or 0, TRACK_END - 1) if play.track else -1,
        max(spent, 0),
        *held,
        *[0] * (stands - len(held)),
    ]


def turn_limit(table: Position, dice: random.Random) -> Position:
    """Return the table with the next common limit card drawn; without one if the deck is empty."""
    left, gone = letters_left(table), table.limits_gone
    if table.constraint:
        gone = (*gone, table.constraint)
    letter = dice.choice(left) if left else None
    return msgspec.structs.replace(table, constraint=letter, limits_gone=gone)


def after_round(table: Position, dice: random.Random) -> tuple[Position, bool]:
    """Return the table after a round of skipped turns, and whether the bomb goes off."""
    found = play_of(table).all_stuck
    if found == "next":
        steps = max((table.detonator or 0) - 1, 0)
        table = turn_limit(msgspec.structs.replace(table, detonator=steps), dice)
        return table, not steps
    return table, found == "lost"


def skip_turn(table: Position, actor: int) -> Position:
    """Return the table after a turn without a cut: a common pot is passed on."""
    return (
        _pay(table, table, actor, 0) if air_held(table) and play_of(table).air == "pot" else table
    )


def finish_number(table: Position, value: int) -> Position:
    """Return the table with the limit card of a finished number, if it has one."""
    paired = play_of(table).next_limit == "paired"
    letter = table.pairs.get(VALUE_NAMES[value]) if paired else None
    return msgspec.structs.replace(table, constraint=letter) if letter else table


def after_cut(
    table: Position, before: Position, actor: int, value: int, success: bool
) -> tuple[Position, str, bool]:
    """Return the table with the air paid or the robot moved, a sentence, and whether it explodes.

    `before`: the table before the cut. The turn passes to the next player with wires.
    """
    play = play_of(table)
    if play.track:
        at = before.track or 0
        at += ROBOT_FAILED if not success else -1 if value == at else 1
        at = min(at, TRACK_END)
        text = f" The robot stands on {at}"
        text += ": the bomb has gone off." if at == TRACK_END else "."
        return msgspec.structs.replace(table, track=at), text, at == TRACK_END
    if play.air == "none" or value >= YELLOW or not (before.air or before.reserve is not None):
        return table, "", False
    return _pay(table, before, actor, cost_of(play, value)), "", False


def _pay(table: Position, before: Position, actor: int, cost: int) -> Position:
    seats = len(table.seats())
    order = [(actor + n) % seats for n in range(1, seats + 1)]
    held = air_held(before)
    if play_of(table).air == "each":
        held[actor] = max(held[actor] - cost, 0)
        others = [p for p in order[:-1] if has_wires(before, p)]
        if others:
            held[min(others, key=lambda p: held[p])] += cost
        return msgspec.structs.replace(table, air=tuple(held))
    left = max(held[0] - cost, 0)
    following = next((p for p in order if has_wires(table, p)), actor)
    refilled = following <= actor  # the captain's turn begins, or would
    if table.mission == COMMON_AIR:
        return msgspec.structs.replace(table, reserve=total_air(table) if refilled else left)
    purse = total_air(table) if refilled else left
    air = tuple(purse if p == following else 0 for p in range(seats))
    return msgspec.structs.replace(table, air=air, reserve=total_air(table) - purse)


def has_wires(table: Position, player: int) -> bool:
    """Return whether a player has uncut wires."""
    stands = (table.stands[i] for i in table.stands_of(player))
    return any(slot.state != "cut" for stand in stands for slot in stand.slots)
