"""Win rates of ways to choose a cut: the same deals, played to the end in each of them.

All seats choose the same way. `likeliest`: what is sure, else the best chance of success.
`careful`: of that chance the chance of red is taken off. `spare`: the chance of red times the steps
that the detonator has left, as the seats of playouts do. `win`: every seat asks for the cuts ranked
by the chance to win, with as many playouts as `deals` says, and does the first. `misses`: the same,
and deliberate misses are raced against that first cut. `agreed`: every seat makes the first cut of
the list that a table may agree on, and reads the choices of the others.

How much one choice by games gains is measured next to it, at some turns of those games: the choice
is made on its deals, and valued on others that it has not seen.
"""

from __future__ import annotations

import random
from array import array
from collections.abc import Sequence
from math import fsum, sqrt
from typing import cast, get_args

import msgspec

from cluewise.core.work import Job, Progress, finish
from cluewise.desks.rack.engine import reading, rollout
from cluewise.desks.rack.engine.racing import RacingRollouts
from cluewise.desks.rack.engine.reading import with_choice
from cluewise.desks.rack.engine.token_convention import agreement
from cluewise.desks.rack.game.legal import cuttable, left_of
from cluewise.desks.rack.game.missions import missions
from cluewise.desks.rack.game.play import after_round, has_wires, play_of, skip_turn, turn_limit
from cluewise.desks.rack.game.rules import Rules
from cluewise.desks.rack.game.table_edits import token_of
from cluewise.desks.rack.position import Position
from cluewise.desks.rack.results import (
    Cut,
    CutsOptions,
    Decisions,
    GamesOptions,
    Outcome,
    OutcomeOptions,
    Way,
    WayResult,
    WinRates,
)
from cluewise.desks.rack.stand import YELLOW, value_number
from cluewise.desks.rack.verbs.cuts import cuts
from cluewise.desks.rack.verbs.cuts_hand import PlayerView
from cluewise.desks.rack.verbs.cuts_win import choice_of, deliberate_misses, initial_candidates
from cluewise.desks.rack.verbs.mission import DealtGame, called
from cluewise.desks.rack.verbs.outcome import advance, outcome
from cluewise.errors import BadOption
from cluewise.parallel.tasks import ParallelContext, batch_count, run_batches

CAUTIONS: dict[Way, rollout.Caution] = {
    "likeliest": (0, 0),
    "careful": (10, 0),
    "spare": rollout.CAUTION,
}
RACED: tuple[Way, ...] = ("misses", "win")
GAMES = 5  # a piece of work that is shared out
HELD_OUT = 512  # deals that a choice is valued on
BLOCK = 64  # games a call
NINETEEN = 1.96  # standard errors that hold 19 times in 20
Record = tuple[list[list[int]], list[list[float]]]  # won by way; gain, gain over rule, changed


def games(
    position: Position, options: GamesOptions, sharing: ParallelContext | None = None
) -> Job[WinRates]:
    """The table of win rates, one row a way, compared with the first on the same deals.

    Raises BadOption for a mission whose games are not played out.
    """
    refuse(options)
    ways = _ways(options)
    record: Record = [[] for _ in ways], []
    who = (options.mission, options.players, options.seed, ways, options.deals, options.held_out)
    yield from run_batches(
        played, who, options.games, GAMES, lambda value: _add(record, value), "playing games",
        sharing,
    )  # fmt: skip
    return win_rates(options, record)


def game_tasks(_position: Position, options: GamesOptions) -> int:
    """Batches of games."""
    return batch_count(options.games, GAMES)


def refuse(options: GamesOptions) -> None:
    """BadOption where this table's games are not played out."""
    _ways(options)
    if options.players not in missions()[options.mission].players:
        raise BadOption(f"Mission {options.mission} is not for {options.players} players.",
                        "$.options.players")  # fmt: skip
    table = DealtGame(options.mission, options.players, "0").seen_by(0)
    fault = rollout.refusal(table) or ("agreed" in options.ways and reading.refusal(table))
    if fault:
        raise BadOption(fault, "$.options.mission")
    if set(RACED) & set(options.ways) and missions()[options.mission].rule("value_gate"):
        raise BadOption(
            "Cuts are not ranked by simulated games where open number cards change.",
            "$.options.ways",
        )


def _ways(options: GamesOptions) -> list[Way]:
    for i, name in enumerate(options.ways):
        if name not in get_args(Way):
            known = ", ".join(get_args(Way))
            raise BadOption(f"{name!r} is not a way; there are {known}.", f"$.options.ways[{i}]")
    return cast("list[Way]", options.ways) or list(CAUTIONS)


def _add(record: Record, more: Record) -> None:
    for mine, theirs in zip(record[0], more[0], strict=True):
        mine += theirs
    record[1].extend(more[1])


def played(
    mission: int, players: int, seed: int, ways: list[Way], deals: int, held_out: float,
    first: int, end: int,
) -> Job[Record]:  # fmt: skip
    """Those games: 1 for each won, by way; and what choices gained. Every game has its own seed."""
    record: Record = [[] for _ in ways], []
    for game in range(first, end):
        yield Progress(game, end, "playing games")
        dealt = DealtGame(mission, players, f"{seed}.{game}")
        raced = play_raced(dealt, f"{seed}.{game}", ways, deals, held_out)
        for way, won in zip(ways, record[0], strict=True):
            if way in raced:
                won.append(raced[way].won)
                record[1].extend(raced[way].gains if way == "win" or "win" not in raced else ())
            else:
                won.append(play_by_rule(dealt, way))
    return record


def play_by_rule(dealt: DealtGame, way: Way) -> int:
    """1 where the game is won by one of CAUTIONS, else 0."""
    words = rollout.encode_game(dealt.seen_by(0), CAUTIONS[way])
    return rollout.play(words, dealt.wires(), [rollout.BY_RULE])[0][0][0]


def play_raced(
    dealt: DealtGame, seed: str, ways: Sequence[Way], deals: int, held_out: float = 0.0,
    policy: type[RolloutPolicy] | None = None,
) -> dict[Way, RolloutPolicy]:  # fmt: skip
    """The game by each way that asks for cuts; both that race are one where no seat misses."""
    found: dict[Way, RolloutPolicy] = {}
    for way in RACED:
        if way in ways:
            same = found.get("misses")
            if same is None or same.missed:
                new = policy or RolloutPolicy
                same = new(dealt, seed, deals, held_out, misses=way == "misses")
                same.play()
            found[way] = same
    if "agreed" in ways:
        found["agreed"] = RolloutPolicy(dealt, seed, deals, agreed=True)
        found["agreed"].play()
    return found


class RolloutPolicy:
    """One game in which every seat does what wins most playouts; `gains` of some choices."""

    def __init__(
        self, dealt: DealtGame, seed: str, deals: int, held_out: float = 0, misses: bool = False,
        agreed: bool = False,
    ) -> None:  # fmt: skip
        self.dealt, self.deals, self.held_out, self.misses = dealt, deals, held_out, misses
        self.agreed = agreed
        self.dice = random.Random(f"{seed}.choices")
        self.gains: list[list[float]] = []
        self.won, self.missed = 0, False

    def play(self) -> bool:
        """Whether it is won."""
        self.won = int(self._play())
        return bool(self.won)

    def _play(self) -> bool:
        table, turn, left, idle = self.dealt.table, 0, True, 0
        table = msgspec.structs.replace(table, choices=() if self.agreed else None)
        while left:
            if has_wires(table, turn):
                table, cut = self._cut_of(table, turn)
                if cut is None:
                    idle += 1
                    table, exploded = self._skip(table, turn, idle)
                else:
                    idle, before = 0, table
                    table, exploded = self._act(self.dealt.seen_by(turn, table), cut)
                    table = self._finished(before, table, cut)
                if exploded:
                    return False
                left = self._left(table)
            turn = (turn + 1) % self.dealt.players
        return True

    def _cut_of(self, table: Position, turn: int) -> tuple[Position, Cut | None]:
        """Her cut; where she could do nothing, the limit card is changed first if it may be."""
        cut, freed = self._choose(self.dealt.seen_by(turn, table)), table
        if cut is None:
            rule, limits = Rules(table).rule("constraint") or {}, list(table.limits)
            if play_of(table).next_limit == "stuck" and table.constraint:
                freed = turn_limit(table, self.dice)
            elif "off" in str(rule.get("stuck", "")) and limits[turn]:
                limits[turn] = None
                freed = msgspec.structs.replace(table, limits=tuple(limits))
        return freed, cut if freed is table else self._choose(self.dealt.seen_by(turn, freed))

    def _skip(self, table: Position, turn: int, idle: int) -> tuple[Position, bool]:
        """The table after a skipped turn, the `idle`-th in a row; whether the bomb goes off."""
        rules = Rules(table)
        steps, seats = rules.stuck_steps, sum(has_wires(table, p) for p in table.seats())
        if rules.stuck == "explode":
            return table, True
        table, _, exploded = advance(skip_turn(table, turn), steps)
        if exploded or idle % seats or (steps and table.detonator is not None):
            return table, exploded
        return after_round(table, self.dice)

    def _finished(self, before: Position, table: Position, cut: Cut) -> Position:
        """The next limit card for all, where the cut finished a number and that brings one."""
        value = value_number(cut.value) or 0
        finished = left_of(before, value) > left_of(table, value) == 0 and value < YELLOW
        brings = finished and play_of(table).next_limit == "finished"
        return turn_limit(table, self.dice) if brings else table

    def _left(self, table: Position) -> bool:
        return any(
            slot.state != "cut" and wire[0] != "R"
            for stand, hand in zip(table.stands, self.dealt.hands, strict=True)
            for slot, wire in zip(stand.slots, hand, strict=True)
        )

    def _choose(self, seen: Position) -> Cut | None:
        """None where the mission lets her cut nothing that she has."""
        advice = finish(cuts(seen, CutsOptions(actions=list(rollout.CHOICE_KINDS))))
        found = advice.options
        places = [] if self.agreed else initial_candidates(found, advice.front)
        if len(places) < 2:
            return found[0] if found else None
        choices = {i: choice_of(found[i]) for i in places}
        words, seed = rollout.encode_game(seen), self.dice.randrange(1 << 28)
        race = RacingRollouts(words, choices, seed)
        finish(race.run(most=self.deals))
        best = race.best()
        if self.dice.random() < self.held_out:
            self._value(race, best)
        self.note(seen, race, best)
        chosen = found[best]
        if self.misses and (missed := self._miss(seen, found, chosen, seed)):
            self.missed = True
            return missed
        return chosen

    def _miss(self, seen: Position, found: list[Cut], cut: Cut, seed: int) -> Cut | None:
        """A deliberate miss that wins more games than a cut, on the deals the cut was raced on."""
        if any(not one.red for one in found):
            return None
        misses = deliberate_misses(PlayerView(seen, agreement(seen).pack(seen)), found)
        raced = [cut, *misses]
        race = RacingRollouts(
            rollout.encode_game(seen), dict(enumerate(map(choice_of, raced))), seed
        )
        finish(race.run(most=self.deals))
        best = race.best()
        return raced[best] if best else None

    def note(self, seen: Position, race: RacingRollouts, best: int) -> None:
        """Called with each race and its best choice."""

    def _value(self, race: RacingRollouts, best: int) -> None:
        """What the choice wins more than the first of the plain order, and than the rule's."""
        deals = rollout.draw_deals(race.game, self.dice.randrange(1 << 28), HELD_OUT)
        rivals = race.choices[best], race.choices[min(race.choices)], rollout.BY_RULE
        chosen, first, rule = shares(race.game, deals, rivals)
        self.gains.append([chosen - first, chosen - rule, float(best != min(race.choices))])

    def _act(self, seen: Position, cut: Cut) -> tuple[Position, bool]:
        done = finish(self.outcome(seen, cut))
        return with_choice(done.position, done.choice), done.exploded

    def outcome(self, seen: Position, cut: Cut) -> Job[Outcome]:
        """What the cut does, by the true wires."""
        ending = self._ending(seen, cut) if cut.action in ("dual", "miss", "together") else {}
        options = msgspec.convert(
            {"action": cut.action, "stand": cut.stand, "slots": cut.slots, "value": cut.value,
             "also": cut.also, **ending},
            OutcomeOptions,
        )  # fmt: skip
        return outcome(seen, options)

    def _ending(self, seen: Position, cut: Cut) -> dict[str, object]:
        """How a cut ends; of the seat's own wires a hidden one is cut before a shown one."""
        if cut.action == "together":
            places = [*((cut.stand, j) for j in cut.slots), *cut.also]
            return {"success": {called(self.dealt.hands[i][j]) for i, j in places} == {cut.value}}
        slot, rules = cut.slots[0], Rules(seen)
        value = called(self.dealt.hands[cut.stand][slot])
        if value != cut.value:
            kills = value == "RED" or value_number(value) == rules.deadly
            if rules.lays_nothing(seen.owner_of(cut.stand)) and not kills:
                return {"success": False}
            token = self._token(seen, cut.stand, slot)
            return {"success": False, "at": slot, "shown": token} if token else {"success": False}
        exact = self.dealt.hands[cut.stand][slot]
        if value == "YELLOW" and rules.one_by_one:
            return {"success": True, "at": slot, "shown": exact}
        mine = [
            (seen.stands[i].slots[j].state == "info", i, j)
            for i, j in cuttable(rules, seen.viewer)
            if called(self.dealt.hands[i][j]) == value
        ]
        return {"success": True, "at": slot, "shown": exact, "own": list(min(mine)[1:])}

    def _token(self, seen: Position, stand: int, slot: int) -> str:
        """What a failed cut lays; "" where there is no token for it."""
        hand = self.dealt.hands[stand]
        value = called(hand[slot])
        colour = seen.token == "parity" and not value.isdigit()
        if seen.token == "standard" or colour or value == "RED":
            return value
        return token_of(seen.token, hand, slot)


def shares(words: array[int], deals: array[int], choices: Sequence[rollout.Choice]) -> list[float]:
    """The share of the deals that is won after each choice."""
    size, won = BLOCK * rollout.DEAL, [0] * len(choices)
    for at in range(0, len(deals), size):
        played = rollout.play(words, deals[at : at + size], choices)[0]
        won = [n + sum(some) for n, some in zip(won, played, strict=True)]
    return [n * rollout.DEAL / len(deals) for n in won]


def win_rates(options: GamesOptions, record: Record) -> WinRates:
    """Win rates of games played so far, their differences, and the gains of single choices."""
    won = record[0]
    rows = [_row(way, one, won[0]) for way, one in zip(_ways(options), won, strict=True)]
    return WinRates(
        options.mission, options.players, options.games, options.seed, options.deals, rows,
        _decisions(record[1]),
    )  # fmt: skip


def _row(way: Way, won: list[int], first: list[int]) -> WayResult:
    low, high = wilson(sum(won), len(won))
    gain, error = mean([float(a - b) for a, b in zip(won, first, strict=True)])
    return WayResult(way, sum(won), sum(won) / len(won), low, high, gain, error)


def _decisions(gains: list[list[float]]) -> Decisions:
    gain, error = mean([one[0] for one in gains])
    over, over_error = mean([one[1] for one in gains])
    changed = fsum(one[2] for one in gains) / max(len(gains), 1)
    return Decisions(len(gains), HELD_OUT, changed, gain, error, over, over_error)


def mean(values: list[float]) -> tuple[float, float]:
    """A mean with its standard error: `mean([0, 1]) == (0.5, 0.5)`; zeros of nothing."""
    n = len(values)
    if n < 2:
        return (values[0] if values else 0.0), 0.0
    middle = fsum(values) / n
    spread = fsum((v - middle) ** 2 for v in values) / (n - 1)
    return middle, sqrt(spread / n)


def wilson(won: int, of: int) -> tuple[float, float]:
    """Wilson's interval of a share, which holds 19 times in 20: `(0.0, …)` for none won."""
    z2 = NINETEEN**2
    middle, root = (won + z2 / 2) / (of + z2), sqrt(won * (of - won) / of + z2 / 4)
    width = NINETEEN * root / (of + z2)
    return max(middle - width, 0.0), min(middle + width, 1.0)
