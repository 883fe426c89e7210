"""When clues contradict: the smallest sets that exclude every spot, and single repairs.

A clue excludes some spots; clues contradict when together they exclude all. So a smallest
contradiction is a smallest cover of the spots, found by branching on the spot that fewest
clues exclude (all subsets, as `core.doubt` tries them, would be too many for fifty rule-outs).
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from cluewise.core.work import Job, Progress
from cluewise.desks.scan.position import ScanPosition
from cluewise.desks.scan.results import DoubtResult, Repair
from cluewise.desks.scan.scene import Scene

MOST_SETS = 1000
MOST_STEPS = 400_000


def run_doubt(position: ScanPosition, _options: object) -> Job[DoubtResult]:
    """The verb `doubt`."""
    scene = Scene.of(position)
    excluded = [scene.everything & ~left for left in scene.clues]
    if scene.remaining or not scene.spots:
        yield Progress(1, 1)
        return DoubtResult(False, [], [], _redundant(scene, excluded), True)
    cover = _Covers(excluded, scene.everything)
    yield from cover.search()
    found = sorted(cover.found)
    return DoubtResult(
        True, found, list(_repairs(scene)), _redundant(scene, excluded), cover.proved
    )


class _Covers:
    """All covers of least size, by iterative deepening."""

    def __init__(self, excluded: list[int], everything: int) -> None:
        self.excluded, self.everything = excluded, everything
        self.found: list[list[int]] = []
        self.proved = True
        self.steps = 0

    def search(self) -> Iterator[Progress]:
        clues = [i for i, bits in enumerate(self.excluded) if bits]
        for size in range(1, len(clues) + 1):
            sets: set[tuple[int, ...]] = set()
            for step in self._extend((), 0, size, sets):
                yield step
                if self.steps > MOST_STEPS:
                    self.proved = False
                    break
            if not self.proved:
                sets = sets or {tuple(self._irredundant(clues))}
            if sets:
                self.found = [list(s) for s in sets]
                return

    def _extend(
        self, chosen: tuple[int, ...], covered: int, size: int, sets: set[tuple[int, ...]]
    ) -> Iterator[Progress]:
        self.steps += 1
        if self.steps % 2000 == 0:
            yield Progress(self.steps, None, "comparing clues")
        open_spots = self.everything & ~covered
        if not open_spots:
            sets.add(tuple(sorted(chosen)))
            return
        left = size - len(chosen)
        if left <= 0 or len(sets) >= MOST_SETS or self.steps > MOST_STEPS:
            return
        gains = [(e & open_spots).bit_count() for e in self.excluded]
        if left * max(gains) < open_spots.bit_count():
            return
        for clue in self._excluders(open_spots):
            yield from self._extend((*chosen, clue), covered | self.excluded[clue], size, sets)

    def _excluders(self, open_spots: int) -> list[int]:
        """The clues that exclude the open spot with the fewest of them."""
        best: list[int] | None = None
        while open_spots:
            low = open_spots & -open_spots
            clues = [i for i, e in enumerate(self.excluded) if e & low]
            if best is None or len(clues) < len(best):
                best = clues
            open_spots ^= low
        return best or []

    def _irredundant(self, clues: list[int]) -> list[int]:
        kept = list(clues)
        for clue in clues:
            rest = [c for c in kept if c != clue]
            union = 0
            for c in rest:
                union |= self.excluded[c]
            if union == self.everything:
                kept = rest
        return kept


def _repairs(scene: Scene) -> list[Repair]:
    """Single other answers that leave some spot, nearest first."""
    found: list[Repair] = []
    observations = scene.position.observations
    for clue in range(len(scene.clues)):
        rest = scene.everything
        for i, left in enumerate(scene.clues):
            if i != clue:
                rest &= left
        if not rest:
            continue
        if clue >= len(observations):
            found.append(Repair(clue, None, None, rest.bit_count(), 1))
            continue
        seen = observations[clue]
        if seen.ignored:
            continue
        for flag in _flags(scene, seen.different_level):
            for answer in (1, 2, 3):
                other = msgspec.structs.replace(seen, pulse=answer, different_level=flag)
                left = scene.left_by(other) & rest
                if left:
                    away = abs(answer - seen.pulse) + (flag != seen.different_level)
                    found.append(Repair(clue, answer, flag, left.bit_count(), away))
    found.sort(key=lambda r: (r.distance, r.clue, r.pulse or 0, bool(r.different_level)))
    return found


def _flags(scene: Scene, flag: bool | None) -> list[bool | None]:
    return [flag] if not scene.with_levels or flag is None else [flag, not flag]


def _redundant(scene: Scene, excluded: list[int]) -> list[int]:
    """Clues whose every exclusion some other clue makes; ignored ones are no clues."""
    ignored = {i for i, o in enumerate(scene.position.observations) if o.ignored}
    once, twice = 0, 0
    for bits in excluded:
        twice |= once & bits
        once |= bits
    return [i for i, bits in enumerate(excluded) if i not in ignored and not bits & ~twice]
