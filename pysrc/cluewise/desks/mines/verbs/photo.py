"""The verb `photo`: the board in a screenshot, and what of it deserves a look."""

from __future__ import annotations

from cluewise.core.work import Job
from cluewise.desks.mines.engine.arrangements import counts_only, is_arranged
from cluewise.desks.mines.engine.simplex import open_simplex
from cluewise.desks.mines.position import Position
from cluewise.desks.mines.results import (
    Photo,
    PhotoOptions,
    UncountedColour,
    UnplacedNumber,
    UnreadCount,
)
from cluewise.errors import BadInput


def photo(position: Position, options: PhotoOptions) -> Job[Photo]:
    """Read the board in a screenshot of equal squares or hexagons.

    The lattice of the tiles is found first, then what every tile shows, then the counts of lines
    and colours. A count that cannot be assigned to one line is returned, not assigned.
    Raises `BadInput` where the picture shows no board. The position is not looked at.
    """
    from cluewise.desks.mines.ocr.read import read
    from cluewise.pictures.image import Image

    found = read(Image.from_base64(options.pixels, options.width, options.height))
    if found is None:
        raise BadInput("No board was found in this picture.", "$.options.pixels")
    board = found.position
    with open_simplex(counts_only(board).position if is_arranged(board) else board) as sums:
        fits = yield from sums.fits((1 << len(sums.names)) - 1)
    return Photo(
        board, "square" if found.lattice.kind == "square" else "hex", found.doubtful,
        found.doubtful_groups, [UnreadCount(line.kind, line.tiles) for line in found.unread],
        [UnplacedNumber(w.number or 0, w.middle) for w in found.unplaced],
        [UncountedColour(name, cells) for name, cells in found.uncounted],
        fits is not None, found.middles, round(found.lattice.pitch, 2),
    )  # fmt: skip
