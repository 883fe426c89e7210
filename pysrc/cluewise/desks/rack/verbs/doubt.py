"""The verb `doubt`: smallest minimal unsatisfiable subsets (MUSes) of a contradictory table.

Claims are shown wires, tokens, facts about stands and the viewer's own wires; wires in play and
sizes of stands are fixed. Without its claim the wire and the state of a shown slot are unknown: it
may satisfy "has" and is exempt from "lacks". So satisfiability is monotone, as the search by
hitting sets (`core/conflict.py`) requires. An oracle call packs the chosen claims and tests whether
a deal fits; at most MOST_TESTS calls.
"""

from __future__ import annotations

from dataclasses import dataclass

import msgspec

from cluewise.core.conflict import SmallestMuses
from cluewise.core.desk import NoOptions
from cluewise.core.work import Job, Progress
from cluewise.desks.rack.engine import counting
from cluewise.desks.rack.engine.encoding import pack, viewer_knows
from cluewise.desks.rack.position import MOST_SLOTS, Position, dealt
from cluewise.desks.rack.results import Doubt, Suspect
from cluewise.desks.rack.stand import Slot, Stand
from cluewise.errors import Contradiction

MOST_TESTS = 1500
MOST_SETS = 20  # many pairs may conflict in the same way
_FACTS = {"has": "has a hidden", "lacks": "has no hidden", "one": "has one"}


@dataclass(frozen=True, slots=True)
class Claim:
    """One claim and its place; `slot` is None for a fact about a whole stand."""

    stand: int
    slot: int | None
    kind: str  # wire, token, fact
    index: int
    text: str

    @property
    def where(self) -> str:
        """The JSON path."""
        if self.kind == "fact":
            return f"$.stands[{self.stand}].facts[{self.index}]"
        place = f"$.stands[{self.stand}].slots[{self.slot}]"
        return f"{place}.tokens[{self.index}]" if self.kind == "token" else place


def doubt(position: Position, options: NoOptions) -> Job[Doubt]:
    """Find the smallest MUSes of the claims; none if a deal fits.

    Minimum size is not proved if the search stopped early (`proved` is false).
    """
    yield Progress(0, None, "looking for what cannot be")
    slots = sum(len(stand.slots) for stand in position.stands)
    sizes = _sizes(position, slots)
    if sizes:  # the other wires are on stands that are not entered
        position = _with_extra_stands(position, slots)
    claims = Claims(position)
    search = SmallestMuses(len(claims.all), claims.fits, MOST_TESTS)
    sets = yield from search.run(MOST_SETS)
    smallest = [[_suspect(claims.all[i]) for i in one] for one in sets]
    return Doubt(bool(sets), smallest, search.proved, sizes)


def _suspect(claim: Claim) -> Suspect:
    return Suspect(claim.where, claim.stand, claim.slot, claim.text)


def _sizes(position: Position, slots: int) -> str:
    wires = dealt(position.wires) - len(position.known_elsewhere)
    if slots == wires or not slots:
        return ""
    return f"{wires} wires are to be placed, but the stands have {slots} slots."


def _with_extra_stands(position: Position, slots: int) -> Position:
    """Add unknown stands for the wires that have no slot; any sorted wires fit them."""
    missing = max(dealt(position.wires) - len(position.known_elsewhere) - slots, 0)
    sizes = [min(MOST_SLOTS, missing - done) for done in range(0, missing, MOST_SLOTS)]
    rest = (Stand(slots=(Slot(),) * size, owner=7) for size in sizes)
    return msgspec.structs.replace(position, stands=(*position.stands, *rest))


def claims_of(position: Position) -> list[Claim]:
    """Return every claim that could be wrong, by stand and slot."""
    knows = viewer_knows(position)
    found = []
    for i, stand in enumerate(position.stands):
        for j, slot in enumerate(stand.slots):
            if knows(i, slot) is not None or slot.value is not None:
                mine = position.owner_of(i) == position.viewer
                text = f"{_describe_wire(slot.wire or slot.value or '')} {_how(slot, mine)}"
                found.append(Claim(i, j, "wire", 0, text))
            for t, token in enumerate(slot.tokens):
                if token != "unsorted":
                    found.append(Claim(i, j, "token", t, f"token {_describe_token(token)}"))
        for f, fact in enumerate(stand.facts):
            text = f"{_FACTS[fact.kind]} {_describe_wire(fact.value)}"
            found.append(Claim(i, None, "fact", f, text))
    return found


def _describe_wire(name: str) -> str:
    """Format a wire or value in words: `"yellow 4"` for Y4, `"yellow"` for YELLOW."""
    if name.isdigit():
        return name
    colour = "yellow" if name[0] == "Y" else "red"
    return f"{colour} {name[1:]}" if name[1:].isdigit() else colour


def _describe_token(token: str) -> str:
    kind, _, value = token.partition(":")
    return f"{kind} {_describe_wire(value)}" if value else token


def _how(slot: Slot, mine: bool) -> str:
    hidden = "is yours" if mine else "is known to you"
    return {"cut": "is cut", "info": "is shown", "hidden": hidden}[slot.state]


class Claims:
    """The claims of a position, with the satisfiability oracle of their subsets."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self.all = claims_of(position)

    def fits(self, chosen: int) -> Job[int | None]:
        """Return the subset (bit i: claim i) if some deal fits it, else None."""
        yield Progress(0, None, "looking for what cannot be")
        try:
            return chosen if counting.possible(pack(self._only(chosen))) else None
        except Contradiction:
            return None

    def _only(self, chosen: int) -> Position:
        keep = {
            (c.stand, c.slot, c.kind, c.index) for i, c in enumerate(self.all) if chosen >> i & 1
        }
        stands = []
        for i, stand in enumerate(self.position.stands):
            facts = [fact for f, fact in enumerate(stand.facts) if (i, None, "fact", f) in keep]
            held = {fact.value for fact in facts if fact.kind == "has"}
            lacked = [f for f in facts if f.kind == "lacks" and f.value not in held]
            tokens = tuple(f"not:{fact.value}" for fact in lacked)
            slots = tuple(_slot(slot, i, j, keep, tokens) for j, slot in enumerate(stand.slots))
            others = tuple(fact for fact in facts if fact not in lacked)
            stands.append(msgspec.structs.replace(stand, slots=slots, facts=others))
        return msgspec.structs.replace(self.position, stands=tuple(stands))


def _slot(
    slot: Slot,
    i: int,
    j: int,
    keep: set[tuple[int, int | None, str, int]],
    lacked: tuple[str, ...],
) -> Slot:
    """Return the slot with only the claims in `keep`; "unsorted" is no claim and stays.

    `lacked`: tokens that replace the facts "lacks"; they apply to the hidden slots of the position.
    """
    tokens = (lacked if slot.state == "hidden" else ()) + tuple(
        token
        for t, token in enumerate(slot.tokens)
        if token == "unsorted" or (i, j, "token", t) in keep
    )
    if (i, j, "wire", 0) in keep or (slot.state == "hidden" and slot.wire is None):
        return msgspec.structs.replace(slot, tokens=tokens)
    return Slot(tokens=tokens)
