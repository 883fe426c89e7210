"""Benchmarks as rows: a name, a unit, and work that says how much of it was done.

Measured by medians of repeated runs in one process, because machines are noisy; used by
`cluewise bench` under wasmtime and, unchanged, inside the page's worker.
"""

from __future__ import annotations

import time
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from math import ceil
from statistics import median

import msgspec


@dataclass(frozen=True, slots=True)
class Benchmark:
    """One thing to measure: `Benchmark("code.pairs.p4c10n", "pairs", prepare)`.

    `prepare()` sets everything up and returns `work`; `work()` does it once and returns how many
    units it did. Only `work` is timed. Where every run is another piece of work, `runs` says how
    many there are, and `place` which of them is told, by time: 0.95 is exceeded by one in twenty,
    1 is the slowest.
    """

    name: str
    unit: str
    prepare: Callable[[], Callable[[], int]]
    runs: int = 0
    place: float = 0.5


class BenchmarkResult(msgspec.Struct, frozen=True):
    """A measured row; `seconds` is the median of `runs` runs that did `work` units each, or
    another place among them where the row says so.

    `relative` is `seconds` over what work that never changes took just before and after: it says
    what a commit changed, where `seconds` say as much of the machine and of what else it does.
    """

    name: str
    work: int
    unit: str
    seconds: float
    per_second: float
    runs: int
    relative: float = 0.0


def run_benchmark(row: Benchmark, seconds: float = 0.5, most: int = 200) -> BenchmarkResult:
    """The row's median over at least 3 runs (1 if a run takes over 5 s) and about `seconds`.

    A row that says how many runs there are gets exactly these, and its own place among them.
    """
    work = row.prepare()
    done = work()  # the first run warms caches and the compiler's tiers; it does not count
    times: list[float] = []
    fixed = [calibration() for _ in range(3)]
    while len(times) < row.runs if row.runs else _more(times, seconds, most):
        began = time.perf_counter()
        done = work()
        times.append(time.perf_counter() - began)
    fixed += [calibration() for _ in range(3)]
    middle = sorted(times)[ceil(row.place * len(times)) - 1] if row.runs else median(times)
    rate = done / max(middle, 1e-9)
    return BenchmarkResult(
        row.name, done, row.unit, middle, rate, len(times), middle / median(fixed)
    )


def calibration() -> float:
    """Seconds that work takes which no commit changes: a loop in Python and one in C."""
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
