"""The smallest set of counts that decides a cell, by implicit hitting sets.

A set of counts decides the cell if it meets every *correction*: the counts that a layout with the
other value breaks. The search of core/conflict.py does that; what it tests is whether a layout
with the other value fits. Flags are taken as given; those that the counts found need are named
afterwards.

On a large board it is looked for in a few rings of clues round the cell: breadth-first over the
graph of clues and cells; after each ring one CDCL query asks whether the clues reached so far
force the cell. Cost: at most two queries a ring, `RINGS` rings.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from cluewise.core.conflict import SmallestMuses, bit_indices
from cluewise.core.work import Job
from cluewise.desks.mines.cell_names import places
from cluewise.desks.mines.engine.board import FLAG, UNKNOWN, asked_cells, chosen
from cluewise.desks.mines.engine.cdcl import open_search
from cluewise.desks.mines.engine.simplex import SimplexQuestions
from cluewise.desks.mines.position import Graph, Position, Revealed

WORK = 8_000_000  # cells · clues · tests of one search
FEWEST, MOST = 12, 4000  # tests
BRANCHES = 20_000  # the published cell that needs most takes between 10 000 and 15 000
WIDE = 12  # cells: rings grow by numbers and the like, not by rows and totals
RINGS = 8
LARGE = 40_000  # open cells times clues, beyond which a proof is looked for in a part alone


class Explanation(NamedTuple):
    """Indices of the counts and of the flags; `proved`: no fewer counts decide the cell."""

    counts: list[int]
    flags: list[int]
    proved: bool

    @property
    def all(self) -> int:
        """Both as one set."""
        return sum(1 << i for i in (*self.counts, *self.flags))


class SmallestExplanation:
    """The sets of fewest counts that force a cell to a value, which all the clues together do.

    `known`: the open cells as bits. What earlier searches on the same sums met is used, and what
    this one meets is there for the next.
    """

    def __init__(self, sums: SimplexQuestions, known: int, cell: int, value: int) -> None:
        self._sums, self._cell, self._wrong = sums, cell, 1 - value
        own = sums.flag_of.get(cell)
        self._flags = sums.flags if own is None else sums.flags & ~(1 << own)
        flagged = sum(1 << flag for flag in sums.flag_of if flag != cell)
        self._useful = sums.counting(known | flagged)
        self._search: SmallestMuses | None = None
        self._at_once = _trivial(sums, bit_indices(self._useful), known | flagged, flagged, cell)
        if self._at_once is None:
            tests = _tests(sums, bit_indices(self._useful), known)
            self._search = SmallestMuses(len(sums.names), self._test, tests, self._met(),
                                    within=self._useful, grown=True,
                                    branches=BRANCHES)  # fmt: skip

    @property
    def proved(self) -> bool:
        """Whether the search ended within its limits."""
        return self._search is None or self._search.proved

    def sets(self, most: int = 1) -> Job[list[Explanation]]:
        """`most` of them at most; asked for more, it goes on from where it was."""
        if self._search is None:
            assert self._at_once is not None
            found, proved = [[self._at_once]], True
        else:
            found, proved = (yield from self._search.run(most)), self._search.proved
        decided: list[Explanation] = []
        for counts in found:
            needed = yield from _needed(self._sums, counts, self._flags, self._cell, self._wrong)
            decided.append(Explanation(counts, needed, proved))
        return decided

    def _met(self) -> list[int]:
        """The clues that hold in each layout met so far that has the other value here."""
        return [
            held for mines, held in self._sums.layouts.items()
            if mines >> self._cell & 1 == self._wrong and not self._flags & ~held
        ]  # fmt: skip

    def _test(self, chosen: int) -> Job[int | None]:
        """Whether those counts fit the other value, and which others do then."""
        clues = self._flags | chosen
        return (yield from self._sums.most(clues, self._useful, self._cell, self._wrong))


def _trivial(
    sums: SimplexQuestions, useful: list[int], gone: int, flagged: int, cell: int
) -> int | None:
    """A count with none of its mines left, or all of its cells: the one of the fewest cells."""
    found = [
        i for i in useful
        if (clue := sums.clue(i)).cells >> cell & 1
        and clue.want - (clue.cells & flagged).bit_count()
        in (0, (clue.cells & ~gone).bit_count())
    ]  # fmt: skip
    return min(found, key=lambda i: (sums.clue(i).cells.bit_count(), i), default=None)


def _tests(sums: SimplexQuestions, useful: list[int], known: int) -> int:
    """How many tests a search may take: fewer where each of them takes long."""
    everything = 0
    for i in useful:
        everything |= sums.clue(i).cells
    size = (everything & ~known).bit_count() * len(useful)
    return min(MOST, max(FEWEST, WORK // max(1, size)))


def _needed(
    sums: SimplexQuestions, counts: list[int], flags: int, cell: int, wrong: int
) -> Job[list[int]]:
    """The flags among the counts' cells without which they would not decide the cell."""
    cells = 0
    for i in counts:
        cells |= sums.clue(i).cells
    among = sum(1 << i for i in bit_indices(flags) if cells >> sums.clue(i).flag & 1)
    chosen = sum(1 << i for i in counts)
    return bit_indices((yield from sums.least(chosen | among, among, cell, wrong)) & among)


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
