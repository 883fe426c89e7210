"""The verb `paste`: spots from a text."""

from __future__ import annotations

from cluewise.core.work import Job, Progress
from cluewise.desks.scan.formats import read_clue
from cluewise.desks.scan.position import Position
from cluewise.desks.scan.results import Pasted, PasteOptions


def paste(_position: Position, options: PasteOptions) -> Job[Pasted]:
    """The verb `paste`: spots from a text, equal ones once."""
    yield Progress(1, 1)
    clue_range, spots = read_clue(options.text)
    return Pasted([list(spot) for spot in dict.fromkeys(spots)], clue_range)
