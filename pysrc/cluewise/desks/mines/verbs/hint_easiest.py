"""A deduction from the smallest set of clues found for a position."""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from cluewise.core.conflict import bit_indices
from cluewise.core.work import Job, Progress
from cluewise.desks.mines.engine.board import UNKNOWN, state
from cluewise.desks.mines.engine.pair_deductions import easiest_pair_deduction
from cluewise.desks.mines.position import Graph, Position, clue_names
from cluewise.desks.mines.rating import TECHNIQUES
from cluewise.desks.mines.results import Explained
from cluewise.desks.mines.verbs.explain import LONG, explain_forced, reasoning

FEWEST = 6  # cells to look at, however large the board
WORK = 400_000  # unknown cells · clues · cells to look at
AFTER_SUMS = TECHNIQUES.index("weighted")


def effort(reason: Explained) -> tuple[int, int, int]:
    """What makes one explanation harder than another: its kind, its counts, its steps.

    A chain too long to be held in mind stands behind the sums.
    """
    kind = TECHNIQUES.index(reason.technique or "deeper")
    if len(reason.steps) > LONG:
        kind = max(kind, AFTER_SUMS)
    return kind, sum(not name.startswith("flag:") for name in reason.clues), len(reason.steps)


def easiest(position: Position, board: Graph, values: Sequence[int]) -> Job[Explained]:
    """Find a deduction from few clues; `values`: 0 or 1 for every forced cell (at least one).

    Where one count or two decide something, none rests on fewer. Else the forced cells
    are explained one by one and compared, on large boards the first few of them.
    """
    cells, names = state(position), clue_names(position)
    at_once = easiest_pair_deduction(board, cells)
    if at_once is not None:
        cell = bit_indices(at_once.cells)[0]
        return (yield from explain_forced(position, board, names, cell, values[cell]))
    best: Explained | None = None
    covered: set[int] = set()
    tried = _tried(cells, len(names), values)
    with reasoning(position, board, names) as reasons:
        for i, cell in enumerate(tried):
            if cell in covered:
                continue
            reason = yield from reasons.of(cell, values[cell])
            covered.update(reason.steps[-1].gives.cells)
            if best is None or effort(reason) < effort(best):
                best = reason
            yield Progress(i + 1, len(tried), "comparing reasons")
    assert best is not None
    return best


def _tried(cells: array[int], clues: int, values: Sequence[int]) -> list[int]:
    """The forced cells to look at."""
    forced = [c for c, value in enumerate(values) if value >= 0]
    return forced[: max(FEWEST, WORK // max(1, cells.count(UNKNOWN) * clues))]
