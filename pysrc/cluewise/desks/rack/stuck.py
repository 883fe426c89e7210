"""What happens to a viewer whose turn it is and who may do nothing.

A cut that cannot work is allowed all the same, so only the rules decide, not the chances.
"""

from __future__ import annotations

from cluewise.desks.rack.game.legal import (
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
from cluewise.desks.rack.results import Stuck
from cluewise.desks.rack.wires import RED, YELLOW


def find_stuck(rules: Rules) -> tuple[Stuck, int, str]:
    """What happens to the viewer on her turn, the steps it takes, and it in a sentence.

    In mission 9 with locked numbers only:
    `("explode", 0, "There is nothing you may do: the bomb goes off.")`; `("", 0, "")` while she
    may do something. What happens is "" too, with a sentence, where another player cuts instead or
    a limit ends.
    """
    if may_act(rules):
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


def may_act(rules: Rules) -> bool:
    """Whether the rules allow the viewer anything; True while some wire of hers is not entered."""
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
    if any(_may_solo(rules, value) for value in values - {RED}):
        return True
    if rules.one_by_one and left_of(position, YELLOW) == held.count(YELLOW):
        values.discard(YELLOW)  # all that are left stand in her own hand
        named = [v for v in nameable(rules, "dual", values) if v != YELLOW]
    else:
        named = nameable(rules, "dual", values)
    return bool(named) and _may_point(rules)


def _may_solo(rules: Rules, value: int) -> bool:
    position, viewer = rules.position, rules.position.viewer
    places = [p for p in cuttable(rules, viewer) if known_value(position, p) == value]
    return not solo_fault(rules, viewer, value, places)


def _may_point(rules: Rules) -> bool:
    """Whether there is a wire that the viewer may point at with a plain cut."""
    position = rules.position
    return any(
        turned_away(rules, i)
        if position.owner_of(i) == position.viewer
        else reachable(rules, i, "dual")
        for i in range(len(position.stands))
    )
