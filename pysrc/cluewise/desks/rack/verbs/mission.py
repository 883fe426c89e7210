"""The verbs `mission` and `deal`: a mission's table, dealt wires and first tokens.

`FirstTokens` places tokens by the mission's card: random, false or absent ones are drawn, chosen
ones maximise the information gain (`indicate`). `DealtGame` is a dealt game with its true wires,
for simulations; `with_wires` is one player's view of it. All are determined by a seed.
"""

from __future__ import annotations

import random
from array import array
from collections.abc import Sequence

import msgspec

from cluewise.core.seal import seal
from cluewise.core.work import Job, Progress, finish
from cluewise.desks.rack.engine import rollout
from cluewise.desks.rack.game.deal import (
    NUMBERS,
    deal_hands,
    describe,
    draw_constraint_card,
    draw_limits,
    empty_table,
)
from cluewise.desks.rack.game.missions import Mission, first_token, missions, unmodelled
from cluewise.desks.rack.game.play import play_of
from cluewise.desks.rack.game.rules import Rules
from cluewise.desks.rack.game.table_edits import (
    PURPOSE,
    Place,
    add_player_fact,
    exclude_values,
    place_token,
)
from cluewise.desks.rack.position import Position, Wires, in_play
from cluewise.desks.rack.results import IndicateOptions, MissionOptions, Setup
from cluewise.desks.rack.stand import YELLOW, Fact, Slot, value_number, value_of, wire_code
from cluewise.desks.rack.verbs.indicate import indicate, values_denied_by
from cluewise.errors import BadOption

Hands = list[list[str]]


def mission(position: Position, options: MissionOptions) -> Job[Position]:
    """Return a mission's table before any wire is known."""
    yield Progress(0, 1, "laying out")
    _check_seat(options)
    table = empty_table(options.mission, options.players, options.seed)
    return msgspec.structs.replace(table, viewer=options.seat)


def deal(position: Position, options: MissionOptions) -> Job[Setup]:
    """Deal a practice game: the viewer sees own wires and first tokens, the other wires are sealed.

    Tokens that players do not choose (drawn, false, absent) are placed for all players; chosen ones
    only for the players before the viewer, `partner` places those of players after the viewer.
    """
    yield Progress(0, options.players, "dealing")
    _check_seat(options)
    dice = random.Random(options.seed + 1)
    table = empty_table(options.mission, options.players, options.seed)
    hands = deal_hands(table, dice)
    one = missions()[options.mission]
    table = msgspec.structs.replace(
        table,
        viewer=options.seat,
        sealed=seal(";".join(map(",".join, hands)), PURPOSE),
        constraint=(own := draw_constraint_card(one, dice)),
        limits=draw_limits(one, options.players, options.seat, own, random.Random(options.seed)),
    )
    first = FirstTokens(one, with_wires(table, hands, options.seat), hands, dice)
    for seat in range(options.players):
        yield Progress(seat, options.players, "the others show a wire")
        yield from first.lay(seat, options.players, options.seat)
    return Setup(first.table, describe(first.table), unmodelled(first.table))


def _check_seat(options: MissionOptions) -> None:
    if options.players not in missions()[options.mission].players:
        least = missions()[options.mission].players[0]
        raise BadOption(f"Mission {options.mission} is for {least} players or more.",
                        "$.options.players")  # fmt: skip
    if options.seat >= options.players:
        raise BadOption(f"With {options.players} players, seats are 0 to {options.players - 1}.",
                        "$.options.seat")  # fmt: skip


def with_wires(table: Position, hands: Sequence[Sequence[str | None]], seat: int) -> Position:
    """Return the table with the hidden wires that a player sees: own ones, and others' turned ones.

    A shown yellow wire has its number only for its owner.
    """
    stands, turned = [], Rules(table).rule("flipped") is not None
    for i, (stand, hand) in enumerate(zip(table.stands, hands, strict=True)):
        mine = table.owner_of(i) == seat
        slots = (
            _slot_view(slot, wire, mine != (turned and "unsorted" in slot.tokens))
            for slot, wire in zip(stand.slots, hand, strict=True)
        )
        stands.append(msgspec.structs.replace(stand, slots=tuple(slots)))
    return msgspec.structs.replace(table, stands=tuple(stands), viewer=seat)


def _slot_view(slot: Slot, wire: str | None, visible: bool) -> Slot:
    """Return a slot for a player who sees its wire (`visible`) or does not."""
    if slot.state == "hidden":
        return msgspec.structs.replace(slot, wire=wire if visible else None)
    if slot.state == "info" and "YELLOW" in (slot.value, announced_value(slot.wire or "")):
        number, colour = (wire, None) if visible else (None, "YELLOW")
        return msgspec.structs.replace(slot, wire=number, value=colour)
    return slot


def announced_value(wire: str) -> str:
    """Return the value by which a wire is named: `announced_value("Y4") == "YELLOW"`."""
    return {"Y": "YELLOW", "R": "RED"}.get(wire[:1], wire)


class FirstTokens:
    """Places the first tokens seat by seat; `table` is the table after those placed so far."""

    def __init__(
        self, mission_: Mission, table: Position, hands: Hands, dice: random.Random
    ) -> None:
        self.mission, self.table, self.hands, self.dice = mission_, table, hands, dice

    def lay(self, seat: int, players: int, viewer: int) -> Job[None]:
        """Place a seat's tokens; chosen ones only for seats before the viewer."""
        tokens = self.mission.tokens
        kind = first_token(self.mission, seat, players, self.table.captain_card)
        if kind == "random":
            self._place_random(seat)
        elif kind == "absent":
            self._place_absent(seat, tokens.count)
        elif kind == "false":
            self._place_false(seat, tokens.count)
        elif kind != "none" and seat < viewer:
            yield from self.place_best(seat)

    def _places(self, seat: int) -> list[Place]:
        """Return a seat's hidden places, unsorted ones excluded."""
        return [
            (i, j)
            for i in self.table.stands_of(seat)
            for j, slot in enumerate(self.table.stands[i].slots)
            if slot.state == "hidden" and "unsorted" not in slot.tokens
        ]

    def _value(self, place: Place) -> int:
        return value_of(wire_code(self.hands[place[0]][place[1]]) or 0)

    def _held(self, seat: int) -> set[int]:
        stands = self.table.stands_of(seat)
        return {value_of(wire_code(wire) or 0) for i in stands for wire in self.hands[i]}

    def _place_random(self, seat: int) -> None:
        """Draw a number: its token lies on a wire of it, or next to the stand without one."""
        name = self.dice.choice(NUMBERS)
        fitting = [p for p in self._places(seat) if self._value(p) == value_number(name)]
        if fitting:
            self._place(self.dice.choice(fitting))
        elif value_number(name) not in self._held(seat):
            self.table = add_player_fact(self.table, seat, Fact("lacks", name))

    def _place_absent(self, seat: int, count: int) -> None:
        """Draw values that the player does not hold."""
        values = [*NUMBERS, *(["YELLOW"] if self._has_yellow() else [])]
        missing = [v for v in values if value_number(v) not in self._held(seat)]
        for name in self.dice.sample(missing, min(count, len(missing))):
            self.table = add_player_fact(self.table, seat, Fact("lacks", name))

    def _has_yellow(self) -> bool:
        wires = self.table.wires
        return bool(wires.yellow) or any(w[0] == "Y" for g in wires.groups for w in g.of)

    def _place_false(self, seat: int, count: int) -> None:
        """Draw wires of the allowed colours, and for each a number that it does not have."""
        uncovered = self.mission.tokens.uncovered_values
        places = [p for p in self._places(seat) if self._value(p) not in uncovered]
        for place in self.dice.sample(places, min(count, len(places))):
            wrong = [n for n in NUMBERS if value_number(n) != self._value(place)]
            denied = values_denied_by(self.table, self.dice.choice(wrong))
            self.table = exclude_values(self.table, place, denied)

    def place_best(self, seat: int) -> Job[Place | None]:
        """Show the wire of the largest gain; a random blue one if the player has turned wires.

        Return its place; None if no wire may be shown.
        """
        stand = self.table.stands_of(seat)[0]
        seen = with_wires(self.table, self.hands, seat)
        if any(s.wire is None and s.state == "hidden" for s in seen.stands[stand].slots):
            blue = [p for p in self._places(seat) if p[0] == stand and self._value(p) < YELLOW]
            return self._place(self.dice.choice(blue))
        choice = IndicateOptions(stand=stand, token=self.table.token)
        advice = yield from indicate(seen, choice)
        if advice.options and (slot := advice.options[0].slot) is not None:
            return self._place((stand, slot))
        return None

    def _place(self, place: Place) -> Place:
        self.table = place_token(self.table, *place, self.hands[place[0]])
        return place


class DealtGame:
    """A table with its first tokens and its true wires, dealt from a seed."""

    def __init__(self, mission: int, players: int, seed: str, red: int = 0) -> None:
        """Deal the game. `red`: a table without a mission, with this many red wires, no yellow."""
        self.players = players
        dice = random.Random(seed)
        table = empty_table(mission, players, dice.randrange(1 << 30))
        if red:
            reds = tuple(f"R{n}" for n in sorted(dice.sample(range(1, 12), red)))
            table = msgspec.structs.replace(table, wires=Wires(red=reds), mission=None)
        self.hands: Hands = deal_hands(table, dice)
        cards = random.Random(f"{seed}.limits")
        limits = draw_limits(missions()[mission], players, 0, cards.choice("ABCDE"), cards)
        drawn = play_of(table).next_limit in ("stuck", "finished")
        common = draw_constraint_card(missions()[mission], cards) if drawn else None
        table = msgspec.structs.replace(table, limits=limits, constraint=common)
        self.seed = cards.randbytes(rollout.DEAL - rollout.STANDS * rollout.SLOTS)
        first = FirstTokens(missions()[mission], with_wires(table, self.hands, 0), self.hands, dice)
        for seat in range(players):
            finish(first.lay(seat, players, players))
        blank = [[None] * len(hand) for hand in self.hands]
        self.table = with_wires(first.table, blank, players)

    def seen_by(self, seat: int, table: Position | None = None) -> Position:
        """Return a table of this deal as a player sees it; by default the one at the start."""
        return with_wires(table or self.table, self.hands, seat)

    def wires(self) -> array[int]:
        """Return the true wires as a deal for the kernel (DEAL bytes, rack.h)."""
        codes = sorted(code for code, n in in_play(self.table.wires).items() if n)
        deal = array("B", bytes(rollout.DEAL))
        for i, hand in enumerate(self.hands):
            for j, wire in enumerate(hand):
                deal[i * rollout.SLOTS + j] = codes.index(wire_code(wire) or 0)
        deal[-len(self.seed) :] = array("B", self.seed)
        return deal
