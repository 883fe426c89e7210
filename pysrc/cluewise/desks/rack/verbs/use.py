"""The verb `use`: the position after equipment or a character was used, except for cuts.

Cuts with detectors and the ray, and the stabilizer before a cut, belong to `outcome`. Cards that
only turn other cards (batteries, drop, false bottom, mug) leave the position unchanged. Skipped
turns ("skip") and wires that enter a stand from outside ("draw") are handled like cards. In a
practice game the other players' answers follow from the sealed wires.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import msgspec

from cluewise.core.work import Job, Progress
from cluewise.desks.rack.engine.reading import record_choice
from cluewise.desks.rack.game.legal import known_value, left_of, own_fault, uncut
from cluewise.desks.rack.game.rules import Rules
from cluewise.desks.rack.game.table_edits import (
    Move,
    Place,
    add_fact,
    exclude_values,
    insert_wire,
    move_wires,
    replace_slot,
    set_slot,
    token_of,
    unseal_hands,
    with_tokens,
)
from cluewise.desks.rack.position import SHOWN, TIMES, PastChoice, Position, dealt
from cluewise.desks.rack.results import Outcome, UseOptions
from cluewise.desks.rack.stand import (
    RED,
    VALUE_NAMES,
    YELLOW,
    Fact,
    Slot,
    Stand,
    format_value,
    letter,
    value_at,
    value_number,
    value_of,
    wire_code,
)
from cluewise.desks.rack.verbs.outcome import advance, checked
from cluewise.errors import BadOption

replace = msgspec.structs.replace
CARDS = {
    "1": "label ≠", "2": "swap", "4": "note", "6": "rewind", "8": "radar", "12": "label =",
    "2.2": "single label", "9.9": "fast pass", "10.10": "disintegrator", "11.11": "hook",
    "draw": "drawn", "skip": "turn skipped",
}  # fmt: skip
IDLE = ("3", "3.3", "5", "7", "9", "10", "11", "Y", "double", "E3", "E4")  # cuts, or no change
MOVES = ("draw", "skip")  # no equipment
MOVED = ("2", "11.11", "draw")  # wires change stands: past choices concern other hands
SAME = {"E1": "8", "E2": "2"}  # characters with the effect of a card
OPEN = {  # points on which the card is silent
    "1": "The card does not say on whose stand the label may lie.",
    "6": "The card does not say whether the dial may go back beyond its start.",
}


def use(position: Position, options: UseOptions) -> Job[Outcome]:
    """Return the position after a card was used, and its use in words: `"Radar: 7? Ann yes."`

    Raises BadOption for an illegal use, or if an option is missing that is not sealed.
    """
    yield Progress(0, 1, "noting the card")
    effect = CardEffect(position, options)
    done = checked(effect.run())
    if effect.card in MOVED:
        gone = None if position.choices is None else ()
        return replace(done, position=replace(done.position, choices=gone))
    made = PastChoice(effect.actor or 0)
    return replace(done, choice=record_choice(position, done.position, made))


class CardEffect:
    """The use of a card by a player; `run` computes the outcome.

    A method per card returns the changed table and a sentence without the card's name.
    """

    def __init__(self, position: Position, options: UseOptions) -> None:
        self.position, self.options = position, options
        self.card = SAME.get(options.card, options.card)
        self.actor = position.viewer if options.actor is None else options.actor
        self.value = value_number(options.value) if options.value else None
        self.truth = unseal_hands(position)

    def run(self) -> Outcome:
        """Check the use and return its outcome. Raises BadOption."""
        effects: dict[str, Callable[[], tuple[Position, str]]] = {
            "1": self._label, "12": self._label, "2": self._swap, "4": self._note,
            "6": self._rewind, "8": self._radar, "2.2": self._single, "9.9": self._fast,
            "10.10": self._disintegrate, "11.11": self._hook, "draw": self._draw,
            "skip": self._skip,
        }  # fmt: skip
        if self.options.card in IDLE:
            self._allow(self.position.seats())
        if self.card not in effects:
            known = ", ".join([*effects, *SAME])
            raise BadOption(
                f"Card {self.card!r} changes no position; {known} do.", "$.options.card"
            )
        if self.card not in MOVES:
            self._allow(self._users())
        table, text = effects[self.card]()
        name = f"{CARDS[self.card][0].upper()}{CARDS[self.card][1:]}"
        open_ = [OPEN[self.card]] if self.card in OPEN else []
        exploded = self.card == "skip" and table.detonator == 0
        return Outcome(table, f"{name}: {text}", exploded, open_)

    def _users(self) -> Iterable[int]:
        """Return who may have used the card: the owner of the wire or stand, else any player."""
        if self.card in ("1", "12", "4", "2.2"):
            return [self.position.owner_of(self._place()[0])]
        if self.card == "11.11":
            return [self.position.owner_of(self._to())]
        if self.card == "9.9" and self.actor is not None:
            return [self.actor]
        return self.position.seats()

    def _allow(self, players: Iterable[int]) -> None:
        """Raise BadOption if none of the players may use the card now."""
        card = self.options.card
        faults = [Rules(self.position, p).card_fault(card, p) for p in players]
        if faults and all(faults):
            raise BadOption(faults[0], "$.options.card")

    def _number(self) -> int:
        if self.value is None or self.value >= YELLOW:
            raise BadOption("Which number, 1 to 12?", "$.options.value")
        return self.value

    def _place(self) -> Place:
        return self._at((self.options.stand, self.options.slot), "$.options.slot")

    def _at(self, place: Place, where: str) -> Place:
        """Return a place that equipment may concern: it exists and its wire is sorted."""
        stands = self.position.stands
        if not (0 <= place[0] < len(stands) and 0 <= place[1] < len(stands[place[0]].slots)):
            raise BadOption("There is no such slot.", where)
        if "unsorted" in self._slot(place).tokens and self.card != "10.10":
            raise BadOption("Equipment leaves unsorted wires alone.", where)
        return place

    def _slot(self, place: Place) -> Slot:
        return self.position.stands[place[0]].slots[place[1]]

    def _known(self, place: Place) -> int | None:
        """Return the value of a wire, cut or not, if the viewer knows it or it is sealed."""
        if self.truth:
            return value_of(wire_code(self.truth[place[0]][place[1]]) or 0)
        slot = self._slot(place)
        return value_at(slot) if slot.state != "hidden" else known_value(self.position, place)

    def _name(self, stand: int) -> str:
        if self.position.owner_of(stand) == self.position.viewer:
            return "you"
        return self.position.stands[stand].name or f"stand {stand + 1}"

    def _spot(self, place: Place) -> str:
        return f"{self._name(place[0])} {letter(place[1])}"

    def _radar(self) -> tuple[Position, str]:
        """Answer for each stand whether it has an uncut blue wire of the number."""
        value, table, texts = self._number(), self.position, []
        yes = set(self.options.yes)
        for i in yes:
            if not 0 <= i < len(table.stands):
                raise BadOption(f"There is no stand {i}.", "$.options.yes")
        for i, stand in enumerate(table.stands):
            answer = self._has(i, value)
            if answer is None or not self.truth:
                self._check_answer(i, value, answer, i in yes)
                answer = i in yes
            texts.append(f"{self._name(i)} {'yes' if answer else 'no'}")
            table = self._answer(table, i, stand, value, answer)
        return table, f"{format_value(value)}? {', '.join(texts)}."

    def _has(self, i: int, value: int) -> bool | None:
        """Return whether a stand has the number; None if that is unknown."""
        found: bool | None = False
        for j, slot in enumerate(self.position.stands[i].slots):
            if slot.state != "cut" and "unsorted" not in slot.tokens:
                known = self._known((i, j))
                if known == value:
                    return True
                found = None if known is None else found
        return found

    def _check_answer(self, i: int, value: int, known: bool | None, yes: bool) -> None:
        """Raise BadOption if a stand's answer contradicts its known wires."""
        name, slots = VALUE_NAMES[value], self.position.stands[i].slots
        if known is False and yes:
            raise BadOption(f"No {name} can stand there: that is a no.", "$.options.yes")
        if known and not yes:
            shown = any(s.state == "info" and value_at(s) == value for s in slots)
            how = "lies open" if shown else "is known"
            raise BadOption(f"A {name} {how} there: that is a yes.", "$.options.yes")

    def _answer(self, table: Position, i: int, stand: Stand, value: int, answer: bool) -> Position:
        """Record an answer; with an unsorted wire only "no", as exclusions of the sorted ones."""
        has_unsorted = any(s.state == "hidden" and "unsorted" in s.tokens for s in stand.slots)
        shown = any(
            s.state == "info" and "unsorted" not in s.tokens and value_at(s) == value
            for s in stand.slots
        )
        name = VALUE_NAMES[value]
        if answer:
            return table if shown or has_unsorted else add_fact(table, i, Fact("has", name))
        if not has_unsorted:
            return add_fact(table, i, Fact("lacks", name))
        for j, slot in enumerate(stand.slots):
            if "unsorted" not in slot.tokens:
                table = exclude_values(table, (i, j), {value})
        return table

    def _label(self) -> tuple[Position, str]:
        """Mark two neighbours as of equal, or different, value; one of them may be cut."""
        left = self._place()
        right = self._at((left[0], left[1] + 1), "$.options.slot")
        if self._slot(left).state == self._slot(right).state == "cut":
            raise BadOption("Only one of the two may be cut.", "$.options.slot")
        same, one, two = self.card == "12", self._known(left), self._known(right)
        if one is not None and two is not None and (one == two) != same:
            raise BadOption(
                f"{self._spot(left)} and {letter(right[1])} are a {format_value(one)} "
                f"and a {format_value(two)}.",
                "$.options.slot",
            )
        token = "same-as-next" if same else "differs-from-next"
        table = self._add_token(left, token)
        return table, f"{self._spot(left)} {'=' if same else '≠'} {letter(right[1])}."

    def _add_token(self, place: Place, token: str) -> Position:
        return replace_slot(self.position, *place, with_tokens(self._slot(place), [token]))

    def _blue(self, where: str) -> Place:
        """Return the place of a token by the wire's owner, which must be blue."""
        place = self._place()
        if self._known(place) in (YELLOW, RED):
            raise BadOption("The token lies on a blue wire.", where)
        return place

    def _note(self) -> tuple[Position, str]:
        """Place one more token of the mission's kind on an own blue wire."""
        place, kind = self._blue("$.options.slot"), self.position.token
        if self._slot(place).state == "cut" and kind != "multiplicity":
            raise BadOption("A cut wire stays as it is.", "$.options.slot")
        known = self._known(place)
        false = Rules(self.position).false_tokens(self.position.owner_of(place[0]))
        token = self.options.shown
        if self.truth and not false:
            token = token_of(kind, self.truth[place[0]], place[1])
        elif token is None and known is not None and kind == "standard" and not false:
            token = VALUE_NAMES[known]
        if not token:
            raise BadOption("What does the token show?", "$.options.shown")
        if self.position.mission is not None and token not in SHOWN[kind]:
            raise BadOption(f"Tokens show {', '.join(SHOWN[kind])} here.", "$.options.shown")
        if token in ("even", "odd", *TIMES):
            return self._add_token(place, token), f"{self._spot(place)}: {token}."
        value = value_number(token)
        right = known is None or (known == value) != false
        if value is None or value >= YELLOW or not right:
            raise BadOption("A note lies on a blue wire and says what it is.", "$.options.shown")
        if false:
            table = exclude_values(self.position, place, {value})
            return table, f"{self._spot(place)} is no {format_value(value)}."
        new = Slot("info", VALUE_NAMES[value], None, self._slot(place).tokens)
        table = set_slot(self.position, place, value, new)
        return table, f"{self._spot(place)} is a {format_value(value)}."

    def _single(self) -> tuple[Position, str]:
        """Mark a wire as the only one of its number on the stand, cut wires included."""
        place = self._blue("$.options.slot")
        known, row = self._known(place), range(len(self.position.stands[place[0]].slots))
        if known is not None and sum(self._known((place[0], j)) == known for j in row) > 1:
            raise BadOption(f"More than one {format_value(known)} stands there.", "$.options.slot")
        table = self._add_token(place, "x1")
        return table, f"{self._spot(place)} is the only one of its number there."

    def _rewind(self) -> tuple[Position, str]:
        steps = self.position.detonator
        if steps is None:
            return self.position, "the detonator is not counted."
        table = replace(self.position, detonator=steps + 1)
        return table, f"{steps + 1} steps left on the detonator."

    def _fast(self) -> tuple[Position, str]:
        """Cut two own wires of a number, even if others are left."""
        value, table = self._number(), self.position
        places = [(self.options.stand, j) for j in self.options.slots]
        places += [(i, j) for i, j in self.options.places]
        rules = Rules(self.position, self.actor)
        fault = rules.value_fault("solo", value, 2)
        if fault:
            raise BadOption(fault, "$.options.value")
        mine = uncut(table, self.actor)
        if len(set(places)) != 2 or len(places) != 2 or any(p not in mine for p in places):
            raise BadOption("Which two of the player's own wires?", "$.options.slots")
        for place in places:
            self._at(place, "$.options.slots")
            if self._known(place) not in (None, value):
                raise BadOption(f"{self._spot(place)} is another wire.", "$.options.slots")
            fault = own_fault(rules, self.actor, value, place)
            if fault:
                raise BadOption(fault, "$.options.slots")
            new = Slot("cut", VALUE_NAMES[value], None, self._slot(place).tokens)
            table = set_slot(table, place, value, new)
        return table, f"2 × {format_value(value)} cut."

    def _disintegrate(self) -> tuple[Position, str]:
        """Cut all uncut wires of a number; exclude the number from every other wire."""
        value, table = self._number(), self.position
        every = [(i, j) for i, s in enumerate(table.stands) for j in range(len(s.slots))]
        open_ = [place for place in every if self._slot(place).state != "cut"]
        gone = {self._at((i, j), "$.options.places") for i, j in self.options.places}
        if self.truth:
            gone = {place for place in open_ if self._known(place) == value}
        for place in open_:
            known = self._known(place)
            if known is not None and (place in gone) != (known == value):
                raise BadOption(f"{self._spot(place)} is known otherwise.", "$.options.places")
        if not gone <= set(open_):
            raise BadOption("A cut wire stays where it is.", "$.options.places")
        left = left_of(table, value)
        if len(gone) > left or (len(gone) < left and dealt(table.wires) == len(every)):
            raise BadOption(f"{left} × {format_value(value)} are not cut yet.", "$.options.places")
        for place in open_:
            if place in gone:
                new = Slot("cut", VALUE_NAMES[value], None, self._slot(place).tokens)
                table = set_slot(table, place, value, new)
            else:
                table = exclude_values(table, place, {value})
        return table, f"{len(gone)} × {format_value(value)} cut."

    def _swap(self) -> tuple[Position, str]:
        """Exchange an uncut wire each of two players; both places of insertion are public."""
        first = self._place()
        if self.options.other is None:
            raise BadOption("Compared with which wire?", "$.options.other")
        second = self._at((self.options.other[0], self.options.other[1]), "$.options.other")
        if self.position.owner_of(first[0]) == self.position.owner_of(second[0]):
            raise BadOption("Two players exchange a wire each.", "$.options.other")
        moves = [(first, second[0], self.options.other_at), (second, first[0], self.options.at)]
        return self._exchange(moves), f"{self._spot(first)} against {self._spot(second)}."

    def _to(self) -> int:
        to = self.options.to
        if not 0 <= to < len(self.position.stands):
            raise BadOption("To which stand?", "$.options.to")
        return to

    def _hook(self) -> tuple[Position, str]:
        """Move a teammate's wire into the user's stand."""
        place, to = self._place(), self._to()
        if self.position.owner_of(to) == self.position.owner_of(place[0]):
            raise BadOption("To which stand? The wire is a teammate's.", "$.options.to")
        table = self._exchange([(place, to, self.options.at)])
        return table, f"{self._spot(place)} to {self._name(to)}."

    def _draw(self) -> tuple[Position, str]:
        """Sort a wire that was set aside into a stand; its place is public."""
        wires, to = self.position.wires, self._to()
        groups = list(wires.groups)
        short = [k for k, group in enumerate(groups) if group.drawn < len(group.of)]
        if wires.aside:
            wires = replace(wires, aside=wires.aside - 1)
        elif short:
            more = replace(groups[short[0]], drawn=groups[short[0]].drawn + 1)
            groups[short[0]] = more
            wires = replace(wires, groups=tuple(groups))
        else:
            raise BadOption("No wire lies next to the stands.", "$.options.card")
        table = insert_wire(self.position, to, self.options.at, Slot(tokens=("moved",)))
        table = replace(table, wires=wires)
        return table, f"a wire to {self._spot((to, self.options.at))}."

    def _skip(self) -> tuple[Position, str]:
        """Skip a turn, without a legal action or with the mug; `steps` are the mission's."""
        table, left, _ = advance(self.position, self.options.steps)
        owners = [table.owner_of(i) for i in range(len(table.stands))]
        if self.actor not in owners:
            raise BadOption("Who skipped?", "$.options.actor")
        return table, f"{self._name(owners.index(self.actor))}.{left}"

    def _exchange(self, moves: list[Move]) -> Position:
        """Move wires; `shown` is the wire that the viewer received."""
        got = self.options.shown
        if got is not None and wire_code(got) is None:
            raise BadOption(f"{got!r} is not a wire.", "$.options.shown")
        return move_wires(self.position, self.truth, moves, got)
