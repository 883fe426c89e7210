"""The shortest witness, against trying everything and against trying the symmetries."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from asking import vectors
from cluewise.core.work import finish
from cluewise.desks.sudoku.engine.canonical import canonical, shortest_transform
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
    apply,
    between,
    cost,
    elements,
    normalise_unused_digits,
    shortest_in_coset,
)
from cluewise.desks.sudoku.verbs.same import same
from cluewise.errors import TooLarge
from reference import sudoku as slow
from reference.sudoku_boards import transforms

VECTORS: dict[str, Any] = vectors("sudoku")
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
    wanted = slow.fewest_steps(a, b, *shape, labelled=labelled)
    found = shortest_transform(a, b, shape, labelled=labelled)
    if wanted is None or found is None:
        assert wanted is None
        assert found is None
        return
    assert apply(found, a) == b
    assert wanted == (cost(found, shape), found.transpose, found.rows, found.cols)


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
