"""Puzzles of one solution grid that have few cells apart, for any number of givens.

A puzzle with one solution is a set of that grid's cells; carried to the grid's least form, two such
sets are compared over the grid's automorphisms, at most 648, by counting bits.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from cluewise.core.work import Job, Progress, SliceTimer
from cluewise.desks.sudoku.engine import minlex, near_duplicates
from cluewise.desks.sudoku.engine.solver import solve_nine
from cluewise.desks.sudoku.position import Cells
from cluewise.desks.sudoku.transform import Transform, compose, from_map, inverse

CELLS = minlex.CELLS
MOST_COUNTED = 400_000_000  # comparisons of two sets in one list, a few seconds


class GridPlacement(NamedTuple):
    """A puzzle's solution grid in its least form, the puzzle carried there, and what does that."""

    grid: Cells
    carried: Cells
    transform: Transform


def places(boards: Sequence[Cells]) -> list[GridPlacement | None]:
    """Where each board lies; None unless it has one solution that the quick solver finds."""
    out: list[GridPlacement | None] = [None] * len(boards)
    if not boards:
        return out
    found, counts = solve_nine(b"".join(boards), len(boards))
    unique = [i for i, count in enumerate(counts) if count == 1]
    if unique:
        solved = b"".join(found[2 * CELLS * i : 2 * CELLS * i + CELLS] for i in unique)
        carried, _, maps = minlex.solution_minlex_forms(
            b"".join(boards[i] for i in unique), solved, len(unique)
        )
        least, _ = minlex.minlex(solved, len(unique))
        rows = zip(
            unique, minlex.split(least), minlex.split(carried), minlex.split(maps, minlex.MAP),
            strict=True,
        )  # fmt: skip
        for i, grid, puzzle, data in rows:
            out[i] = GridPlacement(grid, puzzle, from_map(data, 9))
    return out


def one_grid_pairs(
    boards: Sequence[Cells], fewest: int, most: int
) -> Job[tuple[list[near_duplicates.Pair], int]]:
    """A job: pairs of puzzles of one grid with `fewest` to `most` cells apart; pairs left out."""
    buckets: dict[Cells, list[tuple[int, GridPlacement]]] = {}
    pace, at = SliceTimer(first=50), 0
    while at < len(boards):
        piece = boards[at : at + pace.rows(len(boards) - at)]
        for i, place in enumerate(places(piece), at):
            if place:
                buckets.setdefault(place.grid, []).append((i, place))
        pace.took()
        at += len(piece)
        yield Progress(at, len(boards), "solution grids")
    found: list[near_duplicates.Pair] = []
    left = budget = 0
    for number, (grid, members) in enumerate(buckets.items()):
        if len(members) < 2:
            continue
        masks = near_duplicates.GivenSets(grid, [place.carried for _, place in members])
        pairs = len(members) * (len(members) - 1) // 2
        budget += pairs * len(masks.automorphisms)
        if budget > MOST_COUNTED:
            left += pairs
            continue
        for k in range(len(members) - 1):
            found += _near_one(members, masks, k, fewest, most)
            yield Progress(number, len(buckets), "puzzles of one grid")
    return found, left


def _near_one(
    members: Sequence[tuple[int, GridPlacement]],
    masks: near_duplicates.GivenSets,
    k: int,
    fewest: int,
    most: int,
) -> list[near_duplicates.Pair]:
    i, mine = members[k]
    out = []
    for n, (apart, which) in enumerate(masks.distances(k, k + 1), k + 1):
        if fewest <= apart <= most:
            other, theirs = members[n]
            way = compose(
                compose(mine.transform, masks.automorphisms[which]), inverse(theirs.transform)
            )
            out.append(near_duplicates.Pair(i, other, apart, way))
    return out
