"""What happened at the table, as the next position: a cut that worked, or a token where it failed.

A failed cut also speaks of who tried: naming a value means holding it, so the stand of a teammate
who has no such wire on show gets the fact `has`. A failed detector says "not V" of every slot
that was pointed at.
"""

from __future__ import annotations

import msgspec

from cluewise.core.seal import unseal
from cluewise.core.work import Job, Progress
from cluewise.desks.rack.cuts import held_value
from cluewise.desks.rack.missions import PURPOSE, replace_slot
from cluewise.desks.rack.position import Fact, Position, Slot, TokenKind, check, wire_of
from cluewise.desks.rack.results import Outcome, OutcomeOptions
from cluewise.desks.rack.wires import RED, VALUE_NAMES, YELLOW, value_number, value_of, wire_code
from cluewise.errors import BadOption, BadPosition, CluewiseError

Place = tuple[int, int]


def outcome(position: Position, options: OutcomeOptions) -> Job[Outcome]:
    """The position after a turn, with the turn in words: `"5 on 2, slot 4: cut."`

    In a practice game (`sealed`) what is left out is looked up. Raises BadOption where something
    is missing that only the table knows.
    """
    yield Progress(0, 1, "noting the turn")
    turn = Turn(position, options)
    done = turn.play()
    try:
        check(done.position)
    except CluewiseError as problem:
        raise BadOption(problem.message, "$.options") from None
    return done


class Turn:
    """One turn: who, what, where, and how it ended."""

    def __init__(self, position: Position, options: OutcomeOptions) -> None:
        self.position, self.options = position, options
        self.actor = position.viewer if options.actor is None else options.actor
        if self.actor is None:
            raise BadOption("Who acted? Nobody's view is set.", "$.options.actor")
        self.truth = _truth(position)
        self.value = value_number(options.value) or 0
        self.places = self._places()

    def _places(self) -> list[Place]:
        stand = self.options.stand
        if stand >= len(self.position.stands):
            raise BadOption(f"There is no stand {stand}.", "$.options.stand")
        size = len(self.position.stands[stand].slots)
        for i, slot in enumerate(self.options.slots):
            if not 0 <= slot < size:
                raise BadOption(f"There is no slot {slot}.", f"$.options.slots[{i}]")
        return [(stand, slot) for slot in self.options.slots]

    def slot(self, place: Place) -> Slot:
        """The slot as it is now."""
        return self.position.stands[place[0]].slots[place[1]]

    def play(self) -> Outcome:
        """The turn's outcome."""
        if self.options.action in ("solo", "reveal"):
            return self._own_turn()
        if not self.places:
            raise BadOption("Which slots were pointed at?", "$.options.slots")
        values = {value_number(v) for v in self.options.value.split("/")} - {None}
        if not values:
            raise BadOption(f"{self.options.value!r} is not a value.", "$.options.value")
        wanted = {v for v in values if v is not None}
        hits = [p for p in self.places if self._true_value(p) in wanted] if self.truth else []
        success = self.options.success
        if success is None and not self.truth:
            raise BadOption("Did it work?", "$.options.success")
        if success is None:
            success = bool(hits)
        return self._success(wanted, hits) if success else self._failure(wanted)

    def _true_value(self, place: Place) -> int:
        code = wire_code(self.truth[place[0]][place[1]])
        return value_of(code) if code is not None else 0

    def _at(self, likely: list[Place]) -> Place:
        if self.options.at is not None:
            return (self.options.stand, self.options.at)
        choices = likely or self.places
        if len(choices) == 1 or self.truth:
            return choices[0]
        raise BadOption("Which of the slots was it?", "$.options.at")

    def _success(self, wanted: set[int], hits: list[Place]) -> Outcome:
        at = self._at(hits)
        if at not in self.places:
            raise BadOption("That slot was not pointed at.", "$.options.at")
        value = self._true_value(at) if self.truth else min(wanted)
        if self.options.shown is not None:
            value = _value_of_text(self.options.shown) or value
        elif len(wanted) > 1 and not self.truth:
            raise BadOption("Which of the two was it?", "$.options.shown")
        table = self._cut(self.position, at, value, self.options.shown)
        own = self._own_wire(value)
        table = self._cut(table, own, value, None)
        table = _forget(_forget(table, at[0], value), own[0], value)
        name = VALUE_NAMES[value]
        return Outcome(table, f"{name} on stand {at[0] + 1}, slot {at[1] + 1}: cut.", False)

    def _cut(self, table: Position, place: Place, value: int, shown: str | None) -> Position:
        """The slot cut; a yellow keeps its number only where somebody can tell it."""
        old = table.stands[place[0]].slots[place[1]]
        code = wire_of(old)
        wire = old.wire if code is not None and value_of(code) == value else None
        if shown is not None and wire_code(shown) is not None:
            wire = shown
        if wire is None and self.truth:
            wire = self.truth[place[0]][place[1]]
        if wire is None and value < YELLOW:
            wire = VALUE_NAMES[value]
        new = Slot("cut", wire, None if wire else VALUE_NAMES[value], old.tokens)
        return replace_slot(table, *place, new)

    def _own_wire(self, value: int) -> Place:
        """The actor's wire that is cut along: as told, else a shown one, else the first known."""
        if self.options.own is not None:
            if len(self.options.own) != 2:
                raise BadOption("Give the actor's stand and slot.", "$.options.own")
            stand, slot = self.options.own
            if not (0 <= stand < len(self.position.stands)
                    and 0 <= slot < len(self.position.stands[stand].slots)):  # fmt: skip
                raise BadOption("There is no such slot.", "$.options.own")
            return stand, slot
        mine = self._uncut(self.actor)
        for state in ("info", "hidden"):
            for place in mine:
                if self.slot(place).state == state and self._shows(place) == value:
                    return place
        raise BadOption(
            f"Which {VALUE_NAMES[value]} of the player who acted was cut along?", "$.options.own"
        )

    def _shows(self, place: Place) -> int | None:
        value = held_value(self.slot(place))
        return self._true_value(place) if value is None and self.truth else value

    def _uncut(self, player: int | None) -> list[Place]:
        return [
            (i, j)
            for i, stand in enumerate(self.position.stands)
            if self.position.owner_of(i) == player
            for j, slot in enumerate(stand.slots)
            if slot.state != "cut"
        ]

    def _failure(self, wanted: set[int]) -> Outcome:
        table = self.position
        if len(self.places) > 1 or self.options.shown is None:
            for place in self.places:
                table = _deny(table, place, wanted)
        for value in sorted(wanted):
            table = self._actor_has(table, value)
        safe = [p for p in self.places if self._true_value(p) != RED] if self.truth else []
        shown = self.options.shown
        if (self.truth and not safe) or (shown is not None and _value_of_text(shown) == RED):
            text = f"Red on stand {self.options.stand + 1}: the bomb has gone off."
            return Outcome(self._cut(table, self.places[0], RED, shown), text, True)
        if self.truth and shown is None:
            shown = self.truth[self._at(safe)[0]][self._at(safe)[1]]
        if shown is not None:
            at = self._at(safe)
            table = replace_slot(table, *at, _token(table, at, shown, self.truth))
        names = " or ".join(VALUE_NAMES[v] for v in sorted(wanted))
        return Outcome(table, f"No {names} on stand {self.options.stand + 1}.", False)

    def _actor_has(self, table: Position, value: int) -> Position:
        """A teammate who names a value holds it: a fact, unless it lies in the open already."""
        mine = self._uncut(self.actor)
        stands = {i for i, _ in mine}
        shown = any(
            self.slot(p).state == "info" and held_value(self.slot(p)) == value for p in mine
        )
        if self.actor == table.viewer or shown or len(stands) != 1 or value == RED:
            return table
        stand = stands.pop()
        fact = Fact("has", VALUE_NAMES[value])
        old = table.stands[stand]
        if fact in old.facts or not value:
            return table
        return _with_facts(table, stand, (*old.facts, fact))

    def _own_turn(self) -> Outcome:
        """Solo cut or revealing red: the actor's wires alone."""
        value = RED if self.options.action == "reveal" else self.value
        if not value:
            raise BadOption(f"{self.options.value!r} is not a value.", "$.options.value")
        mine = self._uncut(self.actor)
        places = [p for p in mine if self._shows(p) == value]
        places += [p for p in self.places if p not in places]
        if not places or any(p not in mine for p in places):
            raise BadOption("Which of the player's own wires were cut?", "$.options.slots")
        table = self.position
        for place in places:
            table = _forget(self._cut(table, place, value, None), place[0], value)
        return Outcome(table, f"{len(places)} × {VALUE_NAMES[value]} cut alone.", False)


def _truth(position: Position) -> list[list[str]]:
    """The sealed wires of every stand; [] when nothing is sealed."""
    if position.sealed is None:
        return []
    hands = [hand.split(",") for hand in unseal(position.sealed, PURPOSE).split(";")]
    sizes = [len(stand.slots) for stand in position.stands]
    if [len(hand) for hand in hands] != sizes or any(
        wire_code(wire) is None for hand in hands for wire in hand
    ):
        raise BadPosition("The sealed deal is of another table.", "$.sealed")
    return hands


def _value_of_text(text: str) -> int | None:
    code = wire_code(text)
    return value_of(code) if code is not None else value_number(text)


def _with_facts(table: Position, stand: int, facts: tuple[Fact, ...]) -> Position:
    stands = list(table.stands)
    stands[stand] = msgspec.structs.replace(stands[stand], facts=facts)
    return msgspec.structs.replace(table, stands=tuple(stands))


def _forget(table: Position, stand: int, value: int) -> Position:
    """`has` of a value whose wire has just left the hidden ones says nothing any more."""
    gone = Fact("has", VALUE_NAMES[value])
    facts = tuple(fact for fact in table.stands[stand].facts if fact != gone)
    return _with_facts(table, stand, facts)


def _deny(table: Position, place: Place, wanted: set[int]) -> Position:
    old = table.stands[place[0]].slots[place[1]]
    if old.state != "hidden":
        return table
    words = [f"not:{VALUE_NAMES[v]}" for v in sorted(wanted)]
    tokens = (*old.tokens, *(w for w in words if w not in old.tokens))
    return replace_slot(table, *place, msgspec.structs.replace(old, tokens=tokens))


def _token(table: Position, at: Place, shown: str, truth: list[list[str]]) -> Slot:
    """The slot with what a failed cut lays there: its value, or this mission's kind of token."""
    old = table.stands[at[0]].slots[at[1]]
    if shown in ("even", "odd", "x1", "x2", "x3"):
        return msgspec.structs.replace(old, tokens=(*old.tokens, shown))
    code = wire_code(shown)
    if truth and code is not None and table.token != "standard":
        word = _kind_of_token(table.token, truth[at[0]], at[1])
        return msgspec.structs.replace(old, tokens=(*old.tokens, word))
    value = _value_of_text(shown)
    if value is None:
        raise BadOption(f"{shown!r} is no wire and no value.", "$.options.shown")
    if value == YELLOW:  # the token says yellow, not which
        return Slot("info", old.wire, None if old.wire else "YELLOW", old.tokens)
    return Slot("info", VALUE_NAMES[value], None, old.tokens)


def _kind_of_token(kind: TokenKind, hand: list[str], slot: int) -> str:
    values = [value_of(wire_code(w) or 0) for w in hand]
    if kind == "multiplicity":
        return f"x{min(values.count(values[slot]), 3)}"
    return "odd" if values[slot] % 2 else "even"
