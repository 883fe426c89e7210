"""First tokens by the chance to win: the same deals played to the end after each of them.

Deals are drawn from the exact posterior of the player who lays the token, or are all of them where
they are few. After the token the seats still to lay theirs choose by the joint metric, in turn from
the captain; then the captain begins and every seat plays the rollouts' rule (rollout.c). All tokens
play the same deals (common random numbers).
"""

from __future__ import annotations

import random
import time
from array import array
from functools import lru_cache
from math import isnan
from typing import NamedTuple

import msgspec

from cluewise.core.work import Job, Progress
from cluewise.desks.rack.engine import rollout
from cluewise.desks.rack.engine.racing import LISTED, RacingRollouts
from cluewise.desks.rack.engine.rounding import snap_ties
from cluewise.desks.rack.game.missions import first_token, mission_of
from cluewise.desks.rack.game.table_edits import add_player_fact, exclude_values, place_token
from cluewise.desks.rack.position import Fact, Position, Slot
from cluewise.desks.rack.results import IndicateOptions, Indication, Win
from cluewise.desks.rack.verbs.indicate import (
    MODELS,
    TOKENS,
    StandAnalysis,
    false_token_denies,
)

DEALS, MOST_DEALS, BLOCK = 96, 2048, 16
MOST_TOKENS = 16  # that are played out: those with the largest gains
BEGUN = "First tokens are compared by the chance to win before the first cut."
JOINT = MODELS.index("joint")
Hand = tuple[str, ...]


def rank_by_win(
    position: Position, options: IndicateOptions, rows: list[Indication]
) -> Job[tuple[list[Indication], str]]:
    """The rows by the chance to win, and how it was computed, or why it was not."""
    seat = position.owner_of(options.stand)
    seen = msgspec.structs.replace(position, viewer=seat)
    begun = any(slot.state == "cut" for stand in position.stands for slot in stand.slots)
    refused = BEGUN if begun else rollout.refusal(seen)
    if refused or not rows:
        return rows, refused
    played, rest = rows[:MOST_TOKENS], rows[MOST_TOKENS:]
    tables = [after(seen, options.stand, row) for row in played]
    wins = yield from TokenGames(seen, seat, tables).play(options.seconds, options.seed)
    found = [msgspec.structs.replace(row, win=win) for row, win in zip(played, wins, strict=True)]
    found.sort(key=lambda row: (-row.win.chance if row.win else 0, -row.gain, row.slot or 0))
    without = " and ".join(["without equipment", *rollout.left_out(position)])
    note = (
        f"Chances to win: {without}; the players after you show their best token by the joint "
        "metric, then every seat plays what is sure, else the best chance of success less that "
        "of red times the steps left."
    )
    return found + rest, note


def after(table: Position, stand: int, row: Indication) -> Position:
    """The table once the token of a row is laid."""
    kind, _, value = (row.says or "").partition(":")
    if kind == "lacks":
        return add_player_fact(table, table.owner_of(stand), Fact("lacks", value))
    assert row.slot is not None
    if kind == "not":
        return exclude_values(table, (stand, row.slot), false_token_denies(table, value))
    hand = [slot.wire or "" for slot in table.stands[stand].slots]
    return place_token(table, stand, row.slot, hand)


class TokenGames(NamedTuple):
    """The tables after each token that is compared, and whose token it is."""

    position: Position
    seat: int
    tables: list[Position]

    def play(self, seconds: float | None, seed: int) -> Job[list[Win]]:
        """The chance to win after each token; with `seconds` as many games as time allows."""
        words = rollout.game_words(self.position)
        race = RacingRollouts(words, dict.fromkeys(range(len(self.tables)), rollout.BY_RULE))
        listed = rollout.all_deals(words, LISTED)
        if listed is not None:
            race.chances = listed[1]
        end = None if seconds is None else time.monotonic() + seconds
        most = len(race.chances) or (DEALS if seconds is None else MOST_DEALS)
        for first in range(0, most, BLOCK):
            if first and end is not None and time.monotonic() >= end and not race.chances:
                break
            count = min(BLOCK, most - first)
            if listed is not None:
                deals = listed[0][first * rollout.DEAL : (first + count) * rollout.DEAL]
            else:
                deals = rollout.draw_deals(words, seed + first, count)
            for k, hands in enumerate(rollout.hands_of(self.position, deals)):
                yield Progress(first + k, most, "playing games out")
                deal = deals[k * rollout.DEAL : (k + 1) * rollout.DEAL]
                dice = f"{seed}.{first + k}"
                for i, table in enumerate(self.tables):
                    race.won[i] += [self._result(table, hands, deal, dice)]
        equals = race.equals()
        return [
            Win(race.chance(i), race.error(i), len(race.won[i]), i in equals)
            for i in range(len(self.tables))
        ]

    def _result(self, table: Position, hands: list[list[str]], deal: array[int], dice: str) -> int:
        """Whether the game of a deal is won, the other first tokens laid."""
        players = len(table.seats())
        mission = mission_of(table)
        for seat in range(self.seat + 1, players):
            kind = first_token(mission, seat, players, table.captain_card) if mission else ""
            if kind in ("random", "absent", "false") and mission:
                from cluewise.desks.rack.verbs.mission import FirstTokens

                drawn = FirstTokens(mission, table, hands, random.Random(f"{dice}.{seat}"))
                for _ in drawn.lay(seat, players, players):
                    pass
                table = drawn.table
            elif kind != "none":
                stand = next(i for i in range(len(table.stands)) if table.owner_of(i) == seat)
                if not _has_token(table, stand):
                    slot = _best_slot(_public(table), stand, tuple(hands[stand]))
                    table = table if slot is None else place_token(table, stand, slot, hands[stand])
        words = rollout.game_words(msgspec.structs.replace(table, viewer=0))
        return rollout.play(words, deal, [rollout.BY_RULE])[0][0]


def _has_token(table: Position, stand: int) -> bool:
    """Whether the first token of a stand lies already."""
    return any(s.state == "info" or set(s.tokens) - {"unsorted"} for s in table.stands[stand].slots)


def _public(table: Position) -> Position:
    """The table without the hidden wires that a player sees."""
    hidden = lambda s: msgspec.structs.replace(s, wire=None) if s.state == "hidden" else s  # noqa: E731
    stands = tuple(
        msgspec.structs.replace(stand, slots=tuple(map(hidden, stand.slots)))
        for stand in table.stands
    )
    return msgspec.structs.replace(table, stands=stands, pairs=())


@lru_cache(maxsize=4096)
def _best_slot(table: Position, stand: int, hand: Hand) -> int | None:
    """The slot whose token a hand's player shows by the joint metric; None where none may lie."""
    old = table.stands[stand]
    slots = tuple(
        Slot(slot.state, wire, None, slot.tokens) if slot.state == "hidden" else slot
        for slot, wire in zip(old.slots, hand, strict=True)
    )
    known = msgspec.structs.replace(old, slots=slots)
    stands = (*table.stands[:stand], known, *table.stands[stand + 1 :])
    reading = StandAnalysis(msgspec.structs.replace(table, stands=stands), stand)
    column = 3 * TOKENS.index(table.token) + JOINT
    most_times = 3 if table.token == "multiplicity" else 0
    gains = snap_ties([row[column] for row in reading.table(most_times=most_times)[1]])
    loose = "unsorted"
    found = [
        (-gain, slot)
        for gain, slot in zip(gains, reading.plan.parts[0].slots, strict=True)
        if slots[slot].state == "hidden" and loose not in slots[slot].tokens and not isnan(gain)
    ]
    return min(found)[1] if found else None
