"""Rules of a mission as predicates: which values, wires, actions and cards a player may use.

`…_fault` functions return why something is forbidden, a sentence, or "". Only rules of cards that
are entered are enforced. Legal cuts: `legal.py`; the missions as data: `missions.py`, `play.py`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from cluewise.desks.rack.game.missions import Mission, Rule, mission_of, treated_as_red
from cluewise.desks.rack.game.play import air_fault
from cluewise.desks.rack.position import Position, in_play
from cluewise.desks.rack.results import Action
from cluewise.desks.rack.stand import (
    RED,
    VALUE_NAMES,
    YELLOW,
    Slot,
    format_value,
    value_at,
    value_number,
    value_of,
)

GEAR: dict[Action, str] = {"double": "double", "triple": "3", "super": "5", "either": "10"}
CARDS = ("8", "2", "4", "12", "1", "6", "9", "2.2", "9.9", "10.10", "11.11")  # next to cuts
PERSONAL = {"8": "E1", "2": "E2", "3": "E3", "10": "E4"}  # characters with the effect of a card
NEW_CARDS, SINCE = 55, {"Y": 9}  # first missions of cards with a double number, and of others
LIMITS: dict[str, Callable[[int], bool]] = {
    "A": lambda v: v % 2 == 0,
    "B": lambda v: v % 2 == 1,
    "C": lambda v: v <= 6,
    "D": lambda v: v >= 7,
    "E": lambda v: 4 <= v <= 9,
    "F": lambda v: not 4 <= v <= 9,
}
LIMIT_WORDS = {
    "A": "even numbers only", "B": "odd numbers only", "C": "1 to 6 only", "D": "7 to 12 only",
    "E": "4 to 9 only", "F": "no 4 to 9", "G": "no equipment", "H": "no wires with a token",
    "I": "no wire at the far right of a stand", "J": "no wire at the far left",
    "K": "no solo cuts", "L": "a failed cut takes two steps",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class MultiCut:
    """A mission's cut of `count` wires of one value at once, on any stands."""

    value: int
    count: int
    only_so: bool
    explodes: bool


class Rules:
    """The rules of the table's mission for one player; a table without a mission allows all.

    `actor`: the player to move, by default the viewer. The viewer's own cards bind no other player.
    """

    def __init__(self, position: Position, actor: int | None = None) -> None:
        self.position, self.actor = position, position.viewer if actor is None else actor
        self.mine = actor is None or actor == position.viewer
        self.mission: Mission | None = mission_of(position)
        rules = self.mission.rules if self.mission else ()
        self._by_kind = {rule["kind"]: rule for rule in reversed(rules)}
        self.numbers = [value_number(name) or 0 for name in position.numbers]
        self.cut = cut_counts(position)
        self.deadly = treated_as_red(position)
        self.together = self._together()
        self.one_by_one = self.rule("one_by_one") is not None  # yellow, without holding one

    def rule(self, kind: str) -> Rule | None:
        """Return the mission's first rule of a kind, or None."""
        return self._by_kind.get(kind)

    def _together(self) -> MultiCut | None:
        rule = self.rule("together")
        if rule is None:
            return None
        what = rule["what"]
        if what == "number_card":
            if not self.numbers:
                return None
            value = self.numbers[0]
        else:
            value = value_number(str(what)) or 0
        only = bool(rule.get("only_so")) or value == RED or self.rule("last") is not None
        return MultiCut(value, rule["count"], only, rule["failure"] == "explode")

    def value_fault(self, action: str, value: int, count: int = 1) -> str:
        """Return why the mission forbids naming a value now; "" if it does not."""
        name = format_value(value)
        if VALUE_NAMES[value] in self.position.locked:
            return f"{name} is locked now."
        if self.mission is None:
            return ""
        if value == self.deadly:
            return f"{name} counts as red in this mission: it is never named."
        special = self.together
        exempt = action == "together" or (action == "solo" and count == 4)
        if special and special.only_so and value == special.value and not exempt:
            return f"{name} is cut only all {special.count} at once."
        if value == YELLOW and self.one_by_one and action != "dual":
            return "Yellow wires are found one by one at teammates, with a plain cut."
        return (
            self._gate_fault(value, name)
            or self._limit_fault(action, value, name)
            or air_fault(self.position, self.actor, value, name)
        )

    def _gate_fault(self, value: int, name: str) -> str:
        order = self.rule("order")
        if order and value in self.numbers[1:]:
            before = self.numbers[self.numbers.index(value) - 1]
            if self.cut[before] < order["unlock_after"]:
                return (
                    f"{name} is locked until {count_phrase(order['unlock_after'], before)} are cut."
                )
        gate = self.rule("value_gate")
        binds = gate is not None and (self.mine or not str(gate["values"]).startswith("own"))
        if binds and self.numbers and value not in self._open_values():
            return f"Only {_listed(self._open_values())} may be cut now."
        return ""

    def _open_values(self) -> list[int]:
        rule = self.rule("value_gate")
        text = str(rule["values"]) if rule else ""
        if text.startswith("top"):
            return self.numbers[:1]
        if text.startswith("sum"):
            pairs = [(a, b) for i, a in enumerate(self.numbers) for b in self.numbers[i + 1 :]]
            return sorted({v for a, b in pairs for v in (a + b, abs(a - b)) if 1 <= v <= 12})
        return sorted(set(self.numbers))

    def _limit_fault(self, action: str, value: int, name: str) -> str:
        limit = self._limit()
        if limit in LIMITS and not (value < YELLOW and LIMITS[limit](value)):
            return f"The limit card says {LIMIT_WORDS[limit]}: {name} may not be cut."
        if limit == "K" and action == "solo":
            return "The limit card forbids solo cuts."
        return ""

    def _limit(self) -> str:
        """Return the letter of the limit card that binds the actor; "" if none is entered."""
        rule = self.rule("constraint")
        binds = rule is not None and rule.get("enforced", True)
        if rule is not None and rule["scope"] == "own" and self.actor is not None:
            own = dict(enumerate(self.own_limits()))
            return own.get(self.actor) or ""
        return (self.position.constraint or "") if binds and self._shared(rule) else ""

    def own_limits(self) -> list[str | None]:
        """Return each player's limit card; for the viewer `constraint` if it is entered."""
        position = self.position
        limits = list(position.limits)
        if position.constraint and position.viewer is not None:
            limits += [None] * (position.viewer + 1 - len(limits))
            limits[position.viewer] = position.constraint
        return limits

    def _shared(self, rule: Rule | None) -> bool:
        return self.mine or rule is None or rule["scope"] == "all"

    def wire_fault(self, stand: int, slot: int) -> str:
        """Return why no holder may cut a wire now; "" if they may."""
        wire = self.position.stands[stand].slots[slot]
        locked = self.rule("locked_until")
        loose = "unsorted" in wire.tokens
        if locked and locked["slots"] == "unsorted" and loose and self.cut[YELLOW] < 4:
            return "Unsorted wires are locked until all four yellow ones are cut."
        if self._limit() == "H" and (wire.state == "info" or _marked(wire)):
            return "The limit card forbids wires with a token."
        return ""

    def slot_fault(self, stand: int, slot: int) -> str:
        """Return why the actor may not point at a teammate's wire; "" if they may."""
        fault = self.wire_fault(stand, slot)
        if fault:
            return fault
        slots = self.position.stands[stand].slots
        turned = self.rule("owner_cut")
        if turned and turned["others"] == "forbidden" and "unsorted" in slots[slot].tokens:
            return "A turned wire is cut by its owner alone."
        limit = self._limit()
        uncut = [j for j, one in enumerate(slots) if one.state != "cut"]
        ends = {"I": uncut[-1:], "J": uncut[:1]}
        if slot in ends.get(limit, ()):
            return f"The limit card says {LIMIT_WORDS[limit]}."
        return ""

    def action_fault(self, action: Action, player: int | None) -> str:
        """Return why a player does not have an action in this mission; "" if they may."""
        if action == "together":
            if self.together is None:
                return "This mission has no cut of several wires at once."
            return self.last_fault(player, self.together.value)
        if action == "reveal" and (special := self.together) and special.value == RED:
            return "In this mission the red wires are cut together, not shown."
        if action not in GEAR:
            return ""
        return self.card_fault(GEAR[action], player)

    def card_fault(self, card: str, player: int | None) -> str:
        """Return why a player may not use a card, or a character's device, now; "" if they may.

        `card` is "double", a card's number such as "3" or "9.9", or a character such as "E1".
        """
        if self.mission is None:
            return ""
        if self._limit() == "G":
            return "The limit card forbids equipment."
        if self._limit() == "H" and card == "4":
            return "The limit card forbids this equipment."
        if not self._has_gear(card, player):
            return "This equipment is not in this mission."
        limit = self.rule("gear_limit")
        who = {"captain": 0, "captain_card": self.position.captain_card, "all": player}
        if limit and player is not None and who[limit["who"]] == player:
            forbidden = limit.get("forbidden", ())
            personal = card == "double" and forbidden != "all, personal too"
            if card in forbidden or ("all" in forbidden and not personal):
                return "This player may not use this equipment in this mission."
        return "" if self._is_personal(card, player) else self._lock_fault(card)

    def _lock_fault(self, card: str) -> str:
        """Return why a card is locked, usually until two wires of its number are cut; or ""."""
        if card == "double" or card in _names(self._gear().get("always_usable")):
            return ""
        lock = str((self.rule("gear_lock") or {}).get("how", "pair of its own number"))
        if lock.startswith("pair of its own number"):
            value = YELLOW if card == "Y" else int(card.split(".")[0])
            need = 4 if "." in card else 2
            if self.cut[value] < need:
                return f"This equipment is usable once {count_phrase(need, value)} are cut."
        elif lock.startswith("deck"):  # kept until the mission's special cut has worked
            if self.together and self.cut[self.together.value] < self.together.count:
                return "Equipment is usable once the open number is cut."
        elif not any(self.cut[v] == 4 for v in range(1, YELLOW)):
            return "Equipment is usable once all four wires of a number are cut."
        return ""

    def last_fault(self, player: int | None, value: int) -> str:
        """Return why it is too early for the value that goes last; "" if it is not.

        A player whose uncut wires all have this value must cut them; for another player than the
        viewer, a wire of unknown value may have it.
        """
        special, stands = self.together, self.position.stands
        if self.rule("last") is None or special is None or value != special.value:
            return ""
        rest = sum(slot.state != "cut" for stand in stands for slot in stand.slots)
        rest -= special.count - self.cut[value]
        held = [
            value_at(slot)
            for i in self.position.stands_of(player)
            for slot in stands[i].slots
            if slot.state != "cut"
        ]
        possible = {value} if player == self.position.viewer else {value, None}
        if rest <= 0 or possible.issuperset(held):
            return ""
        others = "1 other wire is" if rest == 1 else f"{rest} other wires are"
        return f"The {VALUE_NAMES[value]}s go last: {others} not cut yet."

    @cached_property
    def each(self) -> list[Rules]:
        """The rules for each player."""
        return [Rules(self.position, player) for player in self.position.seats()]

    def equipment(self) -> list[list[Action]]:
        """Return each player's usable detectors and ray: `[["double"], ["double"]]`."""
        return [
            [a for a in GEAR if not one.action_fault(a, player)]
            for player, one in enumerate(self.each)
        ]

    def cards(self) -> list[dict[str, str]]:
        """Return by player the cards that are no cuts, with "" or why they are unusable now."""
        return [
            {card: one.card_fault(card, player) for card in CARDS if one._has_gear(card, player)}
            for player, one in enumerate(self.each)
        ]

    def _gear(self) -> dict[str, object]:
        return self.mission.equipment if self.mission else {}

    def _is_personal(self, card: str, player: int | None) -> bool:
        """Return whether a player may have a character with the effect of the card."""
        device, gear = PERSONAL.get(card, card), self._gear()
        new = "E1" in str(gear.get("characters", "")) and player != 0
        return new and device[0] == "E" and device not in _names(gear.get("characters_forbidden"))

    def _has_gear(self, card: str, player: int | None) -> bool:
        if self.mission is None:
            return card[0] != "E"
        gear = self._gear()
        characters = str(gear.get("characters", "double"))
        if card == "double":
            return characters != "none" and not (characters == "not_captain" and player == 0)
        personal = self._is_personal(card, player)
        if personal or card[0] == "E":
            return personal
        if card in _names(gear.get("always_usable")):
            return True
        if self.mission.number < SINCE.get(card, NEW_CARDS if "." in card else 1):
            return False
        if card == "Y" and not any(value_of(c) == YELLOW for c in in_play(self.position.wires)):
            return False
        cards = gear.get("cards", "players") != 0 or "deck" in gear
        return cards and card not in _names(gear.get("forbidden"))

    def failure_explodes(self, player: int | None) -> bool:
        """Return whether a failed cut of this player ends the game."""
        rule = self.rule("failure_explodes")
        if rule is None or player is None:
            return False
        return player == (0 if rule["who"] == "captain" else self.position.captain_card)

    def lays_nothing(self, player: int) -> bool:
        """Return whether a failed cut at a player's stand places no true token now."""
        return self.never_lays(player) or self._limit() == "H"

    def never_lays(self, player: int) -> bool:
        """Return whether it places no true token under any limit card."""
        return bool(self.rule("no_token")) or self.false_tokens(player)

    def false_tokens(self, player: int) -> bool:
        """Return whether a player's tokens are false: they only show which value it is not."""
        false = self.rule("false_token")
        return false is not None and (false["who"] == "all" or player == self.position.captain_card)

    def price(self, stand: int, slot: int, player: int | None) -> int:
        """Return the steps of a successful cut: one for another player's turned wire, else 0."""
        turned = self.rule("owner_cut")
        loose = "unsorted" in self.position.stands[stand].slots[slot].tokens
        dear = turned is not None and "one step" in turned["others"]
        return int(dear and loose and self.position.owner_of(stand) != player)

    @property
    def steps(self) -> int:
        """Steps of the detonator that a failed cut takes."""
        return 2 if self._limit() == "L" else 1

    @cached_property
    def stuck(self) -> Literal["skip", "explode"]:
        """What happens to a player without a legal action; by default the turn is skipped."""
        rules = self.mission.rules if self.mission else ()
        return "explode" if any(rule.get("stuck") == "explode" for rule in rules) else "skip"

    @cached_property
    def stuck_steps(self) -> int:
        """Steps that a skipped turn takes; by default 0, 1 with turned wires."""
        for rule in self.mission.rules if self.mission else ():
            text = str(rule.get("stuck", rule.get("others_stuck", "")))
            if "stuck_steps" in rule or "step" in text:
                return int(rule.get("stuck_steps", 2 if "two steps" in text else 1))
        return int(self.rule("flipped") is not None)


def cut_counts(position: Position) -> Counter[int]:
    """Return how many wires of each value are cut."""
    slots = (slot for stand in position.stands for slot in stand.slots)
    return Counter(value_at(slot) or 0 for slot in slots if slot.state == "cut")


def _names(given: object) -> tuple[str, ...]:
    return tuple(given) if isinstance(given, list | tuple) else ()


def _marked(slot: Slot) -> bool:
    """Return whether a slot has a parity or multiplicity token."""
    return any(token in ("even", "odd", "x1", "x2", "x3") for token in slot.tokens)


def count_phrase(many: int, value: int) -> str:
    """Format a number of wires of a value: `"two 8s"`, `"four yellow wires"`, `"1 8"`."""
    number = {2: "two", 3: "three", 4: "four"}.get(many, str(many))
    name = format_value(value) + (" wire" if value >= YELLOW else "")
    return f"{number} {name}{'' if many == 1 else 's'}"


def _listed(values: list[int]) -> str:
    names = [VALUE_NAMES[v] for v in values]
    return ", ".join(names[:-1]) + (" and " if names[1:] else "") + names[-1] if names else "none"
