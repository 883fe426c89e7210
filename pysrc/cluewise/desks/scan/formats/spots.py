"""Spots as lines of numbers.

>>> read_spots("1: 2990, 3390\\n(2995 3401 1)")
((2990, 3390, 0), (2995, 3401, 1))
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from cluewise.errors import BadNotation

_NUMBERS = re.compile(r"-?\d+")
_NUMBERED = re.compile(r"^\s*\d+\s*[:.)]\s+")


def read_spots(text: str) -> tuple[tuple[int, int, int], ...]:
    """Spots from lines of two or three numbers; `# …` and empty lines are passed over.

    A leading `3:` or `3.` or `3)` numbers a line and is no coordinate.
    """
    spots = []
    for i, line in enumerate(text.splitlines(), start=1):
        body = _NUMBERED.sub("", line.split("#")[0])
        found = _NUMBERS.findall(body)
        if not body.strip():
            continue
        # A number of thousands of digits is none that `int` reads.
        numbers = [int(n) for n in found] if all(len(n) < 12 for n in found) else []
        if not 2 <= len(numbers) <= 3 or any(abs(n) > 1 << 30 for n in numbers):
            raise BadNotation(
                f"Expected x, y and perhaps a level, found {line.strip()!r}.", f"line {i}"
            )
        spots.append((numbers[0], numbers[1], numbers[2] if len(numbers) == 3 else 0))
    return tuple(spots)


def write_spots(spots: Iterable[tuple[int, int, int]]) -> str:
    """The same as lines `x, y, level`."""
    return "".join(f"{x}, {y}, {level}\n" for x, y, level in spots)
