"""Complete reasoning about one position: exact counts first, then search and samples."""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Sequence
from contextlib import suppress
from math import sqrt

import msgspec

from cluewise.core.conflict import bit_indices
from cluewise.core.work import Job
from cluewise.desks.mines.cell_names import CONTRADICTORY
from cluewise.desks.mines.engine import count as counting
from cluewise.desks.mines.engine.arrangements import expanded, is_arranged
from cluewise.desks.mines.engine.board import FLAG, QUESTION, UNKNOWN, state
from cluewise.desks.mines.engine.cdcl import NONE, OPEN, backbone, forced_by_count
from cluewise.desks.mines.engine.components import clues_of
from cluewise.desks.mines.engine.count import Count
from cluewise.desks.mines.position import Graph, Position, graph
from cluewise.desks.mines.results import Solved, SolveOptions
from cluewise.errors import Contradiction, TooLarge

RECOUNTED = 500  # cells; with more, the second count is too large, too
FEWEST, SAMPLES = 8, 24
KEPT = 480_000  # frontier states of one sample, over all layers
HOPELESS = 2  # samples that died out before the others are not tried
ENOUGH = 0.01  # standard error at which no more samples are taken
NOISY = 0.1  # a larger standard error makes a chance worth nothing


def solve(position: Position, options: SolveOptions) -> Job[Solved]:
    """Return the forced cells, the number of layouts and every cell's mine probability.

    The forced cells are complete on any board; probabilities are exact, estimated or, if sampling
    fails, left out. Raises Contradiction if no layout fits.
    """
    if is_arranged(position):
        if options.ignore_flags:
            position = msgspec.structs.replace(position, flags=())
        wide = expanded(position)
        found = yield from solve(wide.position, SolveOptions())
        safe, mines = ([c for c in some if c < wide.cells] for some in (found.safe, found.mines))
        chances = found.probability[: wide.cells]
        return msgspec.structs.replace(found, safe=safe, mines=mines, probability=chances)
    board, cells = graph(position), state(position, options.ignore_flags)
    try:
        counted = yield from counting.count(board, cells)
    except TooLarge:
        return (yield from _estimate(board, cells))
    if counted is None:
        raise Contradiction(CONTRADICTORY)
    return _exact(counted, forced_by_count(counted, cells))


def _exact(found: Count[int], values: array[int]) -> Solved:
    return Solved(str(found.solutions), True, *_decided(values), _shares(found, values))


def _decided(values: array[int]) -> tuple[list[int], list[int]]:
    """Return the cells that are safe and those that are mines in every layout."""
    safe, mines = ([c for c, v in enumerate(values) if v == value] for value in (0, 1))
    return safe, mines


def _estimate(board: Graph, cells: array[int]) -> Job[Solved]:
    """Count again with the forced cells known; sample where that is still too large."""
    values = yield from backbone(board, cells, countable=False)
    if values is None:
        raise Contradiction(CONTRADICTORY)
    known = cells[:]
    for cell, value in enumerate(values):
        if value >= 0:
            known[cell] = FLAG if value else QUESTION
    if board.cells <= RECOUNTED:
        with suppress(TooLarge):
            found = yield from counting.count(board, known)
            assert found is not None  # the forced cells are right in every layout
            return _exact(found, values)
    return _bounded((yield from _sample(board, known, values)), board, known)


def _bounded(found: Solved, board: Graph, known: array[int]) -> Solved:
    """Add bounds of every probability, and clamp the estimates to them."""
    lows, highs = chance_bounds(board, known)
    low, high, chances = list[float | None](), list[float | None](), list[float | None]()
    sure = {**dict.fromkeys(found.safe, 0.0), **dict.fromkeys(found.mines, 1.0)}
    for cell, chance in enumerate(found.probability):
        unknown = known[cell] == UNKNOWN
        low.append(lows[cell] if unknown else sure.get(cell))
        high.append(highs[cell] if unknown else sure.get(cell))
        if chance is not None and unknown:
            chance = min(highs[cell], max(lows[cell], chance))
        chances.append(chance)
    return msgspec.structs.replace(found, probability=chances, low=low, high=high)


def _sample(board: Graph, known: array[int], values: array[int]) -> Job[Solved]:
    large = board.cells > RECOUNTED
    keep, most = max(200, KEPT // board.cells >> large), SAMPLES >> large
    runs: list[Count[float]] = []
    chances = [float(v) if v >= 0 else None for v in values]
    estimate = Solved(None, False, *_decided(values), chances)  # only the forced cells
    for tried in range(1, most + 1):
        run = yield from counting.sample(board, known, keep, tried - 1)
        if run is not None:
            runs.append(run)
        if tried > HOPELESS and not runs:
            break
        if tried >= FEWEST and len(runs) > 1:
            found = _combine(runs, values, tried)
            error = found.error or 0.0
            if error <= NOISY:
                estimate = found
            if error <= ENOUGH or error > 2 * NOISY:
                break
    return estimate


def _combine(runs: list[Count[float]], values: array[int], tried: int) -> Solved:
    """Return ratio estimates over the runs, with jackknife standard errors."""
    weight = [run.solutions / max(r.solutions for r in runs) for run in runs]
    total = sum(weight)
    mean = sum(run.solutions for run in runs) / tried
    spread = sqrt(sum((run.solutions / mean - 1) ** 2 for run in runs) + tried - len(runs))
    error = 0.0
    shares = [_shares(run, values) for run in runs]
    probability: list[float | None] = []
    for value, *chances in zip(values, *shares, strict=True):
        each = [w * (chance or 0.0) for w, chance in zip(weight, chances, strict=True)]
        whole = sum(each) / total
        if value == OPEN:
            error = max(error, _jackknife(each, weight, whole))
        probability.append(None if chances[0] is None else min(1.0, max(0.0, whole)))
    decided = _decided(values)
    return Solved(str(round(mean)), False, *decided, probability, error, spread / tried)


def _shares(found: Count[int] | Count[float], values: Sequence[int]) -> list[float | None]:
    """Return each cell's mine probability; `values`: 0, 1, OPEN, or NONE for known cells."""
    return [
        None if value == NONE else float(value) if value != OPEN
        else found.masses[kind] / found.solutions if kind >= 0 else float(kind == counting.MINE)
        for value, kind in zip(values, found.classes, strict=True)
    ]  # fmt: skip


def _jackknife(each: list[float], weight: list[float], whole: float) -> float:
    n = len(each)
    top, bottom = sum(each), sum(weight)
    left_out = [(top - e) / max(bottom - w, 1e-300) for e, w in zip(each, weight, strict=True)]
    return sqrt((n - 1) / n * sum((x - whole) ** 2 for x in left_out))


def chance_bounds(board: Graph, cells: array[int]) -> tuple[list[float], list[float]]:
    """Return per cell the lowest and the highest mine probability; the clues must be consistent.

    Cells in the same clues are interchangeable: their probabilities are equal. So a class of k
    cells with at least a and at most b mines in every layout has probabilities from a / k to b / k.
    Bounds propagation over the clues gives a and b. For cells that are not unknown both are 0.
    """
    clues = clues_of(board, cells)
    membership: dict[int, list[int]] = {c: [] for c, mark in enumerate(cells) if mark == UNKNOWN}
    for i, (mask, _, _) in enumerate(clues):
        for cell in bit_indices(mask):
            membership[cell].append(i)
    classes: dict[tuple[int, ...], list[int]] = defaultdict(list)
    for cell, counted in membership.items():
        classes[tuple(counted)].append(cell)
    least = dict.fromkeys(classes, 0)
    most = {own: len(alike) for own, alike in classes.items()}
    within: list[list[tuple[int, ...]]] = [[] for _ in clues]
    for own in classes:
        for i in own:
            within[i].append(own)
    changed = True
    while changed:
        changed = False
        for (_, need, _), members in zip(clues, within, strict=True):
            fewest, highest = (sum(bound[own] for own in members) for bound in (least, most))
            for own in members:
                low = max(least[own], need - highest + most[own])
                high = min(most[own], need - fewest + least[own])
                changed = changed or (low, high) != (least[own], most[own])
                fewest += low - least[own]
                highest += high - most[own]
                least[own], most[own] = low, high
    lows, highs = [0.0] * len(cells), [0.0] * len(cells)
    for own, alike in classes.items():
        for cell in alike:
            lows[cell], highs[cell] = least[own] / len(alike), most[own] / len(alike)
    return lows, highs
