"""The smallest set of counts that decides a cell, by implicit hitting sets.

A set of counts decides the cell if it meets every *correction*: the counts that a layout with the
other value breaks. The search of core/conflict.py does that; what it tests is whether a layout
with the other value fits. Flags are taken as given; those that the counts found need are named
afterwards.
"""

from __future__ import annotations

from typing import NamedTuple

from cluewise.core.conflict import SmallestMuses, bit_indices
from cluewise.core.work import Job
from cluewise.desks.mines.engine.simplex import SimplexQuestions

WORK = 8_000_000  # cells · clues · tests of one search
FEWEST, MOST = 12, 4000  # tests
BRANCHES = 20_000  # the published cell that needs most takes between 10 000 and 15 000


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
