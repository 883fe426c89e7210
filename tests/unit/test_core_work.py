"""Jobs, their pace, and the core's small functions."""

import random
from collections.abc import Generator, Iterable, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cluewise.core.conflict import BRANCHES, SmallestMuses, bit_indices, shrink_to_mus
from cluewise.core.information import compare_entropy, entropy, expected_remaining
from cluewise.core.work import Job, Progress, SliceTimer, finish

BAD_SETS = st.lists(
    st.frozensets(st.integers(0, 6), min_size=1, max_size=4), min_size=1, max_size=4
)


def test_finish_returns_what_the_job_returns() -> None:
    def job() -> Generator[Progress, None, str]:
        yield Progress(0, 2)
        yield Progress(1, 2)
        return "done"

    assert finish(job()) == "done"


def test_slices_grow_at_most_fourfold() -> None:
    pace = SliceTimer(first=10)
    pace.rows(left=10_000)
    pace.took()
    assert pace.rows(left=10_000) <= 40


def test_equal_entropies_tie_exactly_despite_rounding() -> None:
    # 4^4 = 2^2 * 2^2 * 2^2 * 2^2, with 8 hypotheses each: the published float hazard.
    assert compare_entropy([4, 1, 1, 1, 1], [2, 2, 2, 2]) == 0
    assert compare_entropy([1] * 8, [2, 2, 2, 2]) == 1


def test_partitions_of_different_sizes_cannot_be_compared() -> None:
    with pytest.raises(ValueError, match="equal totals"):
        compare_entropy([1], [2])


def test_entropy_and_expected_size_of_known_partitions() -> None:
    assert entropy([2, 2]) == 1.0
    assert entropy([]) == 0.0
    assert expected_remaining([3, 1]) == 2.5


@given(BAD_SETS)
@settings(deadline=None, max_examples=150)
def test_smallest_muses_and_shrinking_agree_with_brute_force(bad: list[frozenset[int]]) -> None:
    def holds(clues: Iterable[int]) -> bool:
        return not any(b <= set(clues) for b in bad)

    def tested(clues: Sequence[int]) -> Job[bool]:
        yield Progress(0)
        return holds(clues)

    def fits(clues: int) -> Job[int | None]:
        yield Progress(0)
        return clues if holds(bit_indices(clues)) else None

    least = min(map(len, bad))
    search = SmallestMuses(7, fits)
    assert finish(search.run()) == sorted(sorted(b) for b in set(bad) if len(b) == least)
    assert search.proved
    found = finish(shrink_to_mus(range(7), tested))
    assert not holds(found)
    assert all(holds([c for c in found if c != left_out]) for left_out in found)


def test_search_out_of_tests_is_not_proved_and_returns_a_mus() -> None:
    def fits(clues: int) -> Job[int | None]:
        yield Progress(0)
        return None if clues.bit_count() > 9 else clues

    search = SmallestMuses(16, fits, tests=20)
    (found,) = finish(search.run())
    assert not search.proved
    assert len(found) == 10


def test_search_out_of_branches_is_not_proved_and_returns_a_mus() -> None:
    # Nearly every set of twelve meets all that is known to be left out, so few are ever tested.
    def fits(clues: int) -> Job[int | None]:
        yield Progress(0)
        return None if clues.bit_count() > 24 else clues

    rng = random.Random(5)
    held = [sum(1 << clue for clue in rng.sample(range(40), 24)) for _ in range(100)]
    search = SmallestMuses(40, fits, held=held, grown=True)
    work = search.run()
    steps = 0
    while True:
        try:
            next(work)
        except StopIteration as stop:
            (found,) = stop.value
            break
        steps += 1
    assert not search.proved
    assert len(found) == 25
    assert BRANCHES < steps < 2 * BRANCHES


@given(BAD_SETS, st.lists(st.frozensets(st.integers(0, 6)), max_size=12))
@settings(deadline=None, max_examples=150)
def test_known_satisfiable_sets_and_a_first_run_do_not_change_the_result(
    bad: list[frozenset[int]], known: list[frozenset[int]]
) -> None:
    def fits(clues: int) -> Job[int | None]:
        yield Progress(0)
        return clues if holds(set(bit_indices(clues))) else None

    def holds(clues: Iterable[int]) -> bool:
        return not any(b <= set(clues) for b in bad)

    plain = finish(SmallestMuses(7, fits).run())
    search = SmallestMuses(7, fits, held=[sum(1 << c for c in one) for one in known if holds(one)])
    (first,) = finish(search.run(1))
    assert first in plain
    assert finish(search.run()) == plain
    assert search.proved


def test_known_satisfiable_sets_save_tests() -> None:
    asked: list[int] = []

    def fits(clues: int) -> Job[int | None]:
        yield Progress(0)
        asked.append(clues)
        return None if clues & 0b111 == 0b111 else clues

    known = [0b1111111 & ~(1 << clue) for clue in range(3)]
    assert finish(SmallestMuses(7, fits).run()) == [[0, 1, 2]]
    alone = len(asked)
    assert finish(SmallestMuses(7, fits, held=[*known, *known, 0b11]).run()) == [[0, 1, 2]]
    assert len(asked) - alone == 2 < alone


def test_second_run_finds_more_muses_within_the_remaining_tests() -> None:
    def fits(clues: int) -> Job[int | None]:
        yield Progress(0)
        return None if clues.bit_count() > 1 else clues

    search = SmallestMuses(8, fits, tests=12)
    assert [len(one) for one in finish(search.run(1))] == [2]
    assert search.proved
    more = finish(search.run())
    assert 1 <= len(more) < 28
    assert {len(one) for one in more} == {2}
    assert search.proved


def test_satisfiable_clues_have_no_mus() -> None:
    def fits(clues: int) -> Job[int | None]:
        yield Progress(0)
        return clues

    assert finish(SmallestMuses(5, fits).run()) == []
