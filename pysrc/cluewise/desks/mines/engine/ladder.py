"""The easiest deduction by one count or by crossings: least kind, then length, then widest set.

*Length* is how often a count is named in the argument, repeats included; so a chain of k crossings
has length k + 1. Derived sets have at most `WIDE` cells: a person does not keep more in mind.
"""

from __future__ import annotations

from array import array
from functools import partial
from typing import NamedTuple

from cluewise.core.work import Job
from cluewise.desks.mines.engine.board import put_board, run_slices
from cluewise.desks.mines.engine.count import workspace_bytes
from cluewise.desks.mines.position import Graph
from cluewise.desks.mines.rating import TECHNIQUES, Technique
from cluewise.kernel import kernel

WIDE = 12  # cells of a derived set
CHAIN, BOUNDS = 6, 4  # crossings of a derivation
FACTS = 400_000
WORKSPACE = 24 << 20
PAIRS = 3_000_000  # a slice
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
        """The fewest and the most mines among the cells."""
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
        """The numbers of the counts, ascending."""
        return sorted({fact.clue for fact in self.facts if fact.clue >= 0})


def easiest_derivation(board: Graph, cells: array[int], target: int = -1) -> Job[Easiest | None]:
    """The easiest derivation that decides a cell (or the cell `target`), None if there is none.

    The clues must fit some layout. `proved` false: there was no room for all facts.
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
