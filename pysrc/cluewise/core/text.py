"""Words that every desk needs."""

from __future__ import annotations


def counted(count: int | str, name: str) -> str:
    """How many of something, of a name whose plural ends in s.

    >>> counted(1, "layout"), counted(2, "layout"), counted("10^12", "layout")
    ('1 layout', '2 layouts', '10^12 layouts')
    """
    return f"{count} {name}" + ("" if str(count) == "1" else "s")
