"""A puzzle as a file of the game."""

from __future__ import annotations

from cluewise.core.desk import NoOptions
from cluewise.core.work import Job
from cluewise.desks.mines.formats.puz import write_puz
from cluewise.desks.mines.position import Position
from cluewise.desks.mines.results import Written


def write(position: Position, options: NoOptions) -> Job[Written]:
    """The puzzle as a .puz file. Raises BadInput where the mines are not known."""
    yield from ()
    return Written(write_puz(position))
