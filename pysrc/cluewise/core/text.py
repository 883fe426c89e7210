"""Text helpers of all desks."""

from __future__ import annotations


def pluralize(count: int | str, name: str) -> str:
    """Return a count with its noun; the plural ends in s.

    >>> pluralize(1, "layout"), pluralize(2, "layout"), pluralize("10^12", "layout")
    ('1 layout', '2 layouts', '10^12 layouts')
    """
    return f"{count} {name}" + ("" if str(count) == "1" else "s")
