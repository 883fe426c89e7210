"""Counts, search and doubt against enumeration of all layouts and closed formulas."""

import random
from array import array
from itertools import combinations
from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from asking import ask_mines
from cluewise.core.work import finish
from cluewise.desks.mines.engine import count as counting
from cluewise.desks.mines.engine.board import UNKNOWN, state, state_of_clues
from cluewise.desks.mines.engine.cdcl import backbone, consistent, lp_backbone, open_search
from cluewise.desks.mines.engine.count import count, sample
from cluewise.desks.mines.position import (
    Group,
    Position,
    Rectangle,
    Revealed,
    check,
    clue_names,
    graph,
)
from cluewise.desks.mines.verbs.solve import chance_bounds
from cluewise.service import to_plain
from reference.mines_boards import (
    count_grids,
    count_grids_with_mine,
    forced,
    layouts,
    random_position,
)


@pytest.mark.parametrize(
    ("width", "height", "mines"),
    [(30, 16, 99), (30, 16, 240), (30, 16, 479), (8, 8, 10), (8, 9, 36), (40, 25, 500), (3, 3, 9)],
)
def test_counts_with_one_open_corner_are_binomials(width: int, height: int, mines: int) -> None:
    """Numbers of up to a thousand bits, next to a corner that shows a 1 and has 3 neighbours."""
    board = graph(Position(board=Rectangle("square", width, height, None, None, mines)))
    cells, free = array("h", [UNKNOWN]) * board.cells, board.cells - 4
    untouched = finish(count(board, cells))
    assert untouched is not None
    assert untouched.solutions == comb(board.cells, mines)
    assert untouched.mass(5) == comb(board.cells - 1, mines - 1)
    cells[0] = 1
    found = finish(count(board, cells))
    if mines - 1 > free:
        assert found is None
        return
    assert found is not None
    assert found.solutions == 3 * comb(free, mines - 1)
    assert found.mass(1) == comb(free, mines - 1)
    assert found.mass(board.cells - 1) == (3 * comb(free - 1, mines - 2) if mines > 1 else 0)


@pytest.mark.parametrize("components", range(1, 7))
@pytest.mark.parametrize("mines", [6, 30, 31, 90, 150])
def test_counts_of_components_that_share_the_total_are_sums_of_binomials(
    components: int, mines: int
) -> None:
    """Components of three cells with two counts that share the middle, and unconstrained cells."""
    free = 150 - 3 * components
    groups = [Group(tuple(range(150)), mines, "total")]
    for i in range(components):
        groups += [Group((3 * i, 3 * i + 1), 1, "set"), Group((3 * i + 1, 3 * i + 2), 1, "set")]
    board = graph(Position(neighbours=((),) * 150, groups=tuple(groups)))
    found = finish(count(board, array("h", [UNKNOWN]) * 150))
    # A row is its middle alone, or both of its ends.
    ways = {components + twos: comb(components, twos) for twos in range(components + 1)}
    total = sum(n * comb(free, mines - taken) for taken, n in ways.items() if taken <= mines)
    if not total:
        assert found is None
        return
    assert found is not None
    assert found.solutions == total
    ends = sum(
        comb(components - 1, twos - 1) * comb(free, mines - components - twos)
        for twos in range(1, components + 1)
        if components + twos <= mines
    )
    assert found.mass(0) == found.mass(2) == ends
    assert found.mass(1) == total - ends
    one_free = sum(n * comb(free - 1, mines - taken - 1) for taken, n in ways.items()
                   if taken < mines)  # fmt: skip
    assert found.mass(149) == one_free


@pytest.mark.sampled(of="mines, every layout")
@pytest.mark.parametrize("units", [1, 60, 4000])
def test_count_does_not_depend_on_the_slice_size(
    units: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    positions = [random_position(seed) for seed in range(60)]
    positions.append(Position(board=Rectangle("square", 6, 6, (1, 2, 3, 2, 1, 2), None, 11)))
    asked = [(graph(position), state(position)) for position in positions]
    whole = [finish(count(board, cells)) for board, cells in asked]
    monkeypatch.setattr(counting, "SLICE", units)
    for (board, cells), one in zip(asked, whole, strict=True):
        job, slices = count(board, cells), 0
        for _ in job:
            slices += 1
        sliced = finish(count(board, cells))
        assert slices > 0 or units > 1 or one is None
        if one is None:
            assert sliced is None
            continue
        assert sliced is not None
        assert (sliced.solutions, sliced.masses) == (one.solutions, one.masses)
        assert list(sliced.classes) == list(one.classes)


@pytest.mark.parametrize("block", range(10))
def test_counts_and_forced_cells_of_500_random_boards_equal_brute_force(block: int) -> None:
    for seed in range(block * 50, block * 50 + 50):
        position = random_position(seed)
        check(position)
        truth = layouts(position)
        board, cells = graph(position), state(position)
        found, values = finish(count(board, cells)), finish(backbone(board, cells))
        by_simplex = finish(lp_backbone(board, cells))
        if not truth:
            assert found is None, seed
            assert values is None, seed
            assert not by_simplex, seed
            continue
        assert by_simplex == values, seed
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
def test_consistency_and_count_of_any_subset_of_clues_equal_brute_force(
    seed: int, data: st.DataObject
) -> None:
    position = random_position(seed, most=11)
    names = clue_names(position)
    some = data.draw(st.lists(st.sampled_from(names), unique=True)) if names else []
    board = graph(position)
    truth = layouts(position, set(some))
    cells, clues = state_of_clues(position, some)
    assert finish(consistent(board, cells, clues)) == bool(truth)
    found = finish(count(board, cells, clues))
    assert (found.solutions if found else 0) == len(truth)


@given(st.integers(1000, 10_000_000))
@settings(deadline=None, max_examples=60)
def test_model_of_the_search_is_a_layout(seed: int) -> None:
    position = random_position(seed, most=12)
    board, cells = graph(position), state(position)
    with open_search(board, cells) as search:
        values = finish(search.layout())
    if values is None:
        assert not layouts(position)
        return
    mines = {c for c, v in enumerate(values) if v == 1} | set(position.flags)
    assert frozenset(mines) in layouts(position)


@given(st.integers(0, 10_000_000))
@settings(deadline=None, max_examples=50)
def test_doubt_lists_the_smallest_contradictions_and_repairs(seed: int) -> None:
    position = random_position(seed * 4, most=9)
    names = clue_names(position)
    answer = ask_mines("doubt", to_plain(position))
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


@pytest.mark.sampled(of="mines, every layout")
def test_sampled_count_that_keeps_every_state_is_exact() -> None:
    for seed in range(1, 120, 3):
        position = random_position(seed)
        board, cells = graph(position), state(position)
        exact, sampled = finish(count(board, cells)), finish(sample(board, cells, 100_000, 1))
        assert (exact is None) == (sampled is None)
        if exact and sampled:
            assert sampled.solutions == pytest.approx(exact.solutions, rel=1e-9)
            assert list(sampled.masses) == pytest.approx(exact.masses, rel=1e-9)


@pytest.mark.sampled(of="mines, every layout")
@pytest.mark.parametrize("shown", [(), (Revealed(24, 3), Revealed(8, 4))])
def test_sampled_counts_are_unbiased(shown: tuple[Revealed, ...]) -> None:
    board = Rectangle("square", 7, 7, (3, 2, 4, 3, 2, 3, 4), (2, 4, 3, 3, 3, 2, 4))
    position = Position(board=board, revealed=shown)
    exact = finish(count(graph(position), state(position)))
    assert exact is not None
    runs = [finish(sample(graph(position), state(position), 40, seed)) for seed in range(300)]
    mean = sum(r.solutions for r in runs if r) / len(runs)
    assert mean == pytest.approx(exact.solutions, rel=0.1)


def test_probabilities_lie_within_the_bounds_computed_without_a_count() -> None:
    narrow = 0
    for seed in range(300):
        position = random_position(seed, most=12)
        fits = layouts(position)
        if not fits:
            continue
        cells = state(position)
        low, high = chance_bounds(graph(position), cells)
        for cell, mark in enumerate(cells):
            if mark == UNKNOWN:
                share = sum(cell in mines for mines in fits) / len(fits)
                assert low[cell] - 1e-12 <= share <= high[cell] + 1e-12
                narrow += (low[cell], high[cell]) != (0, 1)
    assert narrow


@given(st.integers(2, 7), st.integers(2, 7), st.floats(0.1, 0.9), st.integers(0, 10_000))
@settings(deadline=None, max_examples=120)
def test_counts_of_grids_equal_a_recursion_over_rows(
    width: int, height: int, share: float, seed: int
) -> None:
    rng = random.Random(seed)
    mines = {c for c in range(width * height) if rng.random() < share}
    rows = [sum(y * width + x in mines for x in range(width)) for y in range(height)]
    columns = [sum(y * width + x in mines for y in range(height)) for x in range(width)]
    if seed % 5 == 0:
        moved = rng.sample(range(height), 2)
        rows[moved[0]] = min(width, rows[moved[0]] + 1)
        rows[moved[1]] = max(0, rows[moved[1]] - 1)
    board = Rectangle("square", width, height, tuple(rows), tuple(columns))
    found = finish(count(graph(position := Position(board=board)), state(position)))
    every = count_grids(tuple(rows), tuple(columns))
    if found is None:
        assert every == 0
        return
    assert found.solutions == every
    for cell in range(width * height):
        y, x = divmod(cell, width)
        assert found.mass(cell) == count_grids_with_mine(tuple(rows), tuple(columns), y, x), cell


def test_marginals_of_a_count_above_64_bits_sum_to_the_clues() -> None:
    """15 by 14, more layouts than 64 bits hold: the mean of a row or column is its count."""
    rng, width, height = random.Random(3), 15, 14
    mines = {c for c in range(width * height) if rng.random() < 0.25}
    rows = tuple(sum(y * width + x in mines for x in range(width)) for y in range(height))
    columns = tuple(sum(y * width + x in mines for y in range(height)) for x in range(width))
    position = Position(board=Rectangle("square", width, height, rows, columns))
    found = finish(count(graph(position), state(position)))
    assert found is not None
    assert found.solutions > 2**64
    mass = [[found.mass(y * width + x) for x in range(width)] for y in range(height)]
    assert [sum(line) for line in mass] == [n * found.solutions for n in rows]
    assert [sum(line[x] for line in mass) for x in range(width)] == [
        n * found.solutions for n in columns
    ]


def test_marginals_of_a_line_sum_to_its_count() -> None:
    """The marginals of a row sum to its count, also where equal clues are merged."""
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


def test_unequal_sums_of_rows_and_columns_are_found_without_a_count() -> None:
    cells = [c for c in range(144) if c % 13 not in (3, 8)]
    place = {c: i for i, c in enumerate(cells)}
    lines = [[place[c] for c in range(12 * y, 12 * y + 12) if c in place] for y in range(12)]
    lines += [[place[c] for c in range(x, 144, 12) if c in place] for x in range(12)]
    groups = [Group(tuple(line), 2 + i % 12 % 4) for i, line in enumerate(lines)]
    groups.append(Group(tuple(range(len(cells))), sum(g.count for g in groups[:12]) + 1))
    position = Position(neighbours=((),) * len(cells), groups=tuple(groups))
    answer = ask_mines("doubt", to_plain(position))
    rows, columns = ([f"group:{i}" for i in half] for half in (range(12), range(12, 24)))
    assert answer["smallest"] == [[*rows, "group:24"], [*columns, "group:24"]]
    assert answer["proved"] is True
    assert [(r["clue"], r["distance"]) for r in answer["repairs"]] == [("group:24", 1)]
