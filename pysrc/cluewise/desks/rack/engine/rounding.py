"""Equal numbers made equal: two routes to one number may differ in its last bits.

Chances and entropies are sums in floating point. Numbers that agree to 1e-11 are one number here,
so that a tie is decided by the order of slots and never by rounding.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan

SAME = 1e-11


def snap_ties(numbers: Sequence[float]) -> list[float]:
    """The same list with each cluster of equal numbers replaced by its least member."""
    order = sorted((n, i) for i, n in enumerate(numbers) if not isnan(n))
    result = list(numbers)
    first = float("-inf")
    for number, i in order:
        if number - first > SAME:
            first = number
        result[i] = first
    return [0.0 if abs(n) < SAME else n for n in result]
