"""What `guess` is asked and what it answers."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta


class GuessOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The rule of the first click, and how far play is followed."""

    first: Annotated[
        Literal["any", "safe", "zero"],
        Meta(
            description="on a board without open cells: any is no rule; safe: the first cell is "
            "no mine; zero: nor is any of its neighbours"
        ),
    ] = "any"
    seconds: Annotated[
        float, Meta(ge=0, le=600, description="time for exact values; bounds for what is left")
    ] = 2
    layouts: Annotated[
        int, Meta(ge=1, le=200_000, description="with more layouts play is not followed")
    ] = 20_000


class GuessCandidate(msgspec.Struct, frozen=True):
    """A cell that may be opened, and the share of layouts that is won then."""

    cell: int
    """The cell."""
    safe: float
    """The chance that it is no mine; 1 under a rule of the first click."""
    win: float | None
    """The chance to win by opening it now and best play after; null where that is not settled."""
    low: float | None
    """What the play wins that opens the safest cell each time after; null where no play was
    followed.
    """
    high: float
    """No play that opens it now wins more."""
    exact: bool
    """Whether `win` is exact; `low` and `high` are then equal to it."""


class Guess(msgspec.Struct, frozen=True):
    """Which cell to open where none is safe: every candidate, best first.

    Layouts that fit count the same; flags are taken as given. A certain mine is no candidate.
    """

    layouts: str | None
    """How many layouts fit, in decimal; null where they could not be counted. The chances `safe`
    are then estimates.
    """
    exact: bool
    """Whether every candidate's `win` is exact."""
    win: float | None
    """The best chance to win; null where another candidate may still be better."""
    safest: int | None
    """The cell that is least likely a mine; null where there is no candidate."""
    options: list[GuessCandidate]
    """By `win` (by `high` where that is null), then by `safe`, both descending, then by cell."""
