"""Runs the tasks of one request in this process or on a backend, with equal results.

>>> [step.value for step in map_tasks(pow, iter([(2, 3), (2, 4)]), None) if isinstance(step,
... Result)]
[8, 16]

The next task may depend on earlier results: the iterator yields `None` while it is not yet known.
So that answers do not depend on the workers, a verb chooses tasks by earlier values in the order of
the tasks, never by the time of their arrival.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from dataclasses import dataclass
from typing import Any

from cluewise.core.work import Backend, Job, Pause, Progress, ResultCache, as_job
from cluewise.errors import HostFailure

Tasks = Iterator[tuple[Any, ...] | None]


@dataclass(frozen=True, slots=True)
class Result:
    """The result of the next task, in the order of the tasks."""

    value: Any


@dataclass(frozen=True, slots=True)
class ParallelContext:
    """The workers of a request's tasks and the result cache: `ParallelContext(ProcessPool(2))`."""

    backend: Backend
    cache: ResultCache | None = None


def worker_count(context: ParallelContext | None) -> int:
    """Return the number of workers: `worker_count(None) == 1`."""
    return 1 if context is None else context.backend.workers


def map_tasks(
    function: Callable[..., Any],
    tasks: Tasks,
    context: ParallelContext | None,
    name_of: Callable[[int], str] | None = None,
) -> Generator[Result | Pause, None, None]:
    """Yield the results of `function(*task)` for every task, in order; the function may be a job.

    Its results must be JSON values. Raises HostFailure with the task's name if a task fails twice;
    tasks with names are tried twice in this process too.
    """
    alone = context is None or (worker_count(context) == 1 and context.cache is None)
    if context is None or (alone and name_of is None):
        yield from _here(function, tasks)
        return
    from cluewise.parallel.pool import TaskResult, run_tasks_cooperatively

    with closing(run_tasks_cooperatively(function, tasks, context.backend, context.cache)) as found:
        for done in found:
            if not isinstance(done, TaskResult):
                yield done
            elif done.error:
                name = "Part of the work" if name_of is None else name_of(done.number)
                raise HostFailure(f"{name} failed twice: {done.error}.")
            else:
                yield Result(done.value)


def _here(function: Callable[..., Any], tasks: Tasks) -> Generator[Result | Pause, None, None]:
    for task in tasks:
        assert task is not None, "no result is pending that a task could depend on"
        job = as_job(function, *task)
        while True:
            try:
                progress = next(job)
            except StopIteration as stop:
                yield Result(stop.value)
                break
            yield Pause(progress=progress)


def batch_count(games: int, size: int) -> int:
    """Return the number of tasks of `size` games each: `batch_count(60, 25) == 3`."""
    return -(-games // size)


def run_batches(
    play: Callable[..., Any],
    arguments: tuple[Any, ...],
    games: int,
    size: int,
    add: Callable[[Any], None],
    note: str,
    context: ParallelContext | None,
) -> Job[None]:
    """Play all games in tasks `play(*arguments, first, end)`; call `add` with each result in order.

    HostFailure names the first game of a task that failed twice.
    """
    at, tasks = 0, ((*arguments, a, min(a + size, games)) for a in range(0, games, size))
    for step in map_tasks(play, tasks, context, lambda n: f"Games from {n * size} on"):
        if isinstance(step, Result):
            add(step.value)
            at = min(at + size, games)
            yield Progress(at, games, note)
        else:
            here = context is None and step.progress
            yield Progress(here.done if here else at, games, note, waits=step.idle)
