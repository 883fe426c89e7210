"""The smallest set of counts that decides a cell: a smallest MUS by implicit hitting sets.

A set of counts decides the cell if it hits every *correction set*: the counts that some layout
with the other value violates. core/conflict.py does the search; its oracle is whether a layout
with the other value satisfies a set of counts (simplex.py). Flags are assumed; those that the
counts depend on are added at the end by deletion.

On a large board only the clues near the cell are searched: breadth-first over the graph of clues
and cells, with one CDCL query after each ring of clues whether those reached so far force the
cell. Cost: at most two queries a ring, `RINGS` rings.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from cluewise.core.conflict import SmallestMuses, bit_indices
from cluewise.core.work import Job
from cluewise.desks.mines.cell_names import places
from cluewise.desks.mines.engine.board import FLAG, UNKNOWN, clue_cells, state_of_clues
from cluewise.desks.mines.engine.cdcl import open_search
from cluewise.desks.mines.engine.simplex import ClueSetOracle
from cluewise.desks.mines.position import Graph, Position, Revealed, graph

WORK = 8_000_000  # cells · clues · tests of one search
FEWEST, MOST = 12, 4000  # tests
BRANCHES = 20_000  # the published cell that needs most takes between 10 000 and 15 000
WIDE = 12  # cells: rings grow by numbers and the like, not by rows and totals
RINGS = 8
LARGE = 40_000  # unknown cells times clues; above it only the neighbourhood is searched


class Explanation(NamedTuple):
    """Indices of the counts and of the flags; `proved`: no fewer counts decide the cell."""

    counts: list[int]
    flags: list[int]
    proved: bool

    @property
    def all(self) -> int:
        """Return both as one set."""
        return sum(1 << i for i in (*self.counts, *self.flags))


class SmallestExplanation:
    """The sets of fewest counts that force a cell to a value, which all the clues together do.

    `known`: the open cells as bits. Layouts that the oracle found before are
    used, and those of this search serve the next one.
    """

    def __init__(self, oracle: ClueSetOracle, known: int, cell: int, value: int) -> None:
        self._oracle, self._cell, self._wrong = oracle, cell, 1 - value
        own = oracle.flag_of.get(cell)
        self._flags = oracle.flags if own is None else oracle.flags & ~(1 << own)
        flagged = sum(1 << flag for flag in oracle.flag_of if flag != cell)
        self._useful = oracle.counts_beyond(known | flagged)
        self._search: SmallestMuses | None = None
        self._single = _trivial(oracle, bit_indices(self._useful), known | flagged, flagged, cell)
        if self._single is None:
            tests = _tests(oracle, bit_indices(self._useful), known)
            self._search = SmallestMuses(len(oracle.names), self._test, tests, self._met(),
                                    within=self._useful, grown=True,
                                    branches=BRANCHES)  # fmt: skip

    @property
    def proved(self) -> bool:
        """Return whether the search ended within its limits."""
        return self._search is None or self._search.proved

    def sets(self, most: int = 1) -> Job[list[Explanation]]:
        """Return up to `most` such sets; a later call with a larger `most` continues the search."""
        if self._search is None:
            assert self._single is not None
            found, proved = [[self._single]], True
        else:
            found, proved = (yield from self._search.run(most)), self._search.proved
        decided: list[Explanation] = []
        for counts in found:
            needed = yield from _needed(self._oracle, counts, self._flags, self._cell, self._wrong)
            decided.append(Explanation(counts, needed, proved))
        return decided

    def _met(self) -> list[int]:
        """List the clues satisfied by each known layout in which the cell has the other value."""
        return [
            held for mines, held in self._oracle.layouts.items()
            if mines >> self._cell & 1 == self._wrong and not self._flags & ~held
        ]  # fmt: skip

    def _test(self, counts: int) -> Job[int | None]:
        """Return the clues satisfied by a layout with these counts and the other value, or None."""
        clues = self._flags | counts
        return (yield from self._oracle.grow(clues, self._useful, self._cell, self._wrong))


def _trivial(
    oracle: ClueSetOracle, useful: list[int], gone: int, flagged: int, cell: int
) -> int | None:
    """Return a count that decides the cell alone, with the fewest cells; None if there is none."""
    found = [
        i for i in useful
        if (clue := oracle.clue(i)).cells >> cell & 1
        and clue.want - (clue.cells & flagged).bit_count()
        in (0, (clue.cells & ~gone).bit_count())
    ]  # fmt: skip
    return min(found, key=lambda i: (oracle.clue(i).cells.bit_count(), i), default=None)


def _tests(oracle: ClueSetOracle, useful: list[int], known: int) -> int:
    """Return the search's limit of tests, which is lower where each of them takes long."""
    everything = 0
    for i in useful:
        everything |= oracle.clue(i).cells
    size = (everything & ~known).bit_count() * len(useful)
    return min(MOST, max(FEWEST, WORK // max(1, size)))


def _needed(
    oracle: ClueSetOracle, counts: list[int], flags: int, cell: int, wrong: int
) -> Job[list[int]]:
    """Return the flags in the counts' cells that the counts need to decide the cell."""
    cells = 0
    for i in counts:
        cells |= oracle.clue(i).cells
    among = sum(1 << i for i in bit_indices(flags) if cells >> oracle.clue(i).flag & 1)
    core = sum(1 << i for i in counts)
    return bit_indices((yield from oracle.shrink(core | among, among, cell, wrong)) & among)


def is_large(cells: array[int], names: Sequence[str]) -> bool:
    """Return whether thousands of queries on all clues at once would take too long."""
    return cells.count(UNKNOWN) * len(names) > LARGE


def neighbourhood_position(
    position: Position, names: Sequence[str], cell: int, value: int
) -> Job[Position]:
    """Return the position with only the clues near a cell: the fewest rings that force it.

    Each ring is tried first without rows, columns and totals. Groups keep their indices; those left
    out are empty. Cells in no clue count as open.
    """
    board, (state, _) = graph(position), state_of_clues(position, names)
    unknown = {c for c, mark in enumerate(state) if mark == UNKNOWN}
    counts = {n: set(clue_cells(board, n)) & unknown
              for n in names if not n.startswith("flag:")}  # fmt: skip
    flags = [n for n in names if n.startswith("flag:")]
    reached = {cell}
    for _ in range(RINGS):
        near = [n for n in counts if counts[n] & reached]
        small = [n for n in near if len(counts[n]) <= WIDE]
        for tried in (small, near):
            cells, clues = state_of_clues(position, [*tried, *flags])
            with open_search(board, cells, clues) as search:
                if not (yield from search.exists(cell, 1 - value)):
                    return _restricted(position, board, state, set(tried), counts)
        reached |= set().union(*(counts[n] for n in small))
    return _restricted(position, board, state, set(counts), counts)


def _restricted(
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
