"""Calls into the kernel: chances, cuts, detectors, indications.

Each function takes a packed plan and gives plain numbers back; none knows JSON.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from math import comb

from cluewise.core.work import Job, Progress
from cluewise.desks.rack.engine.encoding import ASK_DOUBT, DealModel
from cluewise.desks.rack.engine.refusals import entangled
from cluewise.desks.rack.position import TokenKind
from cluewise.errors import Contradiction, MemoryHeld, TooLarge
from cluewise.kernel.call import Frame, kernel
from cluewise.kernel.layouts import RACK

WORK = 40 << 20
VALUES = RACK.VALUES
BY_COUNT, BY_NOTHING = 2, 3  # what a failed cut lays; see rack.h
TOKEN_KINDS: dict[TokenKind, int] = {"standard": 0, "parity": 1, "multiplicity": BY_COUNT}
ELEMENTS = RACK.ELEMENTS  # of one part, at most
DETECTED = RACK.DETECTED


@dataclass(frozen=True, slots=True)
class Chances:
    """`rows[element][layer]` in the order of the plan's parts; `bits`: joint entropy."""

    bits: float
    arrangements: int
    rows: list[array[float]]


@contextmanager
def loaded(plan: DealModel) -> Iterator[tuple[Frame, tuple[int, int], tuple[int, int]]]:
    """The plan's words and a work buffer in the kernel's memory.

    Raises TooLarge with what it is that makes the plan so; MemoryHeld where it is not the plan.
    """
    try:
        with kernel().frame() as frame:
            words = frame.put(plan.words)
            work = frame.reserve(WORK)
            yield frame, (words, len(plan.words)), (work, WORK)
    except MemoryHeld:
        raise
    except TooLarge:
        raise TooLarge(entangled(plan), "$.stands") from None


def impossible() -> Contradiction:
    """The error of a position that no deal fits."""
    return Contradiction(f"No deal of the wires fits all that is known. {ASK_DOUBT}", "$.stands")


def chances(plan: DealModel, *, count: bool = True) -> Chances:
    """Exact chances of every unknown slot; Contradiction when no deal fits."""
    layers = len(plan.codes)
    size = 4 + plan.elements * layers
    with loaded(plan) as (frame, words, work):
        out = frame.reserve(8 * size)
        if not frame.call("rack_posterior", *words, int(count), *work, out, size):
            raise impossible()
        low, high = frame.get(out + 8, "Q", 2)
        numbers = frame.get(out, "d", size)
    rows = [numbers[4 + e * layers : 4 + (e + 1) * layers] for e in range(plan.elements)]
    return Chances(numbers[0], low | high << 64, rows)


def possible(plan: DealModel) -> bool:
    """Whether any deal fits."""
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


def dual_cuts(plan: DealModel, ask: list[int], token_kind: int) -> list[DualCut]:
    """Every dual cut with a chance; `ask[part]` has bit v set where value v may be named.

    `token_kind`: what a failed cut lays: 0 the value, 1 even or odd, 2 how many of the value.
    """
    most = plan.elements * VALUES
    with loaded(plan) as (frame, words, work):
        asked = frame.put(array("i", ask))
        out = frame.reserve(8 * 7 * most)
        count = frame.call("rack_cuts", *words, asked, token_kind, *work, out, most)
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
    """P(element = value and another = u), `[another * 15 + u]`; `share` = P(element = value).

    Where tokens count (`token_kind` BY_COUNT), four times as long: see rack.h.
    Of element -1 the chances alone.
    """
    size = wide(token_kind) * len(plan.parts[part].slots)
    with loaded(plan) as (frame, words, work):
        out = frame.reserve(8 * size)
        frame.call(
            "rack_joint", *words, part=part, element=element, value=value, token_kind=token_kind,
            share=share, work=work[0], bytes=work[1], joint=out, doubles=size,
        )  # fmt: skip
        return frame.get(out, "d", size)


@dataclass(frozen=True, slots=True)
class Detected:
    """Numbers of a detector; `gain` None where it is not counted."""

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


def wide(token_kind: int) -> int:
    """Doubles an element in a row of `joint_row`."""
    return VALUES * (RACK.COPIES if token_kind == BY_COUNT else 1)


def doubles(
    elements: int, values: int, token_kind: int, chance: array[float], joint: array[float]
) -> list[Pair]:
    """Double detectors on every two elements of one part; `token_kind` as in `dual_cuts`.

    `chance`: the `joint_row` of element -1; `joint`: one an element and value, in their order.
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
class Question:
    """A detector: a mask of elements of a part, the layer named, what a failure lays.

    `safe` and `match` count known wires pointed at too: neither red nor of the value; of it.
    """

    part: int
    pointed: int
    layer: int
    token_kind: int
    safe: int
    match: int


def detector(plan: DealModel, asked: Question, done: Progress) -> Job[Detected]:
    """Success, red and gain of any detector; `done` after each posterior."""
    state, reds, left = array("d", bytes(8 * DETECTED)), -1, 1
    while left:
        state, left = _posterior_of(plan, asked, state, reds)
        reds += 1
        yield done
    return Detected(state[0], state[1], state[2])


def detected(plan: DealModel, asked: Question) -> float:
    """Success alone of a detector, by one posterior."""
    return float(_posterior_of(plan, asked, array("d", bytes(8 * DETECTED)), -1)[0][0])


def _posterior_of(
    plan: DealModel, asked: Question, state: array[float], reds: int
) -> tuple[array[float], int]:
    """The state of a detector after one more posterior, and how many are left."""
    with loaded(plan) as (frame, words, work):
        at = frame.put(state)
        left = frame.call(
            "rack_detector", *words, part=asked.part, pointed=asked.pointed,
            layer=asked.layer, token_kind=asked.token_kind, safe=asked.safe, match=asked.match,
            reds=reds, work=work[0], bytes=work[1], out=at,
        )  # fmt: skip
        if not left:
            raise impossible()
        return frame.get(at, "d", DETECTED), left - 1


def successes(
    plan: DealModel, part: int, layer: int, size: int
) -> list[tuple[tuple[int, ...], float]]:
    """Success of one blue value at every set of 1 to 3 elements of a part, where it has one."""
    n = len(plan.parts[part].slots)
    most = max(1, comb(n, size))
    with loaded(plan) as (frame, words, work):
        out = frame.reserve(8 * 4 * most)
        count = frame.call(
            "rack_successes", *words, part=part, layer=layer, points=size,
            work=work[0], bytes=work[1], rows=out, most=most,
        )  # fmt: skip
        rows = frame.get(out, "d", 4 * count)
    return [
        (tuple(int(e) for e in rows[i : i + size]), rows[i + 3]) for i in range(0, len(rows), 4)
    ]


def indicate(plan: DealModel, extra: array[int]) -> tuple[list[float], list[array[float]]]:
    """Baselines by model and nine gains an element: token by token, in three models each."""
    elements = len(plan.parts[0].slots)
    size = 3 + 9 * elements
    with loaded(plan) as (frame, words, work):
        more = frame.put(extra)
        out = frame.reserve(8 * size)
        if not frame.call("rack_indicate", *words, more, len(extra), *work, out, size):
            raise Contradiction(f"This stand cannot be as it is given. {ASK_DOUBT}", "$.stands")
        numbers = frame.get(out, "d", size)
    gains = [numbers[3 + 9 * e : 12 + 9 * e] for e in range(elements)]
    return list(numbers[:3]), gains
