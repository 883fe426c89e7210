"""Compares benchmark rows with another checkout and with earlier runs.

`make bench BENCH="--against ../earlier"` compares two checkouts: one process per checkout runs the
same row alternately (A B, B A, …) under wasmtime, so that other load slows both. A row's ratio is
the median of the turns' ratios: 1.05 means that this checkout takes 5 % longer. Rows of only one
checkout are listed, not compared.

Earlier runs are lines of JSON in `.cache/bench.jsonl`: the commit, the machine, and for every host
and row its time relative to a fixed workload (`BenchmarkResult.relative`). Each row is compared
with its last run on the same machine. As single runs are noisy, rows are reported as slower from a
ratio of SLOWER on.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
import time
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import msgspec

from cluewise import bench, desks
from cluewise.bench import Report

HERE = Path(__file__).resolve().parents[2]
SECONDS, LEAST, MOST = 3.0, 5, 60  # for a row in both checkouts; limits of its turns


class Compared(NamedTuple):
    """A row's medians in both checkouts (s), and the median of the turns' ratios."""

    name: str
    before: float
    after: float
    ratio: float
    turns: int


class Side:
    """One checkout's package in a process of its own."""

    def __init__(self, checkout: Path) -> None:
        # Python would silently import this checkout's package instead.
        if not (checkout / "pysrc/cluewise").is_dir():
            raise SystemExit(f"{checkout} is no checkout of Cluewise.")
        environment = os.environ | {"PYTHONPATH": str(checkout / "pysrc")}
        self._process = subprocess.Popen(
            [sys.executable, "-m", "wasm_build.bench.compare", "serve"],
            cwd=HERE,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
        )

    def ask(self, *words: str) -> Any:
        """Send a command and return its answer; both are lines of JSON."""
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(json.dumps(words) + "\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.wait()


def compared(before: Side, after: Side, desk: str, name: str) -> Compared:
    """Measure a row alternately on both sides for about three seconds."""
    for side in (before, after):
        side.ask("prepare", desk, name)  # runs it once: caches are warm
    times: list[tuple[float, float]] = []
    began = time.perf_counter()
    while len(times) < LEAST or (time.perf_counter() - began < SECONDS and len(times) < MOST):
        order = (before, after) if len(times) % 2 else (after, before)
        taken = {side: side.ask("run") for side in order}
        times.append((taken[before], taken[after]))
        if time.perf_counter() - began > 20 * SECONDS:
            break
    early, late = zip(*times, strict=True)
    ratio = median(b / max(a, 1e-9) for a, b in times)
    return Compared(name, median(early), median(late), ratio, len(times))


def main(checkout: Path, only: str | None = None) -> list[Compared]:
    """Compare all common rows and print each."""
    before, after = Side(checkout), Side(HERE)
    found = []
    print(f"{'row':<34} {'before s':>11} {'after s':>11} {'ratio':>7} {'turns':>5}")
    try:
        for desk in [only] if only else desks.available():
            theirs, ours = (side.ask("rows", desk) for side in (before, after))
            for name in sorted(set(theirs) ^ set(ours)):
                print(f"{name:<34} only {'before' if name in theirs else 'after'}")
            for name in (row for row in ours if row in theirs):
                try:
                    row = compared(before, after, desk, name)
                except ValueError:  # its process ended after an error message
                    before.close()
                    after.close()
                    before, after = Side(checkout), Side(HERE)
                    print(f"{name:<34} could not be measured")
                    continue
                found.append(row)
                print(
                    f"{name:<34} {row.before:>11.6f} {row.after:>11.6f} {row.ratio:>7.3f} "
                    f"{row.turns:>5}",
                    flush=True,
                )
    finally:
        before.close()
        after.close()
    return found


def _serve() -> None:
    """Answer the commands of a `Side`: list rows, prepare a row, run it and return the seconds."""
    work = None
    for line in sys.stdin:
        match json.loads(line):
            case ["rows", desk]:
                answer: Any = [row.name for row in bench.rows(desk)]
            case ["prepare", desk, name]:
                work = bench.rows(desk, [name])[0].prepare()
                answer = work()
            case _:
                assert work is not None
                began = time.perf_counter()
                work()
                answer = time.perf_counter() - began
        print(json.dumps(answer), flush=True)


FILE = HERE / ".cache" / "bench.jsonl"
SLOWER = 1.15


class Run(msgspec.Struct, frozen=True):
    """One run: `Run("1f87f74", "x86_64 Intel … 2", {"wasmtime code.pairs.p4c10n": 0.81})`."""

    commit: str
    machine: str
    rows: dict[str, float]


def this_run(reports: list[Report]) -> Run:
    """Return the reports as a run of this commit (with `+` if files have changed since)."""
    rows = {f"{one.host} {row.name}": row.relative for one in reports for row in one.rows}
    return Run(_commit(), _machine(), {name: value for name, value in rows.items() if value > 0})


def _commit() -> str:
    def git(*words: str) -> str:
        done = subprocess.run(
            ["git", *words], cwd=HERE, capture_output=True, text=True, check=False
        )
        return done.stdout.strip()

    return git("rev-parse", "--short", "HEAD") + ("+" if git("status", "--porcelain") else "")


def _machine() -> str:
    """Return processor and number of cores."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return f"{platform.machine()} {next(names, platform.processor())} {os.cpu_count()}"


def stored_runs(file: Path = FILE) -> list[Run]:
    """Return all runs in order; damaged lines are skipped."""
    runs = []
    for line in file.read_bytes().splitlines() if file.exists() else []:
        try:
            runs.append(msgspec.json.decode(line, type=Run))
        except msgspec.DecodeError:  # an incomplete line of an interrupted run
            continue
    return runs


def store(run: Run, file: Path = FILE) -> None:
    """Append a run to the file."""
    file.parent.mkdir(exist_ok=True)
    with file.open("ab") as out:
        out.write(msgspec.json.encode(run) + b"\n")


def slower_rows(run: Run, runs: list[Run]) -> list[str]:
    """Return sentences on the rows that became slower since their last run on this machine."""
    before: dict[str, tuple[str, float]] = {}
    for one in runs:
        if one.machine == run.machine:
            before |= {name: (one.commit, value) for name, value in one.rows.items()}
    ratios = {name: now / before[name][1] for name, now in run.rows.items() if name in before}
    if not ratios:
        return ["No earlier run on this machine; this one is stored for comparison."]
    slow = [name for name in sorted(ratios, key=lambda n: -ratios[n]) if ratios[name] >= SLOWER]
    some = f"Of {len(ratios)} rows compared {len(slow)} got slower by {SLOWER - 1:.0%} or more."
    return [
        some,
        *(f"{n} takes {ratios[n]:.2f} times what it took at {before[n][0]}." for n in slow),
    ]


if __name__ == "__main__" and sys.argv[1:] == ["serve"]:
    _serve()
