"""The verbs `paste` and `write`: text becomes clues, and clues become text."""

from __future__ import annotations

from cluewise.core.desk import NoOptions
from cluewise.core.results import Written
from cluewise.core.work import Job
from cluewise.desks.code.formats.history import read_history, write_history
from cluewise.desks.code.position import Position
from cluewise.desks.code.results import Pasted, PasteOptions


def paste(position: Position, options: PasteOptions) -> Job[Pasted]:
    """The clues of a text under the position's rules, and the lines that could not be read."""
    yield from ()
    return read_history(position, options.text)


def write(position: Position, options: NoOptions) -> Job[Written]:
    """The clues as text, a row a line, as `paste` reads them: `0011 1A1B`."""
    yield from ()
    return Written(write_history(position))
