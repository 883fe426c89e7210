"""The easiest deduction of a position: by crossings, else by the shortest sum."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from cluewise.core.conflict import bit_indices
from cluewise.core.work import Job, Progress
from cluewise.desks.mines.cell_names import clue_text, gives_text, join_names
from cluewise.desks.mines.engine.board import UNKNOWN, clue_name, state
from cluewise.desks.mines.engine.clues import asked_cells
from cluewise.desks.mines.engine.ladder import EXACT, Easiest, Fact, easiest_derivation
from cluewise.desks.mines.position import Graph, Position, clue_names
from cluewise.desks.mines.rating import TECHNIQUES, Technique
from cluewise.desks.mines.results import Deduction, Explained, Inequality
from cluewise.desks.mines.verbs.explain import reasoning

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
    numbers = {i: clue_name(board, fact.clue) for i, fact in enumerate(found.facts)
               if fact.clue >= 0}  # fmt: skip
    named = {
        i: [name, *(f"flag:{f}" for f in flags if f in set(asked_cells(position, board, name)))]
        for i, name in numbers.items()
    }
    steps: list[Deduction] = []
    step_of: dict[int, int] = {}
    for i, fact in enumerate(found.facts):
        goal = i == len(found.facts) - 1
        if fact.clue >= 0 and not goal:
            continue
        parents = (i,) if fact.clue >= 0 else fact.parents
        sources: list[str | int] = []
        for parent in parents:
            sources += [step_of[parent]] if parent in step_of else named[parent]
        step_of[i] = len(steps)
        technique = _technique(found.facts, fact)
        steps.append(_step(position, board, fact, list(dict.fromkeys(sources)), technique))
    used = {name for names in named.values() for name in names}
    clues = [name for name in clue_names(position) if name in used]
    verdict: Literal["safe", "mine"] = "mine" if found.value else "safe"
    return Explained(verdict, clues, steps, found.technique, len(numbers) == 1)


def _technique(facts: Sequence[Fact], fact: Fact) -> Technique:
    if fact.clue >= 0:
        return "one"
    if fact.side != EXACT:
        return "bounds"
    first, second = (facts[parent].mask for parent in fact.parents)
    return "subset" if not first & ~second or not second & ~first else "cross"


def _step(
    position: Position, board: Graph, fact: Fact, sources: list[str | int], technique: Technique
) -> Deduction:
    spoken = [
        clue_text(position, board, s) if isinstance(s, str) else f"step {s + 1}" for s in sources
    ]
    cells, (low, high) = bit_indices(fact.mask), fact.limits
    gives = gives_text(position, cells, low, high)
    return Deduction(
        "inexact" if technique == "bounds" else "exact",
        sources,
        Inequality(cells, low, high),
        f"From {join_names(spoken)}: {gives}.",
        technique,
        says=gives,
    )
