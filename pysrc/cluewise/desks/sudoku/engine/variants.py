"""Boards with constraints as coloured graphs: isomorphisms and automorphism groups.

A symmetry is a permutation of cells that preserves the normal form of the constraints, with a
renaming of symbols: any where all constraints are inequalities; within odd and within even symbols
where only parity counts; else the identity, or the reversal (1↔9, 2↔8, …), which reverses
thermometers and takes a cage's sum to its complement. The group is computed from the constraints,
so it may have elements that are no symmetries of plain sudoku.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from cluewise.desks.sudoku.constraints import Constraint
from cluewise.desks.sudoku.engine.normal_form import NormalForm, Renaming, normal_form_of
from cluewise.desks.sudoku.engine.structures import (
    Map,
    StabiliserChain,
    Structure,
    chain,
    find,
    keep_points,
)
from cluewise.desks.sudoku.position import Cells, Shape
from cluewise.desks.sudoku.transform import Transform, of_cells


class Board(NamedTuple):
    """A board and its constraints beyond rows, columns and boxes."""

    cells: Cells
    constraints: tuple[Constraint, ...]


def renaming(shape: Shape, *boards: Board) -> Renaming:
    """The renamings of symbols that the constraints of all these boards allow."""
    found = {normal_form_of(board.constraints, shape).renaming for board in boards}
    return next(one for one in _STRICTEST_FIRST if one in found)


_STRICTEST_FIRST: tuple[Renaming, ...] = ("sizes", "parity", "any")


def structure(board: Board, shape: Shape, symbols: Renaming) -> Structure:
    """The graph of a board: points for its cells, the groups of its normal form, its symbols."""
    return _structure(normal_form_of(board.constraints, shape), board.cells, symbols)


def _structure(meaning: NormalForm, cells: Cells, symbols: Renaming) -> Structure:
    links: list[dict[int, int]] = [{} for _ in cells]
    for (a, b), relation in meaning.relations.items():
        links[a][b] = _colour(relation)
    colours: list[int] = [0] * len(cells)
    for one in sorted(meaning.groups, key=repr):
        forms = [_point(links, colours, (one.kind, one.value), form) for form in one.forms]
        if len(forms) > 1:
            _point(links, colours, ("forms",), [(0, tuple(forms))])
    for s in range(1, meaning.size + 1):
        places = tuple(i for i, d in enumerate(cells) if d == s)
        if places:
            kind = {"any": 0, "parity": s % 2}.get(symbols, s)
            _point(links, colours, ("symbol", kind), [(0, places)])
    return Structure(colours, links)


def _point(
    links: list[dict[int, int]],
    colours: list[int],
    name: tuple[object, ...],
    roles: Iterable[tuple[int, Sequence[int]]],
) -> int:
    """Add a point with arcs to the points of its roles, and return its number."""
    mine: dict[int, int] = {}
    for role, points in roles:
        for point in points:
            mine[point] = links[point][len(links)] = _colour(("role", role))
    links.append(mine)
    colours.append(_colour(name))
    return len(links) - 1


_COLOURS: dict[tuple[object, ...], int] = {}


def _colour(name: tuple[object, ...]) -> int:
    return _COLOURS.setdefault(name, len(_COLOURS) + 1)


def _reversed_structure(board: Board, shape: Shape, symbols: Renaming) -> Structure | None:
    """The structure with the symbols' order reversed; None if the others include that renaming."""
    if not needs_digit_reversal(symbols, shape):
        return None
    meaning = normal_form_of(board.constraints, shape).reversed()
    return _structure(meaning, _reversed_cells(board.cells, shape), symbols)


def _reversed_cells(cells: Cells, shape: Shape) -> Cells:
    return bytes(shape.size + 1 - d if d else 0 for d in cells)


def needs_digit_reversal(symbols: Renaming, shape: Shape) -> bool:
    """Whether the reversal is not among the other renamings, so that it is searched for."""
    return symbols == "sizes" or (symbols == "parity" and shape.size % 2 == 0)


class SymmetryGroup(NamedTuple):
    """The symmetries of a board: the subgroup that does not reverse the symbols as a stabiliser
    chain, and a symmetry that does if there is one.
    """

    chain: StabiliserChain
    reversing: Map | None

    @property
    def order(self) -> int:
        """The order of the whole group."""
        return self.chain.order * (1 if self.reversing is None else 2)


def symmetry_group(board: Board, shape: Shape, symbols: Renaming) -> SymmetryGroup:
    """The symmetries of a board with its constraints; of a blank one, those of the constraints.

    Raises `TooLarge` where the search would take too long.
    """
    mine = structure(board, shape, symbols)
    back = _reversed_structure(board, shape, symbols)
    return SymmetryGroup(chain(mine, shape.cells), find(mine, back) if back else None)


def cell_maps(board: Board, shape: Shape) -> int:
    """The number of permutations of cells that preserve all constraints, whatever the givens."""
    blank = Board(bytes(shape.cells), board.constraints)
    symbols = renaming(shape, blank)
    here = structure(blank, shape, symbols)
    there = _reversed_structure(blank, shape, symbols)
    is_double = there is not None and here != there and find(here, there) is not None
    return chain(here, shape.cells).order * (1 + is_double)


def witness(a: Board, b: Board, shape: Shape, symbols: Renaming) -> Transform | None:
    """An isomorphism from the first board to the second with constraints; None if there is none."""
    there = structure(b, shape, symbols)
    mine = structure(a, shape, symbols)
    found = find(mine, there)
    if found:
        return move(keep_points(found, mine), a, b, shape)
    back = _reversed_structure(a, shape, symbols)
    found = find(back, there) if back else None
    if back is None or not found:
        return None
    plain = move(keep_points(found, back), Board(_reversed_cells(a.cells, shape), ()), b, shape)
    n = shape.size
    return replace(plain, digits=(0, *(plain.digits[n + 1 - d] for d in range(1, n + 1))))


def move(found: Map, a: Board, b: Board, shape: Shape) -> Transform:
    """A map of points as a transform, with the renaming that the givens imply."""
    cells = sources_of(found, shape)
    return of_cells(cells, renamed(cells, a.cells, b.cells, shape), shape.size)


def sources_of(found: Map, shape: Shape) -> tuple[int, ...]:
    """The source of every cell: the inverse of a map of points, on the cells."""
    cells = [0] * shape.cells
    for source, target in enumerate(found[: shape.cells]):
        cells[target] = source
    return tuple(cells)


def renamed(sources: Sequence[int], a: Cells, b: Cells, shape: Shape) -> tuple[int, ...]:
    """The renaming of symbols from a to b, whose cell i comes from cell `sources[i]` of a.

    A symbol that does not occur keeps its name where it can, else its parity.
    """
    digits: dict[int, int] = {0: 0}
    for target, source in enumerate(sources):
        digits[a[source]] = b[target]
    symbols = range(1, shape.size + 1)
    free = [d for d in symbols if d not in digits.values()]
    for d in [d for d in symbols if d not in digits and d in free]:
        digits[d] = d
        free.remove(d)
    for d in symbols:
        if d not in digits:
            digits[d] = next((x for x in free if (x - d) % 2 == 0), free[0])
            free.remove(digits[d])
    return tuple(digits[d] for d in range(shape.size + 1))


def digit_reversal(board: Board, shape: Shape, symbols: Renaming) -> Transform | None:
    """A symmetry of the constraints that reverses the symbols, whatever the givens."""
    blank = Board(bytes(shape.cells), board.constraints)
    there = _reversed_structure(blank, shape, symbols)
    if there is None:
        return None
    found = find(structure(blank, shape, symbols), there)
    backwards = (0, *range(shape.size, 0, -1))
    return None if found is None else of_cells(sources_of(found, shape), backwards, shape.size)
