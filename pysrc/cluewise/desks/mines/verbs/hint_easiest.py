"""The easiest deduction of a position: by crossings, else by the shortest sum."""

from __future__ import annotations

from collections.abc import Sequence

from cluewise.core.work import Job, Progress
from cluewise.desks.mines.engine.board import UNKNOWN, state
from cluewise.desks.mines.engine.ladder import easiest_derivation
from cluewise.desks.mines.position import Graph, Position, clue_names
from cluewise.desks.mines.rating import TECHNIQUES
from cluewise.desks.mines.results import Explained
from cluewise.desks.mines.verbs.explain import reasoning
from cluewise.desks.mines.verbs.explain_derivation import Easy, explained

FEWEST = 6  # cells to look at, however large the board
WORK = 40_000_000  # unknown cells · clues · cells to look at


def easiest(position: Position, board: Graph, values: Sequence[int]) -> Job[Easy]:
    """The easiest deduction; `values`: 0 or 1 for every forced cell (at least one)."""
    derived = yield from easiest_derivation(board, state(position))
    if derived is not None:
        found = explained(position, board, derived)
        return Easy(found, derived.length, derived.widest, derived.proved)
    return (yield from shortest_sum(position, board, values))


def count_of(found: Explained) -> int:
    """How many counts it rests on; flags are given."""
    return sum(not name.startswith("flag:") for name in found.clues)


def shortest_sum(position: Position, board: Graph, values: Sequence[int]) -> Job[Easy]:
    """The easiest argument where crossings decide nothing: least kind, then fewest counts.

    Every forced cell is tried, on large boards the first few of them. Proved where no cell has a
    smaller set of counts that decides it.
    """
    names = clue_names(position)
    forced = [c for c, value in enumerate(values) if value >= 0]
    work = max(1, state(position).count(UNKNOWN) * len(names))
    tried = forced[: max(FEWEST, WORK // work)]
    best: Explained | None = None
    proved, sums_from = len(tried) == len(forced), len(names)
    with reasoning(position, board, names) as reasons:
        for i, cell in enumerate(tried):
            below = count_of(best) if best is not None and best.technique == "sum" else None
            bounded = yield from reasons.by_sum(cell, values[cell], below)
            found, proved = bounded.explained, proved and bounded.proved
            sums_from = min(sums_from, bounded.sums_from)
            if found is not None and (best is None or _effort(found) < _effort(best)):
                best = found
            yield Progress(i + 1, len(tried), "comparing sums")
    assert best is not None
    proved = proved and best.technique == "sum" and sums_from >= count_of(best)
    return Easy(best, count_of(best), None, proved)


def _effort(found: Explained) -> tuple[int, int]:
    return TECHNIQUES.index(found.technique or "deeper"), count_of(found)
