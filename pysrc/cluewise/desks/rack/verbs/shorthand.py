"""The stands as the text that players jot down, in and out."""

from __future__ import annotations

import msgspec

from cluewise.core.work import Job, Progress
from cluewise.desks.rack.formats.stands import read_stands
from cluewise.desks.rack.position import Position, check
from cluewise.desks.rack.results import Shorthand, ShorthandOptions
from cluewise.errors import BadNotation, BadPosition


def shorthand(position: Position, options: ShorthandOptions) -> Job[Shorthand]:
    """The stands as text, one a line; with `text`, the position with those stands instead."""
    yield Progress(0, 1, "reading")
    if options.text is not None:
        stands = read_stands(options.text, position)
        sizes = [len(stand.slots) for stand in stands]
        agreed = tuple(
            t for t in position.agreed if t.stand < len(sizes) and t.slot < sizes[t.stand]
        )
        same = sizes == [len(stand.slots) for stand in position.stands]
        choices = position.choices if same or position.choices is None else ()
        position = msgspec.structs.replace(position, stands=stands, agreed=agreed, choices=choices)
        try:
            check(position)
        except BadPosition as problem:
            raise BadNotation(problem.message, problem.where) from None
    return Shorthand([str(stand) for stand in position.stands], position)
