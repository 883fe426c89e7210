"""Parts of results that more than one desk gives: said once, so that they mean the same."""

from __future__ import annotations

import msgspec


class BadLine(msgspec.Struct, frozen=True):
    """A line that could not be read, and why."""

    line: int
    """Its number, from 1."""
    column: int | None
    """The character where it goes wrong, from 1; null where the whole line is meant."""
    text: str
    """The line as it came."""
    why: str
    """One sentence for a person."""


class Written(msgspec.Struct, frozen=True):
    """A position, or a part of it, in a notation that people and other programs read."""

    text: str
    """The text; what the desk reads gives it back."""
