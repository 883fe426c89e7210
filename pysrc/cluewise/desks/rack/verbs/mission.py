"""A mission's table, empty or dealt for practice."""

from __future__ import annotations

import random

import msgspec

from cluewise.core.seal import seal
from cluewise.core.work import Job, Progress
from cluewise.desks.rack.marks import PURPOSE, show_token
from cluewise.desks.rack.position import Position
from cluewise.desks.rack.puzzles import deal_hands, describe, empty_table
from cluewise.desks.rack.results import IndicateOptions, MissionOptions, Setup
from cluewise.desks.rack.verbs.indicate import indicate
from cluewise.errors import BadOption


def mission(position: Position, options: MissionOptions) -> Job[Position]:
    """A position for a mission: stands of the right sizes, nothing known yet."""
    yield Progress(0, 1, "laying out")
    _check_seat(options)
    table = empty_table(options.mission, options.players, options.seed)
    return msgspec.structs.replace(table, viewer=options.seat)


def deal(position: Position, options: MissionOptions) -> Job[Setup]:
    """A practice game: your own wires, the tokens shown before your turn, the rest sealed."""
    yield Progress(0, options.seat + 1, "dealing")
    _check_seat(options)
    table = empty_table(options.mission, options.players, options.seed)
    hands = deal_hands(table, random.Random(options.seed + 1))
    table = msgspec.structs.replace(
        table, viewer=options.seat, sealed=seal(";".join(map(",".join, hands)), PURPOSE)
    )
    table = _own_wires(table, hands)
    for seat in range(options.seat):
        yield Progress(seat, options.seat + 1, "the others show a wire")
        table = yield from _first_token(table, hands, seat)
    return Setup(table, describe(table))


def _check_seat(options: MissionOptions) -> None:
    if options.seat >= options.players:
        raise BadOption(f"With {options.players} players, seats are 0 to {options.players - 1}.",
                        "$.options.seat")  # fmt: skip


def _own_wires(table: Position, hands: list[list[str]]) -> Position:
    stands = list(table.stands)
    for i, hand in enumerate(hands):
        if table.owner_of(i) == table.viewer:
            slots = tuple(
                msgspec.structs.replace(slot, wire=wire)
                for slot, wire in zip(stands[i].slots, hand, strict=True)
            )
            stands[i] = msgspec.structs.replace(stands[i], slots=slots)
    return msgspec.structs.replace(table, stands=tuple(stands))


def _first_token(table: Position, hands: list[list[str]], seat: int) -> Job[Position]:
    """The seat shows the wire that tells most."""
    stand = next(i for i in range(len(table.stands)) if table.owner_of(i) == seat)
    seen = msgspec.structs.replace(table, viewer=seat)
    advice = yield from indicate(
        _own_wires(seen, hands), IndicateOptions(stand=stand, token=table.token)
    )
    if not advice.options:
        return table
    slot = advice.options[0].slot
    return show_token(table, stand, slot, hands[stand])
