"""The viewer's turn: her wires, and the chances that every cut reads from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import fsum, log2

from cluewise.desks.rack.engine import counting
from cluewise.desks.rack.engine.encoding import DealModel
from cluewise.desks.rack.game.legal import (
    Place,
    cuttable,
    held_value,
    known_value,
    reachable,
    turned_away,
)
from cluewise.desks.rack.game.rules import Rules
from cluewise.desks.rack.position import Position
from cluewise.desks.rack.stand import RED, YELLOW


class PlayerView:
    """What the viewer holds, may point at and knows; `plan` is the position as she sees it."""

    def __init__(self, position: Position, plan: DealModel) -> None:
        self.position, self.plan = position, plan
        self.chances = counting.chances(plan, count=False)
        self.rules = Rules(position)
        self._silent = {p for p in position.seats() if self.rules.lays_nothing(p)}
        self.own = cuttable(self.rules, position.viewer)
        values = [self.own_value(place) for place in self.own]
        self.held = {v for v in values if v is not None}
        self.first = [0]
        for part in plan.parts:
            self.first.append(self.first[-1] + len(part.slots))
        self._reach: dict[tuple[str, int], set[int]] = {}

    def own_value(self, place: Place) -> int | None:
        """The value of one of the viewer's own wires, None where it is not given."""
        return held_value(self.position.stands[place[0]].slots[place[1]])

    def may_point(self, action: str, stand: int, slot: int) -> bool:
        """Whether the viewer may point at the slot, with that equipment."""
        if (action, stand) not in self._reach:
            if self.position.owner_of(stand) != self.position.viewer:
                slots = reachable(self.rules, stand, action)
            else:
                slots = turned_away(self.rules, stand) if action == "dual" else []
            self._reach[action, stand] = set(slots)
        return slot in self._reach[action, stand]

    def targets(self) -> Iterator[tuple[int, int]]:
        """Parts that are teammates' stands: `(part, stand)`."""
        for p, part in enumerate(self.plan.parts):
            stand = part.stand
            if stand is not None and self.position.owner_of(stand) != self.position.viewer:
                yield p, stand

    def own_turned(self) -> list[tuple[int, int]]:
        """Parts that are the viewer's own stands, where a wire is turned away from her."""
        return [
            (p, part.stand)
            for p, part in enumerate(self.plan.parts)
            if part.stand is not None
            and self.position.owner_of(part.stand) == self.position.viewer
            and turned_away(self.rules, part.stand)
        ]

    def pointed_elements(self, part: int, action: str) -> list[int]:
        """The elements of a stand that an action may point at."""
        packed = self.plan.parts[part]
        assert packed.stand is not None
        return [
            e for e, slot in enumerate(packed.slots) if self.may_point(action, packed.stand, slot)
        ]

    def known_targets(self, action: str, stand: int | None = None) -> list[tuple[int, int, int]]:
        """Wires an action may point at and the viewer knows exactly: stand, slot, value."""
        open_slots = {(part.stand, slot) for part in self.plan.parts for slot in part.slots}
        stands = range(len(self.position.stands)) if stand is None else (stand,)
        return [
            (i, j, value)
            for i in stands
            for j in range(len(self.position.stands[i].slots))
            if self.may_point(action, i, j)
            and (i, j) not in open_slots
            and (value := known_value(self.position, (i, j))) is not None
        ]

    def by_value(self, part: int, element: int) -> list[float]:
        """Chances of an element by value, 15 numbers."""
        result = [0.0] * counting.VALUES
        row = self.chances.rows[self.first[part] + element]
        for value, p in zip(self.plan.counts_as, row, strict=True):
            result[value] += p
        return result

    def token_kind(self, stand: int) -> int:
        """What a failed cut at a stand lays, as the kernel numbers it."""
        if self.position.owner_of(stand) in self._silent:
            return counting.BY_NOTHING
        return counting.TOKEN_KINDS[self.position.token]

    def dual_rows(self, values: int) -> list[counting.DualCut]:
        """Every plain cut at an unknown wire with a chance, for a mask of values.

        A teammate's, or one's own that is turned away: a failure at that one ends the game.
        """
        found = []
        if own := dict(self.own_turned()):
            ask = [values if p in own else 0 for p in range(len(self.plan.parts))]
            found += counting.dual_cuts(self.plan, ask, counting.BY_NOTHING)
        for token_kind in sorted({self.token_kind(stand) for _, stand in self.targets()}):
            ask = [0] * len(self.plan.parts)
            for p, stand in self.targets():
                ask[p] = values if self.token_kind(stand) == token_kind else 0
            found += counting.dual_cuts(self.plan, ask, token_kind)
        return found

    def tokens_count(self, part: int, elements: Iterable[int]) -> bool:
        """Whether what a token says there is counted exactly: a number of yellow wires is not."""
        stand = self.plan.parts[part].stand
        return self.token_kind(stand or 0) != counting.BY_COUNT or not any(
            self.by_value(part, e)[YELLOW] for e in elements
        )

    def named_gain(self, part: int, element: int, named: tuple[int, ...]) -> float | None:
        """Bits of naming several values at one element: the wire, else what the token says."""
        kind = self.token_kind(self.plan.parts[part].stand or 0)
        if kind == counting.BY_COUNT:
            return None
        row = self.chances.rows[self.first[part] + element]
        masses: dict[tuple[str, int], float] = {}
        for code, called, p in zip(self.plan.codes, self.plan.counts_as, row, strict=True):
            failed = ("value", called)
            if kind == counting.BY_NOTHING and called != RED:
                failed = ("nothing", 0)
            elif kind == counting.TOKEN_KINDS["parity"] and called < YELLOW:
                failed = ("parity", called % 2)
            outcome = ("wire", code) if called in named else failed
            masses[outcome] = masses.get(outcome, 0.0) + p
        return fsum(information(p) for p in masses.values())


def information(p: float) -> float:
    """-p log2 p, 0 for 0."""
    return -p * log2(p) if p > 0 else 0.0
