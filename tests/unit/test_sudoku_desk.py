"""The sudoku desk's position, transforms, reasons and bad input."""

from io import StringIO

import msgspec
import pytest
from rich.console import Console

from asking import ask_grids as ask
from asking import vectors
from cluewise.cli.desks.sudoku import TABLES
from cluewise.desks.sudoku.position import (
    NINE,
    Position,
    Shape,
    conflict,
    read_cells,
    write_cells,
)
from cluewise.desks.sudoku.results import Table

CASES = vectors("sudoku_desk")

MOST = "123456789456789123789123456231564897564897231897231564312645978645978312978312645"
LARGEST = "123456789457893612986217354274538196531964827698721435342685971715349268869172543"
PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"


def test_boards_print_and_read_back_in_every_size() -> None:
    for box in ((2, 2), (2, 3), (3, 4), (4, 4), (5, 5), (6, 6)):
        shape = Shape(*box)
        cells = bytes(i % (shape.size + 1) for i in range(shape.cells))
        assert read_cells(write_cells(cells), shape) == cells


def test_zero_and_dot_are_blanks() -> None:
    assert ask("canon", PUZZLE.replace(".", "0")) == ask("canon", PUZZLE)


def test_solving_reports_a_contradiction_as_no_solution() -> None:
    assert ask("solve", "55" + PUZZLE[2:])["solutions"] == "0"
    hopeless = "12345678." + "." * 8 + "9" + "." * 63
    assert conflict(read_cells(hopeless, NINE), NINE) is None
    assert ask("solve", hopeless) == {
        "solutions": "0", "found": [], "solution": None, "conflict": None,
    }  # fmt: skip


def test_the_famous_grids() -> None:
    assert ask("canon", MOST)["minlex"] == MOST
    assert ask("automorphisms", MOST)["count"] == 648
    assert ask("canon", LARGEST)["minlex"] == LARGEST
    assert ask("automorphisms", LARGEST)["count"] == 72


def test_inkalas_puzzle_straight_and_pattern_first() -> None:
    inkala = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
    form = "........1.....2.3...4.5.6.....6..7....678.....3...9.....8...5...9...7.1.12.....9."
    found = ask("canon", inkala)
    assert found["straight"] == found["pattern_first"] == form


def test_several_solutions_come_as_the_first_two() -> None:
    found = ask("solve", "." * 81)
    assert found["solutions"] == ">=2"
    assert found["solution"] is None
    assert len(set(found["found"])) == 2
    assert ask("canon", "." * 81)["solution_carried"] is None


def test_a_proper_puzzle() -> None:
    assert ask("solve", PUZZLE)["solution"] == SOLUTION
    assert ask("solve", SOLUTION)["solution"] == SOLUTION


@pytest.mark.parametrize(
    ("a", "b", "kind"),
    [
        (PUZZLE, SOLUTION, "givens"),
        ("12" + "." * 79, "1........1" + "." * 71, "symbols"),
        ("12" + "." * 79, "1.........2" + "." * 70, "lines"),
    ],
)
def test_reasons_from_the_simplest_up(a: str, b: str, kind: str) -> None:
    if conflict(read_cells(b, NINE), NINE):
        b = "1...........1" + "." * 68
    found = ask("same", a, b)
    assert found["same"] is False
    assert found["because"]["kind"] == kind


def test_row_sums_of_the_table_are_constant_on_complete_grids() -> None:
    for text in (MOST, LARGEST, SOLUTION):
        assert {r["sum"] for r in ask("table", text)["rows"]} == {36}


def test_the_most_canonical_grid_ties_everywhere() -> None:
    found = ask("table", MOST)
    assert found["distinct"] == 1
    assert found["ties"] == [list("123456789")]


def test_without_relabelling_a_renamed_grid_is_another() -> None:
    renamed = SOLUTION.translate(str.maketrans("123456789", "231456789"))
    assert ask("same", SOLUTION, renamed)["same"] is True
    found = ask("same", SOLUTION, renamed, no_relabel=True)
    assert found["same"] is False
    assert found["because"]["kind"] == "atoms"
    moved = "".join(SOLUTION[9 * r : 9 * r + 9] for r in (1, 0, 2, 6, 7, 8, 3, 4, 5))
    steps = ask("same", SOLUTION, moved, no_relabel=True)["steps"]
    assert [s["kind"] for s in steps] == ["swap bands", "swap rows"]


def test_a_grid_is_the_same_as_itself_in_no_steps() -> None:
    assert ask("same", MOST, MOST)["steps"] == []


def test_without_blanks_and_with_them_in_other_shapes() -> None:
    grid = "1234341221434321"
    assert ask("canon", grid, box=(2, 2))["minlex"].startswith("12343412")
    found = ask("canon", "1...............", box=(2, 2))
    assert found["straight"] == "...............1"
    assert found["automorphisms"] == 8


@pytest.mark.parametrize(
    ("first", "second", "box", "renamed"),
    CASES["different while symbols keep their names says whether renaming makes them the same"],
)
def test_different_while_symbols_keep_their_names_says_whether_renaming_makes_them_the_same(
    first: str, second: str, box: tuple[int, int], renamed: bool
) -> None:
    found = ask("same", first, second, box=box, no_relabel=True)
    assert (found["same"], found["same_renamed"]) == (False, renamed)
    assert "least form" not in found["because"]["text"]
    assert "same_renamed" not in ask("same", first, second, box=box)


def test_the_table_numbers_symbols_in_the_terminal_as_on_the_page() -> None:
    result = msgspec.convert(ask("table", PUZZLE), Table)
    screen = Console(width=200, record=True, file=StringIO())
    screen.print(TABLES["table"](Position(grids=(PUZZLE,)), result))
    lines = [line.split("│") for line in screen.export_text().splitlines() if "│" in line]
    becomes = {row.symbol: str(row.index + 1) for row in result.rows}
    assert {line[1].strip(): line[-2].strip() for line in lines} == becomes
