"""A hint by degrees."""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from cluewise.core.work import Job
from cluewise.desks.mines.engine.board import state
from cluewise.desks.mines.engine.closure import CAPPED, Closure, Row, closing
from cluewise.desks.mines.engine.search import backbone, consistent
from cluewise.desks.mines.position import Graph, Position, clue_names, graph
from cluewise.desks.mines.results import Explained, Hint, HintOptions
from cluewise.desks.mines.sealing import solution
from cluewise.desks.mines.verbs.explain import MEGABYTES, SMALL, ancestry, because
from cluewise.desks.mines.words import CONTRADICTORY
from cluewise.errors import Contradiction, TooLarge

TRIED = 6  # cells to look at for the contradiction with the fewest clues


def hint(position: Position, options: HintOptions) -> Job[Hint]:
    """The easiest move, told as far as asked for. Raises Contradiction if no layout fits.

    Nothing is built on a flag that is wrong: the answer then says that one is, and not which.
    """
    board, cells = graph(position), state(position)
    known = solution(position)
    if known is not None and not set(position.flags) <= set(known[0]):
        return Hint(options.degree, False, wrong_flag=True)
    values = yield from backbone(board, cells)
    if values is None:
        if position.flags and (yield from consistent(board, state(position, ignore_flags=True))):
            return Hint(options.degree, False, wrong_flag=True)
        raise Contradiction(CONTRADICTORY)
    forced = [c for c, value in enumerate(values) if value >= 0]
    if not forced or options.degree == 1:
        return Hint(options.degree, bool(forced))
    target = yield from _easiest(board, position)
    tried = [target] if target is not None else forced[:TRIED]
    found: list[tuple[int, int, Explained]] = []
    for cell in tried:
        told = yield from because(position, board, clue_names(position), cell, values[cell])
        found.append((len(told.clues), cell, told))
    _, _, told = min(found, key=lambda item: item[:2])
    return _tell(board, told, values, options.degree)


def _easiest(board: Graph, position: Position) -> Job[int | None]:
    """A cell that the closure decides first, from the fewest clues; None if it finds none."""
    for cap in (SMALL, CAPPED):
        try:
            with closing(board, state(position), None, cap, MEGABYTES) as closure:
                if (yield from closure.step(2)):
                    return _fewest(closure)
        except TooLarge:
            continue
    return None


def _fewest(closure: Closure) -> int:
    rows = closure.log()
    decided = [i for i, row in enumerate(rows) if row.trivial]
    best = min(decided, key=lambda i: (_weight(rows, i), i))
    return rows[best].cells[0]


def _weight(rows: Sequence[Row], row: int) -> tuple[int, int]:
    """Clues it rests on, and how many cells those clues have."""
    leaves = [rows[i] for i in ancestry(rows, row) if rows[i].kind == 0]
    return len(leaves), sum(leaf.size for leaf in leaves)


def _tell(board: Graph, told: Explained, values: array[int], degree: int) -> Hint:
    last = told.steps[-1]
    total = any(
        name.startswith("group:") and board.groups[int(name[6:])].kind == "total"
        for name in told.clues
    )
    return Hint(
        degree,
        True,
        cells=[c for c in last.gives.cells if values[c] >= 0],
        clues=told.clues if degree >= 3 else None,
        verdict=told.verdict if degree >= 4 and told.verdict != "open" else None,
        steps=told.steps if degree >= 4 else None,
        contradiction=last.stage == "contradiction" if degree >= 3 else None,
        uses_total=total if degree >= 3 else None,
    )
