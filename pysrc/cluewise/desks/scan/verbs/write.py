"""The verb `write`: the spots and the walls as text."""

from __future__ import annotations

from cluewise.core.desk import NoOptions
from cluewise.core.work import Job
from cluewise.desks.scan.formats import write_grid, write_spots
from cluewise.desks.scan.position import Position, floor_of, spots_of
from cluewise.desks.scan.results import WrittenMap
from cluewise.desks.scan.scene import ScanModel
from cluewise.desks.scan.walls import check_size, extent, window_rows
from cluewise.errors import BadPosition, TooLarge


def write(position: Position, options: NoOptions) -> Job[WrittenMap]:
    """All spots of the clue as `paste` reads them, those ruled out too; the walls of
    the floor one stands on as a grid.

    Raises `TooLarge` for walls so far apart that `walls` would not take their grid.
    """
    yield from ()
    text = write_spots(spots_of(position))
    walls = ScanModel.of(position).walls_on(floor_of(position))
    window = extent(walls) if walls is not None else None
    if walls is None or window is None:
        return WrittenMap(text)
    x, y, width, height = window
    try:
        check_size((width, height), "$.position.walls")
    except BadPosition as problem:
        raise TooLarge(problem.message, problem.where) from None
    return WrittenMap(text, write_grid(width, window_rows(walls, window)), [x, y])
