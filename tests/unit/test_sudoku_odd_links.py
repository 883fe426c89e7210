"""Links that are broken, and rules in links that make no sense: said, never guessed at."""

from typing import Any

import pytest

from asking import vectors
from cluewise.desks.sudoku.constraints import Constraint
from cluewise.desks.sudoku.formats.constraints import (
    read_fpuzzles_constraints,
    read_sudokupad_constraints,
)
from cluewise.desks.sudoku.formats.sudokupad_json import parse_short_json
from cluewise.errors import BadNotation

CASES = vectors("sudoku_odd_links")


@pytest.mark.parametrize(
    "text",
    [
        "", "[", "{", "[1,", "[1 2]", "{a 1}", "{a:1 b:2}", "{a:}", "{a:1}}", "[1]]", "]", ",",
        "'never closed", "{a:[1,2}", "[" * 60 + "one" + "]" * 60,
    ],
)  # fmt: skip
def test_text_that_is_no_shortened_json_is_refused_in_words(text: str) -> None:
    with pytest.raises(BadNotation, match="does not hold a board of SudokuPad"):
        parse_short_json(text)


def test_shortened_json_is_what_it_says() -> None:
    assert parse_short_json("{ce:[[,{v:5},],[]],t:'a\\nb',on:t}") == {
        "ce": [[{}, {"v": 5}, {}], []], "t": "a\nb", "on": parse_short_json("{a:t}")["a"]
    }  # fmt: skip


def said(found: Any) -> list[tuple[str, tuple[int, ...]]]:
    return [(one.name or one.kind, tuple(one.cells)) for one in found]


@pytest.mark.parametrize(("cage", "expected"), CASES["a drawn cage is read whole or named"])
def test_a_drawn_cage_is_read_whole_or_named(
    cage: Any, expected: tuple[str, tuple[int, ...]]
) -> None:
    name, cells = expected
    assert said(read_sudokupad_constraints({"cages": [cage]}, 9)) == [(name, tuple(cells))]


@pytest.mark.parametrize(
    ("about", "names"),
    [({"norowcol": "t"}, ["rows and columns that do not count"]), ({"norowcol": False}, [])],
)
def test_rows_that_do_not_count_are_named(about: dict[str, Any], names: list[str]) -> None:
    assert [name for name, _ in said(read_sudokupad_constraints({"metadata": about}, 9))] == names


def test_more_constraints_than_a_position_holds_are_kept_by_their_names() -> None:
    cages = [{"cells": [f"R{r}C{c}", f"R{r}C{c + 1}"], "value": total}
             for r in range(1, 10) for c in range(1, 9) for total in range(3, 18)]  # fmt: skip
    few = read_fpuzzles_constraints({"grid": [], "killercage": cages[:500]}, 9)
    assert (len(few), few[0]) == (500, Constraint("killer", (0, 1), 3))
    found = read_fpuzzles_constraints({"grid": [], "killercage": cages, "antiknight": True}, 9)
    assert [(one.kind, one.name) for one in found] == [
        ("other", "killer cages"), ("other", "antiknight")
    ]  # fmt: skip
