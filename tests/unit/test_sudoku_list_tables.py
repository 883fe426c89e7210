"""Lists by what their boards have in common, and as a table."""

from typing import Any

import pytest

from asking import vectors
from cluewise import service
from cluewise.core.work import finish
from cluewise.desks.sudoku.lists.annotate import COLUMNS
from cluewise.desks.sudoku.position import NINE, read_cells, write_cells
from cluewise.desks.sudoku.transform import Transform, apply
from cluewise.parallel.pool import InProcess
from cluewise.service import run
from commands import Command

VECTORS = vectors("sudoku")  # fmt: skip
CASE = VECTORS["puzzles"][0]
OTHER = VECTORS["puzzles"][1]


def group(lines: list[str], **options: Any) -> Any:
    return run({"desk": "sudoku", "want": "group", "options": {"lines": lines, **options}})


def disguised(text: str) -> str:
    t = Transform(True, (2, 0, 1, 3, 4, 5, 8, 7, 6), (3, 5, 4, 0, 1, 2, 6, 7, 8),
                  (0, 9, 8, 7, 6, 5, 4, 3, 2, 1))  # fmt: skip
    return write_cells(apply(t, read_cells(text, NINE)))


@pytest.mark.parametrize("convention", ["straight", "pattern-first", "solution-carried"])
def test_a_row_of_the_table_says_what_single_questions_say(convention: str) -> None:
    lines = [CASE["puzzle"], CASE["solution"], "." * 81, "11" + "." * 79]
    found = group(lines, task="annotate", convention=convention)
    row = dict(zip(COLUMNS, found["answers"][0].split(","), strict=True))
    single = run({"desk": "sudoku", "want": "canon", "position": {"grids": [CASE["puzzle"]]}})
    number = run({"desk": "sudoku", "want": "canon", "position": {"grids": [CASE["solution"]]}})
    assert row == {
        "givens": str(CASE["clues"]), "symmetries": str(single["automorphisms"]),
        "form": single[convention.replace("-", "_")], "solutions": "1",
        "carried": single["solution_carried"], "grid": number["minlex"], "number": "",
    }  # fmt: skip
    assert found["answers"][1].split(",")[0] == "81"
    assert found["answers"][2].split(",")[3:] == [">=2", "", "", ""]
    assert found["answers"][3] == ""
    assert found["bad"][0]["line"] == 4


def test_the_table_tells_the_numbers_of_grids_to_who_asks() -> None:
    puzzle, solution = CASE["puzzle"], CASE["solution"]
    lines = [puzzle, "." * 81, disguised(solution), "11" + "." * 79, OTHER["puzzle"], "# a remark"]
    plain, found = (group(lines, task="annotate", numbers=asked) for asked in (False, True))
    one, other = (
        run({"desk": "sudoku", "want": "number", "position": {"grids": [grid]}})["number"]
        for grid in (solution, OTHER["solution"])
    )
    told = [one, None, one, None, other, None]
    for row, shown, number in zip(plain["answers"], found["answers"], told, strict=True):
        assert shown == f"{row}{number or ''}"
    options = {"lines": lines, "task": "annotate", "numbers": True}
    request = service.parse_request({"desk": "sudoku", "want": "group", "options": options})
    assert service.to_plain(finish(service.run_parallel(request, InProcess())).result) == found


def test_the_terminal_prints_the_table_with_line_and_class(command: Command) -> None:
    text = f"{CASE['puzzle']}\n\n{OTHER['puzzle']}\n{disguised(CASE['puzzle'])}\n"
    ran = command("sudoku", "group", "--csv", text=text)
    assert ran.status == 0
    head, *rows = ran.out.splitlines()
    assert head == "line,class,givens,symmetries,form,solutions,carried,grid,number"
    assert [row.split(",")[:2] for row in rows] == [["1", "1"], ["3", "2"], ["4", "1"]]
    assert rows[0].split(",")[4:] == rows[2].split(",")[4:]
