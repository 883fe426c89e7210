"""Boards that nearly are one board: pairs of a list, and keys to find them by.

Two boards are so many edits apart as cells differ after the best transform: a given more, a given
less, or another symbol in its place. The kernel finds all pairs of at most two edits of which one
board obeys the rules: what two edits leave alone holds a band and a stack, so those boards share
the least form of such a cross (`near_pairs.c`). Puzzles of one solution grid are sets of cells in
that grid's least form; those are compared exactly for any number of givens, over the grid's
automorphisms, at most 648, by counting bits (`near_pairs.c`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from cluewise.core.work import Job, Progress, SliceTimer
from cluewise.desks.sudoku.engine import minlex
from cluewise.desks.sudoku.position import Cells
from cluewise.desks.sudoku.transform import Transform, compose, from_map, inverse
from cluewise.kernel.call import kernel
from cluewise.kernel.layouts import SUDOKU

CELLS, MAP, PUZZLE_WORK = SUDOKU.CELLS, SUDOKU.MAP, SUDOKU.PUZZLE_WORK
MOST_BOARDS = SUDOKU.NEAR_MOST
CERTAIN = 2  # edits up to which every pair with a legal board is found
CROSSES = 9
_ROOM = 200  # pairs a call may find
_MOST_COUNTED = 400_000_000  # comparisons of two sets in one list, a few seconds
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
            number = frame.call("sudoku_near_run", work, source, units, out, maps, _ROOM, state)
            pace.took()
            numbers = frame.get(out, "i", 3 * number).tolist()
            data = frame.get(maps, "B", MAP * number).tobytes()
            for k in range(number):
                t = from_map(data[MAP * k : MAP * k + MAP], 9)
                first, second, edits = numbers[3 * k : 3 * k + 3]
                found.append(Pair(first, second, edits, t))
            stage, at, unsettled = frame.get(state, "i", 3)
            if stage == _DONE:
                return NearPairs(sorted(found, key=lambda p: p[:2]), unsettled)
            yield _progress(stage, at, count)


def _progress(stage: int, at: int, count: int) -> Progress:
    if stage:
        return Progress(at, CROSSES * count, "comparing boards that share a cross")
    return Progress(at, count, "least forms of crosses")


def one_grid_pairs(boards: Sequence[Cells], fewest: int, most: int) -> Job[NearPairs]:
    """A job: pairs of puzzles of one solution grid with `fewest` to `most` cells apart.

    The pairs given up are those of grids with too many puzzles and automorphisms to be compared.
    """
    by_grid: dict[Cells, list[tuple[int, minlex.Carried]]] = {}
    pace, at = SliceTimer(first=50), 0
    while at < len(boards):
        piece = boards[at : at + pace.rows(len(boards) - at)]
        for i, one in enumerate(minlex.carried_boards(piece), at):
            if one.grid:
                by_grid.setdefault(one.grid, []).append((i, one))
        pace.took()
        at += len(piece)
        yield Progress(at, len(boards), "solution grids")
    found: list[Pair] = []
    left = budget = 0
    for number, (grid, members) in enumerate(by_grid.items()):
        maps = minlex.minlex_map_bytes(grid)[1] if len(members) > 1 else b""
        automorphisms = minlex.split(maps, MAP)
        pairs = len(members) * (len(members) - 1) // 2
        budget += pairs * len(automorphisms)
        if budget > _MOST_COUNTED:
            left += pairs
            continue
        masks = [mask_of(one.cells) for _, one in members]
        for k, (i, one) in enumerate(members[:-1], 1):
            nearest = mask_distances(masks[k - 1], masks[k:], maps)
            for (other, theirs), (apart, which) in zip(members[k:], nearest, strict=True):
                if fewest <= apart <= most:
                    there, own, back = (
                        from_map(data, 9) for data in (one.map, automorphisms[which], theirs.map)
                    )
                    way = compose(compose(there, own), inverse(back))
                    found.append(Pair(i, other, apart, way))
            yield Progress(number, len(by_grid), "puzzles of one grid")
    return NearPairs(found, left)


def mask_distances(mask: bytes, others: Sequence[bytes], maps: bytes) -> list[tuple[int, int]]:
    """The fewest cells that a set of cells and each other one have apart, and under which map."""
    count, group = len(others), len(maps) // MAP
    with kernel().frame() as frame:
        source, ways, targets = frame.put(mask), frame.put(maps), frame.put(b"".join(others))
        out = frame.reserve(8 * count)
        frame.call("sudoku_mask_distance", source, ways, group, targets, count, out)
        numbers = frame.get(out, "i", 2 * count).tolist()
    return list(zip(numbers[::2], numbers[1::2], strict=True))


def mask_of(cells: Cells) -> bytes:
    """The givens of a board as 16 bytes, cell i in bit i."""
    mask = sum(1 << i for i, d in enumerate(cells) if d)
    return mask.to_bytes(16, "little")
