"""Arrangements and counts on flagged cells as plain counts, so that every engine can handle them.

The board gets auxiliary cells whose values are functions of the others: the number of layouts stays
the same. Each constraint is "exactly k of these cells":

  around a cell   one cell a pattern p that has the form; sum p = 1; for each member v:
                  v + (patterns without v) = 1
  on a line       members u, v in a row, cells b (both), e (u alone), s (v alone), w (neither):
                  b + e + s + w = 1; u + s + w = 1; v + e + w = 1; blocks = first member + sum s
    together      blocks = 1
    apart         blocks + z3 + ... + zB = B with z3 >= z4 >= ..., B the most blocks there can be
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import msgspec

from cluewise.desks.mines.arrangement import Arranged, arranged_clues
from cluewise.desks.mines.cell_names import cell_name
from cluewise.desks.mines.position import CELLS, GROUPS, Group, Position, graph
from cluewise.errors import BadPosition, TooLarge


class Expanded(NamedTuple):
    """A position of plain counts: the real cells first, then the auxiliary ones.

    `owners[i]` is the clue, by its name on the real board, that group i follows from.
    """

    position: Position
    owners: list[str]
    cells: int


def is_arranged(position: Position) -> bool:
    """Return whether some clue is more than a count."""
    return bool(position.spots or position.forms or any(g.form for g in position.groups))


def refuse_arranged(position: Position) -> None:
    """Raise BadPosition for a verb that handles only counts."""
    if is_arranged(position):
        message = "This is not available for levels with arrangements or counts on mines."
        raise BadPosition(message, "$.spots" if position.spots else "$.forms")


def counts_only(position: Position) -> Expanded:
    """Return the position without its forms; counts of flagged cells are groups."""
    board, flags = graph(position), set(position.flags)
    groups = [msgspec.structs.replace(g, form=None) if g.form else g for g in board.groups]
    owners = [f"group:{i}" for i in range(len(groups))]
    for spot in position.spots:
        if spot.cell in flags:
            kind = f"the count on {cell_name(position, spot.cell)}"
            groups.append(Group(spot.cells, spot.count, kind))
            owners.append(f"spot:{spot.cell}")
    plain = msgspec.structs.replace(
        position, board=None, neighbours=board.neighbours, groups=tuple(groups), forms={}, spots=(),
        mines=None, secret=(), sealed=None, start=None, puz=None, rating=None,
    )  # fmt: skip
    return Expanded(plain, owners, board.cells)


def expanded(position: Position) -> Expanded:
    """Return the position with plain counts only. Raises TooLarge beyond the engines' limits."""
    plain, owners, cells = counts_only(position)
    made = _Maker(position, list(plain.groups), owners, cells)
    for clue in arranged_clues(position, graph(position)):
        if clue.count >= 2:
            (made.add_line if clue.line else made.add_patterns)(clue)
    if made.cells > CELLS or len(made.groups) > GROUPS:
        raise TooLarge("This board has too many arranged clues.", "$.forms")
    empty = ((),) * (made.cells - cells)
    wide = msgspec.structs.replace(
        plain, neighbours=(*plain.neighbours, *empty), groups=tuple(made.groups),
        pos=None, polygons=None, polygon_of=None,
    )  # fmt: skip
    return Expanded(wide, made.owners, cells)


class _Maker:
    """Builder of the groups and auxiliary cells of one expansion."""

    def __init__(
        self, position: Position, groups: list[Group], owners: list[str], cells: int
    ) -> None:
        self.groups, self.owners, self.cells = groups, owners, cells
        self._neighbours = graph(position).neighbours
        self._known = {r.cell: 0 for r in position.revealed} | dict.fromkeys(position.flags, 1)
        self._owner = ""

    def add_patterns(self, clue: Arranged) -> None:
        """Add a clue around a cell: one auxiliary cell a pattern."""
        self._owner = clue.name
        patterns = list(clue.patterns(self._neighbours, self._known))
        chosen = self._fresh(len(patterns))
        self._exactly(1, *chosen)
        for member in clue.cells:
            if member not in self._known:
                pairs = zip(chosen, patterns, strict=True)
                self._exactly(1, member, *(p for p, mines in pairs if member not in mines))

    def add_line(self, clue: Arranged) -> None:
        """Add a clue on a line: starts of blocks."""
        self._owner = clue.name
        starts = [clue.cells[0]]
        for u, v in pairwise(clue.cells):
            both, ends, begins, neither = self._fresh(4)
            self._exactly(1, both, ends, begins, neither)
            self._exactly(1, u, begins, neither)
            self._exactly(1, v, ends, neither)
            starts.append(begins)
        if clue.form == "together":
            self._exactly(1, *starts)
            return
        most = min(clue.count, (len(clue.cells) + 1) // 2)
        if most < 2:
            self._exactly(1)  # one block is all there is room for
            return
        rest = self._fresh(most - 2)
        for u, v in pairwise(rest):
            both, falls, neither = self._fresh(3)
            self._exactly(1, both, falls, neither)
            self._exactly(1, u, neither)
            self._exactly(1, v, falls, neither)
        self._exactly(most, *starts, *rest)

    def _fresh(self, many: int) -> range:
        self.cells += many
        return range(self.cells - many, self.cells)

    def _exactly(self, count: int, *cells: int) -> None:
        self.groups.append(Group(cells, count))
        self.owners.append(self._owner)
