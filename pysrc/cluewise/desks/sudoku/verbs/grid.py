"""The verb `grid`: the grid of a number."""

from __future__ import annotations

import random

from cluewise.core.work import Job, Progress
from cluewise.desks.sudoku.engine.numbers import GRIDS, numbers
from cluewise.desks.sudoku.position import Position, write_cells
from cluewise.desks.sudoku.results import GridOfNumber, GridOptions
from cluewise.desks.sudoku.verbs.number import code, value_of
from cluewise.errors import BadOption


def grid(position: Position, options: GridOptions) -> Job[GridOfNumber]:
    """The minlex grid of a number, 9×9; the position's boards are ignored.

    Raises `BadOption` for a number that no grid has.
    """
    value = _number(options)
    found = yield from numbers()
    grids = found.grids(value, options.count)
    while len(grids) < options.count and value + len(grids) <= GRIDS:
        yield Progress(len(grids), options.count, "grids")
        grids += found.grids(value + len(grids), options.count - len(grids))
    texts = [write_cells(cells) for cells in grids]
    return GridOfNumber(texts[0], value, GRIDS, code(value), texts)


def _number(options: GridOptions) -> int:
    if options.number is None and not options.code:
        return random.Random(options.seed).randrange(GRIDS) + 1
    value, where = options.number, "$.options.number"
    if value is None:
        value, where = value_of(options.code), "$.options.code"
    if value is None:
        raise BadOption("A grid's number has digits, or seven letters.", where)
    if not 1 <= value <= GRIDS:
        raise BadOption(
            f"Grids have the numbers 1 to {GRIDS:,}, not {value:,}.".replace(",", "\u00a0"), where
        )
    return value
