"""The verb `generate`: a random complete grid."""

from __future__ import annotations

import random

from cluewise.core.work import Job
from cluewise.desks.sudoku.constraints import of_board, words
from cluewise.desks.sudoku.position import Position, write_cells
from cluewise.desks.sudoku.results import Generated, GenerateOptions
from cluewise.desks.sudoku.verbs.puzzle import random_grid


def generate(position: Position, options: GenerateOptions) -> Job[Generated]:
    """`{"grid": "…"}`: a random complete grid of the position's box; its boards are ignored.

    With constraints a grid that obeys them; `BadPosition` if there is none.
    """
    every = of_board(position.constraints, 0)
    rules = tuple(one for one in every if one.kind != "other")
    cells = yield from random_grid(rules, position.shape, random.Random(options.seed))
    left = words(one for one in every if one.kind == "other")
    return Generated(write_cells(cells), compared=words(rules), not_compared=left)
