"""Constraints that mean the same compare equal, however they are written."""

from typing import Any

import pytest
from msgspec.structs import replace

from asking import vectors
from cluewise.desks.sudoku.constraints import KINDS, Constraint
from cluewise.desks.sudoku.engine.meaning import meaning_of
from cluewise.desks.sudoku.position import Shape
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


WHOLE = ("sandwich", "xsum", "skyscraper")
OPPOSITE = {"even": "odd", "odd": "even", "minimum": "maximum", "maximum": "minimum"}
VALUES = {"sum": 12, "value": 10, "values": (1, 2), "of": "xv"}


def sample(kind: str, cells: tuple[int, ...] = (), **more: Any) -> Constraint:
    facts = KINDS[kind]
    if not facts.fewest:
        whole = tuple(i // 8 for i in range(64)) if kind == "regions" else ()
        return Constraint(kind, whole, of="xv" if kind == "negative" else "")  # type: ignore[arg-type]
    some = cells or tuple(range(8)) if kind in WHOLE else cells or (1, 2, 11, 12, 21)
    need: dict[str, Any] = {facts.needs: VALUES[facts.needs]} if facts.needs else {}
    sums = {"sum": 12} if kind in ("killer", "little") else {}
    some = some[: 2 if facts.most == "pair" else 4 if kind == "clone" else None]
    fields: dict[str, Any] = {**sums, **need, **more}
    return Constraint(kind, some, **fields)  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "windows"])
def test_the_table_of_kinds_says_what_reversed_symbols_and_cells_make_of_a_rule(kind: str) -> None:
    eight, facts, one = Shape(2, 4), KINDS[kind], sample(kind)
    form = meaning_of((one,), eight)
    turned, kept = form.reversed(), {
        "kept": lambda: one,
        "free": lambda: one,
        "swapped": lambda: replace(one, kind=OPPOSITE[kind]),
        "complement": lambda: replace(one, value=8) if kind == "xv" else (
            replace(one, sum=len(one.cells) * 9 - 12)),
        "ordered": lambda: replace(one, cells=one.cells[::-1]),
        "values": lambda: replace(one, values=(7, 8)),
    }.get(facts.reversal)  # fmt: skip
    assert (turned == meaning_of((kept(),), eight)) if kept else (turned != form)
    assert (form.renaming == "any") == (facts.reversal == "free")
    if facts.roles in ("set", "line", "ordered"):
        backwards = meaning_of((replace(one, cells=one.cells[::-1]),), eight)
        assert (backwards == form) == (facts.roles != "ordered")
        if len(one.cells) > 2:
            cells = (one.cells[0], one.cells[-1], *one.cells[2:-1], one.cells[1])
            mixed = meaning_of((replace(one, cells=cells),), eight)
            assert (mixed == form) == (facts.roles == "set")
