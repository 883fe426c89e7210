"""Bounds of every cell's chance that hold for certain, where layouts are too many to count.

Cells in the same clues are interchangeable: their chances are equal. So a class of k cells with at
least a and at most b mines in every layout has chances from a / k to b / k. Bounds propagation over
the clues gives a and b.
"""

from __future__ import annotations

from array import array
from collections import defaultdict

from cluewise.core.conflict import bit_indices
from cluewise.desks.mines.engine.board import UNKNOWN
from cluewise.desks.mines.engine.components import clues_of
from cluewise.desks.mines.position import Graph


def chance_bounds(board: Graph, cells: array[int]) -> tuple[list[float], list[float]]:
    """Per cell the lowest and the highest chance of a mine; the clues must fit some layout.

    For cells that are not unknown both are 0.
    """
    clues = clues_of(board, cells)
    membership: dict[int, list[int]] = {c: [] for c, mark in enumerate(cells) if mark == UNKNOWN}
    for i, (mask, _, _) in enumerate(clues):
        for cell in bit_indices(mask):
            membership[cell].append(i)
    classes: dict[tuple[int, ...], list[int]] = defaultdict(list)
    for cell, counted in membership.items():
        classes[tuple(counted)].append(cell)
    least = dict.fromkeys(classes, 0)
    most = {own: len(alike) for own, alike in classes.items()}
    within = [[own for own in classes if i in own] for i in range(len(clues))]
    changed = True
    while changed:
        changed = False
        for (_, need, _), members in zip(clues, within, strict=True):
            fewest, highest = (sum(bound[own] for own in members) for bound in (least, most))
            for own in members:
                low = max(least[own], need - highest + most[own])
                high = min(most[own], need - fewest + least[own])
                changed = changed or (low, high) != (least[own], most[own])
                fewest += low - least[own]
                highest += high - most[own]
                least[own], most[own] = low, high
    lows, highs = [0.0] * len(cells), [0.0] * len(cells)
    for own, alike in classes.items():
        for cell in alike:
            lows[cell], highs[cell] = least[own] / len(alike), most[own] / len(alike)
    return lows, highs
