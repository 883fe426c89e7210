"""The toolkit of the terminal, and the texts of tables and commands (tests/vectors/tables.json)."""

import io
import json
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from asking import vectors
from cluewise import service
from cluewise.cli import bulk, desks, drive, files
from cluewise.core.work import Job, Progress, finish
from cluewise.errors import BadInput, BadOption, Stopped
from commands import Command, table_of


def test_unreadable_and_unwritable_files_give_an_error(tmp_path: Path) -> None:
    for read in (files.read_bytes, files.read_text, files.read_text_lenient):
        with pytest.raises(BadInput, match="Cannot read"):
            read(tmp_path / "none")
    with pytest.raises(BadInput, match="Cannot write"):
        files.write_file(tmp_path / "no" / "where", b"")
    with pytest.raises(BadInput, match="Cannot read"), files.iter_lines(str(tmp_path / "none")):
        pass
    with pytest.raises(BadInput, match=r"no \.a or \.b file"):
        files.files_in(tmp_path, (".a", ".b"))


def test_invalid_utf8_is_reported_or_replaced(tmp_path: Path) -> None:
    file = tmp_path / "latin"
    file.write_bytes(b"caf\xe9")
    with pytest.raises(BadInput, match="byte 3"):
        files.read_text(file)
    assert files.read_text_lenient(file) == "caf\ufffd"


def test_files_of_a_folder_are_sorted_and_sizes_are_known(tmp_path: Path) -> None:
    for name in ("b.TXT", "a.txt", "c.png"):
        (tmp_path / name).write_text("1234\n")
    assert [file.name for file in files.files_in(tmp_path, (".txt",))] == ["a.txt", "b.TXT"]
    assert files.size_of(str(tmp_path / "a.txt")) == 5
    assert files.size_of("-") is None
    with files.iter_lines(str(tmp_path / "a.txt")) as lines:
        assert list(lines) == ["1234\n"]


def stopped_in_the_middle() -> Job[int]:
    yield Progress(1, 2)
    raise KeyboardInterrupt


def test_stopped_job_raises_stopped() -> None:
    with pytest.raises(Stopped):
        drive.finished(stopped_in_the_middle())


def test_long_job_has_a_progress_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = io.StringIO()
    monkeypatch.setattr(drive, "PATIENCE", 0.0)
    monkeypatch.setattr(drive, "err", Console(file=shown, force_terminal=True, width=80))

    def job() -> Job[str]:
        yield Progress(1, 4, "halving")
        yield Progress(2, 4, "halving")
        return "done"

    assert drive.finished(job()) == "done"
    assert "halving" in shown.getvalue()


def test_ask_returns_the_struct_of_the_verb() -> None:
    found = drive.ask("code", "remaining", {"rules": {"pegs": 2, "colours": 2}}, top=1)
    assert (found.count, found.codes) == (4, ["00"])
    with pytest.raises(BadOption):
        drive.ask("code", "remaining", {}, nonsense=1)


def test_progress_of_a_folder_names_the_current_file(tmp_path: Path) -> None:
    def ask(file: Path) -> service.Request:
        if file.name == "bad":
            raise BadInput("No.", "$.position.clues")
        return drive.request("code", "remaining", {})

    steps, job = [], bulk.answers([tmp_path / "good", tmp_path / "bad"], ask)
    try:
        while True:
            steps.append(next(job))
    except StopIteration as end:
        good, bad = end.value
    assert {step.note for step in steps} == {"good", "bad"}
    assert all(0 <= step.done <= 2 == step.total for step in steps)
    assert (good.result.count, good.error) == (1296, None)
    assert (bad.result, bad.error.message) == (None, "No.")
    assert drive.document(bad.error)["where"] == "$.clues"


def check_lost_line(text: str, lines: int, why: str) -> None:
    pytest.fail(f"no answer to {text!r}: {why}")


def request_of(text: str, before: int) -> dict[str, Any]:
    options = {"lines": text.splitlines(), "before": before, "task": "group"}
    return {"desk": "sudoku", "want": "group", "options": options}


def test_list_is_read_in_whole_lines_and_answered_in_order(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(files, "_PIECE", 8)
    monkeypatch.setattr("os.cpu_count", lambda: 1)
    taken: list[tuple[str, int, int]] = []

    def take(text: str, lines: int, found: Any) -> None:
        taken.append((text, lines, found["bad"][0]["line"]))

    texts = files.iter_texts(io.BytesIO(b"\xef\xbb\xbfa\r\nbc\rd\nefg\nhijk\r\nl\xff"))
    finish(bulk.stream_texts(texts, request_of, take, None, check_lost_line))
    assert taken == [("a\n", 1, 1), ("bc\nd\n", 2, 2), ("efg\nhijk\n", 2, 4), ("l\ufffd", 1, 6)]


def test_bad_options_of_a_list_are_refused_before_reading() -> None:
    def ask(text: str, before: int) -> dict[str, Any]:
        return {"desk": "sudoku", "want": "group", "options": {"task": "nonsense"}}

    read: list[str] = []
    lines = (read.append(line) or line for line in ["1\n"])  # type: ignore[func-returns-value]
    with pytest.raises(BadOption):
        finish(bulk.stream_texts(lines, ask, lambda *_: None, None, check_lost_line))
    assert read == []


def test_numbers_have_groups_of_three_digits() -> None:
    assert desks.group_digits(5472730538) == "5 472 730 538"


CASES = vectors("tables")


@pytest.mark.parametrize("case", CASES["tables"], ids=lambda case: case["desk"])
def test_table_contains_the_expected_words(case: dict[str, Any]) -> None:
    options = {"changed": case.get("changed", {}), **case["options"]}
    shown = table_of(case["desk"], case["verb"], case["position"], **options)
    assert [words for words in case["says"] if words not in shown] == []


@pytest.mark.parametrize("case", CASES["commands"], ids=lambda case: case["line"])
def test_command_prints_the_expected_words(
    command: Command, tmp_path: Path, case: dict[str, Any]
) -> None:
    file = tmp_path / ("position.txt" if isinstance(case["file"], str) else "position.json")
    file.write_text(case["file"] if file.suffix == ".txt" else json.dumps(case["file"]))
    status, out, err = command(*case["line"].replace("FILE", str(file)).split())
    assert [words for words in case["says"] if words not in " ".join((out + err).split())] == []
    assert status == case["status"]
    assert (err if status == 0 else out) == ""
