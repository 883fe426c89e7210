"""Equipment and characters that are no cut: what using a card does to the position.

Cuts with detectors and the ray, and the stabilizer before a cut, are noted by `outcome`. Cards
that only turn other cards (batteries, drop, false bottom, mug) leave the position as it is. So
are here a turn that is skipped, and two moves of single missions: a yellow wire called at a
teammate's without holding one, and a wire that comes onto a stand from beside them.

An exchange of wires changes the hands that earlier facts were about. What it may have made untrue
is left out: nothing true is ever excluded, though a little that was known is no longer used.
"""

from __future__ import annotations

import msgspec

from cluewise.core.work import Job, Progress
from cluewise.desks.rack.legal import known_value, uncut
from cluewise.desks.rack.marks import (
    Place,
    called_value,
    deny,
    lay_token,
    leave,
    replace_slot,
    say,
    with_facts,
)
from cluewise.desks.rack.missions import mission_of
from cluewise.desks.rack.position import (
    LABELS,
    MOST_STEPS,
    TIMES,
    Fact,
    Position,
    Slot,
    Stand,
    wire_of,
)
from cluewise.desks.rack.results import Outcome, UseOptions
from cluewise.desks.rack.verbs.outcome import advance, agreed
from cluewise.desks.rack.wires import RED, VALUE_NAMES, YELLOW, value_number
from cluewise.errors import BadOption

CARDS = {
    "1": "label ≠", "2": "swap", "4": "note", "6": "rewind", "8": "radar", "12": "label =",
    "2.2": "single label", "9.9": "fast pass", "10.10": "disintegrator", "11.11": "hook",
    "yellow": "yellow alone", "draw": "drawn", "skip": "turn skipped",
}  # fmt: skip
SAME = {"E1": "8", "E2": "2"}  # characters that do what a card does


def use(position: Position, options: UseOptions) -> Job[Outcome]:
    """The position after a card was used, with it in words: `"Radar 7: Ann yes, Bob no."`

    Raises BadOption where something is missing that only the table knows.
    """
    yield Progress(0, 1, "noting the card")
    return agreed(Used(position, options).run())


class Used:
    """One card: who, where, and what everybody saw."""

    def __init__(self, position: Position, options: UseOptions) -> None:
        self.position, self.options = position, options
        self.card = SAME.get(options.card, options.card)
        self.actor = position.viewer if options.actor is None else options.actor
        self.value = value_number(options.value) if options.value else None

    def run(self) -> Outcome:
        """The card's effect."""
        effects = {
            "1": self._label, "12": self._label, "2": self._swap, "4": self._note,
            "6": self._rewind, "8": self._radar, "2.2": self._single, "9.9": self._fast,
            "10.10": self._disintegrate, "11.11": self._hook, "yellow": self._yellow,
            "draw": self._draw, "skip": self._skip,
        }  # fmt: skip
        if self.card not in effects:
            known = ", ".join([*effects, *SAME])
            raise BadOption(
                f"Card {self.card!r} changes no position; {known} do.", "$.options.card"
            )
        table, text = effects[self.card]()
        exploded = "bomb has gone off" in text
        named = f"{CARDS[self.card][0].upper()}{CARDS[self.card][1:]}"
        return Outcome(table, f"{named}: {text}", exploded)

    def _number(self) -> int:
        if self.value is None or self.value >= YELLOW:
            raise BadOption("Which number, 1 to 12?", "$.options.value")
        return self.value

    def _place(self) -> Place:
        place = (self.options.stand, self.options.slot)
        self._check_place(place, "$.options.slot")
        return place

    def _check_place(self, place: Place, where: str) -> None:
        stands = self.position.stands
        if not (0 <= place[0] < len(stands) and 0 <= place[1] < len(stands[place[0]].slots)):
            raise BadOption("There is no such slot.", where)

    def _slot(self, place: Place) -> Slot:
        return self.position.stands[place[0]].slots[place[1]]

    def _name(self, stand: int) -> str:
        if self.position.owner_of(stand) == self.position.viewer:
            return "you"
        return self.position.stands[stand].name or f"stand {stand + 1}"

    def _spot(self, place: Place) -> str:
        return f"{self._name(place[0])} {chr(ord('A') + place[1])}"

    def _radar(self) -> tuple[Position, str]:
        """Per stand: whether an uncut blue wire of the number stands there, shown ones too."""
        value, table, said = self._number(), self.position, []
        yes = set(self.options.yes)
        for i in yes:
            if not 0 <= i < len(table.stands):
                raise BadOption(f"There is no stand {i}.", "$.options.yes")
        for i, stand in enumerate(table.stands):
            said.append(f"{self._name(i)} {'yes' if i in yes else 'no'}")
            table = self._answer(table, i, stand, value, i in yes)
        return table, f"{say(value)}? {', '.join(said)}."

    def _answer(self, table: Position, i: int, stand: Stand, value: int, answer: bool) -> Position:
        """Unsorted wires do not answer: a no denies the others; a yes beside one is left out."""
        loose = any(s.state == "hidden" and "unsorted" in s.tokens for s in stand.slots)
        shown = any(
            s.state == "info" and "unsorted" not in s.tokens and wire_of(s) == 10 * value
            for s in stand.slots
        )
        name = VALUE_NAMES[value]
        if answer:
            fact = Fact("has", name)
            return table if shown or loose else self._say(table, i, fact)
        if shown:
            raise BadOption(f"A {name} lies open there: that is a yes.", "$.options.yes")
        if not loose:
            return self._say(table, i, Fact("lacks", name))
        for j, slot in enumerate(stand.slots):
            if "unsorted" not in slot.tokens:
                table = deny(table, (i, j), {value})
        return table

    def _say(self, table: Position, i: int, fact: Fact) -> Position:
        facts = table.stands[i].facts
        return table if fact in facts else with_facts(table, i, (*facts, fact))

    def _label(self) -> tuple[Position, str]:
        """Two neighbours are called the same, or not; one of them may be cut."""
        left = self._place()
        right = (left[0], left[1] + 1)
        self._check_place(right, "$.options.slot")
        for place in (left, right):
            if "unsorted" in self._slot(place).tokens:
                raise BadOption("Equipment leaves unsorted wires alone.", "$.options.slot")
        token = "same-as-next" if self.card == "12" else "differs-from-next"
        table = self._with_token(self.position, left, token)
        sign = "=" if self.card == "12" else "≠"
        return table, f"{self._spot(left)} {sign} {chr(ord('A') + right[1])}."

    def _with_token(self, table: Position, place: Place, token: str) -> Position:
        slot = table.stands[place[0]].slots[place[1]]
        if token in slot.tokens:
            return table
        new = msgspec.structs.replace(slot, tokens=(*slot.tokens, token))
        return replace_slot(table, *place, new)

    def _note(self) -> tuple[Position, str]:
        """One more token of the mission's kind, on a blue wire of the player's own."""
        place, token = self._place(), self.options.shown
        known = known_value(self.position, place)
        if token is None and known is not None and self.position.token == "standard":
            token = VALUE_NAMES[known]
        if token is None:
            raise BadOption("What does the token show?", "$.options.shown")
        if token in ("even", "odd", *TIMES):
            return self._with_token(self.position, place, token), f"{self._spot(place)}: {token}."
        value = value_number(token)
        if value is None or value >= YELLOW or known not in (None, value):
            raise BadOption("A note lies on a blue wire and says what it is.", "$.options.shown")
        new = Slot("info", VALUE_NAMES[value], None, self._slot(place).tokens)
        return leave(self.position, place, value, new), f"{self._spot(place)} is a {say(value)}."

    def _single(self) -> tuple[Position, str]:
        place = self._place()
        table = self._with_token(self.position, place, "x1")
        return table, f"{self._spot(place)} is the only one of its number there."

    def _rewind(self) -> tuple[Position, str]:
        steps = self.position.detonator
        if steps is None:
            return self.position, "the detonator is not counted."
        table = msgspec.structs.replace(self.position, detonator=steps + 1)
        return table, f"{steps + 1} steps left on the detonator."

    def _fast(self) -> tuple[Position, str]:
        """Two wires of a number of one's own, though others may be left."""
        value, table = self._number(), self.position
        places = [(self.options.stand, j) for j in self.options.slots]
        mine = uncut(table, self.actor)
        if len(places) != 2 or any(p not in mine for p in places):
            raise BadOption("Which two of the player's own wires?", "$.options.slots")
        for place in places:
            if known_value(table, place) not in (None, value):
                raise BadOption(f"{self._spot(place)} is another wire.", "$.options.slots")
            new = Slot("cut", VALUE_NAMES[value], None, self._slot(place).tokens)
            table = leave(table, place, value, new)
        return table, f"2 × {say(value)} cut."

    def _disintegrate(self) -> tuple[Position, str]:
        """All uncut wires of a number go; every other wire is not of it."""
        value, table = self._number(), self.position
        gone = {(i, j) for i, j in self.options.places}
        for place in gone:
            self._check_place(place, "$.options.places")
        for i, stand in enumerate(self.position.stands):
            for j, slot in enumerate(stand.slots):
                place = (i, j)
                known = known_value(self.position, place)
                if slot.state == "cut":
                    continue
                if (place in gone) != (known == value) and known is not None:
                    raise BadOption(f"{self._spot(place)} is known otherwise.", "$.options.places")
                if place in gone:
                    new = Slot("cut", VALUE_NAMES[value], None, slot.tokens)
                    table = leave(table, place, value, new)
                else:
                    table = deny(table, place, {value})
        return table, f"{len(gone)} × {say(value)} cut."

    def _swap(self) -> tuple[Position, str]:
        """One uncut wire each, sorted into the other's stand; both places are seen."""
        first, second = self._place(), self._other()
        if self.position.owner_of(first[0]) == self.position.owner_of(second[0]):
            raise BadOption("Two players exchange a wire each.", "$.options.other")
        one, two = self._moved(first), self._moved(second)
        table = self._taken(self._taken(self.position, first), second)
        table = self._put(table, first[0], self.options.at, two)
        table = self._put(table, second[0], self.options.other_at, one)
        return table, f"{self._spot(first)} against {self._spot(second)}."

    def _hook(self) -> tuple[Position, str]:
        """One wire of a teammate's, sorted into the user's stand."""
        place = self._place()
        wire = self._moved(place)
        to = self.options.to
        if not 0 <= to < len(self.position.stands) or to == place[0]:
            raise BadOption("To which stand?", "$.options.to")
        table = self._put(self._taken(self.position, place), to, self.options.at, wire)
        return table, f"{self._spot(place)} to {self._name(to)}."

    def _yellow(self) -> tuple[Position, str]:
        """A teammate's wire called yellow: it is cut and a step comes back, or a step is lost."""
        place, shown = self._place(), called_value(self.options.shown or "")
        mission = mission_of(self.position)
        if mission is None or mission.rule("one_by_one") is None:
            raise BadOption("This mission has no such cut.", "$.options.card")
        if shown is None or known_value(self.position, place) not in (None, shown):
            raise BadOption("What did the wire turn out to be?", "$.options.shown")
        old = self._slot(place)
        if old.state == "cut" or self.position.owner_of(place[0]) == self.actor:
            raise BadOption("A teammate's wire that is not cut is pointed at.", "$.options.slot")
        if shown in (YELLOW, RED):
            new = Slot("cut", old.wire, None if old.wire else VALUE_NAMES[shown], old.tokens)
            table = leave(self.position, place, shown, new)
            if shown == RED:
                return table, f"{self._spot(place)} is red. The bomb has gone off."
            if table.detonator is not None:
                steps = min(table.detonator + 1, MOST_STEPS)
                table = msgspec.structs.replace(table, detonator=steps)
            return table, f"{self._spot(place)}, cut. One step back on the detonator."
        table, said = lay_token(self.position, place, self.options.shown or "")
        table, left, _ = advance(table, 1)
        return table, f"{self._spot(place)} is none: it shows {said}.{left}"

    def _draw(self) -> tuple[Position, str]:
        """A wire from beside the stands is sorted into one; everybody sees the place."""
        wires, to = self.position.wires, self.options.to
        if not 0 <= to < len(self.position.stands):
            raise BadOption("To which stand?", "$.options.to")
        groups = list(wires.groups)
        short = [k for k, group in enumerate(groups) if group.drawn < len(group.of)]
        if wires.aside:
            wires = msgspec.structs.replace(wires, aside=wires.aside - 1)
        elif short:
            more = msgspec.structs.replace(groups[short[0]], drawn=groups[short[0]].drawn + 1)
            groups[short[0]] = more
            wires = msgspec.structs.replace(wires, groups=tuple(groups))
        else:
            raise BadOption("No wire lies beside the stands.", "$.options.card")
        table = self._put(self.position, to, self.options.at, Slot(tokens=("moved",)))
        table = msgspec.structs.replace(table, wires=wires)
        return table, f"a wire to {self._spot((to, self.options.at))}."

    def _skip(self) -> tuple[Position, str]:
        """A player who can do nothing, or holds the mug: what it costs says the mission."""
        table, left, _ = advance(self.position, self.options.steps)
        owners = [table.owner_of(i) for i in range(len(table.stands))]
        if self.actor not in owners:
            raise BadOption("Who skipped?", "$.options.actor")
        return table, f"{self._name(owners.index(self.actor))}.{left}"

    def _other(self) -> Place:
        if self.options.other is None:
            raise BadOption("Against which wire?", "$.options.other")
        place = (self.options.other[0], self.options.other[1])
        self._check_place(place, "$.options.other")
        return place

    def _moved(self, place: Place) -> Slot:
        """The wire on its way: number and yellow tokens go along, counts and labels do not."""
        slot = self._slot(place)
        if slot.state == "cut":
            raise BadOption("A cut wire stays where it is.", "$.options.slot")
        kept = tuple(
            t for t in slot.tokens if t in ("even", "odd", "unsorted") or t.startswith("not:")
        )
        denied = [
            f"not:{fact.value}"
            for fact in self.position.stands[place[0]].facts
            if fact.kind == "lacks" and slot.state == "hidden" and slot.wire is None
        ]
        return msgspec.structs.replace(
            slot, tokens=(*kept, *(d for d in denied if d not in kept), "moved")
        )

    def _taken(self, table: Position, place: Place) -> Position:
        """The stand without the wire; what it may have made untrue goes too."""
        stand = table.stands[place[0]]
        slots = list(stand.slots)
        slots.pop(place[1])
        if place[1]:
            slots[place[1] - 1] = _unlabelled(slots[place[1] - 1])
        facts = tuple(f for f in stand.facts if f.kind == "lacks")
        slots = [_uncounted(slot) for slot in slots]
        return _with_stand(table, place[0], stand, slots, facts)

    def _put(self, table: Position, i: int, at: int, wire: Slot) -> Position:
        """The wire in its place of arrival; a hidden one may have any value that is not denied."""
        stand = table.stands[i]
        slots = [_uncounted(slot) for slot in stand.slots]
        if not 0 <= at <= len(slots):
            raise BadOption("Where did it go in?", "$.options.at")
        if at:
            slots[at - 1] = _unlabelled(slots[at - 1])
        slots.insert(at, wire)
        # What the stand lacked, it lacks in the wires that stood there already.
        denied = [f"not:{fact.value}" for fact in stand.facts if fact.kind == "lacks"]
        for j, slot in enumerate(slots):
            if j != at and slot.state == "hidden" and slot.wire is None:
                new = [d for d in denied if d not in slot.tokens]
                slots[j] = msgspec.structs.replace(slot, tokens=(*slot.tokens, *new))
        kept = tuple(fact for fact in stand.facts if fact.kind == "has")
        return _with_stand(table, i, stand, slots, kept)


def _with_stand(
    table: Position, i: int, stand: Stand, slots: list[Slot], facts: tuple[Fact, ...]
) -> Position:
    stands = list(table.stands)
    stands[i] = msgspec.structs.replace(stand, slots=tuple(slots), facts=facts)
    return msgspec.structs.replace(table, stands=tuple(stands))


def _unlabelled(slot: Slot) -> Slot:
    return msgspec.structs.replace(slot, tokens=tuple(t for t in slot.tokens if t not in LABELS))


def _uncounted(slot: Slot) -> Slot:
    """Without a number of equal wires: a hand that changed may hold another number."""
    return msgspec.structs.replace(slot, tokens=tuple(t for t in slot.tokens if t not in TIMES))
