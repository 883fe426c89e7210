"""The mines desk's tables for people: what each answer says in words."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from cluewise.cli.desks.mines import doubted
from cluewise.desks.mines.formats import read
from cluewise.desks.mines.formats.puz.write import write_puz
from cluewise.desks.mines.position import Position
from cluewise.desks.mines.puzzles import bundled
from cluewise.desks.mines.results import Doubt, Repair
from commands import Command

# 20180625_test_112010010211100011120102210002200100.puz of the level generator's author (MIT)
LOCK = "**?.*.\n.*.?**\n*...**\n*?.*.?\n?*...?\n?..*.."
PUZZLE = write_puz(bundled()[0].position)


@pytest.fixture
def run(command: Command, tmp_path: Path) -> Any:
    """`run(verb, board, *flags)` → exit status, standard output, standard error."""

    def call(verb: str, board: Any, *flags: str) -> tuple[int, str, str]:
        file = tmp_path / ("board.json" if isinstance(board, dict) else "board.txt")
        if board is not None:
            file.write_text(json.dumps(board) if isinstance(board, dict) else board)
        files = [str(file)] if board is not None else []
        status, out, err = command("mines", verb, *files, *flags)
        return status, " ".join(out.split()), err

    return call


def rectangle(width: int, height: int, *revealed: tuple[int, int], **more: Any) -> dict[str, Any]:
    shown = [{"cell": cell, "number": number} for cell, number in revealed]
    board = {"kind": "square", "width": width, "height": height}
    return {"desk": "mines", "board": board, "revealed": shown, **more}


PAIR = rectangle(2, 1, (0, 1))  # one hidden cell, one mine
CLEAR = rectangle(2, 1, (0, 0))
FIFTY = "1#\n##\ntotal 1\n"
CLASH = rectangle(3, 1, (0, 0), (2, 1))  # the cell between is no mine, and one
ROW = {
    "board": {"kind": "square", "width": 4, "height": 1},
    "mines": [1, 2],
    "start": [],
}  # nothing distinguishes A from D


@pytest.mark.parametrize(
    ("verb", "board", "flags", "said"),
    [
        ("explain", FIFTY, ["--cell", "1"], ["Both are possible: the clues do not decide"]),
        ("explain", PAIR, ["--cell", "1"], ["It is a mine.", "Clues: the 1 at A1."]),
        ("explain", CLEAR, ["--cell", "1"], ["It is safe.", "Clues: the 0 at A1.", "1. "]),
        ("hint", FIFTY, [], ["the next move is a guess; `guess` compares the cells."]),
        ("guess", FIFTY, [], ["Best: B1, 33.3 % to win.", "66.7 %"]),
        ("hint", PAIR, ["--degree", "1"], ["There is a move."]),
        ("hint", PAIR, ["--degree", "4"],
         ["There is a move.", "Here: B1.", "These clues decide: the 1 at A1."]),
        ("hint", {**CLEAR, "flags": [1]}, [], ["A flag is wrong. Take it back first; `doubt`"]),
        ("check", {**CLEAR, "flags": [1]}, [], ["A flag is wrong."]),
        ("check", PAIR, [], ["No flag is wrong."]),
        ("doubt", FIFTY, [],
         ["The clues hold together. Each of these follows from all the others:",
          "the total, the 1 at A1."]),
        ("doubt", PAIR, [], ["The clues hold together."]),
        ("doubt", CLASH, [],
         ["These cannot all hold: the 0 at A1, the 1 at C1.",
          "the 0 at A1: 1 instead leaves 1 layout.", "the 1 at C1: 0 instead leaves 1 layout."]),
        ("proof", PAIR, ["--cell", "1"], ["* #variable= 2", "conclusion UNSAT"]),
        ("solve", PAIR, [], ["1 layout fits.", "mines: B1"]),
        ("examples", None, [], ["First lock", "combination-lock"]),
        ("write", PUZZLE, [], ["<PUZZLE>", "<TITLE>First lock</TITLE>"]),
        ("author", PUZZLE, [], ["No guess is needed: 4 waves; smooth score 1.00."]),
        ("rate", PUZZLE, ["--score", "published"], ["published scale: ", "order-free: "]),
        ("rate", LOCK, ["--score", "published"],
         ["published scale: no score (-1);",
          "published scale with 2 inexact rounds in a row: 33.33; rounds: 1 6 6 2 1 1 1 1"]),
        ("rate", PUZZLE, ["--path"],
         ["Hardest deduction: ", "easiest way: ", " moves, ", "; hardest: ", "; thought 2"]),
    ],
)  # fmt: skip
def test_a_table_tells_people_the_whole_answer(
    run: Any, verb: str, board: Any, flags: list[str], said: list[str]
) -> None:
    status, out, err = run(verb, board, *flags)
    assert (status, err) == (0, "")
    for words in said:
        assert words in out


def test_a_board_that_sticks_says_where_and_what_frees_it(run: Any) -> None:
    status, out, err = run("author", ROW, "--region", "0")
    assert (status, err) == (0, "")
    assert "Stuck after" in out
    assert "closed: A1" in out
    assert "frees it" in out
    status, out, err = run("rate", ROW)
    assert "A guess is needed" in out


def test_a_puzzle_is_written_to_a_file_that_reads_the_same(run: Any, tmp_path: Path) -> None:
    source, target = tmp_path / "one.puz", tmp_path / "two.puz"
    source.write_text(PUZZLE)
    status, out, err = run("export", None, str(target), str(source))
    assert (status, out, err) == (0, "", "")
    assert read(target.read_text()) == read(PUZZLE)


def test_a_campaign_is_refused_in_words(run: Any, tmp_path: Path) -> None:
    folder = tmp_path / "levels"
    folder.mkdir()
    (folder / "a.puz").write_text(PUZZLE)
    status, out, err = run("campaign", None, str(folder), str(tmp_path / "c.zip"), "--by", "size")
    assert (status, out) == (2, "")
    assert "Levels are put in order by name or by difficulty." in err
    (folder / "b.txt").write_text(FIFTY)
    status, out, err = run("campaign", None, str(folder), str(tmp_path / "c.zip"))
    assert (status, out) == (2, "")
    assert "Only a puzzle can be rated" in err
    assert not (tmp_path / "c.zip").exists()


def cells(count: int, **more: Any) -> dict[str, Any]:
    """A row of so many cells, each next to the next."""
    adjacent = [[j for j in (i - 1, i + 1) if 0 <= j < count] for i in range(count)]
    return {"neighbours": adjacent, **more}


@pytest.mark.parametrize(
    ("position", "where", "words"),
    [
        (cells(2, polygons=[[[0, 0], [1, 0], [1, 1]]], polygon_of=[0, 1]), "$.polygon_of[1]",
         "There is no polygon 1."),
        (cells(2, polygons=[[[0, 0], [1, 0]]], polygon_of=[0, 0]), "$.polygons[0]",
         "A polygon cannot have 2 corners."),
        ({"board": {"kind": "square", "width": 2, "height": 151, "rows": [0] * 151}}, "$.board",
         "Counts at the edge are for boards of up to 150 lines."),
        (cells(3, mines=[1], start=[1]), "$.start", "Cell 1 is open at the start, but a mine."),
        (cells(3, mines=[1], flags=[0]), "$.flags", "Cell 0 is flagged, but no mine."),
    ],
)  # fmt: skip
def test_what_no_board_could_mean_is_refused_with_its_place(
    run: Any, position: dict[str, Any], where: str, words: str
) -> None:
    status, out, err = run("rate", position, "--json")
    error = json.loads(err)["error"]
    assert (status in (2, 4), out, error["where"]) == (True, "", where)
    assert words in error["message"]


def test_a_repair_whose_layouts_were_not_counted_says_so() -> None:
    repair = Repair("number:0", 1, None, 1)
    shown = doubted(
        msgspec.convert(CLASH, Position),
        Doubt(True, [["number:0", "number:2"]], True, [repair], []),
    )
    text = "\n".join(map(str, shown.renderables))  # type: ignore[union-attr]  # a group of lines
    assert "the 0 at A1: 1 instead leaves layouts that were not counted." in text
