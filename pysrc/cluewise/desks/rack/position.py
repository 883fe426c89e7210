"""The rack desk's position: wires in play, stands with public and own wires, mission cards.

`check` refuses malformed positions only. One that no deal fits (five 7s, a stand out of order) is
valid: `doubt` finds the facts that contradict each other.
"""

from __future__ import annotations

from collections import Counter
from typing import Literal, TypeAlias

import msgspec

from cluewise.core.desk import NotebookDisplay
from cluewise.desks.rack.stand import (
    RED,
    VALUE_NAMES,
    YELLOW,
    Fact,
    Slot,
    Stand,
    State,
    value_number,
    value_of,
    wire_code,
)
from cluewise.errors import BadPosition

MOST_STANDS = 8
MOST_SLOTS = 20
MOST_PLAYERS = 8
MOST_GROUPS = 4
MOST_STEPS = 9
PLAYER_NUMBERS = f"A player's number is 0 to {MOST_PLAYERS - 1}."
STEPS_LEFT = f"A detonator has 0 to {MOST_STEPS} steps left."
MOST_ASIDE = 12
CONSTRAINTS = "ABCDEFGHIJKL"
MOST_AIR = 40
MOST_CHOICES = 12

TokenKind: TypeAlias = Literal["standard", "parity", "multiplicity"]
TIMES = {"x1": 1, "x2": 2, "x3": 3}
PLAIN_TOKENS = ("even", "odd", *TIMES, "unsorted", "same-as-next", "differs-from-next", "moved")
NEGATIONS = tuple(f"not:{name}" for name in VALUE_NAMES[1:])
LABELS = {"same-as-next": True, "differs-from-next": False}


class Group(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Wires of which only some are in play: `Group(("Y2", "Y4", "Y9"), 2)` is "2 of these 3"."""

    of: tuple[str, ...]
    """The candidates, such as `["Y2", "Y4", "Y9"]`."""
    drawn: int
    """How many of them are in play."""


class Wires(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The wires in play: four of each blue number from..to, the yellow and red ones by name."""

    blue: tuple[int, int] = (1, 12)
    """Lowest and highest blue number; four of each are in play."""
    yellow: tuple[str, ...] = ()
    """Yellow wires that are certainly in play."""
    red: tuple[str, ...] = ()
    """Red wires that are certainly in play."""
    aside: int = 0
    """Undealt wires of any kind, face down next to the stands."""
    groups: tuple[Group, ...] = ()
    """Wires of which only some are in play; they are not listed under `yellow` or `red`."""


class Agreed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A first token chosen by the table's convention: `Agreed(2, 4, "7")`."""

    stand: int
    """Its stand."""
    slot: int
    """Its slot."""
    shows: str
    """What it shows: 1 to 12, even or odd, x1 to x3."""


class Replaced(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The state before a turn of what it changed: `Replaced(((2, 5, "hidden"),), 4)`."""

    slots: tuple[tuple[int, int, State], ...] = ()
    """Stand, slot and state of each slot whose state the turn changed."""
    detonator: int | None = None
    """Steps left."""
    facts: tuple[tuple[int, tuple[Fact, ...]], ...] = ()
    """Stand and facts of each stand whose facts the turn changed."""


class PastChoice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A turn as a choice: `PastChoice(1, "dual", 2, (5,), "7", Replaced(detonator=4))`."""

    actor: int
    """The player who acted."""
    action: Literal[
        "", "dual", "solo", "reveal", "double", "triple", "super", "either", "together", "miss"
    ] = ""
    """The action; "" for equipment that is no cut, a skipped turn or a correction."""
    stand: int = 0
    """The stand pointed at."""
    slots: tuple[int, ...] = ()
    """The slots."""
    value: str = ""
    """The value named."""
    was: Replaced = Replaced()
    """The state before the turn."""


class Position(NotebookDisplay, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A table in mid-game, as one player (`viewer`) sees it, or by public information (null)."""

    desk: Literal["rack"] = "rack"
    """Always `rack`."""
    v: Literal[1] = 1
    """The version of this form."""
    viewer: int | None = 0
    """The player who knows the hidden wires that are entered; null: no player."""
    known_elsewhere: tuple[str, ...] = ()
    """Public wires on stands that the position does not contain."""
    wires: Wires = Wires()
    """The wires in play."""
    stands: tuple[Stand, ...] = ()
    """The stands, the captain first, clockwise."""
    token: TokenKind = "standard"
    """The kind of token of the mission."""
    mission: int | None = None
    """The mission's number; null for a table without a mission."""
    detonator: int | None = None
    """Steps left: a failed cut takes one, at 0 the bomb goes off; null if they are not counted."""
    numbers: tuple[str, ...] = ()
    """Open number cards of the mission, in their order: locked, chosen or deadly values."""
    captain_card: int | None = None
    """The player who holds the captain card, if the mission deals it at random."""
    constraint: str | None = None
    """The limit card that binds the viewer now, A to L."""
    limits: tuple[str | None, ...] = ()
    """Each player's own limit card, A to L; null: discarded."""
    limits_gone: tuple[str, ...] = ()
    """Discarded limit cards of the common deck."""
    pairs: dict[str, str] = msgspec.field(default_factory=dict)
    """The open limit card at each unfinished number: `{"7": "C"}`."""
    numbers_left: tuple[str, ...] | None = None
    """Number cards in the deck; null: not known."""
    air: tuple[int, ...] = ()
    """Air (oxygen) of each player; mission 63: the whole pot at the player who holds it."""
    reserve: int | None = None
    """Air on the card; null: as at the start."""
    track: int | None = None
    """The robot's space, 0 to 12; null: as at the start."""
    locked: tuple[str, ...] = ()
    """Values that no player may name now, entered by the table."""
    sealed: str | None = None
    """Practice: all true wires, lightly obscured."""
    agreed: tuple[Agreed, ...] = ()
    """First tokens, oldest first, if the table has agreed to show the wire that `indicate` ranks
    first: the choice excludes hands for which another wire ranks first. Empty: no agreement.
    """
    choices: tuple[PastChoice, ...] | None = None
    """The last turns, oldest first, if the table has agreed to cut by the ranking of `cuts`: the
    cuts that a player did not make count too. Null: no agreement.
    """

    def owner_of(self, stand: int) -> int:
        """Return the player of a stand."""
        owner = self.stands[stand].owner
        return stand if owner is None else owner

    def stands_of(self, player: int | None) -> list[int]:
        """Return the stands of a player: `[0, 1]`."""
        return [i for i in range(len(self.stands)) if self.owner_of(i) == player]

    def seats(self) -> range:
        """Return the players: `range(0, 4)`; empty without stands."""
        return range(1 + max(map(self.owner_of, range(len(self.stands))), default=-1))


def wire_of(slot: Slot) -> int | None:
    """Return the code of a slot's wire; None unless `wire` or a blue `value` determines it."""
    if slot.wire is not None:
        return wire_code(slot.wire)
    value = value_number(slot.value) if slot.value is not None else None
    return 10 * value if value is not None and value < YELLOW else None


def in_play(wires: Wires) -> Counter[int]:
    """Count the wires by code, one for each candidate of a group: `{10: 4, 21: 1, …}`."""
    copies: Counter[int] = Counter({10 * n: 4 for n in range(wires.blue[0], wires.blue[1] + 1)})
    names = (*wires.yellow, *wires.red, *(w for g in wires.groups for w in g.of))
    copies.update(wire_code(name) or 0 for name in names)
    return copies


def dealt(wires: Wires) -> int:
    """Return how many wires are on the stands: all but undrawn ones and those set aside."""
    undrawn = sum(len(g.of) - g.drawn for g in wires.groups)
    return sum(in_play(wires).values()) - undrawn - wires.aside


def check(position: Position) -> None:
    """Raise BadPosition at the first malformed field."""
    _check_wires(position.wires)
    copies = in_play(position.wires)
    for i, name in enumerate(position.known_elsewhere):
        _wire_in_play(name, copies, f"$.known_elsewhere[{i}]")
    if len(position.stands) > MOST_STANDS:
        raise BadPosition(f"There can be at most {MOST_STANDS} stands.", "$.stands")
    _check_player(position.viewer, "$.viewer")
    _check_range(position.mission, 1, 66, "Missions are numbered 1 to 66.", "$.mission")
    _check_cards(position)
    _check_agreed(position)
    _check_choices(position)
    _check_range(position.detonator, 0, MOST_STEPS, STEPS_LEFT, "$.detonator")
    for i, stand in enumerate(position.stands):
        _check_stand(stand, copies, f"$.stands[{i}]")
    slots = sum(len(stand.slots) for stand in position.stands)
    if slots > dealt(position.wires):
        raise BadPosition(
            f"{dealt(position.wires)} wires are in play, but the stands have {slots} slots.",
            "$.stands",
        )


def _check_range(value: int | None, least: int, most: int, message: str, where: str) -> None:
    """Raise BadPosition if a number is present and out of its range."""
    if value is not None and not least <= value <= most:
        raise BadPosition(message, where)


def _check_player(player: int | None, where: str) -> None:
    _check_range(player, 0, MOST_PLAYERS - 1, PLAYER_NUMBERS, where)


SHOWN: dict[TokenKind, tuple[str, ...]] = {
    "standard": VALUE_NAMES[1:YELLOW],
    "parity": ("even", "odd"),
    "multiplicity": tuple(TIMES),
}


def _check_agreed(position: Position) -> None:
    """Check that first tokens are on slots, one per stand, and of the position's kind."""
    seen: set[int] = set()
    for i, token in enumerate(position.agreed):
        where = f"$.agreed[{i}]"
        if not 0 <= token.stand < len(position.stands):
            raise BadPosition(f"There is no stand {token.stand}.", f"{where}.stand")
        if not 0 <= token.slot < len(position.stands[token.stand].slots):
            raise BadPosition(f"There is no slot {token.slot} on it.", f"{where}.slot")
        if token.stand in seen:
            raise BadPosition("A stand has one first token.", f"{where}.stand")
        if token.shows not in SHOWN[position.token]:
            shown = ", ".join(SHOWN[position.token])
            raise BadPosition(
                f"{token.shows!r} is not a first token here; there are {shown}.", f"{where}.shows"
            )
        seen.add(token.stand)


def _check_choices(position: Position) -> None:
    """Check that recorded turns are of players and slots of the table."""
    choices = position.choices or ()
    if len(choices) > MOST_CHOICES:
        raise BadPosition(f"At most {MOST_CHOICES} choices are kept.", "$.choices")
    for i, choice in enumerate(choices):
        where, was = f"$.choices[{i}]", choice.was
        if choice.actor not in position.seats():
            raise BadPosition(f"There is no player {choice.actor}.", f"{where}.actor")
        _check_range(was.detonator, 0, MOST_STEPS, STEPS_LEFT, f"{where}.was.detonator")
        places = [(choice.stand, j, f"{where}.slots[{n}]") for n, j in enumerate(choice.slots)]
        places += [(s, j, f"{where}.was.slots[{n}]") for n, (s, j, _) in enumerate(was.slots)]
        places += [(s, 0, f"{where}.was.facts[{n}]") for n, (s, _) in enumerate(was.facts)]
        for stand, slot, at in places:
            if not 0 <= stand < len(position.stands):
                raise BadPosition(f"There is no stand {stand}.", at)
            if not 0 <= slot < len(position.stands[stand].slots):
                raise BadPosition(f"There is no slot {slot} on it.", at)


def _check_cards(position: Position) -> None:
    for where in ("numbers", "numbers_left", "pairs", "locked"):
        for i, name in enumerate(getattr(position, where) or ()):
            value = value_number(name)
            if value is None or value == RED or (where != "locked" and value == YELLOW):
                raise BadPosition(f"{name!r} is not a number from 1 to 12.", f"$.{where}[{i}]")
    _check_player(position.captain_card, "$.captain_card")
    cards = [("constraint", position.constraint)]
    cards += [(f"limits[{i}]", letter) for i, letter in enumerate(position.limits)]
    cards += [(f"limits_gone[{i}]", letter) for i, letter in enumerate(position.limits_gone)]
    cards += [(f"pairs.{number}", letter) for number, letter in position.pairs.items()]
    for where, letter in cards:
        if letter is not None and letter not in CONSTRAINTS:
            raise BadPosition("Limit cards go by a letter, A to L.", f"$.{where}")
    amounts = [("reserve", position.reserve, MOST_AIR), ("track", position.track, 12)]
    amounts += [(f"air[{i}]", amount, MOST_AIR) for i, amount in enumerate(position.air)]
    for where, amount, most in amounts:
        _check_range(amount, 0, most, f"Expected 0 to {most}, not {amount}.", f"$.{where}")
    if position.air and len(position.air) != len(position.seats()):
        raise BadPosition("Give the air of each player.", "$.air")
    if len(position.limits) > MOST_PLAYERS:
        raise BadPosition(f"There can be at most {MOST_PLAYERS} players.", "$.limits")


def _check_wires(wires: Wires) -> None:
    aside = f"At most {MOST_ASIDE} wires lie aside."
    _check_range(wires.aside, 0, MOST_ASIDE, aside, "$.wires.aside")
    low, high = wires.blue
    if not 1 <= low <= high <= 12:
        raise BadPosition(
            "Blue wires run from a lower to a higher number, 1 to 12.", "$.wires.blue"
        )
    seen: set[str] = set()
    for colour, names in (("yellow", wires.yellow), ("red", wires.red)):
        for i, name in enumerate(names):
            _special_wire(name, seen, f"$.wires.{colour}[{i}]", colour)
    if len(wires.groups) > MOST_GROUPS:
        raise BadPosition(f"There can be at most {MOST_GROUPS} groups.", "$.wires.groups")
    for i, group in enumerate(wires.groups):
        for j, name in enumerate(group.of):
            _special_wire(name, seen, f"$.wires.groups[{i}].of[{j}]", None)
        if not 0 <= group.drawn <= len(group.of):
            raise BadPosition(
                f"Of {len(group.of)} wires, {group.drawn} cannot be drawn.",
                f"$.wires.groups[{i}].drawn",
            )


def _special_wire(name: str, seen: set[str], where: str, colour: str | None) -> None:
    code = wire_code(name)
    letter = {"yellow": "Y", "red": "R", None: name[:1]}[colour]
    if code is None or code % 10 == 0 or name[:1] != letter:
        raise BadPosition(f"Expected a wire such as {letter or 'Y'}7, not {name!r}.", where)
    if name in seen:
        raise BadPosition(f"There is only one {name}.", where)
    seen.add(name)


def _wire_in_play(name: str, copies: Counter[int], where: str) -> int:
    code = wire_code(name)
    if code is None:
        raise BadPosition(f"{name!r} is not a wire; wires are 1–12, Y1–Y11 and R1–R11.", where)
    if not copies[code]:
        raise BadPosition(f"{name} is not among the wires in play.", where)
    return code


def _check_stand(stand: Stand, copies: Counter[int], where: str) -> None:
    if len(stand.slots) > MOST_SLOTS:
        raise BadPosition(f"A stand has at most {MOST_SLOTS} slots.", f"{where}.slots")
    _check_player(stand.owner, f"{where}.owner")
    for i, slot in enumerate(stand.slots):
        _check_slot(slot, copies, f"{where}.slots[{i}]")
        _check_tokens(slot.tokens, i + 1 == len(stand.slots), f"{where}.slots[{i}].tokens")
    for i, fact in enumerate(stand.facts):
        _value_in_play(fact.value, copies, f"{where}.facts[{i}].value")


def _check_slot(slot: Slot, copies: Counter[int], where: str) -> None:
    code = None
    if slot.wire is not None:
        code = _wire_in_play(slot.wire, copies, f"{where}.wire")
    if slot.state == "hidden":
        if slot.value is not None:
            raise BadPosition("A hidden slot has a wire or nothing, no value.", f"{where}.value")
        return
    if slot.value is None:
        if code is None:
            raise BadPosition(f"Which wire is {slot.state} here? Give `wire` or `value`.", where)
        return
    value = _value_in_play(slot.value, copies, f"{where}.value")
    if code is not None and value_of(code) != value:
        raise BadPosition(f"{slot.wire} is not called {slot.value}.", f"{where}.value")


def _value_in_play(name: str, copies: Counter[int], where: str) -> int:
    value = value_number(name)
    if value is None:
        raise BadPosition(f"{name!r} is not a value; values are 1–12, YELLOW and RED.", where)
    if value not in {value_of(code) for code, n in copies.items() if n}:
        raise BadPosition(f"No wire called {name} is in play.", where)
    return value


def _check_tokens(tokens: tuple[str, ...], last: bool, where: str) -> None:
    for i, token in enumerate(tokens):
        if token in LABELS and last:
            raise BadPosition("The last slot has no next one to compare with.", f"{where}[{i}]")
        if token in PLAIN_TOKENS or token in NEGATIONS:
            continue
        raise BadPosition(
            f"{token!r} is not a token; there are {', '.join(PLAIN_TOKENS)} and not:VALUE.",
            f"{where}[{i}]",
        )
