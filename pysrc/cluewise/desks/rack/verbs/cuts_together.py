"""Several wires of one value cut at once, wherever they stand: likely sets of slots.

The chance that a set of slots all hold the value is a product of conditional chances, one
posterior each, and exact. Sets grow slot by slot from the likeliest parts; that a likelier set
was passed over cannot be excluded.
"""

from __future__ import annotations

from math import fsum

import msgspec

from cluewise.core.work import Job, Progress
from cluewise.desks.rack.engine import counting
from cluewise.desks.rack.engine.token_convention import TokenConvention
from cluewise.desks.rack.game.legal import Place, known_value
from cluewise.desks.rack.game.table_edits import replace_slot
from cluewise.desks.rack.position import Position
from cluewise.desks.rack.results import Cut
from cluewise.desks.rack.verbs.cuts_hand import PlayerView
from cluewise.desks.rack.wires import VALUE_NAMES

MOST_SETS = 6
WIDTH = 24  # parts of sets that are widened: so many posteriors a wire more


def multi_cuts(hand: PlayerView, chosen: TokenConvention) -> Job[list[Cut]]:
    """Likely sets for the mission's cut of several wires at once; [] where it has none."""
    special = hand.rules.together
    if special is None or hand.rules.action_fault("together", hand.position.viewer):
        return []
    search = MultiCutSearch(hand.position, chosen, special.value, special.count)
    found = yield from search.run()
    cuts = []
    for places, chance in found:
        stand = places[0][0]
        cuts.append(
            Cut(
                "together",
                stand,
                [j for i, j in places if i == stand],
                VALUE_NAMES[special.value],
                chance,
                1 - chance if special.explodes else 0.0,
                None if chance < 1 else 0.0,
                chance == 1,
                [place for place in places if place[0] != stand],
            )
        )
    return cuts


class MultiCutSearch:
    """Sets of uncut slots that may all hold a value, found by widening the likeliest parts."""

    def __init__(self, position: Position, chosen: TokenConvention, value: int, size: int) -> None:
        self.position, self.chosen, self.value, self.size = position, chosen, value, size

    def run(self) -> Job[list[tuple[tuple[Place, ...], float]]]:
        """Up to MOST_SETS of them, likeliest first, each with its exact chance."""
        beam: dict[tuple[Place, ...], float] = {(): 1.0}
        for size in range(self.size):
            wider: dict[tuple[Place, ...], float] = {}
            for chosen, share in beam.items():
                yield Progress(size, self.size, "wires cut together")
                for place, chance in self._given(chosen).items():
                    if chance > 0:
                        wider[tuple(sorted((*chosen, place)))] = share * chance
            best = sorted(wider.items(), key=lambda item: (-item[1], item[0]))
            beam = dict(best[:WIDTH])
        return list(beam.items())[:MOST_SETS]

    def _given(self, chosen: tuple[Place, ...]) -> dict[Place, float]:
        """The chance of the value in each other uncut slot, if the chosen ones hold it."""
        position = self.position
        for place in chosen:
            position = self._with(position, place)
        plan = self.chosen.pack(position)
        found: dict[Place, float] = {}
        rows = iter(counting.chances(plan, count=False).rows)
        for part in plan.parts:
            for slot, row in zip(part.slots, rows, strict=False):
                if part.stand is not None:
                    pairs = zip(row, plan.values, strict=True)
                    found[part.stand, slot] = fsum(p for p, v in pairs if v == self.value)
        for i, stand in enumerate(position.stands):
            for j, one in enumerate(stand.slots):
                if one.state == "cut":
                    found.pop((i, j), None)
                elif (i, j) not in found and known_value(position, (i, j)) == self.value:
                    found[i, j] = 1.0
        return {place: chance for place, chance in found.items() if place not in chosen}

    def _with(self, position: Position, place: Place) -> Position:
        """The position with the value in a slot that stays hidden: all other values are denied."""
        if known_value(position, place) is not None:
            return position
        slot = position.stands[place[0]].slots[place[1]]
        others = tuple(f"not:{v}" for v in VALUE_NAMES[1:] if v != VALUE_NAMES[self.value])
        return replace_slot(position, *place, msgspec.structs.replace(
            slot, tokens=(*slot.tokens, *others)))  # fmt: skip
