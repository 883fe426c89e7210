"""The verb `outcome`: the position after a turn, its cut checked against the rules.

Only public information enters the position.
  success: the wire cut and the actor's wire cut along; nothing on other slots pointed at
  failure: `not:V` on every slot pointed at, the token on the slot that its holder chose, and a
      step of the detonator if it is counted. Without a token a single wire is also not red, since
      the bomb has not gone off.
  both: the actor holds every value named (with the ray also the second one), so their stand gets
      the fact `has`, unless such a wire is shown. With two stands there is no such fact, because a
      fact concerns one stand.
The holder's choice of the wire to cut or to mark is not modelled; see `posterior.ASSUMED`.
"""

from __future__ import annotations

import msgspec

from cluewise.core.work import Job, Progress
from cluewise.desks.rack.engine.reading import record_choice
from cluewise.desks.rack.engine.token_convention import agreement
from cluewise.desks.rack.game.legal import (
    DETECTORS,
    POINTED,
    cuttable,
    held_value,
    known_value,
    left_of,
    may_hold,
    own_fault,
    reachable,
    reveal_fault,
    solo_fault,
    together_fault,
    turned_away,
    uncut,
)
from cluewise.desks.rack.game.play import after_cut, finish_number
from cluewise.desks.rack.game.rules import Rules, cut_counts
from cluewise.desks.rack.game.table_edits import (
    Place,
    add_fact,
    exclude_values,
    place_failure_token,
    set_slot,
    token_of,
    unseal_hands,
)
from cluewise.desks.rack.position import MOST_STEPS, PastChoice, Position, check, wire_of
from cluewise.desks.rack.results import Outcome, OutcomeOptions
from cluewise.desks.rack.stand import (
    RED,
    VALUE_NAMES,
    YELLOW,
    Fact,
    Slot,
    format_value,
    letter,
    parse_value,
    value_number,
    value_of,
    wire_code,
)
from cluewise.desks.rack.verbs.cuts_hand import PlayerView
from cluewise.errors import BadOption, CluewiseError

DEVICES = {
    "double": "double detector",
    "triple": "triple detector",
    "super": "super detector",
    "either": "X-or-Y ray",
}


def outcome(position: Position, options: OutcomeOptions) -> Job[Outcome]:
    """Return the position after a turn, and the turn in words: `"Ann: 5 at Bob D, cut."`

    In a practice game omitted options follow from the sealed wires; otherwise a missing one raises
    BadOption, as does an illegal turn.
    """
    yield Progress(0, 1, "noting the turn")
    if options.action == "miss":
        if options.success:
            raise BadOption("A miss on purpose does not work.", "$.options.success")
        turn = Turn(position, msgspec.structs.replace(options, action="dual", success=False))
        turn.device = "miss on purpose"
        turn.check_miss()
    else:
        turn = Turn(position, options)
    done = checked(_with_mission_changes(position, turn.play(), turn))
    made = PastChoice(
        turn.actor or 0, options.action, options.stand, tuple(options.slots), options.value
    )
    return msgspec.structs.replace(done, choice=record_choice(position, done.position, made))


def _with_mission_changes(before: Position, done: Outcome, turn: Turn) -> Outcome:
    """Add the changes by the mission: air paid, robot moved, limit card of a finished number."""
    if done.exploded or turn.options.action == "reveal" or turn.actor is None:
        return done
    after = cut_counts(done.position)
    cut = [value for value in turn.named() if after[value] > turn.rules.cut[value]]
    value = min(cut or turn.named(), default=0)
    if cut and not left_of(done.position, value):
        done = msgspec.structs.replace(done, position=finish_number(done.position, value))
    table, text, exploded = after_cut(done.position, before, turn.actor, value, bool(cut))
    return Outcome(table, done.text + text, exploded)


def checked(done: Outcome) -> Outcome:
    """Return the outcome if its position is valid; else raise BadOption."""
    try:
        check(done.position)
    except CluewiseError as problem:
        raise BadOption(problem.message, "$.options") from None
    return done


class Turn:
    """A turn with its actor, action, slots and result; `play` computes the outcome."""

    def __init__(self, position: Position, options: OutcomeOptions) -> None:
        self.position, self.options = position, options
        self.actor = position.viewer if options.actor is None else options.actor
        if self.actor is None:
            raise BadOption("Who acted? Nobody's view is set.", "$.options.actor")
        self.rules = Rules(position, self.actor)
        self.truth = unseal_hands(position)
        self.value = value_number(options.value) or 0
        self.places = self._places()
        self.own = position.owner_of(options.stand) == self.actor  # an own turned wire
        self.device = DEVICES.get(options.action, "")

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
        """Return the slot before the turn."""
        return self.position.stands[place[0]].slots[place[1]]

    def play(self) -> Outcome:
        """Check the turn and return its outcome. Raises BadOption."""
        if self.options.action in ("solo", "reveal"):
            return self._own_turn()
        if self.options.action == "together":
            return self._together()
        self._check_gear()
        values = self._checked_values()
        self._check_pointed()
        self._check_held(values)
        hits = [p for p in self.places if self._true_value(p) in values] if self.truth else []
        success = self.options.success
        if success is None and not self.truth:
            raise BadOption("Did it work?", "$.options.success")
        if success is None:
            success = bool(hits)
        return self._success(values, hits) if success else self._failure(values)

    def check_miss(self) -> None:
        """Raise BadOption if the teammate's wire may have the value that a deliberate miss names.

        A miss by another player is checked by the viewer's knowledge of the wire only.
        """
        named = self._checked_values()
        if self.own:
            raise BadOption("A miss points at another player's wire.", "$.options.stand")
        self._check_pointed()
        (place,) = self.places
        succeeds = bool(self.truth) and self._true_value(place) in named
        if succeeds or named <= self._possible_values(place):
            raise BadOption(
                f"{self._spot([place])} may be {format_value(min(named))}: "
                "a miss on purpose names what the wire cannot be.",
                "$.options.value",
            )

    def _possible_values(self, place: Place) -> set[int]:
        """Return the actor's possible values of a wire; empty if the viewer does not know them."""
        known = known_value(self.position, place)
        if known is not None or self.actor != self.position.viewer:
            return set() if known is None else {known}
        hand = PlayerView(self.position, agreement(self.position).pack(self.position))
        part = next(p for p, stand in hand.targets() if stand == place[0])
        element = hand.plan.parts[part].slots.index(place[1])
        return {v for v, p in enumerate(hand.by_value(part, element)) if p > 0}

    def _check_gear(self) -> None:
        """Check the actor's equipment, also the ray if a detector names two values."""
        action, two_values = self.options.action, "/" in self.options.value
        fault = self.rules.action_fault(action, self.actor)
        if not fault and two_values and action in DETECTORS:
            fault = self.rules.action_fault("either", self.actor)
        if fault:
            raise BadOption(fault, "$.options.action")
        if self.options.stabilized and (fault := self.rules.card_fault("9", self.actor)):
            raise BadOption(fault, "$.options.stabilized")

    def named(self) -> set[int]:
        """Return the values named, without checks: `{5, 7}`."""
        found = (value_number(name) for name in self.options.value.split("/"))
        return {value for value in found if value}

    def _checked_values(self) -> set[int]:
        """Return the values named: two with the ray, else one; detectors name numbers only."""
        action, names = self.options.action, self.options.value.split("/")
        values = [value_number(name) for name in names]
        found = {v for v in values if v is not None and v != RED}
        if len(found) != len(names):
            raise BadOption(f"{self.options.value!r} is not a value.", "$.options.value")
        if len(found) not in {"either": (2,), "dual": (1,)}.get(action, (1, 2)):
            raise BadOption(
                "The X-or-Y ray names two values, such as 3/5; every other cut one.",
                "$.options.value",
            )
        if action in DETECTORS and YELLOW in found:
            raise BadOption("Detectors name numbers, not yellow.", "$.options.value")
        return found

    def _check_held(self, values: set[int]) -> None:
        """Check that the actor may hold, and may name, the values."""
        for value in sorted(values):
            fault = self.rules.value_fault(self.options.action, value)
            if fault:
                raise BadOption(fault, "$.options.value")
        if self.truth and self.actor != self.position.viewer:
            return
        for value in self._held(values):
            if not may_hold(self.rules, self.actor, value):
                yours = "You hold" if self.actor == self.position.viewer else "She holds"
                raise BadOption(
                    f"{yours} no {format_value(value)} that may be cut now, "
                    "and only such a value is named.",
                    "$.options.value",
                )

    def _held(self, values: set[int]) -> list[int]:
        """Return the values that the actor must hold: all but yellow found one by one."""
        return sorted(v for v in values if v != YELLOW or not self.rules.one_by_one)

    def _check_pointed(self) -> None:
        """Check number and legality of the slots; the super detector points at all by default."""
        stand, action = self.options.stand, self.options.action
        slots = reachable(self.rules, stand, action)
        if self.own:
            slots = turned_away(self.rules, stand) if action == "dual" else []
            if not slots:
                raise BadOption("A cut points at another player's wires.", "$.options.stand")
        if action == "super" and not self.options.slots:
            self.places = [(stand, j) for j in slots]
        if not self.places:
            raise BadOption("Which slots were pointed at?", "$.options.slots")
        for i, place in enumerate(self.places):
            if place[1] not in slots or place in self.places[:i]:
                fault = self.rules.slot_fault(*place) or _unreachable(action, self.slot(place))
                raise BadOption(fault, f"$.options.slots[{i}]")
        many = POINTED.get(action, len(slots))
        if len(self.places) != many:
            raise BadOption(
                f"{_device(action)} points at {_number(action, many)}, not at {len(self.places)}.",
                "$.options.slots",
            )

    def _true_value(self, place: Place) -> int:
        """Return the value that the sealed wire counts as: a deadly number is red."""
        value = self._plain_value(place)
        return RED if value == self.rules.deadly else value

    def _at(self, likely: list[Place]) -> Place:
        """Return the slot cut or marked: the one entered, else the first of `likely`."""
        if self.options.at is not None:
            if (self.options.stand, self.options.at) not in self.places:
                raise BadOption("That slot was not pointed at.", "$.options.at")
            return (self.options.stand, self.options.at)
        choices = likely or self.places
        if len(choices) == 1 or self.truth:
            return choices[0]
        raise BadOption("Which of the slots was it?", "$.options.at")

    def _success(self, values: set[int], hits: list[Place]) -> Outcome:
        at = self._at(hits)
        value = self._true_value(at) if self.truth else min(values)
        if self.options.shown is not None:
            value = parse_value(self.options.shown) or value
        elif len(values) > 1 and not self.truth:
            raise BadOption("Which of the two was it?", "$.options.shown")
        self._check_known(at, value, "$.options.value")
        table = self._cut(self.position, at, value, self.options.shown)
        steps = self.rules.price(*at, self.actor)
        if self._held({value}):
            shown = self.options.own_shown
            if shown is not None and parse_value(shown) != value:
                raise BadOption(f"{shown} is no {format_value(value)}.", "$.options.own_shown")
            table = self._cut(table, self._own_wire(value), value, shown)
        else:
            steps = -1  # a yellow wire found returns a step
        for other in sorted(values - {value}):
            table = self._with_holding(table, other)
        table, left, exploded = advance(table, steps)
        return Outcome(
            table, self._text(f"{format_value(value)} at {self._spot([at])}, cut.{left}"), exploded
        )

    def _text(self, done: str) -> str:
        """Return the text with actor and equipment: `"Ann, double detector: no 5 at Bob A B."`"""
        action, stands = self.options.action, self.position.stands_of(self.actor)
        name = self._name(stands[0], "You") if stands else "Somebody"
        device = f", {self.device}" if self.device else ""
        device += " with the ray" if action in DETECTORS and "/" in self.options.value else ""
        return f"{name[0].upper()}{name[1:]}{device}: {done}"

    def _name(self, stand: int, mine: str) -> str:
        if self.position.owner_of(stand) == self.position.viewer:
            return mine
        return self.position.stands[stand].name or f"stand {stand + 1}"

    def _spot(self, places: list[Place]) -> str:
        """Return the slots as text: `"Bob A C"`, `"your B"`."""
        letters = " ".join(letter(slot) for _, slot in sorted(places))
        return f"{self._name(places[0][0], 'your')} {letters}"

    def _cut(self, table: Position, place: Place, value: int, shown: str | None) -> Position:
        """Return the table with the slot cut; a yellow wire with its number if that is known."""
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
        return set_slot(table, place, value, new)

    def _own_wire(self, value: int) -> Place:
        """Return the actor's wire cut along: as entered, else a shown one, else the first known."""
        if self.options.own is not None:
            if len(self.options.own) != 2:
                raise BadOption("Give the actor's stand and slot.", "$.options.own")
            stand, slot = self.options.own
            if not (0 <= stand < len(self.position.stands)
                    and 0 <= slot < len(self.position.stands[stand].slots)):  # fmt: skip
                raise BadOption("There is no such slot.", "$.options.own")
            fault = own_fault(self.rules, self.actor, value, (stand, slot))
            if fault:
                raise BadOption(fault, "$.options.own")
            return stand, slot
        mine = cuttable(self.rules, self.actor)
        for state in ("info", "hidden"):
            for place in mine:
                if self.slot(place).state == state and self._own_value(place) == value:
                    return place
        raise BadOption(
            f"Which {VALUE_NAMES[value]} of the player who acted was cut along?", "$.options.own"
        )

    def _own_value(self, place: Place) -> int | None:
        """Return the value of a wire of the actor, entered or sealed; else None."""
        value = held_value(self.slot(place))
        return self._true_value(place) if value is None and self.truth else value

    def _check_known(self, place: Place, value: int, where: str) -> None:
        """Raise BadOption if the wire is known to have another value."""
        known = known_value(self.position, place)
        if known not in (None, value):
            raise BadOption(f"{self._spot([place])} is a {format_value(known or 0)}.", where)

    def _failure(self, values: set[int]) -> Outcome:
        safe = [p for p in self.places if self._true_value(p) != RED] if self.truth else []
        shown, names = self.options.shown, " or ".join(format_value(v) for v in sorted(values))
        for place in self.places:
            if known_value(self.position, place) in values:
                raise BadOption(
                    f"{self._spot([place])} is a {names}: then it worked.", "$.options.success"
                )
        table = self.position
        for value in self._held(values):
            table = self._with_holding(table, value)
        entered = parse_value(shown) if shown is not None else None
        red = (self.truth and not safe) or entered in (RED, self.rules.deadly or RED)
        if red and self.options.stabilized and not self.own:
            return self._stabilized(table, entered)
        if red:
            text = self._text(f"red at {self._spot(self.places)}. The bomb has gone off.")
            value = entered if entered is not None else RED
            return Outcome(self._cut(table, self.places[0], value, shown), text, True)
        text = f"no {names} at {self._spot(self.places)}."
        silent = self.rules.lays_nothing(self.position.owner_of(self.options.stand))
        if silent and shown is not None:
            raise BadOption("A failed cut lays no true token here.", "$.options.shown")
        if not silent and (shown is not None or self.truth):
            at = self._at(safe)
            table, token = self._with_token(table, at, shown, values)
            text += f" Slot {letter(at[1])} shows {token}."
        not_red = silent and len(self.places) == 1 and not self.options.stabilized
        for place in self.places:
            table = exclude_values(table, place, values | ({RED} if not_red else set()))
        if self.options.stabilized and not self.own:  # no equipment helps with a turned wire
            return Outcome(table, self._text(f"{text} The stabilizer held."), False)
        if self.own or self.rules.failure_explodes(self.actor):
            return Outcome(table, self._text(f"{text} The bomb has gone off."), True)
        table, left, exploded = advance(table, self.rules.steps)
        return Outcome(table, self._text(text + left), exploded)

    def _stabilized(self, table: Position, entered: int | None) -> Outcome:
        """Return the outcome of red under the stabilizer: no token, so all know that it is red."""
        for place in self.places:
            old = self.slot(place)
            value = VALUE_NAMES[entered if entered is not None else RED]
            if self.truth and self.rules.deadly is not None:
                value = VALUE_NAMES[self._plain_value(place)]
            wire = old.wire if old.wire and value == VALUE_NAMES[RED] else None
            new = Slot("info", wire, None if wire else value, old.tokens)
            table = set_slot(table, place, value_number(value) or RED, new)
        text = f"red at {self._spot(self.places)}. The stabilizer held."
        return Outcome(table, self._text(text), False)

    def _with_token(
        self, table: Position, at: Place, shown: str | None, values: set[int]
    ) -> tuple[Position, str]:
        """Return the table with the token of a failure, and the token in words."""
        token = shown or ""
        if self.truth:
            token = token_of(table.token, self.truth[at[0]], at[1])
        if not token:
            return table, "nothing: there is no token for four of a kind"
        value = parse_value(token)
        if value in values:
            raise BadOption("The token shows the value named: then it worked.", "$.options.shown")
        if value is not None:
            self._check_known(at, value, "$.options.shown")
        return place_failure_token(table, at, token)

    def _with_holding(self, table: Position, value: int) -> Position:
        """Return the table with the fact that the actor holds a value, unless one is shown."""
        mine = uncut(self.position, self.actor)
        stands = {i for i, _ in mine}
        shown = any(
            self.slot(p).state == "info" and held_value(self.slot(p)) == value for p in mine
        )
        if shown or len(stands) != 1:
            return table
        return add_fact(table, stands.pop(), Fact("has", VALUE_NAMES[value]))

    def _own_turn(self) -> Outcome:
        """Return the outcome of a solo cut or a reveal of red wires."""
        alone = self.options.action == "solo"
        value = self.value if alone else RED
        if not value:
            raise BadOption(f"{self.options.value!r} is not a value.", "$.options.value")
        values = {value} if alone else {RED, self.rules.deadly}
        mine = cuttable(self.rules, self.actor) if alone else uncut(self.position, self.actor)
        places = [p for p in mine if self._own_value(p) in values]
        places += [p for p in self._all_places() if p not in places]
        fault = (
            solo_fault(self.rules, self.actor, value, places)
            if alone
            else reveal_fault(self.rules, self.actor, places)
        )
        if fault:
            raise BadOption(fault, "$.options.slots")
        table = self.position
        for place in places:
            table = self._cut(table, place, self._revealed_value(place, value), None)
        many = f"{len(places)} × {format_value(value)}"
        text = f"{many} cut alone." if alone else f"only red is left, {many} shown."
        return Outcome(table, self._text(text), False)

    def _all_places(self) -> list[Place]:
        """Return the wires entered, on all stands."""
        return sorted({*self.places, *((i, j) for i, j in self.options.also)})

    def _revealed_value(self, place: Place, value: int) -> int:
        """Return the value of a cut own wire; a deadly number is revealed as itself, not as red."""
        only = self.rules.deadly if not left_of(self.position, RED) else None
        return self._own_value(place) or (only if value == RED and only else value)

    def _together(self) -> Outcome:
        """Return the outcome of the mission's cut of several wires, on any stands."""
        places = self._all_places()
        special, success = self.rules.together, self.options.success
        self.value = self.value or (special.value if special else 0)
        fault = together_fault(self.rules, self.actor, self.value, places)
        if fault:
            raise BadOption(fault, "$.options.slots")
        if self.truth:
            success = all(self._plain_value(p) == self.value for p in places)
        if success is None or special is None:
            raise BadOption("Did it work?", "$.options.success")
        spots = ", ".join(self._spot([p]) for p in places)
        name = format_value(self.value)
        if success:
            table = self.position
            for place in places:
                self._check_known(place, self.value, "$.options.slots")
                table = self._cut(table, place, self.value, None)
            return Outcome(table, self._text(f"{len(places)} × {name}: {spots}, cut."), False)
        text = f"not all of {spots} are {name}."
        if special.explodes:
            return Outcome(self.position, self._text(f"{text} The bomb has gone off."), True)
        table, left, exploded = advance(self.position, 1)
        return Outcome(table, self._text(f"{text} Lay their tokens.{left}"), exploded)

    def _plain_value(self, place: Place) -> int:
        """Return the value of a sealed wire."""
        return value_of(wire_code(self.truth[place[0]][place[1]]) or 0)


def advance(table: Position, steps: int) -> tuple[Position, str, bool]:
    """Advance a counted detonator; return the table, a sentence, and whether the bomb goes off."""
    if table.detonator is None or not steps:
        return table, "", False
    left = min(max(table.detonator - steps, 0), MOST_STEPS)
    table = msgspec.structs.replace(table, detonator=left)
    if not left:
        return table, " The detonator has run out: the bomb has gone off.", True
    return table, f" {left} step{'s' if left > 1 else ''} left on the detonator.", False


def _device(action: str) -> str:
    return f"The {DEVICES[action]}" if action in DEVICES else "A cut"


def _number(action: str, many: int) -> str:
    return f"all {many} that are not cut" if action == "super" else str(many)


def _unreachable(action: str, slot: Slot) -> str:
    """Return why a slot may not be pointed at."""
    if slot.state != "cut" and "unsorted" in slot.tokens and action != "dual":
        return "Equipment leaves unsorted wires alone."
    if slot.state == "info" and action == "either":
        return f"{_device(action)} points at hidden wires: this one is shown."
    return "Only wires that are not cut yet can be pointed at, each once."
