"""Scores of guesses over codes; hill climbing where there are too many guesses to score them all.

Scores are exact 128-bit integers, so that equal partitions tie exactly: for entropy the sum of
n log2(n) over the cells, in units of 2^-88. Cost: O(guesses x codes) bit operations on planes of 64
codes (bit_planes.c).

Hill climbing starts from consistent codes; a step changes a peg or swaps two. Measured on rules of
8 pegs and 12 or 16 colours with up to 10 000 remaining codes: 64 starts and eight climbs (3 700
guesses) end 0.03 bits above the best of 3 072 random guesses. Steps of two pegs at once add less
than 0.001 bits for five times the work.

`most_bits` bounds the information of every guess from its multiset of colours (method and proof:
bound.c). On p6c10r with 8 000 to 200 000 codes the bound is 0.12 bits above the best guess; log2 of
the number of possible answers is 1.05 bits above it.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain, compress
from math import comb, log2

from cluewise.core.work import Job, Progress, SliceTimer
from cluewise.desks.code.engine.state import (
    CELLS,
    State,
    cell_names,
    free_colours,
    pack,
    run_in_slices,
)
from cluewise.desks.code.position import Rules
from cluewise.kernel.layouts import CODE

CRITERIA = {
    "entropy": CODE.ENTROPY,
    "minmax": CODE.MINMAX,
    "minavg": CODE.MINAVG,
    "maxparts": CODE.MAXPARTS,
    "guesses": CODE.ENTROPY,
    "within": CODE.ENTROPY,
}
BY_BITS = ("entropy", "guesses", "within")
"""Criteria that score by bits; costs are found afterwards."""
_SCORE_BYTES = 16  # an i128
_UNITS_PER_BIT = 2.0**88  # of an entropy score (order.c)


@dataclass(frozen=True, slots=True)
class Rank:
    """Rows with a better score than a row, with the same, and those of the same ahead of it.

    A guess that can be the secret is ahead of one that cannot.
    """

    better: int
    same: int
    ahead: int

    @property
    def rank(self) -> int:
        """The row's place, from 1."""
        return self.better + self.ahead + 1


@dataclass
class Scores:
    """Scores of `count` guesses over `n` codes; smaller is better. A row is a guess.

    `guesses`, `can` (1 if the guess can be the secret), `at` (scores) are addresses.
    """

    state: State
    criterion: str
    planes: int
    n: int
    guesses: int
    can: int
    count: int
    at: int
    columns: int

    def top(self, most: int, count: int) -> array[int]:
        """Return the best of the first `count` rows: by score, then possible, then ascending."""
        frame = self.state.frame
        with frame.kernel.frame() as scratch:
            out = scratch.reserve(4 * most)
            found = frame.call("code_top", self.at, self.guesses, self.can, count, most, out)
            return scratch.get(out, "I", found)

    def standing(self, row: int, count: int) -> Rank:
        """Return the rank of a row among the first `count` rows."""
        with self.state.frame.kernel.frame() as scratch:
            out = scratch.reserve(12)
            scratch.call("code_standing", self.at, self.can, count, row, out)
            return Rank(*scratch.get(out, "I", 3))

    def scores(self, row: int = 0, count: int | None = None) -> list[int]:
        """Return the exact scores of `count` rows from a row on; of all by default."""
        count = self.count if count is None else count
        raw = self.state.frame.get(self.at + _SCORE_BYTES * row, "B", _SCORE_BYTES * count)
        return [
            int.from_bytes(raw[i : i + _SCORE_BYTES], "little", signed=True)
            for i in range(0, len(raw), _SCORE_BYTES)
        ]

    def value(self, row: int, n: int) -> float:
        """Return the row's value, larger is better, scaled from the scored codes to `n` codes.

        Bits, minus the largest or the expected remaining codes, or the number of answers.
        """
        [value] = self.scores(row, 1)
        if self.criterion in BY_BITS:
            return -value / _UNITS_PER_BIT / self.n
        if self.criterion == "maxparts":
            return float(-value)
        per = self.n if self.criterion == "minmax" else self.n**2
        return -value / per * n

    def guess(self, row: int) -> int:
        """Return the row's guess, packed."""
        return int(self.state.frame.get(self.guesses + 8 * row, "Q", 1)[0])

    def possible(self, row: int) -> bool:
        """Return whether the row's guess can be the secret."""
        return bool(self.state.frame.get(self.can + row, "B", 1)[0])


def score(
    state: State, criterion: str, planes: int, n: int, guesses: int, can: int, count: int
) -> Job[Scores]:
    """Score `count` guesses at an address over the `n` codes in `planes`."""
    frame, packed = state.frame, state.packed
    columns = frame.reserve(8 * state.rules.pegs * ((n + 63) // 64))
    at = frame.reserve(_SCORE_BYTES * count)
    kind = CRITERIA[criterion]
    with frame.kernel.frame() as scratch:
        products = scratch.reserve(_SCORE_BYTES * (n + 1) if kind == CODE.ENTROPY else 0, zero=True)
        order = scratch.reserve(4 * count)
        with frame.kernel.frame() as brief:
            frame.call("code_group", packed, guesses, count, order, brief.reserve(4 * 65537))

        def step(first: int, last: int) -> None:
            frame.call(
                "code_score", rules=packed, planes=planes, n=n, guesses=guesses, order=order,
                count=count, from_=first, to=last, criterion=kind, products=products,
                columns=columns, scores=at,
            )  # fmt: skip

        first = max(1, 50_000_000 // max(n, 1_000))
        yield from run_in_slices(count, first, "comparing guesses", step)
    return Scores(state, criterion, planes, n, guesses, can, count, at, columns)


def partition_sizes(scores: Scores, guesses: Sequence[int]) -> list[dict[str, int]]:
    """Count the scored codes by their answer to each packed guess: `{"0A0B": 12, …}`."""
    names = cell_names(scores.state.rules)
    with scores.state.frame.kernel.frame() as scratch:
        out = scratch.reserve(4 * CELLS * len(guesses))
        scratch.call(
            "code_split", scores.state.packed, scores.planes, scores.n,
            scratch.put(array("Q", guesses)), len(guesses), scores.columns, out,
        )  # fmt: skip
        flat = scratch.get(out, "I", CELLS * len(guesses))
    rows = (flat[i : i + len(names)] for i in range(0, len(flat), CELLS))
    return [{name: n for name, n in zip(names, row, strict=True) if n} for row in rows]


# ---- hill climbing -------------------------------------------------------------------------------


CLIMBS = 8
STARTS = 64
STARTS_CONSISTENT = 1536
"""Starts where every guess must be consistent: few neighbours of a consistent code are."""


def hill_climb(
    state: State, planes: int, criterion: str, consistent_only: bool, more: Iterable[int]
) -> Job[dict[int, int]]:
    """Climb from some of the state's codes; return the scores of all guesses tried.

    The codes, in `planes`, are also those that guesses are scored over. `more`: further starts.
    """
    codes = state.codes()
    most = STARTS_CONSISTENT if consistent_only else STARTS
    starts = list(dict.fromkeys(codes[:: max(1, -(-len(codes) // most))]))
    if not consistent_only:
        starts += [guess for guess in more if guess not in starts]
    tried = yield from _scores(state, planes, criterion, starts)

    def order(guess: int) -> tuple[int, int]:
        return tried[guess], guess

    tops = sorted(tried, key=order)[:CLIMBS]
    while tops:
        yield Progress(len(tried), None, "climbing to better guesses")
        near = {guess: neighbours(state.rules, guess) for guess in tops}
        new = [g for g in dict.fromkeys(chain.from_iterable(near.values())) if g not in tried]
        if consistent_only:
            new = list(compress(new, state.consistent(new)))
        tried.update((yield from _scores(state, planes, criterion, new)))
        better = []
        for guess, around in near.items():
            best = min(filter(tried.__contains__, around), key=order, default=guess)
            if tried[best] < tried[guess]:
                better.append(best)
        tops = list(dict.fromkeys(better))
    return tried


def neighbours(rules: Rules, guess: int) -> list[int]:
    """Return all packed guesses that differ in one peg or by a swap of two."""
    shifts = [56 - 8 * peg for peg in range(rules.pegs)]
    symbols = [guess >> shift & 255 for shift in shifts]
    allowed = range(0 if rules.blanks else 1, rules.colours + 1)
    found = [
        guess + ((new - old) << shift)
        for shift, old in zip(shifts, symbols, strict=True)
        for new in allowed
        if new != old and (rules.repeat or not new or new not in symbols)
    ]
    for i, one in enumerate(symbols):
        for j in range(i):
            step = one - symbols[j]
            if step:
                found.append(guess + (step << shifts[j]) - (step << shifts[i]))
    return found


def _scores(
    state: State, planes: int, criterion: str, guesses: Sequence[int]
) -> Job[dict[int, int]]:
    if not guesses:
        return {}
    with state.frame.kernel.frame() as scratch:
        inner = State(scratch, state.rules, state.clues)
        at, can = scratch.put(array("Q", guesses)), scratch.reserve(len(guesses), zero=True)
        scored = yield from score(inner, criterion, planes, state.n, at, can, len(guesses))
        return dict(zip(guesses, scored.scores(), strict=True))


# ---- the bound -----------------------------------------------------------------------------------


SURE = 5.0
"""Standard errors added to a bound from a sample: it fails less than once in a million times."""
_MULTIPLIERS = 64
_MULTIPLIER_STEP_BITS = 0.0865617
_ROUNDING_BITS = 1e-9


@cache
def factors(rules: Rules) -> array[float]:
    """Return for each multiplier L: L, then for each total t log2 of the sum of 2^(-L a).

    The sum is over the exact counts a that can come with t (bound.c).
    """
    p, rows = rules.pegs, array("d")
    for step in range(_MULTIPLIERS):
        multiplier = step * _MULTIPLIER_STEP_BITS
        rows.append(multiplier)
        for t in range(p + 1):
            near = t == p and rules.feedback == "full"  # all but one exact: the last must be, too
            exact = (a for a in range(t + 1) if not (near and a == p - 1))
            rows.append(log2(sum(2 ** (-multiplier * a) for a in exact)))
    return rows


def first_multiset(rules: Rules) -> str:
    """Return the least guess: `first_multiset(Rules(4, 6)) == "0000"`."""
    if rules.blanks:
        return "." * rules.pegs
    return rules.symbols[0] * rules.pegs if rules.repeat else rules.symbols[: rules.pegs]


def count_multisets(rules: Rules) -> int:
    """Count the multisets of colours of guesses: `count_multisets(Rules(6, 10)) == 5005`."""
    p, c = rules.pegs, rules.colours
    if rules.repeat:
        return comb(c + rules.blanks + p - 1, p)
    return sum(comb(c, k) for k in range(0 if rules.blanks else p, p + 1))


def most_bits(state: State, planes: int, sure: float = 0.0) -> Job[float]:
    """Bound the information of every guess over the `state.n` codes in `planes`, in bits.

    `sure`: standard errors to add where these codes are a sample (see SURE).
    """
    frame, rules = state.frame, state.rules
    with frame.kernel.frame() as scratch:
        columns = scratch.reserve(8 * rules.pegs * ((state.n + 63) // 64))
        cursor = scratch.put(array("Q", [pack(first_multiset(rules))]))
        most, table = scratch.put(array("d", [0.0])), scratch.put(factors(rules))
        alike, pace, done = free_colours(state), SliceTimer(256), 0
        while True:
            many = pace.rows(1 << 24)
            if not scratch.call(
                "code_most_bits", rules=state.packed, planes=planes, n=state.n, cursor=cursor,
                many=many, alike=alike, factors=table, steps=_MULTIPLIERS, spread=sure,
                columns=columns, most=most,
            ):  # fmt: skip
                break
            pace.took()
            done += many
            yield Progress(done, None, "bounding the information of all guesses")
        return float(scratch.get(most, "d", 1)[0]) + _ROUNDING_BITS
