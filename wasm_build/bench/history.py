"""What earlier runs of `make bench` measured, and what is slower now.

A run is a line of JSON in `.cache/bench.jsonl`: the commit, the machine, and for every host and row
its time relative to work that never changes (`Measured.relative`). Runs are compared with the last
one on the same machine, row by row; what was measured once may be noise, so that a row counts as
slower from SLOWER times on, and is named, not judged.
"""

from __future__ import annotations

import os
import platform
import subprocess
from pathlib import Path

import msgspec

from cluewise.bench import Report

ROOT = Path(__file__).resolve().parents[2]
FILE = ROOT / ".cache" / "bench.jsonl"
SLOWER = 1.15


class Run(msgspec.Struct, frozen=True):
    """One run: `Run("1f87f74", "x86_64 Intel … 2", {"wasmtime code.pairs.p4c10n": 0.81})`."""

    commit: str
    machine: str
    rows: dict[str, float]


def this_run(reports: list[Report]) -> Run:
    """What was measured just now, with the commit it was measured at (`+`: changed since)."""
    rows = {f"{one.host} {row.name}": row.relative for one in reports for row in one.rows}
    return Run(_commit(), _machine(), {name: value for name, value in rows.items() if value > 0})


def _commit() -> str:
    def git(*words: str) -> str:
        done = subprocess.run(
            ["git", *words], cwd=ROOT, capture_output=True, text=True, check=False
        )
        return done.stdout.strip()

    return git("rev-parse", "--short", "HEAD") + ("+" if git("status", "--porcelain") else "")


def _machine() -> str:
    """Processor and cores; runs of another machine say nothing of this one."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return f"{platform.machine()} {next(names, platform.processor())} {os.cpu_count()}"


def kept(file: Path = FILE) -> list[Run]:
    """All runs in their order; a line that cannot be read is passed over."""
    runs = []
    for line in file.read_bytes().splitlines() if file.exists() else []:
        try:
            runs.append(msgspec.json.decode(line, type=Run))
        except msgspec.DecodeError:  # half a line of a run that was stopped
            continue
    return runs


def keep(run: Run, file: Path = FILE) -> None:
    """Add a run to the file."""
    file.parent.mkdir(exist_ok=True)
    with file.open("ab") as out:
        out.write(msgspec.json.encode(run) + b"\n")


def compare(run: Run, runs: list[Run]) -> list[str]:
    """What got slower, the slowest first, each row against its last time on this machine."""
    before: dict[str, tuple[str, float]] = {}
    for one in runs:
        if one.machine == run.machine:
            before |= {name: (one.commit, value) for name, value in one.rows.items()}
    ratios = {name: now / before[name][1] for name, now in run.rows.items() if name in before}
    if not ratios:
        return ["No earlier run on this machine: this one is kept to compare with."]
    slow = [name for name in sorted(ratios, key=lambda n: -ratios[n]) if ratios[name] >= SLOWER]
    some = f"Of {len(ratios)} rows compared {len(slow)} got slower by {SLOWER - 1:.0%} or more."
    return [
        some,
        *(f"{n} takes {ratios[n]:.2f} times what it took at {before[n][0]}." for n in slow),
    ]
