"""Win rates of cut policies, by whole games on the same deals (common random numbers).

All seats follow the same policy. `likeliest`: a certain cut, else the best chance of success.
`careful`: that chance less the chance of red. `spare`: less the chance of red times the steps left
on the detonator, the policy of rollouts. `win`: a race of rollouts over the shortlisted cuts, at
most `deals` per cut (racing.py). `misses`: the same, then a race of its cut against deliberate
misses. `agreed`: the first cut of the order that a table may agree on, given the past choices of
the others (reading.py).

For some choices of `win` or `misses` the gain over simpler policies is estimated on held-out deals,
so that the selection by the race does not bias it.
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
from cluewise.desks.rack.verbs.mission import DealtGame, announced_value
from cluewise.desks.rack.verbs.outcome import advance, outcome
from cluewise.errors import BadOption
from cluewise.parallel.tasks import ParallelContext, batch_count, run_batches

CAUTIONS: dict[Way, rollout.Caution] = {
    "likeliest": (0, 0),
    "careful": (10, 0),
    "spare": rollout.CAUTION,
}
RACED: tuple[Way, ...] = ("misses", "win")
BATCH_GAMES = 5  # of a parallel task
HELD_OUT = 512  # deals on which a choice is evaluated
CALL_GAMES = 64  # of a kernel call
Z95 = 1.96  # standard errors of a 95 % interval
# For each policy 1 per game won, else 0; for each evaluated choice its gain over the first cut, its
# gain over the policy of rollouts, and whether it is another than the first.
Record = tuple[list[list[int]], list[list[float]]]


def games(
    position: Position, options: GamesOptions, sharing: ParallelContext | None = None
) -> Job[WinRates]:
    """Compute the win rate of each policy, compared with the first one on the same deals.

    Raises BadOption for a mission that cannot be simulated.
    """
    check_options(options)
    ways = _ways(options)
    record: Record = [[] for _ in ways], []
    who = (options.mission, options.players, options.seed, ways, options.deals, options.held_out)
    yield from run_batches(
        play_games, who, options.games, BATCH_GAMES, lambda value: _add(record, value),
        "simulating games", sharing,
    )  # fmt: skip
    return win_rates(options, record)


def game_tasks(_position: Position, options: GamesOptions) -> int:
    """Return the number of parallel tasks."""
    return batch_count(options.games, BATCH_GAMES)


def check_options(options: GamesOptions) -> None:
    """Raise BadOption if a policy is unknown or games of this mission cannot be simulated."""
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


def play_games(
    mission: int, players: int, seed: int, ways: list[Way], deals: int, held_out: float,
    first: int, end: int,
) -> Job[Record]:  # fmt: skip
    """Play the games from `first` to `end`, each with its own seed, by every policy."""
    record: Record = [[] for _ in ways], []
    for game in range(first, end):
        yield Progress(game, end, "simulating games")
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
    """Return 1 if the game is won by a policy of CAUTIONS, else 0."""
    game = rollout.encode_game(dealt.seen_by(0), CAUTIONS[way])
    return rollout.play_choices(game, dealt.wires(), [rollout.POLICY_MOVE])[0][0][0]


def play_raced(
    dealt: DealtGame, seed: str, ways: Sequence[Way], deals: int, held_out: float = 0.0,
    policy: type[RolloutPolicy] | None = None,
) -> dict[Way, RolloutPolicy]:  # fmt: skip
    """Play the game by each policy that ranks cuts.

    A game by `misses` without a miss is also that by `win`.
    """
    games: dict[Way, RolloutPolicy] = {}
    for way in RACED:
        if way in ways:
            game = games.get("misses")
            if game is None or game.missed:
                game = (policy or RolloutPolicy)(
                    dealt, seed, deals, held_out, misses=way == "misses"
                )
                game.play()
            games[way] = game
    if "agreed" in ways:
        games["agreed"] = RolloutPolicy(dealt, seed, deals, agreed=True)
        games["agreed"].play()
    return games


class RolloutPolicy:
    """One game in which every seat makes the choice that wins most rollouts.

    `gains` has a row for each choice evaluated on held-out deals, with the chance `held_out`.
    """

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
        """Play the game; return whether it is won."""
        self.won = int(self._play())
        return bool(self.won)

    def _play(self) -> bool:
        table, turn, skips = self.dealt.table, 0, 0
        table = msgspec.structs.replace(table, choices=() if self.agreed else None)
        while self._has_wires_to_cut(table):
            if has_wires(table, turn):
                table, cut = self._choose_with_limits(table, turn)
                if cut is None:
                    skips += 1
                    table, exploded = self._skip(table, turn, skips)
                else:
                    skips, before = 0, table
                    table, exploded = self._act(self.dealt.seen_by(turn, table), cut)
                    table = self._with_next_limit(before, table, cut)
                if exploded:
                    return False
            turn = (turn + 1) % self.dealt.players
        return True

    def _choose_with_limits(self, table: Position, turn: int) -> tuple[Position, Cut | None]:
        """Return a player's cut; without one the limit card is changed first, if allowed."""
        cut, freed = self._choose(self.dealt.seen_by(turn, table)), table
        if cut is None:
            rule, limits = Rules(table).rule("constraint") or {}, list(table.limits)
            if play_of(table).next_limit == "stuck" and table.constraint:
                freed = turn_limit(table, self.dice)
            elif "off" in str(rule.get("stuck", "")) and limits[turn]:
                limits[turn] = None
                freed = msgspec.structs.replace(table, limits=tuple(limits))
        return freed, cut if freed is table else self._choose(self.dealt.seen_by(turn, freed))

    def _skip(self, table: Position, turn: int, skips: int) -> tuple[Position, bool]:
        """Return the table after a skipped turn, the `skips`-th in a row; whether it explodes."""
        rules = Rules(table)
        steps, seats = rules.stuck_steps, sum(has_wires(table, p) for p in table.seats())
        if rules.stuck == "explode":
            return table, True
        table, _, exploded = advance(skip_turn(table, turn), steps)
        if exploded or skips % seats or (steps and table.detonator is not None):
            return table, exploded
        return after_round(table, self.dice)

    def _with_next_limit(self, before: Position, table: Position, cut: Cut) -> Position:
        """Return the table with the next limit card, if finishing a number brings one."""
        value = value_number(cut.value) or 0
        finished = left_of(before, value) > left_of(table, value) == 0 and value < YELLOW
        brings = finished and play_of(table).next_limit == "finished"
        return turn_limit(table, self.dice) if brings else table

    def _has_wires_to_cut(self, table: Position) -> bool:
        return any(
            slot.state != "cut" and wire[0] != "R"
            for stand, hand in zip(table.stands, self.dealt.hands, strict=True)
            for slot, wire in zip(stand.slots, hand, strict=True)
        )

    def _choose(self, seen: Position) -> Cut | None:
        """Return the cut of the player to move; None if the mission allows none."""
        advice = finish(cuts(seen, CutsOptions(actions=list(rollout.CHOICE_KINDS))))
        listed = advice.options
        places = [] if self.agreed else initial_candidates(listed, advice.front)
        if len(places) < 2:
            return listed[0] if listed else None
        choices = {i: choice_of(listed[i]) for i in places}
        game, seed = rollout.encode_game(seen), self.dice.randrange(1 << 28)
        race = RacingRollouts(game, choices, seed)
        finish(race.run(max_games=self.deals))
        best = race.best()
        if self.dice.random() < self.held_out:
            self._evaluate(race, best)
        self.note(seen, race, best)
        cut = listed[best]
        if self.misses and (miss := self._better_miss(seen, listed, cut, seed)):
            self.missed = True
            return miss
        return cut

    def _better_miss(self, seen: Position, listed: list[Cut], cut: Cut, seed: int) -> Cut | None:
        """Return a deliberate miss that wins more games than the cut, on the deals of its race."""
        if any(not one.red for one in listed):
            return None
        misses = deliberate_misses(PlayerView(seen, agreement(seen).pack(seen)), listed)
        raced = [cut, *misses]
        race = RacingRollouts(
            rollout.encode_game(seen), dict(enumerate(map(choice_of, raced))), seed
        )
        finish(race.run(max_games=self.deals))
        best = race.best()
        return raced[best] if best else None

    def note(self, seen: Position, race: RacingRollouts, best: int) -> None:
        """Called with each race and its best choice; does nothing here."""

    def _evaluate(self, race: RacingRollouts, best: int) -> None:
        """Estimate on held-out deals how much the choice gains over simpler ones."""
        deals = rollout.draw_deals(race.game, self.dice.randrange(1 << 28), HELD_OUT)
        rivals = race.choices[best], race.choices[min(race.choices)], rollout.POLICY_MOVE
        chosen, first, policy = win_shares(race.game, deals, rivals)
        self.gains.append([chosen - first, chosen - policy, float(best != min(race.choices))])

    def _act(self, seen: Position, cut: Cut) -> tuple[Position, bool]:
        done = finish(self.outcome(seen, cut))
        return with_choice(done.position, done.choice), done.exploded

    def outcome(self, seen: Position, cut: Cut) -> Job[Outcome]:
        """Note the cut with its result by the true wires."""
        ending = self._ending(seen, cut) if cut.action in ("dual", "miss", "together") else {}
        options = msgspec.convert(
            {"action": cut.action, "stand": cut.stand, "slots": cut.slots, "value": cut.value,
             "also": cut.also, **ending},
            OutcomeOptions,
        )  # fmt: skip
        return outcome(seen, options)

    def _ending(self, seen: Position, cut: Cut) -> dict[str, object]:
        """Return how a cut ends, as options of `outcome`; own hidden wires are cut first."""
        if cut.action == "together":
            places = [*((cut.stand, j) for j in cut.slots), *cut.also]
            return {
                "success": {announced_value(self.dealt.hands[i][j]) for i, j in places}
                == {cut.value}
            }
        slot, rules = cut.slots[0], Rules(seen)
        value = announced_value(self.dealt.hands[cut.stand][slot])
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
            if announced_value(self.dealt.hands[i][j]) == value
        ]
        return {"success": True, "at": slot, "shown": exact, "own": list(min(mine)[1:])}

    def _token(self, seen: Position, stand: int, slot: int) -> str:
        """Return the token of a failed cut; "" if there is none for the wire."""
        hand = self.dealt.hands[stand]
        value = announced_value(hand[slot])
        colour = seen.token == "parity" and not value.isdigit()
        if seen.token == "standard" or colour or value == "RED":
            return value
        return token_of(seen.token, hand, slot)


def win_shares(
    game: array[int], deals: array[int], choices: Sequence[rollout.Choice]
) -> list[float]:
    """Return the share of the deals that is won after each choice."""
    size, won = CALL_GAMES * rollout.DEAL, [0] * len(choices)
    for at in range(0, len(deals), size):
        outcomes = rollout.play_choices(game, deals[at : at + size], choices)[0]
        won = [n + sum(some) for n, some in zip(won, outcomes, strict=True)]
    return [n * rollout.DEAL / len(deals) for n in won]


def win_rates(options: GamesOptions, record: Record) -> WinRates:
    """Compute win rates, their paired differences, and the mean gains of single choices."""
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
    """Return a mean and its standard error: `mean([0, 1]) == (0.5, 0.5)`; zeros without values."""
    n = len(values)
    if n < 2:
        return (values[0] if values else 0.0), 0.0
    average = fsum(values) / n
    variance = fsum((v - average) ** 2 for v in values) / (n - 1)
    return average, sqrt(variance / n)


def wilson(won: int, of: int) -> tuple[float, float]:
    """Return the 95 % score interval of a share (Wilson 1927): `(0.0, …)` for none won."""
    z2 = Z95**2
    centre, root = (won + z2 / 2) / (of + z2), sqrt(won * (of - won) / of + z2 / 4)
    width = Z95 * root / (of + z2)
    return max(centre - width, 0.0), min(centre + width, 1.0)
