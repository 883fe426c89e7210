"""Result structs and parts of sentences that several desks share."""

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


def pluralize(count: int | str, name: str) -> str:
    """Return a count with its noun; the plural ends in s.

    >>> pluralize(1, "layout"), pluralize(2, "layout"), pluralize("10^12", "layout")
    ('1 layout', '2 layouts', '10^12 layouts')
    """
    return f"{count} {name}" + ("" if str(count) == "1" else "s")
