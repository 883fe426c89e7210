"""The mines desk's tables for people: what each answer says in words."""

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


FIFTY = "1#\n##\ntotal 1\n"
CLASH = rectangle(3, 1, (0, 0), (2, 1))  # the cell between is no mine, and one
ROW = {
    "board": {"kind": "square", "width": 4, "height": 1},
    "mines": [1, 2],
    "start": [],
}  # nothing distinguishes A from D


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


def test_a_repair_whose_layouts_were_not_counted_says_so() -> None:
    repair = Repair("number:0", 1, None, 1)
    shown = doubted(
        msgspec.convert(CLASH, Position),
        Doubt(True, [["number:0", "number:2"]], True, [repair], []),
    )
    text = "\n".join(map(str, shown.renderables))  # type: ignore[union-attr]  # a group of lines
    assert "the 0 at A1: 1 instead leaves layouts that were not counted." in text
