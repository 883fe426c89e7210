"""Kernel calls on the model of a deal: marginals, cuts, detectors and tokens, all exact.

What makes a deal too large (`size_error`): a plain stand has one state per number of wires placed.
Every unsorted wire doubles that, as does each fact about yellow or red, since it does not say which
wire it is; a multiplicity token that may lie on yellow counts the yellow wires. States of stands
multiply in products. All missions can be counted once the viewer's own stand is entered; before
that, all but the one with unsorted wires for five players. Tried without effect: counting a
product's moves before allocating them, and half as much memory again; five stands with an unsorted
wire each need about ten times that.

Two computations of one number may differ in its last bits: `snap_ties` makes numbers equal that
agree to 1e-11, so that ties are decided by the order of slots and never by rounding.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from math import comb, isnan, nan

from cluewise.core.work import Job, Progress
from cluewise.desks.rack.engine.encoding import ASK_DOUBT, DealModel
from cluewise.desks.rack.position import Position, TokenKind
from cluewise.desks.rack.stand import RED, YELLOW, wire_code
from cluewise.errors import Contradiction, MemoryHeld, TooLarge
from cluewise.kernel.call import Frame, kernel
from cluewise.kernel.layouts import RACK

WORK = 40 << 20
VALUES = RACK.VALUES
BY_COUNT, BY_NOTHING = 2, 3  # tokens of failed cuts; see rack.h
TOKEN_KINDS: dict[TokenKind, int] = {"standard": 0, "parity": 1, "multiplicity": BY_COUNT}
ELEMENTS = RACK.ELEMENTS  # most of one part
DETECTED = RACK.DETECTED
ONE_AND_MANY = {
    "unsorted": ("unsorted wire", "unsorted wires"),
    "times": ("1×2×3× token that may lie on yellow", "1×2×3× tokens that may lie on yellow"),
    "has": ("fact about a hidden yellow or red wire", "facts about hidden yellow or red wires"),
    "pairs": ("label between hidden wires", "labels between hidden wires"),
}
EQUAL = 1e-11
WEIGHED: tuple[TokenKind, ...] = ("standard", "parity")


@dataclass(frozen=True, slots=True)
class Chances:
    """`rows[element][layer]` in the order of the model's parts; `bits`: joint entropy."""

    bits: float
    arrangements: int
    rows: list[array[float]]


@contextmanager
def loaded(plan: DealModel) -> Iterator[tuple[Frame, tuple[int, int], tuple[int, int]]]:
    """Put the encoded deal and a work buffer into the kernel's memory.

    Raises TooLarge with the reason in the deal; MemoryHeld if other calls hold the memory.
    """
    try:
        with kernel().frame() as frame:
            encoded = frame.put(plan.encoded)
            work = frame.reserve(WORK)
            yield frame, (encoded, len(plan.encoded)), (work, WORK)
    except MemoryHeld:
        raise
    except TooLarge:
        raise TooLarge(size_error(plan), "$.stands") from None


def impossible() -> Contradiction:
    """Return the error of a position that no deal fits."""
    return Contradiction(f"No deal of the wires fits all that is known. {ASK_DOUBT}", "$.stands")


def chances(plan: DealModel, *, count: bool = True) -> Chances:
    """Compute exact chances of every unknown slot. Raises Contradiction if no deal fits."""
    layers = len(plan.codes)
    size = 4 + plan.elements * layers
    with loaded(plan) as (frame, deal, work):
        out = frame.reserve(8 * size)
        if not frame.call("rack_posterior", *deal, int(count), *work, out, size):
            raise impossible()
        low, high = frame.get(out + 8, "Q", 2)
        numbers = frame.get(out, "d", size)
    rows = [numbers[4 + e * layers : 4 + (e + 1) * layers] for e in range(plan.elements)]
    return Chances(numbers[0], low | high << 64, rows)


def possible(plan: DealModel) -> bool:
    """Return whether any deal fits."""
    try:
        chances(plan, count=False)
    except Contradiction:
        return False
    return True


@dataclass(frozen=True, slots=True)
class DualCut:
    """One dual cut by part, element and value."""

    part: int
    element: int
    value: int
    success: float
    red: float
    gain: float
    certain: bool


def dual_cuts(plan: DealModel, nameable: list[int], token_kind: int) -> list[DualCut]:
    """Compute every dual cut with a chance; `nameable[part]`: bit v if value v may be named.

    `token_kind`: the token of a failure: 0 the value, 1 its parity, 2 the number of its value.
    """
    limit = plan.elements * VALUES
    with loaded(plan) as (frame, deal, work):
        masks = frame.put(array("i", nameable))
        out = frame.reserve(8 * 7 * limit)
        count = frame.call("rack_cuts", *deal, masks, token_kind, *work, out, limit)
        if not count:
            raise impossible()
        rows = frame.get(out, "d", 7 * (count - 1))
    return [
        DualCut(int(r[0]), int(r[1]), int(r[2]), r[3], r[4], r[5], r[6] == 1)
        for r in (rows[i : i + 7] for i in range(0, len(rows), 7))
    ]


def joint_row(
    plan: DealModel, part: int, element: int, value: int, share: float, token_kind: int = 0
) -> array[float]:
    """Compute P(element = value and another = u), `[another * 15 + u]`.

    `share` is P(element = value); element -1: no condition. Four times as long if `token_kind` is
    BY_COUNT: see rack.h.
    """
    size = row_width(token_kind) * len(plan.parts[part].slots)
    with loaded(plan) as (frame, deal, work):
        out = frame.reserve(8 * size)
        frame.call(
            "rack_joint", *deal, part=part, element=element, value=value, token_kind=token_kind,
            share=share, work=work[0], bytes=work[1], joint=out, doubles=size,
        )  # fmt: skip
        return frame.get(out, "d", size)


@dataclass(frozen=True, slots=True)
class Detected:
    """Numbers of a detector; `gain` None if it is not counted."""

    success: float
    red: float
    gain: float | None


@dataclass(frozen=True, slots=True)
class Pair:
    """A double detector on two elements of a part."""

    first: int
    second: int
    value: int
    numbers: Detected


def row_width(token_kind: int) -> int:
    """Return how many numbers `joint_row` has per element."""
    return VALUES * (RACK.COPIES if token_kind == BY_COUNT else 1)


def doubles(
    elements: int, values: int, token_kind: int, chance: array[float], joint: array[float]
) -> list[Pair]:
    """Compute double detectors on every two elements of a part; `token_kind` as in `dual_cuts`.

    `chance`: the `joint_row` of element -1; `joint`: one per element and value, in that order.
    """
    most = elements * elements * 12
    with kernel().frame() as frame:
        at, tables = frame.put(chance), frame.put(joint)
        out = frame.reserve(8 * 6 * most)
        count = frame.call(
            "rack_doubles", elements, values, token_kind, at, len(chance), tables, out, most
        )
        rows = frame.get(out, "d", 6 * count)
    return [
        Pair(int(r[0]), int(r[1]), int(r[2]), Detected(r[3], r[4], r[5]))
        for r in (rows[i : i + 6] for i in range(0, len(rows), 6))
    ]


@dataclass(frozen=True, slots=True)
class DetectorCut:
    """A cut with a detector: a mask of elements of a part, the layer named, the token of a failure.

    `safe`, `match`: number of known wires pointed at: neither red nor of the value; of the value.
    """

    part: int
    pointed: int
    layer: int
    token_kind: int
    safe: int
    match: int


def detector(plan: DealModel, cut: DetectorCut, done: Progress) -> Job[Detected]:
    """Compute success, red and gain of any detector; yield `done` after each posterior."""
    state, reds, left = array("d", bytes(8 * DETECTED)), -1, 1
    while left:
        state, left = _add_posterior(plan, cut, state, reds)
        reds += 1
        yield done
    return Detected(state[0], state[1], state[2])


def detector_success(plan: DealModel, cut: DetectorCut) -> float:
    """Compute only the success of a detector, by one posterior."""
    return float(_add_posterior(plan, cut, array("d", bytes(8 * DETECTED)), -1)[0][0])


def _add_posterior(
    plan: DealModel, cut: DetectorCut, state: array[float], reds: int
) -> tuple[array[float], int]:
    """Return the sums of a detector after one more posterior, and how many are left."""
    with loaded(plan) as (frame, deal, work):
        at = frame.put(state)
        left = frame.call(
            "rack_detector", *deal, part=cut.part, pointed=cut.pointed, layer=cut.layer,
            token_kind=cut.token_kind, safe=cut.safe, match=cut.match, reds=reds,
            work=work[0], bytes=work[1], out=at,
        )  # fmt: skip
        if not left:
            raise impossible()
        return frame.get(at, "d", DETECTED), left - 1


def successes(
    plan: DealModel, part: int, layer: int, size: int
) -> list[tuple[tuple[int, ...], float]]:
    """Compute the success of a blue value at every set of 1 to 3 elements of a part, if not 0."""
    n = len(plan.parts[part].slots)
    most = max(1, comb(n, size))
    with loaded(plan) as (frame, deal, work):
        out = frame.reserve(8 * 4 * most)
        count = frame.call(
            "rack_successes", *deal, part=part, layer=layer, points=size,
            work=work[0], bytes=work[1], rows=out, most=most,
        )  # fmt: skip
        rows = frame.get(out, "d", 4 * count)
    return [
        (tuple(int(e) for e in rows[i : i + size]), rows[i + 3]) for i in range(0, len(rows), 4)
    ]


def indicate(plan: DealModel, extra: array[int]) -> tuple[list[float], list[array[float]]]:
    """Compute baselines by model and nine gains per element: by token, then by model."""
    elements = len(plan.parts[0].slots)
    size = 3 + 9 * elements
    with loaded(plan) as (frame, deal, work):
        more = frame.put(extra)
        out = frame.reserve(8 * size)
        if not frame.call("rack_indicate", *deal, more, len(extra), *work, out, size):
            raise Contradiction(f"This stand cannot be as it is given. {ASK_DOUBT}", "$.stands")
        numbers = frame.get(out, "d", size)
    gains = [numbers[3 + 9 * e : 12 + 9 * e] for e in range(elements)]
    return list(numbers[:3]), gains


def size_error(plan: DealModel) -> str:
    """Return why a deal is too large and what helps: its facts that tie wires, counted.

    Such as "43 wires are hidden on 4 stands, with 4 unsorted wires, 8 1×2×3× tokens …".
    """
    ties = count_ties(plan)
    stands = sum(part.stand is not None for part in plan.parts)
    hidden = f"{plan.elements} wires are hidden on {stands} stands"
    if not ties:
        return (
            f"Too much is unknown to count exactly: {hidden}. Enter your own wires, and those that "
            "are cut or shown."
        )
    named = ", ".join(f"{n} {ONE_AND_MANY[what][n > 1]}" for what, n in ties.items())
    return (
        f"Too many entries depend on each other to count exactly: {hidden}, with {named}. "
        "Leave out the least informative of these; every wire entered as yours, cut or shown helps "
        "too."
    )


def count_ties(plan: DealModel) -> dict[str, int]:
    """Count the facts of each kind that multiply the states of a stand."""
    yellow = plan.layers_of(YELLOW)
    found: Counter[str] = Counter()
    for part in plan.parts:
        found["times"] += sum(bool(e.times and e.mask & yellow) for e in part.elements)
        found["unsorted"] += part.unsorted
        found["pairs"] += len(part.pairs)
        found["has"] += (part.has >> YELLOW & 1) + (part.has >> RED & 1)
    return {what: found[what] for what in ONE_AND_MANY if found[what]}


def snap_ties(numbers: Sequence[float]) -> list[float]:
    """Return the numbers with each cluster of equal ones replaced by its least member."""
    order = sorted((n, i) for i, n in enumerate(numbers) if not isnan(n))
    result = list(numbers)
    first = float("-inf")
    for number, i in order:
        if number - first > EQUAL:
            first = number
        result[i] = first
    return [0.0 if abs(n) < EQUAL else n for n in result]


def encode_groups(
    position: Position, plan: DealModel, left: Counter[int], most_times: int = 3
) -> array[int]:
    """Encode the groups of the wires `left` and the group of each layer, for rack_indicate."""
    groups = [[wire_code(w) or 0 for w in g.of] for g in position.wires.groups]
    extra = array("i", [most_times, len(groups)])
    for group, members in zip(position.wires.groups, groups, strict=True):
        missing = sum(1 for code in members if not left[code])
        extra.extend((len(members) - missing, max(group.drawn - missing, 0)))
    for code in plan.codes:
        extra.append(next((g + 1 for g, m in enumerate(groups) if code in m), 0))
    return extra


def gains(plan: DealModel, extra: array[int], token: TokenKind) -> list[dict[int, float]]:
    """Compute bits of a standard or parity token by slot and wire, ties snapped: `[{10: 0.8}]`.

    Wires that are impossible in a slot, or cannot carry the token, are left out; all of them if the
    stand is impossible.
    """
    layers, elements = len(plan.codes), len(plan.parts[0].slots)
    size = layers * elements
    with loaded(plan) as (frame, deal, work):
        more, out = frame.put(extra), frame.reserve(8 * size)
        kind = WEIGHED.index(token)
        fits = frame.call(
            "rack_gains", *deal, extra=more, extras=len(extra), token=kind,
            work=work[0], bytes=work[1], gains=out, doubles=size,
        )  # fmt: skip
        snapped = snap_ties(frame.get(out, "d", size)) if fits else [nan] * size
    rows: list[dict[int, float]] = [{} for _ in range(elements)]
    for e, slot in enumerate(plan.parts[0].slots):
        row = zip(plan.codes, snapped[e * layers : (e + 1) * layers], strict=True)
        rows[slot] = {code: gain for code, gain in row if not isnan(gain)}
    return rows
