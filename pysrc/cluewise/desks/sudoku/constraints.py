"""What a puzzle asks beyond rows, columns and boxes: diagonals, cages, moved regions and others.

>>> words([Constraint("diagonals"), Constraint("other", name="thermometers")])
['both diagonals', 'thermometers']

A constraint without `board` belongs to both boards of its position.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

import msgspec

from cluewise.errors import BadPosition

MOST = 1000
_LONGEST = 120
Kind = Literal[
    "house", "regions", "diagonals", "diagonal", "antidiagonal", "windows", "disjoint",
    "antiknight", "antiking", "nonconsecutive", "killer", "thermometer", "arrow", "palindrome",
    "renban", "even", "odd", "other",
]  # fmt: skip

_WORDS: dict[str, str] = {
    "house": "extra regions", "regions": "moved regions", "diagonals": "both diagonals",
    "diagonal": "the falling diagonal", "antidiagonal": "the rising diagonal",
    "windows": "windows", "disjoint": "disjoint groups", "antiknight": "antiknight",
    "antiking": "antiking", "nonconsecutive": "nonconsecutive neighbours",
    "killer": "killer cages", "thermometer": "thermometers", "arrow": "arrows",
    "palindrome": "palindromes", "renban": "renban lines", "even": "even cells",
    "odd": "odd cells",
}  # fmt: skip
_FEWEST = {"house": 1, "killer": 1, "thermometer": 2, "arrow": 2, "palindrome": 2, "renban": 1,
           "even": 1, "odd": 1}  # fmt: skip
_ANY_LENGTH = ("arrow", "palindrome", "even", "odd")


class Constraint(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """`Constraint("house", cells=(0, 10, 20))`: these cells hold different symbols.

    `killer` also has their `sum`; `regions` has one number a cell, row by row: cells of one number
    are a region, and the boxes do not count. A thermometer's cells rise from the first on, an
    arrow's first holds the sum of the others, a palindrome reads the same from both ends, a
    renban's cells hold neighbouring symbols in any order. `other` is known by its `name` alone.
    """

    kind: Kind
    """What is asked; house: its cells hold different symbols."""
    cells: tuple[int, ...] = ()
    """Cells from 0, row by row, of what has cells; for regions a number for each cell."""
    sum: int | None = None
    """What the cells of a killer cage add up to; null where no one says."""
    name: str = ""
    """What an `other` constraint is called."""
    board: Literal[0, 1] | None = None
    """0 or 1 if it belongs to one of two boards alone; null: to both."""


def check(constraints: Sequence[Constraint], rows: int, cols: int) -> None:
    """Raise `BadPosition` for a constraint that a board with such boxes cannot have."""
    if len(constraints) > MOST:
        raise BadPosition(
            f"A position has at most {MOST} constraints, not {len(constraints)}.", "$.constraints"
        )
    for i, one in enumerate(constraints):
        problem, field = _problem(one, rows * cols)
        if one.kind == "windows" and rows != cols:
            problem, field = _NO_WINDOWS, ".kind"
        if problem:
            raise BadPosition(problem, f"$.constraints[{i}]{field}")
    for board in (0, 1):
        if len({one.cells for one in of_board(constraints, board) if one.kind == "regions"}) > 1:
            raise BadPosition("A board is divided into regions in one way only.", "$.constraints")


_NO_WINDOWS = "“windows” needs square boxes, such as those of 4×4, 9×9 and 16×16 boards."


def _problem(one: Constraint, size: int) -> tuple[str, str]:
    cells, kind = one.cells, one.kind
    if kind not in (*_FEWEST, "regions", "other") and cells:
        return f"“{kind}” is about the whole board; it takes no cells.", ".cells"
    if kind == "regions":
        return _regions_problem(cells, size)
    if any(not 0 <= cell < size * size for cell in cells):
        return f"Cells of this board are numbered 0 to {size * size - 1}.", ".cells"
    if len(set(cells)) != len(cells):
        return "A cell stands here twice.", ".cells"
    least = _FEWEST.get(kind, 0)
    most = size * size if kind in _ANY_LENGTH else size
    if least and not least <= len(cells) <= most:
        return f"This constraint ({kind}) has {least} to {most} cells, not {len(cells)}.", ".cells"
    if kind == "other" and not 0 < len(one.name) <= _LONGEST:
        return f"Another constraint needs a name of 1 to {_LONGEST} characters.", ".name"
    return "", ""


def _regions_problem(cells: Sequence[int], size: int) -> tuple[str, str]:
    if len(cells) != size * size:
        return f"Regions take a number for each of {size * size} cells.", ".cells"
    counts = [cells.count(number) for number in set(cells)]
    if len(counts) != size or set(counts) != {size}:
        return f"There must be {size} regions of {size} cells each.", ".cells"
    return "", ""


def of_board(constraints: Iterable[Constraint], board: int) -> list[Constraint]:
    """The constraints of one board, as constraints of a position that has no other."""
    return [
        msgspec.structs.replace(one, board=None)
        for one in constraints
        if one.board in (None, board)
    ]


def words(constraints: Iterable[Constraint]) -> list[str]:
    """Each kind once, in the order of appearance, with its board where it is of one alone."""
    found: dict[str, set[int]] = {}
    for one in constraints:
        boards = {0, 1} if one.board is None else {one.board}
        found.setdefault(_WORDS.get(one.kind, one.name), set()).update(boards)
    where = (" (first board only)", " (second board only)", "")
    return [name + where[2 if len(b) == 2 else b.pop()] for name, b in found.items()]


def joined(first: Iterable[Constraint], second: Iterable[Constraint]) -> tuple[Constraint, ...]:
    """A position's constraints out of those of its two boards; shared ones belong to both."""
    one, two = list(dict.fromkeys(first)), list(dict.fromkeys(second))
    mine = [msgspec.structs.replace(c, board=None if c in two else 0) for c in one]
    return (*mine, *(msgspec.structs.replace(c, board=1) for c in two if c not in one))
