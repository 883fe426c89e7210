"""The .mine files in which JSMinesweeper saves a game.

Width, height and mines on the first line, then the rows: `H` closed, `F` a flag, `?` a mine that
exploded, digits open cells.

    3x2x1
    1FH
    11H
"""

from __future__ import annotations

import re

from cluewise.desks.mines.position import Position, Rectangle, Revealed, check
from cluewise.errors import BadNotation, CluewiseError, TooLarge

_HEAD = re.compile(r"(\d{1,6})\s*x\s*(\d{1,6})\s*x\s*(\d{1,6})", re.IGNORECASE | re.ASCII)
FORMAT = "JSMinesweeper .mine file"


def is_mine_file(text: str) -> bool:
    """Whether the text begins with a size and a number of mines, such as `30x16x99`."""
    head = next((line.strip() for line in text.splitlines() if line.strip()), "")
    return _HEAD.fullmatch(head) is not None


def read_mine_file(text: str) -> Position:
    """Return the game in a .mine file as a rectangle with its total.

    An exploded mine becomes a flag: it is known to be a mine. Raises BadNotation with the line
    and column of what breaks the format, TooLarge beyond the limit of cells.
    """
    (first, head), *rows = [
        (line, words.strip()) for line, words in enumerate(text.splitlines(), 1) if words.strip()
    ]
    width, height, total = (int(n) for n in re.findall(r"\d+", head))
    if len(rows) != height:
        message = f"This {FORMAT} has {len(rows)} rows; its first line says {height}."
        raise BadNotation(message, f"line {first}")
    for line, row in rows:
        bad = re.search(r"[^HF?0-8]", row, re.IGNORECASE)
        if bad:
            message = f"{bad[0]!r} is no cell of a {FORMAT}: H, F, ? or 0 to 8."
            raise BadNotation(message, f"line {line}, column {bad.start() + 1}")
        if len(row) != width:
            message = f"Cells in this row: {len(row)}; the first line of the {FORMAT} says {width}."
            raise BadNotation(message, f"line {line}")
    cells = "".join(row.upper() for _, row in rows)
    shown = tuple(Revealed(i, int(c)) for i, c in enumerate(cells) if c.isdigit())
    flags = tuple(i for i, c in enumerate(cells) if c in "F?")
    try:
        board = Rectangle("square", width, height, total=total)
        position = Position(board=board, revealed=shown, flags=flags)
        if not cells:
            raise BadNotation(f"This {FORMAT} has no cells.", f"line {first}")
        check(position)
    except TooLarge as problem:
        raise TooLarge(problem.message, f"line {first}") from None
    except CluewiseError as problem:
        number = re.match(r"\$\.revealed\[(\d+)\]", problem.where)
        y, x = divmod(shown[int(number[1])].cell, width) if number else (-1, 0)
        where = f"line {rows[y][0]}, column {x + 1}" if number else f"line {first}"
        raise BadNotation(problem.message, where) from None
    return position
