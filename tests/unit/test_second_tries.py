"""A test that needs a second try twice in ten runs fails the run."""

from __future__ import annotations

import json
from pathlib import Path

from second_tries import noted


def test_one_second_try_is_written_down_and_forgiven(tmp_path: Path) -> None:
    record = tmp_path / "there" / "record.json"
    assert noted(record, ["a", "a"]) == []
    assert json.loads(record.read_text()) == [["a"]]


def test_a_second_one_within_ten_runs_is_one_too_many(tmp_path: Path) -> None:
    record = tmp_path / "record.json"
    noted(record, ["a"])
    for _ in range(8):
        assert noted(record, []) == []
    assert noted(record, ["a", "b"]) == ["a"]


def test_what_is_longer_ago_than_ten_runs_is_forgotten(tmp_path: Path) -> None:
    record = tmp_path / "record.json"
    noted(record, ["a"])
    for _ in range(9):
        noted(record, [])
    assert noted(record, ["a"]) == []
    assert len(json.loads(record.read_text())) == 10


def test_a_damaged_record_counts_as_none(tmp_path: Path) -> None:
    record = tmp_path / "record.json"
    record.write_text('{"no": "list"')
    assert noted(record, ["a"]) == []
