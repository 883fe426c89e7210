"""Rank correlations, written down as they are defined."""

import math
from collections.abc import Sequence
from itertools import combinations


def _ranks(values: Sequence[float]) -> list[float]:
    """The place of each value; equal ones share the mean of theirs."""
    return [
        sum(other < one for other in values) + (values.count(one) - 1) / 2 for one in values
    ]  # fmt: skip


def spearman(first: Sequence[float], second: Sequence[float]) -> float:
    """The correlation of the ranks.

    >>> spearman([1, 2, 3], [10, 30, 20])
    0.5
    """
    a, b = _ranks(list(first)), _ranks(list(second))
    middle = (len(a) - 1) / 2
    products = sum((x - middle) * (y - middle) for x, y in zip(a, b, strict=True))
    squares = [sum((x - middle) ** 2 for x in one) for one in (a, b)]
    return products / math.sqrt(squares[0] * squares[1])


def kendall(first: Sequence[float], second: Sequence[float]) -> float:
    """Pairs in the same order less pairs in the other, of all; ties as tau-b has them.

    >>> round(kendall([1, 2, 3], [10, 30, 20]), 3)
    0.333
    """
    pairs = list(combinations(zip(first, second, strict=True), 2))
    one = [(a > c) - (a < c) for (a, _), (c, _) in pairs]
    two = [(b > d) - (b < d) for (_, b), (_, d) in pairs]
    same = sum(x * y for x, y in zip(one, two, strict=True))
    return same / math.sqrt(sum(map(abs, one)) * sum(map(abs, two)))
