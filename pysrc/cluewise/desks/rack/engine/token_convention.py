"""Inference from first tokens under a convention: each player shows the most informative wire.

The gain of a standard or parity token depends only on its slot and the wire there. So "this slot
was the best one" is a constraint on every other slot by itself: wires that would have given more
bits are excluded there. This is exact, without enumerating or sampling hands. Ties share the
choice: a hand with n other slots as good weighs 1/(1 + n), which the automaton counts (TIED in
rack.h).

Gains are those of `indicate` (whole stand, true posterior, public information) when the token was
placed: wires in play and earlier tokens.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace

from cluewise.desks.rack.engine.counting import WEIGHED, encode_groups, gains, possible
from cluewise.desks.rack.engine.encoding import (
    MAX_PAIRS,
    DealModel,
    StandModel,
    pack,
    pack_one,
    viewer_knows,
)
from cluewise.desks.rack.game.missions import first_token, mission_of
from cluewise.desks.rack.position import LABELS, Agreed, Position, in_play
from cluewise.desks.rack.stand import Slot, Stand, value_number, wire_code
from cluewise.errors import Contradiction
from cluewise.kernel.layouts import RACK

CHOSEN = ("own_choice", "parity")


@dataclass(frozen=True, slots=True)
class Limits:
    """By slot of one stand: wires that would have given more bits, and wires with equal bits."""

    better: dict[int, set[int]]
    equal: dict[int, set[int]]


@dataclass(slots=True)
class TokenConvention:
    """The constraints of first tokens, by stand, and sentences on why others have none."""

    read: dict[int, Limits] = field(default_factory=dict)
    unread: list[str] = field(default_factory=list)

    def pack(self, position: Position, *, tile_removal: bool = False) -> DealModel:
        """Build the model of the deal with these constraints."""
        plan = pack(position, tile_removal=tile_removal)
        if not self.read:
            return plan
        parts = [
            part
            if part.stand not in self.read
            else apply_convention(part, plan, self.read[part.stand])
            for part in plan.parts
        ]
        return replace(plan, parts=parts)


def apply_convention(part: StandModel, plan: DealModel, limits: Limits) -> StandModel:
    """Return the model of a stand without the wires that would have been shown instead."""
    elements, ties = list(part.elements), []
    for e, slot in enumerate(part.slots):
        better, equal = limits.better.get(slot, set()), limits.equal.get(slot, set())
        gone = sum(1 << d for d, code in enumerate(plan.codes) if code in better)
        elements[e] = replace(elements[e], mask=elements[e].mask & ~gone)
        ties += [
            (e, d, int(RACK.TIED))
            for d, code in enumerate(plan.codes)
            if code in equal and elements[e].mask >> d & 1
        ]
    return replace(part, elements=elements, pairs=[*part.pairs, *ties])


def agreement(position: Position) -> TokenConvention:
    """Infer the constraints from the choice of a position's first tokens.

    Tokens that cannot have been chosen by the convention have none.
    """
    found = TokenConvention()
    if not position.agreed:
        return found
    for token in position.agreed:
        why = unread_reason(position, token)
        limits = None if why else infer_limits(position, token)
        if limits is None:
            found.unread += [why] if why else []
            continue
        why = convention_conflict(position, token, limits)
        if why:
            found.unread.append(why)
        else:
            found.read[token.stand] = limits
    return drop_contradictions(position, found)


def drop_contradictions(position: Position, found: TokenConvention) -> TokenConvention:
    """Drop constraints that no deal satisfies; all stay if no deal fits the table anyway."""
    if not found.read or _fits(position, found) or not _fits(position, TokenConvention()):
        return found
    alone = {s: one for s, one in found.read.items() if _fits(position, TokenConvention({s: one}))}
    for stand in found.read:
        if stand not in alone:
            shows = next(token.shows for token in position.agreed if token.stand == stand)
            found.unread.append(contradiction_text(position, stand, shows))
    consistent = TokenConvention(alone, found.unread)
    if _fits(position, consistent):
        return consistent
    together = "No deal fits all first tokens under the convention: each counts only for its value."
    return TokenConvention({}, [*found.unread, together])


def _fits(position: Position, found: TokenConvention) -> bool:
    try:
        return possible(found.pack(position))
    except Contradiction:
        return False


def stand_name(position: Position, stand: int) -> str:
    """Return the name of a stand: `"Ann"`, or `"Stand 2"`."""
    return position.stands[stand].name or f"Stand {stand + 1}"


def contradiction_text(position: Position, stand: int, shows: str) -> str:
    """Return the sentence for a token that contradicts the convention."""
    return (
        f"{stand_name(position, stand)}: no hand that fits would have shown {shows} there under "
        "the convention; that token counts only for its value."
    )


def unread_reason(position: Position, token: Agreed) -> str:
    """Return why the choice of a token is not used, one sentence; "" if it is."""
    owner = position.owner_of(token.stand)
    name = stand_name(position, token.stand)
    if position.token not in WEIGHED:
        return f"{name}: the choice of a 1×2×3× token is not read."
    if position.token == "parity" and any(code % 10 == 1 for code in in_play(position.wires)):
        return f"{name}: with yellow wires in play no parity token is weighed."
    mission = mission_of(position)
    players = len(position.seats())
    if mission and first_token(mission, owner, players, position.captain_card) not in CHOSEN:
        return f"{name}: the mission places this first token, no player chose it."
    if len(position.stands_of(owner)) > 1:
        return f"{name}: with two stands it is open which of them was weighed."
    if any("moved" in slot.tokens for slot in position.stands[token.stand].slots):
        return f"{name}: wires have moved since; that token counts only for its value."
    return ""


def infer_limits(position: Position, token: Agreed) -> Limits | None:
    """Compute what the choice of a token implies for its stand; None for the viewer's own."""
    if position.owner_of(token.stand) == position.viewer:
        return None
    left = Counter(in_play(position.wires))
    left.subtract(Counter(wire_code(name) or 0 for name in position.known_elsewhere))
    for earlier in position.agreed[: position.agreed.index(token)]:
        if position.token == "standard":
            left[10 * (value_number(earlier.shows) or 0)] -= 1
    before = without_tokens(position.stands[token.stand])
    plan = pack_one(before, token.stand, +left)
    table = gains(plan, encode_groups(position, plan, +left), position.token)
    here = {
        code: gain for code, gain in table[token.slot].items() if declares_value(code, token.shows)
    }
    gained = max(here.values(), default=-1.0)  # an impossible token: every wire gains more
    limits = Limits({token.slot: set(plan.codes) - set(here)}, {})
    for slot, row in enumerate(table):
        if slot != token.slot:
            limits.better[slot] = {code for code, gain in row.items() if gain > gained}
            limits.equal[slot] = {code for code, gain in row.items() if gain == gained}
    return limits


def declares_value(code: int, shows: str) -> bool:
    """Return whether a token shows the value or parity of a blue wire."""
    return shows == (str(code // 10) if shows.isdigit() else ("even", "odd")[code // 10 % 2])


def without_tokens(stand: Stand) -> Stand:
    """Return the stand before its first token: all wires unknown, unsorted ones in place."""
    bare = tuple(
        Slot(tokens=("unsorted",)) if "unsorted" in slot.tokens else Slot() for slot in stand.slots
    )
    return Stand(slots=bare)


def convention_conflict(position: Position, token: Agreed, limits: Limits) -> str:
    """Return why known wires contradict the choice of a token, or it cannot be counted; or ""."""
    knows, stand = viewer_knows(position), position.stands[token.stand]
    known = {j: code for j, slot in enumerate(stand.slots) if (code := knows(token.stand, slot))}
    ties = sum(len(codes) for j, codes in limits.equal.items() if j not in known)
    labels = sum(name in LABELS for slot in stand.slots for name in slot.tokens)
    tied = sum(code in limits.equal.get(j, ()) for j, code in known.items())
    if any(code in limits.better.get(j, ()) for j, code in known.items()):
        return contradiction_text(position, token.stand, token.shows)
    if (tied and ties) or ties + labels >= MAX_PAIRS:
        return (
            f"{stand_name(position, token.stand)}: too many wires would have been as informative; "
            "that token counts only for its value."
        )
    return ""


def sentence(position: Position, found: TokenConvention) -> str:
    """Return sentences on what the numbers assume beyond the deal; "" without a convention."""
    if not position.agreed:
        return ""
    names = [stand_name(position, stand) for stand in found.read]
    lead = (
        f" The choice of first tokens is read ({', '.join(names)}): by your table's rule each lies "
        "where it tells most."
        if names
        else ""
    )
    return lead + "".join(f" {why}" for why in found.unread)
