"""What the others' past choices tell, where the table has agreed to cut by one known rule.

A teammate who did not cut somewhere had no reason to by her own wires. Each deal that fits is
weighted by whether the last choices of others are the rule's in it: importance weights with the
likelihood ODDS for a choice that is not, since people slip. The rule is that of the seats in
simulated games (rollout.c), asked for every past table with the wires of the deal and what lay open
then.

All deals count where they are few. Else DRAWN ones do, and their shares are mixed with the exact
chances by how many equally weighted deals they are worth (Kish's effective sample size), so that
few of them change little. Cost: deals × choices × one posterior of a seat; a page answers in 35 ms.
Measured in whole games: web/docs/dev/performance.md.
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

LISTED = 256  # deals that all count
DRAWN = 300
LAST = 6  # choices of others that count
ODDS = 0.1  # the likelihood of a choice that is not the rule's
LEAST = ODDS**3  # no deal weighs less
POOL = 4  # deals that are drawn for each that is kept by its weight
MIXED = 10  # effective deals at which the drawn ones count as much as the exact chances
INTERCEPT, SLOPE = 0.07, 1.13  # of the logit of a success, where deals are drawn
READ = ("dual", "solo", "together")
CHANGING = {"constraint", "pay", "value_gate", "track", "radar_each_turn"}  # not in `Replaced`
replace = msgspec.structs.replace


def refusal(position: Position) -> str:
    """Why choices cannot be read at this table, one sentence; "" where they can."""
    mission = mission_of(position)
    if position.token != "standard":
        return "Choices are read with standard tokens only."
    if mission and any(rule["kind"] in CHANGING for rule in mission.rules):
        return "Choices are not read where cards change what may be cut."
    return rollout.refusal(position)


def agreed_key(position: Position) -> Callable[[Cut], tuple[object, ...]]:
    """The order of cuts that the table has agreed on, as a key: that of the seats' rule.

    Only red left; a shown wire; a number alone, the lowest first; then success less red times the
    steps left, as read where choices count. Of equals the first stand, slot, value.
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
        gear = cut.action not in READ
        return 3, round(steps * one.red - one.success, 9), gear, cut.stand, cut.slots, value

    return key


def record_choice(before: Position, after: Position, choice: PastChoice) -> PastChoice:
    """A turn with what it replaced, of two tables with the same places."""
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
    """The table with a turn among its choices, where it has agreed to keep them."""
    if table.choices is None or choice is None:
        return table
    return replace(table, choices=(*table.choices, choice)[-MOST_CHOICES:])


def restore_tables(position: Position) -> list[Position]:
    """The table before each of its choices, oldest first."""
    found, table = list[Position](), replace(position, choices=None)
    for choice in reversed(position.choices or ()):
        table = _undo(table, choice)
        found.append(table)
    return found[::-1]


def _undo(table: Position, choice: PastChoice) -> Position:
    """The table before a turn; a failed cut's "not that value" is taken away again."""
    said = {f"not:{value}" for value in choice.value.split("/")}
    for j in choice.slots:
        slot = table.stands[choice.stand].slots[j]
        kept = replace(slot, tokens=tuple(t for t in slot.tokens if t not in said))
        table = replace_slot(table, choice.stand, j, kept)
    for i, j, state in choice.was.slots:
        table = replace_slot(table, i, j, replace(table.stands[i].slots[j], state=state))
    for i, facts in choice.was.facts:
        table = with_facts(table, i, facts)
    return replace(table, detonator=choice.was.detonator)


def read_choices(position: Position) -> list[tuple[PastChoice, Position]]:
    """The choices that count with the table before each, the newest first."""
    rows = list(zip(position.choices or (), restore_tables(position), strict=True))
    others = [row for row in rows if row[0].actor != position.viewer and row[0].action in READ]
    return others[: -LAST - 1 : -1]


def weigh_deals(position: Position, deals: array[int]) -> list[float]:
    """The weight of each deal: ODDS for each choice that is not the rule's, at least LEAST."""
    weights = [1.0] * (len(deals) // rollout.DEAL)
    for choice, table in read_choices(position):
        kind, value = rollout.CHOICE_KINDS[choice.action], value_number(choice.value) or 0
        made = rollout.choose(rollout.encode_game(table, mover=choice.actor), deals)
        if choice.action == "dual":
            same = [one == (kind, choice.stand, *choice.slots, value) for one in made]
        else:
            same = [(one[0], one[3]) == (kind, value) for one in made]
        weights = [
            w if fits else max(w * ODDS, LEAST) for w, fits in zip(weights, same, strict=True)
        ]
    return weights


def weigh_chances(position: Position, deals: array[int], chances: list[float]) -> list[float]:
    """The chances of all deals once the choices count; their sum is 1."""
    shares = [w * p for w, p in zip(weigh_deals(position, deals), chances, strict=True)]
    total = fsum(shares)
    return [share / total for share in shares]


def draw_weighted(position: Position, words: array[int], seed: int, games: int) -> array[int]:
    """Deals drawn by chance times weight: POOL times as many, resampled systematically."""
    pool = rollout.draw_deals(words, seed, POOL * games)
    weights = weigh_deals(position, pool)
    step, found, at, sum_ = fsum(weights) / games, array("B"), 0, weights[0]
    for n in range(games):
        while sum_ < (n + 0.5) * step and at + 1 < len(weights):
            at += 1
            sum_ += weights[at]
        found += pool[at * rollout.DEAL : (at + 1) * rollout.DEAL]
    return found


def calibrate_success(chance: float) -> float:
    """How often cuts of that chance worked where deals are drawn; 0 and 1 are certain.

    Mixing in the exact chances makes a chance above a half up to 4 points too low; where all deals
    count it needs no correction. Logistic calibration (Platt 1999) on whole games; figures for
    others: web/docs/dev/performance.md.
    """
    if not 0 < chance < 1:
        return chance
    return 1 / (1 + exp(-INTERCEPT - SLOPE * log(chance / (1 - chance))))


class Reading:
    """The weighted deals of a table."""

    def __init__(self, position: Position) -> None:
        """Raises BadPosition where no deal fits."""
        words = rollout.encode_game(position)
        listed = rollout.all_deals(words, LISTED)
        self.deals, chances = listed or (rollout.draw_deals(words, 1, DRAWN), [1.0] * DRAWN)
        self.shares = weigh_chances(position, self.deals, chances)
        self.choices = len(read_choices(position))
        self.effective = None if listed else 1 / fsum(share * share for share in self.shares)
        self.position, self.values = position, rollout.values_of(position)
        self.red = {RED, Rules(position).deadly}
        self._found: dict[int, list[float]] = {}  # of a place the share of each value

    def _shares(self, place: int) -> list[float]:
        if place not in self._found:
            found = self._found[place] = [0.0] * len(VALUE_NAMES)
            for share, layer in zip(self.shares, self.deals[place :: rollout.DEAL], strict=True):
                found[self.values[layer]] += share
        return self._found[place]

    def chance(self, stand: int, slot: int, values: set[int | None], exact: float) -> float:
        """The chance that a slot has one of those values; `exact`: without the choices."""
        shares = self._shares(stand * rollout.SLOTS + slot)
        found = fsum(shares[value] for value in values if value is not None)
        if self.effective is None or not 0 < exact < 1:
            return found if self.effective is None else exact
        part = self.effective / (self.effective + MIXED)
        return part * found + (1 - part) * exact

    def with_read(self, cut: Cut) -> Cut:
        """A plain cut of one wire with `read`; any other as it is."""
        if cut.action != "dual":
            return cut
        place = cut.stand, cut.slots[0]
        success = self.chance(*place, {VALUE_NAMES.index(cut.value)}, cut.success)
        fails = abs(cut.success + cut.red - 1) < 1e-12  # every failure explodes
        red = 1 - success if fails else self.chance(*place, self.red, cut.red)
        drawn = self.choices and self.effective is not None
        shown = calibrate_success(success) if drawn else success
        calibrated = Calibrated(shown, min(red, 1 - shown))
        return replace(cut, read=Read(success, red, self.choices, self.effective, calibrated))
