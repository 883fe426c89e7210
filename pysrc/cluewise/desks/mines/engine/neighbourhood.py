"""The part of a large board that decides one cell: a few rings of clues round it.

Breadth-first over the graph of clues and cells; after each ring one CDCL query asks whether the
clues reached so far force the cell. Cost: at most two queries a ring, `RINGS` rings.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence

import msgspec

from cluewise.core.work import Job
from cluewise.desks.mines.cell_names import places
from cluewise.desks.mines.engine.board import FLAG, UNKNOWN, chosen
from cluewise.desks.mines.engine.cdcl import open_search
from cluewise.desks.mines.engine.clues import asked_cells
from cluewise.desks.mines.position import Graph, Position, Revealed

WIDE = 12  # cells: rings grow by numbers and the like, not by rows and totals
RINGS = 8
LARGE = 40_000  # open cells times clues, beyond which a proof is looked for in a part alone


def is_large(cells: array[int], names: Sequence[str]) -> bool:
    """Whether all clues at once are too many for thousands of questions."""
    return cells.count(UNKNOWN) * len(names) > LARGE


def neighbourhood_position(
    position: Position, board: Graph, names: Sequence[str], cell: int, value: int
) -> Job[Position]:
    """The position with the clues near a cell alone, as few rings of them as force it.

    In each ring first without rows, columns and totals. Groups keep their places, those left out
    are empty; cells in no clue count as open.
    """
    state, _ = chosen(position, names, board)
    unknown = {c for c, mark in enumerate(state) if mark == UNKNOWN}
    counts = {n: set(asked_cells(position, board, n)) & unknown
              for n in names if not n.startswith("flag:")}  # fmt: skip
    flags = [n for n in names if n.startswith("flag:")]
    reached = {cell}
    for _ in range(RINGS):
        near = [n for n in counts if counts[n] & reached]
        small = [n for n in near if len(counts[n]) <= WIDE]
        for tried in (small, near):
            cells, clues = chosen(position, [*tried, *flags], board)
            with open_search(board, cells, clues) as search:
                if not (yield from search.exists(cell, 1 - value)):
                    return _cut(position, board, state, set(tried), counts)
        reached |= set().union(*(counts[n] for n in small))
    return _cut(position, board, state, set(counts), counts)


def _cut(
    position: Position, board: Graph, state: array[int], near: set[str], counts: dict[str, set[int]]
) -> Position:
    asked = set().union(*(counts[n] for n in near))
    shown = {r.cell: r.number for r in position.revealed if f"number:{r.cell}" in near}
    opened = [c for c, mark in enumerate(state) if mark != FLAG and c not in asked]
    groups = tuple(
        g if f"group:{i}" in near else msgspec.structs.replace(g, cells=(), count=0)
        for i, g in enumerate(board.groups)
    )
    return Position(
        neighbours=board.neighbours,
        pos=places(position) or position.pos,
        groups=groups,
        revealed=tuple(Revealed(c, shown.get(c)) for c in opened),
        flags=position.flags,
    )
