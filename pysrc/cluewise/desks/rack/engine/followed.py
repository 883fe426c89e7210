"""The chance to win where every seat has chosen its cuts by games, from the chance stated.

A race takes all deals that fit for equally likely. They are where all seats play by the rule that
the chance assumes; where teammates choose by games, their choices carry information about their
hands, so that the chance is too low, and more so the more wires are cut. Its logit is raised in
proportion to the share that is cut: logistic regression with one parameter on whole games of
mission 4 with four and five players. Figures, tests and what was rejected:
web/docs/dev/performance.md.
"""

from __future__ import annotations

from math import exp, hypot, log

from cluewise.desks.rack.engine.rollout import HARMLESS
from cluewise.desks.rack.game.missions import mission_of
from cluewise.desks.rack.position import Position

SLOPE, SLOPE_ERROR = 1.61, 0.22  # of the logit in the share of wires cut; its standard error
WIDEST = 0.0255  # largest standard error of a chance that is shown: 95 % intervals of 5 points
SMALL = 2  # missions up to this number have fewer blue wires than were measured


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
