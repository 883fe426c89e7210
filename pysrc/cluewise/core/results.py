"""Result structs that several desks share."""

from __future__ import annotations

import msgspec


class BadLine(msgspec.Struct, frozen=True):
    """A line that could not be read, with the reason."""

    line: int
    """Its number, from 1."""
    column: int | None
    """The column of the error, from 1; null for the whole line."""
    text: str
    """The unchanged line."""
    why: str
    """The reason, one sentence."""


class Written(msgspec.Struct, frozen=True):
    """A position, or a part of it, in a text notation."""

    text: str
    """The text; the desk can read it."""
