"""Benchmarks as rows: a name, a unit, and work that says how much of it was done.

Measured by medians of repeated runs in one process, because machines are noisy; used by
`cluewise bench` under wasmtime and, unchanged, inside the page's worker.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median

import msgspec


@dataclass(frozen=True, slots=True)
class Row:
    """One thing to measure: `Row("code.pairs.p4c10n", "pairs", prepare)`.

    `prepare()` sets everything up and returns `work`; `work()` does it once and returns how many
    units it did. Only `work` is timed.
    """

    name: str
    unit: str
    prepare: Callable[[], Callable[[], int]]


class Measured(msgspec.Struct, frozen=True):
    """A measured row; `seconds` is the median of `runs` runs that did `work` units each."""

    name: str
    work: int
    unit: str
    seconds: float
    per_second: float
    runs: int


def measure(row: Row, seconds: float = 0.5, most: int = 200) -> Measured:
    """The row's median over at least 3 runs (1 if a run takes over 5 s) and about `seconds`."""
    work = row.prepare()
    done = work()  # the first run warms caches and the compiler's tiers; it does not count
    times: list[float] = []
    while _more(times, seconds, most):
        began = time.perf_counter()
        done = work()
        times.append(time.perf_counter() - began)
    middle = median(times)
    return Measured(row.name, done, row.unit, middle, done / max(middle, 1e-9), len(times))


def _more(times: list[float], seconds: float, most: int) -> bool:
    if len(times) >= most:
        return False
    if times and times[0] > 5:
        return False
    return len(times) < 3 or sum(times) < seconds
