"""Smallest minimal unsatisfiable subsets (MUS) of clues, by implicit hitting sets.

Algorithm: Ignatiev, Previti, Liffiton, Marques-Silva, "Smallest MUS extraction with minimal hitting
set dualization" (CP 2015). One satisfiability test per hitting set; exponential in the worst case,
so tests and branches are limited.

A set of clues is an int, bit i for clue i. A desk provides the test as a job: `fits(set)` returns a
satisfiable superset of `set` (`set` itself suffices), or None if `set` is unsatisfiable. Subsets of
satisfiable sets must be satisfiable.

>>> from cluewise.core.work import finish
>>> def fits(clues):
...     yield from ()
...     return None if clues & 0b101 == 0b101 else clues
>>> finish(SmallestMuses(3, fits).run())
[[0, 2]]
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from cluewise.core.work import Job, Progress

C = TypeVar("C")
Fits = Callable[[int], Job[int | None]]
MOST_KNOWN = 100  # correction sets from `held` at the start
BRANCHES = 10_000  # search nodes; an explanation typically takes some two hundred
NOTE = "looking for the smallest contradiction"


def shrink_to_mus(clues: Sequence[C], holds: Callable[[Sequence[C]], Job[bool]]) -> Job[list[C]]:
    """Return a minimal unsatisfiable subset of the clues, in their order.

    The clues must be unsatisfiable. Later clues are dropped first. About k·log(n/k) tests for a MUS
    of k among n clues, because chunks are halved.
    """
    kept = list(clues)
    chunk = max(1, len(kept) // 2)
    end = len(kept)
    while end > 0:
        start = max(0, end - chunk)
        rest = kept[:start] + kept[end:]
        if not (yield from holds(rest)):
            kept = rest
            end = start
        elif chunk > 1:
            chunk = max(1, chunk // 2)
        else:
            end = start
    return kept


def bit_indices(clues: int) -> list[int]:
    """Return the clues of a set in ascending order: `bit_indices(0b1010)` is `[1, 3]`."""
    found = []
    while clues:
        lowest = clues & -clues
        found.append(lowest.bit_length() - 1)
        clues ^= lowest
    return found


class SmallestMuses:
    """All MUSes of the least size, by implicit hitting sets.

    A *correction set* is the complement of a maximal satisfiable set; every MUS contains one of its
    clues. Smallest sets that hit all known correction sets are tested; a satisfiable one gives new
    correction sets. `proved` becomes False if `tests` or `branches` run out: then `run` returns one
    MUS, and a smaller one may exist.

    `within`: restricts the search to these clues. `held`: known satisfiable sets, which save tests.
    `grown`: the sets that `fits` returns are (nearly) maximal; otherwise the search extends them
    clue by clue. Another `run` continues from the known correction sets and returns more MUSes of
    the same size; `complete` if it returned all.
    """

    def __init__(
        self, count: int, fits: Fits, tests: int = 4000, held: Sequence[int] = (), *,
        within: int = -1, grown: bool = False, branches: int = BRANCHES,
    ) -> None:  # fmt: skip
        self._all = (1 << count) - 1 & within
        self._fits, self._left, self._grown = fits, tests, grown
        self._corrections = _least({self._all & ~one for one in held})
        self._found: list[int] = []
        self._branches = branches
        self.proved = True
        self.complete = False

    def run(self, most: int = 100) -> Job[list[list[int]]]:
        """Return the smallest MUSes, sorted (at most `most`); [] if the clues are satisfiable."""
        if self._found:
            return (yield from self._more(most))
        if (yield from self._fits(self._all)) is not None:
            return []
        for size in range(self._all.bit_count() + 1):
            yield from self._extend(0, 0, size, most)
            if self._found:
                return sorted(bit_indices(found) for found in self._found)
            if not self.proved:
                break
        return [(yield from shrink_to_mus(bit_indices(self._all), self._holds))]

    def _more(self, most: int) -> Job[list[list[int]]]:
        """Return more MUSes of the known size within the remaining tests."""
        before, self._found = self._found, []
        yield from self._extend(0, 0, before[0].bit_count(), most)
        self.complete = self.proved and len(self._found) < most
        self._found = sorted({*before, *self._found}, key=bit_indices)[:most]
        self.proved = True  # of the size; it was before
        return [bit_indices(found) for found in self._found]

    def _holds(self, clues: Sequence[int]) -> Job[bool]:
        return (yield from self._fits(sum(1 << c for c in clues))) is not None

    def _extend(self, chosen: int, without: int, size: int, most: int) -> Job[None]:
        """Find the MUSes of up to `size` clues that contain `chosen` and no clue of `without`."""
        while len(self._found) < most and self.proved:
            missed = [c & ~without for c in self._corrections if not c & chosen]
            if missed:
                yield Progress(len(self._corrections), None, NOTE)
                self._branches -= 1
                self.proved = self._branches >= 0
                missed.sort(key=int.bit_count)
                if chosen.bit_count() + _apart(missed) <= size:
                    for clue in bit_indices(missed[0]):
                        yield from self._extend(chosen | 1 << clue, without, size, most)
                        without |= 1 << clue
                return
            self._left -= 1
            self.proved = self._left >= 0
            if not self.proved:
                return
            held = yield from self._fits(chosen)
            if held is None:
                self._found.append(chosen)
                return
            yield from self._correct(chosen, held)

    def _correct(self, chosen: int, held: int | None) -> Job[None]:
        """Add disjoint correction sets that `chosen` does not hit."""
        while held is not None:
            for clue in () if self._grown else bit_indices(self._all & ~held):
                if not held >> clue & 1:
                    held = (yield from self._fits(held | 1 << clue)) or held
            correction = self._all & ~held
            self._corrections.append(correction)
            chosen |= correction
            held = yield from self._fits(chosen)


def _least(sets: set[int]) -> list[int]:
    """Return the minimal sets by inclusion, small ones first, at most `MOST_KNOWN`."""
    kept: list[int] = []
    for one in sorted(sets, key=lambda one: (one.bit_count(), one)):
        if all(less & ~one for less in kept):
            kept.append(one)
            if len(kept) == MOST_KNOWN:
                break
    return kept


def _apart(sets: Sequence[int]) -> int:
    """Return a lower bound of a hitting set's size: greedily chosen disjoint sets."""
    seen, count = 0, 0
    for one in sets:
        if not one & seen:
            seen |= one
            count += 1
    return count
