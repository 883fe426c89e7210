"""Solves boards with constraints, and finds implied houses: propagation and search in the kernel.

>>> from cluewise.core.work import finish
>>> rules = [Constraint("diagonals")]
>>> finish(solve_variant(bytes((1, 2, *[0] * 14)), rules, Shape(2, 2))).number
2
>>> finish(implied_houses([Constraint("windows")], Shape(2, 2)))
((0, 3, 12, 15), (1, 2, 13, 14), (4, 7, 8, 11))
"""

from __future__ import annotations

import random
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from math import lcm
from typing import TypeAlias

from cluewise.core.work import Job, Progress
from cluewise.desks.sudoku.constraints import Constraint
from cluewise.desks.sudoku.engine.primitives import (
    all_relations,
    allowed_symbols,
    combine,
    equations,
    relations,
    whole_lines,
)
from cluewise.desks.sudoku.engine.solver import Solutions, run_search
from cluewise.desks.sudoku.houses import houses, pairs
from cluewise.desks.sudoku.position import Cells, Shape
from cluewise.errors import TooLarge
from cluewise.kernel import kernel
from cluewise.kernel.layouts import SUDOKU

LARGEST = 16  # symbols
_DIFFER, _TABLE, _SET, _LINEAR, _RUN, _BETWEEN, _CONTAINS, _LINE = range(1, 9)
_LISTED = 9  # symbols up to which the sets of a cage are listed
_LINE_KINDS = ("sandwich", "xsum", "skyscraper")
_ROOM_FOR_LINES = 24 << 20
_MOST_CELLS = 96


def solve_variant(
    cells: Cells, rules: Sequence[Constraint], shape: Shape, limit: int = 2
) -> Job[Solutions]:
    """A job: the solutions, at most `limit` (up to 10 000); `other` rules are ignored.

    Raises `TooLarge` for boards of more than 16 symbols and for lines with too many fillings.
    """
    found = yield from solve_variant_within(cells, rules, shape, None, limit)
    assert found is not None, "without a limit on nodes there is an answer"
    return found


def solve_variant_within(
    cells: Cells,
    rules: Sequence[Constraint],
    shape: Shape,
    most_nodes: int | None,
    limit: int = 2,
) -> Job[Solutions | None]:
    """`solve_variant`, or None if that takes more than `most_nodes` nodes of the search."""
    if shape.size > LARGEST:
        raise TooLarge(f"Boards with constraints are solved up to {LARGEST} symbols.")
    if any(len(one.cells) > _MOST_CELLS for one in rules if one.kind != "regions"):
        raise TooLarge(f"Constraints of more than {_MOST_CELLS} cells are not solved.")
    domains, code = _domains(cells, rules, shape), _compile(tuple(rules), shape)
    has_lines = any(one.kind in _LINE_KINDS for one in rules)
    room = SUDOKU.VARIANT_WORK + _ROOM_FOR_LINES * has_lines
    return (yield from _search(shape.size, domains, code, limit, most_nodes, room))


def _search(
    size: int, domains: array[int], code: array[int], limit: int, most_nodes: int | None, room: int
) -> Job[Solutions | None]:
    count = size * size
    with kernel().frame() as frame:
        source, found = frame.put(domains.tobytes()), frame.reserve(limit * count)
        stream, work = frame.put(code.tobytes()), frame.reserve(room)
        frame.call("sudoku_variant_begin", size, source, stream, len(code), limit, work, room)
        number = yield from run_search("sudoku_variant_run", work, found, most_nodes)
        if number is None:
            return None
        data = frame.get(found, "B", number * count).tobytes()
    return Solutions(number, [data[i * count : (i + 1) * count] for i in range(number)])


def find_random_solution(
    rules: Sequence[Constraint], shape: Shape, rng: random.Random, most_nodes: int
) -> Job[Cells | None]:
    """A job: a random grid that obeys the rules, not with equal chances; None if there is none.

    Random givens are added, each only if it leaves a solution that is found within `most_nodes`
    nodes, until there is one solution. Raises `TooLarge` if the search for a first solution takes
    100 times as many.
    """
    board = bytearray(shape.cells)
    found = yield from solve_variant_within(bytes(board), rules, shape, 100 * most_nodes, 1)
    if found is None:
        raise TooLarge("A grid that obeys these constraints takes too long to find.")
    if found.number == 0:
        return None
    grid = found.found[0]
    for done, cell in enumerate(rng.sample(range(shape.cells), shape.cells)):
        for value in rng.sample(range(1, shape.size + 1), shape.size):
            board[cell] = value
            more = yield from solve_variant_within(bytes(board), rules, shape, most_nodes)
            if more and more.number:
                if more.number == 1:
                    return more.found[0]
                grid = more.found[0]
                break
            board[cell] = 0
        yield Progress(done, shape.cells, "random grid")
    return grid


@lru_cache(maxsize=8)
def _compile(rules: tuple[Constraint, ...], shape: Shape) -> array[int]:
    return array("i", _code(rules, shape))


def _domains(cells: Cells, rules: Sequence[Constraint], shape: Shape) -> array[int]:
    every = (1 << shape.size) - 1
    found = [1 << value - 1 if value else every for value in cells]
    for cell, some in allowed_symbols(rules, shape.size):
        found[cell] &= sum(1 << symbol - 1 for symbol in some)
    for one in rules:
        if one.kind == "thermometer":
            longest = len(one.cells)
            for i, cell in enumerate(one.cells):
                found[cell] &= every >> i << i & every >> longest - 1 - i
    for a, b, table in relations(rules, shape):
        if a == b:  # a line that meets itself
            found[a] &= sum(1 << x for x, row in enumerate(table) if row >> x & 1)
    return array("I", found)


def _code(rules: Sequence[Constraint], shape: Shape) -> Iterator[int]:
    """The rules as the kernel reads them (see `sudoku_variant_begin`)."""
    n = shape.size
    inside: set[tuple[int, int]] = set()
    for house in {tuple(sorted(house.cells)) for house in houses(rules, *shape)}:
        yield from (_DIFFER, len(house), 0, *house)
        inside.update(combinations(house, 2))
    for pair in sorted(pairs(rules, *shape).keys() - inside):
        yield from (_DIFFER, 2, 0, *pair)
    for (a, b), table in sorted(combine(all_relations(rules, shape)).items()):
        yield from (_TABLE, 2, 0, a, b, *table)
    for equation in equations(rules, shape):
        terms = equation.factors
        if len(terms) > 2:
            yield from (_LINEAR, len(terms), equation.total, *terms, *terms.values())
        elif not terms and equation.total:  # 0 = total: no solution
            yield from (_SET, 1, n + 1, 0) if n <= _LISTED else (_LINEAR, 1, n + 1, 0, 1)
    for one in rules:
        yield from _group(one, n)
    for line in whole_lines(rules):
        yield from (_LINE, n, _LINE_KINDS.index(line.kind), line.value, *line.cells)


def _group(one: Constraint, n: int) -> Iterator[int]:
    k = len(one.cells)
    if one.kind == "killer" and one.sum is not None and n <= _LISTED:
        yield from (_SET, k, one.sum, *one.cells)
    elif one.kind == "renban" and k > 1:
        yield from (_RUN, k, 0, *one.cells)
    elif one.kind == "between":
        yield from (_BETWEEN, k, 0, *one.cells)
    elif one.kind == "quadruple":
        yield from (_CONTAINS, k, len(one.values), *one.cells, *sorted(one.values))


# -- implied houses: 0/1 vectors in the linear span of the stated houses ---------------------------
#
# A house is a set of n cells that holds every symbol once. As 0/1 vectors over the cells, houses
# obey linear equations (for every symbol d, the number of d in a house is 1), so a 0/1 vector with
# n ones in the linear span of the stated houses is a house of every solution. A vector of the span
# is determined by its values on the pivot cells of the reduced basis, each 0 or 1: the search of
# the solver finds all of them.

HouseCells: TypeAlias = tuple[int, ...]
_MOST_IMPLIED_NODES = 400_000
_MOST_CACHED = 64
_IMPLIED: dict[tuple[frozenset[HouseCells], int], tuple[HouseCells, ...]] = {}


def stated_houses(rules: Iterable[Constraint], shape: Shape) -> set[HouseCells]:
    """The stated houses, each with its cells ascending: all sets of n cells that must differ."""
    found = (tuple(sorted(house.cells)) for house in houses(rules, *shape))
    return {cells for cells in found if len(cells) == shape.size}


def implied_houses(rules: Iterable[Constraint], shape: Shape) -> Job[tuple[HouseCells, ...]]:
    """A job: the implied houses that are not stated, ascending.

    Raises `TooLarge` where the search takes more than 400 000 nodes, and for boards above 16×16
    with houses other than rows, columns and boxes.
    """
    stated = stated_houses(rules, shape)
    if stated == stated_houses((), shape):
        return ()  # rows, columns and boxes alone imply no other house
    key = frozenset(stated), shape.size
    if key not in _IMPLIED:
        found = yield from _closure(sorted(stated), shape.size)
        while len(_IMPLIED) >= _MOST_CACHED:
            del _IMPLIED[next(iter(_IMPLIED))]
        _IMPLIED[key] = tuple(sorted(found - stated))
    return _IMPLIED[key]


def _closure(stated: Sequence[HouseCells], size: int) -> Job[set[HouseCells]]:
    """All 0/1 vectors with `size` ones in the span of the stated houses.

    Unknowns of the search are 1 for a cell outside and 2 for a cell inside. A cell that is no pivot
    is determined by the pivots; the last equation counts the ones.
    """
    rows = _reduced(stated)
    one = lcm(*(x.denominator for row in rows.values() for x in row.values()))
    by_cell: dict[int, dict[int, int]] = {cell: {cell: -one} for cell in range(size * size)}
    ones: dict[int, int] = {}
    for pivot, row in rows.items():
        ones[pivot] = int(sum(row.values()) * one)
        for cell, x in row.items():
            by_cell[cell][pivot] = int(x * one)
    sums = [(terms, sum(terms.values())) for cell, terms in by_cell.items() if cell not in rows]
    sums.append((ones, size * one + sum(ones.values())))
    found = yield from _solve_linear(size, array("I", [3] * size * size), sums, _MOST_IMPLIED_NODES)
    if found is None:
        raise TooLarge("This board is too large to look for its implied houses.")
    return {tuple(i for i, value in enumerate(board) if value == 2) for board in found.found}


def _solve_linear(
    size: int, domains: array[int], sums: Sequence[tuple[Mapping[int, int], int]], most_nodes: int
) -> Job[Solutions | None]:
    """A job: all solutions of linear equations, None beyond `most_nodes` nodes or 10 000 solutions.

    There are `size`² unknowns with values in their domains (masks of 1 to `size`); an equation is
    the factors of its unknowns and the total. Raises `TooLarge` for more than 16² unknowns or 96
    terms of an equation.
    """
    if size > LARGEST or any(len(factors) > _MOST_CELLS for factors, _ in sums):
        raise TooLarge("There are too many unknowns for the search.")
    code = array("i")
    for factors, total in sums:
        code.extend((_LINEAR, len(factors), total, *factors, *factors.values()))
    limit = SUDOKU.MOST_SOLUTIONS
    found = yield from _search(size, domains, code, limit, most_nodes, SUDOKU.VARIANT_WORK)
    return None if found is None or found.number == limit else found


def _reduced(vectors: Iterable[HouseCells]) -> dict[int, dict[int, Fraction]]:
    """The reduced row echelon form of 0/1 vectors, given by their ones: rows by their pivots."""
    rows: dict[int, dict[int, Fraction]] = {}
    for cells in vectors:
        mine = dict.fromkeys(cells, Fraction(1))
        for pivot in [cell for cell in cells if cell in rows]:
            _subtract(mine, rows[pivot], mine.get(pivot, Fraction(0)))
        if not mine:
            continue
        pivot = min(mine)
        mine = {cell: x / mine[pivot] for cell, x in mine.items()}
        for other in rows.values():
            _subtract(other, mine, other.get(pivot, Fraction(0)))
        rows[pivot] = mine
    return rows


def _subtract(target: dict[int, Fraction], row: dict[int, Fraction], factor: Fraction) -> None:
    if not factor:
        return
    for cell, x in row.items():
        target[cell] = target.get(cell, Fraction(0)) - factor * x
        if not target[cell]:
            del target[cell]
