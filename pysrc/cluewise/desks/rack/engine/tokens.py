"""What a token would tell of one stand: the words the kernel needs beyond the stand's plan."""

from __future__ import annotations

from array import array
from collections import Counter
from math import isnan, nan

from cluewise.desks.rack.engine.counting import loaded
from cluewise.desks.rack.engine.encoding import DealModel
from cluewise.desks.rack.engine.rounding import snap_ties
from cluewise.desks.rack.position import Position, TokenKind
from cluewise.desks.rack.wires import wire_code

WEIGHED: tuple[TokenKind, ...] = ("standard", "parity")


def extra_words(
    position: Position, plan: DealModel, left: Counter[int], most_times: int = 3
) -> array[int]:
    """Groups of the wires `left` and which of them each layer is of, as rack_indicate has them."""
    groups = [[wire_code(w) or 0 for w in g.of] for g in position.wires.groups]
    extra = array("i", [most_times, len(groups)])
    for group, members in zip(position.wires.groups, groups, strict=True):
        missing = sum(1 for code in members if not left[code])
        extra.extend((len(members) - missing, max(group.drawn - missing, 0)))
    for code in plan.codes:
        extra.append(next((g + 1 for g, m in enumerate(groups) if code in m), 0))
    return extra


def gains(plan: DealModel, extra: array[int], token: TokenKind) -> list[dict[int, float]]:
    """Bits of a standard or parity token by slot and wire, equal ones made equal: `[{10: 0.8}]`.

    Wires that cannot stand in a slot, or cannot carry the token, are left out there; all of them
    where the stand cannot be.
    """
    layers, elements = len(plan.codes), len(plan.parts[0].slots)
    size = layers * elements
    with loaded(plan) as (frame, words, work):
        more, out = frame.put(extra), frame.reserve(8 * size)
        kind = WEIGHED.index(token)
        fits = frame.call(
            "rack_gains", *words, extra=more, extras=len(extra), token=kind,
            work=work[0], bytes=work[1], gains=out, doubles=size,
        )  # fmt: skip
        even = snap_ties(frame.get(out, "d", size)) if fits else [nan] * size
    found: list[dict[int, float]] = [{} for _ in range(elements)]
    for e, slot in enumerate(plan.parts[0].slots):
        row = zip(plan.codes, even[e * layers : (e + 1) * layers], strict=True)
        found[slot] = {code: gain for code, gain in row if not isnan(gain)}
    return found
