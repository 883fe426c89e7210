"""Answers about boards with constraints, and constraints that mean the same."""

from itertools import chain, combinations, pairwise
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from asking import ask_sudoku, vectors
from cluewise import links
from cluewise.core.work import finish
from cluewise.desks.sudoku.constraints import KINDS, Constraint
from cluewise.desks.sudoku.engine.normal_form import normal_form_of
from cluewise.desks.sudoku.engine.variant_solver import implied_houses
from cluewise.desks.sudoku.houses import pairs
from cluewise.desks.sudoku.position import NINE, Position, Shape, read_cells, write_cells
from cluewise.desks.sudoku.transform import Step, Transform, apply
from reference.sudoku_boards import play
from selection import sample

CASES = vectors("sudoku_variant_answers")

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
X = [{"kind": "diagonals"}]


def ask(want: str, grids: list[str], rules: list[Any], **options: Any) -> Any:
    return ask_sudoku(want, {"grids": grids, "constraints": rules}, **options)


def transform(found: Any) -> Transform:
    return msgspec.convert(found, Transform)


@pytest.mark.parametrize("kind", ["diagonals", "windows", "disjoint", "antiknight"])
def test_every_step_of_a_witness_keeps_the_constraints(kind: Any) -> None:
    rules = [Constraint(kind)]
    everything = ask("automorphisms", [], [{"kind": kind}], of="constraints", limit=60)["all"]
    start = "1" + "." * 43 + "2" + "." * 36
    for t in map(transform, everything[1::7]):
        renamed = replace(t, digits=(0, 2, 3, 1, 4, 5, 6, 7, 8, 9))
        disguised = apply(renamed, read_cells(start, NINE))
        found = ask("same", [start, write_cells(disguised)], [{"kind": kind}])
        assert found["same"]
        board = read_cells(start, NINE)
        differing = set(map(frozenset, _pairs(rules)))
        for one in msgspec.convert(found["steps"], list[Step]):
            if one.kind != "relabel":
                marks = [bytes(1 if i in pair else 0 for i in range(81)) for pair in differing]
                moved = {frozenset(i for i, d in enumerate(play(one, m, NINE)) if d) for m in marks}
                assert moved == differing
            board = play(one, board, NINE)
        assert board == disguised


def _pairs(rules: list[Constraint]) -> list[tuple[int, int]]:
    left = (combinations(cells, 2) for cells in finish(implied_houses(rules, NINE)))
    return list(chain(pairs(rules, *NINE), *left))


def test_windows_are_written_as_four_houses_and_the_answer_shows_what_they_imply() -> None:
    link = ask("export", ["." * 80 + "1"], [{"kind": "windows"}], notation="f-puzzles")["text"]
    (rules,) = ask_sudoku("paste", text=link)["constraints"]
    cells = [one["cells"] for one in rules]
    assert [sorted({i // 9 for i in one}) for one in cells] == [[1, 2, 3]] * 2 + [[5, 6, 7]] * 2
    assert all(len(one) == 9 for one in cells)
    rules = [{**one, "board": 1} for one in rules]
    found = ask("same", [PUZZLE, PUZZLE], [{"kind": "windows", "board": 0}, *rules])
    assert found["same"]
    found = ask("automorphisms", [], [{"kind": "windows"}], of="constraints", limit=0)
    assert (found["count"], len(found["implied"])) == (256, 5)
    assert ask("automorphisms", [], [], of="constraints", limit=0)["implied"] == []
    assert "implied" not in ask("automorphisms", [PUZZLE], X)


def test_a_summary_speaks_of_bands_only_where_bands_move_as_a_whole() -> None:
    rules = [{"kind": "windows"}]
    everything = ask("automorphisms", [], rules, of="constraints", limit=256)["all"]
    board = "1234" + "." * 8 + "567" + "." * 24 + "8" + "." * 39 + "9."
    seen = 0
    for t in map(transform, sample(everything, 16)):
        other = write_cells(apply(t, read_cells(board, NINE)))
        found = ask("same", [board, other], rules)
        w = transform(found["witness"])
        for line, name in ((w.rows, "band"), (w.cols, "stack")):
            whole = all(len({x // 3 for x in line[i : i + 3]}) == 1 for i in (0, 3, 6))
            seen += not whole
            assert whole or name not in found["summary"]
    assert seen


def test_the_least_form_within_constraints_is_the_same_for_every_disguise() -> None:
    everything = ask("automorphisms", [], X, of="constraints", limit=96)["all"]
    puzzle = PUZZLE[:40] + "." * 41
    forms = {
        ask("canon", [write_cells(apply(transform(t), read_cells(puzzle, NINE)))], X)["straight"]
        for t in everything[::8]
    }
    assert len(forms) == 1


RULES: list[dict[str, Any]] = CASES["RULES"]


@pytest.mark.parametrize("notation", ["f-puzzles", "sudokupad"])
@pytest.mark.parametrize("rule", RULES, ids=lambda one: one["kind"])
def test_a_link_that_was_written_is_read_with_its_constraint(
    rule: dict[str, Any], notation: str
) -> None:
    written = ask("export", ["." * 80 + "1"], [rule], notation=notation)
    found = ask_sudoku("paste", text=written["text"])
    assert found["constraints"] == [[rule]]
    assert "left_out" not in written


def test_a_symmetry_that_moves_no_whole_lines_is_described_by_its_cells() -> None:
    t = Transform(False, tuple(range(9)), tuple(range(9)), tuple(range(10)), tuple(range(81)))
    assert apply(t, read_cells(PUZZLE, NINE)) == read_cells(PUZZLE, NINE)
    assert all(b - a == 1 for a, b in pairwise(t.cells))


CORNERS = [{"kind": "thermometer", "cells": [0, 1]}, {"kind": "thermometer", "cells": [79, 80]}]


@pytest.mark.parametrize(("board", "count"), [("." * 81, 576), ("1" + "." * 79 + "9", 288)])
def test_a_board_that_turning_symbols_round_keeps_has_that_symmetry(board: str, count: int) -> None:
    found = ask("automorphisms", [board], CORNERS)
    assert found["count"] == count
    assert [0, *range(9, 0, -1)] in [one["digits"] for one in found["generators"]]


def test_a_move_that_turns_cells_and_symbols_is_one_step() -> None:
    found = ask("same", ["12" + "." * 79, "." * 79 + "89"], CORNERS)
    assert (found["same"], found["compared"]) == (True, ["thermometers"])
    (step,) = found["steps"]
    assert step["text"].startswith("Move rows 1→9→1")
    assert step["text"].endswith("and relabel 1→9→1, 2→8→2, 3→7→3, 4→6→4, at once")


def test_a_position_keeps_its_constraints_in_its_link() -> None:
    there = Position(grids=(PUZZLE,), constraints=(Constraint("killer", (0, 1), 9),))
    assert links.decode(links.encode(there)) == there


PAIRS: list[Any] = CASES["pairs"]


def same(first: list[Any], second: list[Any]) -> bool:
    rules = [one | {"board": board} for board, own in enumerate((first, second)) for one in own]
    position = {"grids": ["." * 81] * 2, "constraints": rules}
    found = ask_sudoku("same", position)
    return bool(found["same"])


@pytest.mark.parametrize("case", PAIRS, ids=[one["name"] for one in PAIRS])
def test_constraints_compare_by_meaning(case: Any) -> None:
    assert same(case["first"], case["second"]) == case["same"]


def rule(kind: str, *cells: int, **more: Any) -> dict[str, Any]:
    return {"kind": kind, "cells": list(cells), **more} if cells else {"kind": kind, **more}


EQUAL = CASES["EQUAL"]


@pytest.mark.parametrize(("first", "second"), EQUAL)
def test_redundant_rules_change_nothing(first: list[Any], second: list[Any]) -> None:
    assert same([*first, rule("antiking")], [*second, rule("antiking")])


DIFFERENT = CASES["DIFFERENT"]


@pytest.mark.parametrize(("first", "second"), DIFFERENT)
def test_what_means_something_else_is_different(first: list[Any], second: list[Any]) -> None:
    assert not same(first, second)


WHOLE = ("sandwich", "xsum", "skyscraper")
# Kinds by their image under the reversal of symbols, v to n + 1 - v: the constraint itself, under
# every renaming (free) or this one (kept), the opposite kind (swapped), one with the complementary
# sum, or one with the order or the values reversed; for other kinds no constraint.
REVERSAL = {
    kind: image
    for image, kinds in {
        "free": "house regions diagonals diagonal antidiagonal disjoint antiknight antiking "
                "palindrome clone",
        "kept": "nonconsecutive renban whispers entropic between difference",
        "swapped": "even odd minimum maximum",
        "complement": "killer little xv",
        "ordered": "thermometer slow",
        "values": "quadruple candidates",
    }.items() for kind in kinds.split()
}  # fmt: skip
SETS = ("house", "killer", "little", "renban", "ratio", "difference", "xv", "quadruple")
LINES = ("palindrome", "whispers", "entropic", "zipper", "regionsum", "sandwich")
ORDERED = ("thermometer", "slow", "xsum", "skyscraper")
OPPOSITE = {"even": "odd", "odd": "even", "minimum": "maximum", "maximum": "minimum"}
VALUES = {"sum": 12, "value": 10, "values": (1, 2), "of": "xv"}


def example(kind: str, cells: tuple[int, ...] = (), **more: Any) -> Constraint:
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
def test_normal_forms_under_reversal_of_symbols_and_cells(kind: str) -> None:
    eight, one, image = Shape(2, 4), example(kind), REVERSAL.get(kind, "")
    form = normal_form_of((one,), eight)
    turned, kept = form.reversed(), {
        "kept": lambda: one,
        "free": lambda: one,
        "swapped": lambda: replace(one, kind=OPPOSITE[kind]),
        "complement": lambda: replace(one, value=8) if kind == "xv" else (
            replace(one, sum=len(one.cells) * 9 - 12)),
        "ordered": lambda: replace(one, cells=one.cells[::-1]),
        "values": lambda: replace(one, values=(7, 8)),
    }.get(image)  # fmt: skip
    assert (turned == normal_form_of((kept(),), eight)) if kept else (turned != form)
    assert (form.renaming == "any") == (image == "free")
    if kind in (*SETS, *LINES, *ORDERED):
        backwards = normal_form_of((replace(one, cells=one.cells[::-1]),), eight)
        assert (backwards == form) == (kind not in ORDERED)
        if len(one.cells) > 2:
            cells = (one.cells[0], one.cells[-1], *one.cells[2:-1], one.cells[1])
            mixed = normal_form_of((replace(one, cells=cells),), eight)
            assert (mixed == form) == (kind in SETS)
