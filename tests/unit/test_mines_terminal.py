"""The mines desk in the terminal: files, folders and tables."""

import base64
import json
import zipfile
from pathlib import Path
from typing import Any

import msgspec
import pytest

from cluewise.cli.desks.mines import show_doubt
from cluewise.desks.mines.formats import read
from cluewise.desks.mines.formats.puz.write import write_campaign, write_puz
from cluewise.desks.mines.generator import local_search
from cluewise.desks.mines.position import Position
from cluewise.desks.mines.results import CampaignLevel, Doubt, Repair
from cluewise.desks.mines.verbs.files import bundled
from cluewise.service import run, to_plain
from commands import Command
from reference.mines_puz import faults, inner

PUZZLE = write_puz(bundled()[0].position)
TYPED = "1#\n##\ntotal 1\n"


def test_puz_file_has_the_answers_of_its_position(command: Command, tmp_path: Path) -> None:
    puz, plain = tmp_path / "one.puz", tmp_path / "one.json"
    puz.write_text(PUZZLE)
    plain.write_text(command("mines", "import", str(puz))[1])
    for verb in (["rate"], ["solve"], ["explain", "--cell", "0"], ["hint"]):
        answers = [command("mines", *verb, str(path), "--json") for path in (puz, plain)]
        assert answers[0] == answers[1]
        assert answers[0][0] == 0
        assert json.loads(answers[0][1])


def test_typed_board_is_answered(command: Command, tmp_path: Path) -> None:
    typed = tmp_path / "board.txt"
    typed.write_text(TYPED)
    status, out, _ = command("mines", "solve", str(typed), "--json")
    assert (status, json.loads(out)["solutions"]) == (0, "3")


def test_damaged_puz_file_is_an_error_with_its_line(command: Command, tmp_path: Path) -> None:
    puz = tmp_path / "one.puz"
    puz.write_text("<PUZZLE>\n</GRAPH></PUZZLE>")
    status, out, err = command("mines", "rate", str(puz), "--json")
    error = json.loads(err)["error"]
    assert (status, out, error["kind"], error["where"]) == (2, "", "bad_notation", "line 2")


@pytest.mark.parametrize("verb", ["rate", "solve"])
def test_bad_file_in_a_folder_is_named_and_the_others_answered(
    verb: str, command: Command, tmp_path: Path
) -> None:
    (tmp_path / "a.puz").write_text(PUZZLE)
    assert command("mines", verb, str(tmp_path))[0] == 0
    (tmp_path / "b.puz").write_text("<PUZZLE>")
    (tmp_path / "c.txt").write_text(".x")
    (tmp_path / "d.puz").write_text(PUZZLE)
    status, out, err = command("mines", verb, str(tmp_path), "--json")
    rows = json.loads(out)["files"]
    assert [(row["file"], "result" in row) for row in rows] == [
        ("a.puz", True), ("b.puz", False), ("c.txt", False), ("d.puz", True)
    ]  # fmt: skip
    error = json.loads(err)["error"]
    assert (status, error["kind"]) == (2, "bad_input")
    assert "2 of 4 files have errors: b.puz, c.txt" in error["message"]
    status, out, err = command("mines", verb, str(tmp_path))
    assert status == 2
    assert "never closed" in out
    assert "b.puz, c.txt" in err


def test_only_a_missed_difficulty_band_is_printed(command: Command) -> None:
    words = ("generate", "--board", "hex", "--size", "3", "--seed", "1", "--difficulty")
    said = command("mines", *words, "90..99")[1]
    assert "Asked for 90..99, the nearest that was found has" in said
    assert "Asked for" not in command("mines", *words, "0..99")[1]


def test_output_of_a_wish_has_candidates_and_nearest_puzzles(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(local_search, "EVALUATIONS", 150)
    words = ("generate", "--size", "5", "--seed", "1", "--wish")
    said = command("mines", *words, "9 parity, none deeper")[1]
    assert "Not as wished: 9 parity, none deeper than parity" in said
    assert "0 parity moves instead of 9" in said
    assert "candidates looked at; the hardest move of those without a guess:" in said
    assert "also near:" in said
    said = command("mines", *words, "1+ one")[1]
    assert "As wished: 1+ one" in said
    assert "1 candidate looked at" in said
    assert "also near" not in said


def test_campaign_verb_returns_the_archive_of_the_terminal() -> None:
    """In base64; a level that is no puzzle is refused with its place, two of one ID in words."""
    first, second = (example.position for example in bundled()[:2])

    def packed(*levels: dict[str, object]) -> bytes:
        asked = {"desk": "mines", "want": "campaign", "options": {"levels": levels}}
        return base64.b64decode(run(to_plain(asked))["archive"])

    archive = packed({"puzzle": first, "score": 1.5, "steps": [1, 3]}, {"puzzle": second})
    assert archive == write_campaign([CampaignLevel(first, 1.5, (1, 3)), CampaignLevel(second)])


def test_folder_is_written_as_a_campaign_of_linked_levels(command: Command, tmp_path: Path) -> None:
    folder, out = tmp_path / "levels", tmp_path / "out.zip"
    folder.mkdir()
    chosen = sorted(bundled()[:4], key=lambda e: -(e.rating.smooth or 0))
    for i, example in enumerate(chosen):
        (folder / f"{i}.puz").write_text(write_puz(example.position))
    assert command("mines", "campaign", str(folder), str(out), "--by", "difficulty")[0] == 0
    with zipfile.ZipFile(out) as archive:
        names = [n for n in archive.namelist() if n.endswith(".puz")]
        texts = [archive.read(n).decode() for n in names]
        order = archive.read("campaign.txt").decode().splitlines()[1:]
    assert [faults(text) for text in texts] == [[]] * 4
    ids = [inner(text, "ID") for text in texts]
    assert [inner(text, "NEXT_PUZZLE_ID") for text in texts] == [*ids[1:], ""]
    assert [line.split()[1] for line in order] == ids
    scores = [float(line.split()[2]) for line in order]
    assert scores == sorted(scores)
    asked = "campaign", str(folder), str(out), "--by", "difficulty", "--json"
    status, document, _ = command("mines", *asked)
    assert status == 0
    assert base64.b64decode(json.loads(document)["archive"]) == out.read_bytes()
    (folder / "again.puz").write_text((folder / "0.puz").read_text())
    status, _, said = command("mines", "campaign", str(folder), str(out))
    assert status == 2
    assert "same ID" in said


@pytest.fixture
def show(command: Command, tmp_path: Path) -> Any:
    """`show(verb, board, *flags)` → exit status, standard output, standard error."""

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


def test_stuck_board_is_printed_with_region_and_repairs(show: Any) -> None:
    status, out, err = show("author", ROW, "--region", "0")
    assert (status, err) == (0, "")
    assert "Stuck after" in out
    assert "closed: A1" in out
    assert "frees it" in out
    status, out, err = show("rate", ROW)
    assert "A guess is needed" in out


def test_exported_puzzle_is_read_unchanged(show: Any, tmp_path: Path) -> None:
    source, target = tmp_path / "one.puz", tmp_path / "two.puz"
    source.write_text(PUZZLE)
    status, out, err = show("export", None, str(target), str(source))
    assert (status, out, err) == (0, "", "")
    assert read(target.read_text()) == read(PUZZLE)


def test_refused_campaign_has_a_message(show: Any, tmp_path: Path) -> None:
    folder = tmp_path / "levels"
    folder.mkdir()
    (folder / "a.puz").write_text(PUZZLE)
    status, out, err = show("campaign", None, str(folder), str(tmp_path / "c.zip"), "--by", "size")
    assert (status, out) == (2, "")
    assert "Levels are put in order by name or by difficulty." in err
    (folder / "b.txt").write_text(FIFTY)
    status, out, err = show("campaign", None, str(folder), str(tmp_path / "c.zip"))
    assert (status, out) == (2, "")
    assert "Only a puzzle can be rated" in err
    assert not (tmp_path / "c.zip").exists()


def test_repair_with_uncounted_layouts_is_printed_as_such() -> None:
    repair = Repair("number:0", 1, None, 1)
    shown = show_doubt(
        msgspec.convert(CLASH, Position),
        Doubt(True, [["number:0", "number:2"]], True, [repair], []),
    )
    text = "\n".join(map(str, shown.renderables))  # type: ignore[union-attr]  # a group of lines
    assert "the 0 at A1: 1 instead leaves layouts that were not counted." in text
