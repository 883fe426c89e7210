"""A normal form of constraints: equivalent sets of constraints have equal forms.

>>> nine = Shape(3, 3)
>>> one, other = Constraint("killer", (0, 1, 9), 10), Constraint("killer", (9, 1, 0), 10)
>>> normal_form_of((one,), nine) == normal_form_of((other, other), nine)
True

Constraints are decomposed into primitives, and those of all constraints combined: implied houses,
the transitive closure of all orders, equivalence classes of equal cells, one table of allowed
symbols for each pair of cells, the intersection of all domains of a cell.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from math import gcd
from typing import Literal, NamedTuple, TypeAlias

from cluewise.core.work import finish
from cluewise.desks.sudoku.constraints import Constraint, supported
from cluewise.desks.sudoku.engine import primitives
from cluewise.desks.sudoku.engine.primitives import Pair, Table, combine, intersect, transposed
from cluewise.desks.sudoku.engine.structures import DisjointSets
from cluewise.desks.sudoku.engine.variant_solver import implied_houses, stated_houses
from cluewise.desks.sudoku.houses import pairs
from cluewise.desks.sudoku.position import Shape

Renaming = Literal["any", "parity", "sizes", "none"]
Roles: TypeAlias = tuple[tuple[int, tuple[int, ...]], ...]
"""Cells by their role: their factor in a sum, their place in a line."""


class Relation(NamedTuple):
    """The relation of an ordered pair of cells.

    `order` is 1 if the first holds the smaller symbol, -1 if the second does, 2 for both (which no
    grid obeys), 0 for neither; `weak` likewise, with equal symbols allowed.
    """

    differ: bool = False
    order: int = 0
    weak: int = 0
    table: Table = ()


_OPPOSITE = {0: 0, 1: -1, -1: 1, 2: 2}


class CellGroup(NamedTuple):
    """Cells with a rule. If their roles can be assigned in several ways, such as from either end of
    a line, `forms` has all of them, ascending.
    """

    kind: str
    value: int | tuple[int, ...]
    forms: tuple[Roles, ...]


class NormalForm(NamedTuple):
    """The normal form: relations of ordered pairs of cells, and groups of cells."""

    relations: dict[Pair, Relation]
    groups: frozenset[CellGroup]
    size: int

    def reversed(self) -> NormalForm:
        """The form with the symbols' order reversed: 1 becomes n, 2 becomes n − 1 and so on."""
        relations = {
            pair: Relation(
                one.differ, _OPPOSITE[one.order], _OPPOSITE[one.weak],
                _reversed_table(one.table, self.size),
            ) for pair, one in self.relations.items()
        }  # fmt: skip
        return NormalForm(relations, frozenset(map(self._reversed_group, self.groups)), self.size)

    def _reversed_group(self, one: CellGroup) -> CellGroup:
        if one.kind == "sum":
            assert isinstance(one.value, int)
            factors = {cell: factor for factor, cells in one.forms[0] for cell in cells}
            return _sum_of(factors, sum(factors.values()) * (self.size + 1) - one.value)
        if one.kind in ("mask", "quadruple"):
            assert isinstance(one.value, tuple)
            return one._replace(value=tuple(sorted(self.size + 1 - d for d in one.value)))
        if one.kind in ("sandwich", "xsum", "skyscraper"):  # the reversal is of no known kind
            return one._replace(kind=f"{one.kind} reversed")
        return one

    @property
    def renaming(self) -> Renaming:
        """Which renamings of symbols the constraints allow."""
        masks = [one.value for one in self.groups if one.kind == "mask"]
        parity = [tuple(range(first, self.size + 1, 2)) for first in (1, 2)]
        free = all(one.kind in ("equal", "mask") for one in self.groups)
        if not free or any(one.order or one.weak or one.table for one in self.relations.values()):
            return "sizes"
        if not all(mask in parity or not mask for mask in masks):
            return "sizes"
        return "parity" if masks else "any"


@lru_cache(maxsize=32)
def normal_form_of(constraints: tuple[Constraint, ...], shape: Shape) -> NormalForm:
    """The normal form of a board's constraints; those known by name alone are left out.

    Raises `TooLarge` where implied houses cannot be found.
    """
    rules = supported(constraints)
    n = shape.size
    houses = sorted({*stated_houses(rules, shape), *finish(implied_houses(rules, shape))})
    identity = primitives.table_of(n, int.__eq__)
    every = list(primitives.relations(rules, shape))
    equal = DisjointSets()
    for a, b in (*primitives.equal_pairs(rules), *((a, b) for a, b, t in every if t == identity)):
        equal.union(a, b)
    order = _closure(primitives.rising(rules, n), equal)
    weak = _closure(primitives.not_falling(rules), equal) - order
    differ = _differing(rules, houses, order, equal, shape)
    tables = _tables([one for one in every if one[2] != identity], differ, n)
    relations: dict[Pair, Relation] = {}
    for a, b in {*differ, *tables, *((min(pair), max(pair)) for pair in (*order, *weak))}:
        table, rank, slow = tables.get((a, b), ()), _rank(a, b, order), _rank(a, b, weak)
        relations[a, b] = Relation((a, b) in differ, rank, slow, table)
        relations[b, a] = Relation(
            (a, b) in differ, _OPPOSITE[rank], _OPPOSITE[slow], transposed(table)
        )
    groups = {*_masks(rules, every, equal, n), *_sums(rules, houses, shape), *_lines(rules, n)}
    groups.update(
        CellGroup("equal", 0, (((0, cells),),)) for cells in _stated_classes(equal, houses)
    )
    return NormalForm(relations, frozenset(groups), n)


def _rank(a: int, b: int, order: set[Pair]) -> int:
    """1, -1, 2 or 0: whether an order has the pair, its reverse, both or neither."""
    return {(True, False): 1, (False, True): -1, (True, True): 2, (False, False): 0}[
        (a, b) in order, (b, a) in order
    ]


def _stated_classes(
    equal: DisjointSets, houses: Sequence[tuple[int, ...]]
) -> Iterator[tuple[int, ...]]:
    """Join equal cells that houses imply; yield the classes that the houses alone do not imply."""
    implied = DisjointSets()
    for pair in _implied_equal(houses):
        implied.union(*pair)
        equal.union(*pair)
    known = implied.sets()
    yield from (tuple(cells) for cells in equal.sets() if cells not in known)


def _implied_equal(houses: Sequence[tuple[int, ...]]) -> Iterator[Pair]:
    """Two houses that differ in one cell each: these two cells are equal in every solution."""
    for first, second in combinations(map(frozenset, houses), 2):
        if len(first - second) == 1:
            (a,), (b,) = first - second, second - first
            yield a, b


def _closure(order: Iterable[Pair], equal: DisjointSets) -> set[Pair]:
    """The transitive closure of an order, which stands for its transitive reduction: each
    determines the other.
    """
    above: dict[int, set[int]] = {}
    for a, b in order:
        above.setdefault(equal.find(a), set()).add(equal.find(b))
    found: set[Pair] = set()
    for start in above:
        reached: set[int] = set()
        queue = [start]
        while queue:
            for cell in above.get(queue.pop(), set()) - reached:
                reached.add(cell)
                queue.append(cell)
        found.update((start, end) for end in reached)
    return {(x, y) for a, b in found for x in equal.members(a) for y in equal.members(b) if x != y}


def _differing(
    rules: Sequence[Constraint],
    houses: Iterable[tuple[int, ...]],
    order: Iterable[Pair],
    equal: DisjointSets,
    shape: Shape,
) -> set[Pair]:
    """All pairs of cells that differ, the smaller cell first."""
    found = {*pairs(rules, *shape), *order}
    found.update(pair for house in houses for pair in combinations(house, 2))
    if equal.sets():
        found = {(x, y) for a, b in found for x in equal.members(a) for y in equal.members(b)}
    return {(min(pair), max(pair)) for pair in found if pair[0] != pair[1]}


def _tables(
    every: Iterable[tuple[int, int, Table]], differ: set[Pair], n: int
) -> dict[Pair, Table]:
    """The tables of pairs of cells that state more than that they differ."""
    found, everything = combine(every), (1 << n) - 1
    unequal = tuple(everything & ~(1 << x) for x in range(n))
    for pair in differ & found.keys():
        found[pair] = intersect(found[pair], unequal)
    return {
        pair: table for pair, table in found.items()
        if table != (unequal if pair in differ else (everything,) * n)
    }  # fmt: skip


def _reversed_table(table: Table, n: int) -> Table:
    return tuple(sum((row >> y & 1) << n - 1 - y for y in range(n)) for row in reversed(table))


def _masks(
    rules: Sequence[Constraint],
    every: Iterable[tuple[int, int, Table]],
    equal: DisjointSets,
    n: int,
) -> Iterator[CellGroup]:
    """The cells that hold only some symbols, with these symbols."""
    allowed: dict[int, set[int]] = {}
    themselves = ((a, {x + 1 for x in range(n) if t[x] >> x & 1}) for a, b, t in every if a == b)
    for cell, some in (*primitives.allowed_symbols(rules, n), *themselves):
        allowed.setdefault(equal.find(cell), set(range(1, n + 1))).intersection_update(some)
    for root, some in allowed.items():
        if len(some) < n:
            for cell in equal.members(root):
                yield CellGroup("mask", tuple(sorted(some)), (((0, (cell,)),),))


def _sums(
    rules: Sequence[Constraint], houses: Iterable[tuple[int, ...]], shape: Shape
) -> Iterator[CellGroup]:
    """Linear equations of three cells and more, without those of whole houses."""
    whole = shape.size * (shape.size + 1) // 2
    full = {_sum_of(dict.fromkeys(house, 1), whole) for house in houses}
    for factors, total in primitives.equations(rules, shape):
        if len(factors) > 2 or not factors:
            found = _sum_of(factors, total)
            if found not in full and (factors or total):
                yield found


def _sum_of(factors: Mapping[int, int], total: int) -> CellGroup:
    """An equation divided by its common factor, with the sign that makes its factors greatest.

    Where both signs give the same factors and the total is 0, both are forms of it.
    """
    common = gcd(*factors.values(), total) or 1
    some = [({c: x // common * sign for c, x in factors.items()}, total // common * sign)
            for sign in (1, -1)]  # fmt: skip
    best = max((sorted(one.values(), reverse=True), total) for one, total in some)
    forms = sorted({
        _roles(one) for one, total in some
        if (sorted(one.values(), reverse=True), total) == best
    })  # fmt: skip
    return CellGroup("sum", best[1], tuple(forms))


def _roles(role_of: Mapping[int, int]) -> Roles:
    """Cells by their role, both ascending."""
    return tuple(
        (role, tuple(sorted(cell for cell, own in role_of.items() if own == role)))
        for role in sorted(set(role_of.values()))
    )


def _lines(rules: Iterable[Constraint], n: int) -> Iterator[CellGroup]:
    """Runs of three cells and more (one of n cells is a house, one of two a table), between lines,
    contained values and whole lines.
    """
    for one in rules:
        cells = one.cells
        if one.kind == "renban" and 2 < len(cells) < n:
            yield CellGroup("run", 0, (((0, tuple(sorted(cells))),),))
        elif one.kind == "between":
            ends, inner = sorted((cells[0], cells[-1])), sorted(cells[1:-1])
            yield CellGroup("between", 0, (((0, tuple(inner)), (1, tuple(ends))),))
        elif one.kind == "quadruple":
            yield CellGroup("quadruple", tuple(sorted(one.values)), (((0, tuple(sorted(cells))),),))
    for line in primitives.whole_lines(rules):
        orders = [line.cells, line.cells[::-1]] if line.kind == "sandwich" else [line.cells]
        forms = sorted(tuple((i, (cell,)) for i, cell in enumerate(order)) for order in orders)
        yield CellGroup(line.kind, line.value, tuple(forms))
