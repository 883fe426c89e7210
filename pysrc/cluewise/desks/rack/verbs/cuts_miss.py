"""Deliberate misses: a value that the wire pointed at cannot have, announced to stay clear of red.

The rules allow any plain cut of a value that the player holds. One that cannot work takes a step of
the detonator like every failure, lays the wire's token and shows that the player holds the value.
Misses are ranked by the chance to win alone, and offered only where that was measured to win games:
every plain cut may hit red, and a failure leaves a step.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import fsum
from typing import NamedTuple

from cluewise.desks.rack.game.legal import known_value, nameable
from cluewise.desks.rack.game.play import ROBOT_FAILED, TRACK_END, play_of
from cluewise.desks.rack.results import Cut
from cluewise.desks.rack.verbs.cuts_hand import PlayerView, information
from cluewise.desks.rack.wires import RED, VALUE_NAMES

MOST = 24


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
