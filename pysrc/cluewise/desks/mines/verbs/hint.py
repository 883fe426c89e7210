"""A hint by degrees."""

from __future__ import annotations

from array import array

import msgspec

from cluewise.core.work import Job
from cluewise.desks.mines.cell_names import CONTRADICTORY
from cluewise.desks.mines.engine.arrangements import is_arranged
from cluewise.desks.mines.engine.board import state
from cluewise.desks.mines.engine.cdcl import backbone
from cluewise.desks.mines.position import Graph, Position, graph
from cluewise.desks.mines.results import Hint, HintOptions
from cluewise.desks.mines.sealing import solution
from cluewise.desks.mines.verbs.explain_derivation import Easy
from cluewise.desks.mines.verbs.hint_arranged import easiest as easiest_arranged
from cluewise.desks.mines.verbs.hint_arranged import fits, forced
from cluewise.desks.mines.verbs.hint_easiest import easiest
from cluewise.errors import Contradiction


def hint(position: Position, options: HintOptions) -> Job[Hint]:
    """The easiest deduction, shown as far as asked for. Raises Contradiction if no layout fits.

    Nothing is built on a flag that is wrong: the answer then says that one is, and not which.
    """
    board, cells = graph(position), state(position)
    known = solution(position)
    if known is not None and not set(position.flags) <= set(known[0]):
        return Hint(options.degree, False, wrong_flag=True)
    arranged = is_arranged(position)
    if arranged:
        values = yield from forced(position)
    else:
        values = yield from backbone(board, cells)
    if values is None:
        plain = msgspec.structs.replace(position, flags=())
        if position.flags and (yield from fits(plain)):
            return Hint(options.degree, False, wrong_flag=True)
        raise Contradiction(CONTRADICTORY)
    decided = any(value >= 0 for value in values)
    if not decided or options.degree == 1:
        return Hint(options.degree, decided)
    if arranged:
        reason = yield from easiest_arranged(position, values)
    else:
        reason = yield from easiest(position, board, values)
    return _shown(board, reason, values, options.degree)


def _shown(board: Graph, easy: Easy, values: array[int], degree: int) -> Hint:
    reason = easy.found
    last = reason.steps[-1]
    total = any(
        name.startswith("group:") and board.groups[int(name[6:])].kind == "total"
        for name in reason.clues
    )
    return Hint(
        degree,
        True,
        cells=[c for c in last.gives.cells if values[c] >= 0],
        clues=reason.clues if degree >= 3 else None,
        verdict=reason.verdict if degree >= 4 and reason.verdict != "open" else None,
        steps=reason.steps if degree >= 4 else None,
        contradiction=last.stage == "contradiction" if degree >= 3 else None,
        uses_total=total if degree >= 3 else None,
        technique=reason.technique if degree >= 3 else None,
        length=easy.length if degree >= 3 else None,
        widest=easy.widest if degree >= 3 else None,
        proved=easy.proved,
    )
