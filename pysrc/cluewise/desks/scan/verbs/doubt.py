"""The verb `doubt`: which clues cannot all hold, and what to doubt if so."""

from __future__ import annotations

import msgspec

from cluewise.core.conflict import SmallestMuses
from cluewise.core.desk import NoOptions
from cluewise.core.work import Job, Progress
from cluewise.desks.scan.position import Position
from cluewise.desks.scan.results import Doubt, Repair
from cluewise.desks.scan.scene import ScanModel

MOST_SETS = 1000


def doubt(position: Position, _options: NoOptions) -> Job[Doubt]:
    """The smallest sets of clues that leave no spot, single repairs, and redundant clues."""
    scene = ScanModel.of(position)
    if scene.fitting or not scene.spots:
        yield Progress(1, 1)
        return Doubt(False, [], [], _redundant(scene), True)
    search = SmallestMuses(len(scene.clues), lambda clues: _fits(scene, clues))
    found = yield from search.run(MOST_SETS)
    return Doubt(True, found, list(_repairs(scene)), _redundant(scene), search.proved)


def _fits(scene: ScanModel, clues: int) -> Job[int | None]:
    """All clues that hold with one of the spots these leave; None if they leave none."""
    yield from ()
    left = scene.everything
    for i, clue in enumerate(scene.clues):
        if clues >> i & 1:
            left &= clue
    spot = left & -left
    return sum(1 << i for i, clue in enumerate(scene.clues) if clue & spot) if spot else None


def _repairs(scene: ScanModel) -> list[Repair]:
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
        sign = seen.different_level
        for flag in [sign] if not scene.with_levels or sign is None else [sign, not sign]:
            for answer in (1, 2, 3):
                other = msgspec.structs.replace(seen, pulse=answer, different_level=flag)
                left = scene.left_by(other) & rest
                if left:
                    away = abs(answer - seen.pulse) + (flag != sign)
                    found.append(Repair(clue, answer, flag, left.bit_count(), away))
    found.sort(key=lambda r: (r.distance, r.clue, r.pulse or 0, bool(r.different_level)))
    return found


def _redundant(scene: ScanModel) -> list[int]:
    """Clues whose every exclusion some other clue makes; ignored ones are no clues."""
    ignored = {i for i, o in enumerate(scene.position.observations) if o.ignored}
    excluded = [scene.everything & ~left for left in scene.clues]
    once, twice = 0, 0
    for bits in excluded:
        twice |= once & bits
        once |= bits
    return [i for i, bits in enumerate(excluded) if i not in ignored and not bits & ~twice]
