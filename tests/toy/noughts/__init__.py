"""Noughts and crosses: how little a desk takes. Used by tests/contract/test_toy_desk.py."""

from functools import cache
from typing import Annotated, Literal

import msgspec

from cluewise.core.desk import Desk, NoOptions, Verb
from cluewise.core.work import Job, Progress
from cluewise.errors import BadPosition

LINES = [*zip(*[iter(range(9))] * 3, strict=True), *((i, i + 3, i + 6) for i in range(3)),
         (0, 4, 8), (2, 4, 6)]  # fmt: skip


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


class Advice(msgspec.Struct, frozen=True):
    """The cells that keep what the game is worth."""

    worth: int
    """1 if the player to move wins with best play, 0 in a draw, -1 if the opponent wins."""
    cells: list[int]
    """The cells, from 0, that keep it; ascending."""


def advise(position: Position, options: NoOptions) -> Job[Advice]:
    """Every free cell is tried to the end of the game."""
    yield Progress(0, 1, "playing every game to its end")
    cells = position.cells
    worths = {at: -worth(after(cells, at)) for at in free(cells)}
    best = max(worths.values(), default=worth(cells))
    return Advice(best, [at for at, one in worths.items() if one == best])


@cache
def worth(cells: str) -> int:
    """What the board is worth to the player to move."""
    if any(cells[a] != "." and cells[a] == cells[b] == cells[c] for a, b, c in LINES):
        return -1
    return max((-worth(after(cells, at)) for at in free(cells)), default=0)


def free(cells: str) -> list[int]:
    """The free cells, ascending."""
    return [at for at, cell in enumerate(cells) if cell == "."]


def after(cells: str, at: int) -> str:
    """The board when the player to move has taken that cell."""
    mark = "x" if cells.count("x") == cells.count("o") else "o"
    return cells[:at] + mark + cells[at + 1 :]


DESK: Desk[Position] = Desk(
    name="noughts",
    title="Noughts and crosses",
    position=Position,
    check=check,
    verbs=(Verb("advise", "The cells that do not lose.", advise),),
)
