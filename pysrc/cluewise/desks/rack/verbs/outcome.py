"""What happened at the table, as the next position: a cut that worked, or a token where it failed.

Exactly what the rules make public goes on the table. A success: the wire that was cut and the
one cut along with it; of the other slots that a detector pointed at, nothing. A failure: "not V"
of every slot pointed at, the token on the one that its holder chose, and one step of the
detonator where it is counted; where no token is laid, that the bomb has not gone off says of a
single wire that it is not red. Both speak of who acted:
naming a value means holding it, so her stand gets the fact `has` where no such wire is on show
(the second value of an X-or-Y ray too). A player with two stands gets no such fact: it could lie
on either, which no fact of one stand can say. Why the holder chose that wire to cut or to mark
is not weighed; see `posterior.ASSUMED`.

One file: the checks, what a success says and what a failure says follow one another in the rules.
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
    exclude_values,
    place_failure_token,
    set_slot,
    token_of,
    unseal_hands,
    with_facts,
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
    """The position after a turn, with the turn in words: `"Ann: 5 at Bob D, cut."`

    In a practice game (`sealed`) what is left out is looked up. Raises BadOption where something
    is missing that only the table knows.
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
    done = agreed(_changed(position, turn.play(), turn))
    made = PastChoice(
        turn.actor or 0, options.action, options.stand, tuple(options.slots), options.value
    )
    return msgspec.structs.replace(done, choice=record_choice(position, done.position, made))


def _changed(before: Position, done: Outcome, turn: Turn) -> Outcome:
    """What was noted, with the air paid, the robot moved, a finished number's limit card turned."""
    if done.exploded or turn.options.action == "reveal" or turn.actor is None:
        return done
    after = cut_counts(done.position)
    cut = [value for value in turn.named() if after[value] > turn.rules.cut[value]]
    value = min(cut or turn.named(), default=0)
    if cut and not left_of(done.position, value):
        done = msgspec.structs.replace(done, position=finish_number(done.position, value))
    table, text, exploded = after_cut(done.position, before, turn.actor, value, bool(cut))
    return Outcome(table, done.text + text, exploded)


def agreed(done: Outcome) -> Outcome:
    """What was noted, if the rules allow it; BadOption says what they do not."""
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
        self.rules = Rules(position, self.actor)
        self.truth = unseal_hands(position)
        self.value = value_number(options.value) or 0
        self.places = self._places()
        self.own = position.owner_of(options.stand) == self.actor  # her own wire, turned away
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
        """The slot as it is now."""
        return self.position.stands[place[0]].slots[place[1]]

    def play(self) -> Outcome:
        """The turn's outcome."""
        if self.options.action in ("solo", "reveal"):
            return self._own_turn()
        if self.options.action == "together":
            return self._together()
        self._check_gear()
        wanted = self._wanted()
        self._check_pointed()
        self._check_held(wanted)
        hits = [p for p in self.places if self._true_value(p) in wanted] if self.truth else []
        success = self.options.success
        if success is None and not self.truth:
            raise BadOption("Did it work?", "$.options.success")
        if success is None:
            success = bool(hits)
        return self._success(wanted, hits) if success else self._failure(wanted)

    def check_miss(self) -> None:
        """A miss on purpose points at a teammate's wire that cannot be the value named.

        Of a miss by another player only what the viewer knows of the wire is checked.
        """
        named = self._wanted()
        if self.own:
            raise BadOption("A miss points at another player's wire.", "$.options.stand")
        self._check_pointed()
        (place,) = self.places
        works = bool(self.truth) and self._true_value(place) in named
        if works or named <= self._possible_values(place):
            raise BadOption(
                f"{self._spot([place])} may be {format_value(min(named))}: "
                "a miss on purpose names what the wire cannot be.",
                "$.options.value",
            )

    def _possible_values(self, place: Place) -> set[int]:
        """What the wire may be called as the actor knows; nothing where the viewer cannot say."""
        known = known_value(self.position, place)
        if known is not None or self.actor != self.position.viewer:
            return set() if known is None else {known}
        hand = PlayerView(self.position, agreement(self.position).pack(self.position))
        part = next(p for p, stand in hand.targets() if stand == place[0])
        element = hand.plan.parts[part].slots.index(place[1])
        return {v for v, p in enumerate(hand.by_value(part, element)) if p > 0}

    def _check_gear(self) -> None:
        """The actor has what she points with, the ray too where a detector names two values."""
        action, joined = self.options.action, "/" in self.options.value
        fault = self.rules.action_fault(action, self.actor)
        if not fault and joined and action in DETECTORS:
            fault = self.rules.action_fault("either", self.actor)
        if fault:
            raise BadOption(fault, "$.options.action")
        if self.options.stabilized and (fault := self.rules.card_fault("9", self.actor)):
            raise BadOption(fault, "$.options.stabilized")

    def named(self) -> set[int]:
        """The values named, as they are entered: `{5, 7}`."""
        found = (value_number(name) for name in self.options.value.split("/"))
        return {value for value in found if value}

    def _wanted(self) -> set[int]:
        """The values named: two for the ray, alone or with a detector; numbers for detectors."""
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

    def _check_held(self, wanted: set[int]) -> None:
        """Who names a value holds it, as far as anybody can see."""
        for value in sorted(wanted):
            fault = self.rules.value_fault(self.options.action, value)
            if fault:
                raise BadOption(fault, "$.options.value")
        if self.truth and self.actor != self.position.viewer:
            return
        for value in self._held(wanted):
            if not may_hold(self.rules, self.actor, value):
                yours = "You hold" if self.actor == self.position.viewer else "She holds"
                raise BadOption(
                    f"{yours} no {format_value(value)} that may be cut now, "
                    "and only such a value is named.",
                    "$.options.value",
                )

    def _held(self, wanted: set[int]) -> list[int]:
        """The values that who names them must hold."""
        return sorted(v for v in wanted if v != YELLOW or not self.rules.one_by_one)

    def _check_pointed(self) -> None:
        """Slots of another player, as many as the cut points at, that it can point at."""
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
        """What the sealed wire counts as: a deadly number is red."""
        code = wire_code(self.truth[place[0]][place[1]])
        value = value_of(code) if code is not None else 0
        return RED if value == self.rules.deadly else value

    def _at(self, likely: list[Place]) -> Place:
        if self.options.at is not None:
            if (self.options.stand, self.options.at) not in self.places:
                raise BadOption("That slot was not pointed at.", "$.options.at")
            return (self.options.stand, self.options.at)
        choices = likely or self.places
        if len(choices) == 1 or self.truth:
            return choices[0]
        raise BadOption("Which of the slots was it?", "$.options.at")

    def _success(self, wanted: set[int], hits: list[Place]) -> Outcome:
        at = self._at(hits)
        value = self._true_value(at) if self.truth else min(wanted)
        if self.options.shown is not None:
            value = parse_value(self.options.shown) or value
        elif len(wanted) > 1 and not self.truth:
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
            steps = -1  # a yellow wire found wins a step back
        for other in sorted(wanted - {value}):
            table = self._actor_has(table, other)
        table, left, exploded = advance(table, steps)
        return Outcome(
            table, self._text(f"{format_value(value)} at {self._spot([at])}, cut.{left}"), exploded
        )

    def _text(self, done: str) -> str:
        """The turn with who took it and what with: `"Ann, double detector: no 5 at Bob A B."`"""
        action, stands = self.options.action, range(len(self.position.stands))
        who = next((i for i in stands if self.position.owner_of(i) == self.actor), None)
        name = "Somebody" if who is None else self._name(who, "You")
        device = f", {self.device}" if self.device else ""
        device += " with the ray" if action in DETECTORS and "/" in self.options.value else ""
        return f"{name[0].upper()}{name[1:]}{device}: {done}"

    def _name(self, stand: int, mine: str) -> str:
        if self.position.owner_of(stand) == self.position.viewer:
            return mine
        return self.position.stands[stand].name or f"stand {stand + 1}"

    def _spot(self, places: list[Place]) -> str:
        """`"Bob A C"`, `"your B"`."""
        letters = " ".join(letter(slot) for _, slot in sorted(places))
        return f"{self._name(places[0][0], 'your')} {letters}"

    def _cut(self, table: Position, place: Place, value: int, shown: str | None) -> Position:
        """The slot cut; a yellow wire with its number only where it was entered or is known."""
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
        """The actor's wire that is cut along: as given, else a shown one, else the first known."""
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
                if self.slot(place).state == state and self._shows(place) == value:
                    return place
        raise BadOption(
            f"Which {VALUE_NAMES[value]} of the player who acted was cut along?", "$.options.own"
        )

    def _shows(self, place: Place) -> int | None:
        value = held_value(self.slot(place))
        return self._true_value(place) if value is None and self.truth else value

    def _check_known(self, place: Place, value: int, where: str) -> None:
        """What is known to lie there is not reported otherwise."""
        known = known_value(self.position, place)
        if known not in (None, value):
            raise BadOption(f"{self._spot([place])} is a {format_value(known or 0)}.", where)

    def _failure(self, wanted: set[int]) -> Outcome:
        safe = [p for p in self.places if self._true_value(p) != RED] if self.truth else []
        shown, names = self.options.shown, " or ".join(format_value(v) for v in sorted(wanted))
        for place in self.places:
            if known_value(self.position, place) in wanted:
                raise BadOption(
                    f"{self._spot([place])} is a {names}: then it worked.", "$.options.success"
                )
        table = self.position
        for value in self._held(wanted):
            table = self._actor_has(table, value)
        said = parse_value(shown) if shown is not None else None
        red = (self.truth and not safe) or said in (RED, self.rules.deadly or RED)
        if red and self.options.stabilized and not self.own:
            return self._steadied(table, said)
        if red:
            text = self._text(f"red at {self._spot(self.places)}. The bomb has gone off.")
            value = said if said is not None else RED
            return Outcome(self._cut(table, self.places[0], value, shown), text, True)
        text = f"no {names} at {self._spot(self.places)}."
        silent = self.rules.lays_nothing(self.position.owner_of(self.options.stand))
        if silent and shown is not None:
            raise BadOption("A failed cut lays no true token here.", "$.options.shown")
        if not silent and (shown is not None or self.truth):
            at = self._at(safe)
            table, what = self._marked(table, at, shown, wanted)
            text += f" Slot {letter(at[1])} shows {what}."
        spared = (
            {RED} if silent and len(self.places) == 1 and not self.options.stabilized else set()
        )
        for place in self.places:
            table = exclude_values(
                table, place, wanted | spared
            )  # what shows its value is left as it is
        if self.options.stabilized and not self.own:  # no equipment helps with a turned wire
            return Outcome(table, self._text(f"{text} The stabilizer held."), False)
        if self.own or self.rules.failure_explodes(self.actor):
            return Outcome(table, self._text(f"{text} The bomb has gone off."), True)
        table, left, exploded = advance(table, self.rules.steps)
        return Outcome(table, self._text(text + left), exploded)

    def _steadied(self, table: Position, said: int | None) -> Outcome:
        """Red under the stabilizer: no bomb, no step, no token, so that all know it is red."""
        for place in self.places:
            old = self.slot(place)
            value = VALUE_NAMES[said if said is not None else RED]
            if self.truth and self.rules.deadly is not None:
                value = VALUE_NAMES[self._plain_value(place)]
            kept = old.wire if old.wire and value == VALUE_NAMES[RED] else None
            new = Slot("info", kept, None if kept else value, old.tokens)
            table = set_slot(table, place, value_number(value) or RED, new)
        text = f"red at {self._spot(self.places)}. The stabilizer held."
        return Outcome(table, self._text(text), False)

    def _marked(
        self, table: Position, at: Place, shown: str | None, wanted: set[int]
    ) -> tuple[Position, str]:
        """The table with the token on the slot, and the token in words."""
        token = shown or ""
        if self.truth:
            token = token_of(table.token, self.truth[at[0]], at[1])
        if not token:
            return table, "nothing: there is no token for four of a kind"
        if parse_value(token) in wanted:
            raise BadOption("The token shows the value named: then it worked.", "$.options.shown")
        said = parse_value(token)
        if said is not None:
            self._check_known(at, said, "$.options.shown")
        return place_failure_token(table, at, token)

    def _actor_has(self, table: Position, value: int) -> Position:
        """Who names a value holds it: a fact, unless it lies in the open already."""
        mine = uncut(self.position, self.actor)
        stands = {i for i, _ in mine}
        shown = any(
            self.slot(p).state == "info" and held_value(self.slot(p)) == value for p in mine
        )
        if shown or len(stands) != 1:
            return table
        stand = stands.pop()
        fact = Fact("has", VALUE_NAMES[value])
        old = table.stands[stand]
        if fact in old.facts:
            return table
        return with_facts(table, stand, (*old.facts, fact))

    def _own_turn(self) -> Outcome:
        """Solo cut or revealing red: the actor's wires alone."""
        alone = self.options.action == "solo"
        value = self.value if alone else RED
        if not value:
            raise BadOption(f"{self.options.value!r} is not a value.", "$.options.value")
        values = {value} if alone else {RED, self.rules.deadly}
        mine = cuttable(self.rules, self.actor) if alone else uncut(self.position, self.actor)
        places = [p for p in mine if self._shows(p) in values]
        places += [p for p in self._pointed() if p not in places]
        fault = (
            solo_fault(self.rules, self.actor, value, places)
            if alone
            else reveal_fault(self.rules, self.actor, places)
        )
        if fault:
            raise BadOption(fault, "$.options.slots")
        table = self.position
        for place in places:
            table = self._cut(table, place, self._own_called(place, value), None)
        many = f"{len(places)} × {format_value(value)}"
        text = f"{many} cut alone." if alone else f"only red is left, {many} shown."
        return Outcome(table, self._text(text), False)

    def _pointed(self) -> list[Place]:
        """The wires that were named, on whichever stands."""
        return sorted({*self.places, *((i, j) for i, j in self.options.also)})

    def _own_called(self, place: Place, value: int) -> int:
        """A deadly number is shown as itself when the red wires are shown."""
        only = self.rules.deadly if not left_of(self.position, RED) else None
        return self._shows(place) or (only if value == RED and only else value)

    def _together(self) -> Outcome:
        """Several wires of one value, wherever they stand."""
        places = self._pointed()
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
        return value_of(wire_code(self.truth[place[0]][place[1]]) or 0)


def advance(table: Position, steps: int) -> tuple[Position, str, bool]:
    """The detonator on by that many steps, where it is counted; at 0 the bomb goes off."""
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
    """Why a slot is not one that may be pointed at."""
    if slot.state != "cut" and "unsorted" in slot.tokens and action != "dual":
        return "Equipment leaves unsorted wires alone."
    if slot.state == "info" and action == "either":
        return f"{_device(action)} points at hidden wires: this one is shown."
    return "Only wires that are not cut yet can be pointed at, each once."
