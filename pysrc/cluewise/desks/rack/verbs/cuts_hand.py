"""The viewer's turn: own wires, what may be pointed at, and marginals for all cuts."""

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
    """What the viewer holds, knows and may point at; `plan`: the deal as the viewer sees it."""

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
        """Return the value of an own wire, None if it is not entered."""
        return held_value(self.position.stands[place[0]].slots[place[1]])

    def may_point(self, action: str, stand: int, slot: int) -> bool:
        """Return whether the viewer may point at the slot with this action."""
        if (action, stand) not in self._reach:
            if self.position.owner_of(stand) != self.position.viewer:
                slots = reachable(self.rules, stand, action)
            else:
                slots = turned_away(self.rules, stand) if action == "dual" else []
            self._reach[action, stand] = set(slots)
        return slot in self._reach[action, stand]

    def targets(self) -> Iterator[tuple[int, int]]:
        """Yield the parts that are teammates' stands: `(part, stand)`."""
        for p, part in enumerate(self.plan.parts):
            stand = part.stand
            if stand is not None and self.position.owner_of(stand) != self.position.viewer:
                yield p, stand

    def own_turned(self) -> list[tuple[int, int]]:
        """Return the parts that are own stands with a wire turned away from the viewer."""
        return [
            (p, part.stand)
            for p, part in enumerate(self.plan.parts)
            if part.stand is not None
            and self.position.owner_of(part.stand) == self.position.viewer
            and turned_away(self.rules, part.stand)
        ]

    def pointed_elements(self, part: int, action: str) -> list[int]:
        """Return the elements of a stand that an action may point at."""
        model = self.plan.parts[part]
        assert model.stand is not None
        return [
            e for e, slot in enumerate(model.slots) if self.may_point(action, model.stand, slot)
        ]

    def known_targets(self, action: str, stand: int | None = None) -> list[tuple[int, int, int]]:
        """Return wires that an action may point at and the viewer knows: stand, slot, value."""
        unknown = {(part.stand, slot) for part in self.plan.parts for slot in part.slots}
        stands = range(len(self.position.stands)) if stand is None else (stand,)
        return [
            (i, j, value)
            for i in stands
            for j in range(len(self.position.stands[i].slots))
            if self.may_point(action, i, j)
            and (i, j) not in unknown
            and (value := known_value(self.position, (i, j))) is not None
        ]

    def by_value(self, part: int, element: int) -> list[float]:
        """Return the chances of an element by value, 15 numbers."""
        result = [0.0] * counting.VALUES
        row = self.chances.rows[self.first[part] + element]
        for value, p in zip(self.plan.counts_as, row, strict=True):
            result[value] += p
        return result

    def token_kind(self, stand: int) -> int:
        """Return the kind of a failure's token at a stand, as in rack.h."""
        if self.position.owner_of(stand) in self._silent:
            return counting.BY_NOTHING
        return counting.TOKEN_KINDS[self.position.token]

    def dual_rows(self, values: int) -> list[counting.DualCut]:
        """Compute every plain cut at an unknown wire with a chance, for a mask of values.

        Own turned wires are included: a failure at one of them ends the game.
        """
        found = []
        if own := dict(self.own_turned()):
            nameable = [values if p in own else 0 for p in range(len(self.plan.parts))]
            found += counting.dual_cuts(self.plan, nameable, counting.BY_NOTHING)
        for token_kind in sorted({self.token_kind(stand) for _, stand in self.targets()}):
            nameable = [0] * len(self.plan.parts)
            for p, stand in self.targets():
                nameable[p] = values if self.token_kind(stand) == token_kind else 0
            found += counting.dual_cuts(self.plan, nameable, token_kind)
        return found

    def has_exact_gain(self, part: int, elements: Iterable[int]) -> bool:
        """Return whether gains are exact: not if a token may count yellow wires."""
        stand = self.plan.parts[part].stand
        return self.token_kind(stand or 0) != counting.BY_COUNT or not any(
            self.by_value(part, e)[YELLOW] for e in elements
        )

    def named_gain(self, part: int, element: int, named: tuple[int, ...]) -> float | None:
        """Compute the bits of naming several values at one element; None with counting tokens."""
        kind = self.token_kind(self.plan.parts[part].stand or 0)
        if kind == counting.BY_COUNT:
            return None
        row = self.chances.rows[self.first[part] + element]
        masses: dict[tuple[str, int], float] = {}
        for code, value, p in zip(self.plan.codes, self.plan.counts_as, row, strict=True):
            token = ("value", value)
            if kind == counting.BY_NOTHING and value != RED:
                token = ("nothing", 0)
            elif kind == counting.TOKEN_KINDS["parity"] and value < YELLOW:
                token = ("parity", value % 2)
            answer = ("wire", code) if value in named else token
            masses[answer] = masses.get(answer, 0.0) + p
        return fsum(information(p) for p in masses.values())


def information(p: float) -> float:
    """Return -p log2 p, 0 for 0."""
    return -p * log2(p) if p > 0 else 0.0
