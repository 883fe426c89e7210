"""The chance to win of each candidate under best play, by the kernel's branch and bound."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from functools import partial
from typing import NamedTuple

from cluewise.core.work import Job
from cluewise.desks.mines.engine.board import framed, put_board, run_slices
from cluewise.desks.mines.engine.count import workspace_bytes
from cluewise.desks.mines.position import Graph
from cluewise.kernel import Frame

AGAIN, DONE, UNSETTLED = 1, 2, 3
STEPS = 20_000_000  # of a slice
SLICES_OF_BOUNDS = 200  # of one candidate's bounds


class Opened(NamedTuple):
    """What opening a cell gives, in layouts.

    Of `of` layouts that count, `safe` have no mine there; play after it wins from `low` to `high`.
    """

    safe: int
    of: int
    low: int
    high: int


class GuessSearch:
    """The listed layouts of one state, and what was found about them; make it with `open_guess`."""

    def __init__(
        self, frame: Frame, board: Graph, cells: array[int], secret: Iterable[int], most: int
    ) -> None:
        shows_nothing = bytearray(board.cells)
        for cell in secret:
            shows_nothing[cell] = 1
        given = put_board(frame, board, cells, bytes(shows_nothing))
        self._frame, self._out = frame, frame.reserve(16)
        size = workspace_bytes()
        self._work = frame.reserve(size)
        frame.call("mines_guess_begin", *given, most, self._work, size)

    def list_layouts(self) -> Job[None]:
        """List all layouts; they fit. Raises TooLarge beyond `most`, or where that is too long."""
        step = partial(self._frame.call, "mines_guess_list", self._work, STEPS)
        yield from run_slices(step, "listing the layouts", AGAIN)

    def value(self, cell: int, rule: int) -> Job[Opened | None]:
        """What best play wins after opening the cell; None where that could not be settled."""
        step = partial(self._ask, 0, cell, rule)
        status = yield from run_slices(step, "following every play", AGAIN)
        return None if status == UNSETTLED else self._opened(status)

    def bounds(self, cell: int, rule: int) -> Opened:
        """What the safest cell each time wins after opening the cell, and a bound on every play.

        `low` is 0 where even that play is too long.
        """
        slices = (self._ask(1, cell, rule) for _ in range(SLICES_OF_BOUNDS))
        return self._opened(next((status for status in slices if status != AGAIN), AGAIN))

    def _ask(self, bounds: int, cell: int, rule: int) -> int:
        """A slice of work on one candidate, and how it stands then."""
        return self._frame.call(
            "mines_guess_ask", self._work, bounds=bounds, cell=cell, first=rule,
            budget=STEPS, out=self._out,
        )  # fmt: skip

    def _opened(self, status: int) -> Opened:
        safe, of, low, high = self._frame.get(self._out, "i", 4)
        if status in (AGAIN, UNSETTLED):
            return Opened(safe, of, 0, safe)
        return Opened(safe, of, low, high) if status == DONE else Opened(0, of, 0, 0)


open_guess = framed(GuessSearch)
