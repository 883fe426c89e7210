"""Reasons why two boards differ: each is recounted by a twin, and none is given for one board."""

import random
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import pytest

from asking import ask_grids, vectors
from cluewise.core.work import finish
from cluewise.desks.sudoku.engine import random_boards
from cluewise.desks.sudoku.engine.colour_refinement import (
    certificate,
    cycle_types,
    distinguish,
    incidence,
    rectangles,
)
from cluewise.desks.sudoku.engine.minlex import minlex, puzzle_forms, split
from cluewise.desks.sudoku.position import (
    NINE,
    Position,
    Shape,
    conflict,
    read_cells,
    write_cells,
)
from cluewise.desks.sudoku.results import Because, SameOptions
from cluewise.desks.sudoku.verbs import same_reasons
from cluewise.desks.sudoku.verbs.same import same
from cluewise.desks.sudoku.verbs.same_reasons import why_different
from cluewise.desks.sudoku.verbs.table import sorted_rows
from reference import sudoku_reasons
from reference.sudoku_boards import scrambled

ORACLE = vectors("sudoku")
FAMILY = [one["grid"] for one in ORACLE["same_table_family"]]
PUZZLES = [one["puzzle"] for one in ORACLE["puzzles"]]


def because(a: str, b: str, shape: Shape = NINE) -> Because | None:
    return finish(same(Position(box=(shape.rows, shape.cols), grids=(a, b)), SameOptions())).because


def exchanged(text: str, rng: random.Random) -> str | None:
    """The puzzle with two givens exchanged, if that is a legal board and another puzzle."""
    a, b = rng.sample([i for i, d in enumerate(text) if d != "."], 2)
    board = list(text)
    board[a], board[b] = board[b], board[a]
    cells = read_cells("".join(board), NINE)
    if conflict(cells, NINE):
        return None
    forms = split(puzzle_forms(cells + read_cells(text, NINE), 2, "straight")[0])
    return write_cells(scrambled(cells, rng)) if forms[0] != forms[1] else None


@pytest.mark.parametrize("text", [*PUZZLES[:12], *FAMILY])
def test_invariants_are_equal_on_equivalent_boards(text: str) -> None:
    cells = read_cells(text, NINE)
    other = scrambled(cells, random.Random(text))
    assert len(rectangles(cells, NINE)) == len(rectangles(other, NINE))
    assert cycle_types(cells, NINE) == cycle_types(other, NINE)
    assert distinguish(incidence(cells, NINE), incidence(other, NINE))[0] is None
    assert because(text, write_cells(other)) is None


def kinds_of_exchanges(puzzles: Sequence[str], count: int, seed: int) -> Counter[str]:
    """What decides between a puzzle and itself with two givens exchanged, each claim recounted."""
    rng = random.Random(seed)
    kinds = Counter[str]()
    while kinds.total() < count:
        text = puzzles[kinds.total() % len(puzzles)]
        other = exchanged(text, rng)
        if other:
            found = because(text, other)
            assert found
            recount(found, text, other)
            kinds[found.kind] += 1
    return kinds


LAST = ("certificate", "automorphisms", "forms")  # the rungs after refinement


def recount(found: Because, a: str, b: str) -> None:
    assert found.kind in (*sudoku_reasons.COUNTED, "refinement", "certificate")
    assert sudoku_reasons.holds(found, a, b), found.text


def kinds_of_random_pairs(count: int, seed: int) -> Counter[str]:
    """What decides between random grids, each claim recounted."""
    kinds = Counter[str]()
    data = random_boards.grids(2 * count, random.Random(seed))
    grids, least = split(data), split(minlex(data, 2 * count)[0])
    for i in range(0, 2 * count, 2):
        assert least[i] != least[i + 1], "of 5 472 730 538 grids a random one came twice"
        found = finish(why_different(grids[i], grids[i + 1], NINE, labelled=False))
        recount(found, write_cells(grids[i]), write_cells(grids[i + 1]))
        kinds[found.kind] += 1
    return kinds


def kinds_of_equal_tables(texts: Iterable[str]) -> Counter[str]:
    """What decides between a grid and the first before it with an equal table, recounted."""
    kinds = Counter[str]()
    known: dict[tuple[tuple[int, ...], ...], str] = {}
    for text in texts:
        rows = tuple(sorted(sorted_rows(read_cells(text, NINE), NINE)))
        other = known.setdefault(rows, text)
        found = because(other, text) if other != text else None
        if found:
            recount(found, other, text)
            kinds[found.kind] += 1
    return kinds


def kinds_of_unrelated_puzzles(count: int, seed: int) -> Counter[str]:
    """What decides between random puzzles, most with equally many givens, each claim recounted."""
    rng, kinds = random.Random(seed), Counter[str]()
    data, clues = random_boards.minimal(random_boards.grids(2 * count, rng), 2 * count, rng)
    some = sorted(zip(clues, map(write_cells, split(data)), strict=True))
    for (_, one), (_, other) in zip(some[::2], some[1::2], strict=True):
        found = because(one, other)
        assert found
        recount(found, one, other)
        kinds[found.kind] += 1
    return kinds


@pytest.mark.sampled(20)
@pytest.mark.parametrize("part", range(60))
def test_the_reasons_of_100_pairs_of_grids_and_puzzles_are_recounted(part: int) -> None:
    rng = random.Random(300 + part)
    data, _ = random_boards.minimal(random_boards.grids(30, rng), 30, rng)
    exchanged = kinds_of_exchanges([write_cells(piece) for piece in split(data)], 30, seed=part)
    every = exchanged + kinds_of_random_pairs(40, part) + kinds_of_unrelated_puzzles(30, part)
    assert every.total() == 100
    assert sum(every[kind] for kind in LAST) <= 2


def test_reasons_between_grids_of_equal_tables_are_recounted() -> None:
    pairs = [one[side] for one in ORACLE["hard_negatives"] for side in "ab"]
    kinds = kinds_of_equal_tables(pairs)
    assert kinds.total() == len(ORACLE["hard_negatives"])
    assert not {"table", "forms", "automorphisms"} & set(kinds)


@pytest.mark.parametrize("first", FAMILY)
@pytest.mark.parametrize("second", FAMILY)
def test_grids_with_one_table_are_distinguished_and_the_claim_is_recounted(
    first: str, second: str
) -> None:
    found = because(first, write_cells(scrambled(read_cells(second, NINE), random.Random(1))))
    if first == second:
        assert found is None
    else:
        assert found
        assert found.kind in ("rectangles", "cycles", "bands", "refinement")
        recount(found, first, second)


NEEDS_A_MARK = (
    "......2........1.............1.2....", ".........2..3............2........3.",
)  # fmt: skip
NEEDS_THE_TABLE = ("124563632154543621261435315246456312", "542163126354635421214536351642463215")


def test_where_refinement_sees_nothing_marks_decide_and_a_checker_replays_them() -> None:
    shape = Shape(2, 3)
    a, b = (incidence(read_cells(text, shape), shape) for text in NEEDS_A_MARK)
    assert distinguish(a, b)[0] is None
    choices = finish(certificate(a, b))
    assert choices
    assert sudoku_reasons.replay(*NEEDS_A_MARK, 2, 3, choices)
    assert sudoku_reasons.replay(*NEEDS_THE_TABLE, 3, 2, [])
    one = NEEDS_A_MARK[0]
    assert not sudoku_reasons.replay(one, one, 2, 3, choices)


GRID = "123456789456789123789123456214365897365897214897214365531642978642978531978531642"
OTHER = "417369825632158947958724316825437169791586432346912758289643571573291684164875293"
# By a program that counts the strips of every pair of symbols one by one.
MEETINGS: list[Any] = vectors("sudoku_cases")["meetings"]["pairs"]


def test_bands_are_distinguished_by_their_numbers() -> None:
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


def test_a_mark_that_distinguishes_boards_names_its_row_column_or_symbol() -> None:
    because = same_reasons._certificate([0, 10, 20], 9)
    assert because.kind == "certificate"
    assert because.text.startswith("Mark row 1, then column 2, then symbol 3 of the first board.")


def test_a_board_too_large_for_refinement_is_left_to_the_forms() -> None:
    assert (
        finish(same_reasons._strong(read_cells("." * 1296, Shape(6, 6)), b"", Shape(6, 6))) is None
    )
