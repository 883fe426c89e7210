"""What was pasted or opened, as a position."""

from __future__ import annotations

from cluewise.core.work import Job
from cluewise.desks.mines import formats
from cluewise.desks.mines.position import Position
from cluewise.desks.mines.results import ReadOptions
from cluewise.desks.mines.sealing import sealed


def read(position: Position, options: ReadOptions) -> Job[Position]:
    """The position in a text, its solution sealed. Raises BadNotation with the place of a fault."""
    yield from ()
    return sealed(formats.read(options.text))
