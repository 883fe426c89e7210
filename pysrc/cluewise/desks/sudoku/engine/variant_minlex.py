"""The minlex form of a board under the symmetries of its constraints, by breadth-first search.

The group is a stabiliser chain (`structures`). Level i has the partial images whose first i
cells are settled and least; each is extended by the transversal of cell i. Equal boards are merged
and counted, boards that an automorphism of the settled part takes to each other as well, so the
last level is the least form, and its count the order of the board's automorphism group.
Cost: the boards of a level times the orbits, at most 30 000 boards a level.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from math import prod
from operator import itemgetter
from typing import NamedTuple

from cluewise.core.work import Job, Progress
from cluewise.desks.sudoku.engine.minlex import Form, Least
from cluewise.desks.sudoku.engine.normal_form import Renaming
from cluewise.desks.sudoku.engine.structures import Structure, chain, find, orbit_of
from cluewise.desks.sudoku.engine.variants import (
    Board,
    digit_reversal,
    renamed,
    renaming,
    structure,
)
from cluewise.desks.sudoku.position import Cells, Shape
from cluewise.desks.sudoku.transform import apply, of_cells, sources
from cluewise.errors import TooLarge

_MOST_STATES = 30_000  # of a level
_MANY = 600  # states from which on equivalent ones are merged


class _State(NamedTuple):
    """A partial image: `labels[d]` is the new name of symbol d, 0 while no settled cell has it."""

    cells: Cells
    sources: tuple[int, ...]
    labels: tuple[int, ...]
    number: int
    parity: bool


def least_form(board: Board, shape: Shape, convention: Least) -> Job[Form]:
    """The least string of the board, or its least pattern of givens first and then its symbols.

    Raises `TooLarge` where more than 30 000 boards tie that no symmetry takes to each other.
    """
    symbols = renaming(shape, board)
    blank = structure(Board(bytes(shape.cells), board.constraints), shape, symbols)
    orbits = chain(blank, shape.cells).orbits
    patterns = convention == "pattern-first"
    states = _starts(board, shape, symbols)
    for i, orbit in enumerate(orbits):
        choices = [
            (s.cells[j] > 0 if patterns else _value(s, s.cells[j], symbols, shape.size), s, j)
            for s in states
            for j in orbit
        ]
        least = min(value for value, _, _ in choices)
        chosen = [(s, j) for value, s, j in choices if value == least]
        if len(chosen) > _MANY and len(orbit) > 1:
            chosen = _without_equivalent_choices(blank, chosen, i)
        states = _merge([_extend(s, orbit[j], i, least, patterns) for s, j in chosen])
        if len(states) > _MANY and prod(map(len, orbits[i + 1 :])) > _MANY:
            states = _without_equivalent(blank, states, i + 1)
        if len(states) > _MOST_STATES:
            raise TooLarge(_TOO_MANY)
        yield Progress(i + 1, shape.cells, "least form")
    if patterns:
        states = _least_symbols(states, symbols, shape)
    out = bytes(states[0].labels[d] for d in states[0].cells)
    cells = states[0].sources
    digits = renamed(cells, board.cells, out, shape)
    return Form(out, sum(s.number for s in states), of_cells(cells, digits, shape.size))


_TOO_MANY = (
    "This board leaves so many choices that its least form within its constraints would take too "
    "long. “Same or different” and the symmetries can be answered."
)


def _starts(board: Board, shape: Shape, symbols: Renaming) -> list[_State]:
    """The board, and its reversal if a symmetry of its constraints reverses the symbols."""
    labels = (0,) * (shape.size + 1)
    if symbols in ("sizes", "none"):
        labels = tuple(range(shape.size + 1))
    states = [_State(board.cells, tuple(range(shape.cells)), labels, 1, symbols == "parity")]
    back = digit_reversal(board, shape, symbols)
    if back:
        cells = apply(back, board.cells)
        states.append(_State(cells, sources(back), labels, 1, symbols == "parity"))
    return _merge(states)


def _value(state: _State, symbol: int, symbols: Renaming, size: int) -> int:
    """The new name of a symbol, or the least free one that it can get."""
    if not symbol or state.labels[symbol]:
        return state.labels[symbol]
    step = 2 if symbols == "parity" else 1
    names = range((symbol - 1) % step + 1, size + 1, step)
    return next(name for name in names if name not in state.labels)


def _extend(state: _State, image: list[int], at: int, value: int, patterns: bool) -> _State:
    """The state with cell `at` settled: permuted by a map, its symbol named `value`."""
    cells, origin, labels = state.cells, state.sources, state.labels
    if image[at] != at:  # else it is the identity
        image = image[: len(cells)]  # of all points only the cells
        cells = bytes([cells[j] for j in image])
        origin = tuple([origin[j] for j in image])
    if not patterns and value and not labels[cells[at]]:
        labels = tuple(value if d == cells[at] else x for d, x in enumerate(labels))
    return state._replace(cells=cells, sources=origin, labels=labels)


def _merge(states: list[_State]) -> list[_State]:
    """Merge equal boards and add their counts."""
    found: dict[tuple[Cells, tuple[int, ...]], _State] = {}
    for s in states:
        before = found.get((s.cells, s.labels))
        found[s.cells, s.labels] = before._replace(number=before.number + s.number) if before else s
    return list(found.values())


def _with_board(blank: Structure, state: _State, settled: int) -> Structure:
    """The graph of a board whose settled cells and named symbols are fixed."""
    links = list(blank.links)
    colours = [(1 << 40) + p if p < settled else c for p, c in enumerate(blank.colours)]
    for symbol in sorted(set(state.cells) - {0}):
        cells = [i for i, d in enumerate(state.cells) if d == symbol]
        for i in cells:
            links[i] = {**links[i], len(links): 0}
        links.append(dict.fromkeys(cells, 0))
        name = state.labels[symbol]
        colours.append((1 << 41) + (name or (1 << 40) + symbol % 2 * state.parity))
    return Structure(colours, links)


def _without_equivalent_choices(
    blank: Structure, choices: Sequence[tuple[_State, int]], settled: int
) -> list[tuple[_State, int]]:
    """One choice of each orbit of the automorphisms of its board, with the count of all."""
    found: list[tuple[_State, int]] = []
    for state, group in groupby(choices, key=itemgetter(0)):
        mine = [j for _, j in group]
        if len(mine) == 1:
            found.append((state, mine[0]))
            continue
        generators = _with_board(blank, state, settled).generators
        left = set(mine)
        for j in mine:
            if j in left:
                orbit = orbit_of(j, generators)
                found.append((state._replace(number=state.number * len(orbit)), j))
                left -= orbit
    return found


def _without_equivalent(blank: Structure, states: list[_State], settled: int) -> list[_State]:
    """One board of each isomorphism class, with the count of all."""
    found: dict[frozenset[tuple[int, int]], list[tuple[Structure, _State]]] = {}
    for s in states:
        one = _with_board(blank, s, settled)
        place, symbols = one.places, range(len(blank.colours), len(one.colours))
        key = frozenset((place[p], place[cell]) for p in symbols for cell in one.links[p])
        known = found.setdefault(key, [])
        for i, (other, before) in enumerate(known):
            if find(one, other):
                known[i] = other, before._replace(number=before.number + s.number)
                break
        else:
            known.append((one, s))
    return [s for known in found.values() for _, s in known]


def _least_symbols(states: list[_State], symbols: Renaming, shape: Shape) -> list[_State]:
    """Of boards with equal patterns those with the least symbols, named in order."""
    still = list(range(shape.cells))
    for at in range(shape.cells):
        values = [_value(s, s.cells[at], symbols, shape.size) for s in states]
        least = min(values)
        states = [
            _extend(s, still, at, least, False)
            for s, value in zip(states, values, strict=True)
            if value == least
        ]
    return states
