"""The verbs `classes` and `doubt`: areas of equal information, and contradictory clues."""

from __future__ import annotations

from array import array
from typing import Any

import msgspec

from cluewise.core.conflict import SmallestMuses, bit_indices
from cluewise.core.desk import NoOptions
from cluewise.core.work import Job, Progress, ResultWithArrays
from cluewise.desks.scan.engine.classes import ClassMap, partition
from cluewise.desks.scan.position import Position
from cluewise.desks.scan.results import (
    Classes,
    ClassesOptions,
    Doubt,
    Repair,
    ScanClass,
)
from cluewise.desks.scan.scene import ScanModel, pulse


def classes(position: Position, options: ClassesOptions) -> Job[ResultWithArrays[Classes]]:
    """Count the classes of the map; with `drawing` also return the page's arrays."""
    scene = ScanModel.of(position)
    if not scene.spots:
        return ResultWithArrays(Classes(None, 0, 0, 0, 0.0, 0), {})
    left = list(scene.must_remain())
    cut = yield from partition(scene, shapes=options.list or options.drawing)
    x0, y0, width, height = cut.window
    result = Classes(
        window=[x0, x0 + width - 1, y0, y0 + height - 1],
        remaining=cut.remaining,
        profiles=cut.profiles,
        classes=cut.count,
        max_bits=cut.max_bits,
        best=cut.best,
        list=list_classes(scene, cut) if options.list else None,
        chances=_chances(scene) if position.misread else None,
        left=left if options.drawing else None,
    )
    return ResultWithArrays(result, arrays_for_page(cut) if options.drawing else {})


def _chances(scene: ScanModel) -> list[float]:
    """Return the posterior probability of each remaining spot."""
    total = sum(scene.weights)
    return [scene.weights[i] / total for i in scene.remaining]


def list_classes(scene: ScanModel, cut: ClassMap) -> list[ScanClass]:
    """Return every class, by bits descending, then by its first tile (lowest y, then lowest x)."""
    left = [scene.spots[i] for i in scene.remaining]
    rects, outlines, best = cut.rects_by_class, cut.outlines(), cut.best_splits
    return [
        ScanClass(
            bits=cut.split_bits[cut.split[c]],
            counts=list(cut.splits[cut.split[c]]),
            profile=[pulse((x, y), spot, scene.reach) for spot in left],
            tiles=cut.tiles[c],
            rects=rects[c],
            label=[x, y],
            best=best[cut.split[c]],
            outline=outlines[c],
        )
        for c in cut.in_order()
        for x, y in [cut.label_point(c)]
    ]


def arrays_for_page(cut: ClassMap) -> dict[str, Any]:
    """Return the arrays for the drawing of the map, relative to the window's lowest corner.

    Per rectangle `rects` (x0 y0 x1 y1) and `owners` (class); per class `boxes` (x y w h), `split`
    and `tiles`; per split `splits` (counts), `bits` and `best` (none if no tile excludes a spot);
    `columns`, `rows`, `labels` for hit tests; `vertices`, `ring_ends`, `ring_owners` for outlines.
    """
    flat = array("h", (n for split in cut.splits for n in split))
    best = array("B", (int(b and cut.max_bits > 0) for b in cut.best_splits))
    return {
        "rects": cut.rects,
        "owners": cut.owners,
        "boxes": cut.boxes,
        "split": cut.split,
        "tiles": cut.tiles,
        "splits": flat,
        "bits": array("d", cut.split_bits),
        "best": best,
        "columns": cut.columns,
        "rows": cut.rows,
        "labels": cut.labels,
        "vertices": cut.vertices,
        "ring_ends": cut.ring_ends,
        "ring_owners": cut.ring_owners,
    }


MOST_SETS = 1000


def doubt(position: Position, _options: NoOptions) -> Job[Doubt]:
    """Find the smallest minimal unsatisfiable subsets, single repairs, and redundant clues."""
    scene = ScanModel.of(position)
    if scene.fitting or not scene.spots:
        yield Progress(1, 1)
        return Doubt(False, [], [], _redundant(scene), True)
    search = SmallestMuses(len(scene.clues), lambda clues: _fits(scene, clues))
    found = yield from search.run(MOST_SETS)
    return Doubt(True, found, list(_repairs(scene)), _redundant(scene), search.proved)


def _fits(scene: ScanModel, clues: int) -> Job[int | None]:
    """Return all clues that hold for some spot which fits the given ones; None without one."""
    yield from ()
    left = scene.fitting_clues(bit_indices(clues))
    spot = left & -left
    return sum(1 << i for i, clue in enumerate(scene.clues) if clue & spot) if spot else None


def _repairs(scene: ScanModel) -> list[Repair]:
    """Return changes of one clue that restore consistency, nearest first."""
    found: list[Repair] = []
    observations = scene.position.observations
    for clue in range(len(scene.clues)):
        rest = scene.fitting_clues(i for i in range(len(scene.clues)) if i != clue)
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
    """Return the clues that exclude no spot which the others do not; ignored rows do not count."""
    ignored = {i for i, o in enumerate(scene.position.observations) if o.ignored}
    excluded = [scene.everything & ~left for left in scene.clues]
    once, twice = 0, 0
    for bits in excluded:
        twice |= once & bits
        once |= bits
    return [i for i, bits in enumerate(excluded) if i not in ignored and not bits & ~twice]
