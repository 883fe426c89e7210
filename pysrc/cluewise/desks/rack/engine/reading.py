"""Inference from teammates' past choices, where all players have agreed to cut by one policy.

That policy is the one of simulated games (rollout.c). The posterior of a deal is its exact chance
times the likelihood of the last MAX_CHOICES choices of others: 1 for a choice that the policy makes
with the wires of the deal and what was public then, MISMATCH for any other, since people err.

If at most rollout.MAX_ENUMERATED deals fit, all of them are weighted. Otherwise SAMPLED_DEALS are
drawn (importance sampling), and their marginals are mixed with the exact ones, which ignore the
choices, in proportion to their effective sample size (Kish 1965), so that few effective deals
change little.
Cost: deals × choices × one posterior of a seat; about 35 ms in the page. Measured in whole games:
web/docs/dev/performance.md.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from math import exp, fsum, log

import msgspec

from cluewise.desks.rack.engine import rollout
from cluewise.desks.rack.game.missions import mission_of
from cluewise.desks.rack.game.rules import Rules
from cluewise.desks.rack.game.table_edits import replace_slot, with_facts
from cluewise.desks.rack.position import MOST_CHOICES, PastChoice, Position, Replaced
from cluewise.desks.rack.results import Calibrated, Cut, Read
from cluewise.desks.rack.stand import RED, VALUE_NAMES, Fact, State, value_number

SAMPLED_DEALS = 300
MAX_CHOICES = 6  # the last choices of others that count
MISMATCH = 0.1  # likelihood of a choice that the policy does not make
MIN_LIKELIHOOD = MISMATCH**3
POOL = 4  # deals drawn for each deal of a weighted sample
PRIOR_DEALS = 10  # effective sample size at which sample and exact chances count equally
INTERCEPT, SLOPE = 0.07, 1.13  # of the logit of a success, if deals are sampled
PLAIN_CUTS = ("dual", "solo", "together")
CHANGING = {"constraint", "pay", "value_gate", "track", "radar_each_turn"}  # not in `Replaced`
replace = msgspec.structs.replace


def refusal(position: Position) -> str:
    """Return why choices cannot be used at this table, one sentence; "" if they can."""
    mission = mission_of(position)
    if position.token != "standard":
        return "Choices are read with standard tokens only."
    if mission and any(rule["kind"] in CHANGING for rule in mission.rules):
        return "Choices are not read where cards change what may be cut."
    return rollout.refusal(position)


def agreed_key(position: Position) -> Callable[[Cut], tuple[object, ...]]:
    """Return the sort key of the agreed policy.

    Only red left; a shown wire; a solo cut, the lowest number first; then success less red times
    the steps left, given the choices where they count. Ties: first stand, slot, value.
    """
    steps = max(len(position.seats()) if position.detonator is None else position.detonator, 1)

    def key(cut: Cut) -> tuple[object, ...]:
        value, slot = value_number(cut.value) or 0, position.stands[cut.stand].slots[cut.slots[0]]
        if cut.action == "reveal":
            return (0,)
        if cut.action == "dual" and cut.certain and slot.state == "info":
            return 1, cut.stand, cut.slots, value
        if cut.action == "solo":
            return 2, value
        one = cut.read or cut
        equipment = cut.action not in PLAIN_CUTS
        loss = round(steps * one.red - one.success, 9)
        return 3, loss, equipment, cut.stand, cut.slots, value

    return key


def record_choice(before: Position, after: Position, choice: PastChoice) -> PastChoice:
    """Return the choice with what it replaced, from the tables before and after it."""
    slots, facts = list[tuple[int, int, State]](), list[tuple[int, tuple[Fact, ...]]]()
    for i, (old, new) in enumerate(zip(before.stands, after.stands, strict=True)):
        for j, (was, now) in enumerate(zip(old.slots, new.slots, strict=True)):
            slots += [(i, j, was.state)] if was.state != now.state else []
        facts += [(i, old.facts)] if old.facts != new.facts else []
    if choice.action in ("solo", "reveal"):  # the wires may be on stands that were not named
        cut = [(i, j) for i, j, _ in slots] or [(choice.stand, j) for j in choice.slots]
        stand = cut[0][0] if cut else choice.stand
        choice = replace(choice, stand=stand, slots=tuple(j for i, j in cut if i == stand))
    return replace(choice, was=Replaced(tuple(slots), before.detonator, tuple(facts)))


def with_choice(table: Position, choice: PastChoice | None) -> Position:
    """Return the table with a choice appended, if it records choices."""
    if table.choices is None or choice is None:
        return table
    return replace(table, choices=(*table.choices, choice)[-MOST_CHOICES:])


def restore_tables(position: Position) -> list[Position]:
    """Return the table before each of its choices, oldest first."""
    tables, table = list[Position](), replace(position, choices=None)
    for choice in reversed(position.choices or ()):
        table = _undo(table, choice)
        tables.append(table)
    return tables[::-1]


def _undo(table: Position, choice: PastChoice) -> Position:
    """Return the table before a choice; the "not" token of a failed cut is removed."""
    denied = {f"not:{value}" for value in choice.value.split("/")}
    for j in choice.slots:
        slot = table.stands[choice.stand].slots[j]
        bare = replace(slot, tokens=tuple(t for t in slot.tokens if t not in denied))
        table = replace_slot(table, choice.stand, j, bare)
    for i, j, state in choice.was.slots:
        table = replace_slot(table, i, j, replace(table.stands[i].slots[j], state=state))
    for i, facts in choice.was.facts:
        table = with_facts(table, i, facts)
    return replace(table, detonator=choice.was.detonator)


def relevant_choices(position: Position) -> list[tuple[PastChoice, Position]]:
    """Return the choices that count with the table before each, the newest first."""
    rows = list(zip(position.choices or (), restore_tables(position), strict=True))
    others = [
        row for row in rows if row[0].actor != position.viewer and row[0].action in PLAIN_CUTS
    ]
    return others[: -MAX_CHOICES - 1 : -1]


def likelihoods(position: Position, deals: array[int]) -> list[float]:
    """Return the likelihood of the relevant choices in each deal, at least MIN_LIKELIHOOD."""
    weights = [1.0] * (len(deals) // rollout.DEAL)
    for choice, table in relevant_choices(position):
        kind, value = rollout.CHOICE_KINDS[choice.action], value_number(choice.value) or 0
        moves = rollout.policy_moves(rollout.encode_game(table, mover=choice.actor), deals)
        if choice.action == "dual":
            same = [move == (kind, choice.stand, *choice.slots, value) for move in moves]
        else:
            same = [(move[0], move[3]) == (kind, value) for move in moves]
        weights = [
            w if fits else max(w * MISMATCH, MIN_LIKELIHOOD)
            for w, fits in zip(weights, same, strict=True)
        ]
    return weights


def weigh_chances(position: Position, deals: array[int], chances: list[float]) -> list[float]:
    """Return the chances of the deals given the choices, normalised to 1."""
    shares = [w * p for w, p in zip(likelihoods(position, deals), chances, strict=True)]
    total = fsum(shares)
    return [share / total for share in shares]


def draw_weighted(position: Position, game: array[int], seed: int, count: int) -> array[int]:
    """Draw deals from the posterior given the choices: sampling-importance resampling.

    POOL times as many deals are drawn, weighted, and resampled systematically (Kitagawa 1996).
    """
    pool = rollout.draw_deals(game, seed, POOL * count)
    weights = likelihoods(position, pool)
    step, deals, at, cumulated = fsum(weights) / count, array("B"), 0, weights[0]
    for n in range(count):
        while cumulated < (n + 0.5) * step and at + 1 < len(weights):
            at += 1
            cumulated += weights[at]
        deals += pool[at * rollout.DEAL : (at + 1) * rollout.DEAL]
    return deals


def calibrate_success(chance: float) -> float:
    """Return how often cuts of this chance worked, if deals are sampled; 0 and 1 are certain.

    Mixing with the exact chances makes a chance above a half up to 4 points too low; enumerated
    deals need no correction. Logistic calibration (Platt 1999) on whole games; figures for other
    games: web/docs/dev/performance.md.
    """
    if not 0 < chance < 1:
        return chance
    return 1 / (1 + exp(-INTERCEPT - SLOPE * log(chance / (1 - chance))))


class Reading:
    """Marginals of a table given the past choices of others."""

    def __init__(self, position: Position) -> None:
        """Weight the deals. Raises BadPosition if no deal fits."""
        game = rollout.encode_game(position)
        enumerated = rollout.enumerate_deals(game)
        self.deals, chances = enumerated or (
            rollout.draw_deals(game, 1, SAMPLED_DEALS), [1.0] * SAMPLED_DEALS
        )  # fmt: skip
        self.weights = weigh_chances(position, self.deals, chances)
        self.choices = len(relevant_choices(position))
        squares = fsum(weight * weight for weight in self.weights)
        self.effective = None if enumerated else 1 / squares  # Kish's effective sample size
        self.position, self.values = position, rollout.layer_values(position)
        self.red = {RED, Rules(position).deadly}
        self._marginals: dict[int, list[float]] = {}  # cache: by place, the chance of each value

    def _marginal(self, place: int) -> list[float]:
        if place not in self._marginals:
            chances = self._marginals[place] = [0.0] * len(VALUE_NAMES)
            for weight, layer in zip(self.weights, self.deals[place :: rollout.DEAL], strict=True):
                chances[self.values[layer]] += weight
        return self._marginals[place]

    def chance(self, stand: int, slot: int, values: set[int | None], exact: float) -> float:
        """Return the chance that a slot has one of the values; `exact`: without the choices."""
        marginal = self._marginal(stand * rollout.SLOTS + slot)
        weighted = fsum(marginal[value] for value in values if value is not None)
        if self.effective is None or not 0 < exact < 1:
            return weighted if self.effective is None else exact
        part = self.effective / (self.effective + PRIOR_DEALS)
        return part * weighted + (1 - part) * exact

    def with_read(self, cut: Cut) -> Cut:
        """Return a dual cut with `read`, its chances given the choices; any other unchanged."""
        if cut.action != "dual":
            return cut
        place = cut.stand, cut.slots[0]
        success = self.chance(*place, {VALUE_NAMES.index(cut.value)}, cut.success)
        fails = abs(cut.success + cut.red - 1) < 1e-12  # every failure explodes
        red = 1 - success if fails else self.chance(*place, self.red, cut.red)
        sampled = self.choices and self.effective is not None
        shown = calibrate_success(success) if sampled else success
        calibrated = Calibrated(shown, min(red, 1 - shown))
        return replace(cut, read=Read(success, red, self.choices, self.effective, calibrated))
