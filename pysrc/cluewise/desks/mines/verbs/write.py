"""A puzzle as a file of the game."""

from __future__ import annotations

import re

from cluewise.core.results import Written
from cluewise.core.work import Job
from cluewise.desks.mines.formats.hexcells import write_hexcells
from cluewise.desks.mines.formats.puz.write import listed_as, write_puz
from cluewise.desks.mines.position import Position
from cluewise.desks.mines.results import WriteOptions
from cluewise.desks.mines.sealing import with_mines
from cluewise.errors import BadOption

NAME = re.compile(r"[A-Za-z0-9]{1,40}")
TILE = 3  # characters
LAST = ("next", "")  # no puzzle follows


def write(position: Position, options: WriteOptions) -> Job[Written]:
    """The puzzle as a .puz or .hexcells file. Raises BadInput where the mines are not known."""
    yield from ()
    if options.format == "hexcells":
        return Written(write_hexcells(with_mines(position), options.author or ""))
    for name in ("id", "next"):
        text = getattr(options, name)
        if text is not None and not NAME.fullmatch(text) and (name, text) != LAST:
            raise BadOption("An ID has letters and digits only, 40 at most.", f"$.options.{name}")
    if options.tile is not None and len(options.tile) > TILE:
        raise BadOption(f"A tile has room for {TILE} characters.", "$.options.tile")
    meta = {"NEXT_PUZZLE_ID": options.next, "TILE_TEXT": options.tile, "AUTHOR": options.author}
    return Written(write_puz(listed_as(position, options.id, meta)))
