"""Scores of guesses over the secrets left, and good guesses among too many to compare.

Scores are exact integers of 128 bits, so that equal partitions tie exactly: for entropy the sum of
n·log2(n) over the cells, in units of 2^-88.
Cost: O(guesses x secrets) bit operations on planes of 64 secrets.

Among too many guesses, hill climbing starts from codes that fit, a peg or a swap at a time.
Measured on rules of 8 pegs and 12 or 16 colours with up to 10 000 codes left: 64 fitting codes and
eight climbs (3 700 guesses) end 0.03 bits above the best of 3 072 guesses at random; moves of two
pegs at once add less than 0.001 for five times the work.

`most_bits` bounds the information of every guess from the colours that guesses show; the method and
its proof stand in bound.c. On p6c10r with 8 000 to 200 000 codes left it lies some 0.12 bits above
the best guess, where log2 of the answers that can come lies 1.05 bits above it.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain
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
BY_BITS = ("entropy", "guesses", "within")  # scored by bits; guesses are counted afterwards
_SCORE = 16  # bytes of a score, an i128
_FRACTION = 2.0**88  # an entropy score counts n·log2(n) in these units (order.c)


@dataclass(frozen=True, slots=True)
class Rank:
    """Rows with a better score than one row, with the same, and those of the same that can be
    the secret where the row cannot."""

    better: int
    same: int
    ahead: int

    @property
    def rank(self) -> int:
        """The row's place: 1 where no row has a better score, or the same and could be a win."""
        return self.better + self.ahead + 1


@dataclass
class Scores:
    """Scores of `count` guesses at `guesses` over `n` secrets, smaller is better.

    `can` marks the guesses that can be the secret.
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
        """The best of the first `count` rows: by score, then possible, then lexicographic."""
        frame = self.state.frame
        with frame.kernel.frame() as scratch:
            out = scratch.reserve(4 * most)
            found = frame.call("code_top", self.at, self.guesses, self.can, count, most, out)
            return scratch.get(out, "I", found)

    def standing(self, row: int, count: int) -> Rank:
        """Where the row stands among the first `count` rows."""
        with self.state.frame.kernel.frame() as scratch:
            out = scratch.reserve(12)
            scratch.call("code_standing", self.at, self.can, count, row, out)
            return Rank(*scratch.get(out, "I", 3))

    def key(self, row: int) -> int:
        """The row's score as the exact integer it is."""
        low, high = self.state.frame.get(self.at + _SCORE * row, "Q", 2)
        return int(low) | int(high) << 64

    def keys(self) -> list[int]:
        """The scores of all rows as the exact integers they are."""
        flat = self.state.frame.get(self.at, "Q", 2 * self.count)
        whole = (low | high << 64 for low, high in zip(flat[::2], flat[1::2], strict=True))
        return [value - (1 << 128) if value >> 127 else value for value in whole]

    def worth(self, row: int, whole: int) -> float:
        """The row's score as a number that grows with the guess's worth, for `whole` secrets.

        Bits, minus the largest or the expected size left, or parts.
        """
        key = self.key(row)
        value = key - (1 << 128) if key >> 127 else key
        if self.criterion in BY_BITS:
            return -value / _FRACTION / self.n
        if self.criterion == "maxparts":
            return float(-value)
        per = self.n if self.criterion == "minmax" else self.n**2
        return -value / per * whole

    def word(self, row: int) -> int:
        """The row's guess."""
        return int(self.state.frame.get(self.guesses + 8 * row, "Q", 1)[0])

    def possible(self, row: int) -> bool:
        """Whether the row's guess can be the secret."""
        return bool(self.state.frame.get(self.can + row, "B", 1)[0])


def score(
    state: State, criterion: str, planes: int, n: int, guesses: int, can: int, count: int
) -> Job[Scores]:
    """Scores of the `count` guesses at `guesses` over the `n` secrets in `planes`."""
    frame, packed = state.frame, state.packed
    columns = frame.reserve(8 * state.rules.pegs * ((n + 63) // 64))
    at = frame.reserve(_SCORE * count)
    kind = CRITERIA[criterion]
    with frame.kernel.frame() as scratch:
        products = scratch.reserve(_SCORE * (n + 1) if kind == CODE.ENTROPY else 0, zero=True)
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


def cells_of(scores: Scores, words: Sequence[int]) -> list[dict[str, int]]:
    """How each of these guesses (kernel words) splits the secrets: `{"0A0B": 12, …}`."""
    names = cell_names(scores.state.rules)
    with scores.state.frame.kernel.frame() as scratch:
        out = scratch.reserve(4 * CELLS * len(words))
        scratch.call(
            "code_split", scores.state.packed, scores.planes, scores.n,
            scratch.put(array("Q", words)), len(words), scores.columns, out,
        )  # fmt: skip
        flat = scratch.get(out, "I", CELLS * len(words))
    rows = (flat[i : i + len(names)] for i in range(0, len(flat), CELLS))
    return [{name: n for name, n in zip(names, row, strict=True) if n} for row in rows]


# ---- hill climbing -------------------------------------------------------------------------------


CLIMBS = 8
STARTS = 64
STARTS_ONLY = 1536  # where only codes that fit may be asked: climbing soon leaves them


def hill_climb(
    state: State, planes: int, criterion: str, only_fitting: bool, also: Iterable[int]
) -> Job[dict[int, int]]:
    """Scores (smaller is better) of all guesses that were tried, by kernel word.

    `state.secrets` are the codes that guesses are judged by, in `planes`; `also` are guesses to
    try besides.
    """
    codes = state.codes()
    most = STARTS_ONLY if only_fitting else STARTS
    starts = list(dict.fromkeys(codes[:: max(1, -(-len(codes) // most))]))
    if not only_fitting:
        starts += [word for word in also if word not in starts]
    tried = yield from _scores(state, planes, criterion, starts)
    tops = sorted(tried, key=lambda word: (tried[word], word))[:CLIMBS]
    while tops:
        yield Progress(len(tried), None, "climbing to better guesses")
        near = {word: neighbours(state.rules, word) for word in tops}
        new = [
            word for word in dict.fromkeys(chain.from_iterable(near.values())) if word not in tried
        ]
        if only_fitting:
            fits = state.consistent(new)
            new = [word for word, fit in zip(new, fits, strict=True) if fit]
        tried.update((yield from _scores(state, planes, criterion, new)))
        better = []
        for word, around in near.items():
            known = [other for other in around if other in tried]
            top = min(known, key=lambda other: (tried[other], other), default=word)
            if tried[top] < tried[word]:
                better.append(top)
        tops = list(dict.fromkeys(better))
    return tried


def neighbours(rules: Rules, word: int) -> list[int]:
    """All guesses that differ in one peg, or by a swap of two."""
    shifts = [56 - 8 * peg for peg in range(rules.pegs)]
    symbols = [word >> shift & 255 for shift in shifts]
    allowed = range(0 if rules.blanks else 1, rules.colours + 1)
    found = [
        word + ((new - old) << shift)
        for shift, old in zip(shifts, symbols, strict=True)
        for new in allowed
        if new != old and (rules.repeat or not new or new not in symbols)
    ]
    for i, one in enumerate(symbols):
        for j in range(i):
            step = one - symbols[j]
            if step:
                found.append(word + (step << shifts[j]) - (step << shifts[i]))
    return found


def _scores(state: State, planes: int, criterion: str, words: Sequence[int]) -> Job[dict[int, int]]:
    if not words:
        return {}
    with state.frame.kernel.frame() as scratch:
        inner = State(scratch, state.rules, state.clues)
        at, can = scratch.put(array("Q", words)), scratch.reserve(len(words), zero=True)
        scores = yield from score(inner, criterion, planes, state.n, at, can, len(words))
        return dict(zip(words, scores.keys(), strict=True))


# ---- the bound -----------------------------------------------------------------------------------


SURE = 5.0
"""Standard errors added to what a sample shows: the bound fails less than once in a million."""
_STEPS = 64
_STEP = 0.0865617  # between two factors, in bits
_SLACK = 1e-9  # rounding


@cache
def factors(rules: Rules) -> array[float]:
    """Rows of L and, for each total t, log2 of the sum of 2^(-L a) over the exact counts a."""
    p, rows = rules.pegs, array("d")
    for step in range(_STEPS):
        weight = step * _STEP
        rows.append(weight)
        for t in range(p + 1):
            near = t == p and rules.feedback == "full"  # all but one exact: the last must be, too
            exact = (a for a in range(t + 1) if not (near and a == p - 1))
            rows.append(log2(sum(2 ** (-weight * a) for a in exact)))
    return rows


def first_multiset(rules: Rules) -> str:
    """The least guess: `first_multiset(Rules(4, 6)) == "0000"`."""
    if rules.blanks:
        return "." * rules.pegs
    return rules.symbols[0] * rules.pegs if rules.repeat else rules.symbols[: rules.pegs]


def count_multisets(rules: Rules) -> int:
    """How many multisets of colours guesses show: `count_multisets(Rules(6, 10)) == 5005`."""
    p, c = rules.pegs, rules.colours
    if rules.repeat:
        return comb(c + rules.blanks + p - 1, p)
    return sum(comb(c, k) for k in range(0 if rules.blanks else p, p + 1))


def most_bits(state: State, planes: int, sure: float = 0.0) -> Job[float]:
    """Return bits that no guess exceeds, for the `state.n` secrets in `planes`.

    Where these are a sample, `sure` standard errors are added (see SURE).
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
                many=many, alike=alike, factors=table, steps=_STEPS, spread=sure,
                columns=columns, most=most,
            ):  # fmt: skip
                break
            pace.took()
            done += many
            yield Progress(done, None, "bounding the information of all guesses")
        return float(scratch.get(most, "d", 1)[0]) + _SLACK
