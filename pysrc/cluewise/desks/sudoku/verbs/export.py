"""The verb `export`: boards as text or links of another program."""

from __future__ import annotations

from cluewise.core.work import Job
from cluewise.desks.sudoku.constraints import words
from cluewise.desks.sudoku.formats.write import write_text
from cluewise.desks.sudoku.position import Position
from cluewise.desks.sudoku.results import Exported, ExportOptions


def export(position: Position, options: ExportOptions) -> Job[Exported]:
    """The position's boards as text or links of another program."""
    yield from ()
    boards = [text.replace("0", ".") for text in position.grids]
    text = write_text(boards, position.shape, options.notation)
    return Exported(text, words(position.constraints))
