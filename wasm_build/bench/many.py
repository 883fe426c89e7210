"""How much quicker two cores are than one: `python -m wasm_build.bench.many`.

Three figures a job of the terminal's. `wall`: seconds by the clock, the start of the workers in
them. `share`: all workers' processor time over that of the busiest, whatever else this machine was
doing meanwhile; the load next to it says how much that was. `plan`: how much sooner the pieces' own
processor times let so many free cores end than one, each piece begun when it is handed out and a
core is free, and handed out when those before it are back. What `plan` lacks of the number of cores
is lost by the pieces' order and lengths, what `wall` lacks of `plan` by the start and the machine.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable
from concurrent.futures import Executor, Future
from dataclasses import dataclass, field
from functools import cache, partial
from io import BytesIO
from pathlib import Path
from typing import Any

from cluewise import service
from cluewise.core.work import Crew, finish
from cluewise.kernel import kernel
from cluewise.parallel.pool import ProcessPool, run_tasks
from cluewise.parallel.tasks import ParallelContext
from wasm_build.bench.scaling import written

TICK = os.sysconf("SC_CLK_TCK")
PIECE = 8_000  # lines of a piece
BULLS = {"rules": {"pegs": 4, "colours": 10, "repeat": False}}


@dataclass(frozen=True, slots=True)
class Watched(ProcessPool):
    """Cores whose processor time is reported when they are closed; `spent` are seconds a worker."""

    spent: list[float] = field(default_factory=list)

    def close(self, executor: Executor) -> None:
        """Note what each worker has spent, then end it."""
        processes: dict[int, Any] = getattr(executor, "_processes", None) or {}
        self.spent.extend(_seconds(pid) for pid in processes)
        ProcessPool.close(self, executor)


def _seconds(pid: int) -> float:
    """User and system time of a process."""
    numbers = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(numbers[11]) + int(numbers[12])) / TICK


def _asked(want: str, desk: str, options: dict[str, Any], position: Any = None) -> Any:
    request = service.parse_request(
        {"desk": desk, "want": want, "position": position or {}, "options": options}
    )
    return lambda crew: finish(service.outcome(request, ParallelContext(crew))).result


@cache
def _lines(count: int) -> list[str]:
    text = BytesIO()
    written(count, text)
    return text.getvalue().decode().split()


def _list(count: int, crew: Crew) -> list[Any]:
    """Least forms of so many lines, in the pieces that the terminal hands out."""
    lines = _lines(count)
    pieces = (
        (
            {
                "desk": "sudoku",
                "want": "group",
                "options": {"text": text, "task": "canon", "joined": True},
            },
        )
        for text in ("\n".join(lines[at : at + PIECE]) for at in range(0, len(lines), PIECE))
    )
    return [done.value for done in run_tasks(service.run, pieces, crew)]


def _levels(crew: Crew) -> list[Any]:
    """120 puzzles of a band, as `mines levels` makes them."""
    wish = {"board": "combination-lock", "size": 8, "difficulty": "5..12"}
    pieces: list[tuple[Any, ...]] = [
        ("mines", "generate", {}, {**wish, "seed": seed}) for seed in range(120)
    ]
    return [done.value for done in run_tasks(service.run_captured, pieces, crew)]


JOBS: dict[str, Callable[[Crew], Any]] = {
    "list of 1 000 000, canon": partial(_list, 1_000_000),
    "list of 4 000 000, canon": partial(_list, 4_000_000),
    "simulate, 400 games": _asked("simulate", "rack", {"games": 400}),
    "generate, 120 levels": _levels,
    "strategy p4c10n, 26274": _asked("strategy", "code", {"criterion": "optimal"}, BULLS),
}


class _Told(Future[Any]):
    """A result that is there at a time of the plan; who waits for it is there then as well."""

    def __init__(self, plan: _Plan, at: float) -> None:
        super().__init__()
        self._plan, self._at = plan, at

    def result(self, timeout: float | None = None) -> Any:
        self._plan.now = max(self._plan.now, self._at)
        return super().result(timeout)


class _Plan(Executor):
    """Works every piece out here, and computes when `workers` would have done so."""

    def __init__(self, workers: int) -> None:
        self.now, self.busy = 0.0, 0.0
        self._free = [0.0] * workers

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        began = time.process_time()
        value = fn(*args, **kwargs)
        took = time.process_time() - began
        self._free.sort()
        self._free[0] = max(self.now, self._free[0]) + took
        self.busy += took
        future = _Told(self, self._free[0])
        future.set_result(value)
        return future


@dataclass(frozen=True, slots=True)
class Planned(Crew):
    """A crew that hands pieces out as `workers` would get them, and works alone."""

    workers: int
    plans: list[_Plan] = field(default_factory=list)

    def open(self) -> Executor:
        """A plan of its own."""
        self.plans.append(_Plan(self.workers))
        return self.plans[-1]


def planned(job: Callable[[Crew], Any], workers: int) -> float:
    """How much sooner so many free cores end than one."""
    crew = Planned(workers)
    job(crew)
    (plan,) = crew.plans
    return plan.busy / plan.now


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
    heads = f"{'one, s':>8} {'wall, s':>8} {'ratio':>6} {'cpu, s':>13} {'share':>6} {'plan':>6}"
    kernel()  # what one worker's turn must not pay for all
    print(f"{'job':<24} {'load':>5} {heads}")
    for name, job in JOBS.items():
        if words.only not in name:
            continue
        if isinstance(job, partial):  # a list is written before its time is taken
            _lines(*job.args)
        load = os.getloadavg()[0]
        alone, spent_alone, one = measured(job, 1)
        wall, spent, more = measured(job, words.workers)
        if one != more:
            raise SystemExit(f"{name}: the answers differ.")
        cpu = f"{sum(spent_alone):.1f}/{sum(spent):.1f}"
        share = sum(spent) / max(spent)
        row = f"{alone:>8.2f} {wall:>8.2f} {alone / wall:>6.2f} {cpu:>13} {share:>6.2f}"
        row += f" {planned(job, words.workers):>6.2f}"
        print(f"{name:<24} {load:>5.1f} {row}", flush=True)


if __name__ == "__main__":
    main()
