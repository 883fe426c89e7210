"""`cluewise bench`: runs the desks' benchmark rows and prints a table or JSON.

`make bench` also runs the rows inside the page's worker (wasm_build/bench/run.py).
"""

from __future__ import annotations

import importlib
import importlib.util
import sys

import msgspec

from cluewise import desks
from cluewise.core.benchmark import Benchmark, BenchmarkResult, run_benchmark
from cluewise.errors import BadInput

HOST = "wasmtime"


class Report(msgspec.Struct, frozen=True):
    """The output of `--json`: the host and its rows."""

    host: str
    rows: list[BenchmarkResult]


def rows(desk: str, names: list[str] | None = None) -> list[Benchmark]:
    """Return the desk's rows, all or only those named; [] for a desk without bench.py."""
    desks.load(desk)
    module = f"cluewise.desks.{desk}.bench"
    if importlib.util.find_spec(module) is None:
        return []
    found: list[Benchmark] = importlib.import_module(module).ROWS
    unknown = sorted(set(names or ()) - {row.name for row in found})
    if unknown:
        raise BadInput(f"The {desk} desk has no bench row {unknown[0]!r}.", "$.rows")
    return [row for row in found if not names or row.name in names]


def report(desk: str | None = None, *, show: bool = False) -> Report:
    """Run the rows of all desks, or of one; `show` prints each name to stderr."""
    names = desks.available() if desk is None else (desk,)
    measured = []
    for row in (row for name in names for row in rows(name)):
        if show:
            print(f"measuring {row.name} …", file=sys.stderr, flush=True)
        measured.append(run_benchmark(row))
    return Report(HOST, measured)


def table(reports: list[Report]) -> str:
    """Return a table, one line per row and host."""
    head = f"{'row':<34} {'host':<9} {'seconds':>11} {'work':>10} {'per second':>15}"
    return "\n".join([head, *(_line(one.host, row) for one in reports for row in one.rows)])


def _line(host: str, row: BenchmarkResult) -> str:
    return (
        f"{row.name:<34} {host:<9} {row.seconds:>11.6f} {row.work:>10,} "
        f"{row.per_second:>15,.0f} {row.unit}"
    )


def main(desk: str | None = None, json: bool = False) -> None:
    """Run the rows and print the report to stdout."""
    measured = report(desk, show=not json)
    print(msgspec.json.encode(measured).decode() if json else table([measured]))
