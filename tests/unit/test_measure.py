"""Rows of the bench: what is told of their runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import accumulate, count
from types import SimpleNamespace

import pytest

from cluewise.core import benchmark as measuring
from cluewise.core.benchmark import Benchmark, run_benchmark


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """A clock that work moves on by hand."""
    now = [0.0]
    monkeypatch.setattr(measuring, "time", SimpleNamespace(perf_counter=lambda: now[0]))
    monkeypatch.setattr(measuring, "calibration", lambda: 2.0)
    return now


def lasting(now: list[float], times: Iterator[float]) -> Callable[[], int]:
    """Work of which every run takes the next of these times and does three units."""

    def work() -> int:
        now[0] += next(times)
        return 3

    return work


def test_a_row_is_told_by_the_median_of_its_runs(clock: list[float]) -> None:
    times = iter([99.0, 4.0, 1.0, 2.0, 0.5, 3.0, 1.0])
    found = run_benchmark(Benchmark("a", "things", lambda: lasting(clock, times)), seconds=10)
    assert (found.runs, found.seconds, found.work) == (5, 2.0, 3)
    assert (found.per_second, found.relative) == (1.5, 1.0)


@pytest.mark.parametrize(("place", "seconds"), [(0.5, 50), (0.95, 95), (0.951, 96), (1, 100)])
def test_a_row_of_pieces_is_told_by_its_place_among_all_of_them(
    clock: list[float], place: float, seconds: int
) -> None:
    """A hundred runs of 1 to 100 seconds, mixed; the one before them is not counted."""
    mixed = (1.0 + 37 * n % 100 for n in count())
    row = Benchmark("a", "things", lambda: lasting(clock, mixed), runs=100, place=place)
    found = run_benchmark(row, seconds=1)
    assert found.runs == 100
    assert round(found.seconds, 6) == seconds


def test_a_row_of_pieces_gets_all_its_runs_however_quick_they_are(clock: list[float]) -> None:
    tiny = accumulate(1e-9 for _ in count())
    assert (
        run_benchmark(Benchmark("a", "things", lambda: lasting(clock, tiny), runs=700)).runs == 700
    )
