"""Puzzles read from texts and pictures, bundled, and written as files and archives."""

from __future__ import annotations

import base64
import re
from functools import cache
from importlib import resources

import msgspec

from cluewise.core.desk import NoOptions
from cluewise.core.results import Written
from cluewise.core.work import Job
from cluewise.desks.mines import formats
from cluewise.desks.mines.engine.arrangements import counts_only, is_arranged
from cluewise.desks.mines.engine.simplex import open_oracle
from cluewise.desks.mines.formats.hexcells import write_hexcells
from cluewise.desks.mines.formats.puz.write import listed_as, write_campaign, write_puz
from cluewise.desks.mines.position import Position, check
from cluewise.desks.mines.results import (
    Campaign,
    CampaignOptions,
    Example,
    Examples,
    Photo,
    PhotoOptions,
    ReadOptions,
    UncountedColour,
    UnplacedNumber,
    UnreadCount,
    WriteOptions,
)
from cluewise.desks.mines.sealing import sealed, with_mines
from cluewise.errors import BadInput, BadOption, BadPosition


def read(position: Position, options: ReadOptions) -> Job[Position]:
    """Parse a text; the solution is sealed. Raises BadNotation with the place of a fault."""
    yield from ()
    return sealed(formats.read(options.text))


def photo(position: Position, options: PhotoOptions) -> Job[Photo]:
    """Read the board in a screenshot of equal squares or hexagons.

    First the lattice of the tiles, then the content of every tile, then the counts of lines and
    colours. A count that cannot be assigned to one line is returned unassigned. Raises `BadInput`
    if the picture shows no board. The position is ignored.
    """
    from cluewise.desks.mines.ocr.read import read
    from cluewise.pictures.image import Image

    found = read(Image.from_base64(options.pixels, options.width, options.height))
    if found is None:
        raise BadInput("No board was found in this picture.", "$.options.pixels")
    board = found.position
    with open_oracle(counts_only(board).position if is_arranged(board) else board) as oracle:
        fits = yield from oracle.fits((1 << len(oracle.names)) - 1)
    return Photo(
        board, "square" if found.lattice.kind == "square" else "hex", found.doubtful,
        found.doubtful_groups, [UnreadCount(line.kind, line.tiles) for line in found.unread],
        [UnplacedNumber(w.number or 0, w.middle) for w in found.unplaced],
        [UncountedColour(name, cells) for name, cells in found.uncounted],
        fits is not None, found.middles, round(found.lattice.pitch, 2),
    )  # fmt: skip


NAME = re.compile(r"[A-Za-z0-9]{1,40}")
TILE = 3  # characters
LAST = ("next", "")  # no puzzle follows


def write(position: Position, options: WriteOptions) -> Job[Written]:
    """Return the puzzle as a .puz or .hexcells file. Raises BadInput if its mines are not known."""
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


def campaign(_position: Position, options: CampaignOptions) -> Job[Campaign]:
    """Return the levels as a .zip; the position is ignored.

    Raises BadPosition for an invalid puzzle, BadInput if the mines of one are not known or two have
    the same ID.
    """
    yield from ()
    for i, level in enumerate(options.levels):
        try:
            check(level.puzzle)
        except BadPosition as problem:
            raise problem.under(f"$.options.levels[{i}].puzzle") from None
    return Campaign(base64.b64encode(write_campaign(options.levels)).decode())


@cache
def bundled() -> tuple[Example, ...]:
    """Return the bundled puzzles, all made by the generator, from easy to fiendish."""
    data = resources.files("cluewise.desks.mines").joinpath("puzzles.json").read_bytes()
    return tuple(msgspec.json.decode(data, type=list[Example]))


def examples(position: Position, options: NoOptions) -> Job[Examples]:
    """Return all bundled puzzles."""
    yield from ()
    return Examples(list(bundled()))
