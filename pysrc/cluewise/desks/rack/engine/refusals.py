"""What makes a table too large for the kernel, in words a player can act on.

A plain stand has one state for each number of wires placed. Every unsorted wire doubles that; so
does each fact about yellow or red, since which of those wires it is stays open; a multiplicity
token that may lie on yellow has them counted. Joined stands multiply. Every mission is counted
once one's own stand is filled in; before that, all but the one with unsorted wires for five.

Tried without effect: counting a product's moves exactly before room is taken for them, and half
as much room again; five stands with an unsorted wire each need some ten times what there is.
"""

from __future__ import annotations

from collections import Counter

from cluewise.desks.rack.engine.encoding import DealModel
from cluewise.desks.rack.wires import RED, YELLOW

ONE_AND_MANY = {
    "unsorted": ("unsorted wire", "unsorted wires"),
    "times": ("1×2×3× token that may lie on yellow", "1×2×3× tokens that may lie on yellow"),
    "has": ("fact about a hidden yellow or red wire", "facts about hidden yellow or red wires"),
    "pairs": ("label between hidden wires", "labels between hidden wires"),
}


def entangled(plan: DealModel) -> str:
    """Why the kernel refuses a plan, and what helps: the things that tie wires together, counted.

    Such as "43 wires are hidden on 4 stands, with 4 unsorted wires, 8 1×2×3× tokens …".
    """
    found = ties(plan)
    stands = sum(part.stand is not None for part in plan.parts)
    hidden = f"{plan.elements} wires are hidden on {stands} stands"
    if not found:
        return (
            f"Too much is unknown to count exactly: {hidden}. Enter your own wires, and those that "
            "are cut or shown."
        )
    named = ", ".join(f"{n} {ONE_AND_MANY[what][n > 1]}" for what, n in found.items())
    return (
        f"Too many entries depend on each other to count exactly: {hidden}, with {named}. "
        "Leave out some of these, those that tell least; every wire entered as yours, cut or "
        "shown helps too."
    )


def ties(plan: DealModel) -> dict[str, int]:
    """How many there are of each thing that multiplies the states of a stand."""
    yellow = plan.layers_of(YELLOW)
    found: Counter[str] = Counter()
    for part in plan.parts:
        found["times"] += sum(bool(e.times and e.mask & yellow) for e in part.elements)
        found["unsorted"] += part.unsorted
        found["pairs"] += len(part.pairs)
        found["has"] += (part.has >> YELLOW & 1) + (part.has >> RED & 1)
    return {what: found[what] for what in ONE_AND_MANY if found[what]}
