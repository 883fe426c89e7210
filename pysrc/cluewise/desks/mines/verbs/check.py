"""Is a flag wrong? Yes or no, and never which."""

from __future__ import annotations

import msgspec

from cluewise.core.desk import NoOptions
from cluewise.core.work import Job
from cluewise.desks.mines.cell_names import CONTRADICTORY
from cluewise.desks.mines.position import Position
from cluewise.desks.mines.results import Checked
from cluewise.desks.mines.sealing import solution
from cluewise.desks.mines.verbs.hint_arranged import fits, forced
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
    values = yield from forced(msgspec.structs.replace(position, flags=()))
    if values is None:
        raise Contradiction(CONTRADICTORY)
    if all(values[f] == 1 for f in position.flags):
        return Checked("no")
    return Checked("unsure" if (yield from fits(position)) else "yes")
