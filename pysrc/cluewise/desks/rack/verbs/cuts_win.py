"""Cuts by the chance to win: the same deals played to the end after each of them.

Deals are drawn from the viewer's exact posterior, or are all of them where they are few; after the
cut every seat plays by its own exact belief what is sure, else what has the best chance of success
less that of red. The same deals serve all cuts, so that luck is shared. Win chances hang on how
the others are taken to play: it is their order that helps.

Deliberate misses are ranked so alone: a value that the wire pointed at cannot have, announced to
stay clear of red. The rules allow any plain cut of a value that the player holds. One that cannot
work takes a step of the detonator like every failure, lays the wire's token and shows that the
player holds the value. Misses are offered only where that was measured to win games: every plain
cut may hit red, and a failure leaves a step.

Where teammates choose by games, their choices carry information about their hands, so that the
chance from deals taken for equally likely is too low, and more so the more wires are cut
(`chance_followed`). Its logit is raised in proportion to the share that is cut: logistic regression
with one parameter on whole games of mission 4 with four and five players. Figures, tests and what
was rejected: web/docs/dev/performance.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import exp, fsum, hypot, log
from typing import NamedTuple

import msgspec

from cluewise.core.work import Job, Progress
from cluewise.desks.rack.engine import rollout
from cluewise.desks.rack.engine.racing import BLOCK, RacingRollouts
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

MOST = 24
SLOPE, SLOPE_ERROR = 1.61, 0.22  # of the logit in the share of wires cut; its standard error
WIDEST = 0.0255  # largest standard error of a chance that is shown: 95 % intervals of 5 points
SMALL = 2  # missions up to this number have fewer blue wires than were measured
FIRST_CUTS = 24  # what is played out for a first order; the other cuts join then
GAMES, GAMES_OF_FIVE = 49152, 8192  # of all cuts together, where no time is given; five take long
WORK, WORK_OF_FIVE = 25 * 10**7, 8 * 10**8  # of them, a second or two and four
TOO_SLOW = "Playing games out takes too long here to compare cuts by the chance to win."
PATIENCE = 2.5  # standard errors: among a hundred cuts some fall behind by two in bad luck alone


Key = tuple[str, int, tuple[int, ...], str, tuple[tuple[int, int], ...]]
Best = tuple[list[Cut], str]


class Target(NamedTuple):
    """A teammate's wire: what it may be called, the entropy of the wire, whether it is shown."""

    stand: int
    slot: int
    values: set[int]
    bits: float
    shown: bool
    at: tuple[int, int] | None  # part and element, where the viewer does not know the wire


def deliberate_misses(hand: PlayerView, plain: list[Cut]) -> list[Cut]:
    """Misses worth a rollout, at most 24: shown wires first, then hidden ones by entropy.

    `plain` are all dual, solo, reveal and joint cuts; a single one without red rules misses out.
    Shown wires all have the same effect, so that only the first one is listed for each value.
    """
    if any(cut.red == 0 for cut in plain) or not _affordable(hand):
        return []
    values = [v for v in nameable(hand.rules, "dual", hand.held) if v in hand.held]
    deadly = {RED, hand.rules.deadly}
    targets = sorted(_targets(hand), key=lambda t: (not t.shown, -t.bits, t.stand, t.slot))
    found: list[Cut] = []
    at_shown: set[int] = set()
    for target in targets:
        if target.values & deadly:
            continue
        for value in values:
            if value in target.values or (target.shown and value in at_shown):
                continue
            if target.shown:
                at_shown.add(value)
            found.append(_miss(hand, target, value))
    return found[:MOST]


def _affordable(hand: PlayerView) -> bool:
    """Whether the viewer's failure leaves a step of the detonator."""
    position, rules = hand.position, hand.rules
    if play_of(position).track:
        return (position.track or 0) + ROBOT_FAILED < TRACK_END
    steps = len(position.seats()) if position.detonator is None else position.detonator
    return steps > rules.steps and not rules.failure_explodes(position.viewer)


def _targets(hand: PlayerView) -> Iterator[Target]:
    """Teammates' wires that may be pointed at and take no step of their own."""
    position, plan = hand.position, hand.plan
    places = {
        (part.stand, slot): (p, e)
        for p, part in enumerate(plan.parts)
        for e, slot in enumerate(part.slots)
    }
    for i, stand in enumerate(position.stands):
        for j, slot in enumerate(stand.slots):
            mine = position.owner_of(i) == position.viewer
            dear = hand.rules.price(i, j, position.viewer)
            if mine or dear or not hand.may_point("dual", i, j):
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
    """The row; its gain is what the token shows of a hidden wire."""
    gain: float | None = 0.0
    if not target.shown and target.at is not None:
        gain = hand.named_gain(*target.at, (value,))
    return Cut("miss", target.stand, [target.slot], VALUE_NAMES[value], 0.0, 0.0, gain, False)


def chance_followed(chance: float, cut: float) -> float:
    """The chance after a choice, that share of the wires being cut; 0 and 1 are certain."""
    if not 0 < chance < 1:
        return chance
    return 1 / (1 + exp(-log(chance / (1 - chance)) - SLOPE * cut))


def share_cut(position: Position) -> float:
    """The share of the wires on stands that is cut."""
    states = [slot.state for stand in position.stands for slot in stand.slots]
    return states.count("cut") / len(states)


def sentence(position: Position, chance: float, error: float) -> str:
    """That chance in words with its 95 % interval; "" where no such table was measured."""
    mission, cut = mission_of(position), share_cut(position)
    if not mission or mission.number <= SMALL or not cut or not 0 < chance < 1 or error > WIDEST:
        return ""
    plain = position.token == "standard" and len(position.seats()) in (4, 5)
    if not plain or any(rule["kind"] not in HARMLESS for rule in mission.rules):
        return ""
    found = chance_followed(chance, cut)
    bound = 1.96 * found * (1 - found) * hypot(error / chance / (1 - chance), SLOPE_ERROR * cut)
    share = f"{100 * found:.0f} ± {max(100 * bound, 1):.0f} %"
    return f" If all of you have cut by this list so far, the best wins {share}."


def key_of(cut: Cut) -> Key:
    """What makes it this cut and no other: `("dual", 2, (5,), "7", ())`."""
    return cut.action, cut.stand, tuple(cut.slots), cut.value, tuple(cut.also)


class RolloutRanking:
    """Games of the plain cuts worth a look: begun while other cuts are still to be weighed."""

    def __init__(
        self,
        position: Position,
        plain: list[Cut],
        misses: list[Cut],
        front: list[Recommendation],
        options: CutsOptions,
        sharing: ParallelContext | None,
        weighed: bool = False,
    ) -> None:
        """`weighed`: deals count by the others' past choices."""
        self.position, self.misses = position, misses
        self.raced = [*plain, *misses]  # of equals the first: a miss is never put before a cut
        self.refused = rollout.refusal(position)
        self._games: Job[None] | None = None
        if self.refused or not self.raced:  # who may do nothing has nothing to compare
            return
        first = initial_candidates(plain, front) or range(len(misses))
        choices = {i: choice_of(self.raced[i]) for i in first}
        late = {i: choice_of(cut) for i, cut in enumerate(self.raced) if i not in choices}
        five = len(position.stands) == rollout.STANDS
        limit, opening = (GAMES_OF_FIVE, BLOCK // 2) if five else (GAMES, BLOCK)
        work = WORK_OF_FIVE if five else WORK
        words = rollout.encode_game(position)
        self.race = RacingRollouts(
            words, choices, late=late, patience=PATIENCE, opening=opening,
            weighing=position if weighed else None,
        )  # fmt: skip
        in_all = limit if options.seconds is None else None
        self._games = self.race.run(options.seconds, sharing=sharing, in_all=in_all, work=work)

    def close(self) -> None:
        """No more games; workers that play some are informed."""
        if self._games is not None:
            self._games.close()

    def begin(self) -> Job[None]:
        """The first games, and with the last of them a first order, as `best`: of plain cuts."""
        if self._games is None:
            return
        for step in self._games:
            best = None if step.best is None else self.ranked(self.raced)
            yield Progress(step.done, step.total, step.note, best, waits=step.waits)
            if best is not None:
                return

    def go_on(self, ordered: list[Cut]) -> Job[Best]:
        """The other games, and all cuts: those played out in front; how, or why none were.

        With `seconds` the games go on as long; without, the answer is the same on every run. On
        the way `best` is the same, from the games so far.
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

    def ranked(self, ordered: list[Cut]) -> Best:
        """The list by the chance to win, of equals those still in the race first; and the note."""
        race, found = self.race, {key_of(cut): cut for cut in ordered}
        chances = {i: race.chance(i) for i in race.choices if race.won[i]}
        equals = race.equals()
        first = [
            msgspec.structs.replace(
                found.pop(key_of(self.raced[i])),
                win=Win(chances[i], race.error(i), len(race.won[i]), i in equals),
            )
            for i in sorted(chances, key=lambda i: (-chances[i], i not in race.running, i))
        ]
        return first + list(found.values()), self._how()

    def _how(self) -> str:
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
        without = " and ".join(["without equipment", *rollout.left_out(position)])
        return (
            f"Chances to win: {without}; every seat plays what is sure, else the best "
            "chance of success less that of red times the steps left."
            f"{several}{missing}{every}{steps}{tokens}{followed}"
        )


def initial_candidates(ordered: list[Cut], front: list[Recommendation]) -> list[int]:
    """What is played out first: the short list, sure cuts, then the likeliest; their places."""
    places = [item.option for item in front]
    places += [i for i, cut in enumerate(ordered) if cut.certain]
    places += range(len(ordered))
    plain = [i for i in places if ordered[i].action in rollout.CHOICE_KINDS]
    return list(dict.fromkeys(plain))[:FIRST_CUTS]


def choice_of(cut: Cut) -> Choice:
    """A plain cut or a miss as the kernel numbers it."""
    places = [*((cut.stand, j) for j in cut.slots), *cut.also]
    kind = rollout.CHOICE_KINDS["dual" if cut.action == "miss" else cut.action]
    return rollout.choice_at(kind, places, value_number(cut.value) or 0)
