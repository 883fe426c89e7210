"""Counting, searching and doubting agree with trying all layouts."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cluewise.core.work import finish
from cluewise.desks.mines.engine.board import UNKNOWN, chosen, state
from cluewise.desks.mines.engine.count import count, sample
from cluewise.desks.mines.engine.search import backbone, consistent, searching
from cluewise.desks.mines.position import Position, Rectangle, check, clue_names, graph
from cluewise.service import run, to_plain
from reference.mines_boards import random_position
from reference.mines_brute import forced, layouts


@pytest.mark.parametrize("block", range(10))
def test_counts_and_forced_cells_of_500_random_boards(block: int) -> None:
    for seed in range(block * 50, block * 50 + 50):
        position = random_position(seed)
        check(position)
        truth = layouts(position)
        board, cells = graph(position), state(position)
        found, values = finish(count(board, cells)), finish(backbone(board, cells))
        if not truth:
            assert found is None, seed
            assert values is None, seed
            continue
        assert found is not None, seed
        assert values is not None, seed
        assert found.solutions == len(truth), seed
        asked = [c for c, mark in enumerate(cells) if mark == UNKNOWN]
        masses = [found.mass(c) for c in asked]
        assert masses == [sum(c in mines for mines in truth) for c in asked], seed
        split = ([c for c, v in enumerate(values) if v == 0],
                 [c for c, v in enumerate(values) if v == 1])  # fmt: skip
        assert split == forced(position, truth), seed


@given(st.integers(1000, 10_000_000), st.data())
@settings(deadline=None, max_examples=60)
def test_any_subset_of_clues_is_judged_as_brute_force_does(seed: int, data: st.DataObject) -> None:
    position = random_position(seed, most=11)
    names = clue_names(position)
    some = data.draw(st.lists(st.sampled_from(names), unique=True)) if names else []
    board = graph(position)
    truth = layouts(position, set(some))
    cells, clues = chosen(position, some, board)
    assert finish(consistent(board, cells, clues)) == bool(truth)
    found = finish(count(board, cells, clues))
    assert (found.solutions if found else 0) == len(truth)


@given(st.integers(1000, 10_000_000))
@settings(deadline=None, max_examples=60)
def test_a_model_is_a_layout(seed: int) -> None:
    position = random_position(seed, most=12)
    board, cells = graph(position), state(position)
    with searching(board, cells) as search:
        values = finish(search.layout())
    if values is None:
        assert not layouts(position)
        return
    mines = {c for c, v in enumerate(values) if v == 1} | set(position.flags)
    assert frozenset(mines) in layouts(position)


@given(st.integers(0, 10_000_000))
@settings(deadline=None, max_examples=50)
def test_doubt_names_the_smallest_contradictions_and_what_mends_them(seed: int) -> None:
    position = random_position(seed * 4, most=9)
    names = clue_names(position)
    answer = run({"desk": "mines", "want": "doubt", "position": to_plain(position)})
    contradictory = not layouts(position)
    assert answer["contradiction"] is contradictory
    if not contradictory:
        implied = [
            n for n in names
            if len(layouts(position, set(names) - {n})) == len(layouts(position))
        ]  # fmt: skip
        assert answer["redundant"] == implied
        return
    for size in range(1, len(names) + 1):
        sets = [list(s) for s in combinations(names, size) if not layouts(position, set(s))]
        if sets:
            assert answer["smallest"] == sets[:100]
            break
    for repair in answer["repairs"]:
        assert repair["distance"] >= 1
        assert repair["remaining"] != "0"


def test_a_sample_that_keeps_every_state_is_exact() -> None:
    for seed in range(1, 120, 3):
        position = random_position(seed)
        board, cells = graph(position), state(position)
        exact, sampled = finish(count(board, cells)), finish(sample(board, cells, 100_000, 1))
        assert (exact is None) == (sampled is None)
        if exact and sampled:
            assert sampled.solutions == pytest.approx(exact.solutions, rel=1e-9)
            assert list(sampled.masses) == pytest.approx(exact.masses, rel=1e-9)


def test_samples_are_unbiased_on_a_board_that_can_be_counted() -> None:
    board = Rectangle("square", 7, 7, (3, 2, 4, 3, 2, 3, 4), (2, 4, 3, 3, 3, 2, 4))
    position = Position(board=board)
    exact = finish(count(graph(position), state(position)))
    assert exact is not None
    runs = [finish(sample(graph(position), state(position), 40, seed)) for seed in range(300)]
    mean = sum(r.solutions for r in runs if r) / len(runs)
    assert mean == pytest.approx(exact.solutions, rel=0.1)


def test_rows_and_columns_with_equal_and_unequal_counts_add_up() -> None:
    """Cells of a row have the row's count on average: what merging clues must not break."""
    for rows, columns in (
        ((3, 3, 3, 3, 3, 3), (3, 3, 3, 3, 3, 3)),
        ((1, 2, 3, 4, 5, 0), (1, 2, 3, 4, 5, 0)),
        ((2, 2, 4, 4, 1, 3, 3), (3, 3, 3, 2, 2, 4, 2)),
    ):
        n = len(rows)
        position = Position(board=Rectangle("square", n, n, rows, columns))
        found = finish(count(graph(position), state(position)))
        assert found is not None
        for group in graph(position).groups:
            total = sum(found.mass(c) for c in group.cells)
            assert total == group.count * found.solutions
