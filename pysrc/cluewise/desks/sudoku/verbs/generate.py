"""The verb `generate`: a random complete grid."""

from __future__ import annotations

import random

from cluewise.core.work import Job
from cluewise.desks.sudoku.engine import random_boards
from cluewise.desks.sudoku.position import Position, write_cells
from cluewise.desks.sudoku.results import Generated, GenerateOptions


def generate(position: Position, options: GenerateOptions) -> Job[Generated]:
    """`{"grid": "…"}`: a random complete grid of the position's box; its boards are ignored."""
    cells = yield from random_boards.grid(position.shape, random.Random(options.seed))
    return Generated(write_cells(cells))
