"""The easiest deduction of a position: by crossings, else by the shortest sum."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from cluewise.core.work import Job, Progress
from cluewise.desks.mines.engine.board import UNKNOWN, clue_name, state
from cluewise.desks.mines.engine.clues import answer, asked_cells
from cluewise.desks.mines.engine.ladder import easiest_derivation
from cluewise.desks.mines.engine.least_sum import LeastSum, least_sum
from cluewise.desks.mines.engine.simplex import open_simplex
from cluewise.desks.mines.engine.techniques import Count, total_of
from cluewise.desks.mines.position import Graph, Position, clue_names
from cluewise.desks.mines.rating import TECHNIQUES
from cluewise.desks.mines.results import Explained
from cluewise.desks.mines.verbs.explain import reasoning
from cluewise.desks.mines.verbs.explain_derivation import Easy, explained
from cluewise.desks.mines.verbs.explain_steps import sum_step

FEWEST = 6  # cells to look at, however large the board
WORK = 40_000_000  # unknown cells · clues · cells to look at


def easiest(position: Position, board: Graph, values: Sequence[int]) -> Job[Easy]:
    """The easiest deduction; `values`: 0 or 1 for every forced cell (at least one)."""
    derived = yield from easiest_derivation(board, state(position))
    if derived is not None:
        found = explained(position, board, derived)
        return Easy(found, derived.length, derived.widest, derived.proved)
    return (yield from shortest_sum(position, board, values))


def shortest_sum(position: Position, board: Graph, values: Sequence[int]) -> Job[Easy]:
    """The easiest argument where crossings decide nothing: a sum of the fewest counts.

    Where no sum is found, the least kind, then the fewest counts, over the forced cells; on large
    boards over the first few of them.
    """
    cells, names = state(position), clue_names(position)
    with open_simplex(position) as sums:  # quicker than CDCL, which does not add up long counts
        yield from sums.fits((1 << len(sums.names)) - 1)
        mines = next(reversed(sums.layouts))
    found = yield from least_sum(board, cells, values, mines)
    if found is not None:
        summed = _summed(position, board, found, values[found.cell])
        return Easy(summed, len(found.weights), None, True)
    forced = [c for c, value in enumerate(values) if value >= 0]
    tried = forced[: max(FEWEST, WORK // max(1, cells.count(UNKNOWN) * len(names)))]
    reasons: list[Explained] = []
    with reasoning(position, board, names) as explainer:
        for i, cell in enumerate(tried):
            reasons.append((yield from explainer.by_sum(cell, values[cell])))
            yield Progress(i + 1, len(tried), "comparing arguments")
    best = min(reasons, key=_effort)
    return Easy(best, _effort(best)[1], None, False)


def _summed(position: Position, board: Graph, found: LeastSum, value: int) -> Explained:
    """The sum as an argument, with the flags that it does not count 0 times."""
    names = {clue: clue_name(board, clue) for clue in found.weights}
    flags, known = set(position.flags), {r.cell for r in position.revealed} | set(position.flags)
    counts: dict[int, Count] = {}
    often: Counter[int] = Counter()
    for clue, weight in found.weights.items():
        asked = asked_cells(position, board, names[clue])
        flagged = flags & set(asked)
        need = answer(position, board, names[clue]) - len(flagged)
        counts[clue] = Count(sum(1 << c for c in asked if c not in known), need)
        often.update(dict.fromkeys(flagged, weight))
    total = total_of(counts, found.weights)
    assert total.refutes(found.cell, 1 - value)
    used = [*names.values(), *(f"flag:{flag}" for flag, n in sorted(often.items()) if n)]
    step = sum_step(position, board, names, used, total, found.cell, value)
    return Explained("mine" if value else "safe", used, [step], "sum", False)


def _effort(found: Explained) -> tuple[int, int]:
    counts = sum(not name.startswith("flag:") for name in found.clues)
    return TECHNIQUES.index(found.technique or "deeper"), counts
