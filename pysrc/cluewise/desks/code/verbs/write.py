"""The verb `write`: the clues as text."""

from __future__ import annotations

from cluewise.core.desk import NoOptions
from cluewise.core.results import Written
from cluewise.core.work import Job
from cluewise.desks.code.formats.history import write_history
from cluewise.desks.code.position import Position


def write(position: Position, options: NoOptions) -> Job[Written]:
    """The clues as text, a row a line, as `paste` reads them: `0011 1A1B`."""
    yield from ()
    return Written(write_history(position))
