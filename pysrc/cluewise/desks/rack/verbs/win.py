"""Cuts by the chance to win: the same deals played to the end after each of them.

Deals are drawn from the viewer's exact posterior, or are all of them where they are few; after the
cut every seat plays by its own exact belief what is sure, else what has the best chance of success
less that of red. The same deals serve all cuts, so that luck is shared. Win chances hang on how
the others are taken to play: it is their order that helps.
"""

from __future__ import annotations

import msgspec

from cluewise.core.work import Job, Progress
from cluewise.desks.rack.engine import winning
from cluewise.desks.rack.engine.race import Choice, Race
from cluewise.desks.rack.position import Position
from cluewise.desks.rack.results import Cut, CutsOptions, Recommendation, Win
from cluewise.desks.rack.wires import value_number

MOST_CUTS = 10


def rank_by_win(
    position: Position, ordered: list[Cut], front: list[Recommendation], options: CutsOptions
) -> Job[tuple[list[Cut], str]]:
    """The cuts with the chances to win of those worth a look in front; and why none, or how.

    With `seconds` the games go on as long; without, the answer is the same on every run. On the
    way `best` is the same, from the games so far.
    """
    refused = winning.refusal(position)
    if refused:
        return ordered, refused
    places = worth_a_look(ordered, front)
    race = Race(winning.game_words(position), {i: choice_of(ordered[i]) for i in places})
    running = race.run(options.seconds)
    for step in running:
        best = None if step.best is None else ranked(position, ordered, race)
        yield Progress(step.done, step.total, step.note, best=best)
    return ranked(position, ordered, race)


def ranked(position: Position, ordered: list[Cut], race: Race) -> tuple[list[Cut], str]:
    """The list as the games order it, and how they were played."""
    settled = {
        i: msgspec.structs.replace(
            ordered[i],
            win=Win(race.chance(i), race.error(i), len(race.won[i]), race.is_equal(i)),
        )
        for i in race.choices
    }
    first = sorted(settled, key=lambda i: (-race.chance(i), i))
    rest = [cut for i, cut in enumerate(ordered) if i not in settled]
    steps = "" if position.detonator is not None else " The detonator has a step for each player."
    every = " Every deal that fits is played." if race.exact else ""
    note = (
        "Chances to win: without equipment; every seat plays what is sure, else the best chance of "
        f"success less that of red times the steps left.{every}{steps}"
    )
    if position.agreed:
        note += " The games take first tokens by themselves."
    return [settled[i] for i in first] + rest, note


def worth_a_look(ordered: list[Cut], front: list[Recommendation]) -> list[int]:
    """What is played out: plain cuts worth a look and sure ones, by their place in the list."""
    places = [item.option for item in front]
    places += [i for i, cut in enumerate(ordered) if cut.certain]
    plain = [i for i in places if ordered[i].action in winning.KINDS]
    return list(dict.fromkeys(plain))[:MOST_CUTS]


def choice_of(cut: Cut) -> Choice:
    """A plain cut as the kernel numbers it."""
    return winning.KINDS[cut.action], cut.stand, cut.slots[0], value_number(cut.value) or 0
