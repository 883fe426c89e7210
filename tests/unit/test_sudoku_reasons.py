"""Why two boards are different: each reason names what anybody can check by hand."""

from typing import Any

import pytest

from asking import ask_grids, vectors
from cluewise.core.work import finish
from cluewise.desks.sudoku.position import NINE, Shape, read_cells
from cluewise.desks.sudoku.verbs import same_reasons

GRID = "123456789456789123789123456214365897365897214897214365531642978642978531978531642"
OTHER = "417369825632158947958724316825437169791586432346912758289643571573291684164875293"
# By a program that counts the strips of every pair of symbols one by one.
MEETINGS: list[Any] = vectors("sudoku_cases")["meetings"]["pairs"]


def test_bands_are_told_by_their_numbers() -> None:
    a, b = read_cells(GRID, NINE), read_cells(OTHER, NINE)
    because = finish(same_reasons._bands(a, b))
    assert because is not None
    x, y = (ask_grids("number", grid)["chutes"] for grid in (GRID, OTHER))
    assert (because.first_lists, because.second_lists) == ([sorted(x)], [sorted(y)])
    assert (because.first, because.first_cells) == (x[0], [[*range(27)]])
    assert because.text.startswith("There are 416 essentially different bands.")
    assert finish(same_reasons._bands(a, a)) is None


@pytest.mark.parametrize("case", MEETINGS)
def test_shared_strips_are_those_of_an_independent_program(case: Any) -> None:
    found = ask_grids("same", *case["grids"], box=case["box"])
    because = found["because"]
    assert because.get("meetings") == case["meetings"]
    counted_before = ("givens", "symbols", "lines")
    assert because["kind"] in (*counted_before, "meetings" if case["meetings"] else "table")
    kept = ask_grids("same", *case["grids"], box=case["box"], no_relabel=True)
    assert "meetings" not in kept["because"]


def test_symmetries_are_counted_on_both_sides() -> None:
    a, b = read_cells(GRID, NINE), read_cells(OTHER, NINE)
    because = same_reasons._group(a, b, NINE, False)
    assert because is not None
    assert because.text == "3 transforms take the first to itself, 1 the second to itself."
    assert (because.first, because.second) == (3, 1)
    assert same_reasons._group(a, a, NINE, False) is None


@pytest.mark.parametrize(
    ("labelled", "name"), [(False, "least forms"), (True, "canonical forms with every symbol kept")]
)
def test_forms_part_at_a_cell_that_both_can_see(labelled: bool, name: str) -> None:
    a, b = read_cells(GRID, NINE), read_cells(OTHER, NINE)
    because = finish(same_reasons._forms(a, b, NINE, labelled))
    first, second = str(because.first), str(because.second)
    at = 9 * (because.row or 0) + (because.col or 0)
    assert first[:at] == second[:at]
    assert because.text == (
        f"Their {name} part in row {at // 9 + 1}, column {at % 9 + 1}: "
        f"{first[at]} in the first, {second[at]} in the second."
    )
    if not labelled:
        assert first == GRID  # the least of all grids


def test_a_mark_that_tells_boards_apart_names_its_row_column_or_symbol() -> None:
    because = same_reasons._certificate([0, 10, 20], 9)
    assert because.kind == "certificate"
    assert because.text.startswith("Mark row 1, then column 2, then symbol 3 of the first board.")


def test_a_board_too_large_for_refinement_is_left_to_the_forms() -> None:
    assert (
        finish(same_reasons._strong(read_cells("." * 1296, Shape(6, 6)), b"", Shape(6, 6))) is None
    )
