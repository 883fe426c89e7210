"""First tokens by the chance to win: the same deals played to the end after each of them.

Deals are drawn from the exact posterior of the player who lays the token, or are all of them where
they are few. After the token the seats still to lay theirs choose by the joint metric, in turn from
the captain; then the captain begins and every seat plays the rollouts' rule (rollout.c). All tokens
play the same deals (common random numbers), halved in number within a number of games that the work
of the first ones decides (sequential halving, as racing.py).
"""

from __future__ import annotations

import random
import time
from array import array
from collections.abc import Callable, Iterator
from functools import lru_cache
from math import inf, isnan, prod

import msgspec

from cluewise.core.work import Job, Progress, SliceTimer
from cluewise.desks.rack.engine import rollout
from cluewise.desks.rack.engine.counting import snap_ties
from cluewise.desks.rack.engine.racing import LEAST, LISTED, RacingRollouts
from cluewise.desks.rack.game.legal import Place
from cluewise.desks.rack.game.missions import first_token, mission_of
from cluewise.desks.rack.game.table_edits import add_player_fact, exclude_values, place_token
from cluewise.desks.rack.position import Position
from cluewise.desks.rack.results import IndicateOptions, Indication, Indications, Win
from cluewise.desks.rack.stand import Fact, Slot, value_number
from cluewise.desks.rack.verbs.indicate import (
    MODELS,
    TOKENS,
    StandAnalysis,
    false_token_denies,
    seen_by,
)

DEALS, MOST_DEALS, BLOCK = 96, 2048, 16
WORK = 4 * 10**8  # transitions in all, where no time is given: two or three seconds
LAYING = 10**6  # the work of tokens that Python lays in a game, about
PROBED = 2  # tokens of the very first call
LEAST_IN_ALL = 64  # games; where WORK allows fewer, none is counted
SHARES = 4  # blocks that each token is given at least, if games are few
TOO_SLOW = "Playing games out takes too long here to compare first tokens by the chance to win."
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
        yield Progress(done, most, "simulating games", ranked() if some else None)
    return result(rows, TOO_SLOW) if games.too_slow else ranked()


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
        self.game = rollout.encode_game(position)
        self.race = RacingRollouts(self.game, dict.fromkeys(range(len(tables)), rollout.BY_RULE))
        self.laying = self._laying()
        self.too_slow = False

    def play(self, seconds: float | None, seed: int) -> Iterator[tuple[int, int, bool]]:
        """Plays blocks of deals until the order is clear, the games or the time are used up.

        Yields deals so far, the most, and whether every token has games. Where two first games show
        that LEAST_IN_ALL take too long, none is counted (`too_slow`).
        """
        race, n = self.race, len(self.tables)
        listed = rollout.all_deals(self.game, LISTED)
        if listed is not None:
            race.chances = listed[1]
        end = inf if seconds is None else time.monotonic() + seconds
        most, block, in_all = len(race.chances) or MOST_DEALS, BLOCK, inf
        if seconds is None and listed is None:
            yield 0, most, False
            tried = race.running[:PROBED]
            work = self._play_deals(rollout.draw_deals(self.game, seed, 1), tried, seed, 0)[1]
            in_all = self._affordable(len(tried), work)
            if self.too_slow:
                return
            block = min(BLOCK, max(1, int(in_all) // (SHARES * n)))
        first, spent, work, pace = 0, 0, 0, SliceTimer(1)
        while first < most:
            count = min(block, most - first)
            if listed is not None:
                deals = listed[0][first * rollout.DEAL : (first + count) * rollout.DEAL]
            else:
                deals = rollout.draw_deals(self.game, seed + first, count)
            at = 0
            while at < count and (not spent or time.monotonic() < end or race.exact):
                yield first + at, most, first > 0 and at == 0 and not race.exact
                some = min(pace.rows(count - at), count - at)
                these = deals[at * rollout.DEAL : (at + some) * rollout.DEAL]
                won, took = self._play_deals(these, race.running, seed, first + at)
                pace.took()
                for i, more in zip(race.running, won, strict=True):
                    race.won[i] += more
                work, spent, at = work + took, spent + some * len(race.running), at + some
            first += count
            if race.exact:
                continue
            if seconds is None:
                in_all = self._affordable(spent, work) if first == count else in_all
                race.halve(spent / in_all)
            if first >= LEAST:
                race.leave_behind()
            if spent >= in_all or len(race.running) < 2 or time.monotonic() >= end:
                break

    def _affordable(self, games: int, work: int) -> float:
        """How many games in all take WORK, if those took that work."""
        found = min(DEALS * len(self.tables), WORK * games // max(work, 1))
        self.too_slow = found < LEAST_IN_ALL
        return max(found, 1)

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

    def _play_deals(
        self, deals: array[int], tokens: list[int], seed: int, first: int
    ) -> tuple[list[list[int]], int]:
        """What some tokens win on those deals, numbered from `first`, and the work."""
        places = [place for i in tokens if (place := self.places[i])]
        if self.laying is not None:
            return rollout.play_tokens(self.game, deals, places, self.laying)
        won, work = [list[int]() for _ in tokens], 0
        for k, hands in enumerate(rollout.hands_of(self.position, deals)):
            deal = deals[k * rollout.DEAL : (k + 1) * rollout.DEAL]
            for one, i in zip(won, tokens, strict=True):
                result, took = self._result(self.tables[i], hands, deal, f"{seed}.{first + k}")
                one.append(result)
                work += took + LAYING
        return won, work

    def _result(
        self, table: Position, hands: list[list[str]], deal: array[int], dice: str
    ) -> tuple[int, int]:
        """Whether the game of a deal is won, the other first tokens laid by Python; the work."""
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
                    public = msgspec.structs.replace(seen_by(table, None), pairs=())  # hashable
                    slot = _best_slot(public, stand, tuple(hands[stand]))
                    table = table if slot is None else place_token(table, stand, slot, hands[stand])
        words = rollout.encode_game(msgspec.structs.replace(table, viewer=0))
        won, work = rollout.play(words, deal, [rollout.BY_RULE])
        return won[0][0], work


def _has_token(table: Position, stand: int) -> bool:
    """Whether the first token of a stand lies already."""
    return any(s.state == "info" or set(s.tokens) - {"unsorted"} for s in table.stands[stand].slots)


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
