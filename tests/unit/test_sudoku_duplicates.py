"""The verb `duplicates`: boards of a list that are one, but for a few cells."""

import json
import random
from typing import Any

import msgspec
import pytest

from asking import vectors
from cluewise.desks.sudoku.engine.near_duplicates import MOST_BOARDS
from cluewise.desks.sudoku.position import NINE, read_cells, write_cells
from cluewise.desks.sudoku.transform import Transform, apply
from cluewise.errors import TooLarge
from cluewise.service import run
from commands import Command

CASES = vectors("sudoku_duplicates")

VECTORS = vectors("sudoku")  # fmt: skip
PUZZLE, SOLUTION = VECTORS["puzzles"][0]["puzzle"], VECTORS["puzzles"][0]["solution"]
OTHER = VECTORS["puzzles"][1]["puzzle"]
MOVE = Transform(True, (2, 0, 1, 3, 4, 5, 8, 7, 6), (3, 5, 4, 0, 1, 2, 6, 7, 8),
                 (0, 9, 8, 7, 6, 5, 4, 3, 2, 1))  # fmt: skip


def duplicates(lines: list[str], **options: Any) -> Any:
    return run({"desk": "sudoku", "want": "duplicates", "options": {"lines": lines, **options}})


def disguised(text: str) -> str:
    return write_cells(apply(MOVE, read_cells(text, NINE)))


def given(text: str, *extra: int) -> str:
    blanks = [i for i, d in enumerate(text) if d == "."]
    more = {blanks[k] for k in extra}
    return "".join(SOLUTION[i] if i in more else d for i, d in enumerate(text))


def changed(text: str) -> str:
    """The puzzle with another symbol in one cell, where that is legal."""
    for i, d in enumerate(text):
        for new in "123456789":
            board = text[:i] + new + text[i + 1 :]
            legal = run({"desk": "sudoku", "want": "group", "options": {"lines": [board]}})
            if d not in (".", new) and not legal["bad"]:
                return board
    raise AssertionError("no symbol can be changed")


@pytest.mark.parametrize(
    ("second", "counts", "text"), CASES["the steps done to a puzzle are given with a witness"]
)
def test_what_was_done_to_a_puzzle_is_told_with_a_witness(
    second: str, counts: list[int], text: str
) -> None:
    found = duplicates([OTHER, PUZZLE, "", disguised(second)])
    (pair,) = found["pairs"]
    assert (pair["first"], pair["second"], pair["text"]) == (1, 3, text)
    assert [pair["only_first"], pair["only_second"], pair["changed"]] == counts
    assert pair["edits"] == sum(counts) == len(pair["differs"])
    moved = apply(msgspec.convert(pair["witness"], Transform), read_cells(PUZZLE, NINE))
    target = read_cells(disguised(second), NINE)
    differs = [i for i, (x, y) in enumerate(zip(moved, target, strict=True)) if x != y]
    assert differs == pair["differs"]


def test_a_board_with_a_slip_that_breaks_the_rules_is_named_and_compared() -> None:
    row = next(r for r in range(9) if PUZZLE[9 * r : 9 * r + 9].count(".") < 8)
    first, second = [i for i in range(9 * row, 9 * row + 9) if PUZZLE[i] != "."][:2]
    slip = PUZZLE[:second] + PUZZLE[first] + PUZZLE[second + 1 :]
    found = duplicates([PUZZLE, disguised(slip), disguised(slip)])
    edits = {(pair["first"], pair["second"]): pair["edits"] for pair in found["pairs"]}
    assert edits == {(0, 1): 1, (0, 2): 1, (1, 2): 0}
    assert [(bad["line"], "twice" in bad["why"]) for bad in found["bad"]] == [(2, True), (3, True)]


def test_puzzles_of_one_grid_are_compared_however_many_givens_they_have_apart() -> None:
    rng = random.Random(4)
    blanks = PUZZLE.count(".")
    more = given(PUZZLE, *rng.sample(range(blanks), 9))
    found = duplicates([PUZZLE, disguised(more), SOLUTION], most=9)
    (pair,) = found["pairs"]
    assert (pair["edits"], pair["only_second"], pair["text"]) == (
        9, 9, "the same with 9 givens more",
    )  # fmt: skip
    assert duplicates([PUZZLE, disguised(more)], most=8)["total"] == 0
    every = duplicates([PUZZLE, disguised(more), SOLUTION], most=81)
    assert [p["edits"] for p in every["pairs"]] == [9, blanks, blanks - 9]
    assert every["certain"] == 2


def test_a_puzzle_of_an_automorphic_grid_is_compared_over_its_symmetries() -> None:
    grid = VECTORS["same_table_family"][0]["grid"]
    kept = set(random.Random(1).sample(range(81), 60))
    puzzle = "".join(d if i in kept else "." for i, d in enumerate(grid))
    more = "".join(d if i in kept or i < 40 else "." for i, d in enumerate(grid))
    (pair,) = duplicates([puzzle, disguised(more)], most=81)["pairs"]
    assert pair["edits"] == pair["only_second"] == 81 - more.count(".") - 60


def test_what_is_too_long_or_of_another_size_is_told_so() -> None:
    with pytest.raises(TooLarge, match="split it"):
        duplicates([""] * (2 * MOST_BOARDS + 1))


def test_the_terminal_prints_which_lines_nearly_agree(command: Command) -> None:
    text = f"{PUZZLE}\n{OTHER}\n{disguised(given(PUZZLE, 7))}\n{PUZZLE[:80]}\n"
    ran = command("sudoku", "duplicates", text=text)
    assert ran.status == 0
    head, pair, bad = ran.out.splitlines()
    assert head == "3 boards, 0 repeats; 1 near pair in 1 cluster."
    assert pair == "line 1 ~ line 3: the same with 1 given more"
    assert bad.startswith("line 4, column 81: ")
    ran = command("sudoku", "duplicates", "--json", "--most", "0", text=text)
    assert json.loads(ran.out)["total"] == 0
