"""Parts of results that more than one desk gives: said once, so that they mean the same."""

from __future__ import annotations

import msgspec


class BadLine(msgspec.Struct, frozen=True):
    """A line that could not be read: its number from 1, its text as it came, and why.

    `column` counts characters from 1 and is null where the whole line is meant.
    """

    line: int
    column: int | None
    text: str
    why: str
