"""A board of noughts and crosses: nine characters, `x` begins."""

from typing import Annotated, Literal

import msgspec

from cluewise.errors import BadPosition


class Position(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """`Position("x...o....")`."""

    cells: Annotated[str, msgspec.Meta(min_length=9, max_length=9)] = "." * 9
    """Row by row: `x`, `o`, or `.` for a free cell."""
    desk: Literal["noughts"] = "noughts"
    """Always `noughts`."""
    v: Literal[1] = 1
    """The version of this form."""


def check(position: Position) -> None:
    """Raise `BadPosition` for a board that no game reaches."""
    if set(position.cells) - set("xo."):
        raise BadPosition("A cell is x, o or a dot.", "$.cells")
    if position.cells.count("x") - position.cells.count("o") not in (0, 1):
        raise BadPosition("x begins, and they take turns.", "$.cells")
