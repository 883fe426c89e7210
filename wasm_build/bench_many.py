"""How much quicker two cores are than one: `python wasm_build/bench_many.py`.

Two figures a job of the terminal's. `wall`: seconds by the clock, the start of the workers in them.
`share`: all workers' processor time over that of the busiest; where it is 1.9, two free cores need
1/1.9 of the time that one needs, whatever else this machine was doing meanwhile. The load beside
them says how much that was.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cluewise import service
from cluewise.core.many import Cores, Crew, many
from cluewise.core.work import finish

ROOT = Path(__file__).resolve().parent.parent
TICK = os.sysconf("SC_CLK_TCK")
BULLS = {"rules": {"pegs": 4, "colours": 10, "repeat": False}}


@dataclass(frozen=True, slots=True)
class Watched(Cores):
    """Cores whose processor time is told when they are closed; `spent` are seconds a worker."""

    spent: list[float] = field(default_factory=list)

    def close(self, executor: Executor) -> None:
        """Note what each worker has spent, then end it."""
        processes: dict[int, Any] = getattr(executor, "_processes", None) or {}
        self.spent.extend(_seconds(pid) for pid in processes)
        Cores.close(self, executor)


def _seconds(pid: int) -> float:
    """User and system time of a process."""
    numbers = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(numbers[11]) + int(numbers[12])) / TICK


def _asked(want: str, desk: str, options: dict[str, Any], position: Any = None) -> Any:
    request = service.understand(
        {"desk": desk, "want": want, "position": position or {}, "options": options}
    )
    return lambda crew: finish(service.shared_out(request, crew)).result


def _list(crew: Crew) -> list[Any]:
    """Least forms of 40 000 puzzles, in the pieces that the terminal hands out."""
    cases = json.loads((ROOT / "tests" / "vectors" / "sudoku.json").read_text())["puzzles"]
    lines = [case["puzzle"] for case in cases]
    lines = (lines * (4000 // len(lines) + 1))[:4000]
    options = {"lines": lines, "task": "canon"}
    pieces = [({"desk": "sudoku", "want": "group", "options": options},)] * 10
    return [done.value for done in many(service.run, pieces, crew)]


def _levels(crew: Crew) -> list[Any]:
    """Forty puzzles of a band, as `mines levels` makes them."""
    wish = {"board": "combination-lock", "size": 8, "difficulty": "5..12"}
    pieces: list[tuple[Any, ...]] = [
        ("mines", "generate", {}, {**wish, "seed": seed}) for seed in range(40)
    ]
    return [done.value for done in many(service.settled, pieces, crew)]


JOBS: dict[str, Callable[[Crew], Any]] = {
    "list of 40 000, canon": _list,
    "simulate, 400 games": _asked("simulate", "rack", {"games": 400}),
    "generate, 40 levels": _levels,
    "strategy p4c10n, 26274": _asked("strategy", "code", {"criterion": "optimal"}, BULLS),
}


def measured(job: Callable[[Crew], Any], workers: int) -> tuple[float, list[float], Any]:
    """Seconds by the clock, processor seconds of each worker, and the answer."""
    crew = Watched(workers)
    began = time.perf_counter()
    answer = job(crew)
    return time.perf_counter() - began, crew.spent, answer


def main() -> None:
    """Each job by one worker and by several; a difference in the answers ends it."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--workers", type=int, default=2)
    asked.add_argument("--only", default="", help="jobs whose name contains this")
    words = asked.parse_args()
    heads = f"{'one, s':>8} {'wall, s':>8} {'ratio':>6} {'cpu, s':>13} {'share':>6}"
    print(f"{'job':<24} {'load':>5} {heads}")
    for name, job in JOBS.items():
        if words.only not in name:
            continue
        load = os.getloadavg()[0]
        alone, spent_alone, one = measured(job, 1)
        wall, spent, more = measured(job, words.workers)
        if one != more:
            raise SystemExit(f"{name}: the answers differ.")
        cpu = f"{sum(spent_alone):.1f}/{sum(spent):.1f}"
        share = sum(spent) / max(spent)
        told = f"{alone:>8.2f} {wall:>8.2f} {alone / wall:>6.2f} {cpu:>13} {share:>6.2f}"
        print(f"{name:<24} {load:>5.1f} {told}", flush=True)


if __name__ == "__main__":
    main()
