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
from cluewise.kernel import Frame, kernel

SAFE, MINE, NONE = -1, -2, -3
SLICE = 400_000  # units of about 50 ns, on boards of up to USUAL cells
USUAL = 256
WORKSPACE = 52 << 20
SMALL = 8 << 20
LIMBS = 16  # words of a number, at most


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
    with kernel().frame() as frame:
        given = put_board(frame, board, cells, clues)
        before, allowance = (board.cells + 3) // 4, _allowance(board)
        out = frame.reserve(8 * (before + LIMBS * (board.cells + 1)))
        size = workspace_bytes()
        work = frame.reserve(size)
        shape = frame.call("mines_count_at_once", *given, work, size, allowance, out)
        if shape == 1:
            yield Progress(1, None, "counting layouts")
            shape = yield from _go_on(frame, work, allowance, 1)
            found = _read(frame, board, work) if shape else None
        elif shape:
            limbs, kinds = shape >> 16, shape & 0xFFFF
            words = frame.get(out, "Q", before + limbs * (kinds + 1))
            classes = array("h", words[:before].tobytes()[: 2 * board.cells])
            found = classes, words[before:], limbs
        else:
            found = None
        if found is None:
            return None
        classes, raw, limbs = found
        numbers = _numbers(raw, limbs)
        return Count(numbers[0], classes, numbers[1:])


def sample(board: Graph, cells: array[int], keep: int, seed: int) -> Job[Sampled | None]:
    """One unbiased estimate of the count that keeps at most `keep` states a layer.

    None if the sample died out, which says nothing about the position.
    """
    with kernel().frame() as frame:
        given = put_board(frame, board, cells)
        size, allowance = workspace_bytes(), _allowance(board)
        work = frame.reserve(size)
        try:
            status = frame.call("mines_count_begin", *given, keep, seed, work, size)
            if not status or not (yield from _go_on(frame, work, allowance, 0)):
                return None
        except TooLarge:
            return None
        classes, raw, _ = _read(frame, board, work)
        doubles = array("d", raw.tobytes())
        return Sampled(doubles[0], classes, doubles[1:])


def _allowance(board: Graph) -> int:
    """Units of a slice: fewer on large boards, whose steps take longer."""
    return SLICE * USUAL // max(USUAL, board.cells)


def _go_on(frame: Frame, work: int, allowance: int, slices: int) -> Job[int]:
    """Runs a count that was begun to its end; 0 if the clues contradict."""
    step = partial(frame.call, "mines_count_run", work, allowance)
    return (yield from run_slices(step, "counting layouts", done=slices))


def _read(frame: Frame, board: Graph, work: int) -> tuple[array[int], array[int], int]:
    room_for = LIMBS * (board.cells + 1)
    classes, masses = frame.reserve(4 * board.cells), frame.reserve(8 * room_for)
    shape = frame.call("mines_count_result", work, classes, masses, room_for)
    limbs, kinds = shape >> 16, shape & 0xFFFF
    raw = frame.get(masses, "Q", max(1, limbs) * (kinds + 1))
    return frame.get(classes, "i", board.cells), raw, limbs


def _numbers(raw: array[int], limbs: int) -> list[int]:
    if limbs == 1:
        return raw.tolist()
    data = raw.tobytes()
    step = 8 * limbs
    return [int.from_bytes(data[i : i + step], "little") for i in range(0, len(data), step)]
