"""Benchmark rows: a name, a unit, and a function that returns the number of units done.

A row's time is the median of repeated runs in one process. `cluewise bench` runs the rows under
wasmtime, the page's worker in the browser.
"""

from __future__ import annotations

import time
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil
from statistics import median

import msgspec

Work = Callable[[], int]
"""Runs once and returns the number of units done."""


@dataclass(frozen=True, slots=True)
class Benchmark:
    """A benchmark row: `Benchmark("code.pairs.p4c10n", "pairs", prepare)`.

    Only the work that `prepare()` returns is timed. If every run is a different piece of work,
    `runs` is their number and `place` the quantile to report: 0.95 is exceeded by one in twenty,
    1 is the slowest.
    """

    name: str
    unit: str
    prepare: Callable[[], Work]
    runs: int = 0
    place: float = 0.5


def work_of(units: int, run: Callable[[], object]) -> Work:
    """Return the work of a row: `run` once, which is `units` of the row's unit."""

    def work() -> int:
        run()
        return units

    return work


class BenchmarkResult(msgspec.Struct, frozen=True):
    """A measured row: `seconds` is the median (or the row's quantile) of `runs` runs.

    `relative` is `seconds` divided by the time of a fixed workload just before and after, so that
    commits can be compared under different load.
    """

    name: str
    work: int
    unit: str
    seconds: float
    per_second: float
    runs: int
    relative: float = 0.0


def run_benchmark(row: Benchmark, seconds: float = 0.5, most: int = 200) -> BenchmarkResult:
    """Measure a row in at least 3 runs (1 if a run takes over 5 s) and about `seconds`.

    A row with `runs` gets exactly that many.
    """
    work = row.prepare()
    done = work()  # warm-up of caches and compiler tiers, not counted
    times: list[float] = []
    fixed = [calibration() for _ in range(3)]
    while len(times) < row.runs if row.runs else _more(times, seconds, most):
        began = time.perf_counter()
        done = work()
        times.append(time.perf_counter() - began)
    fixed += [calibration() for _ in range(3)]
    middle = quantile(times, row.place) if row.runs else median(times)
    rate = done / max(middle, 1e-9)
    return BenchmarkResult(
        row.name, done, row.unit, middle, rate, len(times), middle / median(fixed)
    )


def quantile(values: Sequence[float], share: float) -> float:
    """Return the nearest-rank quantile: the least value with at least that share at or below it.

    >>> quantile([4, 1, 3, 2], 0.5)
    2
    """
    return sorted(values)[max(0, ceil(share * len(values)) - 1)]


def calibration() -> float:
    """Return the seconds of a fixed workload: a loop in Python and one in C."""
    began = time.perf_counter()
    total = 0
    for i in range(40_000):
        total += i * i & 1023
    zlib.crc32(bytes(total & 1) * 8 + bytes(1 << 21))
    return time.perf_counter() - began


def _more(times: list[float], seconds: float, most: int) -> bool:
    if len(times) >= most:
        return False
    if times and times[0] > 5:
        return False
    return len(times) < 3 or sum(times) < seconds
