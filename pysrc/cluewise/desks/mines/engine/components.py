"""The forced cells of a state, piece by piece: what no clue joins is solved apart, and once.

A piece is clues that share cells, and those cells. Its answer depends on nothing else, so a
`ComponentCache` of pieces serves the next wave, the next candidate and the next stroke on another
board: whatever they leave alone is looked up. The key is the piece itself, so no answer can be
stale.
"""

from __future__ import annotations

from array import array
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from cluewise.core.conflict import bit_indices
from cluewise.core.work import Job
from cluewise.desks.mines.engine.board import FLAG, QUESTION, UNKNOWN, active
from cluewise.desks.mines.engine.cdcl import NONE, OPEN, backbone
from cluewise.desks.mines.position import Graph

KEPT = 2000  # pieces remembered
Key: TypeAlias = frozenset[tuple[int, int]]


class Component(NamedTuple):
    """The cells of some clues as bits, the clues' numbers, and each as (cells, mines wanted)."""

    cells: int
    clues: list[int]
    key: Key


class ComponentCache:
    """Pieces that were solved: per key the cells that are surely safe and surely mines, as bits.

    None for a piece that contradicts. The oldest is forgotten beyond `KEPT`.
    """

    def __init__(self) -> None:
        self._known: OrderedDict[Key, tuple[int, int] | None] = OrderedDict()
        self.solved = self.found = 0

    def forced(self, board: Graph, cells: array[int]) -> Job[array[int] | None]:
        """0 safe, 1 mine, -1 open, -2 not unknown per cell; None if the clues contradict.

        The same as `backbone` of the whole state.
        """
        out = array("b", (OPEN if mark == UNKNOWN else NONE for mark in cells))
        whole = clues_of(board, cells)
        if any(not 0 <= need <= mask.bit_count() for mask, need, _ in whole):
            return None
        found = pieces(whole)
        for piece in found:
            if piece.key not in self._known:
                yield from self._solve(board, cells, piece, len(found) == 1)
            else:
                self.found += 1
                self._known.move_to_end(piece.key)
            known = self._known[piece.key]
            if known is None:
                return None
            for value, mask in enumerate(known):
                for cell in bit_indices(mask):
                    out[cell] = value
        return out

    def _solve(self, board: Graph, cells: array[int], piece: Component, alone: bool) -> Job[None]:
        """Solve a piece and remember it."""
        self.solved += 1
        if alone:
            values = yield from backbone(board, cells)
        else:
            # Cells of other pieces are in none of these clues: they are taken as known.
            inside = cells[:]
            for cell, mark in enumerate(cells):
                if mark == UNKNOWN and not piece.cells >> cell & 1:
                    inside[cell] = QUESTION
            values = yield from backbone(board, inside, active(board, piece.clues))
        self._known[piece.key] = None if values is None else _masks(values)
        if len(self._known) > KEPT:
            self._known.popitem(last=False)


def _masks(values: Sequence[int]) -> tuple[int, int]:
    """The cells that are 0 and those that are 1, as bits."""
    safe, mine = (_mask(c for c, value in enumerate(values) if value == v) for v in (0, 1))
    return safe, mine


def clues_of(board: Graph, cells: array[int]) -> list[tuple[int, int, int]]:
    """Every clue that counts an unknown cell: those cells as bits, mines wanted, its number.

    A clue without unknown cells is among them if its mines do not come out.
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


def pieces(clues: Iterable[tuple[int, int, int]]) -> list[Component]:
    """Clues that share cells, directly or through others, together; by their lowest cell."""
    parts: list[tuple[int, list[tuple[int, int, int]]]] = []
    for clue in clues:
        mask, own = clue[0], [clue]
        apart = []
        for part in parts:
            if part[0] & mask:
                mask |= part[0]
                own += part[1]
            else:
                apart.append(part)
        parts = [*apart, (mask, own)]
    found = [
        Component(mask, [number for _, _, number in own], frozenset((m, n) for m, n, _ in own))
        for mask, own in parts
        if mask
    ]
    return sorted(found, key=lambda piece: piece.cells & -piece.cells)


def _mask(cells: Iterable[int]) -> int:
    mask = 0
    for cell in cells:
        mask |= 1 << cell
    return mask


_group_mask = lru_cache(maxsize=2048)(_mask)


@lru_cache(maxsize=8)
def _around(neighbours: tuple[tuple[int, ...], ...]) -> tuple[int, ...]:
    return tuple(_mask(listed) for listed in neighbours)
