"""When a table is impossible: a smallest set of facts that cannot all hold, with their places.

The facts are the shown wires, the tokens, what is said of a stand, and the viewer's own wires.
Wires in play and the sizes of the stands are taken as given. Leaving a shown wire out leaves its
slot unknown, so fewer facts always fit more deals.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from cluewise.core.desk import NoOptions
from cluewise.core.work import Job, Progress
from cluewise.desks.rack.engine import counting
from cluewise.desks.rack.engine.packing import pack, viewer_knows
from cluewise.desks.rack.position import MOST_SLOTS, Position, Slot, Stand, dealt
from cluewise.desks.rack.results import Doubt, Suspect
from cluewise.errors import Contradiction

MOST_TESTS = 1500


@dataclass(frozen=True, slots=True)
class Claim:
    """One fact and where it stands; `slot` None for what is said of a whole stand."""

    stand: int
    slot: int | None
    kind: str  # wire, token, fact
    index: int
    text: str

    @property
    def where(self) -> str:
        """Its JSON path."""
        if self.kind == "fact":
            return f"$.stands[{self.stand}].facts[{self.index}]"
        place = f"$.stands[{self.stand}].slots[{self.slot}]"
        return f"{place}.tokens[{self.index}]" if self.kind == "token" else place


def doubt(position: Position, options: NoOptions) -> Job[Doubt]:
    """A smallest set of facts that cannot all hold: `[]` when a deal fits.

    Of least size unless `proved` is false, when the search was cut short.
    """
    yield Progress(0, None, "looking for what cannot be")
    slots = sum(len(stand.slots) for stand in position.stands)
    sizes = _sizes(position, slots)
    if sizes:  # the other wires lie on stands that are not given: let one more stand hold them
        position = _with_the_rest(position, slots)
    search = Search(position, claims_of(position))
    everything = list(range(len(search.claims)))
    if search.holds(everything):
        return Doubt(False, [], True, sizes)
    small = yield from _minimal(search, everything)
    small, proved = yield from _least(search, everything, small)
    return Doubt(True, [_suspect(search.claims[i]) for i in sorted(small)], proved, sizes)


def _suspect(claim: Claim) -> Suspect:
    return Suspect(claim.where, claim.stand, claim.slot, claim.text)


def _sizes(position: Position, slots: int) -> str:
    wires = dealt(position.wires) - len(position.known_elsewhere)
    if slots == wires or not slots:
        return ""
    return f"{wires} wires are to be placed, but the stands have {slots} slots."


def _with_the_rest(position: Position, slots: int) -> Position:
    """Unmodelled wires on extra stands: a sorted row of anything holds whatever is left."""
    missing = dealt(position.wires) - len(position.known_elsewhere) - slots
    if missing <= 0:
        return position
    heap = []
    while missing > 0:
        size = min(missing, MOST_SLOTS)
        heap.append(_heap(size))
        missing -= size
    return msgspec.structs.replace(position, stands=(*position.stands, *heap))


def _heap(size: int) -> Stand:
    return Stand(slots=(Slot(),) * size, owner=7)


def claims_of(position: Position) -> list[Claim]:
    """Every fact that could be wrong, slot by slot."""
    knows = viewer_knows(position)
    found = []
    for i, stand in enumerate(position.stands):
        for j, slot in enumerate(stand.slots):
            if knows(i, slot) is not None or slot.value is not None:
                mine = position.owner_of(i) == position.viewer
                text = f"{slot.wire or slot.value} {_how(slot, mine)}"
                found.append(Claim(i, j, "wire", 0, text))
            for t, token in enumerate(slot.tokens):
                if token != "unsorted":
                    found.append(Claim(i, j, "token", t, f"token {token}"))
        for f, fact in enumerate(stand.facts):
            found.append(Claim(i, None, "fact", f, f"{fact.kind} {fact.value}"))
    return found


def _how(slot: Slot, mine: bool) -> str:
    hidden = "is yours" if mine else "is known to you"
    return {"cut": "is cut", "info": "is shown", "hidden": hidden}[slot.state]


class Search:
    """Which sets of claims fit some deal; answers are remembered."""

    def __init__(self, position: Position, claims: list[Claim]) -> None:
        self.position, self.claims = position, claims
        self.tests = 0
        self._known: dict[frozenset[int], bool] = {}

    def holds(self, chosen: Sequence[int]) -> bool:
        """Whether some deal fits those claims."""
        key = frozenset(chosen)
        if key not in self._known:
            self.tests += 1
            self._known[key] = self._possible(self._only(key))
        return self._known[key]

    def _possible(self, position: Position) -> bool:
        try:
            return counting.possible(pack(position))
        except Contradiction:
            return False

    def _only(self, chosen: frozenset[int]) -> Position:
        keep = {
            (c.stand, c.slot, c.kind, c.index) for i, c in enumerate(self.claims) if i in chosen
        }
        stands = []
        for i, stand in enumerate(self.position.stands):
            slots = tuple(_slot(slot, i, j, keep) for j, slot in enumerate(stand.slots))
            facts = tuple(
                fact for f, fact in enumerate(stand.facts) if (i, None, "fact", f) in keep
            )
            stands.append(msgspec.structs.replace(stand, slots=slots, facts=facts))
        return msgspec.structs.replace(self.position, stands=tuple(stands))


def _slot(slot: Slot, i: int, j: int, keep: set[tuple[int, int | None, str, int]]) -> Slot:
    """The slot with those of its claims that are kept; a place that is unsorted stays so."""
    tokens = tuple(
        token
        for t, token in enumerate(slot.tokens)
        if token == "unsorted" or (i, j, "token", t) in keep
    )
    if (i, j, "wire", 0) in keep or (slot.state == "hidden" and slot.wire is None):
        return msgspec.structs.replace(slot, tokens=tokens)
    return Slot(tokens=tokens)


def _minimal(search: Search, claims: list[int]) -> Job[list[int]]:
    """A conflict that is none without any one of its claims: halves go first, then single ones."""
    size = len(claims)
    while size > 1:
        size = (size + 1) // 2
        for begin in range(0, len(claims), size):
            yield Progress(search.tests, None, "looking for what cannot be")
            rest = claims[:begin] + claims[begin + size :]
            if rest and not search.holds(rest):
                claims = rest
                break
    for claim in list(claims):
        yield Progress(search.tests, None, "looking for what cannot be")
        rest = [c for c in claims if c != claim]
        if not search.holds(rest):
            claims = rest
    return claims


def _least(search: Search, claims: list[int], best: list[int]) -> Job[tuple[list[int], bool]]:
    """A conflict of least size: each one meets every set of claims whose removal helps."""
    needed: list[frozenset[int]] = []
    while True:
        candidate = next(
            (s for n in range(len(best)) if (s := _hitting(needed, n)) is not None), None
        )
        if candidate is None:
            return best, True
        if not search.holds(candidate):
            return candidate, True
        grown = list(candidate)
        for claim in claims:
            yield Progress(search.tests, None, "looking for a smaller set")
            if claim not in grown and search.holds([*grown, claim]):
                grown.append(claim)
            if search.tests > MOST_TESTS:
                return best, False
        needed.append(frozenset(claims) - frozenset(grown))


def _hitting(sets: list[frozenset[int]], size: int) -> list[int] | None:
    """A set of at most `size` claims that meets every one of the sets."""
    first = min(sets, key=len, default=None)
    if first is None:
        return []
    if not size:
        return None
    for claim in sorted(first):
        rest = _hitting([s for s in sets if claim not in s], size - 1)
        if rest is not None:
            return sorted([claim, *rest])
    return None
