"""What one count, or two that overlap, decide by themselves: all of it, by kind."""

from __future__ import annotations

from array import array
from typing import NamedTuple

from cluewise.desks.mines.engine.components import clues_of
from cluewise.desks.mines.position import Graph

ONE, SUBSET, CROSS = range(3)


class Part(NamedTuple):
    """Some cells of one or two counts, as bits, that are all safe (0) or all mines (1)."""

    kind: int
    wide: int
    cells: int
    value: int
    clues: tuple[int, ...]


def easiest_pair_deduction(board: Graph, cells: array[int]) -> Part | None:
    """The first by kind of all deductions from one count or two, None if there is none.

    One count before a count inside another, before two that overlap; then few cells.
    """
    counts: dict[tuple[int, int], int] = {}
    for mask, need, number in clues_of(board, cells):
        counts.setdefault((mask, need), number)
    found = [
        Part(ONE, mask.bit_count(), mask, int(need > 0), (number,))
        for (mask, need), number in counts.items() if need in (0, mask.bit_count())
    ]  # fmt: skip
    if not found:
        listed = sorted(counts)
        for i, first in enumerate(listed):
            for second in listed[:i]:
                if first[0] & second[0]:
                    both = counts[first], counts[second]
                    found += [one._replace(clues=both) for one in cross_pair(first, second)]
    return min(found, key=lambda one: (one.kind, one.wide, one.cells & -one.cells), default=None)


def cross_pair(first: tuple[int, int], second: tuple[int, int]) -> list[Part]:
    """The parts of two overlapping counts, (cells, mines), that are empty or full."""
    (x, a), (y, b) = first, second
    both, own, other = x & y, x & ~y, y & ~x
    kind = CROSS if own and other else SUBSET
    wide = (x | y).bit_count()
    least = max(0, a - own.bit_count(), b - other.bit_count())
    most = min(both.bit_count(), a, b)
    parts = [(both, least, most)]
    for part, need in ((own, a), (other, b)):
        parts.append((part, max(0, need - most), min(part.bit_count(), need - least)))
    return [
        Part(kind, wide, part, int(high > 0), ())
        for part, low, high in parts
        if part and (high == 0 or low == part.bit_count())
    ]
