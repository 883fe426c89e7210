"""Boards that nearly are one board: pairs of a list, and keys to find them by.

Two boards are so many edits apart as cells differ after the best transform: a given more, a given
less, or another symbol in its place. The kernel finds all pairs of at most two edits of which one
board obeys the rules: what two edits leave alone holds a band and a stack, so those boards share
the least form of such a cross (`near_pairs.c`). Puzzles of one solution grid are sets of cells in
that grid's least form; those are compared exactly for any number of givens (`given_sets.c`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from cluewise.core.work import Job, Progress, SliceTimer
from cluewise.desks.sudoku.engine import minlex
from cluewise.desks.sudoku.position import Cells
from cluewise.desks.sudoku.transform import Transform, from_map
from cluewise.kernel.call import kernel
from cluewise.kernel.layouts import SUDOKU

CELLS, MAP, PUZZLE_WORK = SUDOKU.CELLS, SUDOKU.MAP, SUDOKU.PUZZLE_WORK
MOST_BOARDS = SUDOKU.NEAR_MOST
CERTAIN = 2  # edits up to which every pair with a legal board is found
CROSSES = 9
_ROOM = 200  # pairs a call may find
_DONE = 2


class Pair(NamedTuple):
    """Boards `first` < `second`, the cells that differ, and what takes the first there."""

    first: int
    second: int
    edits: int
    transform: Transform


class NearPairs(NamedTuple):
    """The pairs, in order, and how many pairs were given up (they are too regular)."""

    pairs: list[Pair]
    unsettled: int


def near_pairs(boards: Sequence[Cells], most: int) -> Job[NearPairs]:
    """A job: the pairs at most `most` (0, 1 or 2) edits apart, see the head of the module."""
    count, found = len(boards), list[Pair]()
    room = SUDOKU.NEAR_HEAD + 108 * count + max(PUZZLE_WORK + 16, 72 * count)
    with kernel().frame() as frame:
        source, work = frame.put(b"".join(boards)), frame.reserve(room)
        out, maps = frame.reserve(12 * _ROOM), frame.reserve(MAP * _ROOM)
        state = frame.reserve(12)
        frame.call("sudoku_near_begin", source, count, most, work, room)
        pace = SliceTimer(first=2000)
        while True:
            units = pace.rows(1 << 30)
            number = frame.call("sudoku_near_run", work, source, units, out, maps, _ROOM)
            pace.took()
            numbers = frame.get(out, "i", 3 * number).tolist()
            data = frame.get(maps, "B", MAP * number).tobytes()
            for k in range(number):
                t = from_map(data[MAP * k : MAP * k + MAP], 9)
                first, second, edits = numbers[3 * k : 3 * k + 3]
                found.append(Pair(first, second, edits, t))
            frame.call("sudoku_near_state", work, state)
            stage, at, unsettled = frame.get(state, "i", 3)
            if stage == _DONE:
                return NearPairs(sorted(found, key=lambda p: p[:2]), unsettled)
            yield _progress(stage, at, count)


def _progress(stage: int, at: int, count: int) -> Progress:
    if stage:
        return Progress(at, CROSSES * count, "comparing boards that share a cross")
    return Progress(at, count, "least forms of crosses")


class GivenSets:
    """Puzzles of one solution grid, as sets of cells of its least form.

    `grid` is that least form and `carried[i]` puzzle i in its frame; `distances(i)` are the fewest
    cells that puzzle i and another one have apart, over all automorphisms of the grid.
    """

    def __init__(self, grid: Cells, carried: Sequence[Cells]) -> None:
        self.carried = list(carried)
        self._masks = b"".join(mask_of(cells) for cells in carried)
        _, self._maps = minlex.minlex_map_bytes(grid)
        self.automorphisms = [from_map(piece, 9) for piece in minlex.split(self._maps, MAP)]

    def distances(self, i: int, first: int = 0) -> list[tuple[int, int]]:
        """(cells apart, number of the automorphism) for the puzzles from `first` on."""
        count, group = len(self.carried) - first, len(self.automorphisms)
        if count <= 0:
            return []
        with kernel().frame() as frame:
            mask, maps = frame.put(self._masks[16 * i : 16 * i + 16]), frame.put(self._maps)
            images, out = frame.reserve(16 * group), frame.reserve(8 * count)
            others = frame.put(self._masks[16 * first :])
            frame.call("sudoku_mask_images", mask, maps, group, images)
            frame.call("sudoku_mask_distance", images, group, others, count, out)
            numbers = frame.get(out, "i", 2 * count).tolist()
        return list(zip(numbers[::2], numbers[1::2], strict=True))


def mask_of(cells: Cells) -> bytes:
    """The givens of a board as 16 bytes, cell i in bit i."""
    mask = sum(1 << i for i, d in enumerate(cells) if d)
    return mask.to_bytes(16, "little")
