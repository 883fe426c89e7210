"""The closure: pairwise crossing of inequalities, in rounds, with parents (closure.c).

Sound but not complete: `a+b=1, b+c=1, a+c+d=2` decides every cell and the closure none of them.
"""

from __future__ import annotations

from array import array
from functools import partial
from typing import NamedTuple

from cluewise.core.conflict import bit_indices
from cluewise.core.work import Job
from cluewise.desks.mines.engine.board import framed, put_board, run_slices
from cluewise.desks.mines.position import CELLS, Graph
from cluewise.errors import TooLarge
from cluewise.kernel import Frame
from cluewise.kernel.layouts import MINES

BUDGET = 4_000_000  # pairs a slice
HEAD = MINES.MINES_LOG_HEAD  # fields before the mask of a log row
CLUE, EXACT, INEXACT, MEET, REDUCED = range(5)


class Cap(NamedTuple):
    """Sets of more than `widest` cells with a minimum above `highest` are never crossed.

    With more than `most` sets the closure gives up.
    """

    widest: int = CELLS
    highest: int = 0
    most: int = 1_000_000


OPEN = Cap(most=2500)
CAPPED = Cap(9, 3)


class Derivation(NamedTuple):
    """A log row: an inequality low ≤ mines among its cells ≤ high, and its origin.

    The `size` cells are the bits of `mask`.
    """

    kind: int
    first: int
    second: int
    low: int
    high: int
    size: int
    round: int
    mask: int

    @property
    def cells(self) -> tuple[int, ...]:
        """Return the cells, ascending; not cached, since few rows are ever shown."""
        return tuple(bit_indices(self.mask))

    @property
    def trivial(self) -> bool:
        """Return whether it decides its cells."""
        return self.high == 0 or self.low == self.size


class CapExceeded(TooLarge):
    """More inequalities than the cap allows."""


class Closure:
    """The closure of one position; made by `open_closure`."""

    def __init__(
        self, frame: Frame, board: Graph, cells: array[int], clues: bytes | None = None,
        cap: Cap = OPEN, megabytes: int = 16,
    ) -> None:  # fmt: skip
        given = put_board(frame, board, cells, clues)
        self._frame, self._cells, size = frame, board.cells, megabytes << 20
        self._work = frame.reserve(size)
        frame.call(
            "mines_closure_begin", *given, widest=cap.widest, highest=cap.highest, most=cap.most,
            work=self._work, size=size,
        )  # fmt: skip

    def step(self, limit: int, target: int = -1) -> Job[bool]:
        """Run rounds until some cell (or `target`) is decided; return whether that was so.

        Raises CapExceeded beyond the cap's number of sets.
        """
        note = "crossing inequalities"
        return (yield from self._run(note, "mines_closure_step", limit, target)) == 1

    def _run(self, note: str, name: str, *given: int) -> Job[int]:
        step = partial(self._frame.call, name, self._work, *given, BUDGET)
        found = yield from run_slices(step, note, more=2)
        if found == 3:
            raise CapExceeded("The closure has more inequalities than its cap allows.")
        return found

    def play(self, shows: array[int], limit: int) -> Job[tuple[bool, list[tuple[int, ...]]]]:
        """Play a puzzle by the closure alone; return whether it was solved, and the steps.

        `shows`: what every cell shows when it is opened, FLAG for mines. A step is (rounds, inexact
        rounds, sets, exact sets). Raises CapExceeded beyond the cap's number of sets.
        """
        secret = self._frame.put(shows)
        records = self._frame.reserve(4 + 16 * self._cells, zero=True)
        note = "playing the puzzle by inequalities"
        given = (secret, limit, records, self._cells)
        done = yield from self._run(note, "mines_closure_play", *given)
        count = self._frame.get(records, "i", 1)[0]
        raw = self._frame.get(records, "i", 1 + 4 * count)[1:]
        return done == 1, [tuple(raw[i : i + 4]) for i in range(0, 4 * count, 4)]

    def log(self) -> list[Derivation]:
        """Return every derived inequality, clues first."""
        count = self._frame.call("mines_closure_rows", self._work)
        width = HEAD + 2 * max(1, (self._cells + 63) // 64)
        with self._frame.kernel.frame() as frame:
            at = frame.reserve(4 * width * count)
            frame.call("mines_closure_log", self._work, count, at)
            raw = frame.get(at, "i", width * count)
        return [_row(raw, i * width, width) for i in range(count)]


def _row(raw: array[int], at: int, width: int) -> Derivation:
    mask = int.from_bytes(raw[at + HEAD : at + width].tobytes(), "little")
    kind, first, second, low, high, size, number = raw[at : at + HEAD]
    return Derivation(kind, first, second, low, high, size, number, mask)


open_closure = framed(Closure)
