"""A game dealt from a seed: its table after the first tokens, and what each player sees of it."""

from __future__ import annotations

import random
from array import array
from collections.abc import Sequence

import msgspec

from cluewise.core.work import finish
from cluewise.desks.rack.engine import rollout
from cluewise.desks.rack.game.deal import deal_hands, draw_constraint_card, draw_limits, empty_table
from cluewise.desks.rack.game.missions import missions
from cluewise.desks.rack.game.play import play_of
from cluewise.desks.rack.game.rules import Rules
from cluewise.desks.rack.position import Position, Wires, in_play
from cluewise.desks.rack.stand import Slot
from cluewise.desks.rack.verbs.mission import FirstTokens, Hands, seen_hands
from cluewise.desks.rack.wires import wire_code


class DealtGame:
    """A table with its first tokens and its true wires, dealt from a seed."""

    def __init__(self, mission: int, players: int, seed: str, red: int = 0) -> None:
        """`red`: so many red wires and no yellow ones, on stands as large as the mission's."""
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
        first = FirstTokens(missions()[mission], seen_hands(table, self.hands), self.hands, dice)
        for seat in range(players):
            finish(first.lay(seat, players, players))
        blank = [[None] * len(hand) for hand in self.hands]
        self.table = with_wires(first.table, blank, players)

    def seen_by(self, seat: int, table: Position | None = None) -> Position:
        """A table as a player sees it: the one at the start, or another of this deal."""
        return with_wires(table or self.table, self.hands, seat)

    def wires(self) -> array[int]:
        """The true wires as a deal of the kernel's."""
        codes = sorted(code for code, n in in_play(self.table.wires).items() if n)
        deal = array("B", bytes(rollout.DEAL))
        for i, hand in enumerate(self.hands):
            for j, wire in enumerate(hand):
                deal[i * rollout.SLOTS + j] = codes.index(wire_code(wire) or 0)
        deal[-len(self.seed) :] = array("B", self.seed)
        return deal


def with_wires(table: Position, hands: Sequence[Sequence[str | None]], seat: int) -> Position:
    """The table with a player's own wires entered, and no one else's."""
    stands, turned = [], Rules(table).rule("flipped") is not None
    for i, (stand, hand) in enumerate(zip(table.stands, hands, strict=True)):
        mine = table.owner_of(i) == seat
        slots = (
            _as_seen(slot, wire, mine != (turned and "unsorted" in slot.tokens))
            for slot, wire in zip(stand.slots, hand, strict=True)
        )
        stands.append(msgspec.structs.replace(stand, slots=tuple(slots)))
    return msgspec.structs.replace(table, stands=tuple(stands), viewer=seat)


def _as_seen(slot: Slot, wire: str | None, mine: bool) -> Slot:
    """A slot for who sees its face, or another: a shown yellow has its number for its owner."""
    if slot.state == "hidden":
        return msgspec.structs.replace(slot, wire=wire if mine else None)
    if slot.state == "info" and "YELLOW" in (slot.value, called(slot.wire or "")):
        number, colour = (wire, None) if mine else (None, "YELLOW")
        return msgspec.structs.replace(slot, wire=number, value=colour)
    return slot


def called(wire: str) -> str:
    """The value of a wire as it is announced."""
    return {"Y": "YELLOW", "R": "RED"}.get(wire[:1], wire)
