"""What the terminal's tables and commands say in words (tests/vectors/tables.json)."""

import json
from pathlib import Path
from typing import Any

import pytest

from asking import vectors
from commands import Command, table_of

CASES = vectors("tables")


@pytest.mark.parametrize("case", CASES["tables"], ids=lambda case: case["desk"])
def test_a_table_says_the_answer_in_words(case: dict[str, Any]) -> None:
    shown = table_of(case["desk"], case["verb"], case["position"], **case["options"])
    assert [words for words in case["says"] if words not in shown] == []


@pytest.mark.parametrize("case", CASES["commands"], ids=lambda case: case["line"])
def test_a_command_says_the_answer_in_words(
    command: Command, tmp_path: Path, case: dict[str, Any]
) -> None:
    file = tmp_path / ("position.txt" if isinstance(case["file"], str) else "position.json")
    file.write_text(case["file"] if file.suffix == ".txt" else json.dumps(case["file"]))
    status, out, err = command(*case["line"].replace("FILE", str(file)).split())
    assert [words for words in case["says"] if words not in " ".join((out + err).split())] == []
    assert status == case["status"]
    assert (err if status == 0 else out) == ""
