"""Complete reasoning about one position: exact counts first, search and samples beyond."""

from __future__ import annotations

from array import array
from math import sqrt

import msgspec

from cluewise.core.work import Job
from cluewise.desks.mines.cell_names import CONTRADICTORY
from cluewise.desks.mines.engine import count as counting
from cluewise.desks.mines.engine.arrangements import expanded, is_arranged
from cluewise.desks.mines.engine.board import UNKNOWN, state
from cluewise.desks.mines.engine.cdcl import backbone, forced_by_count
from cluewise.desks.mines.engine.count import Count, Sampled
from cluewise.desks.mines.position import Graph, Position, graph
from cluewise.desks.mines.results import Solved, SolveOptions
from cluewise.errors import Contradiction, TooLarge

SAMPLES = 12
KEPT = 240_000  # frontier states of one sample, over all layers
HOPELESS = 2  # samples that died out before the others are not tried
NOISY = 0.2  # a larger standard error makes a chance worth nothing


def solve(position: Position, options: SolveOptions) -> Job[Solved]:
    """Forced cells, the number of layouts and every cell's chance.

    The forced cells are complete on any board; the others' chances are exact, estimated or, where
    samples lead nowhere, left out. Raises Contradiction if no layout fits.
    """
    if is_arranged(position):
        if options.ignore_flags:
            position = msgspec.structs.replace(position, flags=())
        return (yield from _solve_arranged(position))
    board, cells = graph(position), state(position, options.ignore_flags)
    try:
        found = yield from counting.count(board, cells)
    except TooLarge:
        return (yield from _estimate(board, cells))
    if found is None:
        raise Contradiction(CONTRADICTORY)
    return _exact(found, cells)


def _solve_arranged(position: Position) -> Job[Solved]:
    wide = expanded(position)
    found = yield from solve(wide.position, SolveOptions())
    safe, mines = ([c for c in some if c < wide.cells] for some in (found.safe, found.mines))
    chances = found.probability[: wide.cells]
    return msgspec.structs.replace(found, safe=safe, mines=mines, probability=chances)


def _exact(found: Count, cells: array[int]) -> Solved:
    total = found.solutions
    chance = [mass / total for mass in found.masses]
    probability = [
        None if mark != UNKNOWN else chance[kind] if kind >= 0 else float(kind == counting.MINE)
        for mark, kind in zip(cells, found.classes, strict=True)
    ]
    safe, mines = _decided(forced_by_count(found, cells))
    return Solved(str(total), True, safe, mines, probability)


def _decided(values: array[int]) -> tuple[list[int], list[int]]:
    """The cells that are safe and those that are mines in every layout."""
    safe, mines = ([c for c, v in enumerate(values) if v == value] for value in (0, 1))
    return safe, mines


def _estimate(board: Graph, cells: array[int]) -> Job[Solved]:
    values = yield from backbone(board, cells, countable=False)
    if values is None:
        raise Contradiction(CONTRADICTORY)
    keep = max(200, KEPT // board.cells)
    runs: list[Sampled] = []
    for seed in range(SAMPLES):
        run = yield from counting.sample(board, cells, keep, seed)
        if run is not None:
            runs.append(run)
        elif seed == HOPELESS and not runs:
            break
    found = _combine(runs, values, cells) if len(runs) > 1 else None
    if found is None or found.error is None or found.error > NOISY:
        return _uncounted(values)
    return found


def _uncounted(values: array[int]) -> Solved:
    """What is decided, and nothing about the rest."""
    return Solved(
        None, False, *_decided(values), [float(v) if v >= 0 else None for v in values]
    )  # fmt: skip


def _combine(runs: list[Sampled], values: array[int], cells: array[int]) -> Solved:
    """Ratio estimates over the runs; the error by leaving one run out at a time."""
    weight = [run.solutions / max(r.solutions for r in runs) for run in runs]
    total = sum(weight)
    mean = sum(run.solutions for run in runs) / SAMPLES
    spread = sqrt(sum((run.solutions / mean - 1) ** 2 for run in runs) + SAMPLES - len(runs))
    error = 0.0
    probability: list[float | None] = []
    for cell, mark in enumerate(cells):
        if mark != UNKNOWN:
            probability.append(None)
        elif values[cell] >= 0:
            probability.append(float(values[cell]))
        else:
            each = [w * _share(run, cell) for w, run in zip(weight, runs, strict=True)]
            whole = sum(each) / total
            error = max(error, _jackknife(each, weight, whole))
            probability.append(min(1.0, max(0.0, whole)))
    return Solved(
        str(round(mean)),
        False,
        *_decided(values),
        probability,
        error,
        spread / SAMPLES,
    )


def _share(run: Sampled, cell: int) -> float:
    kind = run.classes[cell]
    return run.masses[kind] / run.solutions if kind >= 0 else float(kind == counting.MINE)


def _jackknife(each: list[float], weight: list[float], whole: float) -> float:
    n = len(each)
    top, bottom = sum(each), sum(weight)
    left_out = [(top - e) / max(bottom - w, 1e-300) for e, w in zip(each, weight, strict=True)]
    return sqrt((n - 1) / n * sum((x - whole) ** 2 for x in left_out))
