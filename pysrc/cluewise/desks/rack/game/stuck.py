"""Turns without a legal action, and deadlock: no player with wires can ever cut again.

A cut that cannot succeed is legal, so the viewer's turn depends on the rules, not on chances. A
deadlocked table is lost, though its detonator may have steps left. The test is sufficient, not
necessary: it relaxes "a player can act" to "a value that they may name fits one of their wires and
some wire may be pointed at, or a solo cut may be legal". So a table found deadlocked is so in every
deal that fits the viewer's knowledge. Tables whose cards may still change the rules are not tested.
Cost: O(players * slots * values), given the posterior.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from cluewise.desks.rack.game.legal import (
    Place,
    cuttable,
    known_value,
    left_of,
    nameable,
    reachable,
    reveal_fault,
    solo_fault,
    turned_away,
    uncut,
)
from cluewise.desks.rack.game.rules import Rules
from cluewise.desks.rack.position import Position
from cluewise.desks.rack.results import Stuck
from cluewise.desks.rack.stand import RED, YELLOW, value_of, wire_code

CHANGING = {"pay", "track", "script", "hidden_card", "off_stands"}  # rules that change uncut
DISINTEGRATOR = "10.10"
LOST = "No player can cut a wire, now or later: the mission is lost"
Cells = Sequence[Sequence[Mapping[str, float] | None]]


def find_stuck(rules: Rules) -> tuple[Stuck, int, str]:
    """Return the consequence of a viewer's turn without a legal action, its steps and a sentence.

    In mission 9 with locked numbers only:
    `("explode", 0, "There is nothing you may do: the bomb goes off.")`; `("", 0, "")` if an action
    is legal. The consequence is "" too, with a sentence, if another player cuts instead or a limit
    ends.
    """
    if viewer_may_act(rules):
        return "", 0, ""
    lead = "There is nothing you may do"
    if rules.stuck == "explode":
        return "explode", 0, f"{lead}: the bomb goes off."
    gate, limit = rules.rule("value_gate"), rules.rule("constraint") or {}
    if gate and str(gate["values"]).startswith("top"):
        return "", 0, f"{lead}: you hold no wire of the open number, so another player cuts."
    if "off" in str(limit.get("stuck", "")) and rules.position.constraint:
        return "", 0, f"{lead} under the limit card. {limit['says'].split('. ')[-1]}"
    steps = rules.stuck_steps
    cost = "at no cost" if not steps else f"for {steps} step{'s' if steps > 1 else ''}"
    return "skip", steps, f"{lead}: you skip this turn {cost}."


def viewer_may_act(rules: Rules) -> bool:
    """Return whether an action of the viewer is legal; True if an own wire is not entered."""
    position, viewer = rules.position, rules.position.viewer
    mine = uncut(position, viewer)
    free = cuttable(rules, viewer)
    held = [known_value(position, place) for place in free]
    if not mine or None in held:
        return True
    special = rules.together
    enough = special is not None and left_of(position, special.value) >= special.count
    if enough and not rules.action_fault("together", viewer):
        return True
    if not reveal_fault(rules, viewer, mine):
        return True
    values = {value for value in held if value is not None}
    holds_all_yellow = rules.one_by_one and left_of(position, YELLOW) == held.count(YELLOW)
    named = [v for v in nameable(rules, "dual", values) if v != YELLOW or not holds_all_yellow]
    if named and _viewer_may_point(rules):
        return True
    return any(_viewer_may_solo(rules, value) for value in values - {RED})


def _viewer_may_solo(rules: Rules, value: int) -> bool:
    position, viewer = rules.position, rules.position.viewer
    places = [p for p in cuttable(rules, viewer) if known_value(position, p) == value]
    return not solo_fault(rules, viewer, value, places)


def _viewer_may_point(rules: Rules) -> bool:
    """Return whether the viewer may point at some wire with a plain cut."""
    position = rules.position
    return any(
        turned_away(rules, i)
        if position.owner_of(i) == position.viewer
        else reachable(rules, i, "dual")
        for i in range(len(position.stands))
    )


def deadlock_reason(rules: Rules, cells: Cells) -> tuple[str, str]:
    """Return why the table is deadlocked, and the number of the card that may resolve it, or "".

    `cells`: by stand and slot the possible wires, as in the result of `posterior`. If each player
    only has an own turned wire left:
    `("No player can cut a wire, now or later: the mission is lost.", "")`
    """
    position = rules.position
    every = [place for player in position.seats() for place in uncut(position, player)]
    deadly = left_of(position, rules.deadly) if rules.deadly else 0
    if len(every) <= left_of(position, RED) + deadly:  # all may be red: a reveal
        return "", ""
    if _may_change(rules) or any(_may_act(one, cells, p) for p, one in enumerate(rules.each)):
        return "", ""
    if all(rules.card_fault(DISINTEGRATOR, player) for player in position.seats()):
        return f"{LOST}.", ""
    return f"{LOST}, unless a disintegrator ({DISINTEGRATOR}) lies there unused.", DISINTEGRATOR


def _may_change(rules: Rules) -> bool:
    """Return whether the rules in force may change without a cut."""
    if rules.mission is None or rules.position.locked or rules.position.wires.aside:
        return True
    gate = rules.rule("value_gate")
    if gate and not (str(gate["values"]).startswith("sum") and len(rules.numbers) > 1):
        return True  # the cards are renewed, or passed on
    limit = rules.rule("constraint")
    if limit and (limit["scope"] != "all" or limit.get("all_stuck_a_round") != "explode"):
        return True
    return any(rule["kind"] in CHANGING for rule in rules.mission.rules)


def _may_act(rules: Rules, cells: Cells, player: int) -> bool:
    """Return whether a player may cut in some deal that fits the viewer's knowledge."""
    position = rules.position
    mine = uncut(position, player)
    if not mine:
        return False
    special = rules.together
    if special and left_of(position, special.value) >= special.count:
        return True
    away = any(j in turned_away(rules, i) for i, j in mine)
    held = [_values(position, cells, place) for place in cuttable(rules, player)]
    names: set[int] = set().union(*held) - {RED}
    if rules.one_by_one and left_of(position, YELLOW):
        names.add(YELLOW)
    others = (i for i in range(len(position.stands)) if position.owner_of(i) != player)
    if away or any(reachable(rules, i, "dual") for i in others):
        return any(not rules.value_fault("dual", value) for value in names)
    return any(_may_solo(rules, value, held) for value in names)


def _may_solo(rules: Rules, value: int, held: Sequence[Collection[int]]) -> bool:
    """Return whether a player may hold all uncut wires of a value."""
    left = left_of(rules.position, value)
    own = sum(value in values for values in held)
    fault = rules.value_fault("solo", value, left)
    return not fault and (value == YELLOW or own >= left)


def _values(position: Position, cells: Cells, place: Place) -> set[int]:
    """Return the possible values of a wire, given the viewer's knowledge."""
    known = known_value(position, place)
    if known is not None:
        return {known}
    cell = cells[place[0]][place[1]] or {}
    return {value_of(wire_code(name) or 0) for name in cell}
