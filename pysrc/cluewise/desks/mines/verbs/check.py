"""Is a flag wrong? Yes or no, and never which."""

from __future__ import annotations

from cluewise.core.desk import NoOptions
from cluewise.core.work import Job
from cluewise.desks.mines.cell_names import CONTRADICTORY
from cluewise.desks.mines.engine.board import state
from cluewise.desks.mines.engine.cdcl import backbone, consistent
from cluewise.desks.mines.position import Position, graph
from cluewise.desks.mines.results import Checked
from cluewise.desks.mines.sealing import solution
from cluewise.errors import Contradiction


def check(position: Position, options: NoOptions) -> Job[Checked]:
    """Whether a flag is wrong, without saying which: by the solution where it is known.

    Without one, by the layouts that fit the clues, all flags together: `yes` where none of them
    has a mine under every flag, `no` where all have, else `unsure`.
    """
    known = solution(position)
    if known is not None:
        return Checked("no" if set(position.flags) <= set(known[0]) else "yes")
    if not position.flags:
        return Checked("no")
    board = graph(position)
    values = yield from backbone(board, state(position, ignore_flags=True))
    if values is None:
        raise Contradiction(CONTRADICTORY)
    if all(values[f] == 1 for f in position.flags):
        return Checked("no")
    fits = yield from consistent(board, state(position))
    return Checked("unsure" if fits else "yes")
