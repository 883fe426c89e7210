"""Scores of guesses over the secrets left, and the best of them with their cells.

Scores are exact integers of 128 bits, so that equal partitions tie exactly: for entropy the sum of
n·log2(n) over the cells, in units of 2^-88.
Cost: O(guesses x secrets) bit operations on planes of 64 secrets.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass

from cluewise.core.work import Job
from cluewise.desks.code.engine.encoding import CELLS, cell_names
from cluewise.desks.code.engine.state import State, run_in_slices
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
