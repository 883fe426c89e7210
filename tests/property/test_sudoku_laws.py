"""Laws of transforms, forms and symmetries; the shortest witness against trying everything."""

from itertools import islice
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from asking import vectors
from cluewise.core.work import finish
from cluewise.desks.sudoku.engine.canonical import canonical, shortest_transform, straight_form
from cluewise.desks.sudoku.engine.random_boards import shifted_grid
from cluewise.desks.sudoku.engine.solver import solutions, solve_nine
from cluewise.desks.sudoku.position import (
    NINE,
    Cells,
    Position,
    Shape,
    conflict,
    read_cells,
    write_cells,
)
from cluewise.desks.sudoku.results import SameOptions
from cluewise.desks.sudoku.transform import (
    Transform,
    apply,
    between,
    compose,
    cost,
    elements,
    from_map,
    identity,
    inverse,
    normalise_unused_digits,
    shortest_in_coset,
    steps,
)
from cluewise.desks.sudoku.verbs.same import same
from cluewise.errors import TooLarge
from reference import sudoku as slow
from reference import sudoku_variants as variants
from reference.sudoku_boards import play, transforms

VECTORS: dict[str, Any] = vectors("sudoku")
GRIDS = [g["grid"] for g in VECTORS["grids"]] + [g["scramble"] for g in VECTORS["special"]]
SHAPES = [Shape(2, 2), Shape(2, 3), Shape(3, 2), NINE, Shape(3, 4), Shape(4, 4)]
LAWS = settings(deadline=None, max_examples=60)


@st.composite
def boards(draw: st.DrawFn, shape: Shape) -> Cells:
    """Complete grids and parts of them: all givens, most, few, whole digits, whole rows."""
    grid = shifted_grid(shape)
    if shape == NINE:
        grid = read_cells(draw(st.sampled_from(GRIDS)), NINE)
    grid = apply(draw(transforms(shape)), grid)
    kind = draw(st.sampled_from(["all", "most", "few", "digits", "rows"]))
    if kind == "digits":
        kept = draw(st.sets(st.integers(1, shape.size)))
        return bytes(d if d in kept else 0 for d in grid)
    if kind == "rows":
        rows = draw(st.sets(st.integers(0, shape.size - 1)))
        return bytes(d if i // shape.size in rows else 0 for i, d in enumerate(grid))
    share = {"all": 100, "most": 80, "few": 25}[kind]
    chance = np.random.default_rng(draw(st.integers(0, 2**32))).integers(0, 100, shape.cells)
    return bytes(d if c < share else 0 for d, c in zip(grid, chance.tolist(), strict=True))


CASES = st.sampled_from(SHAPES).flatmap(
    lambda shape: st.tuples(st.just(shape), boards(shape), transforms(shape))
)


@given(CASES)
@LAWS
def test_forms_do_not_change_under_transforms(case: tuple[Shape, Cells, Transform]) -> None:
    shape, cells, t = case
    first, second = canonical(cells, shape), canonical(apply(t, cells), shape)
    assert first.form == second.form == apply(first.transform, cells)
    assert first.order == second.order
    try:
        least = finish(straight_form(cells, shape))
    except TooLarge:  # dense rows of large shapes; `same` still answers
        assert shape.size > 9
        return
    assert least.cells == finish(straight_form(apply(t, cells), shape)).cells
    assert apply(least.transform, cells) == least.cells <= cells if shape == NINE else True
    assert least.ties == first.order


@given(CASES)
@LAWS
def test_a_witness_and_its_steps_give_the_other_board(
    case: tuple[Shape, Cells, Transform],
) -> None:
    shape, cells, t = case
    other = apply(t, cells)
    position = Position(
        box=(shape.rows, shape.cols), grids=(write_cells(cells), write_cells(other))
    )
    found = finish(same(position, SameOptions()))
    assert found.same
    assert found.witness is not None
    assert found.steps is not None
    assert apply(found.witness, cells) == other
    at = cells
    for step in found.steps:
        at = play(step, at, shape)
    assert at == other
    assert len(found.steps) == cost(found.witness, shape) <= cost(t, shape) or not found.shortest


@given(CASES)
@LAWS
def test_position_only_comparison_finds_transforms_that_keep_names(
    case: tuple[Shape, Cells, Transform],
) -> None:
    shape, cells, t = case
    t = Transform(t.transpose, t.rows, t.cols, identity(shape.size).digits)
    pair = (write_cells(cells), write_cells(apply(t, cells)))
    position = Position(box=(shape.rows, shape.cols), grids=pair)
    found = finish(same(position, SameOptions(no_relabel=True)))
    assert found.same
    assert found.witness is not None
    assert found.steps is not None
    assert found.witness.digits == identity(shape.size).digits
    assert apply(found.witness, cells) == apply(t, cells)


@given(CASES)
@LAWS
def test_generators_generate_a_group_of_the_stated_order(
    case: tuple[Shape, Cells, Transform],
) -> None:
    shape, cells, _ = case
    found = canonical(cells, shape)
    assert all(apply(g, cells) == cells for g in found.generators)
    size = (2 if shape.square else 1) * _factorial(shape.rows) ** shape.cols
    size *= _factorial(shape.cols) ** shape.rows * _factorial(shape.rows) * _factorial(shape.cols)
    assert size % found.order == 0
    if found.order <= 2000:
        members, complete = elements(found.generators, shape.size, 4000)
        assert complete
        assert len(members) == found.order


def _factorial(n: int) -> int:
    return n * _factorial(n - 1) if n > 1 else 1


@given(CASES, st.data())
@LAWS
def test_transforms_form_a_group(case: tuple[Shape, Cells, Transform], data: st.DataObject) -> None:
    shape, cells, t = case
    u = data.draw(transforms(shape))
    assert apply(compose(t, u), cells) == apply(u, apply(t, cells))
    assert compose(t, inverse(t)) == compose(inverse(t), t) == identity(shape.size)
    at = cells
    for step in steps(t, shape):
        at = play(step, at, shape)
    assert at == apply(t, cells)


@given(st.sampled_from(GRIDS), st.integers(0, 2**32), st.sampled_from([20, 30, 40, 50]))
@LAWS
def test_solution_counts_agree_with_plain_search(grid: str, seed: int, blanks: int) -> None:
    gone = set(np.random.default_rng(seed).permutation(81)[:blanks].tolist())
    puzzle = "".join("." if i in gone else c for i, c in enumerate(grid))
    cells = read_cells(puzzle, NINE)
    expected = list(islice(slow.completions(list(cells), 3, 3), 12))
    _, counts = solve_nine(cells, 1, 12)
    assert counts == [len(expected)]
    found = finish(solutions(cells, NINE)).found
    for solution in found:
        assert 0 not in solution
        assert not conflict(solution, NINE)
        assert all(a in (0, b) for a, b in zip(cells, solution, strict=True))
    assert len(set(found)) == min(2, len(expected))


def test_the_288_grids_of_order_2_fall_into_two_classes_and_three_without_transposing() -> None:
    shape = Shape(2, 2)
    grids = list(variants.grids(variants.differing(2, 2), 4))
    assert len(grids) == 288
    orders = [canonical(g, shape) for g in grids]
    assert len({found.form for found in orders}) == 2
    assert len({finish(straight_form(g, shape)).cells for g in grids}) == 2
    left, upright = set(grids), 0
    while left:  # one orbit of everything but transposing at a time
        reached = [left.pop()]
        for grid in reached:
            reached += (more := {apply(t, grid) for t in UPRIGHT} & left)
            left -= more
        upright += 1
    assert upright == 3


UPRIGHT = [
    from_map(data, 4)
    for data in (
        [0, 1, 0, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 4], [0, 2, 3, 0, 1, 0, 1, 2, 3, 0, 1, 2, 3, 4],
        [0, 0, 1, 2, 3, 1, 0, 2, 3, 0, 1, 2, 3, 4], [0, 0, 1, 2, 3, 2, 3, 0, 1, 0, 1, 2, 3, 4],
        [0, 0, 1, 2, 3, 0, 1, 2, 3, 0, 2, 1, 3, 4], [0, 0, 1, 2, 3, 0, 1, 2, 3, 0, 2, 3, 4, 1],
    )
]  # fmt: skip


def test_position_only_is_exact_on_all_pairs_with_a_four_by_four_grid() -> None:
    """Atoms decide on order 2: the comparison of collections agrees with the exact answer."""
    from cluewise.desks.sudoku.verbs.table import miniline_sets_match

    shape = Shape(2, 2)
    grids = list(variants.grids(variants.differing(2, 2), 4))
    forms = [canonical(g, shape, labelled=True).form for g in grids]
    for i in (0, 17, 101, 250):
        for g, form in zip(grids, forms, strict=True):
            assert miniline_sets_match(grids[i], g, shape) == (forms[i] == form)


SMALL = [Shape(2, 2), Shape(2, 3), Shape(3, 2)]


@st.composite
def pairs(draw: st.DrawFn, shapes: list[Shape]) -> tuple[Shape, Cells, Cells, bool]:
    """A board of few symbols, which has many symmetries, and a disguise of it, or nearly one."""
    shape, labelled = draw(st.sampled_from(shapes)), draw(st.booleans())
    spots = draw(st.dictionaries(st.integers(0, shape.cells - 1), st.integers(1, 3), max_size=14))
    cells = bytearray(shape.cells)
    for at, symbol in spots.items():
        cells[at] = symbol
        if conflict(bytes(cells), shape):
            cells[at] = 0
    a = bytes(cells)
    b = apply(draw(transforms(shape, labelled=labelled)), a)
    if draw(st.integers(0, 3)) == 0:
        at = draw(st.integers(0, shape.cells - 1))
        nearly = b[:at] + bytes([1 if b[at] != 1 else 0]) + b[at + 1 :]
        b = b if conflict(nearly, shape) else nearly
    return shape, a, b, labelled


@given(pairs(SMALL))
@settings(deadline=None, max_examples=120)
def test_no_transform_of_all_takes_fewer_steps(case: tuple[Shape, Cells, Cells, bool]) -> None:
    shape, a, b, labelled = case
    expected = slow.fewest_steps(a, b, *shape, labelled=labelled)
    found = shortest_transform(a, b, shape, labelled=labelled)
    if expected is None or found is None:
        assert expected is None
        assert found is None
        return
    assert apply(found, a) == b
    assert expected == (cost(found, shape), found.transpose, found.rows, found.cols)


@pytest.mark.parametrize("labelled", [False, True])
def test_grids_with_symmetries_agree_with_trying_each_of_those(labelled: bool) -> None:
    tried = 0
    for case in VECTORS["special"]:
        a, b = read_cells(case["minlex"], NINE), read_cells(case["scramble"], NINE)
        first, second = canonical(a, NINE, labelled=labelled), canonical(b, NINE, labelled=labelled)
        found = shortest_transform(a, b, NINE, labelled=labelled)
        if first.form != second.form:
            assert found is None
            continue
        symmetries, complete = elements(first.generators, 9, 700)
        assert complete
        best = shortest_in_coset(symmetries, between(first.transform, second.transform), NINE)
        assert found == normalise_unused_digits(best, a)
        tried += 1
    assert tried == (0 if labelled else len(VECTORS["special"]))


@given(pairs([NINE]))
@settings(deadline=None, max_examples=120)
def test_sparse_boards_are_never_left_unproved(case: tuple[Shape, Cells, Cells, bool]) -> None:
    shape, a, b, labelled = case
    first, second = (canonical(g, shape, labelled=labelled) for g in (a, b))
    found = shortest_transform(a, b, shape, labelled=labelled)
    assert (found is None) == (first.form != second.form)
    if found is None:
        return
    assert apply(found, a) == b
    symmetries, complete = elements(first.generators, 9, 300)
    some = between(first.transform, second.transform)
    least = shortest_in_coset(
        symmetries, some if labelled else normalise_unused_digits(some, a), shape
    )
    assert cost(found, shape) <= cost(least, shape)
    if complete:
        assert cost(found, shape) == cost(least, shape)


def test_one_given_moves_in_as_few_steps_as_its_place_asks_for() -> None:
    position = Position(grids=("1" + "." * 80, "." * 80 + "2"))
    found = finish(same(position, SameOptions()))
    assert found.shortest is True
    assert found.ways == 41472
    assert found.steps is not None
    # Row 1 to row 9 takes a band and a row, the columns as much; then 1 is renamed.
    assert [step.kind for step in found.steps] == [
        "swap bands", "swap rows", "swap stacks", "swap columns", "relabel",
    ]  # fmt: skip


def test_larger_shapes_are_refused_by_name_and_answered_all_the_same() -> None:
    shape = Shape(3, 4)
    board = bytes([1]) + bytes(143)
    with pytest.raises(TooLarge):
        shortest_transform(board, board, shape)
    grids = (write_cells(board), write_cells(board[::-1]))
    found = finish(same(Position(box=(3, 4), grids=grids), SameOptions()))
    assert found.same
    assert found.shortest is False
