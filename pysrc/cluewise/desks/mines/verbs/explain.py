"""Why a cell is safe or a mine: the closure's derivation from few clues, else a contradiction.

Whatever is found is checked against complete search before it is handed out: the named clues
alone force the cell.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from cluewise.core.conflict import minimal
from cluewise.core.work import Job
from cluewise.desks.mines.engine.board import UNKNOWN, chosen, clue_name
from cluewise.desks.mines.engine.closure import (
    CAPPED,
    CLUE,
    EXACT,
    MEET,
    Cap,
    Row,
    closing,
)
from cluewise.desks.mines.engine.clues import answer, asked_cells
from cluewise.desks.mines.engine.search import searching
from cluewise.desks.mines.position import Graph, Position, clue_names, graph
from cluewise.desks.mines.results import Deduction, Explained, ExplainOptions, Inequality
from cluewise.desks.mines.words import CONTRADICTORY, cell_name, clue_text, gives_text, listed
from cluewise.errors import BadOption, Contradiction, TooLarge

INEXACT_ROUNDS = 3
SMALL = Cap(most=400)
MEGABYTES = 4


def explain(position: Position, options: ExplainOptions) -> Job[Explained]:
    """The clues and steps that decide a cell. Raises Contradiction if no layout fits.

    A flagged cell is explained as if its flag were not there.
    """
    board, cell = graph(position), options.cell
    if cell >= board.cells:
        raise BadOption(f"There is no cell {cell}.", "$.options.cell")
    if any(r.cell == cell for r in position.revealed):
        raise BadOption(f"Cell {cell} is open already.", "$.options.cell")
    names = [n for n in clue_names(position) if n != f"flag:{cell}"]
    value = yield from _verdict(position, board, names, cell)
    if value is None:
        return Explained("open", [], [])
    return (yield from because(position, board, names, cell, value))


def because(
    position: Position, board: Graph, names: Sequence[str], cell: int, value: int
) -> Job[Explained]:
    """The explanation of a cell that is known to be forced to `value` by the named clues."""
    verdict: Literal["safe", "mine"] = "mine" if value else "safe"
    derived = yield from _by_closure(position, board, names, cell)
    if derived is not None:
        clues, rows = derived
        return Explained(verdict, clues, spell_out(position, board, rows, cell, clues))

    def refuted(some: Sequence[str]) -> Job[bool]:
        return _possible(position, board, some, cell, 1 - value)

    clues = yield from minimal(_preferred(position, board, names, cell), refuted)
    clues = [n for n in names if n in set(clues)]
    return Explained(verdict, clues, [_contradiction(position, board, clues, cell, value)])


def _verdict(position: Position, board: Graph, names: Sequence[str], cell: int) -> Job[int | None]:
    """1 or 0 where the cell is forced, None where it is open."""
    state, clues = chosen(position, names, board)
    with searching(board, state, clues) as search:
        safe = yield from search.exists(cell, 0)
        mine = yield from search.exists(cell, 1)
    if not safe and not mine:
        raise Contradiction(CONTRADICTORY)
    return None if safe and mine else int(mine)


def _possible(
    position: Position, board: Graph, names: Sequence[str], cell: int, value: int
) -> Job[bool]:
    state, clues = chosen(position, names, board)
    if state[cell] != UNKNOWN:
        return False
    with searching(board, state, clues) as search:
        return (yield from search.exists(cell, value))


def _preferred(position: Position, board: Graph, names: Sequence[str], cell: int) -> list[str]:
    """Clues to keep first: few cells, near the cell. The last ones are dropped first."""
    distance = _distances(board, cell)

    def cost(name: str) -> tuple[int, int]:
        cells = asked_cells(position, board, name)
        nearest = min((distance[c] for c in cells), default=board.cells)
        return nearest * 4 + len(cells), names.index(name)

    return sorted(names, key=cost)


def _distances(board: Graph, cell: int) -> list[int]:
    far = [board.cells] * board.cells
    far[cell], ring, steps = 0, [cell], 0
    while ring:
        steps += 1
        ring = [n for c in ring for n in board.neighbours[c] if far[n] == board.cells]
        for n in ring:
            far[n] = steps
        ring = list(dict.fromkeys(ring))
    return far


# ---------------------------------------------------------------- the closure's way


def _by_closure(
    position: Position, board: Graph, names: Sequence[str], cell: int
) -> Job[tuple[list[str], list[Row]] | None]:
    """Few clues from which the closure decides the cell, and its log of them; None if it stops.

    The leaves of its derivation, less each one without which it still gets there. Under one cap
    throughout: what decides under one of them need not decide under the other.
    """
    for cap in (SMALL, CAPPED):
        rows = yield from _rows(position, board, names, cell, cap)
        if rows is not None:
            break
    else:
        return None
    clues = _leaves(position, board, rows, cell, names)
    for name in ("", *sorted(clues, key=lambda n: -len(asked_cells(position, board, n)))):
        fewer = [n for n in clues if n != name]
        found = yield from _rows(position, board, fewer, cell, cap)
        if found is not None:
            clues, rows = fewer, found
    return _leaves(position, board, rows, cell, clues), rows


def _rows(
    position: Position, board: Graph, names: Sequence[str], cell: int, cap: Cap
) -> Job[list[Row] | None]:
    """The closure's log if those clues decide the cell, else None."""
    state, clues = chosen(position, names, board)
    try:
        with closing(board, state, clues, cap, MEGABYTES) as closure:
            if (yield from closure.step(INEXACT_ROUNDS, cell)):
                return closure.log()
    except TooLarge:
        pass
    return None


def _deciding(rows: Sequence[Row], cell: int) -> int:
    """The first row that decides the cell by itself."""
    return next(i for i, row in enumerate(rows) if row.mask >> cell & 1 and row.trivial)


def ancestry(rows: Sequence[Row], row: int) -> list[int]:
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


def _leaves(
    position: Position, board: Graph, rows: Sequence[Row], cell: int, names: Sequence[str]
) -> list[str]:
    """Those of the named clues that the derivation of a cell begins with, in their order."""
    found: set[str] = set()
    for i in ancestry(rows, _deciding(rows, cell)):
        if rows[i].kind == CLUE:
            found.update(_names_of(position, board, rows[i].first, position.flags))
    return [n for n in clue_names(position) if n in found and n in names]


def _names_of(position: Position, board: Graph, clue: int, flags: Sequence[int]) -> list[str]:
    """A clue and the flags among its cells, which it was reduced by."""
    name = clue_name(board, clue)
    cells = set(asked_cells(position, board, name))
    return [name, *(f"flag:{f}" for f in flags if f in cells)]


def spell_out(
    position: Position, board: Graph, rows: Sequence[Row], cell: int, names: Sequence[str]
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
        steps.append(_step(position, board, row, list(dict.fromkeys(sources))))
    return steps


def _step(position: Position, board: Graph, row: Row, sources: list[str | int]) -> Deduction:
    inexact = row.low != row.high if row.kind in (MEET, CLUE) else row.kind != EXACT
    spoken = [
        clue_text(position, board, s) if isinstance(s, str) else f"step {s + 1}" for s in sources
    ]
    cells = row.cells
    gives = gives_text(position, cells, row.low, row.high)
    text = f"From {listed(spoken)}: {gives}."
    return Deduction(
        "inexact" if inexact else "exact",
        sources,
        Inequality(list(cells), row.low, row.high),
        text,
    )


# ---------------------------------------------------------------- by contradiction


def _contradiction(
    position: Position, board: Graph, clues: list[str], cell: int, value: int
) -> Deduction:
    name = cell_name(position, cell)
    supposed = "safe" if value else "a mine"
    chain = _chain(position, board, clues, cell, 1 - value)
    spoken = listed([clue_text(position, board, c) for c in clues]) if clues else "the open cells"
    text = f"Suppose {name} were {supposed}. {chain}Then {spoken} could not all hold."
    return Deduction("contradiction", list(clues), Inequality([cell], value, value), text)


def _chain(position: Position, board: Graph, clues: list[str], cell: int, value: int) -> str:
    """What the supposition makes of other cells, clue by clue, as far as that is plain."""
    state, _ = chosen(position, clues, board)
    known = {c: int(s == -3) for c, s in enumerate(state) if s != UNKNOWN}
    known[cell] = value
    counts = [(n, asked_cells(position, board, n)) for n in clues if not n.startswith("flag:")]
    said: list[str] = []
    for _ in range(6):
        found = _next_forced(position, board, counts, known)
        if found is None:
            break
        name, cells, mine = found
        known.update(dict.fromkeys(cells, mine))
        gives = gives_text(position, cells, mine * len(cells), mine * len(cells))
        said.append(f"by {clue_text(position, board, name)}, {gives}")
    return f"Then, {'; '.join(said)}. " if said else ""


def _next_forced(
    position: Position,
    board: Graph,
    counts: Sequence[tuple[str, tuple[int, ...]]],
    known: dict[int, int],
) -> tuple[str, list[int], int] | None:
    for name, cells in counts:
        left = [c for c in cells if c not in known]
        need = answer(position, board, name) - sum(known.get(c, 0) for c in cells)
        if left and need in (0, len(left)):
            return name, left, int(need > 0)
    return None
