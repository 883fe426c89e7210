"""Exact counting: how many layouts fit, and in how many each cell is a mine.

A dynamic program over the frontier of each component, forward and backward (count.c), with numbers
of up to `LIMBS` words. Cost: linear in the states, exponential in the frontier's width; beyond the
workspace `TooLarge`, then `sample` keeps a random part of the states of each layer (unbiased).
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from functools import partial

from cluewise.core.work import Job, Progress
from cluewise.desks.mines.engine.board import put_board, run_slices
from cluewise.desks.mines.position import Graph
from cluewise.errors import TooLarge
from cluewise.kernel import kernel

SAFE, MINE, NONE = -1, -2, -3
SLICE = 400_000  # units of about 50 ns, on boards of up to USUAL cells
USUAL = 256
WORKSPACE = 52 << 20
SMALL = 8 << 20
LIMBS = 16  # words of a number, at most
NOTE = "counting layouts"


@dataclass(frozen=True, slots=True)
class Count:
    """Layouts in all and per class of cells; `classes[c]` is a class, SAFE, MINE or NONE."""

    solutions: int
    classes: array[int]
    masses: list[int]

    def mass(self, cell: int) -> int:
        """In how many layouts that cell is a mine; it must be one that was asked about."""
        kind = self.classes[cell]
        return self.masses[kind] if kind >= 0 else self.solutions * (kind == MINE)


@dataclass(frozen=True, slots=True)
class Sampled:
    """The same as doubles, out of one sampled run."""

    solutions: float
    classes: array[int]
    masses: array[float]


def workspace_bytes() -> int:
    """Bytes to ask for: what is free, but not more than any position can use."""
    return min(WORKSPACE, kernel().free() - (1 << 20))


def count(board: Graph, cells: array[int], clues: bytes | None = None) -> Job[Count | None]:
    """All layouts that fit, None if there is none.

    Raises TooLarge where more than about a million states would be needed.
    """
    found = yield from _counted(board, cells, clues, keep=0, seed=0)
    if found is None:
        return None
    classes, raw, limbs = found
    numbers = _numbers(raw, limbs)
    return Count(numbers[0], classes, numbers[1:])


def sample(board: Graph, cells: array[int], keep: int, seed: int) -> Job[Sampled | None]:
    """One unbiased estimate of the count that keeps at most `keep` states a layer.

    None if the sample died out, which says nothing about the position.
    """
    try:
        found = yield from _counted(board, cells, None, keep, seed)
    except TooLarge:
        return None
    if found is None:
        return None
    doubles = array("d", found[1].tobytes())
    return Sampled(doubles[0], found[0], doubles[1:])


def _counted(
    board: Graph, cells: array[int], clues: bytes | None, keep: int, seed: int
) -> Job[tuple[array[int], array[int], int] | None]:
    """Classes, numbers in words and the words of each (0: doubles); None if nothing fits."""
    allowance = SLICE * USUAL // max(USUAL, board.cells)  # large boards' steps take longer
    with kernel().frame() as frame:
        given, before = put_board(frame, board, cells, clues), (board.cells + 3) // 4
        out = frame.reserve(8 * (before + LIMBS * (board.cells + 1)))
        size = workspace_bytes()
        work = frame.reserve(size)
        shape = frame.call(
            "mines_count_begin", *given, sample=keep, seed=seed, work=work, size=size,
            budget=allowance, out=out,
        )  # fmt: skip
        if shape == 1:
            yield Progress(1, None, NOTE)
            step = partial(frame.call, "mines_count_run", work, allowance, out)
            shape = yield from run_slices(step, NOTE, done=1)
        if not shape:
            return None
        limbs, kinds = (shape >> 16) - 1, shape & 0xFFFF
        words = frame.get(out, "Q", before + max(1, limbs) * (kinds + 1))
        classes = array("h", words[:before].tobytes()[: 2 * board.cells])
        return classes, words[before:], limbs


def _numbers(raw: array[int], limbs: int) -> list[int]:
    if limbs == 1:
        return raw.tolist()
    data = raw.tobytes()
    step = 8 * limbs
    return [int.from_bytes(data[i : i + step], "little") for i in range(0, len(data), step)]
