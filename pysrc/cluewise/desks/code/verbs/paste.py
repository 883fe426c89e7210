"""The verb `paste`: a history as text becomes clues."""

from __future__ import annotations

from cluewise.core.work import Job
from cluewise.desks.code.formats.history import read_history
from cluewise.desks.code.position import Position
from cluewise.desks.code.results import Pasted, PasteOptions


def paste(position: Position, options: PasteOptions) -> Job[Pasted]:
    """The clues of a text under the position's rules, and the lines that could not be read."""
    yield from ()
    return read_history(position, options.text)
