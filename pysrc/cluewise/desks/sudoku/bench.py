"""The benchmarks of the desk, for `cluewise bench sudoku`."""

from __future__ import annotations

import random
from collections.abc import Sequence
from importlib import resources
from itertools import cycle, islice

from cluewise.core.benchmark import Benchmark, Work, work_of
from cluewise.core.desk import NoOptions
from cluewise.core.work import finish
from cluewise.desks.sudoku.engine import near_duplicates, random_boards
from cluewise.desks.sudoku.engine.grid_rank import GRIDS, numbers
from cluewise.desks.sudoku.engine.minlex import CELLS, MAP, PUZZLE_WORK, split
from cluewise.desks.sudoku.position import NINE, Cells, Position, read_cells, write_cells
from cluewise.desks.sudoku.verbs.same import nearest
from cluewise.kernel.call import kernel

_MANY = 5000
_SEED = 7


def _minlex(boards: bytes) -> Work:
    frame = kernel().frame()  # lives as long as the process, as do the other rows' buffers
    source, out = frame.put(boards), frame.reserve(CELLS * _MANY)
    orders = frame.reserve(4 * _MANY)
    return lambda: frame.call("sudoku_minlex", source, _MANY, out, orders)


def _automorphic() -> list[str]:
    """142 complete grids with 2 to 162 automorphisms, scrambled."""
    text = resources.files("cluewise.desks.sudoku").joinpath("automorphic.txt").read_text("ascii")
    return [line for line in text.splitlines() if not line.startswith("#")]


def _cycled(texts: Sequence[str]) -> bytes:
    return b"".join(read_cells(text, NINE) for text in islice(cycle(texts), _MANY))


def _sparse() -> bytes:
    """Random minimal puzzles, 24 givens on average."""
    rng = random.Random(_SEED)
    return random_boards.minimal(random_boards.grids(_MANY, rng), _MANY, rng)[0]


def _puzzle(convention: int) -> Work:
    frame = kernel().frame()
    source, out = frame.put(_sparse()), frame.reserve(CELLS * _MANY)
    maps, counts, work = (frame.reserve(n) for n in (MAP * _MANY, 4 * _MANY, PUZZLE_WORK))
    return lambda: frame.call(
        "sudoku_puzzle", source, _MANY, convention, out, maps, counts, work, PUZZLE_WORK
    )


def _solve() -> Work:
    frame = kernel().frame()
    source, found = frame.put(_sparse()), frame.reserve(2 * CELLS * _MANY)
    counts = frame.reserve(4 * _MANY)
    return lambda: frame.call("sudoku_solve", source, _MANY, 2, found, counts)


def _generate() -> Work:
    frame = kernel().frame()
    state = frame.put(random_boards.random_state(random.Random(_SEED)))
    out = frame.reserve(CELLS * 1000)
    return lambda: frame.call("sudoku_grids", state, 1000, out)


def _minimal() -> Work:
    rng = random.Random(_SEED)
    frame = kernel().frame()
    state = frame.put(random_boards.random_state(rng))
    grids = frame.put(random_boards.grids(200, rng))
    out, clues = frame.reserve(CELLS * 200), frame.reserve(4 * 200)
    return lambda: frame.call("sudoku_minimal", state, grids, 200, out, clues)


def _nearest(boards: Sequence[Cells]) -> Work:
    """Pairs of unrelated boards, a different one each time."""
    texts = list(map(write_cells, boards))
    pairs = cycle(Position(grids=pair) for pair in zip(texts[::2], texts[1::2], strict=True))
    return work_of(1, lambda: finish(nearest(next(pairs), NoOptions())))


def _equal_givens() -> list[Cells]:
    """Minimal puzzles of 24 givens, an even number of them."""
    alike = [cells for cells in split(_sparse())[:400] if CELLS - cells.count(0) == 24]
    return alike[: len(alike) // 2 * 2]


def _near() -> Work:
    """A list of random minimal puzzles, searched for near duplicates."""
    boards = split(_sparse())[:1000]
    return work_of(
        len(boards), lambda: finish(near_duplicates.near_pairs(boards, near_duplicates.CERTAIN))
    )


def _random_numbers() -> list[int]:
    rng = random.Random(_SEED)
    return [rng.randint(1, GRIDS) for _ in range(50)]  # a range of all has no length in 32 bits


def _unrank() -> Work:
    """The grids of random numbers, a different one each time."""
    ranking, every = finish(numbers()), cycle(_random_numbers())
    return work_of(1, lambda: ranking.grids(next(every)))


def _rank() -> Work:
    """The numbers of these grids, a different one each time."""
    ranking = finish(numbers())
    every = cycle([ranking.grids(value)[0] for value in _random_numbers()])
    return work_of(1, lambda: ranking.of(next(every)))


def _random_grids() -> bytes:
    return random_boards.grids(_MANY, random.Random(_SEED))


ROWS = [
    Benchmark("sudoku.minlex.random", "grids", lambda: _minlex(_random_grids())),
    Benchmark("sudoku.minlex.automorphic", "grids", lambda: _minlex(_cycled(_automorphic()))),
    Benchmark("sudoku.minlex.sparse", "puzzles", lambda: _puzzle(0)),
    Benchmark("sudoku.minlex.sparse.pattern_first", "puzzles", lambda: _puzzle(1)),
    Benchmark("sudoku.solve.sparse", "puzzles", _solve),
    Benchmark("sudoku.generate", "grids", _generate),
    Benchmark("sudoku.minimal", "puzzles", _minimal),
    Benchmark("sudoku.number.of", "grids", _rank),
    Benchmark("sudoku.number.grid", "grids", _unrank),
    Benchmark("sudoku.near.list", "boards", _near),
    Benchmark("sudoku.nearest.unrelated", "pairs", lambda: _nearest(_equal_givens())),
    Benchmark(
        "sudoku.nearest.unrelated.complete", "pairs", lambda: _nearest(split(_random_grids()))
    ),
]
