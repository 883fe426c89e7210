"""Measure the speed-up of several processes: `python -m wasm_build.bench.many`.

Three figures per job of the terminal. `wall`: wall time, with the start of the workers. `share`:
processor time of all workers divided by that of the busiest, which is independent of other load.
`plan`: the speed-up on so many idle cores, simulated from the tasks' processor times; a task starts
once it is submitted and a core is free. The difference between `plan` and the number of cores is
due to order and lengths of the tasks, that between `wall` and `plan` to the start and other load.
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
from cluewise.core.work import Backend, finish
from cluewise.kernel import kernel
from cluewise.parallel.pool import ProcessPool, run_tasks
from cluewise.parallel.tasks import ParallelContext
from wasm_build.bench.scaling import write_boards

TICK = os.sysconf("SC_CLK_TCK")
TASK_LINES = 8_000
BULLS = {"rules": {"pegs": 4, "colours": 10, "repeat": False}}


@dataclass(frozen=True, slots=True)
class Watched(ProcessPool):
    """A process pool that records the processor seconds of each worker in `spent`."""

    spent: list[float] = field(default_factory=list)

    def close(self, executor: Executor) -> None:
        """Record the processor time of the workers, then terminate them."""
        processes: dict[int, Any] = getattr(executor, "_processes", None) or {}
        self.spent.extend(_seconds(pid) for pid in processes)
        ProcessPool.close(self, executor)


def _seconds(pid: int) -> float:
    """Return user and system time of a process."""
    numbers = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(numbers[11]) + int(numbers[12])) / TICK


def _request(want: str, desk: str, options: dict[str, Any], position: Any = None) -> Any:
    request = service.parse_request(
        {"desk": desk, "want": want, "position": position or {}, "options": options}
    )
    return lambda backend: finish(service.outcome(request, ParallelContext(backend))).result


@cache
def _lines(count: int) -> list[str]:
    text = BytesIO()
    write_boards(count, text)
    return text.getvalue().decode().split()


def _list(count: int, backend: Backend) -> list[Any]:
    """Return canonical forms of so many lines, in tasks as in the terminal."""
    lines = _lines(count)
    texts = ("\n".join(lines[at : at + TASK_LINES]) for at in range(0, len(lines), TASK_LINES))
    options = {"task": "canon", "joined": True}
    pieces = (
        ({"desk": "sudoku", "want": "group", "options": {**options, "text": text}},)
        for text in texts
    )
    return [done.value for done in run_tasks(service.run, pieces, backend)]


def _levels(backend: Backend) -> list[Any]:
    """Return 120 puzzles of a difficulty, as `mines levels` makes them."""
    wish = {"board": "combination-lock", "size": 8, "difficulty": "5..12"}
    pieces: list[tuple[Any, ...]] = [
        ("mines", "generate", {}, {**wish, "seed": seed}) for seed in range(120)
    ]
    return [done.value for done in run_tasks(service.run_captured, pieces, backend)]


JOBS: dict[str, Callable[[Backend], Any]] = {
    "list of 1 000 000, canon": partial(_list, 1_000_000),
    "list of 4 000 000, canon": partial(_list, 4_000_000),
    "simulate, 400 games": _request("simulate", "rack", {"games": 400}),
    "generate, 120 levels": _levels,
    "strategy p4c10n, 26274": _request("strategy", "code", {"criterion": "optimal"}, BULLS),
}


class _SimulatedFuture(Future[Any]):
    """A result that is available from a simulated time on; waiting for it advances the clock."""

    def __init__(self, simulation: _Simulation, at: float) -> None:
        super().__init__()
        self._simulation, self._at = simulation, at

    def result(self, timeout: float | None = None) -> Any:
        self._simulation.now = max(self._simulation.now, self._at)
        return super().result(timeout)


class _Simulation(Executor):
    """Runs every task in this process and simulates the times on `workers` idle cores."""

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
        future = _SimulatedFuture(self, self._free[0])
        future.set_result(value)
        return future


@dataclass(frozen=True, slots=True)
class SimulatedBackend(Backend):
    """A backend of `workers` simulated cores."""

    workers: int
    simulations: list[_Simulation] = field(default_factory=list)

    def open(self) -> Executor:
        """Return a new simulation."""
        self.simulations.append(_Simulation(self.workers))
        return self.simulations[-1]


def simulated_speedup(job: Callable[[Backend], Any], workers: int) -> float:
    """Return the speed-up of a job on so many idle cores."""
    backend = SimulatedBackend(workers)
    job(backend)
    (simulation,) = backend.simulations
    return simulation.busy / simulation.now


def measured(job: Callable[[Backend], Any], workers: int) -> tuple[float, list[float], Any]:
    """Return wall time, processor seconds of each worker, and the answer."""
    backend = Watched(workers)
    began = time.perf_counter()
    answer = job(backend)
    return time.perf_counter() - began, backend.spent, answer


def main() -> None:
    """Measure each job with one worker and with several; exit if the answers differ."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--only", default="", help="jobs whose name contains this")
    options = parser.parse_args()
    heads = f"{'one, s':>8} {'wall, s':>8} {'ratio':>6} {'cpu, s':>13} {'share':>6} {'plan':>6}"
    kernel()  # started here, so that no measured job includes it
    print(f"{'job':<24} {'load':>5} {heads}")
    for name, job in JOBS.items():
        if options.only not in name:
            continue
        if isinstance(job, partial):  # the list is not part of the measured time
            _lines(*job.args)
        load = os.getloadavg()[0]
        alone, spent_alone, one = measured(job, 1)
        wall, spent, more = measured(job, options.workers)
        if one != more:
            raise SystemExit(f"{name}: the answers differ.")
        cpu = f"{sum(spent_alone):.1f}/{sum(spent):.1f}"
        share = sum(spent) / max(spent)
        row = f"{alone:>8.2f} {wall:>8.2f} {alone / wall:>6.2f} {cpu:>13} {share:>6.2f}"
        row += f" {simulated_speedup(job, options.workers):>6.2f}"
        print(f"{name:<24} {load:>5.1f} {row}", flush=True)


if __name__ == "__main__":
    main()
