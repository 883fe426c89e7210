"""The verb `posterior`: the exact marginals of all hidden wires, and what the rules allow now."""

from __future__ import annotations

from cluewise.core.work import Job, Progress
from cluewise.desks.rack.engine.counting import Chances, chances
from cluewise.desks.rack.engine.encoding import DealModel
from cluewise.desks.rack.engine.token_convention import agreement, sentence
from cluewise.desks.rack.game.legal import unnameable
from cluewise.desks.rack.game.missions import asked, first_tokens, unmodelled
from cluewise.desks.rack.game.rules import Rules
from cluewise.desks.rack.game.stuck import deadlock_reason
from cluewise.desks.rack.position import Position
from cluewise.desks.rack.results import CutModel, Posterior, PosteriorOptions, StandChances
from cluewise.desks.rack.stand import wire_name

ASSUMED: dict[CutModel, str] = {
    "bayes": "All deals equally likely; wires were not shown for how many of their kind a holder "
    "has.",
    "tile-removal": "Shown wires leave the pool; the rest is dealt afresh (biased towards "
    "holders of several copies).",
}


def posterior(position: Position, options: PosteriorOptions) -> Job[Posterior]:
    """Compute the marginal of each slot, None if the viewer knows it: `[{"4": 0.5, "5": 0.5}]`.

    A wire has exactly 1.0 only if no other can stand there. Raises Contradiction if no deal fits,
    BadPosition if slots and wires in play do not match.
    """
    yield Progress(0, None, "counting deals")
    convention = agreement(position)
    plan = convention.pack(position, tile_removal=options.model == "tile-removal")
    found = chances(plan)
    stands = slot_chances(position, plan, found)
    rules = Rules(position)
    return Posterior(
        options.model,
        str(found.arrangements),
        found.bits,
        stands,
        ASSUMED[options.model] + sentence(position, convention),
        unmodelled(position),
        rules.equipment(),
        first_tokens(position),
        asked(position),
        rules.cards(),
        unnameable(rules),
        *deadlock_reason(rules, [stand.slots for stand in stands]),
    )


def slot_chances(position: Position, plan: DealModel, found: Chances) -> list[StandChances]:
    """Return the kernel's rows, one per unknown slot, by stand and slot."""
    slots: list[list[dict[str, float] | None]] = [[None] * len(s.slots) for s in position.stands]
    names = [wire_name(code) for code in plan.codes]
    element = 0
    for part in plan.parts:
        for slot in part.slots:
            row = found.rows[element]
            element += 1
            if part.stand is None:
                continue
            cell = {name: p for name, p in zip(names, row, strict=True) if p}
            slots[part.stand][slot] = cell if len(cell) > 1 else dict.fromkeys(cell, 1.0)
    return [StandChances(s) for s in slots]
