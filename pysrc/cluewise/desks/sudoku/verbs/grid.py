"""The verb `grid`: the grid of a number, or the board of an address."""

from __future__ import annotations

import random

from cluewise.core.work import Job, Progress, finish
from cluewise.desks.sudoku.engine import addresses
from cluewise.desks.sudoku.engine.grid_rank import GRIDS, numbers
from cluewise.desks.sudoku.formats.names import FORM, Address, out_of_range, read_address
from cluewise.desks.sudoku.position import Position, write_cells
from cluewise.desks.sudoku.results import GridOfNumber, GridOptions
from cluewise.errors import BadOption


def grid(position: Position, options: GridOptions) -> Job[GridOfNumber]:
    """The minlex grid of a number, 9×9, or the board of an address; the position is ignored.

    Raises `BadOption` for a number that no grid has, and for what is no address.
    """
    asked = _asked(options)
    value, whole = asked.number, asked.givens is None and asked.transform is None
    count = options.count if whole else 1
    found = yield from numbers()
    grids = found.grids(value, count)
    while len(grids) < count and value + len(grids) <= GRIDS:
        yield Progress(len(grids), count, "grids")
        grids += found.grids(value + len(grids), count - len(grids))
    texts = [write_cells(asked.of(cells)) for cells in grids]
    return GridOfNumber(texts[0], value, GRIDS, addresses.letters(value, addresses.NUMBER), texts)


def from_name(name: str) -> Position:
    """The position with the board of an address: what `#/sudoku/rspzfgc` opens."""
    found = finish(grid(Position(), GridOptions(code=name)))
    return Position(grids=(found.grid,))


def _asked(options: GridOptions) -> Address:
    if options.number is None and not options.code:
        return Address(random.Random(options.seed).randrange(GRIDS) + 1)
    where = "$.options.code" if options.number is None else "$.options.number"
    found = read_address(options.code) if options.number is None else Address(options.number)
    if found is None:
        raise BadOption(FORM, where)
    problem = out_of_range(found.number)
    if problem:
        raise BadOption(problem, where)
    return found
