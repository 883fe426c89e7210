"""Decomposition of constraints into primitives: order and equality of two cells, tables of allowed
pairs, domains of single cells, linear equations, clued lines.

>>> [(a, b) for a, b, table in relations([Constraint("difference", (0, 1))], Shape(2, 2))]
[(0, 1)]

The normal form compares primitives, the solver propagates them. Symbols of tables count from 0: bit
y of entry x is set if x + 1 and y + 1 are allowed in the first and in the second cell.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import combinations, groupby, pairwise
from typing import NamedTuple, TypeAlias

from cluewise.desks.sudoku.constraints import Constraint
from cluewise.desks.sudoku.houses import find_moves, region_numbers
from cluewise.desks.sudoku.position import Shape

Pair: TypeAlias = tuple[int, int]
Table: TypeAlias = tuple[int, ...]
Relation: TypeAlias = tuple[int, int, Table]  # two cells and their allowed pairs
_NEIGHBOURS = ((0, 1), (1, 0))


class Equation(NamedTuple):
    """The sum of factor times symbol over the cells is `total`."""

    factors: dict[int, int]
    total: int


class WholeLine(NamedTuple):
    """A row or column in the direction in which its clue reads it."""

    kind: str
    cells: tuple[int, ...]
    value: int


def table_of(n: int, allowed: Callable[[int, int], bool]) -> Table:
    """The table of a predicate of two symbols, which count from 1."""
    symbols = range(1, n + 1)
    return tuple(sum(1 << y - 1 for y in symbols if allowed(x, y)) for x in symbols)


def transposed(table: Table) -> Table:
    """The table of the same pair in the other order."""
    n = len(table)
    return tuple(sum((table[y] >> x & 1) << y for y in range(n)) for x in range(n))


def intersect(one: Table, other: Table) -> Table:
    """The pairs of symbols that both tables allow."""
    return tuple(x & y for x, y in zip(one, other, strict=True))


def combine(relations: Iterable[Relation]) -> dict[Pair, Table]:
    """The conjunction of relations: one table for each pair of cells, the smaller cell first."""
    found: dict[Pair, Table] = {}
    for a, b, table in relations:
        if a != b:
            pair, ordered = ((a, b), table) if a < b else ((b, a), transposed(table))
            found[pair] = intersect(found[pair], ordered) if pair in found else ordered
    return found


@cache
def _order_tables(n: int) -> list[Table]:
    return [table_of(n, test) for test in (int.__lt__, int.__le__, int.__eq__)]


def all_relations(rules: Sequence[Constraint], shape: Shape) -> Iterator[Relation]:
    """All relations of two cells as tables, order and equality first."""
    less, not_more, equal = _order_tables(shape.size)
    yield from ((a, b, less) for a, b in rising(rules, shape.size))
    yield from ((a, b, not_more) for a, b in not_falling(rules))
    yield from ((a, b, equal) for a, b in equal_pairs(rules))
    yield from relations(rules, shape)


def rising(rules: Iterable[Constraint], size: int) -> Iterator[Pair]:
    """Pairs of cells of which the first holds the smaller symbol."""
    for one in rules:
        if one.kind == "thermometer":
            yield from pairwise(one.cells)
    for kind in ("minimum", "maximum"):
        marked = {cell for one in rules if one.kind == kind for cell in one.cells}
        for a, b in sorted(find_moves(_NEIGHBOURS, size)) if marked else ():
            for cell, other in ((a, b), (b, a)):
                if cell in marked and other not in marked:
                    yield (cell, other) if kind == "minimum" else (other, cell)


def not_falling(rules: Iterable[Constraint]) -> Iterator[Pair]:
    """Pairs of cells of which the second holds the larger symbol or an equal one."""
    for one in rules:
        if one.kind == "slow":
            yield from pairwise(one.cells)


def equal_pairs(rules: Iterable[Constraint]) -> Iterator[Pair]:
    """Pairs of cells that hold equal symbols."""
    for one in rules:
        cells = one.cells
        if one.kind == "palindrome":
            yield from ((cells[i], cells[-1 - i]) for i in range(len(cells) // 2))
        elif one.kind == "clone":
            yield from zip(cells[: len(cells) // 2], cells[len(cells) // 2 :], strict=True)
        elif one.kind == "arrow" and one.head == 1 and len(cells) == 2:
            yield cells[0], cells[1]


def allowed_symbols(rules: Iterable[Constraint], n: int) -> Iterator[tuple[int, set[int]]]:
    """Cells with the symbols that they may hold, from 1."""
    every = range(1, n + 1)
    for one in rules:
        if one.kind in ("even", "odd"):
            some = set(range(1 + (one.kind == "even"), n + 1, 2))
        elif one.kind == "candidates":
            some = set(one.values)
        else:
            continue
        yield from ((cell, some) for cell in one.cells)
    for factors, total in equations(rules, None):
        if len(factors) == 1:
            ((cell, factor),) = factors.items()
            yield cell, {x for x in every if factor * x == total}


def relations(rules: Sequence[Constraint], shape: Shape) -> Iterator[Relation]:
    """Relations of two cells other than order and equality."""
    n = shape.size
    yield from _on_marked_pairs(rules, n)
    yield from _on_unmarked_pairs(rules, n)
    for one in rules:
        yield from _on_line(one, n)
        if one.kind in ("rowindex", "columnindex"):
            yield from _on_indexer(one, n)
        elif one.kind == "renban" and len(one.cells) == 2 < n:
            yield (*one.cells, table_of(n, lambda x, y: abs(x - y) == 1))
    for equation in equations(rules, shape):
        if len(equation.factors) == 2:
            (a, p), (b, q) = equation.factors.items()
            total = equation.total
            yield a, b, table_of(n, lambda x, y, p=p, q=q, c=total: p * x + q * y == c)  # type: ignore[misc]


def _on_marked_pairs(rules: Iterable[Constraint], n: int) -> Iterator[Relation]:
    for one in rules:
        value = one.value
        if one.kind == "difference":
            step = 1 if value is None else value
            yield (*one.cells, table_of(n, lambda x, y, d=step: abs(x - y) == d))  # type: ignore[misc]
        elif one.kind == "ratio":
            ratio = 2 if value is None else value
            yield (*one.cells, _ratio_table(n, {ratio}))  # type: ignore[misc]
        elif one.kind == "xv":
            yield (*one.cells, table_of(n, lambda x, y, s=value: x + y == s))  # type: ignore[misc]


def _ratio_table(n: int, ratios: set[int], *, forbidden: bool = False) -> Table:
    return table_of(n, lambda x, y: any(x == k * y or y == k * x for k in ratios) != forbidden)


def _on_unmarked_pairs(rules: Sequence[Constraint], n: int) -> Iterator[Relation]:
    """Neighbours without a dot (of either kind), or without an X or V."""
    tables: list[tuple[set[str], Table]] = []
    for one in rules:
        if one.kind == "nonconsecutive":
            tables.append(({"ratio", "difference"}, table_of(n, lambda x, y: abs(x - y) != 1)))
        elif one.kind == "negative" and one.of == "ratio":
            ratios = {r.value or 2 for r in rules if r.kind == "ratio"} or {2}
            tables.append(({"ratio", "difference"}, _ratio_table(n, ratios, forbidden=True)))
        elif one.kind == "negative":
            tables.append(({"xv"}, table_of(n, lambda x, y: x + y not in (5, 10))))
    for kinds, table in tables:
        marked = {tuple(sorted(one.cells)) for one in rules if one.kind in kinds}
        yield from ((*pair, table) for pair in find_moves(_NEIGHBOURS, n) if pair not in marked)


def _on_line(one: Constraint, n: int) -> Iterator[Relation]:
    """Whisper and entropic lines: pairs of cells one or two steps apart."""
    if one.kind == "whispers":
        least = (n + 1) // 2 if one.value is None else one.value
        table = table_of(n, lambda x, y: abs(x - y) >= least)
        yield from ((a, b, table) for a, b in pairwise(one.cells))
    elif one.kind == "entropic":
        table = table_of(n, lambda x, y: _third(x, n) != _third(y, n))
        for step in (1, 2):
            yield from ((a, b, table) for a, b in zip(one.cells, one.cells[step:], strict=False))


def _third(symbol: int, n: int) -> int:
    """The lower, middle or upper third: 2, 3 and 2 of 7 symbols, 3, 2 and 3 of 8."""
    low = n // 3 if n % 3 == 1 else (n + 2) // 3
    return (symbol > low) + (symbol > n - low)


def _on_indexer(one: Constraint, n: int) -> Iterator[Relation]:
    """The cell holds v exactly if the v-th cell of its line holds the place of the cell."""
    for cell in one.cells:
        row, col = divmod(cell, n)
        for v in range(1, n + 1):
            other, own = (row * n + v - 1, col + 1) if one.kind == "columnindex" else (
                (v - 1) * n + col, row + 1)  # fmt: skip
            table = table_of(n, lambda x, y, v=v, own=own: (x == v) == (y == own))  # type: ignore[misc]
            yield cell, other, table


def equations(rules: Iterable[Constraint], shape: Shape | None) -> Iterator[Equation]:
    """Sums; those of region sum lines need the shape."""
    for one in rules:
        for terms, total in _sums(one, rules, shape):
            factors: dict[int, int] = {}
            for cell, factor in terms:
                factors[cell] = factors.get(cell, 0) + factor
            yield Equation({cell: x for cell, x in factors.items() if x}, total)


def _sums(
    one: Constraint, rules: Iterable[Constraint], shape: Shape | None
) -> Iterator[tuple[list[Pair], int]]:
    cells = one.cells
    if one.kind in ("killer", "little") and one.sum is not None:
        yield [(cell, 1) for cell in cells], one.sum
    elif one.kind == "arrow":
        head = [(cell, -(10 ** (one.head - 1 - i))) for i, cell in enumerate(cells[: one.head])]
        yield [*head, *((cell, 1) for cell in cells[one.head :])], 0
    elif one.kind == "zipper":
        equal = [[cells[i], cells[-1 - i]] for i in range(len(cells) // 2)]
        middle = [cells[len(cells) // 2]] if len(cells) % 2 else []
        yield from _equal_sums([(middle, part) for part in equal] if middle else
                               combinations(equal, 2))  # fmt: skip
    elif one.kind == "regionsum" and shape is not None:
        numbers = region_numbers(rules, *shape)
        parts = [list(part) for _, part in groupby(cells, key=lambda cell: numbers[cell])]
        yield from _equal_sums(combinations(parts, 2))


def _equal_sums(
    pairs: Iterable[tuple[list[int], list[int]]],
) -> Iterator[tuple[list[Pair], int]]:
    """Equations of the sums of pairs of parts.

    Callers give all pairs of several parts, so that their order does not matter.
    """
    for one, other in pairs:
        yield [*((cell, 1) for cell in one), *((cell, -1) for cell in other)], 0


def whole_lines(rules: Iterable[Constraint]) -> Iterator[WholeLine]:
    """Sandwich sums, X-sums and skyscrapers."""
    for one in rules:
        value = one.value if one.kind == "skyscraper" else one.sum
        if one.kind in ("sandwich", "xsum", "skyscraper") and value is not None:
            yield WholeLine(one.kind, one.cells, value)
