"""Sudoku lists as arrays: `(n, 81)` boards of digits, row by row, 0 for a blank.

>>> board = [[0] * 79 + [1, 2]]
>>> canon(board)[0, -10:].tolist()
[0, 0, 0, 0, 0, 0, 0, 0, 1, 2]

All functions take uint8 or any other integer dtype, and raise `BadInput` for another shape or a
value above 9. A million boards take 81 MB each way; the kernel's memory holds `BLOCK` at a time.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cluewise.arrays.checks import Bytes, rows_of
from cluewise.core.work import finish
from cluewise.desks.sudoku.engine import grid_rank, minlex, solver
from cluewise.desks.sudoku.position import NINE
from cluewise.desks.sudoku.results import Convention

NO_FORM = 255
BLOCK = 10_000  # boards in one call of the kernel
CELLS = 81


class Solved(NamedTuple):
    """The result of `solve`."""

    counts: NDArray[np.int32]
    """`(n,)`: solutions, 2 for two or more, 0 also for a board that breaks the rules."""
    found: Bytes
    """`(n, 2, 81)`: the first two solutions, zeros where there are fewer."""


class Grouped(NamedTuple):
    """The result of `group`."""

    classes: NDArray[np.int64]
    """`(n,)`: class numbers from 0 in the order of first members; -1 for a board without a form."""
    firsts: NDArray[np.int64]
    """`(classes,)`: the row of each class's first member."""


def canon(boards: ArrayLike, convention: Convention = "straight") -> Bytes:
    """Return the least form of each board, `(n, 81)` uint8.

    `convention` is straight, pattern-first or solution-carried; complete grids have their minlex
    form in each. A row is `NO_FORM` (255) throughout for a board without a form: one that breaks
    the rules, is too regular or, for solution-carried, has not exactly one solution.
    """
    given = rows_of(boards, CELLS, 9, "boards")
    out = np.empty_like(given)
    for at, some in _blocks(given):
        if convention == "solution-carried":
            out[at : at + len(some)] = NO_FORM
            _carry(some, out[at : at + len(some)])
            continue
        forms, ties = minlex.minlex_any(some.tobytes(), len(some), convention)
        out[at : at + len(some)] = np.frombuffer(forms, np.uint8).reshape(-1, CELLS)
        out[at : at + len(some)][np.asarray(ties) <= 0] = NO_FORM
    return out


def keys(boards: ArrayLike) -> Bytes:
    """Return each board's class key, `(n, 16)` uint8: BLAKE2b of its pattern-first form.

    Boards are equivalent exactly if their keys are equal, up to collisions of 128-bit hashes. A key
    is zero where `canon` finds no form.
    """
    forms = canon(boards, "pattern-first")
    out = np.zeros((len(forms), 16), np.uint8)
    for at, some in _blocks(forms):
        data = minlex.key_bytes(some.tobytes(), len(some))
        out[at : at + len(some)] = np.frombuffer(data, np.uint8).reshape(-1, 16)
    out[forms[:, 0] == NO_FORM] = 0
    return out


def group(boards: ArrayLike) -> Grouped:
    """Return class numbers and first members: boards of one class are the same in disguise."""
    found = keys(boards)
    has_form = np.flatnonzero(found.any(1))
    _, firsts, where = np.unique(
        found[has_form].view("V16").ravel(), return_index=True, return_inverse=True
    )
    order = np.argsort(firsts)
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    classes = np.full(len(found), -1, np.int64)
    classes[has_form] = place[where.ravel()]
    return Grouped(classes, has_form[firsts[order]])


def solve(boards: ArrayLike) -> Solved:
    """Return how many solutions each board has, up to two, and the first two."""
    given = rows_of(boards, CELLS, 9, "boards")
    out = Solved(np.zeros(len(given), np.int32), np.zeros((len(given), 2, CELLS), np.uint8))
    for at, some in _blocks(given):
        data, numbers = solver.solve_nine(some.tobytes(), len(some))
        found = np.frombuffer(data, np.uint8).reshape(-1, 2, CELLS)
        counts = np.array(numbers, np.int32)
        hard = np.flatnonzero(counts == _GAVE_UP)
        counts[counts < 0] = 0
        out.counts[at : at + len(some)] = counts
        known = np.arange(2) < counts[:, None]
        np.copyto(out.found[at : at + len(some)], found, where=known[:, :, None])
        for i in map(int, hard):
            one = finish(solver.solutions(some[i].tobytes(), NINE))
            out.counts[at + i] = one.number
            for k, cells in enumerate(one.found):
                out.found[at + i, k] = np.frombuffer(cells, np.uint8)
    return out


def number(boards: ArrayLike) -> NDArray[np.int64]:
    """Return each grid's number among the 5 472 730 538 classes of grids, `(n,)` int64 from 1.

    A puzzle has the number of its solution. 0 where a board has not exactly one solution.
    """
    given = rows_of(boards, CELLS, 9, "boards").copy()
    puzzles = np.flatnonzero(~given.all(1))
    solved = solve(given[puzzles])
    given[puzzles] = np.where((solved.counts == 1)[:, None], solved.found[:, 0], 0)
    forms = canon(given)
    ranks = finish(grid_rank.numbers())
    return np.array([ranks.of(form.tobytes()) if form[0] == 1 else 0 for form in forms], np.int64)


_GAVE_UP = -2  # TOO_LARGE of kernel.h: the solver without look-ahead has stopped


def _blocks(boards: Bytes) -> Iterator[tuple[int, Bytes]]:
    for at in range(0, len(boards), BLOCK):
        yield at, boards[at : at + BLOCK]


def _carry(boards: Bytes, out: Bytes) -> None:
    """Write solution-carried forms of boards with one solution."""
    whole = boards.all(1)
    if whole.any():
        out[whole] = canon(boards[whole])
    solved = solve(boards[~whole])
    unique = np.flatnonzero(~whole)[solved.counts == 1]
    grids = solved.found[solved.counts == 1, 0]
    if len(unique):
        data, _, _ = minlex.solution_minlex_forms(
            boards[unique].tobytes(), grids.tobytes(), len(unique)
        )
        out[unique] = np.frombuffer(data, np.uint8).reshape(-1, CELLS)
