"""Constraints that mean the same compare equal, however they are written."""

from __future__ import annotations

from typing import Any

import pytest

from asking import vectors
from cluewise.service import run

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


ROWS = [rule("house", *(i for i in range(81) if (i // 9, i % 9)[k] == n))
        for k in (0, 1) for n in range(9)]  # fmt: skip
GROUPS = [rule("house", *(i for i in range(81) if i // 9 % 3 * 3 + i % 3 == place))
          for place in range(9)]  # fmt: skip
FALLING = range(0, 81, 10)
EQUAL = [
    ([rule("killer", *FALLING, sum=45)], [rule("diagonal")]),
    ([rule("killer", *FALLING)], [rule("diagonal")]),
    ([rule("renban", *FALLING)], [rule("diagonal")]),
    ([rule("thermometer", 0, 10, 20), rule("thermometer", 0, 20)],
     [rule("thermometer", 0, 10, 20)]),
    ([rule("thermometer", 0, 10, 20), rule("killer", 0, 20)], [rule("thermometer", 0, 10, 20)]),
    ([rule("arrow", 0, 10)], [rule("palindrome", 10, 0)]),
    ([rule("palindrome", 0, 10), rule("palindrome", 10, 20)],
     [rule("palindrome", 0, 10), rule("palindrome", 0, 20)]),
    ([rule("palindrome", 0, 10), rule("even", 0)], [rule("palindrome", 0, 10), rule("even", 10)]),
    ([rule("killer", 0, 1, sum=17), rule("killer", 1, 0)], [rule("killer", 0, 1, sum=17)]),
    ([rule("renban", 0, 1), rule("renban", 1, 0)], [rule("renban", 0, 1)]),
    ([rule("killer", 0, 1, sum=3), rule("renban", 0, 1)], [rule("killer", 1, 0, sum=3)]),
    ([rule("renban", 4)], []),
    ([rule("killer", 4)], []),
    (ROWS, []),
    ([rule("regions", *(i // 27 * 3 + i % 9 // 3 for i in range(81)))], []),
    (GROUPS[:8], [rule("disjoint")]),  # rows and columns imply the last one, and here two more
    ([group for group in GROUPS if group not in (GROUPS[1], GROUPS[5])], [rule("disjoint")]),
]  # fmt: skip


@pytest.mark.parametrize(("first", "second"), EQUAL)
def test_rules_that_say_nothing_more_change_nothing(first: list[Any], second: list[Any]) -> None:
    assert same([*first, rule("antiking")], [*second, rule("antiking")])


DIFFERENT = [
    ([rule("thermometer", 0, 10), rule("thermometer", 10, 0)], [rule("killer", 0, 10)]),
    ([rule("thermometer", 0, 10, 20)], [rule("thermometer", 0, 10), rule("thermometer", 0, 20)]),
    ([rule("killer", 0, 1, sum=9)], [rule("killer", 0, 1, sum=10)]),
    ([rule("renban", 0, 1)], [rule("killer", 0, 1)]),
    ([rule("killer", *FALLING, sum=44)], [rule("diagonal")]),
]


@pytest.mark.parametrize(("first", "second"), DIFFERENT)
def test_what_means_something_else_is_different(first: list[Any], second: list[Any]) -> None:
    assert not same(first, second)
