"""First tokens ranked by the chance to win, estimated by Monte Carlo rollouts.

Deals come from the exact posterior of the player who lays the token (all of them if they are few).
After the token the seats that follow choose theirs by the joint metric, clockwise from the
captain; then the captain begins and every seat follows the policy of rollouts (rollout.c). The
tokens are raced on the same deals as cuts are (racing.py: common random numbers, elimination,
sequential halving); the work of the first games sets their total number.
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
from cluewise.desks.rack.engine.racing import BLOCK_GAMES, MIN_GAMES, NOTE, RacingRollouts
from cluewise.desks.rack.game.legal import Place
from cluewise.desks.rack.game.missions import first_token, mission_of
from cluewise.desks.rack.game.table_edits import (
    add_player_fact,
    exclude_values,
    has_token,
    place_token,
    replace_stand,
)
from cluewise.desks.rack.position import Position
from cluewise.desks.rack.results import IndicateOptions, Indication, Indications, Win
from cluewise.desks.rack.stand import Fact, Slot, value_number
from cluewise.desks.rack.verbs.indicate import (
    MODELS,
    TOKENS,
    StandAnalysis,
    seen_by,
    values_denied_by,
)

DEALS, MAX_DEALS = 96, 2048  # per token on average; in all
WORK_LIMIT = 4 * 10**8  # transitions, without a time limit: two or three seconds
TOKEN_WORK = 10**6  # of the tokens that Python places in one game, about
PROBE_TOKENS = 2  # one game each estimates the work
MIN_TOTAL_GAMES = 64  # if WORK_LIMIT allows fewer, the race does not start
MIN_BLOCKS = 4  # per token: smaller blocks if games are few
TOO_SLOW = "Simulating games takes too long here to compare first tokens by the chance to win."
MAX_TOKENS = 16  # in the race: those with the largest gains
MAX_CASES = 16  # of "2 of 3" wires, a limit of first_token.c
BEGUN = "First tokens are compared by the chance to win before the first cut."
JOINT = MODELS.index("joint")
Hand = tuple[str, ...]


def rank_by_win(
    position: Position,
    options: IndicateOptions,
    rows: list[Indication],
    result: Callable[[list[Indication], str], Indications],
) -> Job[Indications]:
    """Return the `result` of the rows ranked by the chance to win, with a note on the model.

    If games cannot be simulated, the rows are unchanged and the note says why. Progress has the
    same from the games so far as `best`.
    """
    seat = position.owner_of(options.stand)
    seen = msgspec.structs.replace(position, viewer=seat)
    begun = any(slot.state == "cut" for stand in position.stands for slot in stand.slots)
    refused = BEGUN if begun else rollout.refusal(seen)
    if refused or not rows:
        return result(rows, refused)
    raced, rest = rows[:MAX_TOKENS], rows[MAX_TOKENS:]
    tables = [with_token(seen, options.stand, row) for row in raced]
    places = [None if row.says or row.slot is None else (options.stand, row.slot) for row in raced]
    without = " and ".join(["without equipment", *rollout.omissions(position)])
    note = (
        f"Chances to win: {without}; the players after you show their best token by the joint "
        "metric, then every seat plays what is sure, else the best chance of success less that "
        "of red times the steps left."
    )

    def ranked() -> Indications:
        wins = games.wins()
        first = [msgspec.structs.replace(row, win=w) for row, w in zip(raced, wins, strict=True)]
        first.sort(key=lambda row: (-row.win.chance if row.win else 0, -row.gain, row.slot or 0))
        return result(first + rest, note)

    games = TokenGames(seen, seat, tables, places)
    for done, most, reportable in games.run(options.seconds, options.seed):
        yield Progress(done, most, NOTE, ranked() if reportable else None)
    return result(rows, TOO_SLOW) if games.too_slow else ranked()


def with_token(table: Position, stand: int, row: Indication) -> Position:
    """Return the table with the token of a row."""
    kind, _, value = (row.says or "").partition(":")
    if kind == "lacks":
        return add_player_fact(table, table.owner_of(stand), Fact("lacks", value))
    assert row.slot is not None
    if kind == "not":
        return exclude_values(table, (stand, row.slot), values_denied_by(table, value))
    hand = [slot.wire or "" for slot in table.stands[stand].slots]
    return place_token(table, stand, row.slot, hand)


class TokenGames:
    """A race of first tokens on the same deals.

    `tables`: the table after each token; `places`: of tokens that show a wire's value, else None.
    """

    def __init__(
        self, position: Position, seat: int, tables: list[Position], places: list[Place | None]
    ) -> None:
        self.position, self.seat, self.tables, self.places = position, seat, tables, places
        self.game = rollout.encode_game(position)
        self.race = RacingRollouts(
            self.game, dict.fromkeys(range(len(tables)), rollout.POLICY_MOVE)
        )
        self.laying = self._laying()
        self.too_slow = False

    def run(self, seconds: float | None, seed: int) -> Iterator[tuple[int, int, bool]]:
        """Play blocks of deals until one token is left or a limit is reached.

        Yield the deals so far, their limit, and whether every token has games. If the probe shows
        that MIN_TOTAL_GAMES exceed the work limit, the race does not start (`too_slow`).
        """
        race, n = self.race, len(self.tables)
        enumerated = rollout.enumerate_deals(self.game)
        if enumerated is not None:
            race.deal_chances = enumerated[1]
        end = inf if seconds is None else time.monotonic() + seconds
        most, block, total = len(race.deal_chances) or MAX_DEALS, BLOCK_GAMES, inf
        if seconds is None and enumerated is None:
            yield 0, most, False
            probed = race.running[:PROBE_TOKENS]
            work = self._play_deals(rollout.draw_deals(self.game, seed, 1), probed, seed, 0)[1]
            total = self._affordable_games(len(probed), work)
            if self.too_slow:
                return
            block = min(BLOCK_GAMES, max(1, int(total) // (MIN_BLOCKS * n)))
        first, spent, work, pace = 0, 0, 0, SliceTimer(1)
        while first < most:
            count = min(block, most - first)
            if enumerated is not None:
                deals = enumerated[0][first * rollout.DEAL : (first + count) * rollout.DEAL]
            else:
                deals = rollout.draw_deals(self.game, seed + first, count)
            at = 0
            while at < count and (not spent or time.monotonic() < end or race.exact):
                yield first + at, most, first > 0 and at == 0 and not race.exact
                size = min(pace.rows(count - at), count - at)
                slice_ = deals[at * rollout.DEAL : (at + size) * rollout.DEAL]
                won, took = self._play_deals(slice_, race.running, seed, first + at)
                pace.took()
                for i, more in zip(race.running, won, strict=True):
                    race.outcomes[i] += more
                work, spent, at = work + took, spent + size * len(race.running), at + size
            first += count
            if race.exact:
                continue
            if seconds is None:
                total = self._affordable_games(spent, work) if first == count else total
                race.halve(spent / total)
            if first >= MIN_GAMES:
                race.eliminate()
            if spent >= total or len(race.running) < 2 or time.monotonic() >= end:
                break

    def _affordable_games(self, games: int, work: int) -> float:
        """Return how many games take WORK_LIMIT, if `games` took `work`; sets `too_slow`."""
        affordable = min(DEALS * len(self.tables), WORK_LIMIT * games // max(work, 1))
        self.too_slow = affordable < MIN_TOTAL_GAMES
        return max(affordable, 1)

    def wins(self) -> list[Win]:
        """Return the chance to win after each token, from the games so far."""
        race, equal = self.race, self.race.equal_to_best()
        return [
            Win(race.chance(i), race.error(i), len(race.outcomes[i]), i in equal)
            for i in range(len(self.tables))
        ]

    def _laying(self) -> int | None:
        """Return the stands (bits) that still place a token; None if the kernel cannot do that.

        It can place tokens that show the value of a wire, on stands without tokens and facts.
        """
        position, mission = self.position, mission_of(self.position)
        shown = [s for stand in position.stands for s in stand.slots if s.state == "info"]
        cases = prod(len(group.of) + 1 for group in position.wires.groups)
        if None in self.places or position.token != "standard" or cases > MAX_CASES:
            return None
        if any(value_number(slot.wire or "") is None for slot in shown):
            return None
        laying, players = 0, len(position.seats())
        for seat in range(self.seat + 1, players):
            kind = first_token(mission, seat, players, position.captain_card) if mission else ""
            stand = position.stands_of(seat)[0]
            if kind == "none" or has_token(position, stand):
                continue
            bare = not any(slot.tokens for slot in position.stands[stand].slots)
            if kind not in ("", "own_choice") or not bare or position.stands[stand].facts:
                return None
            laying |= 1 << stand
        return laying

    def _play_deals(
        self, deals: array[int], tokens: list[int], seed: int, first: int
    ) -> tuple[list[list[int]], int]:
        """Return the outcomes of tokens on these deals, numbered from `first`, and the work."""
        places = [place for i in tokens if (place := self.places[i])]
        if self.laying is not None:
            return rollout.play_tokens(self.game, deals, places, self.laying)
        won, work = [list[int]() for _ in tokens], 0
        for k, hands in enumerate(rollout.hands_of(self.position, deals)):
            deal = deals[k * rollout.DEAL : (k + 1) * rollout.DEAL]
            for outcomes, i in zip(won, tokens, strict=True):
                result, took = self._play_deal(self.tables[i], hands, deal, f"{seed}.{first + k}")
                outcomes.append(result)
                work += took + TOKEN_WORK
        return won, work

    def _play_deal(
        self, table: Position, hands: list[list[str]], deal: array[int], dice: str
    ) -> tuple[int, int]:
        """Return 1 if the game is won, the other first tokens placed by Python; and the work."""
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
                stand = table.stands_of(seat)[0]
                if not has_token(table, stand):
                    public = msgspec.structs.replace(seen_by(table, None), pairs=())  # hashable
                    slot = _best_slot(public, stand, tuple(hands[stand]))
                    table = table if slot is None else place_token(table, stand, slot, hands[stand])
        game = rollout.encode_game(msgspec.structs.replace(table, viewer=0))
        won, work = rollout.play_choices(game, deal, [rollout.POLICY_MOVE])
        return won[0][0], work


@lru_cache(maxsize=4096)
def _best_slot(table: Position, stand: int, hand: Hand) -> int | None:
    """Return the slot of the best token by the joint metric; None if no token may lie there."""
    slots = tuple(
        Slot(slot.state, wire, None, slot.tokens) if slot.state == "hidden" else slot
        for slot, wire in zip(table.stands[stand].slots, hand, strict=True)
    )
    analysis = StandAnalysis(replace_stand(table, stand, slots=slots), stand)
    column = 3 * TOKENS.index(table.token) + JOINT
    most_times = 3 if table.token == "multiplicity" else 0
    gains = snap_ties([row[column] for row in analysis.table(most_times=most_times)[1]])
    ranked = [
        (-gain, slot)
        for gain, slot in zip(gains, analysis.plan.parts[0].slots, strict=True)
        if slots[slot].state == "hidden" and "unsorted" not in slots[slot].tokens
        if not isnan(gain)
    ]
    return min(ranked)[1] if ranked else None
