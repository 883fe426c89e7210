"""Near duplicates in the terminal, and an index of boards in a file."""

from __future__ import annotations

import io
import json
import sqlite3
import sys
from pathlib import Path
from typing import Any

import pytest

from cluewise.cli import main
from cluewise.desks.sudoku.lists.index import Index
from cluewise.errors import BadInput
from cluewise.service import run
from unit.test_sudoku_duplicates import OTHER, PUZZLE, SOLUTION, changed, disguised, fewer, given

Capture = pytest.CaptureFixture[str]


def command(monkeypatch: pytest.MonkeyPatch, text: str, *words: str) -> int:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    monkeypatch.setattr(sys, "argv", ["cluewise", "sudoku", "duplicates", *words])
    with pytest.raises(SystemExit) as ended:
        main()
    return int(ended.value.code or 0)


def keys(*lines: str) -> list[str]:
    found = run({"desk": "sudoku", "want": "group",
                 "options": {"lines": list(lines), "task": "keys"}})  # fmt: skip
    rows: list[str] = found["answers"]
    return rows


def test_the_terminal_says_which_lines_are_nearly_one(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    text = f"{PUZZLE}\n{OTHER}\n{disguised(given(PUZZLE, 7))}\n{PUZZLE[:80]}\n"
    assert command(monkeypatch, text) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[0] == "3 boards, 0 repeats; 1 near pair in 1 cluster."
    assert said[1] == "line 1 ~ line 3: the same with 1 given more"
    assert said[2].startswith("line 4, column 81: ")
    assert command(monkeypatch, text, "--json", "--most", "0") == 0
    assert json.loads(capsys.readouterr().out)["total"] == 0


def test_an_index_is_kept_added_to_and_asked(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture, tmp_path: Path
) -> None:
    file = str(tmp_path / "boards.sqlite")
    assert command(monkeypatch, f"{PUZZLE}\n{OTHER}\n", "--index", file, "--add") == 0
    assert "2 boards new; 2 boards in the index" in capsys.readouterr().err.replace("lines, ", "")
    again = f"{disguised(PUZZLE)}\n{disguised(given(OTHER))}\n{SOLUTION}\n"
    assert command(monkeypatch, again, "--index", file, "--add") == 0
    assert "1 board new; 3 boards in the index" in capsys.readouterr().err
    asked = [disguised(given(PUZZLE, 7)), fewer(PUZZLE, 1, 2), disguised(changed(OTHER)), PUZZLE]
    assert command(monkeypatch, "\n".join(asked), "--index", file, "--json") == 0
    document = json.loads(capsys.readouterr().out)
    assert [(p["line"], p["number"], p["edits"]) for p in document["pairs"]] == [
        (1, 1, 1), (2, 1, 2), (3, 2, 1), (4, 1, 0),
    ]  # fmt: skip
    assert document["pairs"][0]["only_line"] == 1
    assert document["pairs"][1]["only_index"] == 2
    assert document["index"] == 3
    assert command(monkeypatch, asked[0], "--index", file) == 0
    assert capsys.readouterr().out == "line 1 ~ 1 in the index (-:1): the same with 1 given fewer\n"


def test_with_more_than_two_cells_the_index_is_asked_for_puzzles_of_the_same_grid(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture, tmp_path: Path
) -> None:
    file = str(tmp_path / "boards.sqlite")
    command(monkeypatch, f"{PUZZLE}\n{SOLUTION}\n", "--index", file, "--add")
    capsys.readouterr()
    far = disguised(given(PUZZLE, *range(12)))
    command(monkeypatch, far, "--index", file, "--json", "--most", "12")
    (pair,) = json.loads(capsys.readouterr().out)["pairs"]
    assert (pair["number"], pair["edits"], pair["only_line"]) == (1, 12, 12)
    command(monkeypatch, far, "--index", file, "--json")
    assert json.loads(capsys.readouterr().out)["pairs"] == []


def test_what_cannot_be_read_is_named_and_the_rest_is_kept(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture, tmp_path: Path
) -> None:
    file = str(tmp_path / "boards.sqlite")
    text = f"{PUZZLE[:80]}\n{PUZZLE}\n11{'.' * 79}\n"
    assert command(monkeypatch, text, "--index", file, "--add") == 2
    said = capsys.readouterr().err
    assert "line 1: " in said
    assert "line 3: " in said
    assert "1 board in the index" in said
    assert command(monkeypatch, PUZZLE, "--add") == 2


def test_other_files_are_refused_and_left_as_they_are(tmp_path: Path) -> None:
    other = tmp_path / "other.sqlite"
    database = sqlite3.connect(other)
    database.execute("CREATE TABLE notes (text TEXT)")
    database.commit()
    database.close()
    before = other.read_bytes()
    with pytest.raises(BadInput, match="not an index"):
        Index(other)
    assert other.read_bytes() == before
    (tmp_path / "text").write_text("A text that is no database, long enough to be looked at." * 40)
    with pytest.raises(BadInput, match="cannot be used"):
        Index(tmp_path / "text")
    with pytest.raises(BadInput, match="cannot be used"):
        Index(tmp_path / "no such folder" / "file")


def test_boards_are_added_all_or_none(tmp_path: Path) -> None:
    good, rows = keys(PUZZLE)[0], keys(OTHER)

    def broken() -> Any:
        yield "1", OTHER, rows[0]
        raise ValueError("the list breaks off")

    with Index(tmp_path / "boards.sqlite") as index:
        assert index.add([("a", PUZZLE, good), ("b", PUZZLE, good)]) == 1
        with pytest.raises(ValueError, match="breaks off"):
            index.add(broken())
        assert len(index) == 1
    with Index(tmp_path / "boards.sqlite") as index:
        assert [entry.label for entry in index.near(good, one_grid=True)] == ["a"]
