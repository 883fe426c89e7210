"""The sudoku desk in a terminal: the content of every table, and errors."""

import json
from io import StringIO
from pathlib import Path
from typing import Any

import msgspec
import pytest
from PIL import Image
from rich.console import Console

from asking import ask_grids, vectors
from cluewise.cli.desks.sudoku import show_table
from cluewise.desks.sudoku.formats.lzstring import compress
from cluewise.desks.sudoku.position import Position
from cluewise.desks.sudoku.results import Table
from commands import Command
from reference.sudoku_boards import drawn

CASES = vectors("sudoku_cases")

GRID = "123456789456789123789123456214365897365897214897214365531642978642978531978531642"
PUZZLE = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"
EMPTY = "." * 81


@pytest.fixture
def run(command: Command, tmp_path: Path) -> Any:
    """`run(verb, *arguments)` → exit status, standard output, standard error; dicts are files."""

    def call(verb: str, *arguments: Any) -> tuple[int, str, str]:
        given = []
        for argument in arguments:
            if isinstance(argument, dict):
                (tmp_path / "p.json").write_text(json.dumps(argument))
                argument = str(tmp_path / "p.json")
            given.append(argument)
        return command("sudoku", verb, *given)

    return call


def board(*grids: str, rules: tuple[dict[str, Any], ...] = (), **more: Any) -> dict[str, Any]:
    return {"desk": "sudoku", "grids": list(grids), "constraints": list(rules), **more}


def test_a_grid_comes_by_its_number(run: Any) -> None:
    status, out, err = run("grid", "--number", "1")
    assert (status, err) == (0, "")
    assert out.startswith("Grid 1 of 5 472 730 538 (aaaaaab)\n 1 2 3 | 4 5 6 | 7 8 9\n")
    assert out.endswith(GRID + "\n")


def test_maps_that_move_no_lines_are_described_by_their_cells(run: Any) -> None:
    status, out, _ = run("automorphisms", board(EMPTY, rules=({"kind": "diagonal"},)))
    assert (status, "2 592 transforms" in out) == (0, True)


def test_jobs_are_for_lists_alone(run: Any) -> None:
    for verb in ("canon", "solve"):
        status, _, err = run(verb, board(GRID), "--jobs", "2")
        assert (status, "are for lists" in err) == (2, True)


SMALL = "1234341221434321"  # a grid of 2×2 boxes
LIST = ["123....4........", "." * 16, "." * 15 + "1", SMALL, "11" + "." * 14]


def test_a_list_without_a_single_board_is_read_as_nine_by_nine(run: Any, tmp_path: Path) -> None:
    (tmp_path / "list.txt").write_text("hello\nthere\n")
    status, out, err = run("canon", "--lines", str(tmp_path / "list.txt"))
    assert status == 2
    why = "There is no board here: 81 characters were expected."
    assert out.splitlines() == [f"error: line {i}, column 1: {why}" for i in (1, 2)]
    assert err == "2 of 2 lines could not be answered.\n"


@pytest.mark.parametrize(
    ("task", "flags", "answers"), CASES["a list of other boxes is answered a line each"]
)
def test_a_list_of_other_boxes_is_answered_a_line_each(
    run: Any, tmp_path: Path, task: str, flags: list[str], answers: list[str]
) -> None:
    (tmp_path / "list.txt").write_text("\n".join(LIST) + "\n")
    status, out, err = run(task, "--lines", str(tmp_path / "list.txt"), "--box", "2x2", *flags)
    assert (status, out.splitlines()) == (2, answers)
    bad = sum(answer.startswith("error") for answer in answers)
    assert err == f"{bad} of 5 lines could not be answered.\n"


def test_import_prints_boards_and_reports_unreadable_lines(run: Any, tmp_path: Path) -> None:
    file = tmp_path / "boards.txt"
    file.write_text(f"{PUZZLE}\n12\n{GRID}\n")
    status, out, err = run("import", str(file))
    assert (status, out) == (0, f"{PUZZLE}\n{GRID}\n")
    assert err.startswith("line 2, column 1: There is no board here")
    status, out, err = run("import", str(file), "--json")
    assert json.loads(out)["grids"] == [PUZZLE, GRID]
    status, out, err = run("import", "nonsense")
    assert (status, out) == (2, "")
    assert "There is no board here: 81 characters were expected." in err
    assert "line 1, column 1" in err


def test_import_names_the_constraints_of_each_board(run: Any) -> None:
    puzzle = {"size": 9, "diagonal+": True, "diagonal-": True,
              "grid": [[{"value": int(c), "given": True} for c in GRID[i : i + 9]]
                       for i in range(0, 81, 9)]}  # fmt: skip
    link = f"https://www.f-puzzles.com/?load={compress(json.dumps(puzzle))}"
    status, out, err = run("import", link)
    assert (status, out) == (0, GRID + "\n")
    assert err == "board 1 has constraints: both diagonals\n"
    status, out, err = run("paste", "--text", link)
    assert (status, err) == (0, "")
    assert "board 1 has constraints: both diagonals" in out


def test_pictures_that_cannot_be_read_are_reported_one_by_one(run: Any, tmp_path: Path) -> None:
    text, none, blank = tmp_path / "text.jpg", tmp_path / "none.png", tmp_path / "blank.png"
    text.write_text("hello")
    Image.new("L", (200, 200), 255).save(blank)
    status, out, err = run("photo", str(text))
    assert (status, out) == (2, "")
    assert f"{text} is not a picture that can be read (jpg, png, webp)." in err
    status, out, err = run("photo", str(text), str(none), str(blank))
    assert (status, out) == (2, "")
    assert [line.startswith(("Cannot read", str(text), str(blank))) for line in
            err.splitlines()] == [True] * 3  # fmt: skip
    status, _, err = run("photo", "--size", "5", str(text))
    assert (status, "--size takes 4, 6, 9, 12 or 16" in err) == (2, True)
    assert "$.options.size" in err


def test_a_picture_is_read_and_one_that_fails_stops_no_other(
    command: Command, tmp_path: Path
) -> None:
    good, bad = str(tmp_path / "good.png"), str(tmp_path / "bad.png")
    drawn(PUZZLE, 3, 3).save(good)
    Path(bad).write_text("hello")
    status, out, err = command("sudoku", "photo", good)
    assert (status, err) == (0, "")
    assert out.startswith(" 4 . . | . . . | 8 . 5\n")
    status, out, err = command("sudoku", "photo", bad, good)
    assert (status, out.splitlines()[0]) == (2, good)
    assert err.startswith(f"{bad} is not a picture")
    status, out, _ = command("sudoku", "photo", good, "--json")
    assert (status, json.loads(out)["grid"]) == (0, PUZZLE)
    status, out, _ = command("sudoku", "photo", good, good, "--json")
    assert [one["grid"] for one in json.loads(out)] == [PUZZLE] * 2


def test_the_table_numbers_symbols_in_the_terminal_as_on_the_page() -> None:
    result = msgspec.convert(ask_grids("table", PUZZLE), Table)
    screen = Console(width=200, record=True, file=StringIO())
    screen.print(show_table(Position(grids=(PUZZLE,)), result))
    lines = [line.split("│") for line in screen.export_text().splitlines() if "│" in line]
    becomes = {row.symbol: str(row.index + 1) for row in result.rows}
    assert {line[1].strip(): line[-2].strip() for line in lines} == becomes


def test_the_terminal_names_left_out_constraints_with_every_verdict(
    run: Any,
) -> None:
    swapped = PUZZLE[9:18] + PUZZLE[:9] + PUZZLE[18:]
    thermometers = ({"kind": "other", "name": "thermometers"},)
    two, one = board(PUZZLE, swapped, rules=thermometers), board(PUZZLE, rules=thermometers)
    for verb, given, text in (
        ("same", two, "The same as plain sudoku"),
        ("solve", one, "As plain sudoku: one solution."),
    ):
        status, out, _ = run(verb, given)
        assert status == 0
        assert text in out
        assert "Not compared: thermometers." in out
