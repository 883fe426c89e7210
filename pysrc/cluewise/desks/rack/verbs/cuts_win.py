"""Cuts ranked by the chance to win, estimated by Monte Carlo rollouts (racing.py).

After the cut every seat follows one policy on its own posterior (rollout.c). The chances depend on
that policy; their order is what helps.

Deliberate misses are ranked only this way: a cut of a value that the wire cannot have, made to
avoid red. The rules allow a plain cut of any value that the player holds. A miss costs a step of
the detonator like every failure, places the wire's token and shows that the player holds the value.
Misses are listed only if that was measured to win games: every plain cut may hit red, and a step
remains after a failure.

If teammates also choose by rollouts, their choices carry information about their hands, and the
estimate, which ignores it, is too low: the more so, the more wires are cut. `chance_followed`
raises its logit in proportion to the share of wires cut: logistic regression with one parameter on
whole games of mission 4 with four and five players. Figures, tests and what was rejected:
web/docs/dev/performance.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import exp, fsum, hypot, log
from typing import NamedTuple

import msgspec

from cluewise.core.work import Job, Progress
from cluewise.desks.rack.engine import rollout
from cluewise.desks.rack.engine.racing import BLOCK_GAMES, RacingRollouts
from cluewise.desks.rack.engine.rollout import HARMLESS, Choice
from cluewise.desks.rack.game.legal import known_value, nameable
from cluewise.desks.rack.game.missions import mission_of
from cluewise.desks.rack.game.play import ROBOT_FAILED, TRACK_END, play_of
from cluewise.desks.rack.game.rules import Rules
from cluewise.desks.rack.position import Position
from cluewise.desks.rack.results import Cut, CutsOptions, Recommendation, Win
from cluewise.desks.rack.stand import RED, VALUE_NAMES, value_number
from cluewise.desks.rack.verbs.cuts_hand import PlayerView, information
from cluewise.parallel.tasks import ParallelContext

MAX_MISSES = 24
SLOPE, SLOPE_ERROR = 1.61, 0.22  # of the logit in the share of wires cut; its standard error
MAX_ERROR = 0.0255  # of a chance that is adjusted: 95 % intervals of 5 points
UNMEASURED = 2  # missions up to this number have fewer blue wires than the measured one
INITIAL_CUTS = 24  # in the race before the first report; the other cuts are deferred
TOTAL_GAMES, TOTAL_GAMES_5 = 49152, 8192  # of all cuts, without a time limit; with five stands
WORK_LIMIT, WORK_LIMIT_5 = 25 * 10**7, 8 * 10**8  # of these games: one or two seconds, and four
TOO_SLOW = "Simulating games takes too long here to compare cuts by the chance to win."
ELIMINATION = 2.5  # standard errors: of a hundred cuts some are behind by two by chance alone


Key = tuple[str, int, tuple[int, ...], str, tuple[tuple[int, int], ...]]
Ranking = tuple[list[Cut], str]  # the cuts in order, and a note


class Target(NamedTuple):
    """A teammate's wire: its possible values, the entropy of the wire, whether it is shown."""

    stand: int
    slot: int
    values: set[int]
    bits: float
    shown: bool
    at: tuple[int, int] | None  # part and element, where the viewer does not know the wire


def deliberate_misses(hand: PlayerView, plain: list[Cut]) -> list[Cut]:
    """Return the misses worth a rollout: shown wires first, then hidden ones by entropy.

    None if one of `plain`, all dual, solo, reveal and joint cuts, cannot hit red. All shown wires
    have the same effect, so only the first one is listed for each value.
    """
    if any(cut.red == 0 for cut in plain) or not _affordable(hand):
        return []
    values = [v for v in nameable(hand.rules, "dual", hand.held) if v in hand.held]
    deadly = {RED, hand.rules.deadly}
    targets = sorted(_targets(hand), key=lambda t: (not t.shown, -t.bits, t.stand, t.slot))
    misses: list[Cut] = []
    at_shown: set[int] = set()
    for target in targets:
        if target.values & deadly:
            continue
        for value in values:
            if value in target.values or (target.shown and value in at_shown):
                continue
            if target.shown:
                at_shown.add(value)
            misses.append(_miss(hand, target, value))
    return misses[:MAX_MISSES]


def _affordable(hand: PlayerView) -> bool:
    """Return whether a step of the detonator remains after a failure of the viewer."""
    position, rules = hand.position, hand.rules
    if play_of(position).track:
        return (position.track or 0) + ROBOT_FAILED < TRACK_END
    steps = len(position.seats()) if position.detonator is None else position.detonator
    return steps > rules.steps and not rules.failure_explodes(position.viewer)


def _targets(hand: PlayerView) -> Iterator[Target]:
    """Yield teammates' wires that may be pointed at and cost no step by themselves."""
    position, plan = hand.position, hand.plan
    places = {
        (part.stand, slot): (p, e)
        for p, part in enumerate(plan.parts)
        for e, slot in enumerate(part.slots)
    }
    for i, stand in enumerate(position.stands):
        for j, slot in enumerate(stand.slots):
            mine = position.owner_of(i) == position.viewer
            costs = hand.rules.price(i, j, position.viewer)
            if mine or costs or not hand.may_point("dual", i, j):
                continue
            at, shown = places.get((i, j)), slot.state == "info"
            if at is None:
                known = known_value(position, (i, j))
                yield Target(i, j, {known} if known else set(), 0.0, shown, None)
                continue
            values = {v for v, p in enumerate(hand.by_value(*at)) if p > 0}
            wires = hand.chances.rows[hand.first[at[0]] + at[1]]
            yield Target(i, j, values, fsum(map(information, wires)), shown, at)


def _miss(hand: PlayerView, target: Target, value: int) -> Cut:
    """Return the miss as a cut; its gain is the information of the token on a hidden wire."""
    gain: float | None = 0.0
    if not target.shown and target.at is not None:
        gain = hand.named_gain(*target.at, (value,))
    return Cut("miss", target.stand, [target.slot], VALUE_NAMES[value], 0.0, 0.0, gain, False)


def chance_followed(chance: float, cut: float) -> float:
    """Adjust a chance to win for teammates who choose by rollouts; `cut`: share of wires cut."""
    if not 0 < chance < 1:
        return chance
    return 1 / (1 + exp(-log(chance / (1 - chance)) - SLOPE * cut))


def share_cut(position: Position) -> float:
    """Return the share of the wires on stands that is cut."""
    states = [slot.state for stand in position.stands for slot in stand.slots]
    return states.count("cut") / len(states)


def sentence(position: Position, chance: float, error: float) -> str:
    """Return a sentence with `chance_followed` and its 95 % interval; "" if it was not measured."""
    mission, cut = mission_of(position), share_cut(position)
    if not mission or mission.number <= UNMEASURED or not cut:
        return ""
    if not 0 < chance < 1 or error > MAX_ERROR:
        return ""
    plain = position.token == "standard" and len(position.seats()) in (4, 5)
    if not plain or any(rule["kind"] not in HARMLESS for rule in mission.rules):
        return ""
    adjusted = chance_followed(chance, cut)
    logit_error = hypot(error / chance / (1 - chance), SLOPE_ERROR * cut)
    bound = 1.96 * adjusted * (1 - adjusted) * logit_error
    share = f"{100 * adjusted:.0f} ± {max(100 * bound, 1):.0f} %"
    return f" If all of you have cut by this list so far, the best wins {share}."


def key_of(cut: Cut) -> Key:
    """Return the identity of a cut: `("dual", 2, (5,), "7", ())`."""
    return cut.action, cut.stand, tuple(cut.slots), cut.value, tuple(cut.also)


class RolloutRanking:
    """Ranks the plain cuts by a race, in two steps: `begin` before the other cuts are computed."""

    def __init__(
        self,
        position: Position,
        plain: list[Cut],
        misses: list[Cut],
        front: list[Recommendation],
        options: CutsOptions,
        sharing: ParallelContext | None,
        by_choices: bool = False,
    ) -> None:
        """Prepare the race; `by_choices`: the others' past choices weight the deals."""
        self.position, self.misses = position, misses
        self.raced = [*plain, *misses]  # ties: the first, so no miss precedes an equal cut
        self.refused = rollout.refusal(position)
        self._games: Job[None] | None = None
        if self.refused or not self.raced:
            return
        initial = initial_candidates(plain, front) or range(len(misses))
        choices = {i: choice_of(self.raced[i]) for i in initial}
        deferred = {i: choice_of(cut) for i, cut in enumerate(self.raced) if i not in choices}
        five = len(position.stands) == rollout.STANDS
        self.race = RacingRollouts(
            rollout.encode_game(position), choices, deferred=deferred, threshold=ELIMINATION,
            first_report=BLOCK_GAMES // 2 if five else BLOCK_GAMES,
            history=position if by_choices else None,
        )  # fmt: skip
        limit = TOTAL_GAMES_5 if five else TOTAL_GAMES
        self._games = self.race.run(
            options.seconds, sharing=sharing,
            total_games=limit if options.seconds is None else None,
            work_limit=WORK_LIMIT_5 if five else WORK_LIMIT,
        )  # fmt: skip

    def close(self) -> None:
        """Stop the race and cancel its tasks."""
        if self._games is not None:
            self._games.close()

    def begin(self) -> Job[None]:
        """Race until the first report; the last progress has the plain cuts in order as `best`."""
        if self._games is None:
            return
        for step in self._games:
            best = None if step.best is None else self.ranked(self.raced)
            yield Progress(step.done, step.total, step.note, best, waits=step.waits)
            if best is not None:
                return

    def finish(self, ordered: list[Cut]) -> Job[Ranking]:
        """Finish the race; return all cuts, the raced ones first, and a note.

        Progress has the same from the games so far as `best`. Without `seconds` the result is
        reproducible.
        """
        if self._games is None:
            return ordered, self.refused
        ordered = [*ordered, *self.misses]
        for step in self._games:
            best = None if step.best is None else self.ranked(ordered)
            yield Progress(step.done, step.total, step.note, best, waits=step.waits)
        if self.race.too_slow:
            return ordered[: len(ordered) - len(self.misses)], TOO_SLOW
        return self.ranked(ordered)

    def ranked(self, ordered: list[Cut]) -> Ranking:
        """Rank the cuts with games by the chance to win (ties: running ones first), then others."""
        race, others = self.race, {key_of(cut): cut for cut in ordered}
        chances = {i: race.chance(i) for i in race.choices if race.outcomes[i]}
        equal = race.equal_to_best()
        first = [
            msgspec.structs.replace(
                others.pop(key_of(self.raced[i])),
                win=Win(chances[i], race.error(i), len(race.outcomes[i]), i in equal),
            )
            for i in sorted(chances, key=lambda i: (-chances[i], i not in race.running, i))
        ]
        return first + list(others.values()), self._note()

    def _note(self) -> str:
        """Return sentences about the policy and what the simulated games ignore."""
        position = self.position
        steps = (
            ""
            if position.detonator is not None or play_of(position).track
            else " The detonator has a step for each player."
        )
        missing = " Only you miss on purpose." if self.misses else ""
        every = " Every deal that fits is played." if self.race.exact else ""
        tokens = " The games take first tokens by themselves." if position.agreed else ""
        several = (
            " Several wires are cut at once when all are sure, or nothing else may be done."
            if Rules(position).together
            else ""
        )
        best = self.race.best()
        followed = sentence(position, self.race.chance(best), self.race.error(best))
        without = " and ".join(["without equipment", *rollout.omissions(position)])
        return (
            f"Chances to win: {without}; every seat plays what is sure, else the best "
            "chance of success less that of red times the steps left."
            f"{several}{missing}{every}{steps}{tokens}{followed}"
        )


def initial_candidates(ordered: list[Cut], front: list[Recommendation]) -> list[int]:
    """Return the places of the first cuts to race: short list, certain, then likeliest ones."""
    places = [item.option for item in front]
    places += [i for i, cut in enumerate(ordered) if cut.certain]
    places += range(len(ordered))
    plain = [i for i in places if ordered[i].action in rollout.CHOICE_KINDS]
    return list(dict.fromkeys(plain))[:INITIAL_CUTS]


def choice_of(cut: Cut) -> Choice:
    """Encode a plain cut or a miss for the kernel."""
    places = [*((cut.stand, j) for j in cut.slots), *cut.also]
    kind = rollout.CHOICE_KINDS["dual" if cut.action == "miss" else cut.action]
    return rollout.encode_choice(kind, places, value_number(cut.value) or 0)
