"""Information of an answer, from integer masses: entropy, expected size left, worst case.

A *split* is the sequence of masses of the answers (how many hypotheses each would leave).
All hypotheses are taken to be equally likely.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence


def entropy(masses: Iterable[int]) -> float:
    """Bits of information in learning which cell holds: `entropy([2, 2]) == 1.0`.

    Empty cells count nothing; the empty split has 0 bits. Summed from the smallest mass up, so
    that the order of the cells cannot change the last digit.
    """
    cells = sorted(m for m in masses if m > 0)
    total = sum(cells)
    if total == 0:
        return 0.0
    return max(0.0, math.log2(total) - math.fsum(m * math.log2(m) for m in cells) / total)


def expected_remaining(masses: Sequence[int]) -> float:
    """Hypotheses left on average after the answer, Σn²/N: `expected_remaining([3, 1]) == 2.5`."""
    total = sum(masses)
    return sum(m * m for m in masses) / total if total else 0.0


def compare_entropy(a: Sequence[int], b: Sequence[int]) -> int:
    """1 if split `a` has the larger entropy (equal totals), -1 if the smaller, 0 on an exact tie.

    Entropy is larger where Π nⁿ is smaller, and Π nⁿ is an integer: {4,1,1,1,1} and {2,2,2,2}
    tie exactly, although their sums of n·log n differ as doubles.
    """
    if sum(a) != sum(b):
        raise ValueError("splits of different totals do not compare")
    difference = entropy(a) - entropy(b)
    if abs(difference) > 1e-9:
        return 1 if difference > 0 else -1
    left, right = _self_power(a), _self_power(b)
    return (left < right) - (left > right)


def _self_power(masses: Iterable[int]) -> int:
    product = 1
    for m in masses:
        if m > 1:
            product *= m**m
    return product
