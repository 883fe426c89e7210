"""The benchmarks of the desk, for `cluewise bench sudoku`."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import cycle, islice

from cluewise.core.benchmark import Benchmark, Work, work_of
from cluewise.core.desk import NoOptions
from cluewise.core.work import finish
from cluewise.desks.sudoku.engine import near_duplicates, random_boards
from cluewise.desks.sudoku.engine.grid_rank import GRIDS, numbers
from cluewise.desks.sudoku.engine.minlex import MAP, PUZZLE_WORK
from cluewise.desks.sudoku.position import NINE, Position, read_cells, write_cells
from cluewise.desks.sudoku.puzzles import automorphic
from cluewise.desks.sudoku.verbs.same import nearest
from cluewise.kernel.call import kernel

_MANY = 5000
_CELLS = 81
_SEED = 7


def _minlex(boards: bytes) -> Work:
    frame = kernel().frame()  # lives as long as the process, as do the other rows' buffers
    source, out = frame.put(boards), frame.reserve(_CELLS * _MANY)
    orders = frame.reserve(4 * _MANY)
    return lambda: frame.call("sudoku_minlex", source, _MANY, out, orders)


def _cycled(texts: Sequence[str]) -> bytes:
    return b"".join(read_cells(text, NINE) for text in islice(cycle(texts), _MANY))


def _sparse() -> bytes:
    """Random minimal puzzles, 24 givens on average."""
    rng = random.Random(_SEED)
    return random_boards.minimal(random_boards.grids(_MANY, rng), _MANY, rng)[0]


def _puzzle(convention: int) -> Work:
    frame = kernel().frame()
    source, out = frame.put(_sparse()), frame.reserve(_CELLS * _MANY)
    maps, counts, work = (frame.reserve(n) for n in (MAP * _MANY, 4 * _MANY, PUZZLE_WORK))
    return lambda: frame.call(
        "sudoku_puzzle", source, _MANY, convention, out, maps, counts, work, PUZZLE_WORK
    )


def _solve() -> Work:
    frame = kernel().frame()
    source, found = frame.put(_sparse()), frame.reserve(2 * _CELLS * _MANY)
    counts = frame.reserve(4 * _MANY)
    return lambda: frame.call("sudoku_solve", source, _MANY, 2, found, counts)


def _generate() -> Work:
    frame = kernel().frame()
    state = frame.put(random_boards.random_state(random.Random(_SEED)))
    out = frame.reserve(_CELLS * 1000)
    return lambda: frame.call("sudoku_grids", state, 1000, out)


def _minimal() -> Work:
    rng = random.Random(_SEED)
    frame = kernel().frame()
    state = frame.put(random_boards.random_state(rng))
    grids = frame.put(random_boards.grids(200, rng))
    out, clues = frame.reserve(_CELLS * 200), frame.reserve(4 * 200)
    return lambda: frame.call("sudoku_minimal", state, grids, 200, out, clues)


def _nearest(boards: bytes) -> Work:
    """Pairs of unrelated boards, a different one each time."""
    texts = [write_cells(boards[i : i + _CELLS]) for i in range(0, len(boards), _CELLS)]
    pairs = cycle(Position(grids=pair) for pair in zip(texts[::2], texts[1::2], strict=True))
    return work_of(1, lambda: finish(nearest(next(pairs), NoOptions())))


def _equal_givens() -> bytes:
    """Minimal puzzles of 24 givens, an even number of them."""
    data = _sparse()
    puzzles = [data[i : i + _CELLS] for i in range(0, 400 * _CELLS, _CELLS)]
    alike = [b for b in puzzles if _CELLS - b.count(0) == 24]
    return b"".join(alike[: len(alike) // 2 * 2])


def _near() -> Work:
    """A list of random minimal puzzles, searched for near duplicates."""
    data = _sparse()
    boards = [data[i : i + _CELLS] for i in range(0, 1000 * _CELLS, _CELLS)]
    return work_of(
        len(boards), lambda: finish(near_duplicates.near_pairs(boards, near_duplicates.CERTAIN))
    )


def _numbered(values: Sequence[int]) -> Work:
    """Grids of numbers, a different one each time, far from the last."""
    known, every = finish(numbers()), cycle(values)
    return work_of(1, lambda: known.grids(next(every)))


def _numbers(values: Sequence[int]) -> Work:
    """Numbers of grids, a different one each time."""
    known = finish(numbers())
    every = cycle([known.grids(value)[0] for value in values])
    return work_of(1, lambda: known.of(next(every)))


def _random_numbers() -> list[int]:
    rng = random.Random(_SEED)
    return [rng.randint(1, GRIDS) for _ in range(50)]  # a range of all has no length in 32 bits


def _random_grids() -> bytes:
    return random_boards.grids(_MANY, random.Random(_SEED))


ROWS = [
    Benchmark("sudoku.minlex.random", "grids", lambda: _minlex(_random_grids())),
    Benchmark("sudoku.minlex.automorphic", "grids", lambda: _minlex(_cycled(automorphic()))),
    Benchmark("sudoku.minlex.sparse", "puzzles", lambda: _puzzle(0)),
    Benchmark("sudoku.minlex.sparse.pattern_first", "puzzles", lambda: _puzzle(1)),
    Benchmark("sudoku.solve.sparse", "puzzles", _solve),
    Benchmark("sudoku.generate", "grids", _generate),
    Benchmark("sudoku.minimal", "puzzles", _minimal),
    Benchmark("sudoku.number.of", "grids", lambda: _numbers(_random_numbers())),
    Benchmark("sudoku.number.grid", "grids", lambda: _numbered(_random_numbers())),
    Benchmark("sudoku.near.list", "boards", _near),
    Benchmark("sudoku.nearest.unrelated", "pairs", lambda: _nearest(_equal_givens())),
    Benchmark("sudoku.nearest.unrelated.complete", "pairs", lambda: _nearest(_random_grids())),
]
