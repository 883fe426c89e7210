"""The least form of a board within the symmetries of its constraints, breadth first.

The group comes as a stabiliser chain (`structures`): the first cell's orbit says what
may stand there, the second's what may stand next to it while the first stays, and so on. Cell by
cell only the least boards are kept, equal ones once with their number, so the last ones left are
the least form, and the number is that of the symmetries that leave it as it is.
"""

from __future__ import annotations

from typing import NamedTuple

from cluewise.core.work import Job, Progress
from cluewise.desks.sudoku.engine.meaning import Renaming
from cluewise.desks.sudoku.engine.minlex import Least
from cluewise.desks.sudoku.engine.structures import chain
from cluewise.desks.sudoku.engine.variants import (
    Board,
    Move,
    digit_reversal,
    moved,
    renamed,
    renaming,
    structure,
)
from cluewise.desks.sudoku.position import Cells, Shape
from cluewise.errors import TooLarge

_MOST = 30_000  # boards kept side by side


class Form(NamedTuple):
    """The least board, how many symmetries attain it, and a move that does."""

    cells: Cells
    ties: int
    move: Move


class _State(NamedTuple):
    """A board on its way: `labels[d]` is what symbol d became in the cells that are settled."""

    cells: Cells
    sources: tuple[int, ...]
    labels: tuple[int, ...]
    number: int


def least_form(board: Board, shape: Shape, convention: Least) -> Job[Form]:
    """The least string of the board, or its least pattern of givens first and then its symbols.

    Raises `TooLarge` where more than 30 000 boards tie.
    """
    symbols = renaming(shape, board)
    blank = structure(Board(bytes(shape.cells), board.constraints), shape, symbols)
    orbits = chain(blank, shape.cells).orbits
    patterns = convention == "pattern-first"
    states = _starts(board, shape, symbols)
    for i, orbit in enumerate(orbits):
        tried = [
            (s.cells[j] > 0 if patterns else _value(s, s.cells[j], symbols, shape.size), s, way)
            for s in states
            for j, way in orbit.items()
        ]
        least = min(value for value, _, _ in tried)
        kept = [_next(s, way, i, least, patterns) for value, s, way in tried if value == least]
        states = _merged(kept)
        if len(states) > _MOST:
            raise TooLarge(_TOO_MANY)
        yield Progress(i + 1, shape.cells, "least form")
    if patterns:
        states = _least_symbols(states, symbols, shape)
    out = bytes(states[0].labels[d] for d in states[0].cells)
    sources = states[0].sources
    digits = renamed(sources, board.cells, out, shape)
    return Form(out, sum(s.number for s in states), Move(sources, digits))


_TOO_MANY = (
    "This board leaves so many choices that its least form within its constraints would take too "
    "long. “Same or different” and the symmetries can be answered."
)


def _starts(board: Board, shape: Shape, symbols: Renaming) -> list[_State]:
    """The board as it is, and turned round if a symmetry of its constraints does that."""
    labels = (0,) * (shape.size + 1)
    if symbols in ("sizes", "none"):
        labels = tuple(range(shape.size + 1))
    states = [_State(board.cells, tuple(range(shape.cells)), labels, 1)]
    back = digit_reversal(board, shape, symbols)
    if back:
        states.append(_State(moved(back, board.cells), back.cells, labels, 1))
    return _merged(states)


def _value(state: _State, symbol: int, symbols: Renaming, size: int) -> int:
    """What a symbol is or would be called: the least name that is free to it."""
    if not symbol or state.labels[symbol]:
        return state.labels[symbol]
    step = 2 if symbols == "parity" else 1
    names = range((symbol - 1) % step + 1, size + 1, step)
    return next(name for name in names if name not in state.labels)


def _next(state: _State, way: list[int], at: int, value: int, patterns: bool) -> _State:
    way = way[: len(state.cells)]  # of all points only the cells
    cells = bytes([state.cells[j] for j in way])
    labels = state.labels
    if not patterns and value and not labels[cells[at]]:
        labels = tuple(value if d == cells[at] else x for d, x in enumerate(labels))
    return _State(cells, tuple([state.sources[j] for j in way]), labels, state.number)


def _merged(states: list[_State]) -> list[_State]:
    """Equal boards once, with their number."""
    found: dict[tuple[Cells, tuple[int, ...]], _State] = {}
    for s in states:
        before = found.get((s.cells, s.labels))
        found[s.cells, s.labels] = before._replace(number=before.number + s.number) if before else s
    return list(found.values())


def _least_symbols(states: list[_State], symbols: Renaming, shape: Shape) -> list[_State]:
    """Of boards with one pattern those with the least symbols, in their names."""
    still = list(range(shape.cells))
    for at in range(shape.cells):
        values = [_value(s, s.cells[at], symbols, shape.size) for s in states]
        least = min(values)
        states = [
            _next(s, still, at, least, False)
            for s, value in zip(states, values, strict=True)
            if value == least
        ]
    return states
