"""Links that are broken, and rules in links that make no sense: said, never guessed at."""

from typing import Any

import pytest

from asking import vectors
from cluewise.desks.sudoku.constraints import Constraint
from cluewise.desks.sudoku.formats.constraints import (
    read_fpuzzles_constraints,
    read_sudokupad_constraints,
)
from cluewise.desks.sudoku.formats.sudokupad import parse_short_json
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


def drawing(puzzle: dict[str, Any], rules: str) -> dict[str, Any]:
    """SudokuPad's form of a puzzle whose drawings are short lists."""
    strokes = {key: [{"wayPoints": [one[i : i + 2] for i in range(0, len(one) - 1, 2)],
                      "color": one[-1]} for one in puzzle.get(key, [])]
               for key in ("lines", "arrows")}  # fmt: skip
    shapes = [{"center": one[:2], "width": one[2], "height": (one + one[2:3])[6],
               "rounded": one[3] == "circle", "backgroundColor": one[4], "text": one[5]}
              for one in puzzle.get("overlays", [])]  # fmt: skip
    cages = [{"cells": [one[:2], one[2:4]], "value": one[4]} for one in puzzle.get("cages", [])]
    return {**strokes, "overlays": shapes, "cages": cages, "metadata": {"rules": rules}}


def in_words(one: Constraint) -> str:
    more = [("sum", one.sum), ("value", one.value), ("values", " ".join(map(str, one.values))),
            ("head", one.head if one.head > 1 else None), ("of", one.of)]  # fmt: skip
    fields = [f"{name} {value}" for name, value in more if value not in (None, "")]
    return " ".join([one.name or one.kind, *map(str, one.cells), *fields])


@pytest.mark.parametrize(("rules", "puzzle", "expected"), vectors("sudoku_drawings"))
def test_what_is_drawn_is_read_as_the_rules_say(
    rules: str, puzzle: dict[str, Any], expected: list[str]
) -> None:
    read = read_sudokupad_constraints(drawing(puzzle, rules), 9)
    assert sorted(map(in_words, read)) == sorted(expected)


def test_the_cells_drawings_of_f_puzzles_are_read_unless_a_constraint_has_drawn_them() -> None:
    line = {"lines": [["R1C1", "R1C2"]], "outlineC": "#67f067"}
    stated = {**line, "fromConstraint": "Whispers"}
    puzzle: dict[str, Any] = {"grid": [], "antiknight": True, "line": [line, stated],
              "ruleset": "Adjacent digits on a green line differ by at least 4."}  # fmt: skip
    assert read_fpuzzles_constraints(puzzle, 9) == [
        Constraint("antiknight"), Constraint("whispers", (0, 1), value=4)
    ]  # fmt: skip
    del puzzle["line"][0]
    assert read_fpuzzles_constraints(puzzle, 9) == [Constraint("antiknight")]
    puzzle["ruleset"] += " One cell of each row is a doubler."
    assert said(read_fpuzzles_constraints(puzzle, 9)) == [
        ("antiknight", ()), ("rules written in words", ())
    ]  # fmt: skip
