"""Cuts by the chance to win: the same deals played to the end after each of them.

Deals are drawn from the viewer's exact posterior, or are all of them where they are few; after the
cut every seat plays by its own exact belief what is sure, else what has the best chance of success
less that of red. The same deals serve all cuts, so that luck is shared. Win chances hang on how
the others are taken to play: it is their order that helps.
"""

from __future__ import annotations

import msgspec

from cluewise.core.work import Job, Progress
from cluewise.desks.rack.engine import rollout
from cluewise.desks.rack.engine.followed import sentence
from cluewise.desks.rack.engine.racing import BLOCK, RacingRollouts
from cluewise.desks.rack.engine.rollout import Choice
from cluewise.desks.rack.game.play import play_of
from cluewise.desks.rack.game.rules import Rules
from cluewise.desks.rack.position import Position
from cluewise.desks.rack.results import Cut, CutsOptions, Recommendation, Win
from cluewise.desks.rack.wires import value_number
from cluewise.parallel.tasks import ParallelContext

FIRST_CUTS = 24  # what is played out for a first order; the other cuts join then
GAMES, GAMES_OF_FIVE = 49152, 8192  # of all cuts together, where no time is given; five take long
WORK, WORK_OF_FIVE = 25 * 10**7, 8 * 10**8  # of them, a second or two and four
TOO_SLOW = "Playing games out takes too long here to compare cuts by the chance to win."
PATIENCE = 2.5  # standard errors: among a hundred cuts some fall behind by two in bad luck alone


Key = tuple[str, int, tuple[int, ...], str, tuple[tuple[int, int], ...]]
Best = tuple[list[Cut], str]


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
        words = rollout.game_words(position)
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
        """The list as the games order it, and how they were played."""
        race, found = self.race, {key_of(cut): cut for cut in ordered}
        chances = {i: race.chance(i) for i in race.choices if race.won[i]}
        equals = race.equals()
        first = [
            msgspec.structs.replace(
                found.pop(key_of(self.raced[i])),
                win=Win(chances[i], race.error(i), len(race.won[i]), i in equals),
            )
            for i in sorted(chances, key=lambda i: (-chances[i], i))
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
    plain = [i for i in places if ordered[i].action in rollout.KINDS]
    return list(dict.fromkeys(plain))[:FIRST_CUTS]


def choice_of(cut: Cut) -> Choice:
    """A plain cut or a miss as the kernel numbers it."""
    places = [*((cut.stand, j) for j in cut.slots), *cut.also]
    kind = rollout.KINDS["dual" if cut.action == "miss" else cut.action]
    return rollout.choice_at(kind, places, value_number(cut.value) or 0)
