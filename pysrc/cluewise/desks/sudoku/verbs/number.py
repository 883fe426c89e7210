"""The verb `number`: the place of a grid among all grids that are really different."""

from __future__ import annotations

from cluewise.core.desk import NoOptions
from cluewise.core.work import Job
from cluewise.desks.sudoku.constraints import words
from cluewise.desks.sudoku.engine import forms
from cluewise.desks.sudoku.engine.numbers import GRIDS, numbers
from cluewise.desks.sudoku.engine.solver import solutions
from cluewise.desks.sudoku.position import (
    NINE,
    Cells,
    Position,
    boards,
    is_complete,
    write_cells,
)
from cluewise.desks.sudoku.results import Numbered
from cluewise.errors import BadPosition

_LETTERS = "abcdefghijklmnopqrstuvwxyz"  # 26^7 is more than there are grids
_CODE = 7


def number(position: Position, options: NoOptions) -> Job[Numbered]:
    """The grid's rank in minlex order, from 1, and what belongs to its class.

    Two complete grids are the same board in disguise exactly if their numbers are equal; with
    `transform` the number gives the grid itself. A puzzle with one solution has the number of its
    solution, and is told from other puzzles of that grid by `carried`.
    """
    (cells,) = boards(position, 1)
    if position.shape != NINE:
        raise BadPosition("Only 9×9 grids have numbers.", "$.position.box")
    grid = cells if is_complete(cells) else (yield from _solution(cells))
    found = yield from numbers()
    least, maps = forms.minlex_maps(grid)
    carried = None if grid == cells else forms.carried_form(cells, grid)
    value = found.of(least)
    return Numbered(
        value, GRIDS, found.bands_of(grid), len(maps), code(value), write_cells(least),
        carried.transform if carried else maps[0],
        write_cells(carried.cells) if carried else "",
        words(position.constraints),
    )  # fmt: skip


def _solution(cells: Cells) -> Job[Cells]:
    solved = yield from solutions(cells, NINE)
    if solved.number != 1:
        why = "no solution" if solved.number == 0 else "several solutions"
        raise BadPosition(f"This board has {why}; the number belongs to one.", "$.position.grids")
    return solved.found[0]


def code(value: int) -> str:
    """A number in seven letters: `code(5472730538) == "rspzfgc"`."""
    text = ""
    for _ in range(_CODE):
        value, rest = divmod(value, len(_LETTERS))
        text = _LETTERS[rest] + text
    return text


def value_of(text: str) -> int | None:
    """The number that digits or seven letters stand for; None if it is neither.

    >>> value_of("RSPZFGC") == value_of("5 472 730 538") == 5472730538
    True
    """
    plain = "".join(text.split()).replace(",", "").lower()
    if plain.isdecimal():
        return int(plain[:20])
    if len(plain) != _CODE or any(c not in _LETTERS for c in plain):
        return None
    value = 0
    for c in plain:
        value = value * len(_LETTERS) + _LETTERS.index(c)
    return value
