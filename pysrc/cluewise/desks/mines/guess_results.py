"""What `guess` and `review` are asked and what they answer."""

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


class ReviewOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How far play is followed at each press."""

    seconds: Annotated[
        float, Meta(ge=0, le=600, description="time for the exact chances of one press")
    ] = 1
    layouts: Annotated[
        int, Meta(ge=1, le=200_000, description="with more layouts play is not followed")
    ] = 2000


class ReviewedPress(msgspec.Struct, frozen=True):
    """A press: `before` + `decision` + `luck` = `after`, where all are known."""

    cell: int
    """The cell that was opened."""
    mine: bool
    """Whether it was a mine. The review goes on with that mine flagged."""
    risk: float | None
    """The chance that it was a mine, from what was open; null where layouts were not counted."""
    kind: Literal["certain", "best", "risky", "mistake", "open"]
    """certain: the clues made it safe; best: no other cell wins more often; mistake: another one
    does; risky: another cell was safe, what this one cost is not known; open: not settled.
    """
    before: float | None
    """The chance to win with the best press; null where play could not be followed."""
    decision: float | None
    """The chance to win with this press less `before`; at most 0."""
    luck: float | None
    """What the result changed: `after` less the chance to win with this press."""
    after: float | None
    """The best chance to win once the result was seen; 0 after a mine."""
    best: int | None
    """A better cell after a mistake or a needless risk: a safe one, else the one that wins most."""


class Review(msgspec.Struct, frozen=True):
    """A game looked back on: luck separated from mistakes."""

    presses: list[ReviewedPress]
    """The presses in order."""
    ended: Literal["won", "lost", "open"]
    """lost: a mine was opened; won: every safe cell was opened without one."""
    mistakes: int
    """How many presses were mistakes or needless risks."""
    decisions: float
    """Sum of all `decision` that are known."""
    luck: float
    """Sum of all `luck` that are known."""
    survival: float | None
    """The chance to open no mine with these presses: the product of 1 less `risk`; null where a
    risk is unknown.
    """
