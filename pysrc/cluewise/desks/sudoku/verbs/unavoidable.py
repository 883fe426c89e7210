"""The verb `unavoidable`: sets of four and six cells of which every puzzle shows one."""

from __future__ import annotations

from cluewise.core.desk import NoOptions
from cluewise.core.work import Job
from cluewise.desks.sudoku.constraints import words
from cluewise.desks.sudoku.engine.unavoidable import unavoidable as sets_of
from cluewise.desks.sudoku.position import Position, boards, is_complete, write_cells
from cluewise.desks.sudoku.results import UnavoidableSets
from cluewise.desks.sudoku.verbs.number import solution_of
from cluewise.errors import TooLarge

_LARGEST = 16  # symbols; a minute in a browser beyond


def unavoidable(position: Position, options: NoOptions) -> Job[UnavoidableSets]:
    """All minimal unavoidable sets of at most six cells, of a grid or of a puzzle's solution.

    Raises `BadPosition` for a puzzle without just one solution, `TooLarge` beyond 16 symbols.
    """
    (cells,) = boards(position, 1)
    if position.shape.size > _LARGEST:
        raise TooLarge(f"Sets of boards larger than {_LARGEST}×{_LARGEST} would take too long.")
    grid = yield from solution_of(position, cells)
    sets = sets_of(grid, position.shape)
    counts = {size: sum(len(one) == size for one in sets) for size in (4, 6)}
    givens = [] if is_complete(cells) else [sum(cells[i] > 0 for i in one) for one in sets]
    left = words(position.constraints)
    return UnavoidableSets(write_cells(grid), sets, counts, givens, not_compared=left)
