"""When clues contradict: a smallest set that cannot all hold.

`holds(indices)` says whether those clues can hold together. It must be monotone: a subset of
clues that hold together holds as well.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations

Holds = Callable[[Sequence[int]], bool]


def smallest_conflicts(count: int, holds: Holds, most: int = 1000) -> list[list[int]]:
    """All sets of least size that cannot hold, sorted: `[[0, 2], [1, 2]]`; [] if all hold.

    At most `most` sets are listed. Costs a test per subset up to the least size, so it is meant
    for the few dozen clues of one game; `smallest_conflict` serves hundreds.
    """
    clues = list(range(count))
    if holds(clues):
        return []
    for size in range(count + 1):
        found: list[list[int]] = []
        for subset in combinations(clues, size):
            if not holds(subset):
                found.append(list(subset))
                if len(found) == most:
                    return found
        if found:
            return found
    raise AssertionError("`holds` is not monotone")


def minimal_conflict(clues: Sequence[int], holds: Holds) -> list[int]:
    """A set that cannot hold, though each of its proper subsets does; sorted.

    Not always of least size. Needs about k·log(n/k) tests for k conflicting clues among n
    (QuickXplain: Junker, AAAI 2004). Raises ValueError if the clues hold together.
    """
    if holds(clues):
        raise ValueError("the clues hold together")
    if not holds([]):
        return []
    return sorted(_explain([], False, list(clues), holds))


def _explain(background: list[int], changed: bool, clues: list[int], holds: Holds) -> list[int]:
    if changed and not holds(background):
        return []
    if len(clues) == 1:
        return clues
    half = len(clues) // 2
    left, right = clues[:half], clues[half:]
    from_right = _explain(background + left, bool(left), right, holds)
    from_left = _explain(background + from_right, bool(from_right), left, holds)
    return from_left + from_right


def smallest_conflict(
    clues: Sequence[int], holds: Holds, tries: int = 20_000
) -> tuple[list[int], bool]:
    """A conflict of least size and whether that is proved: `([3, 17], True)`.

    Implicit hitting sets (Ignatiev et al., CP 2015): a smallest set that meets every known
    "removing these restores sense" set is tested; where it holds, it grows into one more such
    set. After `tries` tests the best known conflict is returned, unproved.
    """
    best = minimal_conflict(clues, holds)
    corrections: list[frozenset[int]] = []
    for candidate in _hitting_sets(corrections, len(best) - 1):
        tries -= 1
        if tries < 0:
            return best, False
        if not holds(candidate):
            return sorted(candidate), True
        grown = list(candidate)
        for clue in clues:
            if clue not in grown:
                tries -= 1
                if holds([*grown, clue]):
                    grown.append(clue)
        corrections.append(frozenset(clues) - frozenset(grown))
    return best, True


def _hitting_sets(corrections: list[frozenset[int]], most: int) -> Iterator[list[int]]:
    """Smallest sets that meet all `corrections`, asked again after the list has grown."""
    while True:
        found = next(
            (s for size in range(most + 1) if (s := _hit(corrections, size)) is not None), None
        )
        if found is None:
            return
        yield found


def _hit(corrections: list[frozenset[int]], size: int) -> list[int] | None:
    open_set = min(corrections, key=len, default=None)
    if open_set is None:
        return []
    if size == 0:
        return None
    for element in sorted(open_set):
        rest = _hit([c for c in corrections if element not in c], size - 1)
        if rest is not None:
            return sorted([element, *rest])
    return None
