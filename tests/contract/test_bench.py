"""`make bench`: every row does its work, and is measured, kept and compared with earlier runs."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from types import SimpleNamespace

import pytest

from cluewise import bench, desks
from cluewise.core import benchmark as measuring
from cluewise.core.benchmark import Benchmark, run_benchmark
from cluewise.errors import BadInput
from wasm_build.bench import compare
from wasm_build.bench.compare import Run


def test_slower_rows_are_listed_with_the_earlier_commit() -> None:
    before = [
        Run("aaa", "mine", {"wasmtime x": 9.0, "wasmtime y": 1.0}),
        Run("bbb", "mine", {"wasmtime x": 1.0}),
        Run("ccc", "another", {"wasmtime x": 0.1, "wasmtime y": 0.1}),
    ]
    now = Run("ddd", "mine", {"wasmtime x": 1.5, "wasmtime y": 1.05, "wasmtime new": 3.0})
    head, *slower = compare.slower_rows(now, before)
    assert head == "Of 2 rows compared 1 got slower by 15% or more."
    assert slower == ["wasmtime x takes 1.50 times what it took at bbb."]


def test_runs_are_stored_and_incomplete_lines_are_skipped(tmp_path: Path) -> None:
    file = tmp_path / "cache" / "bench.jsonl"
    runs = [Run("aaa", "mine", {"wasmtime x": 1.0}), Run("bbb", "mine", {"wasmtime x": 2.0})]
    compare.store(runs[0], file)
    file.write_bytes(file.read_bytes() + b'{"commit":"st\n')
    compare.store(runs[1], file)
    assert compare.stored_runs(file) == runs
    assert compare.stored_runs(tmp_path / "none") == []


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [0.0]
    monkeypatch.setattr(measuring, "time", SimpleNamespace(perf_counter=lambda: now[0]))
    monkeypatch.setattr(measuring, "calibration", lambda: 2.0)
    return now


def work_of_duration(now: list[float], times: Iterator[float]) -> Callable[[], int]:
    """Work of which every run takes the next of these times and does three units."""

    def work() -> int:
        now[0] += next(times)
        return 3

    return work


def test_row_is_the_median_of_its_runs(clock: list[float]) -> None:
    times = iter([99.0, 4.0, 1.0, 2.0, 0.5, 3.0, 1.0])
    found = run_benchmark(
        Benchmark("a", "things", lambda: work_of_duration(clock, times)), seconds=10
    )
    assert (found.runs, found.seconds, found.work) == (5, 2.0, 3)
    assert (found.per_second, found.relative) == (1.5, 1.0)


@pytest.mark.parametrize(("place", "seconds"), [(0.5, 50), (0.95, 95), (0.951, 96), (1, 100)])
def test_row_with_runs_is_their_quantile(clock: list[float], place: float, seconds: int) -> None:
    """A hundred runs of 1 to 100 seconds, mixed; the one before them is not counted."""
    mixed = (1.0 + 37 * n % 100 for n in count())
    row = Benchmark("a", "things", lambda: work_of_duration(clock, mixed), runs=100, place=place)
    found = run_benchmark(row, seconds=1)
    assert found.runs == 100
    assert round(found.seconds, 6) == seconds


# In a process of its own: rows keep what they have prepared in the kernel's memory.
ROWS = """
import sys
from cluewise import bench
for row in bench.rows(sys.argv[1]):
    print(row.name, row.prepare()())
"""


@pytest.mark.sampled
@pytest.mark.parametrize("desk", desks.available())
def test_every_row_does_its_work(desk: str) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", ROWS, desk],
        capture_output=True, text=True, timeout=300, check=True,
    )  # fmt: skip
    done = dict(line.split() for line in ran.stdout.splitlines())
    assert list(done) == [row.name for row in bench.rows(desk)]
    assert all(int(units) > 0 for units in done.values())


def test_unknown_row_is_refused() -> None:
    with pytest.raises(BadInput, match=r"The rack desk has no bench row 'rack\.luck'"):
        bench.rows("rack", ["rack.luck"])


def test_measured_row_is_named_on_standard_error(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    row = Benchmark("desk.nothing", "rows", lambda: lambda: 3)
    monkeypatch.setattr(bench, "rows", lambda desk: [row] if desk == "code" else [])
    bench.main(json=True)
    assert '"work":3' in capsys.readouterr().out
    found = bench.report(show=True)
    assert [one.name for one in found.rows] == ["desk.nothing"]
    assert "measuring desk.nothing" in capsys.readouterr().err
