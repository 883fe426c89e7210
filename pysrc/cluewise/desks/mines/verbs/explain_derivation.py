"""The closure's derivation of a cell, spelled out step by step."""

from __future__ import annotations

from collections.abc import Sequence

from cluewise.core.work import Job
from cluewise.desks.mines.cell_names import clue_text, gives_text, join_names
from cluewise.desks.mines.engine.board import chosen, clue_name
from cluewise.desks.mines.engine.closure import (
    CAPPED,
    CLUE,
    EXACT,
    MEET,
    Cap,
    Derivation,
    open_closure,
)
from cluewise.desks.mines.engine.clues import asked_cells
from cluewise.desks.mines.position import Graph, Position
from cluewise.desks.mines.rating import Technique
from cluewise.desks.mines.results import Deduction, Inequality
from cluewise.errors import TooLarge

INEXACT_ROUNDS = 3
SMALL = Cap(most=400)
MEGABYTES = 4


def derived(
    position: Position, board: Graph, names: Sequence[str], cell: int
) -> Job[tuple[list[Deduction], Technique] | None]:
    """The steps by which the closure of those clues decides the cell; None if it does not.

    And what kind of argument they are together: one clue, a subset, a cross, a chain, or bounds.
    """
    for cap in (SMALL, CAPPED):
        rows = yield from _rows(position, board, names, cell, cap)
        if rows is not None:
            return derivation_steps(position, board, rows, cell, names), _kind(rows, cell)
    return None


def _kind(rows: Sequence[Derivation], cell: int) -> Technique:
    """The hardest step, or `chain` for several exact ones."""
    goal = _deciding(rows, cell)
    made = [rows[i] for i in ancestry(rows, goal) if rows[i].kind != CLUE]
    if not made:
        return "one"
    if any(_technique(rows, row) == "bounds" for row in made):
        return "bounds"
    return "chain" if len(made) > 1 else _technique(rows, made[0])


def _technique(rows: Sequence[Derivation], row: Derivation) -> Technique:
    """What kind of step makes a row."""
    if row.kind == CLUE:
        return "one"
    first, second = rows[row.first], rows[row.second]
    if row.kind != EXACT:
        exact = first.low == first.high and second.low == second.high and row.low == row.high
        if row.kind == MEET or not exact:
            return "bounds"
    inside = first.mask & ~second.mask == 0 or second.mask & ~first.mask == 0
    return "subset" if inside else "cross"


def _rows(
    position: Position, board: Graph, names: Sequence[str], cell: int, cap: Cap
) -> Job[list[Derivation] | None]:
    """The closure's log if those clues decide the cell, else None."""
    state, clues = chosen(position, names, board)
    try:
        with open_closure(board, state, clues, cap, MEGABYTES) as closure:
            if (yield from closure.step(INEXACT_ROUNDS, cell)):
                return closure.log()
    except TooLarge:
        pass
    return None


def _deciding(rows: Sequence[Derivation], cell: int) -> int:
    """The first row that decides the cell by itself."""
    return next(i for i, row in enumerate(rows) if row.mask >> cell & 1 and row.trivial)


def ancestry(rows: Sequence[Derivation], row: int) -> list[int]:
    """A row and all it was made from, parents first."""
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


def _names_of(position: Position, board: Graph, clue: int, flags: Sequence[int]) -> list[str]:
    """A clue and the flags among its cells, which it was reduced by."""
    name = clue_name(board, clue)
    cells = set(asked_cells(position, board, name))
    return [name, *(f"flag:{f}" for f in flags if f in cells)]


def derivation_steps(
    position: Position, board: Graph, rows: Sequence[Derivation], cell: int, names: Sequence[str]
) -> list[Deduction]:
    """The derivation of the row that decides a cell, as steps."""
    flags = [int(n[5:]) for n in names if n.startswith("flag:")]
    goal = _deciding(rows, cell)
    made: dict[int, int] = {}
    steps: list[Deduction] = []
    for i in ancestry(rows, goal):
        row = rows[i]
        if row.kind == CLUE and i != goal:
            continue
        parents = [i] if row.kind == CLUE else [row.first, row.second]
        sources: list[str | int] = []
        for parent in parents:
            if parent in made:
                sources.append(made[parent])
            else:
                sources += _names_of(position, board, rows[parent].first, flags)
        made[i] = len(steps)
        how = _technique(rows, row)
        steps.append(_step(position, board, row, list(dict.fromkeys(sources)), how))
    return steps


def _step(
    position: Position, board: Graph, row: Derivation, sources: list[str | int], how: Technique
) -> Deduction:
    inexact = row.low != row.high if row.kind in (MEET, CLUE) else row.kind != EXACT
    spoken = [
        clue_text(position, board, s) if isinstance(s, str) else f"step {s + 1}" for s in sources
    ]
    cells = row.cells
    gives = gives_text(position, cells, row.low, row.high)
    text = f"From {join_names(spoken)}: {gives}."
    return Deduction(
        "inexact" if inexact else "exact",
        sources,
        Inequality(list(cells), row.low, row.high),
        text,
        how,
        says=gives,
    )
