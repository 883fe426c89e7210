"""The easiest deduction: by one count or by crossings (ladder.c), else by the shortest sum.

Crossings are minimised by kind, then length, then widest set. *Length* is the number of occurrences
of counts in the derivation, so a chain of k crossings has length k + 1. Derived sets have at most
`WIDE` cells, a limit of human working memory. A sum has the fewest counts, each added or subtracted
once (least_sum.c).
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

from cluewise.core.work import Job
from cluewise.desks.mines.engine.board import put_board, run_slices
from cluewise.desks.mines.engine.count import workspace_bytes
from cluewise.desks.mines.position import Graph
from cluewise.desks.mines.rating import TECHNIQUES, Technique
from cluewise.kernel import kernel
from cluewise.kernel.layouts import MINES

WIDE = 12  # cells of a derived set
CHAIN, BOUNDS = 6, 4  # crossings of a derivation
FACTS = 400_000
WORKSPACE = 24 << 20
PAIRS = 3_000_000  # a slice
SUM_WORKSPACE = 4 << 20
SUM_BUDGET = 5_000_000  # a slice: about 15 ms
SUM_SLICES = 100  # the hardest position of 40 levels of the game takes 20
EXACT, LEAST, MOST = range(3)


class Fact(NamedTuple):
    """A step: `value` mines (at least, at most) in the cells of `mask`.

    `clue` is a clue number where the fact is a count, else -1 and `parents` are earlier facts.
    """

    side: int
    value: int
    mask: int
    clue: int
    parents: tuple[int, int]

    @property
    def limits(self) -> tuple[int, int]:
        """Return the fewest and the most mines among the cells."""
        low = 0 if self.side == MOST else self.value
        return low, self.mask.bit_count() if self.side == LEAST else self.value


class Easiest(NamedTuple):
    """A derivation of least kind and length; its last fact decides `cells`, all alike.

    `widest`: the cells of its widest set; None for bounds.
    """

    technique: Technique
    length: int
    widest: int | None
    value: int
    cells: int
    facts: tuple[Fact, ...]
    proved: bool

    @property
    def clues(self) -> list[int]:
        """Return the numbers of the counts, ascending."""
        return sorted({fact.clue for fact in self.facts if fact.clue >= 0})


def easiest_derivation(board: Graph, cells: array[int], target: int = -1) -> Job[Easiest | None]:
    """Return the easiest derivation that decides a cell (or `target`), None if there is none.

    The clues must be consistent. `proved` is false if the limit of facts was reached.
    """
    with kernel().frame() as frame:
        size = min(WORKSPACE, workspace_bytes())
        work, out = frame.reserve(size), frame.reserve(24)
        begun = frame.call(
            "mines_ladder_begin", *put_board(frame, board, cells)[:3], target=target, wide=WIDE,
            chain=CHAIN, bounds=BOUNDS, most=FACTS, work=work, size=size,
        )  # fmt: skip
        if begun:
            step = partial(frame.call, "mines_ladder_run", work, PAIRS)
            yield from run_slices(step, "looking for the easiest deduction")
        if not begun or not frame.call("mines_ladder_result", work, out):
            return None
        kind, length, widest, value, full, rows = frame.get(out, "i", 6)
        words = 2 * ((board.cells + 63) // 64)
        log = frame.reserve(4 * rows * (4 + words))
        frame.call("mines_ladder_log", work, rows, log)
        raw = frame.get(log, "i", rows * (4 + words))
    facts = tuple(_fact(raw[i : i + 4 + words]) for i in range(0, len(raw), 4 + words))
    technique = TECHNIQUES[kind]
    proved = not full or technique != "bounds"
    shown = None if technique == "bounds" else widest
    return Easiest(technique, length, shown, value, facts[-1].mask, facts, proved)


def _fact(row: array[int]) -> Fact:
    side, value, first, second = row[:4]
    mask = int.from_bytes(row[4:].tobytes(), "little")
    return Fact(side, value, mask, -1 - first if first < 0 else -1, (first, second))


class LeastSum(NamedTuple):
    """The weight of each clue number in the sum, and the cell that it decides."""

    weights: dict[int, int]
    cell: int


def least_sum(
    board: Graph, cells: array[int], values: Sequence[int], mines: int, cell: int = -1
) -> Job[LeastSum | None]:
    """Return the shortest sum that decides a cell (or the forced `cell`).

    None if there is none or the search exceeds `SUM_SLICES`.

    `values`: 0 or 1 for every forced cell, else below 0; `mines`: a layout that fits, as bits.
    """
    layout = array("b", (mines >> c & 1 for c in range(board.cells)))
    with kernel().frame() as frame:
        size = min(SUM_WORKSPACE, workspace_bytes())
        work, weights = frame.reserve(size), frame.reserve(board.cells + len(board.groups))
        begun = frame.call(
            "mines_least_begin", *put_board(frame, board, cells)[:3],
            values=frame.put(array("b", values)), layout=frame.put(layout), cell=cell,
            most=MINES.MINES_LEAST, work=work, size=size,
        )  # fmt: skip
        if not begun:
            return None
        slices = iter(range(SUM_SLICES))
        step = partial(frame.call, "mines_least_run", work, SUM_BUDGET)
        found = yield from run_slices(lambda: step() if next(slices, None) is not None else 0,
                                      "looking for the shortest sum")  # fmt: skip
        if found != 2:
            return None
        decided = frame.call("mines_least_result", work, weights)
        weighed = frame.get(weights, "b", board.cells + len(board.groups))
    return LeastSum({clue: w for clue, w in enumerate(weighed) if w}, decided)
