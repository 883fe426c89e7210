"""Legal cuts: shared by the advice (`cuts`) and by the entry of turns (`outcome`).

Actions are plain (dual) cuts, solo cuts, the reveal of red wires, equipment, and the mission's cut
of several wires. `…_fault` functions return why an action is illegal, a sentence, or "".

A plain cut points at any wire of another player that is not cut. Equipment leaves unsorted (X)
wires alone; the ray points at a hidden wire; a detector points at wires of one stand that are not
cut, shown ones included: the double at exactly two, the triple at exactly three, the super at all
of them. Detectors name blue numbers; a plain cut and the ray may name yellow; nothing names red.
A player may name a value only if they hold a wire of it that they may cut (`cuttable`). They may
point at an own wire only with a plain cut, and only if it is turned away from them. What a mission
forbids in addition, and missions in which yellow is named without being held: `rules.py`.
"""

from __future__ import annotations

from collections import Counter

from cluewise.desks.rack.game.rules import Rules, count_phrase, cut_counts
from cluewise.desks.rack.position import Position, in_play
from cluewise.desks.rack.results import Action
from cluewise.desks.rack.stand import (
    RED,
    VALUE_NAMES,
    YELLOW,
    Slot,
    letter,
    value_at,
    value_of,
    wire_code,
)

Place = tuple[int, int]
ACTIONS: tuple[Action, ...] = (
    "dual", "solo", "reveal", "double", "triple", "super", "either", "together", "miss",
)  # fmt: skip
POINTED = {"dual": 1, "either": 1, "double": 2, "triple": 3}
DETECTORS: tuple[Action, ...] = ("double", "triple", "super")


def held_value(slot: Slot) -> int | None:
    """Return the value of a slot that is not cut; None if it is cut or not entered."""
    return None if slot.state == "cut" else value_at(slot)


def known_value(position: Position, place: Place) -> int | None:
    """Return the value of a wire that the viewer knows, else None."""
    slot = position.stands[place[0]].slots[place[1]]
    if slot.state == "hidden" and position.viewer is None:
        return None
    return value_at(slot)


def uncut(position: Position, player: int | None) -> list[Place]:
    """Return a player's places that are not cut."""
    return [
        (i, j)
        for i in position.stands_of(player)
        for j, slot in enumerate(position.stands[i].slots)
        if slot.state != "cut"
    ]


def cuttable(rules: Rules, player: int | None) -> list[Place]:
    """Return a player's own wires that may be cut now: with a teammate's, solo or with equipment.

    Locked wires are excluded, and turned ones, whose value their owner does not see.
    """
    own = uncut(rules.position, player)
    away = {stand: turned_away(rules, stand) for stand in {i for i, _ in own}}
    return [(i, j) for i, j in own if j not in away[i] and not rules.wire_fault(i, j)]


def reachable(rules: Rules, stand: int, action: str) -> list[int]:
    """Return the slots of a teammate's stand that an action may point at."""
    found = []
    for j, slot in enumerate(rules.position.stands[stand].slots):
        sorted_in = "unsorted" not in slot.tokens
        fits = sorted_in if action in DETECTORS else sorted_in and slot.state == "hidden"
        if (fits or action == "dual") and slot.state != "cut" and not rules.slot_fault(stand, j):
            found.append(j)
    return found


def pointed_count(action: str, reach: int) -> int:
    """Return how many of `reach` wires of a stand an action points at; 0 if they are too few."""
    count = POINTED.get(action, reach)
    return count if count <= reach else 0


def turned_away(rules: Rules, stand: int) -> list[int]:
    """Return the slots of a stand that its owner does not see, and may point at."""
    if rules.rule("owner_cut") is None:
        return []
    slots = rules.position.stands[stand].slots
    return [j for j, one in enumerate(slots) if one.state == "hidden" and "unsorted" in one.tokens]


def nameable(rules: Rules, action: Action, held: set[int]) -> list[int]:
    """Return the values among those held that the viewer may name with an action, ascending."""
    if rules.action_fault(action, rules.position.viewer):
        return []
    most = YELLOW - 1 if action in DETECTORS else YELLOW
    free = {YELLOW} if action == "dual" and rules.one_by_one else set()
    return sorted(v for v in held | free if v <= most and not rules.value_fault(action, v))


def may_hold(rules: Rules, player: int | None, value: int) -> bool:
    """Return whether a player may have a wire of a value to cut; an unknown wire may be one.

    The viewer's unknown own wires do not count.
    """
    known = [known_value(rules.position, place) for place in cuttable(rules, player)]
    return value in known or (player != rules.position.viewer and None in known)


def unnameable(rules: Rules) -> list[dict[str, str]]:
    """Return by player the values that no plain cut may name now, with reasons: `[{"5": "…"}]`."""
    found = [
        {VALUE_NAMES[v]: fault for v in range(1, RED) if (fault := one.value_fault("dual", v))}
        for one in rules.each
    ]
    viewer = rules.position.viewer
    if viewer is not None and viewer < len(found):
        found[viewer] = _locked_values(rules) | found[viewer]
    return found


def _locked_values(rules: Rules) -> dict[str, str]:
    """Return the values of which no own wire of the viewer may be cut now, each with the reason."""
    viewer, free = rules.position.viewer, cuttable(rules, rules.position.viewer)
    usable = {known_value(rules.position, place) for place in free}
    found = {}
    for place in uncut(rules.position, viewer):
        value, fault = known_value(rules.position, place), rules.wire_fault(*place)
        if fault and value is not None and value < RED and value not in usable:
            found[VALUE_NAMES[value]] = fault
    return found


def own_fault(rules: Rules, player: int | None, value: int, place: Place) -> str:
    """Return why a player may not cut this own wire along with a teammate's; "" if they may."""
    return _own_fault(rules.position, player, {value}, [place]) or _uncuttable(
        rules, player, [place]
    )


def left_of(position: Position, value: int) -> int:
    """Return at most how many wires of a value are not cut: a group may be all of one colour."""
    return max(_all_left(position)[value], 0)


def _all_left(position: Position) -> Counter[int]:
    counts: Counter[int] = Counter()
    for code, copies in in_play(position.wires).items():
        counts[value_of(code)] += copies
    for name in position.known_elsewhere:
        counts[value_of(wire_code(name) or 0)] -= 1
    counts.subtract(cut_counts(position))
    for group in position.wires.groups:
        for value, colour in ((YELLOW, "Y"), (RED, "R")):
            members = sum(name[0] == colour for name in group.of)
            counts[value] += min(group.drawn, members) - members
    return counts


def unpaired_cut(position: Position) -> tuple[str, str]:
    """Return why no game can lead to these cuts, and the JSON path of one; ("", "") if one can.

    Parity check: every cut takes two or four wires of a number, or the last yellow ones, however
    many. Exempt are a number that counts as red, and yellow wires if they are found one by one.
    """
    rules, all_left = Rules(position), _all_left(position)
    for value in range(1, RED):
        left = max(all_left[value], 0)
        odd = left and rules.cut[value] % 2 if value == YELLOW else left % 2
        if not odd or value == rules.deadly or (value == YELLOW and rules.one_by_one):
            continue
        places = [
            f"$.stands[{i}].slots[{j}]"
            for i, stand in enumerate(position.stands)
            for j, slot in enumerate(stand.slots)
            if slot.state == "cut" and value_at(slot) == value
        ]
        name = f"{VALUE_NAMES[value]}s" if value < YELLOW else "yellow wires"
        lead = f"Games are not simulated while an odd number of {name} is cut."
        return f"{lead} Enter the wire that was cut along.", ["$.stands", *places][-1]
    return "", ""


def solo_fault(rules: Rules, player: int | None, value: int, places: list[Place]) -> str:
    """Return why a player may not make a solo cut of these own wires; "" if they may."""
    position = rules.position
    if value == RED:
        return "Red is not cut; it is shown when nothing else is left."
    fault = rules.value_fault("solo", value, len(places)) or rules.last_fault(player, value)
    if fault:
        return fault
    fault = _own_fault(position, player, {value}, places)
    fault = fault or _uncuttable(rules, player, places)
    if fault:
        return fault
    if value < YELLOW and len(places) not in (2, 4):
        return f"Alone, the last two or all four of a number are cut, not {len(places)}."
    more = left_of(position, value) - len(places)
    if more > 0:
        lie = f"{count_phrase(more, value)} {'is' if more == 1 else 'are'}"
        return f"Alone, only the last ones are cut, and {lie} left elsewhere."
    return ""


def reveal_fault(rules: Rules, player: int | None, places: list[Place]) -> str:
    """Return why a player may not reveal that only red is left; "" if they may."""
    position = rules.position
    fault = rules.action_fault("reveal", player)
    if fault:
        return fault
    if sorted(places) != uncut(position, player):
        return "Red is shown when nothing else is left: all wires that are not cut."
    return _own_fault(position, player, {RED, rules.deadly or RED}, places)


def together_fault(rules: Rules, player: int | None, value: int, places: list[Place]) -> str:
    """Return why these wires, on any stands, may not be cut together; "" if they may."""
    special, fault = rules.together, rules.action_fault("together", player)
    if special is None or fault:
        return fault
    if value != special.value or len(places) != special.count or len(set(places)) < len(places):
        return f"Together, {count_phrase(special.count, special.value)} are cut."
    for place in places:
        slot = rules.position.stands[place[0]].slots[place[1]]
        if slot.state == "cut":
            return "Only wires that are not cut yet can be pointed at, each once."
        if fault := rules.wire_fault(*place):
            return fault
    return ""


def _uncuttable(rules: Rules, player: int | None, places: list[Place]) -> str:
    """Return why one of a player's own wires may not be cut now; "" if all of them may."""
    free = cuttable(rules, player)
    for place in places:
        if place not in free:
            return rules.wire_fault(*place) or "A turned wire is cut by a plain cut at it."
    return ""


def _own_fault(
    position: Position, player: int | None, values: set[int], places: list[Place]
) -> str:
    mine = set(uncut(position, player))
    if not places or not mine.issuperset(places) or len(set(places)) < len(places):
        return "Which of the player's own wires were cut?"
    for place in places:
        known = known_value(position, place)
        if known not in values and (known is not None or player == position.viewer):
            name = VALUE_NAMES[min(values)]
            return f"Slot {letter(place[1])} is not known to be {name}."
    return ""
