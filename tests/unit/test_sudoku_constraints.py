"""Links with rules beyond rows, columns and boxes: what was not compared is said everywhere."""

import json
from typing import Any

import pytest

from asking import vectors
from cluewise import links
from cluewise.desks.sudoku.constraints import Constraint
from cluewise.desks.sudoku.formats.lzstring import compress
from cluewise.desks.sudoku.formats.text import read_text
from cluewise.desks.sudoku.position import Position
from commands import Command

CASES = vectors("sudoku_constraints")

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SWAPPED = PUZZLE[9:18] + PUZZLE[:9] + PUZZLE[18:]  # two rows of a band: not a step that X allows


def cells(board: str, **more: Any) -> list[list[dict[str, Any]]]:
    flat = [{} if c == "." else {"value": int(c), "given": True} for c in board]
    side = round(len(board) ** 0.5)
    return [flat[i : i + side] for i in range(0, len(board), side)]


def fpuzzles(board: str = PUZZLE, **rules: Any) -> str:
    puzzle = {"size": round(len(board) ** 0.5), "grid": cells(board), **rules}
    return f"https://www.f-puzzles.com/?load={compress(json.dumps(puzzle))}"


def pad(text: str) -> str:
    rows = [PUZZLE[i : i + 9] for i in range(0, 81, 9)]
    grid = ",".join(f"[{','.join('' if c == '.' else f'{{v:{c}}}' for c in r)}]" for r in rows)
    return f"https://sudokupad.app/scl{compress(f'{{ce:[{grid}],{text}}}')}"


def kinds(text: str) -> list[str]:
    (rules,) = read_text(text).constraints
    return [one.name or one.kind for one in rules]


MOVED = [r // 3 * 3 + c // 3 for r in range(9) for c in range(9)]
MOVED[2], MOVED[3] = MOVED[3], MOVED[2]


@pytest.mark.parametrize(
    ("rules", "names"), CASES["the rules of an f puzzles link are read or named"]
)
def test_the_rules_of_an_f_puzzles_link_are_read_or_named(
    rules: dict[str, Any], names: list[str]
) -> None:
    assert kinds(fpuzzles(**rules)) == names
    found = read_text(fpuzzles(**rules))
    assert (found.boards, found.bad) == ([PUZZLE], [])


@pytest.mark.parametrize(
    ("text", "names"), CASES["the rules of a sudokupad link are read or named"]
)
def test_the_rules_of_a_sudokupad_link_are_read_or_named(text: str, names: list[str]) -> None:
    assert kinds(pad(text)) == names


THERMO = [{"kind": "other", "name": "thermometers"}]


def test_the_terminal_never_says_the_same_or_one_solution_without_what_was_left_out(
    command: Command,
) -> None:
    two = {"grids": [PUZZLE, SWAPPED], "constraints": THERMO}
    one = {"grids": [PUZZLE], "constraints": THERMO}
    for verb, given, said in (
        ("same", two, "The same as plain sudoku"),
        ("solve", one, "As plain sudoku: one solution."),
    ):
        ran = command("sudoku", verb, "-", text=json.dumps(given))
        assert ran.status == 0
        assert said in ran.out
        assert "Not compared: thermometers." in ran.out


def test_a_position_keeps_its_constraints_in_its_link() -> None:
    there = Position(grids=(PUZZLE,), constraints=(Constraint("killer", (0, 1), 9),))
    assert links.decode(links.encode(there)) == there


def test_a_digit_without_given_is_the_solvers_and_no_given() -> None:
    grid = cells(PUZZLE)
    grid[0][2] = {"value": 4}
    grid[0][3] = {"value": 6, "given": False}
    assert read_text(fpuzzles(grid=grid)).boards == [PUZZLE]


ENDS_BLANK = PUZZLE[:78] + "..."


@pytest.mark.parametrize("behind", ["", ".", ")", ").", ", it says", "!"])
@pytest.mark.parametrize(
    "site",
    ["https://www.sudokuwiki.org/sudoku.htm?bd=", "https://sudokuexchange.com/play/?s=",
     "https://sudoku.coach/en/play/"],
)  # fmt: skip
def test_a_link_whose_board_ends_in_blanks_is_read(site: str, behind: str) -> None:
    before = "(" if ")" in behind else ""
    found = read_text(f"{before}{site}{ENDS_BLANK}{behind}")
    assert found.boards == [ENDS_BLANK]


@pytest.mark.parametrize(
    ("text", "boards", "name"), CASES["a link and a string pasted together are both read"]
)
def test_a_link_and_a_string_pasted_together_are_both_read(
    text: str, boards: list[str], name: str
) -> None:
    found = read_text(text)
    assert (sorted(found.boards), found.format) == (sorted(boards), name)
    assert not found.bad
