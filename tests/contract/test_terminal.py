"""The terminal on every desk: exit status, one JSON document, errors as JSON with their place."""

import dataclasses
import json
import random
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from asking import vectors
from cluewise import __version__, desks, service
from cluewise.browser.console import help_text
from cluewise.core.desk import describe_options
from cluewise.core.version import version_string
from commands import Command, interruptible
from contract import fuzz
from contract.fuzz import POSITIONS
from contract.test_every_desk import CHEAP, EVERY

CASES = vectors("cases")["terminal"]

CLASH = CASES["CLASH"]


@pytest.fixture
def file(tmp_path: Path) -> Any:
    def write(value: Any) -> str:
        path = tmp_path / "position.json"
        path.write_text(value if isinstance(value, str) else json.dumps(value))
        return str(path)

    return write


@EVERY
def test_json_output_is_the_result_of_the_service(name: str, command: Command, file: Any) -> None:
    for position in POSITIONS[name]:
        ran = command(name, CHEAP[name], file(position), "--json")
        assert ran.status == 0
        assert ran.err == ""
        request = {"desk": name, "want": CHEAP[name], "position": position}
        assert json.loads(ran.out) == json.loads(json.dumps(service.run(request)))


@EVERY
def test_default_output_is_a_table(name: str, command: Command, file: Any) -> None:
    for position in POSITIONS[name]:
        ran = command(name, CHEAP[name], file(position))
        assert ran.status == 0
        assert ran.out.strip()
        assert not ran.out.lstrip().startswith("{"), "a table, not JSON"


@EVERY
def test_mutated_files_end_with_a_status_and_a_named_error(
    name: str, command: Command, file: Any
) -> None:
    dice = random.Random(11)
    for _ in range(fuzz.MUTATIONS // 4):
        position = fuzz.position(name, dice)
        ran = command(name, CHEAP[name], file(position), "--json")
        assert ran.status in (0, 2, 3, 4), ran.err
        if ran.status:
            assert ran.out == ""
            error = json.loads(ran.err)["error"]
            assert error["message"]
            assert error["where"].startswith("$")
            assert set(error) == {"kind", "message", "where"}


@pytest.mark.parametrize(("text", "message"), CASES["a file that is no position is refused"])
def test_file_that_is_no_position_is_refused(
    command: Command, file: Any, text: str | None, message: str
) -> None:
    ran = command("code", "remaining", "no such file.json" if text is None else file(text))
    assert ran.status == 2
    assert message in ran.err
    assert "Traceback" not in ran.err


def test_contradiction_has_exit_status_3_except_for_doubt(command: Command, file: Any) -> None:
    ran = command("code", "advise", file(CLASH), "--json")
    assert (ran.status, json.loads(ran.err)["error"]["kind"]) == (3, "contradiction")
    ran = command("code", "doubt", file(CLASH), "--json")
    assert ran.status == 0
    assert json.loads(ran.out)["smallest"] == [[0, 1]]
    ran = command("code", "remaining", file(CLASH), "--json")
    assert (ran.status, json.loads(ran.out)["count"]) == (0, 0)


def test_flags_that_do_not_exist_are_refused_as_json_too(command: Command) -> None:
    ran = command("code", "advise", "--nonsense", "--json")
    assert ran.status == 2
    assert "--nonsense" in json.loads(ran.err)["error"]["message"]


def test_position_survives_the_link_commands(command: Command, file: Any) -> None:
    text = command("link", file(CLASH)).out.strip()
    assert text.startswith("#/code/1/")
    assert json.loads(command("unlink", text).out)["clues"][1]["exact"] == 2


@pytest.mark.parametrize("name", desks.available())
def test_every_verb_has_help(name: str, command: Command) -> None:
    for verb in desks.load(name).verbs:
        ran = command(name, verb.name, "--help")
        assert ran.status == 0
        assert "--json" in ran.out
        stated = [o for o in describe_options(verb.options) if o.default and o.kind in (str, int)]
        assert ran.out.count("[default:") >= len(stated)


# A command that prints when its job has begun.
TELLING = """
    import sys
    from cluewise import cli, service
    def telling(way):
        def stated(*asked):
            job = way(*asked)
            step = next(job)
            print("begun", file=sys.stderr, flush=True)
            yield step
            return (yield from job)
        return stated
    service.outcome = telling(service.outcome)
    cli.main()
"""


def test_ctrl_c_ends_cleanly_with_130(tmp_path: Path, file: Any) -> None:
    rules = file({"rules": {"colours": 10, "repeat": False}})
    asked = ("code", "strategy", rules, "--criterion", "optimal")
    with interruptible(tmp_path / "telling.py", TELLING, *asked) as running:
        assert running.stderr is not None
        assert running.stderr.readline() == "begun\n"
        running.send_signal(signal.SIGINT)
        _out, err = running.communicate(timeout=30)
    assert running.returncode == 130
    assert "Stopped" in err
    assert "Traceback" not in err


GRID = "123456789456789123789123456214365897365897214897214365531642978642978531978531642"


@pytest.mark.sampled
@pytest.mark.parametrize("shape", [[], ["--json"]], ids=["text", "json"])
def test_closed_output_pipe_ends_a_list_silently(tmp_path: Path, shape: list[str]) -> None:
    many = tmp_path / "big.txt"
    many.write_text((GRID + "\n") * 30_000)
    command = [sys.executable, "-m", "cluewise", "sudoku", "canon", "--lines", str(many), *shape]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        assert running.stdout.read(40)  # as `| head -1` does: a little, and gone
        running.stdout.close()
        assert running.stderr.read() == b""
        assert running.wait(timeout=60) == 0


def test_position_is_checked_once_per_command(
    command: Command, file: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk, checked = desks.load("code"), []

    def check(position: Any) -> None:
        checked.append(position)
        desk.check(position)

    monkeypatch.setattr("cluewise.desks.code.DESK", dataclasses.replace(desk, check=check))
    assert command("code", "remaining", file({"desk": "code"})).status == 0
    assert len(checked) == 1


@pytest.mark.parametrize("name", desks.available())
def test_help_of_the_console_covers_every_verb(name: str) -> None:
    assert desks.load(name).title in help_text()
    for verb in desks.load(name).verbs:
        assert verb.name in help_text(name)
        said = help_text(f"{name} {verb.name}")
        assert verb.summary in said
        assert all(option.name in said for option in describe_options(verb.options))
    assert "does not answer" in help_text(f"{name} nonsense")


def test_typed_guess_uses_the_signs_of_the_game(command: Command, file: Any) -> None:
    """The terminal shows the game of 1 to 6 as it is written; JSON keeps the symbols."""
    clue = {"guess": "0011", "exact": 1, "partial": 1}
    given = file({"signs": list("123456"), "clues": [clue]})
    ran = command("code", "advise", given, "--mine", "1123", "--top", "1", "--json")
    assert json.loads(ran.out)["mine"]["guess"] == "0012"
    assert "Yours, 1123:" in command("code", "advise", given, "--mine", "1123").out


def test_version_and_links_are_printed_as_json(command: Command, tmp_path: Any) -> None:
    status, out, err = command("--version")
    assert (status, out, err) == (0, f"{version_string()}\n", "")
    assert re.fullmatch(re.escape(__version__) + r" \([0-9a-f]{8}\)\n", out)
    file = tmp_path / "p.json"
    file.write_text('{"desk": "code"}')
    plain, made = command("link", str(file)).out.strip(), command("link", str(file), "--json").out
    assert json.loads(made) == {"link": plain}
    file.write_text("[1]")
    status, out, err = command("link", str(file))
    assert (status, out) == (2, "")
    assert "A position is a JSON object." in err
