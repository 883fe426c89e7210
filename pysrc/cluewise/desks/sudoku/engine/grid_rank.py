"""Ranking and unranking of the 5 472 730 538 minlex grids in ascending order.

Grids are ordered by their first band (416 classes), then by their fourth row. A table has the
number of grids for every few fourth rows (a window); inside a window grids are counted (rank.c).

The table: for each of 416 bands the number of its windows (LEB128), one byte K (fourth rows a
window), and the grids of every window (LEB128). Built by `wasm_build/codegen/grid_counts.py`.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from contextlib import ExitStack
from itertools import accumulate
from typing import NamedTuple

from cluewise.core.work import Job, Progress, SliceTimer
from cluewise.desks.sudoku.engine.minlex import CELLS, split
from cluewise.desks.sudoku.position import Cells
from cluewise.errors import BadInput, HostFailure
from cluewise.kernel.call import Frame, kernel
from cluewise.kernel.files import read
from cluewise.kernel.layouts import SUDOKU

GRIDS = 5_472_730_538
# Classes of grids by the order of their groups (Ed Russell and Frazer Jarvis, 2006; counting all
# grids for the table found the same).
CLASSES = {
    1: 5_472_170_387, 2: 548_449, 3: 7336, 4: 2826, 6: 1257, 8: 29, 9: 42, 12: 92, 18: 85, 27: 2,
    36: 15, 54: 11, 72: 2, 108: 3, 162: 1, 648: 1,
}  # fmt: skip
BANDS = 416
BANDS_WORK, RANK_WORK = SUDOKU.BANDS_WORK, SUDOKU.RANK_WORK
_SECOND_ROWS = 12_000


class BandTable(NamedTuple):
    """The table of one first band: fourth rows a window, and prefix sums over the windows.

    `sums[i]` is the number of grids of this band before window i; the last entry counts all.
    """

    rows: int
    sums: Sequence[int]


def parse(data: bytes) -> list[BandTable]:
    """The table's bands, from band 1 on. Raises `HostFailure` unless they sum to all grids."""
    most = len(data) + BANDS
    with kernel().frame() as frame:
        source, rows = frame.put(data), frame.reserve(4 * BANDS)
        begins, sums = frame.reserve(4 * BANDS + 4), frame.reserve(4 * most)
        try:
            count = frame.call("sudoku_table_read", source, len(data), rows, begins, sums, most)
        except BadInput:
            raise HostFailure(_BROKEN) from None
        each, at = frame.get(rows, "i", BANDS), frame.get(begins, "i", BANDS + 1)
        all_sums = frame.get(sums, "I", count)
    found = [BandTable(each[b], all_sums[at[b] : at[b + 1]]) for b in range(BANDS)]
    if sum(band.sums[-1] for band in found) != GRIDS:
        raise HostFailure(_BROKEN)
    return found


_BROKEN = "The table of numbers is damaged: its counts do not sum to all grids."


class GridRanking:
    """The classes of bands in the kernel's memory, and the table; one per kernel."""

    def __init__(self, bands: int, table: bytes) -> None:
        self.bands = bands
        self.table = parse(table)
        self.starts = [0, *accumulate(band.sums[-1] for band in self.table)]
        self._rows = self._seen = 0  # fourth rows of the last band; grids of the last row

    def of(self, form: Cells) -> int:
        """The number of a minlex grid, from 1."""
        with kernel().frame() as frame:
            source, numbers, place = frame.put(form), frame.reserve(24), frame.reserve(4)
            frame.call("sudoku_bands_of", self.bands, source, numbers)
            band = frame.get(numbers, "i", 1)[0]
            work = self._begin(frame, band)
            row = frame.call("sudoku_rank_place", work, source, place)
            before = self._before(frame, work, band, row)
            inside: int = frame.get(place, "I", 1)[0]
            start: int = self.starts[band - 1]
            return start + before + inside + 1

    def grids(self, number: int, count: int = 1) -> list[Cells]:
        """The minlex grids from that number on: `count` of them, or fewer where a row ends."""
        band = bisect_right(self.starts, number - 1)
        place = number - 1 - self.starts[band - 1]
        rows, sums = self.table[band - 1]
        window = bisect_right(sums, place) - 1
        first, inside = rows * window, place - sums[window]
        grids = sums[window + 1] - sums[window]
        with kernel().frame() as frame:
            work = self._begin(frame, band)
            if 2 * inside < grids:
                return self._ahead(frame, work, first, inside, count)
            last = min(first + rows, self._rows)
            return self._back(frame, work, last, grids - inside, count)

    def chutes_of(self, grid: Cells) -> list[int]:
        """The class numbers of the bands from the top, then of the stacks from the left."""
        with kernel().frame() as frame:
            source, numbers = frame.put(grid), frame.reserve(24)
            frame.call("sudoku_bands_of", self.bands, source, numbers)
            return list(frame.get(numbers, "i", 6))

    def _begin(self, frame: Frame, band: int) -> int:
        work = frame.reserve(RANK_WORK)
        self._rows = frame.call("sudoku_rank_begin", self.bands, band, work, RANK_WORK)
        return work

    def _counts(self, frame: Frame, work: int, first: int, count: int) -> list[int]:
        out = frame.reserve(8 * max(count, 1))
        frame.call("sudoku_rank_count", work, first, count, out)
        return frame.get(out, "I", 2 * count)[::2].tolist()

    def _before(self, frame: Frame, work: int, band: int, row: int) -> int:
        """The band's grids with smaller fourth rows, counted from the nearer end of the window."""
        rows, sums = self.table[band - 1]
        window = row // rows
        first, last = window * rows, min((window + 1) * rows, self._rows)
        if row - first <= last - 1 - row:
            return sums[window] + sum(self._counts(frame, work, first, row - first))
        return sums[window + 1] - sum(self._counts(frame, work, row, last - row))

    def _ahead(self, frame: Frame, work: int, row: int, place: int, count: int) -> list[Cells]:
        """The grids from the `place`-th on, counted from this fourth row."""
        while not (found := self._list(frame, work, row, place, count)):
            place -= self._seen
            row += 1
        return found

    def _back(self, frame: Frame, work: int, row: int, left: int, count: int) -> list[Cells]:
        """The grids from the `left`-th before this fourth row on."""
        while left > 0:
            row -= 1
            left -= self._counts(frame, work, row, 1)[0]
        return self._list(frame, work, row, -left, count)

    def _list(self, frame: Frame, work: int, row: int, place: int, count: int) -> list[Cells]:
        out, seen = frame.reserve(CELLS * count), frame.reserve(4)
        found = frame.call("sudoku_rank_grids", work, row, place, count, out, seen)
        (self._seen,) = frame.get(seen, "I", 1)
        return split(frame.get(out, "B", CELLS * found).tobytes())


_NAME = "sudoku numbers"


def numbers() -> Job[GridRanking]:
    """A job: the ranking, built on first use (0.1 s, and a table of 95 kB read)."""
    kept = kernel().kept
    if _NAME not in kept:
        with ExitStack() as undo:
            frame = undo.enter_context(kernel().frame())
            bands = frame.reserve(BANDS_WORK)
            frame.call("sudoku_bands_begin", bands, BANDS_WORK)
            pace, done = SliceTimer(first=50), 0
            while not frame.call("sudoku_bands_run", bands, rows := pace.rows(_SECOND_ROWS)):
                pace.took()
                done += rows
                yield Progress(min(done, _SECOND_ROWS), _SECOND_ROWS, "numbering the 416 bands")
            yield Progress(_SECOND_ROWS, _SECOND_ROWS, "fetching the table of numbers")
            kept[_NAME] = GridRanking(bands, read("cluewise.desks.sudoku", "numbers.bin"))
            yield Progress(_SECOND_ROWS, _SECOND_ROWS, "looking the number up")
            undo.pop_all()  # the buffer stays
    found = kept[_NAME]
    assert isinstance(found, GridRanking)
    return found
