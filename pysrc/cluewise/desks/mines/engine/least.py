"""The smallest set of counts that decides a cell, by implicit hitting sets.

A set of counts decides the cell if it meets every *correction*: the counts that a layout with the
other value breaks. The search of core/conflict.py does that; what it tests is whether a layout
with the other value fits. Flags are taken as given; those that the counts found need are named
afterwards.
"""

from __future__ import annotations

from typing import NamedTuple

from cluewise.core.conflict import Smallest, bits
from cluewise.core.work import Job
from cluewise.desks.mines.engine.sums import Sums

WORK = 8_000_000  # cells · clues · tests of one search
FEWEST, MOST = 12, 4000  # tests


class Decided(NamedTuple):
    """Indices of the counts and of the flags; `proved`: no fewer counts decide the cell."""

    counts: list[int]
    flags: list[int]
    proved: bool

    @property
    def all(self) -> int:
        """Both as one set."""
        return sum(1 << i for i in (*self.counts, *self.flags))


def least(sums: Sums, known: int, cell: int, value: int, most: int = 1) -> Job[list[Decided]]:
    """The sets of fewest counts that force `cell` to `value`, which all the clues together do.

    `most` of them at most; `known`: the open cells as bits.
    """
    own = sum(1 << i for i in bits(sums.flags) if sums.clue(i).flag == cell)
    flags = sums.flags & ~own
    flagged = sum(1 << sums.clue(i).flag for i in bits(flags))
    useful = [
        i for i in range(len(sums.names))
        if sums.clue(i).flag < 0 and sums.clue(i).cells & ~known & ~flagged
    ]  # fmt: skip
    at_once = _trivial(sums, useful, known | flagged, flagged, cell)
    if at_once is None:
        search = Smallest(len(useful), _test(sums, useful, flags, cell, 1 - value),
                          _tests(sums, useful, known))  # fmt: skip
        found = yield from search.run(most)
        sets, proved = [[useful[i] for i in one] for one in found], search.proved
    else:
        sets, proved = [[at_once]], True
    decided: list[Decided] = []
    for counts in sets:
        needed = yield from _needed(sums, counts, flags, cell, 1 - value)
        decided.append(Decided(counts, needed, proved))
    return decided


def _trivial(sums: Sums, useful: list[int], gone: int, flagged: int, cell: int) -> int | None:
    """A count with none of its mines left, or all of its cells: the one of the fewest cells."""
    found = [
        i for i in useful
        if sums.clue(i).cells >> cell & 1
        and sums.clue(i).want - (sums.clue(i).cells & flagged).bit_count()
        in (0, (sums.clue(i).cells & ~gone).bit_count())
    ]  # fmt: skip
    return min(found, key=lambda i: (sums.clue(i).cells.bit_count(), i), default=None)


def _tests(sums: Sums, useful: list[int], known: int) -> int:
    """How many tests a search may take: fewer where each of them takes long."""
    everything = 0
    for i in useful:
        everything |= sums.clue(i).cells
    size = (everything & ~known).bit_count() * len(useful)
    return min(MOST, max(FEWEST, WORK // max(1, size)))


class _test:  # noqa: N801 - a function with a memory of its arguments
    """Whether those of the useful counts fit the other value, and which others do then."""

    def __init__(self, sums: Sums, useful: list[int], flags: int, cell: int, wrong: int) -> None:
        self._sums, self._useful, self._flags = sums, useful, flags
        self._cell, self._wrong = cell, wrong

    def __call__(self, chosen: int) -> Job[int | None]:
        clues = self._flags | sum(1 << self._useful[i] for i in bits(chosen))
        held = yield from self._sums.fits(clues, self._cell, self._wrong)
        if held is None:
            return None
        return sum(1 << i for i, clue in enumerate(self._useful) if held >> clue & 1)


def _needed(sums: Sums, counts: list[int], flags: int, cell: int, wrong: int) -> Job[list[int]]:
    """The flags among the counts' cells without which they would not decide the cell."""
    cells = 0
    for i in counts:
        cells |= sums.clue(i).cells
    kept = [i for i in bits(flags) if cells >> sums.clue(i).flag & 1]
    chosen = sum(1 << i for i in counts)
    for flag in list(kept):
        fewer = [i for i in kept if i != flag]
        if (yield from sums.fits(chosen | sum(1 << i for i in fewer), cell, wrong)) is None:
            kept = fewer
    return kept
