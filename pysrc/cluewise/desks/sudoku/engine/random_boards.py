"""Random grids of every shape and random puzzles, reproducible from a seed.

Grids by Markov chain Monte Carlo (random_boards.c): 9×9 from a random filling, without bias; other
shapes from the cyclic grid. Minimal puzzles lose their single solution with any given less.
"""

from __future__ import annotations

import random
from array import array

from cluewise.core.work import Job, Progress, SliceTimer
from cluewise.desks.sudoku.position import NINE, Cells, Shape
from cluewise.kernel.call import kernel
from cluewise.kernel.layouts import SUDOKU

CELLS = SUDOKU.CELLS


def random_state(rng: random.Random) -> array[int]:
    """Two non-zero 64-bit words for the kernel's generator."""
    return array("Q", [rng.getrandbits(64) | 1, rng.getrandbits(64)])


def grids(count: int, rng: random.Random) -> bytes:
    """`count` random complete 9×9 grids without bias, 81 bytes each."""
    with kernel().frame() as frame:
        state, out = frame.put(random_state(rng)), frame.reserve(CELLS * count)
        frame.call("sudoku_grids", state, count, out)
        return frame.get(out, "B", CELLS * count).tobytes()


def shifted_grid(shape: Shape) -> Cells:
    """The grid whose rows are shifts of the first: `123456789456789123…`."""
    n, rows, cols = shape.size, shape.rows, shape.cols
    return bytes((cols * (r % rows) + r // rows + c) % n + 1 for r in range(n) for c in range(n))


def grid(shape: Shape, rng: random.Random) -> Job[Cells]:
    """A job: one random complete grid.

    Other shapes than 9×9 start from the cyclic grid, relabelled at random, and take 2·N² random
    switches: uniform in all statistics that were tested, but not proven so.
    """
    if shape == NINE:
        return grids(1, rng)
    label = list(range(1, shape.size + 1))
    rng.shuffle(label)
    with kernel().frame() as frame:
        board = frame.put(bytes(label[d - 1] for d in shifted_grid(shape)))
        state, left, pace = frame.put(random_state(rng)), 2 * shape.cells, SliceTimer(first=500)
        while left:
            moves = pace.rows(left)
            frame.call("sudoku_shape_mix", state, *shape, board, moves)
            pace.took()
            left -= moves
            yield Progress(2 * shape.cells - left, 2 * shape.cells, "mixing")
        return frame.get(board, "B", shape.cells).tobytes()


def minimal(grids_: bytes, count: int, rng: random.Random) -> tuple[bytes, list[int]]:
    """A random minimal puzzle of each complete 9×9 grid, and how many givens it has."""
    with kernel().frame() as frame:
        state, source = frame.put(random_state(rng)), frame.put(grids_)
        out, clues = frame.reserve(CELLS * count), frame.reserve(4 * count)
        frame.call("sudoku_minimal", state, source, count, out, clues)
        return frame.get(out, "B", CELLS * count).tobytes(), frame.get(clues, "i", count).tolist()
