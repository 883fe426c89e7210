"""Game ids of Simon Tatham's Solo: `3x3:a7_5b…`, block sizes and a run-length description."""

from __future__ import annotations

import re

from cluewise.desks.sudoku.constraints import Constraint
from cluewise.desks.sudoku.formats.characters import SIDES
from cluewise.desks.sudoku.formats.strings import read_string
from cluewise.desks.sudoku.position import SYMBOLS, Shape
from cluewise.errors import BadNotation

NAME = "Solo game id"
PATTERN = r"(?<![\w.:/])\d{1,2}(?:x\d{1,2}|j)[a-z\d]*(?:[:#]|%23|%3A)[^\s<>\"]+"
_ID = re.compile(r"(\d{1,2})(?:x(\d{1,2})|j)([a-z\d]*)([:#])(.+)")
_RUN = re.compile(r"[a-z]|\d+|_")
_COPY = "Read are plain ids and those with diagonals (x)."


def is_labelled_board(text: str) -> bool:
    """Return whether the text is no id but a size and a board, as `9x9:53..7…`."""
    found = _ID.fullmatch(text)
    if not found or not found[2] or found[4] == "#":
        return not found
    sides = [Shape(*SIDES[n]) for n in SIDES if n == len(found[5])]
    if not any(read_string(found[5], shape).board for shape in sides):
        return int(found[1]) * int(found[2]) > len(SYMBOLS)
    try:
        read_solo(text)
    except BadNotation:
        return True
    return False


def read_solo(text: str) -> tuple[str, Shape, list[Constraint]]:
    """Return the board of a game id, its box, and both diagonals if the id has an `x`.

    >>> read_solo("2x2:1a2d3f_4a")
    ('1.2....3......4.', Shape(rows=2, cols=2), [])

    Raises `BadNotation` that names the variant, or the character that is wrong.
    """
    found = _ID.fullmatch(text)
    if not found:
        raise BadNotation(f"“{text[:24]}” is not a Solo game id.")
    first, second, options, mark, description = found.groups()
    variants = re.sub(r"d[a-z]$|[rm]d?\d|a", "", options)  # difficulty and symmetry change nothing
    if description.startswith((":k:", "d:k:", ":d:k:")):
        raise BadNotation("This is a JSudoku killer string, not a Solo game id. It cannot be read.")
    for variant, name in (("k", "killer"), ("j", "jigsaw")):
        if variant in variants or (variant == "j" and not second):
            raise BadNotation(f"This Solo game id is of the {name} variant. {_COPY}")
    if variants not in ("", "x"):
        raise BadNotation(f"This Solo game id has unknown options: {options}. {_COPY}")
    if mark == "#":
        raise BadNotation(
            "This Solo game id (with #) is a random seed, from which only Solo makes the board. "
            "In Solo, copy the specific id (with a colon)."
        )
    shape = Shape(int(first), int(second))  # Solo counts bands of blocks last: height comes first
    if shape.cells not in SIDES or min(shape) < 2:
        raise BadNotation(f"Solo game id: blocks of {first}×{second} make no board here.")
    board = _board(description, len(text) - len(description), shape)
    rules = [Constraint("diagonal"), Constraint("antidiagonal")] if variants else []
    return board, shape, rules


def _board(description: str, before: int, shape: Shape) -> str:
    cells, at = "", 0
    while at < len(description):
        run = _RUN.match(description, at)
        value = int(run[0]) if run and run[0].isdecimal() else 0
        if not run or (run[0].isdecimal() and not 1 <= value <= shape.size):
            shown = run[0] if run else description[at]
            raise BadNotation(
                f"Solo game id: “{shown[:12]}” at character {before + at + 1} of the id is neither "
                f"a run of blanks (a to z) nor a number from 1 to {shape.size}."
            )
        if value:
            cells += SYMBOLS[value - 1]
        elif run[0] != "_":
            cells += "." * (ord(run[0]) - 96)
        at = run.end()
    if len(cells) != shape.cells:
        raise BadNotation(
            f"Solo game id: it describes {len(cells)} cells, and a {shape} board has {shape.cells}."
        )
    return cells
