"""Steps of derivations: those of the closure and of the ladder, in sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

from cluewise.core.conflict import bit_indices
from cluewise.core.work import Job
from cluewise.desks.mines.cell_names import clue_text, gives_text, join_names
from cluewise.desks.mines.engine.board import clue_cells, clue_name, state_of_clues
from cluewise.desks.mines.engine.closure import (
    CAPPED,
    CLUE,
    EXACT,
    MEET,
    Cap,
    Derivation,
    open_closure,
)
from cluewise.desks.mines.engine.ladder import EXACT as LADDER_EXACT
from cluewise.desks.mines.engine.ladder import Easiest
from cluewise.desks.mines.position import Graph, Position, clue_names, graph
from cluewise.desks.mines.rating import Technique, verdict_of
from cluewise.desks.mines.results import Deduction, Explained, Inequality
from cluewise.errors import TooLarge

INEXACT_ROUNDS = 3
SMALL = Cap(most=400)
MEGABYTES = 4


class Easy(NamedTuple):
    """The easiest deduction; `proved`: none is easier.

    `widest`: the cells of its widest set; None for bounds and harder arguments.
    """

    found: Explained
    length: int
    widest: int | None
    proved: bool


def derived(
    position: Position, names: Sequence[str], cell: int
) -> Job[tuple[list[Deduction], Technique] | None]:
    """Return the steps by which the closure of those clues decides the cell, and their technique.

    One clue, a subset, a cross, a chain, or bounds. None if the closure does not decide the cell.
    """
    board, (state, clues) = graph(position), state_of_clues(position, names)
    for cap in (SMALL, CAPPED):
        with suppress(TooLarge), open_closure(board, state, clues, cap, MEGABYTES) as closure:
            if not (yield from closure.step(INEXACT_ROUNDS, cell)):
                continue
            rows = closure.log()
            goal = next(i for i, row in enumerate(rows) if row.mask >> cell & 1 and row.trivial)
            made = {i: _derived(rows, rows[i]) for i in ancestry(rows, goal)}
            flags = [int(n[5:]) for n in names if n.startswith("flag:")]
            crossings = [one.technique for one in made.values() if one.clue < 0]
            technique = crossings[0] if len(crossings) == 1 else "chain" if crossings else "one"
            technique = "bounds" if "bounds" in crossings else technique
            return derivation_steps(position, board, made, flags), technique
    return None


def _derived(rows: Sequence[Derivation], row: Derivation) -> Derived:
    inexact = row.low != row.high if row.kind in (MEET, CLUE) else row.kind != EXACT
    clue = row.first if row.kind == CLUE else -1
    technique = _technique(rows, row)
    parents = (row.first, row.second)
    return Derived(row.mask, row.low, row.high, clue, parents, technique, inexact)


def _technique(rows: Sequence[Derivation], row: Derivation) -> Technique:
    """Return the technique of the step that made a row."""
    if row.kind == CLUE:
        return "one"
    first, second = rows[row.first], rows[row.second]
    if row.kind != EXACT:
        exact = first.low == first.high and second.low == second.high and row.low == row.high
        if row.kind == MEET or not exact:
            return "bounds"
    return _crossing(first.mask, second.mask)


def _crossing(a: int, b: int) -> Technique:
    """Return `subset` if one set of cells is inside the other, else `cross`."""
    return "subset" if not a & ~b or not b & ~a else "cross"


def ancestry(rows: Sequence[Derivation], row: int) -> list[int]:
    """Return a row and all its ancestors, parents first."""
    seen: set[int] = set()
    stack = [row]
    while stack:
        at = stack.pop()
        if at in seen:
            continue
        seen.add(at)
        if rows[at].kind != CLUE:
            stack += [p for p in (rows[at].first, rows[at].second) if p >= 0]
    return sorted(seen)


class Derived(NamedTuple):
    """An inequality of a derivation: `low` to `high` mines in the cells of `mask`.

    `clue` is the clue's number if it is a count, else -1 and `parents` are earlier inequalities.
    """

    mask: int
    low: int
    high: int
    clue: int
    parents: tuple[int, ...]
    technique: Technique
    inexact: bool


def derivation_steps(
    position: Position, board: Graph, made: Mapping[int, Derived], flags: Sequence[int]
) -> list[Deduction]:
    """Return a derivation as steps; its last inequality decides a cell, counts are not steps.

    A count is named with the flags among its cells.
    """
    named: dict[int, list[str]] = {}
    for i, one in made.items():
        if one.clue >= 0:
            name = clue_name(board, one.clue)
            cells = set(clue_cells(board, name))
            named[i] = [name, *(f"flag:{f}" for f in flags if f in cells)]
    step_of: dict[int, int] = {}
    steps: list[Deduction] = []
    goal = max(made)
    for i, one in made.items():
        if i in named and i != goal:
            continue
        sources: list[str | int] = []
        for parent in (i,) if i in named else one.parents:
            sources += [step_of[parent]] if parent in step_of else named[parent]
        step_of[i] = len(steps)
        steps.append(_step(position, board, one, list(dict.fromkeys(sources))))
    return steps


def _step(position: Position, board: Graph, one: Derived, sources: list[str | int]) -> Deduction:
    spoken = [
        clue_text(position, board, s) if isinstance(s, str) else f"step {s + 1}" for s in sources
    ]
    cells = bit_indices(one.mask)
    gives = gives_text(position, cells, one.low, one.high)
    return Deduction(
        "inexact" if one.inexact else "exact",
        sources,
        Inequality(cells, one.low, one.high),
        f"From {join_names(spoken)}: {gives}.",
        one.technique,
        says=gives,
    )


def explained(position: Position, found: Easiest) -> Easy:
    """Return a derivation of the ladder as an explanation, with all flags of its counts."""
    made = {}
    for i, fact in enumerate(found.facts):
        technique: Technique = "one"
        if fact.clue < 0:
            masks = (found.facts[parent].mask for parent in fact.parents)
            technique = _crossing(*masks) if fact.side == LADDER_EXACT else "bounds"
        made[i] = Derived(
            fact.mask, *fact.limits, fact.clue, fact.parents, technique, technique == "bounds"
        )
    steps = derivation_steps(position, graph(position), made, sorted(position.flags))
    used = {name for step in steps for name in step.from_}
    clues = [name for name in clue_names(position) if name in used]
    alone = sum(fact.clue >= 0 for fact in found.facts) == 1
    reason = Explained(verdict_of(found.value), clues, steps, found.technique, alone)
    return Easy(reason, found.length, found.widest, found.proved)
