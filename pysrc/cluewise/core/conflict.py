"""When clues contradict: the smallest sets that cannot hold together, for every desk.

A set of clues is an int, bit i for clue i. What a desk brings is one test, a job: `fits(set)` is a
set of clues that can hold together and contains the given one (as many more as the test happens
to know; the set itself will do), or None if the given ones cannot. It must be monotone: part of a
set that holds, holds.

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
MOST_KNOWN = 100  # corrections to begin with
BRANCHES = 10_000  # of a search; a puzzle's reason takes some two hundred, a runaway search minutes
NOTE = "looking for the smallest contradiction"


def shrink_to_mus(clues: Sequence[C], holds: Callable[[Sequence[C]], Job[bool]]) -> Job[list[C]]:
    """A set that cannot hold though each of its proper subsets does, in the clues' order.

    The clues must contradict. Later clues are dropped first, so put the preferred ones in front.
    About k·log(n/k) tests for k conflicting clues among n: halves go before single ones.
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
    """The clues of a set, lowest first: `bit_indices(0b1010)` is `[1, 3]`."""
    found = []
    while clues:
        lowest = clues & -clues
        found.append(lowest.bit_length() - 1)
        clues ^= lowest
    return found


class SmallestMuses:
    """All conflicts of least size, by implicit hitting sets (Ignatiev et al., CP 2015).

    A *correction* is what a largest set that holds leaves out: every conflict has one of its
    clues. Sets that meet every known correction are tested; one that holds gives new
    corrections. `proved` turns False where the `tests` or `branches` run out: then the one set that
    `run` gives is minimal, and a smaller one may exist.

    `within`: the clues that a set may contain; the search ignores the others. `held`: sets that
    are known to hold, which spares the search its own. `grown`: no clue can be added to what `fits`
    gives, as far as it could tell soon; else the search adds them one by one. `run` again gives
    more conflicts of the size that it found, and goes on from the corrections that it has.
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

    def run(self, most: int = 100) -> Job[list[list[int]]]:
        """The conflicts of least size, sorted (at most `most`); [] if the clues hold together."""
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
        """More conflicts of the size that was found, as far as the tests that are left reach."""
        before, self._found = self._found, []
        yield from self._extend(0, 0, before[0].bit_count(), most)
        self._found = sorted({*before, *self._found}, key=bit_indices)[:most]
        self.proved = True  # of the size; it was before
        return [bit_indices(found) for found in self._found]

    def _holds(self, clues: Sequence[int]) -> Job[bool]:
        return (yield from self._fits(sum(1 << c for c in clues))) is not None

    def _extend(self, chosen: int, without: int, size: int, most: int) -> Job[None]:
        """Every conflict of up to `size` clues that contains `chosen` and none of `without`."""
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
        """Corrections that `chosen` misses and no two of which share a clue."""
        while held is not None:
            for clue in () if self._grown else bit_indices(self._all & ~held):
                if not held >> clue & 1:
                    held = (yield from self._fits(held | 1 << clue)) or held
            correction = self._all & ~held
            self._corrections.append(correction)
            chosen |= correction
            held = yield from self._fits(chosen)


def _least(sets: set[int]) -> list[int]:
    """Those of the sets that contain no other, small ones first, `MOST_KNOWN` at most."""
    kept: list[int] = []
    for one in sorted(sets, key=lambda one: (one.bit_count(), one)):
        if all(less & ~one for less in kept):
            kept.append(one)
            if len(kept) == MOST_KNOWN:
                break
    return kept


def _apart(sets: Sequence[int]) -> int:
    """How many of the sets, first come first served, share no clue: each needs one of its own."""
    seen, count = 0, 0
    for one in sets:
        if not one & seen:
            seen |= one
            count += 1
    return count
