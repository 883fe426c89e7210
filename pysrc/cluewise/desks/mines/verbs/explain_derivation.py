"""Steps of derivations: those of the closure and of the ladder, in sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

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
from cluewise.desks.mines.engine.ladder import Easiest, Fact
from cluewise.desks.mines.position import Graph, Position, clue_names
from cluewise.desks.mines.rating import Technique
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
    position: Position, board: Graph, names: Sequence[str], cell: int
) -> Job[tuple[list[Deduction], Technique] | None]:
    """Return the steps by which the closure of those clues decides the cell, and their technique.

    One clue, a subset, a cross, a chain, or bounds. None if the closure does not decide the cell.
    """
    for cap in (SMALL, CAPPED):
        rows = yield from _rows(position, board, names, cell, cap)
        if rows is not None:
            made = {i: _derived(rows, rows[i]) for i in ancestry(rows, _deciding(rows, cell))}
            flags = [int(n[5:]) for n in names if n.startswith("flag:")]
            return derivation_steps(position, board, made, flags), _kind(made)
    return None


def _kind(made: Mapping[int, Derived]) -> Technique:
    """Return the technique of a derivation: its hardest step, `chain` for several exact ones."""
    steps = [one.technique for one in made.values() if one.clue < 0]
    if "bounds" in steps:
        return "bounds"
    return "chain" if len(steps) > 1 else steps[0] if steps else "one"


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


def _rows(
    position: Position, board: Graph, names: Sequence[str], cell: int, cap: Cap
) -> Job[list[Derivation] | None]:
    """Return the log of the closure if those clues decide the cell, else None."""
    state, clues = state_of_clues(position, names, board)
    try:
        with open_closure(board, state, clues, cap, MEGABYTES) as closure:
            if (yield from closure.step(INEXACT_ROUNDS, cell)):
                return closure.log()
    except TooLarge:
        pass
    return None


def _deciding(rows: Sequence[Derivation], cell: int) -> int:
    """Return the first row that decides the cell by itself."""
    return next(i for i, row in enumerate(rows) if row.mask >> cell & 1 and row.trivial)


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
            cells = set(clue_cells(position, board, name))
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


def explained(position: Position, board: Graph, found: Easiest) -> Explained:
    """Return a derivation of the ladder as an explanation, with all flags of its counts."""
    flags = sorted(position.flags)
    made = {}
    for i, fact in enumerate(found.facts):
        technique = _ladder_technique(found.facts, fact)
        made[i] = Derived(
            fact.mask, *fact.limits, fact.clue, fact.parents, technique, technique == "bounds"
        )
    steps = derivation_steps(position, board, made, flags)
    used = {name for step in steps for name in step.from_}
    clues = [name for name in clue_names(position) if name in used]
    verdict: Literal["safe", "mine"] = "mine" if found.value else "safe"
    alone = sum(fact.clue >= 0 for fact in found.facts) == 1
    return Explained(verdict, clues, steps, found.technique, alone)


def _ladder_technique(facts: Sequence[Fact], fact: Fact) -> Technique:
    if fact.clue >= 0:
        return "one"
    if fact.side != LADDER_EXACT:
        return "bounds"
    return _crossing(*(facts[parent].mask for parent in fact.parents))
