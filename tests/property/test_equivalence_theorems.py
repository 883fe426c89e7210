"""The theorems on chaining filters that are true, as properties, and the one that is not."""

from __future__ import annotations

from itertools import chain as flatten
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference.equivalence import (
    DisjointSets,
    Partition,
    by_profile,
    canonical_filter,
    chain,
    simple_filter,
)

SIZE = 6


def partitions(size: int = SIZE) -> st.SearchStrategy[Partition[int]]:
    """Partitions of 1 … size, by giving every member a label."""
    labels = st.lists(st.integers(0, size - 1), min_size=size, max_size=size)
    return labels.map(lambda given: by_profile(range(1, size + 1), lambda n: given[n - 1]))


def all_partitions(members: list[int]) -> list[Partition[int]]:
    """Every partition of a small set."""
    if not members:
        return [Partition(())]
    first, rest = members[0], members[1:]
    found = []
    for part in all_partitions(rest):
        found.append(Partition.of([[first], *part.classes]))
        for i, c in enumerate(part.classes):
            others = [*part.classes[:i], *part.classes[i + 1 :]]
            found.append(Partition.of([[first, *c], *others]))
    return found


def subsets(members: list[int]) -> list[tuple[int, ...]]:
    return list(flatten.from_iterable(combinations(members, k) for k in range(len(members) + 1)))


def keeps_one_for_each_join_class(
    one: Partition[int], other: Partition[int], given: tuple[int, ...]
) -> bool:
    kept = chain([lambda x: simple_filter(one, x), lambda x: simple_filter(other, x)], given)
    where = one.join(other).index()
    return sorted(where[m] for m in kept) == sorted({where[m] for m in given})


def test_canonical_filters_in_a_row_do_not_leave_the_minima_of_the_join() -> None:
    one, other = Partition.of([[1, 3], [2]]), Partition.of([[1], [2, 3]])
    kept = chain(
        [lambda x: canonical_filter(one, x), lambda x: canonical_filter(other, x)], [1, 2, 3]
    )
    assert kept == [1, 2]
    assert one.join(other).minima() == [1]


@given(partitions(), partitions())
@settings(deadline=None, max_examples=200)
def test_but_they_lose_no_least_member_of_the_join(
    one: Partition[int], other: Partition[int]
) -> None:
    every = sorted(one.members())
    kept = chain([lambda x: canonical_filter(one, x), lambda x: canonical_filter(other, x)], every)
    assert set(one.join(other).minima()) <= set(kept)


@given(partitions(), partitions())
@settings(deadline=None, max_examples=200)
def test_the_join_is_the_finest_that_both_are_finer_than(
    one: Partition[int], other: Partition[int]
) -> None:
    joined = one.join(other)
    assert one.is_finer(joined)
    assert other.is_finer(joined)
    assert joined == other.join(one)
    for candidate in all_partitions([1, 2, 3, 4]):
        small = Partition.of([[m for m in c if m <= 4] for c in one.classes])
        large = Partition.of([[m for m in c if m <= 4] for c in other.classes])
        if small.is_finer(candidate) and large.is_finer(candidate):
            assert small.join(large).is_finer(candidate)


@given(partitions(), partitions())
@settings(deadline=None, max_examples=200)
def test_if_one_relation_is_finer_the_join_is_the_other(
    one: Partition[int], other: Partition[int]
) -> None:
    coarser = one.join(other)
    assert one.join(coarser) == coarser
    assert (one.join(other) == other) == one.is_finer(other)


@given(partitions(), partitions(), st.sets(st.integers(1, SIZE)))
@settings(deadline=None, max_examples=300)
def test_compatible_relations_chain_by_simple_filters_on_any_subset(
    one: Partition[int], other: Partition[int], some: set[int]
) -> None:
    if one.is_compatible(other):
        assert keeps_one_for_each_join_class(one, other, tuple(sorted(some)))


def test_every_relation_that_is_not_trivial_has_one_that_it_does_not_chain_with() -> None:
    every = all_partitions([1, 2, 3, 4])
    for one in every:
        broken = any(
            not keeps_one_for_each_join_class(one, other, given)
            for other in every
            for given in subsets([1, 2, 3, 4])
        )
        assert broken == (not one.is_trivial()), one


def test_relations_that_are_not_compatible_can_be_made_to_fail() -> None:
    every = all_partitions([1, 2, 3, 4])
    for one in every:
        for other in every:
            fails = any(
                not keeps_one_for_each_join_class(one, other, order)
                for given in subsets([1, 2, 3, 4])
                for order in (given, tuple(reversed(given)))
            )
            if one.is_compatible(other):
                assert not fails
            else:
                assert fails, (one, other)


@given(partitions())
@settings(deadline=None, max_examples=100)
def test_a_simple_filter_keeps_one_of_each_class_it_meets(one: Partition[int]) -> None:
    for given_members in subsets(sorted(one.members()))[:40]:
        kept = simple_filter(one, given_members)
        where = one.index()
        assert {where[m] for m in kept} == {where[m] for m in given_members}
        assert len(kept) == len({where[m] for m in kept})


def test_a_canonical_filter_drops_a_class_whose_least_member_is_absent() -> None:
    assert canonical_filter(Partition.of([[1, 3], [2]]), [2, 3]) == [2]
    assert simple_filter(Partition.of([[1, 3], [2]]), [2, 3]) == [2, 3]


def test_disjoint_sets_name_a_set_by_its_least_member() -> None:
    sets = DisjointSets("abcd")
    sets.join("d", "b")
    sets.join("c", "d")
    assert [sets.least(x) for x in "abcd"] == ["a", "b", "b", "b"]
    assert sets.partition() == Partition((("a",), ("b", "c", "d")))


def test_partitions_of_different_sets_do_not_compare() -> None:
    with pytest.raises(ValueError, match="different sets"):
        Partition.of([[1]]).join(Partition.of([[2]]))
    with pytest.raises(ValueError, match="do not meet"):
        Partition.of([[1, 2], [2]])
