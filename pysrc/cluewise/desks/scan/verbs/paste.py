"""The verb `paste`: spots from a text."""

from __future__ import annotations

from cluewise.core.work import Job, Progress
from cluewise.desks.scan.formats import read_spots
from cluewise.desks.scan.position import Position
from cluewise.desks.scan.results import Pasted, PasteOptions


def paste(_position: Position, options: PasteOptions) -> Job[Pasted]:
    """The verb `paste`: spots from a text."""
    yield Progress(1, 1)
    return Pasted([list(spot) for spot in read_spots(options.text)])
