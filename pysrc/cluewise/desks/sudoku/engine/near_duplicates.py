"""Near-duplicate search: pairs of boards whose distance is small.

The distance of two boards is the least Hamming distance over all transforms of the first: the cells
with a given on one side only, or with different symbols.

`near_pairs` finds all pairs at distance 2 or less of which one board is legal, by blocking: some
band and some stack (a cross of five boxes) hold none of the two cells, so both boards share the
hash of the minlex form of one of their nine crosses, and only boards with a common hash are
compared (pigeonhole principle, as in multi-index hashing, Norouzi et al. 2012). Nearly linear.

`one_grid_pairs` compares puzzles of one solution grid at any distance: carried to the minlex form
of that grid they are sets of cells, whose distance is the least population count of a difference
over the grid's automorphisms (at most 648). Quadratic in the puzzles of a grid. Both in
near_pairs.c.
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
CERTAIN = 2  # distance up to which every pair with a legal board is found
CROSSES = 9
_MOST_PAIRS = 200  # of one call
_MOST_COMPARISONS = 400_000_000  # of two sets in one list, a few seconds
_STAGES = ("least forms of crosses", "comparing boards that share a cross")


class Pair(NamedTuple):
    """Boards `first` < `second`, their distance, and the transform of the first that attains it."""

    first: int
    second: int
    edits: int
    transform: Transform


class NearPairs(NamedTuple):
    """The pairs, in order, and how many pairs were too regular to be compared."""

    pairs: list[Pair]
    unsettled: int


def near_pairs(boards: Sequence[Cells], most: int) -> Job[NearPairs]:
    """A job: the pairs of boards at distance `most` (0, 1 or 2) or less."""
    count, found = len(boards), list[Pair]()
    room = SUDOKU.NEAR_HEAD + 108 * count + max(PUZZLE_WORK + 16, 72 * count)
    with kernel().frame() as frame:
        source, work = frame.put(b"".join(boards)), frame.reserve(room)
        out, maps = frame.reserve(12 * _MOST_PAIRS), frame.reserve(MAP * _MOST_PAIRS)
        state = frame.reserve(12)
        frame.call("sudoku_near_begin", source, count, most, work, room)
        pace = SliceTimer(first=2000)
        while True:
            units = pace.rows(1 << 30)
            number = frame.call(
                "sudoku_near_run", work, source, units, out, maps, _MOST_PAIRS, state
            )
            pace.took()
            numbers = frame.get(out, "i", 3 * number).tolist()
            data = frame.get(maps, "B", MAP * number).tobytes()
            for k, t in enumerate(minlex.split(data, MAP)):
                first, second, distance = numbers[3 * k : 3 * k + 3]
                found.append(Pair(first, second, distance, from_map(t, 9)))
            stage, at, unsettled = frame.get(state, "i", 3)
            if stage == len(_STAGES):
                return NearPairs(sorted(found, key=lambda p: p[:2]), unsettled)
            yield Progress(at, count * (CROSSES if stage else 1), _STAGES[stage])


def one_grid_pairs(boards: Sequence[Cells], fewest: int, most: int) -> Job[NearPairs]:
    """A job: the pairs of puzzles of one solution grid at distance `fewest` to `most`.

    Grids with too many puzzles and automorphisms are left out; their pairs count as unsettled.
    """
    by_grid: dict[Cells, list[tuple[int, minlex.Carried]]] = {}
    pace, at = SliceTimer(first=50), 0
    while at < len(boards):
        batch = boards[at : at + pace.rows(len(boards) - at)]
        for i, one in enumerate(minlex.carried_boards(batch), at):
            if one.grid:
                by_grid.setdefault(one.grid, []).append((i, one))
        pace.took()
        at += len(batch)
        yield Progress(at, len(boards), "solution grids")
    found: list[Pair] = []
    unsettled = comparisons = 0
    for number, (grid, members) in enumerate(by_grid.items()):
        maps = minlex.minlex_map_bytes(grid)[1] if len(members) > 1 else b""
        automorphisms = minlex.split(maps, MAP)
        pairs = len(members) * (len(members) - 1) // 2
        comparisons += pairs * len(automorphisms)
        if comparisons > _MOST_COMPARISONS:
            unsettled += pairs
            continue
        masks = [mask_of(one.cells) for _, one in members]
        for k, (i, one) in enumerate(members[:-1], 1):
            nearest = mask_distances(masks[k - 1], masks[k:], maps)
            for (k_other, other), (distance, which) in zip(members[k:], nearest, strict=True):
                if fewest <= distance <= most:
                    to_grid, automorphism, other_to_grid = (
                        from_map(data, 9) for data in (one.map, automorphisms[which], other.map)
                    )
                    t = compose(compose(to_grid, automorphism), inverse(other_to_grid))
                    found.append(Pair(i, k_other, distance, t))
            yield Progress(number, len(by_grid), "puzzles of one grid")
    return NearPairs(found, unsettled)


def mask_distances(mask: bytes, others: Sequence[bytes], maps: bytes) -> list[tuple[int, int]]:
    """The distance of a set of cells to each other one over the maps, and the map attaining it."""
    count, group = len(others), len(maps) // MAP
    with kernel().frame() as frame:
        source, out = frame.put(mask), frame.reserve(8 * count)
        group_maps, targets = frame.put(maps), frame.put(b"".join(others))
        frame.call("sudoku_mask_distance", source, group_maps, group, targets, count, out)
        numbers = frame.get(out, "i", 2 * count).tolist()
    return list(zip(numbers[::2], numbers[1::2], strict=True))


def mask_of(cells: Cells) -> bytes:
    """The givens of a board as 16 bytes, cell i in bit i."""
    mask = sum(1 << i for i, d in enumerate(cells) if d)
    return mask.to_bytes(16, "little")
