"""The closure is sound and equals its slow twin."""

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from cluewise.core.work import finish
from cluewise.desks.mines.engine.board import state
from cluewise.desks.mines.engine.closure import Cap, open_closure
from cluewise.desks.mines.position import graph
from reference import mines_closure
from reference.mines_boards import decided, random_position
from reference.mines_brute_force import layouts


@given(st.integers(1, 10_000_000), st.integers(0, 3))
@settings(deadline=None, max_examples=100)
def test_every_inequality_ever_derived_holds_in_every_layout(seed: int, limit: int) -> None:
    position = random_position(seed, most=11)
    truth = layouts(position)
    assume(truth)
    with open_closure(graph(position), state(position), cap=Cap()) as closure:
        found = finish(closure.step(limit))
        rows = closure.log()
    for row in rows:
        assert all(row.low <= len(mines & set(row.cells)) <= row.high for mines in truth)
    assert found is any(row.trivial for row in rows)


@given(st.integers(1, 10_000_000), st.integers(0, 2), st.sampled_from([(1000, 0), (4, 1)]))
@settings(deadline=None, max_examples=80)
def test_one_step_equals_the_slow_closure(seed: int, limit: int, cap: tuple[int, int]) -> None:
    position = random_position(seed, most=12)
    assume(layouts(position))
    held = mines_closure.clues(position)
    inexact = 0

    def crossed(cells: frozenset[int], low: int) -> bool:
        return not (len(cells) > cap[0] and low > cap[1])

    while not any(mines_closure.trivial(held)):
        if mines_closure.round_of(held, True, crossed):
            continue
        if inexact == limit or not mines_closure.round_of(held, False, crossed):
            break
        inexact += 1
    with open_closure(graph(position), state(position), cap=Cap(*cap)) as closure:
        finish(closure.step(limit))
        rows = closure.log()
    assert len({row.mask for row in rows}) == len(held)
    assert decided(rows) == mines_closure.trivial(held)
