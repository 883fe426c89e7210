"""What reading a board from a screenshot is asked and what it answers."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from cluewise.desks.mines.position import Position


class PhotoOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A screenshot."""

    pixels: Annotated[
        str, Meta(description="red, green and blue bytes row by row, or zlib's of them, in base64")
    ] = ""
    width: Annotated[int, Meta(description="pixels in a row")] = 0
    height: Annotated[int, Meta(description="rows of pixels")] = 0


class UnreadCount(msgspec.Struct, frozen=True):
    """A line with a count that could not be read."""

    kind: str
    """row, column, line-q, line-r or line-s."""
    cells: tuple[int, ...]
    """The cells of the line."""


class UnplacedNumber(msgspec.Struct, frozen=True):
    """A number outside the tiles of which the line is not known; perhaps the total."""

    number: int
    """What it says."""
    at: tuple[float, float]
    """x and y of its middle in the picture."""


class UncountedColour(msgspec.Struct, frozen=True):
    """Tiles of one colour without a count that could be read."""

    colour: str
    """The nearest of the nine names of colours."""
    cells: list[int]
    """The closed and open tiles that have it."""


class Photo(msgspec.Struct, frozen=True):
    """The board in a screenshot, and what of it deserves a look.

    Places are in pixels of the picture, a pixel's centre at whole numbers.
    """

    position: Position
    """The board without its mines; a number that could not be read is a `?`, and doubtful."""
    tiles: Literal["square", "hex"]
    """The shape of its tiles."""
    doubtful: list[int]
    """Cells that deserve a look."""
    doubtful_groups: list[int]
    """Counts that deserve a look, as `group:INDEX` numbers them."""
    unread: list[UnreadCount]
    """Lines with a count that could not be read; they are in no group of the position."""
    unplaced: list[UnplacedNumber]
    """Numbers that belong to no line."""
    uncounted: list[UncountedColour]
    """Colours without a count; they are in no group of the position."""
    consistent: bool
    """Whether some layout of mines fits what was read."""
    middles: list[tuple[float, float]]
    """Where every cell's middle is."""
    pitch: float
    """From one tile's middle to the next one's."""
