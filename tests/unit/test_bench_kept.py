"""`make bench` keeps its rows and says what got slower."""

from __future__ import annotations

from pathlib import Path

import pytest

from cluewise.bench import Report
from cluewise.core.benchmark import Benchmark, BenchmarkResult, run_benchmark
from wasm_build.bench import history
from wasm_build.bench.history import Run


def test_what_got_slower_is_named_with_the_commit_it_was_faster_at() -> None:
    before = [
        Run("aaa", "mine", {"wasmtime x": 9.0, "wasmtime y": 1.0}),
        Run("bbb", "mine", {"wasmtime x": 1.0}),
        Run("ccc", "another", {"wasmtime x": 0.1, "wasmtime y": 0.1}),
    ]
    now = Run("ddd", "mine", {"wasmtime x": 1.5, "wasmtime y": 1.05, "wasmtime new": 3.0})
    head, *slower = history.compare(now, before)
    assert head == "Of 2 rows compared 1 got slower by 15% or more."
    assert slower == ["wasmtime x takes 1.50 times what it took at bbb."]


def test_the_first_run_on_a_machine_is_compared_with_nothing() -> None:
    other = [Run("aaa", "another", {"wasmtime x": 1.0})]
    lines = history.compare(Run("bbb", "mine", {"wasmtime x": 5.0}), other)
    assert lines == ["No earlier run on this machine: this one is kept to compare with."]


def test_runs_are_kept_and_half_a_line_does_no_harm(tmp_path: Path) -> None:
    file = tmp_path / "cache" / "bench.jsonl"
    runs = [Run("aaa", "mine", {"wasmtime x": 1.0}), Run("bbb", "mine", {"wasmtime x": 2.0})]
    history.keep(runs[0], file)
    file.write_bytes(file.read_bytes() + b'{"commit":"st\n')
    history.keep(runs[1], file)
    assert history.kept(file) == runs
    assert history.kept(tmp_path / "none") == []


def test_a_row_is_told_relative_to_work_that_never_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cluewise.core.benchmark.calibration", lambda: 0.5)
    measured = run_benchmark(Benchmark("x", "turns", lambda: lambda: 7), seconds=0.0)
    assert measured.work == 7
    assert measured.relative == pytest.approx(measured.seconds / 0.5)


def test_a_run_tells_its_commit_its_machine_and_only_rows_that_were_measured_so() -> None:
    rows = [
        BenchmarkResult("x", 1, "turns", 0.1, 10, 3, 0.2),
        BenchmarkResult("boot", 1, "starts", 0.1, 10, 3),
    ]
    run = history.this_run([Report("wasmtime", rows)])
    assert run.rows == {"wasmtime x": 0.2}
    assert run.commit.strip("+").isalnum()
    assert run.machine
