"""Maximum a posteriori decoding: the most probable reading that has exactly one solution.

Readings are enumerated best first by their cost in nats, the sum of log(p of the most probable / p
of the chosen symbol) over changed cells. The first with one solution is the answer; the posterior
is shared by those within MARGIN of its cost. The unchanged board costs UNUSUAL if it is legal but
has several solutions.
"""

from __future__ import annotations

from collections.abc import Iterator
from heapq import heappop, heappush
from itertools import chain
from math import exp
from operator import itemgetter
from typing import NamedTuple, TypeAlias

import numpy as np

from cluewise.core.work import Job, Progress
from cluewise.desks.sudoku.engine.solver import solutions_within
from cluewise.desks.sudoku.position import NINE, Cells, Shape
from cluewise.pictures.image import Array

REACH, MARGIN, UNUSUAL = 16.0, 5.0, 6.0  # nats
CHANGES, NODES, CALLS = 6, 20_000, 150  # changed cells; readings; calls of the solver
PATIENCE, MORE = 300, 12_000  # nodes of the solver for a changed board, for the unchanged one
FEWEST = 17  # givens of a 9×9 puzzle (McGuire, Tugemann, Civario 2014)
_LEAST = 1e-7  # probability
Change: TypeAlias = tuple[int, int]  # a cell and the symbol that it gets


class Decoded(NamedTuple):
    """The most probable board under picture and rules."""

    cells: Cells
    posterior: list[float]
    """The posterior probability of every cell's value, among the readings with one solution."""
    solutions: int | None
    """The number of solutions of `cells`: 0, 1, 2 for several, None if the search was cut off."""
    repaired: list[int]
    """Cells whose most probable symbol was replaced because of the rules."""


def decode(chances: Array, shape: Shape) -> Job[Decoded]:
    """A job: the board; the unchanged reading if no probable one has one solution."""
    raw = bytes(chances.argmax(1).tolist())
    first: int | None = 0
    found: list[tuple[float, Cells]] = []
    calls, check = 0, ConflictCheck(raw, shape)
    for number, (cost, changes) in enumerate(_readings(chances, raw)):
        if number >= NODES or calls >= CALLS or (found and cost > min(found)[0] + MARGIN):
            break
        if number % 64 == 0:
            yield Progress(number, NODES, "asking the rules")
        if check.has_conflict(changes):
            continue
        cells, calls = _changed(raw, changes), calls + 1
        count = yield from solutions(cells, shape, MORE if cells == raw else PATIENCE)
        if cells == raw:
            first = count
            if count is None or count > 1:
                found.append((UNUSUAL, raw))
        if count == 1:
            found.append((cost, cells))
    found.sort(key=itemgetter(0))
    if not found or (first != 1 and found[0][1] == raw):
        return Decoded(raw, chances.max(1).tolist(), first, [])
    weights = [exp(found[0][0] - cost) for cost, _ in found]
    best, total = found[0][1], sum(weights)
    posterior = [
        sum(w for w, (_, cells) in zip(weights, found, strict=True) if cells[i] == value) / total
        for i, value in enumerate(best)
    ]
    changed = [i for i, value in enumerate(best) if value != raw[i]]
    return Decoded(best, posterior, 1, changed)


def solutions(cells: Cells, shape: Shape, patience: int) -> Job[int | None]:
    """A job: the number of solutions up to 2; None if that takes more than `patience` nodes.

    A 9×9 board with fewer than 17 givens has several solutions, so it is not searched.
    """
    if shape == NINE and sum(value > 0 for value in cells) < FEWEST:
        return 2
    found = yield from solutions_within(cells, shape, patience)
    return None if found is None else found.number


class ConflictCheck:
    """Incremental check of rows, columns and boxes for boards that differ from one in few cells."""

    def __init__(self, raw: Cells, shape: Shape) -> None:
        # Sets of cells are numbers: bit i is cell i.
        self._neighbours = [0] * shape.cells
        for house in chain(*shape.houses()):
            cells = sum(1 << i for i in house)
            for i in house:
                self._neighbours[i] |= cells & ~(1 << i)
        self._holding = [0] * (shape.size + 1)  # the cells of every symbol
        for i, value in enumerate(raw):
            self._holding[value] |= 1 << i
        clashing = [
            (1 << i, self._holding[v] & self._neighbours[i]) for i, v in enumerate(raw) if v
        ]
        self._clashing = [one for one in clashing if one[1]]

    def has_conflict(self, changes: list[Change]) -> bool:
        """Whether the board with these changes, each of another cell, has a symbol twice."""
        changed = 0
        for i, _ in changes:
            changed |= 1 << i
        for cell, others in self._clashing:
            if not cell & changed and others & ~changed:
                return True
        new: dict[int, int] = {}
        for i, value in changes:
            if value:
                neighbours = self._neighbours[i]
                if neighbours & (self._holding[value] & ~changed | new.get(value, 0)):
                    return True
                new[value] = new.get(value, 0) | 1 << i
        return False


def _changed(raw: Cells, changes: list[Change]) -> Cells:
    cells = bytearray(raw)
    for i, value in changes:
        cells[i] = value
    return bytes(cells)


def _readings(chances: Array, raw: bytes) -> Iterator[tuple[float, list[Change]]]:
    """Yield (cost, changes), the cheapest first: all sets of at most CHANGES changed cells.

    Best-first enumeration of subsets of the sorted changes: the successors of a subset replace its
    last change by the next one, or add that.
    """
    losses = np.log(chances.max(1, keepdims=True)) - np.log(np.maximum(chances, _LEAST))
    losses[np.arange(len(raw)), list(raw)] = REACH
    cell, symbol = np.nonzero(losses < REACH)
    loss = losses[cell, symbol]
    order = np.lexsort((symbol, cell, loss))[:120]
    changes = list(
        zip(loss[order].tolist(), cell[order].tolist(), symbol[order].tolist(), strict=True)
    )
    heap: list[tuple[float, tuple[int, ...]]] = [(0.0, ())]
    while heap:
        cost, chosen = heappop(heap)
        places = {changes[k][1] for k in chosen}
        if len(places) == len(chosen):
            yield cost, [changes[k][1:] for k in chosen]
        last = chosen[-1] if chosen else -1
        if last + 1 == len(changes):
            continue
        more = changes[last + 1][0]
        if len(chosen) < CHANGES:
            heappush(heap, (cost + more, (*chosen, last + 1)))
        if chosen:
            heappush(heap, (cost - changes[last][0] + more, (*chosen[:-1], last + 1)))
