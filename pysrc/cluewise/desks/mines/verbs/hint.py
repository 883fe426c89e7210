"""Hints in four degrees, from whether there is a deduction to its full argument."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from cluewise.core.work import Job, Progress
from cluewise.desks.mines.cell_names import CONTRADICTORY
from cluewise.desks.mines.engine.arrangements import is_arranged
from cluewise.desks.mines.engine.board import UNKNOWN, clue_cells, clue_count, clue_name, state
from cluewise.desks.mines.engine.cdcl import backbone
from cluewise.desks.mines.engine.ladder import LeastSum, easiest_derivation, least_sum
from cluewise.desks.mines.engine.simplex import open_oracle
from cluewise.desks.mines.engine.techniques import Count, total_of
from cluewise.desks.mines.position import Graph, Position, clue_names, graph
from cluewise.desks.mines.rating import TECHNIQUES, verdict_of
from cluewise.desks.mines.results import Explained, Hint, HintOptions
from cluewise.desks.mines.sealing import solution
from cluewise.desks.mines.verbs.explain import reasoning
from cluewise.desks.mines.verbs.explain_derivation import Easy, explained
from cluewise.desks.mines.verbs.explain_steps import sum_step
from cluewise.desks.mines.verbs.hint_arranged import easiest as easiest_arranged
from cluewise.desks.mines.verbs.hint_arranged import fits, forced
from cluewise.errors import Contradiction

FEWEST = 6  # cells to explain at least
WORK = 40_000_000  # unknown cells · clues · cells to explain


def hint(position: Position, options: HintOptions) -> Job[Hint]:
    """Return the easiest deduction up to the requested degree.

    If a flag is wrong, the result has only `wrong_flag`. Raises Contradiction if no layout fits.
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
        easy = yield from easiest_arranged(position, values)
    else:
        derived = yield from easiest_derivation(board, cells)
        easy = explained(position, derived) if derived else (
            yield from shortest_sum(position, board, values)
        )  # fmt: skip
    degree, reason = options.degree, easy.found
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


def shortest_sum(position: Position, board: Graph, values: Sequence[int]) -> Job[Easy]:
    """Return the easiest argument if crossings decide nothing: a sum of the fewest counts.

    `values`: 0 or 1 for every forced cell, of which there is at least one. If no sum is found, the
    easiest kind, then the fewest counts, of all forced cells; on large boards of the first few.
    """
    cells, names = state(position), clue_names(position)
    with open_oracle(position) as oracle:  # quicker than CDCL, which does not add up long counts
        yield from oracle.fits((1 << len(oracle.names)) - 1)
        mines = next(reversed(oracle.layouts))
    found = yield from least_sum(board, cells, values, mines)
    if found is not None:
        summed = _summed(position, board, found, values[found.cell])
        return Easy(summed, len(found.weights), None, True)
    forced = [c for c, value in enumerate(values) if value >= 0]
    tried = forced[: max(FEWEST, WORK // max(1, cells.count(UNKNOWN) * len(names)))]
    reasons: list[Explained] = []
    with reasoning(position, names) as explainer:
        for i, cell in enumerate(tried):
            reasons.append((yield from explainer.of(cell, values[cell], crossings=False)))
            yield Progress(i + 1, len(tried), "comparing arguments")
    best = min(reasons, key=_effort)
    return Easy(best, _effort(best)[1], None, False)


def _summed(position: Position, board: Graph, found: LeastSum, value: int) -> Explained:
    """Return the sum as an argument, with the flags whose total weight in it is not 0."""
    flags, opened = set(position.flags), {r.cell for r in position.revealed}
    weights = {clue_name(board, clue): weight for clue, weight in found.weights.items()}
    counts: dict[str, Count] = {}
    for name in weights:
        cells = set(clue_cells(board, name))
        need = clue_count(position, board, name) - len(cells & flags)
        counts[name] = Count(sum(1 << c for c in cells - flags - opened), need)
    total = total_of(counts, weights)
    assert total.refutes(found.cell, 1 - value)
    step = sum_step(position, board, total, found.cell, value)
    used = [name for name in step.from_ if isinstance(name, str)]
    return Explained(verdict_of(value), used, [step], "sum", False)


def _effort(found: Explained) -> tuple[int, int]:
    counts = sum(not name.startswith("flag:") for name in found.clues)
    return TECHNIQUES.index(found.technique or "deeper"), counts
