"""Small sets of clues that cannot hold together, asked of any test `holds(names)`.

`holds` is a job; it must be monotone: part of a set that holds, holds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from cluewise.core.work import Job, Progress

Holds = Callable[[Sequence[str]], Job[bool]]


def minimal(clues: Sequence[str], holds: Holds) -> Job[list[str]]:
    """A set that cannot hold though each of its proper subsets does, in the clues' order.

    The clues must contradict. Later clues are dropped first, so put the preferred ones in front.
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


class Smallest:
    """All conflicts of least size, by implicit hitting sets (Ignatiev et al., CP 2015).

    A *correction* is what a largest set that holds leaves out: every conflict has one of its
    clues. Sets that meet every known correction are tested; one that holds gives a new
    correction. `proved` turns False where the tests run out.
    """

    def __init__(self, clues: Sequence[str], holds: Holds, tests: int = 4000) -> None:
        self._clues, self._holds, self._left = list(clues), holds, tests
        self._corrections: list[frozenset[str]] = []
        self._found: list[list[str]] = []
        self._order = {name: i for i, name in enumerate(clues)}
        self.proved = True

    def run(self, most: int = 100) -> Job[list[list[str]]]:
        """The conflicts of least size (at most `most`), [] if the clues hold together."""
        if (yield from self._holds(self._clues)):
            return []
        limit = yield from minimal(self._clues, self._holds)
        for size in range(len(limit) + 1):
            yield from self._extend([], frozenset(), size, most)
            if self._found:
                return sorted(self._found, key=lambda s: [self._order[n] for n in s])
            if not self.proved:
                break
        return [limit]

    def _extend(
        self, chosen: list[str], without: frozenset[str], size: int, most: int
    ) -> Job[None]:
        """Every conflict of `size` clues that contains `chosen` and none of `without`."""
        while len(self._found) < most and self.proved:
            missed = [c - without for c in self._corrections if c.isdisjoint(chosen)]
            if missed:
                branch = min(missed, key=lambda c: (len(c), sorted(c)))
                if len(chosen) < size:
                    for name in sorted(branch, key=self._order.__getitem__):
                        yield from self._extend([*chosen, name], without, size, most)
                        without |= {name}
                return
            self._left -= 1
            self.proved = self._left >= 0
            if not self.proved:
                return
            if not (yield from self._holds(chosen)):
                self._found.append(sorted(chosen, key=self._order.__getitem__))
                return
            yield from self._grow(chosen)

    def _grow(self, chosen: list[str]) -> Job[None]:
        """A correction: what cannot be added to `chosen` any more."""
        held, taken = list(chosen), set(chosen)
        for name in self._clues:
            if name not in taken and (yield from self._holds([*held, name])):
                held.append(name)
        self._corrections.append(frozenset(self._clues) - frozenset(held))
        yield Progress(len(self._corrections), None, "looking for the smallest contradiction")
