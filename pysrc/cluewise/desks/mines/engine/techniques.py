"""Arguments that decide a cell in one sentence, each verified in integers.

A *sum* adds some counts and subtracts others: with the other value the total is impossible.
*Parity* adds counts such that every cell but one is counted an even number of times. *Supposing*
follows unit propagation to a conflict. Counts are keyed by the clues' names.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import lcm
from typing import NamedTuple

from cluewise.core.conflict import bit_indices

FINEST = 12  # the largest common denominator of weights that is tried


class Count(NamedTuple):
    """A count over unknown cells: `need` mines in the cells of `mask`."""

    mask: int
    need: int


class LinearCombination(NamedTuple):
    """A weighted sum of counts: `per_cell` is the coefficient of each cell, `total` the sum."""

    weights: dict[str, int]
    per_cell: dict[int, int]
    total: int

    @property
    def plain(self) -> bool:
        """Return whether all weights are 1 or −1."""
        return all(abs(w) == 1 for w in self.weights.values())

    def reach(self, cell: int, value: int) -> tuple[int, int]:
        """Return the least and the largest possible total with that value of the cell."""
        own = self.per_cell.get(cell, 0) * value
        others = [n for c, n in self.per_cell.items() if c != cell]
        return own + sum(min(n, 0) for n in others), own + sum(max(n, 0) for n in others)

    def refutes(self, cell: int, value: int) -> bool:
        """Return whether the total is impossible with that value."""
        low, high = self.reach(cell, value)
        return not low <= self.total <= high


def total_of(counts: Mapping[str, Count], weights: Mapping[str, int]) -> LinearCombination:
    """Return the sum of the counts with those weights."""
    per_cell: dict[int, int] = {}
    for i, weight in weights.items():
        for cell in bit_indices(counts[i].mask):
            per_cell[cell] = per_cell.get(cell, 0) + weight
    kept = {c: n for c, n in sorted(per_cell.items()) if n}
    return LinearCombination(
        dict(weights), kept, sum(w * counts[i].need for i, w in weights.items())
    )


def rounded_certificate(
    counts: Mapping[str, Count], rough: Mapping[str, float], cell: int, value: int
) -> LinearCombination | None:
    """Return an integer sum that excludes the cell's value, from floating-point weights.

    With weights 1 and −1 if they suffice, else the smallest integers; None if neither excludes it.
    """
    signs = {i: 1 if w > 0 else -1 for i, w in rough.items()}
    for weights in (signs, *_wholes(rough)):
        found = total_of(counts, weights)
        if found.refutes(cell, value):
            return found
    return None


def _wholes(rough: Mapping[str, float]) -> list[dict[str, int]]:
    """Return integer weights in the given proportions."""
    if not rough:
        return []
    least = min(abs(w) for w in rough.values())
    for factor in range(1, FINEST + 1):
        scaled = {i: w / least * factor for i, w in rough.items()}
        if all(abs(w - round(w)) < 1e-4 for w in scaled.values()):
            return [{i: round(w) for i, w in scaled.items()}]
    near = {i: Fraction(w / least).limit_denominator(60) for i, w in rough.items()}
    common = lcm(*(w.denominator for w in near.values()))
    return [{i: int(w * common) for i, w in near.items()}]


def parity(counts: Mapping[str, Count], cell: int) -> tuple[list[str], int] | None:
    """Return counts whose sum has an even coefficient for every cell but that one, and its value.

    By Gaussian elimination modulo 2; None if there are none.
    """
    rows: list[tuple[int, int, int]] = []  # mask, need modulo two, which counts
    for k, count in enumerate(counts.values()):
        mask, need, made = count.mask, count.need & 1, 1 << k
        for other, odd, of in rows:
            if mask >> (other.bit_length() - 1) & 1:
                mask, need, made = mask ^ other, need ^ odd, made ^ of
        if mask:
            rows = [
                (m ^ mask, n ^ need, o ^ made) if m >> (mask.bit_length() - 1) & 1 else (m, n, o)
                for m, n, o in rows
            ]
            rows.append((mask, need, made))
    names = list(counts)
    for mask, need, made in rows:
        if mask == 1 << cell:
            return [names[k] for k in bit_indices(made)], need
    return None


def unit_propagation_conflicts(counts: Sequence[Count], cell: int, value: int) -> bool:
    """Return whether unit propagation over the counts from that value reaches a conflict."""
    safe, mines = (0, 1 << cell) if value else (1 << cell, 0)
    while True:
        before = safe, mines
        for count in counts:
            left = count.mask & ~safe & ~mines
            need = count.need - (count.mask & mines).bit_count()
            if not 0 <= need <= left.bit_count():
                return True
            if left and need in (0, left.bit_count()):
                safe, mines = (safe, mines | left) if need else (safe | left, mines)
        if before == (safe, mines):
            return False
