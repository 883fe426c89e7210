"""Equivalence as values: profiles make classes, classes make partitions, partitions relate.

>>> one, other = Partition.of([[1, 3], [2]]), Partition.of([[1], [2, 3]])
>>> one.join(other)
Partition(classes=((1, 2, 3),))
>>> canonical_filter(other, canonical_filter(one, [1, 2, 3]))
[1, 2]

The example is the counterexample to a theorem that is often stated: two canonical filters in a
row keep {1, 2}, but the join has one class, whose least member is 1. The chain is *sound* (every
least member of the join survives) and not *exact*. On the code desk, Mastermind after 0011 0A0B:
0002 is the same as 1112 by excluded colours, and 1112 the same as 0200 by symmetry, yet 0002 and
0200 both survive the chain; it keeps 18 guesses where the join has 17 classes.

What is true is tested as properties: if one relation is finer, the join is the other one;
compatible relations chain exactly, by simple filters on any subset; every other relation can be
paired so that chaining fails.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar


class Ordered(Hashable, Protocol):
    """Members have an order: the least of a class speaks for it."""

    def __lt__(self, other: Any, /) -> bool:
        """Whether this one comes first."""


T = TypeVar("T", bound=Ordered)
Filter = Callable[[Sequence[T]], list[T]]


class DisjointSets(Generic[T]):
    """Sets that only grow together; the least member of each is its name."""

    def __init__(self, members: Iterable[T]) -> None:
        self._parent = {member: member for member in members}

    def least(self, member: T) -> T:
        """The least member of the set that holds `member`; KeyError for a stranger."""
        root = member
        while self._parent[root] != root:
            root = self._parent[root]
        while self._parent[member] != root:
            self._parent[member], member = root, self._parent[member]
        return root

    def join(self, a: T, b: T) -> None:
        """Make one set of the two that hold `a` and `b`."""
        one, other = self.least(a), self.least(b)
        if other < one:
            one, other = other, one
        self._parent[other] = one

    def partition(self) -> Partition[T]:
        """The sets as a value."""
        return by_profile(self._parent, self.least)


@dataclass(frozen=True, slots=True)
class Partition(Generic[T]):
    """An equivalence relation on a finite set: its classes, each ascending, by least member."""

    classes: tuple[tuple[T, ...], ...]

    @staticmethod
    def of(classes: Iterable[Iterable[T]]) -> Partition[T]:
        """The partition with these classes, put in order; ValueError if two classes meet."""
        ordered = sorted((tuple(sorted(set(c))) for c in classes), key=lambda c: c[:1])
        made = Partition(tuple(c for c in ordered if c))
        if len(made.members()) != sum(map(len, made.classes)):
            raise ValueError("the classes of a partition do not meet")
        return made

    def members(self) -> frozenset[T]:
        """The whole set."""
        return frozenset(member for c in self.classes for member in c)

    def minima(self) -> list[T]:
        """The least member of each class, ascending."""
        return [c[0] for c in self.classes]

    def index(self) -> dict[T, int]:
        """The number of each member's class."""
        return {member: i for i, c in enumerate(self.classes) for member in c}

    def is_finer(self, other: Partition[T]) -> bool:
        """Whether each class lies inside a class of `other`; every partition is finer than itself.

        Raises ValueError if the two are not of the same set, like all comparisons here.
        """
        where = _same_set(self, other)
        return all(len({where[member] for member in c}) == 1 for c in self.classes)

    def is_coarser(self, other: Partition[T]) -> bool:
        """Whether `other` is finer."""
        return other.is_finer(self)

    def is_compatible(self, other: Partition[T]) -> bool:
        """Whether for every member one of its two classes holds the other one."""
        where = _same_set(self, other)
        sets = [frozenset(c) for c in other.classes]
        return all(
            mine <= sets[where[member]] or sets[where[member]] <= mine
            for mine in map(frozenset, self.classes)
            for member in mine
        )

    def is_trivial(self) -> bool:
        """Whether it is discrete (all classes single) or the unit (one class)."""
        return len(self.classes) <= 1 or all(len(c) == 1 for c in self.classes)

    def join(self, other: Partition[T]) -> Partition[T]:
        """The finest partition that both are finer than: the transitive closure of their union.

        "Related by one or the other" alone is not transitive.
        """
        _same_set(self, other)
        sets = DisjointSets(self.members())
        for c in (*self.classes, *other.classes):
            for member in c[1:]:
                sets.join(c[0], member)
        return sets.partition()


def _same_set(one: Partition[T], other: Partition[T]) -> dict[T, int]:
    if one.members() != other.members():
        raise ValueError("the partitions are of different sets")
    return other.index()


def by_profile(members: Iterable[T], profile: Callable[[T], Hashable]) -> Partition[T]:
    """Members of equal profile in one class: `by_profile([1, 2, 3], lambda n: n % 2)`."""
    classes: dict[Hashable, list[T]] = {}
    for member in members:
        classes.setdefault(profile(member), []).append(member)
    return Partition.of(classes.values())


def simple_filter(relation: Partition[T], given: Sequence[T]) -> list[T]:
    """One member, the first met, for each class that the *given* subset meets."""
    where = relation.index()
    seen: dict[int, T] = {}
    for member in given:
        seen.setdefault(where[member], member)
    return list(seen.values())


def canonical_filter(relation: Partition[T], given: Sequence[T]) -> list[T]:
    """The given members that are least of their class in the *whole* set.

    A class whose least member is not given is dropped: that is the price of needing no memory.
    """
    least = set(relation.minima())
    return [member for member in given if member in least]


def chain(filters: Iterable[Filter[T]], given: Sequence[T]) -> list[T]:
    """The members that pass one filter after the other; see the counterexample above."""
    kept = list(given)
    for one in filters:
        kept = one(kept)
    return kept
