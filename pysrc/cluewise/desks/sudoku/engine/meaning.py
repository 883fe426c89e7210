"""What constraints mean, in a normal form: constraints that mean the same have equal forms.

>>> nine = Shape(3, 3)
>>> one, other = Constraint("killer", (0, 1, 9), 10), Constraint("killer", (9, 1, 0), 10)
>>> meaning_of((one,), nine) == meaning_of((other, other), nine)
True

Every constraint is broken into pieces, and what pieces of several constraints say about the same
cells is combined: implied houses, the transitive closure of all thermometers, classes of equal
cells, one table of allowed values for each pair of cells.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations, pairwise
from typing import Literal, NamedTuple, TypeAlias

from cluewise.core.work import finish
from cluewise.desks.sudoku.constraints import Constraint
from cluewise.desks.sudoku.engine.implied import implied_houses, stated_houses
from cluewise.desks.sudoku.houses import find_moves, pairs
from cluewise.desks.sudoku.position import Shape

Renaming = Literal["any", "parity", "sizes", "none"]
Pair: TypeAlias = tuple[int, int]
Table: TypeAlias = tuple[int, ...]
"""Allowed values of a pair of cells: bit y of entry x, both from 0, for x + 1 next to y + 1."""


class Relation(NamedTuple):
    """What is known of an ordered pair of cells.

    `order` is 1 where the first holds the smaller symbol, -1 the second, 2 where both must.
    """

    differ: bool = False
    order: int = 0
    table: Table = ()


_OPPOSITE = {0: 0, 1: -1, -1: 1, 2: 2}


class Group(NamedTuple):
    """A set of cells with a rule: their sum (`head` cells count negatively), a run, equal cells."""

    kind: Literal["sum", "run", "equal", "mask"]
    value: int | tuple[int, ...]
    cells: tuple[int, ...]
    head: tuple[int, ...] = ()


class Meaning(NamedTuple):
    """The normal form: relations of ordered pairs of cells, and groups of cells."""

    relations: dict[Pair, Relation]
    groups: frozenset[Group]
    size: int

    def reversed(self) -> Meaning:
        """The form with the symbols' order reversed: 1 becomes n, 2 becomes n − 1 and so on."""
        relations = {
            pair: Relation(one.differ, _OPPOSITE[one.order], _reversed_table(one.table, self.size))
            for pair, one in self.relations.items()
        }
        return Meaning(relations, frozenset(map(self._reversed_group, self.groups)), self.size)

    def _reversed_group(self, one: Group) -> Group:
        if one.kind == "sum":
            assert isinstance(one.value, int)
            whole = (len(one.cells) - len(one.head)) * (self.size + 1)
            return one._replace(value=whole - one.value)
        if one.kind == "mask":
            assert isinstance(one.value, tuple)
            return one._replace(value=tuple(sorted(self.size + 1 - d for d in one.value)))
        return one

    @property
    def renaming(self) -> Renaming:
        """Which renamings of symbols the constraints allow."""
        masks = [one.value for one in self.groups if one.kind == "mask"]
        parity = [tuple(range(first, self.size + 1, 2)) for first in (1, 2)]
        free = all(one.kind in ("equal", "mask") for one in self.groups)
        if not free or any(one.order or one.table for one in self.relations.values()):
            return "sizes"
        if not all(mask in parity or not mask for mask in masks):
            return "sizes"
        return "parity" if masks else "any"


@lru_cache(maxsize=32)
def meaning_of(constraints: tuple[Constraint, ...], shape: Shape) -> Meaning:
    """The normal form of a board's constraints; those known by name alone are left out.

    Raises `TooLarge` where implied houses cannot be found.
    """
    rules = [one for one in constraints if one.kind != "other"]
    n, houses = shape.size, _houses(rules, shape)
    equal = _Classes()
    for one in rules:
        for pair in _equal_pairs(one):
            equal.join(*pair)
    order = _order(rules, equal)
    differ = _differing(rules, houses, order, equal, shape)
    tables = _tables(rules, differ, n)
    relations: dict[Pair, Relation] = {}
    for a, b in {*differ, *tables, *(pair for pair in order if pair[0] < pair[1]),
                 *((b, a) for a, b in order if b < a)}:  # fmt: skip
        rank = {(1, 0): 1, (0, 1): -1, (1, 1): 2, (0, 0): 0}[(a, b) in order, (b, a) in order]
        table = tables.get((a, b), ())
        relations[a, b] = Relation((a, b) in differ, rank, table)
        relations[b, a] = Relation((a, b) in differ, _OPPOSITE[rank], _transposed(table, n))
    groups = {*_masks(rules, equal, n), *_sums(rules, n), *_runs(rules, n)}
    groups.update(Group("equal", 0, cells) for cells in equal.stated(_implied_equal(houses)))
    return Meaning(relations, frozenset(groups), n)


def _houses(rules: Sequence[Constraint], shape: Shape) -> list[tuple[int, ...]]:
    """The stated and the implied houses."""
    return sorted({*stated_houses(rules, shape), *finish(implied_houses(rules, shape))})


class _Classes:
    """Classes of equal cells."""

    def __init__(self) -> None:
        self._root: dict[int, int] = {}

    def find(self, cell: int) -> int:
        """The class of a cell, named by its least cell."""
        while cell in self._root:
            cell = self._root[cell]
        return cell

    def join(self, a: int, b: int) -> None:
        """The classes of two cells are one class."""
        low, high = sorted((self.find(a), self.find(b)))
        if low != high:
            self._root[high] = low

    def of(self, cell: int) -> tuple[int, ...]:
        """All cells of a cell's class, ascending."""
        root = self.find(cell)
        return (root, *sorted(other for other in self._root if self.find(other) == root))

    def classes(self) -> set[tuple[int, ...]]:
        """The classes of more than one cell."""
        return {self.of(cell) for cell in self._root}

    def stated(self, implied: Iterable[Pair]) -> set[tuple[int, ...]]:
        """The classes, joined by implied equal pairs, without those that are implied alone."""
        alone = _Classes()
        for pair in implied:
            alone.join(*pair)
            self.join(*pair)
        return self.classes() - alone.classes()


def _implied_equal(houses: Sequence[tuple[int, ...]]) -> Iterator[Pair]:
    """Two houses that differ in one cell each: these two cells are equal in every solution."""
    for first, second in combinations(map(frozenset, houses), 2):
        if len(first - second) == 1:
            (a,), (b,) = first - second, second - first
            yield a, b


def _equal_pairs(one: Constraint) -> list[Pair]:
    """Pairs of cells that a palindrome, or an arrow with one cell on its shaft, makes equal."""
    cells = one.cells
    if one.kind == "palindrome":
        return [(cells[i], cells[-1 - i]) for i in range(len(cells) // 2)]
    return [(cells[0], cells[1])] if one.kind == "arrow" and len(cells) == 2 else []


def _order(rules: Iterable[Constraint], equal: _Classes) -> set[Pair]:
    """All pairs of cells of which the first holds the smaller symbol.

    The closure stands for its transitive reduction: each determines the other.
    """
    above: dict[int, set[int]] = {}
    for one in rules:
        if one.kind == "thermometer":
            for a, b in pairwise(one.cells):
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
    return {(x, y) for a, b in found for x in equal.of(a) for y in equal.of(b) if x != y}


def _differing(
    rules: Sequence[Constraint],
    houses: Iterable[tuple[int, ...]],
    order: Iterable[Pair],
    equal: _Classes,
    shape: Shape,
) -> set[Pair]:
    """All pairs of cells that differ, the smaller cell first."""
    found = {*pairs(rules, *shape), *order}
    found.update(pair for house in houses for pair in combinations(house, 2))
    if equal.classes():
        found = {(x, y) for a, b in found for x in equal.of(a) for y in equal.of(b)}
    return {(min(pair), max(pair)) for pair in found if pair[0] != pair[1]}


def _tables(rules: Sequence[Constraint], differ: set[Pair], n: int) -> dict[Pair, Table]:
    """The pairs of cells with a table of allowed values that says more than that they differ."""
    found: dict[Pair, Table] = {}

    def restrict(a: int, b: int, table: Table) -> None:
        pair = (min(a, b), max(a, b))
        found[pair] = _both(found.get(pair, (everything,) * n), table)

    everything = (1 << n) - 1
    unequal = tuple(everything & ~(1 << x) for x in range(n))
    neighbours = tuple(sum(1 << y for y in (x - 1, x + 1) if 0 <= y < n) for x in range(n))
    for one in rules:
        if one.kind == "nonconsecutive":
            for a, b in find_moves(((0, 1), (1, 0)), n):
                restrict(a, b, tuple(everything & ~row for row in neighbours))
        elif one.kind == "renban" and len(one.cells) == 2 < n:
            restrict(*one.cells, neighbours)
        elif one.kind == "killer" and len(one.cells) == 2 < n and one.sum is not None:
            other = [one.sum - x - 2 for x in range(n)]
            restrict(*one.cells, tuple(1 << y if 0 <= y < n else 0 for y in other))
    for pair in differ & found.keys():
        found[pair] = _both(found[pair], unequal)
    return {
        pair: table for pair, table in found.items()
        if table != (unequal if pair in differ else (everything,) * n)
    }  # fmt: skip


def _both(one: Table, other: Table) -> Table:
    return tuple(x & y for x, y in zip(one, other, strict=True))


def _transposed(table: Table, n: int) -> Table:
    """The table of the same pair in the other order."""
    return tuple(sum((table[y] >> x & 1) << y for y in range(n)) for x in range(n)) if table else ()


def _reversed_table(table: Table, n: int) -> Table:
    return tuple(sum((row >> y & 1) << n - 1 - y for y in range(n)) for row in reversed(table))


def _masks(rules: Iterable[Constraint], equal: _Classes, n: int) -> set[Group]:
    """The cells that hold only some symbols, with these symbols."""
    allowed: dict[int, set[int]] = {}
    for one in rules:
        if one.kind in ("even", "odd"):
            some = set(range(1 + (one.kind == "even"), n + 1, 2))
        elif one.kind == "killer" and len(one.cells) == 1 and one.sum is not None:
            some = {one.sum} & set(range(1, n + 1))
        else:
            continue
        for cell in one.cells:
            allowed.setdefault(equal.find(cell), set(range(1, n + 1))).intersection_update(some)
    return {
        Group("mask", tuple(sorted(some)), (cell,))
        for root, some in allowed.items() if len(some) < n
        for cell in equal.of(root)
    }  # fmt: skip


def _sums(rules: Iterable[Constraint], n: int) -> set[Group]:
    """Cages with a sum, and arrows: the shaft's sum less the head is 0."""
    found = set()
    for one in rules:
        if one.kind == "killer" and one.sum is not None and len(one.cells) > min(2, n - 1):
            if (len(one.cells), one.sum) != (n, n * (n + 1) // 2):  # else it is a house
                found.add(Group("sum", one.sum, tuple(sorted(one.cells))))
        elif one.kind == "arrow" and len(one.cells) > 2:
            shaft = tuple(sorted(one.cells[1:]))
            found.add(Group("sum", 0, shaft, one.cells[:1]))
    return found


def _runs(rules: Iterable[Constraint], n: int) -> set[Group]:
    """Renban lines of three cells and more; one of n cells is a house, one of two a table."""
    return {
        Group("run", 0, tuple(sorted(one.cells)))
        for one in rules if one.kind == "renban" and 2 < len(one.cells) < n
    }  # fmt: skip
