"""`make bench BENCH="--against ../earlier"`: every row here and in another checkout, in one run.

Two processes, one a checkout, hold the same row and take turns (A B, B A, …) under wasmtime: what
slows the machine slows both. A row's ratio is the median of its turns' ratios: 1.05 says
that this checkout takes 5 % longer. Rows that only one of the two has are named, not compared.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from cluewise import bench, desks

HERE = Path(__file__).resolve().parents[2]
SECONDS, LEAST, MOST = 3.0, 5, 60  # of both together, and how many turns a row gets


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
        """A question as JSON, one line each way."""
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
    """One row, turn about, for about three seconds."""
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
    """All rows that both have, printed as they come."""
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
                except ValueError:  # its process ended: what it said stands above
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
    """Answers of one checkout: its rows, a row made ready, one run of it in seconds."""
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


if __name__ == "__main__" and sys.argv[1:] == ["serve"]:
    _serve()
