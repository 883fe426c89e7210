"""The verb `views`: in how many ways a complete grid can be redrawn so that it obeys more rules."""

from __future__ import annotations

from typing import Literal, NamedTuple

from cluewise.core.desk import NoOptions
from cluewise.core.work import Job, Progress
from cluewise.desks.sudoku.constraints import words
from cluewise.desks.sudoku.position import NINE, Cells, Position, boards, is_complete, write_cells
from cluewise.desks.sudoku.results import View, Views
from cluewise.desks.sudoku.transform import Transform, from_map
from cluewise.errors import BadPosition
from cluewise.kernel import kernel
from cluewise.kernel.layouts import SUDOKU

CELLS, MAP = SUDOKU.CELLS, SUDOKU.MAP
Kind = Literal["diagonals", "windows", "disjoint", "antiknight", "antiking"]
# The standard maps that keep each rule: so many views are one way to choose its cells.
KEPT_BY: dict[Kind, int] = {
    "diagonals": 96, "windows": 128, "disjoint": 2592, "antiknight": 8, "antiking": 8,
}  # fmt: skip


class Redrawn(NamedTuple):
    """How many cell maps show a rule, the least string of these views, and what leads to it."""

    found: int
    least: Cells
    transform: Transform


def redraw(grid: Cells, kind: Kind) -> Redrawn:
    """The views of a complete 9×9 grid that obey a rule; `least` is undefined where none does."""
    with kernel().frame() as frame:
        board, best, at = frame.put(grid), frame.reserve(CELLS), frame.reserve(MAP)
        count = frame.call("sudoku_views", board, list(KEPT_BY).index(kind), best, at)
        transform = from_map(frame.get(at, "B", MAP).tobytes(), 9)
        return Redrawn(count, frame.get(best, "B", CELLS).tobytes(), transform)


def views(position: Position, options: NoOptions) -> Job[Views]:
    """What a grid can be: `{"views": [{"kind": "diagonals", "ways": 3, …}, …]}`.

    A view is one of the 3 359 232 cell maps; views that differ by a map that keeps the rule choose
    the same cells, so they are one way. Raises `BadPosition` unless there is one complete 9×9 grid.
    """
    (grid,) = boards(position, 1)
    if position.shape != NINE:
        raise BadPosition("Only 9×9 grids are redrawn.", "$.position.box")
    if not is_complete(grid):
        raise BadPosition("This question is about a complete grid.", "$.position.grids[0]")
    found = []
    for n, (kind, kept_by) in enumerate(KEPT_BY.items()):
        yield Progress(n, len(KEPT_BY), "views")
        one = redraw(grid, kind)
        ways, rest = divmod(one.found, kept_by)
        assert not rest, "the views of one way are as many as the maps that keep the rule"
        if ways:
            found.append(View(kind, ways, write_cells(one.least), one.transform))
        else:
            found.append(View(kind, 0, None, None))
    return Views(found, not_compared=words(position.constraints))
