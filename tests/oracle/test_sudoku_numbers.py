"""Numbers of grids against published figures and against a count without any pruning."""

import random
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from cluewise.core.work import finish
from cluewise.desks.sudoku.engine import minlex
from cluewise.desks.sudoku.engine.grid_rank import BANDS, GRIDS, RANK_WORK, GridRanking, numbers
from cluewise.desks.sudoku.engine.solver import solve_nine
from cluewise.desks.sudoku.position import NINE, read_cells
from cluewise.kernel.call import Frame, kernel
from reference.sudoku import grids_with_rows, least_band
from reference.sudoku_boards import scrambled

VECTORS = Path(__file__).resolve().parents[1] / "vectors" / "sudoku_numbers.txt"
COUNTED = VECTORS.with_name("sudoku_bands.csv")
PAIRS = [
    (int(number), read_cells(grid, NINE))
    for number, grid in (line.split() for line in VECTORS.read_text().splitlines())
]
# Bands whose grids are counted anew here, with the counts of the Virtual-catalog-DLL.
LATE = {380: 23, 390: 59, 394: 16, 407: 19, 411: 3, 416: 1}


@pytest.fixture(scope="module")
def known() -> GridRanking:
    return finish(numbers())


@pytest.fixture
def work() -> Iterator[int]:
    with kernel().frame() as frame:
        yield frame.reserve(RANK_WORK)


@pytest.mark.parametrize(("number", "grid"), PAIRS)
def test_published_numbers_there_and_back(known: GridRanking, number: int, grid: bytes) -> None:
    assert known.of(grid) == number
    assert known.grids(number) == [grid]


def all_bands(known: GridRanking) -> tuple[list[bytes], list[int]]:
    """The 416 bands in the order of their numbers, and how many automorphisms each has."""
    with kernel().frame() as frame:
        rows, symmetries = frame.reserve(27 * BANDS), frame.reserve(4 * BANDS)
        assert frame.call("sudoku_bands_list", known.bands, rows, symmetries) == BANDS
        data = frame.get(rows, "B", 27 * BANDS).tobytes()
        orders = frame.get(symmetries, "i", BANDS).tolist()
    return [data[i : i + 27] for i in range(0, len(data), 27)], orders


@pytest.mark.sampled(of="sudoku, brute force")
def test_the_416_bands_are_the_least_of_their_classes_and_make_all_bands(
    known: GridRanking,
) -> None:
    bands, orders = all_bands(known)
    assert bands == sorted(set(bands))
    assert [least_band(band) for band in bands] == list(zip(bands, orders, strict=True))
    counted = [line.split(",") for line in COUNTED.read_text().splitlines()[1:]]
    assert [[str(i + 1), str(order)] for i, order in enumerate(orders)] == [c[:2] for c in counted]
    # With the first row fixed there are 56 * 6^6 bands; a class has 7776 / automorphisms of them.
    assert sum(7776 // order for order in orders) == 56 * 6**6


def hidden(band: bytes, rng: random.Random) -> tuple[bytes, int]:
    """A complete grid with that band, disguised, in one of its six chutes, and in which."""
    lines = [3 * s + i for s in rng.sample(range(3), 3) for i in rng.sample(range(3), 3)]
    label, rows = rng.sample(range(1, 10), 9), rng.sample(range(3), 3)
    start = bytes(label[band[9 * r + c] - 1] for r in rows for c in lines)
    found, _ = solve_nine(start + bytes(54), 1)
    down = rng.randrange(3)
    grid = found[81 - 27 * down : 81] + found[: 81 - 27 * down]
    return (transposed(grid), 3 + down) if rng.random() < 0.5 else (grid, down)


def transposed(grid: bytes) -> bytes:
    return bytes(grid[9 * c + r] for r in range(9) for c in range(9))


@pytest.mark.sampled(of="sudoku, brute force")
def test_each_of_the_416_bands_is_known_in_every_disguise(known: GridRanking) -> None:
    rng = random.Random(416)
    bands, _ = all_bands(known)
    for number, band in enumerate(bands, 1):
        grid, chute = hidden(band, rng)
        assert known.chutes_of(grid)[chute] == number
    number_of = {band: number for number, band in enumerate(bands, 1)}
    for band in rng.sample(bands, 20):  # and what stands in the grid's other chutes
        grid, _ = hidden(band, rng)
        chutes = [one[i : i + 27] for one in (grid, transposed(grid)) for i in (0, 27, 54)]
        assert known.chutes_of(grid) == [number_of[least_band(chute)[0]] for chute in chutes]


@pytest.mark.parametrize("band", LATE)
def test_late_bands_counted_anew_agree_with_the_table(
    known: GridRanking, work: int, band: int
) -> None:
    with kernel().frame() as frame:
        rows = frame.call("sudoku_rank_begin", known.bands, band, work, RANK_WORK)
        out = frame.reserve(8 * rows)
        frame.call("sudoku_rank_count", work, 0, rows, out)
        counts = frame.get(out, "I", 2 * rows)[::2].tolist()
    per, sums = known.table[band - 1]
    windows = [sum(counts[i : i + per]) for i in range(0, rows, per)]
    assert [b - a for a, b in pairwise(sums)] == windows


def test_random_windows_of_the_table_counted_anew_agree(known: GridRanking, work: int) -> None:
    rng = random.Random(7)
    for _ in range(12):
        value = rng.randrange(GRIDS)
        band = next(b for b in range(1, BANDS + 1) if known.starts[b] > value)
        per, sums = known.table[band - 1]
        window = next(
            w for w in range(len(sums) - 1) if known.starts[band - 1] + sums[w + 1] > value
        )
        with kernel().frame() as frame:
            rows = frame.call("sudoku_rank_begin", known.bands, band, work, RANK_WORK)
            count = min(per, rows - per * window)
            out = frame.reserve(8 * count)
            frame.call("sudoku_rank_count", work, per * window, count, out)
            found = sum(frame.get(out, "I", 2 * count)[::2])
        assert found == sums[window + 1] - sums[window], (band, window)


@pytest.mark.long
@pytest.mark.parametrize(("band", "seed"), [(390, 1), (380, 2), (300, 3), (150, 4)])
def test_a_row_counted_without_pruning_agrees(
    known: GridRanking, work: int, band: int, seed: int
) -> None:
    with kernel().frame() as frame:
        rows = frame.call("sudoku_rank_begin", known.bands, band, work, RANK_WORK)
        lines, out = frame.reserve(9 * rows), frame.reserve(8 * rows)
        frame.call("sudoku_rank_rows", work, lines)
        data = frame.get(lines, "B", 9 * rows).tobytes()
        chosen = random.Random(seed).randrange(rows)
        frame.call("sudoku_rank_count", work, chosen, 1, out)
        (count, _) = frame.get(out, "I", 2)
        head, symmetries = frame.reserve(27 * BANDS), frame.reserve(4 * BANDS)
        frame.call("sudoku_bands_list", known.bands, head, symmetries)
        first = frame.get(head, "B", 27 * BANDS).tobytes()[27 * (band - 1) : 27 * band]
    start = [*first, *data[9 * chosen : 9 * chosen + 9], *([0] * 45)]
    grids = list(grids_with_rows(start))
    least, _ = minlex.minlex(b"".join(grids), len(grids))
    assert sum(least[81 * i : 81 * i + 81] == grid for i, grid in enumerate(grids)) == count


def test_numbers_survive_scrambling_over_the_whole_range(known: GridRanking) -> None:
    rng = random.Random(11)
    for _ in range(25):
        value = rng.randrange(GRIDS) + 1
        (grid,) = known.grids(value)
        assert minlex.minlex(grid, 1)[0] == grid
        assert known.of(minlex.minlex(scrambled(grid, rng), 1)[0]) == value


class Remembering(GridRanking):
    """The same numbers; counts of fourth rows are kept until another first band is asked about."""

    def __init__(self, known: GridRanking, frame: Frame) -> None:
        self.__dict__.update(known.__dict__)
        self.band, self.work = 0, frame.reserve(RANK_WORK)
        self.counted: dict[int, int] = {}

    def _begin(self, frame: Frame, band: int) -> int:
        if band != self.band:
            self.band, self.counted = band, {}
            self._rows = frame.call("sudoku_rank_begin", self.bands, band, self.work, RANK_WORK)
        return self.work

    def _counts(self, frame: Frame, work: int, first: int, count: int) -> list[int]:
        for row in range(first, first + count):
            if row not in self.counted:
                self.counted[row] = super()._counts(frame, work, row, 1)[0]
        return [self.counted[row] for row in range(first, first + count)]

    def _list(self, frame: Frame, work: int, row: int, place: int, count: int) -> list[bytes]:
        (self._seen,) = self._counts(frame, work, row, 1)
        return super()._list(frame, work, row, place, count) if place < self._seen else []


def there_and_back(known: GridRanking, values: list[int], rng: random.Random) -> None:
    """Each number's grid is its own least form, and has that number when it is disguised."""
    grids = [known.grids(value)[0] for value in values]
    assert minlex.minlex(b"".join(grids), len(grids))[0] == b"".join(grids)
    hidden = b"".join(scrambled(grid, rng) for grid in grids)
    least = minlex.split(minlex.minlex(hidden, len(grids))[0])
    assert [known.of(grid) for grid in least] == values


def test_kept_counts_change_no_number(known: GridRanking) -> None:
    rng = random.Random(13)
    start = rng.randrange(GRIDS)
    values = [1, GRIDS, *(start + rng.randrange(100_000) for _ in range(6)), 2, GRIDS - 1]
    with kernel().frame() as frame:
        kept = Remembering(known, frame)
        assert [kept.grids(v) for v in values] == [known.grids(v) for v in values]
        there_and_back(kept, values, rng)


def test_neighbours_ascend_without_a_gap_across_rows(known: GridRanking) -> None:
    for value in (1, 1_007_160, 2_745_646_822, GRIDS - 30):
        grids: list[bytes] = []
        while len(grids) < 30:
            grids += known.grids(value + len(grids), 30 - len(grids))
        assert grids == sorted(set(grids))
        assert [known.of(grid) for grid in grids[::10]] == [value, value + 10, value + 20]
