"""The backbone of a state by connected components, with a cache of solved components.

Components are those of the graph of clues and unknown cells. The backbone of a component depends
on its clues alone, which are the key of the cache: `ComponentCache` is shared by the waves of a
puzzle, by candidates and by edits of a board, and only components that changed are solved. Cost:
one backbone (cdcl.py) a new component.
"""

from __future__ import annotations

from array import array
from collections import OrderedDict
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from cluewise.core.conflict import bit_indices
from cluewise.core.work import Job
from cluewise.desks.mines.engine.board import FLAG, QUESTION, UNKNOWN, active
from cluewise.desks.mines.engine.cdcl import NONE, OPEN, backbone
from cluewise.desks.mines.position import Graph

CACHED = 2000  # components
Key: TypeAlias = frozenset[tuple[int, int]]


class Component(NamedTuple):
    """A connected component: its cells as bits, its clues' numbers, and each as (cells, mines)."""

    cells: int
    clues: list[int]
    key: Key


class ComponentCache:
    """Least-recently-used cache of solved components.

    A value is the forced safe cells and the forced mines as bits, None for a contradiction.
    """

    def __init__(self) -> None:
        self._solved: OrderedDict[Key, tuple[int, int] | None] = OrderedDict()
        self.solved = self.found = 0

    def forced(self, board: Graph, cells: array[int]) -> Job[array[int] | None]:
        """Return the `backbone` of a state, component by component.

        Per cell 0 safe, 1 mine, -1 open, -2 not unknown; None if the clues contradict.
        """
        out = array("b", (OPEN if mark == UNKNOWN else NONE for mark in cells))
        whole = clues_of(board, cells)
        if any(not 0 <= need <= mask.bit_count() for mask, need, _ in whole):
            return None
        components = split_components(whole)
        for component in components:
            if component.key not in self._solved:
                yield from self._solve(board, cells, component, len(components) == 1)
            else:
                self.found += 1
                self._solved.move_to_end(component.key)
            forced = self._solved[component.key]
            if forced is None:
                return None
            for value, mask in enumerate(forced):
                for cell in bit_indices(mask):
                    out[cell] = value
        return out

    def _solve(
        self, board: Graph, cells: array[int], component: Component, only: bool
    ) -> Job[None]:
        """Solve a component and cache the result; `only`: the state has no other."""
        self.solved += 1
        if only:
            values = yield from backbone(board, cells)
        else:
            # Cells of other components are in none of these clues: mark them as known.
            inside = cells[:]
            for cell, mark in enumerate(cells):
                if mark == UNKNOWN and not component.cells >> cell & 1:
                    inside[cell] = QUESTION
            values = yield from backbone(board, inside, active(board, component.clues))
        self._solved[component.key] = None if values is None else (
            _mask(c for c, value in enumerate(values) if value == 0),
            _mask(c for c, value in enumerate(values) if value == 1),
        )  # fmt: skip
        if len(self._solved) > CACHED:
            self._solved.popitem(last=False)


def clues_of(board: Graph, cells: array[int]) -> list[tuple[int, int, int]]:
    """List the clues over unknown cells: those cells as bits, mines among them, the clue's number.

    A clue without unknown cells is listed if its flags contradict it.
    """
    unknown = _mask(c for c, mark in enumerate(cells) if mark == UNKNOWN)
    flagged = _mask(c for c, mark in enumerate(cells) if mark == FLAG)
    found = []
    for i, group in enumerate(board.groups):
        mask = _group_mask(group.cells)
        need = group.count - (mask & flagged).bit_count()
        if mask & unknown or need:
            found.append((mask & unknown, need, i))
    around = _around(board.neighbours)
    for cell, number in enumerate(cells):
        if number >= 0:
            need = number - (around[cell] & flagged).bit_count()
            if around[cell] & unknown or need:
                found.append((around[cell] & unknown, need, len(board.groups) + cell))
    return found


def split_components(clues: Iterable[tuple[int, int, int]]) -> list[Component]:
    """Return the connected components of clues that share cells, by their lowest cell."""
    merged: list[tuple[int, list[tuple[int, int, int]]]] = []
    for clue in clues:
        mask, own = clue[0], [clue]
        disjoint = []
        for other in merged:
            if other[0] & mask:
                mask |= other[0]
                own += other[1]
            else:
                disjoint.append(other)
        merged = [*disjoint, (mask, own)]
    found = [
        Component(mask, [number for _, _, number in own], frozenset((m, n) for m, n, _ in own))
        for mask, own in merged
        if mask
    ]
    return sorted(found, key=lambda one: one.cells & -one.cells)


def _mask(cells: Iterable[int]) -> int:
    mask = 0
    for cell in cells:
        mask |= 1 << cell
    return mask


_group_mask = lru_cache(maxsize=2048)(_mask)


@lru_cache(maxsize=8)
def _around(neighbours: tuple[tuple[int, ...], ...]) -> tuple[int, ...]:
    return tuple(_mask(listed) for listed in neighbours)
