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
from collections.abc import Callable, Iterator
from functools import lru_cache
from math import inf, isnan, prod

import msgspec

from cluewise.core.work import Job, Progress
from cluewise.desks.rack.engine import rollout
from cluewise.desks.rack.engine.racing import LEAST, LISTED, RacingRollouts
from cluewise.desks.rack.engine.rounding import snap_ties
from cluewise.desks.rack.game.legal import Place
from cluewise.desks.rack.game.missions import first_token, mission_of
from cluewise.desks.rack.game.table_edits import add_player_fact, exclude_values, place_token
from cluewise.desks.rack.position import Position
from cluewise.desks.rack.results import IndicateOptions, Indication, Indications, Win
from cluewise.desks.rack.stand import Fact, Slot
from cluewise.desks.rack.verbs.indicate import (
    MODELS,
    TOKENS,
    StandAnalysis,
    false_token_denies,
)
from cluewise.desks.rack.wires import value_number

DEALS, MOST_DEALS, BLOCK = 96, 2048, 16
MOST_TOKENS = 16  # that are played out: those with the largest gains
MOST_CASES = 16  # of "2 of 3" wires, as first_token.c takes them
BEGUN = "First tokens are compared by the chance to win before the first cut."
JOINT = MODELS.index("joint")
Hand = tuple[str, ...]


def rank_by_win(
    position: Position,
    options: IndicateOptions,
    rows: list[Indication],
    result: Callable[[list[Indication], str], Indications],
) -> Job[Indications]:
    """The `result` of the rows by the chance to win and how it was computed, or why it was not.

    Yields its progress, with `best` the same from the games so far.
    """
    seat = position.owner_of(options.stand)
    seen = msgspec.structs.replace(position, viewer=seat)
    begun = any(slot.state == "cut" for stand in position.stands for slot in stand.slots)
    refused = BEGUN if begun else rollout.refusal(seen)
    if refused or not rows:
        return result(rows, refused)
    played, rest = rows[:MOST_TOKENS], rows[MOST_TOKENS:]
    tables = [after(seen, options.stand, row) for row in played]
    places = [None if row.says or row.slot is None else (options.stand, row.slot) for row in played]
    without = " and ".join(["without equipment", *rollout.left_out(position)])
    note = (
        f"Chances to win: {without}; the players after you show their best token by the joint "
        "metric, then every seat plays what is sure, else the best chance of success less that "
        "of red times the steps left."
    )

    def ranked() -> Indications:
        wins = games.wins()
        found = [msgspec.structs.replace(row, win=w) for row, w in zip(played, wins, strict=True)]
        found.sort(key=lambda row: (-row.win.chance if row.win else 0, -row.gain, row.slot or 0))
        return result(found + rest, note)

    games = TokenGames(seen, seat, tables, places)
    for done, most, some in games.play(options.seconds, options.seed):
        yield Progress(done, most, "playing games out", ranked() if some else None)
    return ranked()


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


class TokenGames:
    """Games after each token that is compared, raced on the same deals.

    `tables`: after each token; `places`: of the tokens that show a wire's value, None for others.
    """

    def __init__(
        self, position: Position, seat: int, tables: list[Position], places: list[Place | None]
    ) -> None:
        self.position, self.seat, self.tables, self.places = position, seat, tables, places
        self.words = rollout.game_words(position)
        self.race = RacingRollouts(self.words, dict.fromkeys(range(len(tables)), rollout.BY_RULE))

    def play(self, seconds: float | None, seed: int) -> Iterator[tuple[int, int, bool]]:
        """Plays blocks of deals until the order is clear, the games or the time are used up.

        Yields deals so far, the most, and whether every token has games.
        """
        race, laying = self.race, self._laying()
        listed = rollout.all_deals(self.words, LISTED)
        if listed is not None:
            race.chances = listed[1]
        end = None if seconds is None else time.monotonic() + seconds
        most = len(race.chances) or MOST_DEALS
        in_all = DEALS * len(self.tables) if seconds is None else inf
        for first in range(0, most, BLOCK):
            late = end is not None and time.monotonic() >= end
            spent = sum(map(len, race.won.values()))
            if first and not race.chances and (late or spent >= in_all or len(race.running) < 2):
                break
            count = min(BLOCK, most - first)
            if listed is not None:
                deals = listed[0][first * rollout.DEAL : (first + count) * rollout.DEAL]
            else:
                deals = rollout.draw_deals(self.words, seed + first, count)
            yield first, most, first > 0 and not race.chances
            if laying is None:
                for k in self._play_slowly(deals, f"{seed}.{first}"):
                    yield first + k, most, False
            else:
                places = [place for i in race.running if (place := self.places[i])]
                won = rollout.play_tokens(self.words, deals, places, laying)
                for i, more in zip(race.running, won, strict=True):
                    race.won[i] += more
            if first + count >= LEAST and not race.chances:
                race.leave_behind()

    def wins(self) -> list[Win]:
        """The chance to win after each token, from the games so far."""
        race, equals = self.race, self.race.equals()
        return [
            Win(race.chance(i), race.error(i), len(race.won[i]), i in equals)
            for i in range(len(self.tables))
        ]

    def _laying(self) -> int | None:
        """The stands (bits) that still lay a token; None where the kernel does not know the tokens.

        It knows tokens that show the value of a wire, on stands of which nothing is said yet.
        """
        position, mission = self.position, mission_of(self.position)
        shown = [s for stand in position.stands for s in stand.slots if s.state == "info"]
        cases = prod(len(group.of) + 1 for group in position.wires.groups)
        if None in self.places or position.token != "standard" or cases > MOST_CASES:
            return None
        if any(value_number(slot.wire or "") is None for slot in shown):
            return None
        found, players = 0, len(position.seats())
        for seat in range(self.seat + 1, players):
            kind = first_token(mission, seat, players, position.captain_card) if mission else ""
            stand = next(i for i in range(len(position.stands)) if position.owner_of(i) == seat)
            if kind == "none" or _has_token(position, stand):
                continue
            bare = not any(slot.tokens for slot in position.stands[stand].slots)
            if kind not in ("", "own_choice") or not bare or position.stands[stand].facts:
                return None
            found |= 1 << stand
        return found

    def _play_slowly(self, deals: array[int], dice: str) -> Iterator[int]:
        """The games of tokens that the kernel does not know, one by one."""
        race = self.race
        for k, hands in enumerate(rollout.hands_of(self.position, deals)):
            yield k
            deal = deals[k * rollout.DEAL : (k + 1) * rollout.DEAL]
            for i in race.running:
                race.won[i] += [self._result(self.tables[i], hands, deal, f"{dice}.{k}")]

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
