"""The easiest deduction of a position: by crossings, else by the shortest sum."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from cluewise.core.work import Job, Progress
from cluewise.desks.mines.engine.board import UNKNOWN, state
from cluewise.desks.mines.engine.ladder import EXACT, Easiest, Fact, easiest_derivation
from cluewise.desks.mines.position import Graph, Position, clue_names
from cluewise.desks.mines.rating import TECHNIQUES, Technique
from cluewise.desks.mines.results import Explained
from cluewise.desks.mines.verbs.explain import reasoning
from cluewise.desks.mines.verbs.explain_derivation import Derived, derivation_steps

FEWEST = 6  # cells to look at, however large the board
WORK = 400_000  # unknown cells · clues · cells to look at


class Easy(NamedTuple):
    """The easiest deduction found; `proved`: none is easier.

    `widest`: cells of its widest set; None for bounds and what is harder.
    """

    found: Explained
    length: int
    widest: int | None
    proved: bool


def easiest(position: Position, board: Graph, values: Sequence[int]) -> Job[Easy]:
    """The easiest deduction; `values`: 0 or 1 for every forced cell (at least one)."""
    derived = yield from easiest_derivation(board, state(position))
    if derived is not None:
        found = _explained(position, board, derived)
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
    sizes: list[int] = []
    with reasoning(position, board, names) as reasons:
        for i, cell in enumerate(tried):
            found = yield from reasons.of(cell, values[cell], crossings=False)
            sizes.append(count_of(found) if found.smallest else 0)
            if best is None or _effort(found) < _effort(best):
                best = found
            yield Progress(i + 1, len(tried), "comparing sums")
    assert best is not None
    proved = len(tried) == len(forced) and best.technique == "sum" and min(sizes) >= count_of(best)
    return Easy(best, count_of(best), None, proved)


def _effort(found: Explained) -> tuple[int, int]:
    return TECHNIQUES.index(found.technique or "deeper"), count_of(found)


def _explained(position: Position, board: Graph, found: Easiest) -> Explained:
    """The derivation spelled out, with all flags that its counts have."""
    flags = sorted(position.flags)
    made = {}
    for i, fact in enumerate(found.facts):
        technique = _technique(found.facts, fact)
        made[i] = Derived(
            fact.mask, *fact.limits, fact.clue, fact.parents, technique, technique == "bounds"
        )
    steps = derivation_steps(position, board, made, flags)
    used = {name for step in steps for name in step.from_}
    clues = [name for name in clue_names(position) if name in used]
    verdict: Literal["safe", "mine"] = "mine" if found.value else "safe"
    alone = sum(fact.clue >= 0 for fact in found.facts) == 1
    return Explained(verdict, clues, steps, found.technique, alone)


def _technique(facts: Sequence[Fact], fact: Fact) -> Technique:
    if fact.clue >= 0:
        return "one"
    if fact.side != EXACT:
        return "bounds"
    first, second = (facts[parent].mask for parent in fact.parents)
    return "subset" if not first & ~second or not second & ~first else "cross"
