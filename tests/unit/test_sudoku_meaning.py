"""Constraints that mean the same compare equal, however they are written."""

from typing import Any

import pytest

from asking import vectors
from cluewise.service import run

CASES = vectors("sudoku_meaning_cases")

PAIRS: list[Any] = vectors("sudoku_meaning")["pairs"]


def same(first: list[Any], second: list[Any]) -> bool:
    rules = [one | {"board": board} for board, own in enumerate((first, second)) for one in own]
    position = {"grids": ["." * 81] * 2, "constraints": rules}
    found = run({"desk": "sudoku", "want": "same", "position": position})
    return bool(found["same"])


@pytest.mark.parametrize("case", PAIRS, ids=[one["name"] for one in PAIRS])
def test_constraints_compare_by_meaning(case: Any) -> None:
    assert same(case["first"], case["second"]) == case["same"]


def rule(kind: str, *cells: int, **more: Any) -> dict[str, Any]:
    return {"kind": kind, "cells": list(cells), **more} if cells else {"kind": kind, **more}


EQUAL = CASES["EQUAL"]


@pytest.mark.parametrize(("first", "second"), EQUAL)
def test_rules_that_say_nothing_more_change_nothing(first: list[Any], second: list[Any]) -> None:
    assert same([*first, rule("antiking")], [*second, rule("antiking")])


DIFFERENT = CASES["DIFFERENT"]


@pytest.mark.parametrize(("first", "second"), DIFFERENT)
def test_what_means_something_else_is_different(first: list[Any], second: list[Any]) -> None:
    assert not same(first, second)
