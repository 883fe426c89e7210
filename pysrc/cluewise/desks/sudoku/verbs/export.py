"""The verb `export`: boards as text or links of another program."""

from __future__ import annotations

from cluewise.core.work import Job
from cluewise.desks.sudoku.constraints import of_board, words
from cluewise.desks.sudoku.formats.write import CARRYING, write_text
from cluewise.desks.sudoku.position import Position
from cluewise.desks.sudoku.results import Exported, ExportOptions


def export(position: Position, options: ExportOptions) -> Job[Exported]:
    """The position's boards as text or links of another program."""
    yield from ()
    boards = [text.replace("0", ".") for text in position.grids]
    rules = [of_board(position.constraints, i) for i in range(len(boards))]
    text = write_text(boards, position.shape, options.notation, rules)
    carried = CARRYING.get(options.notation, frozenset())
    left = (c for c in position.constraints if c.kind not in carried)
    return Exported(text, words(left))
