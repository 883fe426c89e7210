"""Lists: line by line, by what their boards have in common, and as a table."""

import json
import random
import sqlite3
from typing import Any

import msgspec
import pytest

from asking import ask_grids, vectors
from cluewise import service
from cluewise.core.work import finish
from cluewise.desks.sudoku.engine.canonical import canonical
from cluewise.desks.sudoku.engine.minlex import carried_boards
from cluewise.desks.sudoku.engine.near_duplicates import MOST_BOARDS, one_grid_pairs
from cluewise.desks.sudoku.lists import output
from cluewise.desks.sudoku.lists.annotate import COLUMNS, ClassNumbering
from cluewise.desks.sudoku.lists.output import ManyClasses
from cluewise.desks.sudoku.position import NINE, read_cells, write_cells
from cluewise.desks.sudoku.transform import Transform, apply
from cluewise.errors import HostFailure, TooLarge
from cluewise.parallel.pool import InProcess
from cluewise.parallel.tasks import ParallelContext
from cluewise.service import run
from commands import Command

VECTORS: dict[str, Any] = vectors("sudoku")
PIECE = 8000  # lines of a piece
PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"


def mixed() -> list[str]:
    lines = [p["puzzle"] for p in VECTORS["puzzles"]]
    lines += [p["scramble"]["puzzle"] + " # again" for p in VECTORS["puzzles"]]
    lines += [g["grid"] for g in VECTORS["grids"]] + [
        g["scramble"]["grid"] for g in VECTORS["grids"]
    ]
    random.Random(3).shuffle(lines)
    return lines


def test_classes_are_those_of_the_exact_comparison() -> None:
    lines = mixed()
    found = ask_grids("group", lines=lines)
    forms = [canonical(read_cells(line[:81], NINE), NINE).form for line in lines]
    assert len(found["firsts"]) == len(set(forms)) == 185
    for k, first in enumerate(found["firsts"]):
        assert found["classes"].index(k) == first
    for form, number in zip(forms, found["classes"], strict=True):
        assert forms[found["firsts"][number]] == form


def test_the_pipe_answers_every_line_in_order(command: Command) -> None:
    lines = mixed()
    done = command("sudoku", "group", "--lines", "-", text="\n".join(lines) + "\n")
    assert done.status == 0
    assert [int(line) for line in done.out.split()] == ask_grids("group", lines=lines)["classes"]


@pytest.mark.parametrize("empty", [1, 2])
def test_empty_lines_at_the_end_of_many_keep_their_places(command: Command, empty: int) -> None:
    text = (PUZZLE + "\n") * PIECE + "\n" * empty + PUZZLE[:80] + "\n"
    done = command("sudoku", "group", "--lines", "-", "--jobs", "1", "--json", text=text)
    document = json.loads(done.out)
    assert (document["lines"], document["classes"]) == (PIECE + empty + 1, 1)
    assert document["answers"][PIECE:] == [None] * (empty + 1)
    assert f"line {PIECE + empty + 1}, column 81" in done.out
    last = command("sudoku", "group", "--lines", "-", "--jobs", "1", "--json", text=text[:-81])
    assert json.loads(last.out)["lines"] == PIECE + empty


def test_the_pipe_keeps_first_members_and_reports_unreadable_lines(command: Command) -> None:
    text = f"{PUZZLE} one\n{PUZZLE[:80]}\n{PUZZLE} two\n"
    done = command("sudoku", "group", "--lines", "-", "--unique", text=text)
    assert done.status == 2
    assert done.out == f"{PUZZLE} one\n"
    assert "line 2, column 81" in done.err
    document = json.loads(command("sudoku", "group", "--lines", "-", "--json", text=text).out)
    assert document["answers"] == [0, None, 0]
    assert (document["lines"], document["classes"]) == (3, 1)


def test_the_pipe_sees_the_size_of_the_boards_by_itself(command: Command) -> None:
    text = "1234341221434321\n2143432112343412\n12\n"
    done = command("sudoku", "group", "--lines", "-", text=text)
    assert done.out.splitlines()[:2] == ["0", "0"]
    assert "16 characters were expected" in done.out
    numbers = command("sudoku", "group", "--lines", "-", "--box", "3x3", text=text)
    assert "A 9×9 board has 81 characters, this one has 16" in numbers.out


def test_canon_and_solve_take_lists_and_single_positions(command: Command) -> None:
    case = VECTORS["puzzles"][0]
    done = command("sudoku", "canon", "--lines", "-", text=case["puzzle"] + "\n")
    assert done.out == case["minlex_straight"] + "\n"
    done = command("sudoku", "solve", "--lines", "-", text=case["puzzle"] + "\n")
    assert done.out == case["solution"] + "\n"
    done = command("sudoku", "canon", "-", "--json", text=json.dumps({"grids": [case["puzzle"]]}))
    assert json.loads(done.out)["straight"] == case["minlex_straight"]


def test_boards_whose_least_forms_fail_twice_are_named_by_their_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def breaks(boards: list[str]) -> list[str]:
        raise MemoryError("no room")

    monkeypatch.setattr("cluewise.desks.sudoku.verbs.duplicates.least_forms", breaks)
    options = {"lines": [PUZZLE] * 2}
    request = service.parse_request({"desk": "sudoku", "want": "duplicates", "options": options})
    with pytest.raises(HostFailure, match="Boards from 1 on failed twice: MemoryError: no room"):
        finish(service.outcome(request, ParallelContext(InProcess())))


def test_a_piece_of_a_list_that_fails_twice_is_named_by_its_first_line(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def breaks(box: object, text: str, first: int, *how: object) -> tuple[str, list[object]]:
        if first == 2010:
            raise MemoryError("no room")
        return "\n" * text.count("\n"), []

    monkeypatch.setattr("cluewise.desks.sudoku.verbs.group.piece_of_list", breaks)
    options = {"lines": ["1"] * 6000, "task": "canon", "before": 10}
    request = service.parse_request({"desk": "sudoku", "want": "group", "options": options})
    with pytest.raises(HostFailure, match="Lines from 2011 on failed twice: MemoryError: no room"):
        finish(service.outcome(request, ParallelContext(InProcess())))


def test_more_classes_than_memory_may_hold_are_numbered_alike() -> None:
    rng = random.Random(5)
    keys = [rng.randrange(300).to_bytes(16, "big") for _ in range(2000)]
    few, many = ClassNumbering(), ManyClasses(held=40)
    for at in range(0, 2000, 30):
        some = [*keys[at : at + 20], b"", *keys[at + 20 : at + 30]]
        assert many.numbers(some) == few.numbers(some)
    assert len(many) == len(few) == len(set(keys)) > 40


def test_classes_that_no_file_takes_end_the_list_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    real = output._open_database

    def small() -> sqlite3.Connection:
        database = real()
        database.execute("PRAGMA max_page_count = 2")
        return database

    monkeypatch.setattr(output, "_open_database", small)
    many = ManyClasses(held=1)
    with pytest.raises(HostFailure, match="More than 1 classes are kept in a temporary file"):
        many.numbers([n.to_bytes(16, "big") for n in range(1000)])


CASE = VECTORS["puzzles"][0]
OTHER = VECTORS["puzzles"][1]


def disguised(text: str) -> str:
    t = Transform(True, (2, 0, 1, 3, 4, 5, 8, 7, 6), (3, 5, 4, 0, 1, 2, 6, 7, 8),
                  (0, 9, 8, 7, 6, 5, 4, 3, 2, 1))  # fmt: skip
    return write_cells(apply(t, read_cells(text, NINE)))


@pytest.mark.parametrize("convention", ["straight", "pattern-first", "solution-carried"])
def test_a_row_of_the_table_has_the_answers_of_single_questions(convention: str) -> None:
    lines = [CASE["puzzle"], CASE["solution"], "." * 81, "11" + "." * 79]
    found = ask_grids("group", lines=lines, task="annotate", convention=convention)
    row = dict(zip(COLUMNS, found["answers"][0].split(","), strict=True))
    single = ask_grids("canon", CASE["puzzle"])
    number = ask_grids("canon", CASE["solution"])
    assert row == {
        "givens": str(CASE["clues"]), "symmetries": str(single["automorphisms"]),
        "form": single[convention.replace("-", "_")], "solutions": "1",
        "carried": single["solution_carried"], "grid": number["minlex"], "number": "",
    }  # fmt: skip
    assert found["answers"][1].split(",")[0] == "81"
    assert found["answers"][2].split(",")[3:] == [">=2", "", "", ""]
    assert found["answers"][3] == ""
    assert found["bad"][0]["line"] == 4


def test_the_table_has_the_numbers_of_grids_on_request() -> None:
    puzzle, solution = CASE["puzzle"], CASE["solution"]
    lines = [puzzle, "." * 81, disguised(solution), "11" + "." * 79, OTHER["puzzle"], "# a remark"]
    plain, found = (
        ask_grids("group", lines=lines, task="annotate", numbers=asked) for asked in (False, True)
    )
    one, other = (
        run({"desk": "sudoku", "want": "number", "position": {"grids": [grid]}})["number"]
        for grid in (solution, OTHER["solution"])
    )
    numbers = [one, None, one, None, other, None]
    for row, shown, number in zip(plain["answers"], found["answers"], numbers, strict=True):
        assert shown == f"{row}{number or ''}"
    options = {"lines": lines, "task": "annotate", "numbers": True}
    request = service.parse_request({"desk": "sudoku", "want": "group", "options": options})
    assert (
        service.to_plain(finish(service.outcome(request, ParallelContext(InProcess()))).result)
        == found
    )


def test_the_terminal_prints_the_table_with_line_and_class(command: Command) -> None:
    text = f"{CASE['puzzle']}\n\n{OTHER['puzzle']}\n{disguised(CASE['puzzle'])}\n"
    ran = command("sudoku", "group", "--csv", text=text)
    assert ran.status == 0
    head, *rows = ran.out.splitlines()
    assert head == "line,class,givens,symmetries,form,solutions,carried,grid,number"
    assert [row.split(",")[:2] for row in rows] == [["1", "1"], ["3", "2"], ["4", "1"]]
    assert rows[0].split(",")[4:] == rows[2].split(",")[4:]


CASES = vectors("sudoku_cases")

FIRST, SOLUTION, SECOND = CASE["puzzle"], CASE["solution"], OTHER["puzzle"]


def duplicates(lines: list[str], **options: Any) -> Any:
    return run({"desk": "sudoku", "want": "duplicates", "options": {"lines": lines, **options}})


def given(text: str, *extra: int) -> str:
    blanks = [i for i, d in enumerate(text) if d == "."]
    more = {blanks[k] for k in extra}
    return "".join(SOLUTION[i] if i in more else d for i, d in enumerate(text))


def changed(text: str) -> str:
    """The puzzle with another symbol in one cell, where that is legal."""
    for i, d in enumerate(text):
        for new in "123456789":
            board = text[:i] + new + text[i + 1 :]
            legal = ask_grids("group", lines=[board])
            if d not in (".", new) and not legal["bad"]:
                return board
    raise AssertionError("no symbol can be changed")


@pytest.mark.parametrize(
    ("second", "counts", "text"), CASES["the steps done to a puzzle are given with a witness"]
)
def test_edits_of_a_puzzle_are_reported_with_a_witness(
    second: str, counts: list[int], text: str
) -> None:
    found = duplicates([SECOND, FIRST, "", disguised(second)])
    (pair,) = found["pairs"]
    assert (pair["first"], pair["second"], pair["text"]) == (1, 3, text)
    assert [pair["only_first"], pair["only_second"], pair["changed"]] == counts
    assert pair["edits"] == sum(counts) == len(pair["differs"])
    moved = apply(msgspec.convert(pair["witness"], Transform), read_cells(FIRST, NINE))
    target = read_cells(disguised(second), NINE)
    differs = [i for i, (x, y) in enumerate(zip(moved, target, strict=True)) if x != y]
    assert differs == pair["differs"]


def test_a_board_with_a_slip_that_breaks_the_rules_is_named_and_compared() -> None:
    row = next(r for r in range(9) if FIRST[9 * r : 9 * r + 9].count(".") < 8)
    first, second = [i for i in range(9 * row, 9 * row + 9) if FIRST[i] != "."][:2]
    slip = FIRST[:second] + FIRST[first] + FIRST[second + 1 :]
    found = duplicates([FIRST, disguised(slip), disguised(slip)])
    edits = {(pair["first"], pair["second"]): pair["edits"] for pair in found["pairs"]}
    assert edits == {(0, 1): 1, (0, 2): 1, (1, 2): 0}
    assert [(bad["line"], "twice" in bad["why"]) for bad in found["bad"]] == [(2, True), (3, True)]


def test_puzzles_of_one_grid_are_compared_at_any_distance() -> None:
    rng = random.Random(4)
    blanks = FIRST.count(".")
    more = given(FIRST, *rng.sample(range(blanks), 9))
    found = duplicates([FIRST, disguised(more), SOLUTION], most=9)
    (pair,) = found["pairs"]
    assert (pair["edits"], pair["only_second"], pair["text"]) == (
        9, 9, "the same with 9 givens more",
    )  # fmt: skip
    assert duplicates([FIRST, disguised(more)], most=8)["total"] == 0
    every = duplicates([FIRST, disguised(more), SOLUTION], most=81)
    assert [p["edits"] for p in every["pairs"]] == [9, blanks, blanks - 9]
    assert every["certain"] == 2


def test_a_puzzle_of_an_automorphic_grid_is_compared_over_its_symmetries() -> None:
    grid = VECTORS["same_table_family"][0]["grid"]
    kept = set(random.Random(1).sample(range(81), 60))
    puzzle = "".join(d if i in kept else "." for i, d in enumerate(grid))
    more = "".join(d if i in kept or i < 40 else "." for i, d in enumerate(grid))
    (pair,) = duplicates([puzzle, disguised(more)], most=81)["pairs"]
    assert pair["edits"] == pair["only_second"] == 81 - more.count(".") - 60


def test_lists_that_are_too_long_or_of_another_size_are_refused() -> None:
    with pytest.raises(TooLarge, match="split it"):
        duplicates([""] * (2 * MOST_BOARDS + 1))


def test_the_terminal_prints_which_lines_nearly_agree(command: Command) -> None:
    text = f"{FIRST}\n{SECOND}\n{disguised(given(FIRST, 7))}\n{FIRST[:80]}\n"
    ran = command("sudoku", "duplicates", text=text)
    assert ran.status == 0
    head, pair, bad = ran.out.splitlines()
    assert head == "3 boards, 0 repeats; 1 near pair in 1 cluster."
    assert pair == "line 1 ~ line 3: the same with 1 given more"
    assert bad.startswith("line 4, column 81: ")
    ran = command("sudoku", "duplicates", "--json", "--most", "0", text=text)
    assert json.loads(ran.out)["total"] == 0


INKALA = read_cells(
    "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..", NINE
)


def test_one_grids_puzzles_are_only_compared_where_there_are_two() -> None:
    assert carried_boards([]) == []
    assert finish(one_grid_pairs([INKALA], 1, 2)) == ([], 0)
    blank = bytes(81)
    assert carried_boards([blank]) == [(2, b"", b"", b"")]
    assert finish(one_grid_pairs([blank, INKALA], 1, 2)) == ([], 0)
