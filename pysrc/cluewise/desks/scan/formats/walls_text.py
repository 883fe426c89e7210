"""Walkability as a text of walls and free tiles.

>>> read_grid("#.\\n..")
(2, [0, 1])
"""

from __future__ import annotations

from cluewise.desks.scan.walls import check_size
from cluewise.errors import BadNotation

WALL, FREE = "#Xx1", ". 0"


def read_grid(text: str) -> tuple[int, list[int]]:
    """Width and rows (lowest y first, bit = wall) of a text whose first line is the north."""
    lines = text.strip("\r\n").splitlines()
    width = max((len(line) for line in lines), default=0)
    check_size((width, len(lines)), "$")
    rows = []
    for i, line in enumerate(lines, start=1):
        row = 0
        for x, sign in enumerate(line):
            if sign in WALL:
                row |= 1 << x
            elif sign not in FREE:
                raise BadNotation(
                    f"A grid is written with {WALL} for walls and {FREE!r} for free tiles, "
                    f"not {sign!r}.",
                    f"line {i}, column {x + 1}",
                )
        rows.append(row)
    return width, rows[::-1]


def write_grid(width: int, rows: list[int]) -> str:
    """The same as text, `#` and `.`."""
    lines = ("".join("#" if row >> x & 1 else "." for x in range(width)) for row in rows[::-1])
    return "\n".join(lines) + "\n"
