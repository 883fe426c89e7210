"""Exact counting: how many layouts fit, and in how many each cell is a mine.

A dynamic program over the frontier of each component, forward and backward (count.c), with numbers
of up to `LIMBS` words. Cost: linear in the states, exponential in the frontier's width; beyond the
workspace `TooLarge`, then `sample` keeps a random part of the states of each layer (unbiased).
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from struct import iter_unpack
from typing import Generic, TypeVar

from cluewise.core.work import Job, Progress
from cluewise.desks.mines.engine.board import put_board, run_slices
from cluewise.desks.mines.position import Graph
from cluewise.errors import TooLarge
from cluewise.kernel import kernel

N = TypeVar("N", int, float)
SAFE, MINE, NONE = -1, -2, -3
SLICE = 400_000  # units of about 50 ns, on boards of up to USUAL cells
USUAL = 256
WORKSPACE = 52 << 20
SMALL = 8 << 20
LIMBS = 16  # words of a number, at most
NOTE = "counting layouts"


@dataclass(frozen=True, slots=True)
class Count(Generic[N]):
    """Layouts in all and per class of cells; `classes[c]` is a class, SAFE, MINE or NONE.

    Integers are exact, floats an estimate from one sampled run.
    """

    solutions: N
    classes: array[int]
    masses: Sequence[N]

    def mass(self, cell: int) -> N:
        """Return the number of layouts in which an unknown cell in a clue is a mine."""
        kind = self.classes[cell]
        return self.masses[kind] if kind >= 0 else self.solutions * (kind == MINE)


def workspace_bytes() -> int:
    """Return the size of a workspace: all that is free, up to what any position can use."""
    return min(WORKSPACE, kernel().free() - (1 << 20))


def count(board: Graph, cells: array[int], clues: bytes | None = None) -> Job[Count[int] | None]:
    """Count all layouts that fit; None if there is none.

    Raises TooLarge where more than about a million states would be needed.
    """
    return _run(board, cells, clues, 0, 0, _integers)


def sample(board: Graph, cells: array[int], keep: int, seed: int) -> Job[Count[float] | None]:
    """Return an unbiased estimate of the count from at most `keep` states a layer.

    None if no sampled state reaches the end; the position may have layouts all the same.
    """
    try:
        return (yield from _run(board, cells, None, keep, seed, _doubles))
    except TooLarge:
        return None


def _run(
    board: Graph, cells: array[int], clues: bytes | None, keep: int, seed: int,
    read: Callable[[array[int], int], Sequence[N]],
) -> Job[Count[N] | None]:  # fmt: skip
    """Run the counter and `read` its numbers, of so many limbs each; None if nothing fits."""
    allowance = SLICE * USUAL // max(USUAL, board.cells)  # large boards' steps take longer
    with kernel().frame() as frame:
        given, before = put_board(frame, board, cells, clues), (board.cells + 3) // 4
        out = frame.reserve(8 * (before + LIMBS * (board.cells + 1)))
        size = workspace_bytes()
        work = frame.reserve(size)
        # positional: named arguments cost 3 µs, a tenth of the Python side of a small count
        shape = frame.call("mines_count_begin", *given, keep, seed, work, size, allowance, out)
        if shape == 1:
            yield Progress(1, None, NOTE)
            step = partial(frame.call, "mines_count_run", work, allowance, out)
            shape = yield from run_slices(step, NOTE, done=1)
        if not shape:
            return None
        limbs, kinds = (shape >> 16) - 1, shape & 0xFFFF
        words = frame.get(out, "Q", before + max(1, limbs) * (kinds + 1))
    classes = array("h", words[:before].tobytes()[: 2 * board.cells])
    solutions, *masses = read(words[before:], limbs)
    return Count(solutions, classes, masses)


def _integers(raw: array[int], limbs: int) -> list[int]:
    if limbs == 1:
        return raw.tolist()
    return [int.from_bytes(data, "little") for (data,) in iter_unpack(f"{8 * limbs}s", raw)]


def _doubles(raw: array[int], _: int) -> array[float]:
    return array("d", raw.tobytes())
