"""The 66 missions as data: wires in play, first tokens, detonator and special rules.

`missions.json` has one mission per line, with the contents of its card; omitted fields have their
usual values (blue 1 to 12, one freely chosen token per player, as many steps of the detonator and
equipment cards as players). A rule is a `kind` with its parameters. `rules.py` enforces those that
the model covers; `unmodelled` lists the others, so that results can refer to the card. The sentence
`says` of a rule covers all fields that are not enforced.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any

import msgspec

from cluewise.desks.rack.game.play import PLAYS
from cluewise.desks.rack.position import Position, TokenKind
from cluewise.desks.rack.stand import value_number

Rule = dict[str, Any]


class Tokens(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The tokens at the start and after a failed cut."""

    setup: str = "own_choice"
    """own_choice, random, absent, false, none, parity or multiplicity."""
    count: int = 1
    """How many each."""
    who: str = "all"
    """all, or captain_card: its holder alone does as `setup` says, the others choose."""
    two_players: str = "as_others"
    """With two players the captain: as_others, captain_none or captain_random."""
    failed: str = "value"
    """What a failed cut lays."""
    not_on: tuple[str, ...] = ()
    """Colours on which no false token lies."""

    @property
    def uncovered_values(self) -> set[int]:
        """The values of those colours."""
        return {value_number(name) or 0 for name in self.not_on}


class Mission(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One card. `yellow=[2, 3]` is "2 of 3"; [2, 2] two wires that all know."""

    number: int
    """1 to 66."""
    players: tuple[int, ...] = (2, 3, 4, 5)
    """Numbers of players it is made for."""
    highest: int = 12
    """The highest blue wire."""
    yellow: tuple[int, int] = (0, 0)
    """Yellow wires in play, of how many drawn."""
    red: tuple[int, int] = (0, 0)
    """Red wires in play, of how many drawn."""
    yellow_numbers: tuple[int, ...] = ()
    """The yellow wires where the card names them."""
    by_players: dict[int, dict[str, tuple[int, int]]] = {}
    """Other counts for a number of players."""
    tokens: Tokens = Tokens()
    """First tokens."""
    steps: str = "players"
    """Steps of the detonator: players, one, one_more (than players) or none."""
    rules: tuple[Rule, ...] = ()
    """Special rules, each with its `kind`."""
    equipment: dict[str, Any] = {}
    """Equipment and characters, where they are not as usual."""
    doubts: tuple[str, ...] = ()
    """What the card does not say."""
    sure: bool = True
    """Whether everything above stands on the card."""

    def drawn(self, colour: str, players: int) -> tuple[int, int]:
        """Return how many wires of a colour are in play, of how many drawn: `(2, 3)`."""
        usual = self.yellow if colour == "yellow" else self.red
        return self.by_players.get(players, {}).get(colour, usual)

    @property
    def token(self) -> TokenKind:
        """The kind of the mission's tokens."""
        if self.tokens.setup in ("parity", "multiplicity"):
            return "parity" if self.tokens.setup == "parity" else "multiplicity"
        return "standard"

    def rule(self, kind: str) -> Rule | None:
        """Return the first rule of a kind, or None."""
        return next((rule for rule in self.rules if rule["kind"] == kind), None)

    def detonator(self, players: int) -> int | None:
        """Return the detonator's steps at the start; None for a mission without one."""
        return {"players": players, "one": 1, "one_more": players + 1, "none": None}[self.steps]


@cache
def missions() -> dict[int, Mission]:
    """Return all missions by number; read once."""
    text = files("cluewise.desks.rack").joinpath("missions.json").read_bytes()
    return {one.number: one for one in msgspec.json.decode(text, type=list[Mission])}


def mission_of(position: Position) -> Mission | None:
    """Return the table's mission; None for a table without one."""
    return None if position.mission is None else missions()[position.mission]


def first_token(mission: Mission, seat: int, players: int, captain_card: int | None) -> str:
    """Return the `Tokens.setup` that applies to a player, or "none"."""
    tokens = mission.tokens
    if players == 2 and seat == 0 and tokens.two_players != "as_others":
        return "random" if tokens.two_players == "captain_random" else "none"
    if tokens.who == "captain_card" and seat != captain_card:
        return "own_choice"
    return tokens.setup


def first_tokens(position: Position) -> list[list[str]]:
    """Return each player's first tokens by kind: `[["random"], []]`; [] without a mission."""
    mission = mission_of(position)
    if mission is None:
        return []
    seats = position.seats()
    kinds = [first_token(mission, p, len(seats), position.captain_card) for p in seats]
    tokens = mission.tokens
    many = {tokens.setup: tokens.count, "none": 0}
    return [[kind] * many.get(kind, 1) for kind in kinds]


def asked(position: Position) -> list[str]:
    """Return the kinds of rules and cards whose state the table has to enter, sorted."""
    mission = mission_of(position)
    if mission is None:
        return []
    found = {rule["kind"] for rule in mission.rules}
    if asks_number(mission) or found & {"order", "value_gate"}:
        found.add("number_cards")
    if any(rule.get("who") == "captain_card" for rule in mission.rules):
        found.add("captain_card")
    if any(rule["kind"] == "constraint" and rule["scope"] == "own" for rule in mission.rules):
        found.add("own_limits")
    if mission.number in PLAYS and PLAYS[mission.number].cutter:
        found.add("number_deck")
    return sorted(found)


def treated_as_red(position: Position) -> int | None:
    """Return the value that counts as red: the open number card of mission 11; else None."""
    mission = mission_of(position)
    if mission is None or mission.rule("treated_as_red") is None or not position.numbers:
        return None
    return value_number(position.numbers[0])


# Rules that are enforced completely, by `rules.py`, facts, the deal or the entry of turns.
ENFORCED = {
    "treated_as_red", "unsorted", "no_token", "false_token", "dealt_apart", "failure_explodes",
    "gear_limit", "last", "together", "one_by_one",
}  # fmt: skip
SAYS: dict[str, str] = {
    "timer": "The time limit is yours to keep.",
    "turn_order": "Who is next is agreed at the table.",
    "script": "A sound file tells the rules as the game goes on; they are not known here.",
    "silence": "What may be said aloud is restricted.",
    "goal": "The open goals win steps back; that is not weighed.",
    "track": "A piece on a track is moved by hand; it is not weighed.",
    "pay": "Cuts cost air (oxygen); whether a player can pay is not checked.",
    "skip": "When a player must skip is not checked.",
    "memory": "Markers are taken away: the desk remembers what the table may not.",
    "hidden_card": "Cards that are held in secret are not weighed.",
    "gear_lock": "Equipment is unlocked otherwise than usual.",
    "radar_each_turn": "Each turn every player answers for a number: note it as “has” or “has "
    "none” of her stand.",
    "extra_token": "More tokens come later; lay them by hand.",
    "off_stands": "Wires that lie on no stand count as unseen; note each that joins one.",
    "flipped": "A turned wire is seen by all but its owner; it counts as an unsorted one.",
    "owner_cut": "A wrong guess at one’s own turned wire ends the game. Who can do nothing skips: "
    "note that by hand, and a turned red wire that is shown.",
    "constraint": "Choose the limit card that binds you now; the limits of others are not checked.",
    "value_gate": "Enter the open number cards: only those may be cut.",
    "order": "Enter the number cards in their order.",
    "locked_until": "Some wires are locked at first: choose them under “Mission cards…”.",
}
ENTERED = {  # the same, if the state of the card is entered
    "order": "The order of the number cards is kept.",
    "value_gate": "Enter the number cards anew when they change.",
    "constraint": "Choose the limit card anew when it changes.",
    "pay": "Air is paid with each cut that you note.",
    "track": "The piece moves with each cut that you note.",
}


def _omission(position: Position, rule: Rule) -> str:
    """Return a sentence on what the model omits of a rule; "" if nothing."""
    kind = rule["kind"]
    unsorted = kind == "locked_until" and rule["slots"] == "unsorted"
    if kind in ENFORCED or unsorted:
        return ""
    text = rule.get("says", "")
    entered = {
        "constraint": bool(position.constraint),
        "pay": bool(position.air) or position.reserve is not None,
        "track": position.track is not None,
    }.get(kind, bool(position.numbers))
    if kind in ENTERED and (entered or not rule.get("enforced", True)):
        return f"{ENTERED[kind]} {text}" if text else ""
    return f"{SAYS[kind]} {text}".strip()


MOVED = (
    "Wires have changed stands: the chances take both hands as if they had been dealt so, and what "
    "the exchange may have made untrue is left out."
)


TWO_STANDS = (
    "Of two turned wires on two stands, that the left one is the lower is not in the numbers."
)


def unmodelled(position: Position) -> list[str]:
    """Return sentences on what the model omits of the mission's rules and of this table."""
    mission = mission_of(position)
    moved = any("moved" in slot.tokens for stand in position.stands for slot in stand.slots)
    found = [MOVED] if moved else []
    if mission is None:
        return found
    found += filter(None, (_omission(position, rule) for rule in mission.rules))
    if mission.equipment.get("characters") == "hidden_until_guessed":
        found.append("Personal equipment is usable only once the secret is guessed.")
    turned = mission.rule("flipped")
    owners = [position.owner_of(i) for i in range(len(position.stands))]
    if turned and turned["count"] == 2 and len(set(owners)) < len(owners):
        found.append(TWO_STANDS)
    needs_card = any(rule.get("who") == "captain_card" for rule in mission.rules)
    if needs_card and position.captain_card is None:
        found.append("Say who holds the captain card: its rule binds that player alone.")
    number_card = {"treated_as_red", "together"} & {r["kind"] for r in mission.rules}
    if number_card and not position.numbers and asks_number(mission):
        found.append("Enter the open number card: the special rule is about that value.")
    return found + [f"In doubt: {doubt}" for doubt in mission.doubts]


def asks_number(mission: Mission) -> bool:
    """Return whether an open number card determines the mission's special value."""
    deadly, together = mission.rule("treated_as_red"), mission.rule("together")
    return deadly is not None or (together is not None and together["what"] == "number_card")
