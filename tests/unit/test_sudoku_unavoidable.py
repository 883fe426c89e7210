"""Unavoidable sets of four and six cells: against other fillings, and what is said of them."""

import random

import pytest

from cluewise.core.work import finish
from cluewise.desks.sudoku.engine import random_boards
from cluewise.desks.sudoku.engine.colour_refinement import rectangles
from cluewise.desks.sudoku.position import NINE, Shape, read_cells
from cluewise.desks.sudoku.puzzles import LARGEST_MINLEX, MOST_SYMMETRIC
from cluewise.desks.sudoku.verbs.unavoidable import unavoidable_sets
from reference.sudoku_unavoidable import unavoidable as by_filling


@pytest.mark.parametrize("box", [(2, 2), (2, 3), (3, 2)])
@pytest.mark.parametrize("seed", range(4))
def test_small_sets_are_all_that_other_fillings_show(box: tuple[int, int], seed: int) -> None:
    shape = Shape(*box)
    grid = finish(random_boards.grid(shape, random.Random(seed)))
    assert unavoidable_sets(grid, shape) == by_filling(grid, *box, 6)


@pytest.mark.parametrize(
    "seed", [0, *(pytest.param(n, marks=pytest.mark.long) for n in range(1, 9))]
)
def test_small_sets_of_nine_symbols_are_all_that_other_fillings_show(seed: int) -> None:
    grid = random_boards.grids(1, random.Random(seed))
    found = unavoidable_sets(grid, NINE)
    assert found == by_filling(grid, 3, 3, 6)
    assert [one for one in found if len(one) == 4] == sorted(rectangles(grid, NINE))


@pytest.mark.parametrize(
    "grid", [LARGEST_MINLEX, pytest.param(MOST_SYMMETRIC, marks=pytest.mark.long)]
)
def test_symmetric_grids_have_all_their_small_sets(grid: str) -> None:
    cells = read_cells(grid, NINE)
    assert unavoidable_sets(cells, NINE) == by_filling(cells, 3, 3, 6)
