"""What a complete grid can be: counted, redrawn, and refused where there is no such grid."""

import json
from typing import Any

import msgspec
import pytest

from asking import ask, ask_grids, vectors
from cluewise.desks.sudoku.position import NINE, read_cells, write_cells
from cluewise.desks.sudoku.transform import Transform, apply
from cluewise.desks.sudoku.verbs.views import KEPT_BY
from commands import Command
from reference import sudoku_views

# Counted by a program that tries all pairs of row and column orders.
CASES: list[Any] = vectors("sudoku_views")["grids"]
GRID = CASES[2]["grid"]


@pytest.mark.parametrize("case", CASES)
def test_the_ways_are_those_of_an_independent_program_and_examples_obey(case: Any) -> None:
    found = ask_grids("views", case["grid"])["views"]
    assert [one["kind"] for one in found] == list(KEPT_BY)
    for one in found:
        assert one["ways"] == case[one["kind"]]
        if not one["ways"]:
            assert one["example"] is one["transform"] is None
            continue
        transform = msgspec.convert(one["transform"], Transform)
        assert write_cells(apply(transform, read_cells(case["grid"], NINE))) == one["example"]
        position = {"grids": [one["example"]], "constraints": [{"kind": one["kind"]}]}
        assert ask("sudoku", "solve", position)["solutions"] == "1"


@pytest.mark.sampled(of="sudoku, views")
@pytest.mark.parametrize("kind", KEPT_BY)
def test_counts_and_least_examples_are_those_of_trying_every_map(kind: str) -> None:
    count, least = sudoku_views.least_views(GRID, kind)
    (found,) = (one for one in ask_grids("views", GRID)["views"] if one["kind"] == kind)
    assert found["ways"] * KEPT_BY[found["kind"]] == count
    assert (found["example"] or "") == least


def test_the_terminal_prints_a_line_for_each_rule(command: Command) -> None:
    ran = command("sudoku", "views", "-", text=json.dumps({"grids": [GRID]}))
    assert ran.status == 0
    lines = ran.out.splitlines()
    assert [line.split()[:3] for line in lines[::2]] == [
        ["diagonals", "1", "way"], ["disjoint", "0", "ways"], ["antiking", "30", "ways"],
    ]  # fmt: skip
