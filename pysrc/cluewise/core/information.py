"""Information measures of a split with integer masses: entropy and expected remaining size.

A *split* is the list of the answers' masses (numbers of candidates that they leave). All candidates
are equally likely.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence


def entropy(masses: Iterable[int]) -> float:
    """Return the entropy of a split in bits (Shannon 1948): `entropy([2, 2]) == 1.0`.

    Empty cells are ignored; an empty split has 0 bits. Sums in ascending order, so that the result
    does not depend on the order of the cells.
    """
    cells = sorted(m for m in masses if m > 0)
    total = sum(cells)
    if total == 0:
        return 0.0
    return max(0.0, math.log2(total) - math.fsum(m * math.log2(m) for m in cells) / total)


def expected_remaining(masses: Sequence[int]) -> float:
    """Return the expected remaining candidates, Σn²/N: `expected_remaining([3, 1]) == 2.5`."""
    total = sum(masses)
    return sum(m * m for m in masses) / total if total else 0.0


def compare_entropy(a: Sequence[int], b: Sequence[int]) -> int:
    """Return 1 if split `a` has more entropy than `b` of the same total, -1 if less, 0 if equal.

    Exact: entropy is larger if the integer Π nⁿ is smaller. {4,1,1,1,1} and {2,2,2,2} tie, although
    their sums of n·log n may differ as doubles.
    """
    if sum(a) != sum(b):
        raise ValueError("splits must have equal totals")
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
