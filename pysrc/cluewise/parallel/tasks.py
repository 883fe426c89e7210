"""Runs the tasks of one request in this process or on a crew, with equal results.

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

from cluewise.core.work import Crew, Job, Pause, Progress, Shelf, as_job
from cluewise.errors import HostFailure

Tasks = Iterator[tuple[Any, ...] | None]


@dataclass(frozen=True, slots=True)
class Result:
    """The result of the next task, in the order of the tasks."""

    value: Any


@dataclass(frozen=True, slots=True)
class ParallelContext:
    """The workers of a request's tasks and the result cache: `ParallelContext(ProcessPool(2))`."""

    crew: Crew
    shelf: Shelf | None = None


def worker_count(sharing: ParallelContext | None) -> int:
    """Return the number of workers: `worker_count(None) == 1`."""
    return 1 if sharing is None else sharing.crew.workers


def map_tasks(
    function: Callable[..., Any],
    pieces: Tasks,
    sharing: ParallelContext | None,
    name_of: Callable[[int], str] | None = None,
) -> Generator[Result | Pause, None, None]:
    """Yield the results of `function(*piece)` for every piece, in order; the function may be a job.

    Its results must be JSON values. Raises HostFailure with the piece's name if a task fails twice;
    pieces with names are tried twice in this process too.
    """
    alone = sharing is None or (worker_count(sharing) == 1 and sharing.shelf is None)
    if sharing is None or (alone and name_of is None):
        yield from _here(function, pieces)
        return
    from cluewise.parallel.pool import TaskResult, run_tasks_cooperatively

    with closing(run_tasks_cooperatively(function, pieces, sharing.crew, sharing.shelf)) as found:
        for done in found:
            if not isinstance(done, TaskResult):
                yield done
            elif done.error:
                name = "Part of the work" if name_of is None else name_of(done.number)
                raise HostFailure(f"{name} failed twice: {done.error}.")
            else:
                yield Result(done.value)


def _here(function: Callable[..., Any], pieces: Tasks) -> Generator[Result | Pause, None, None]:
    for piece in pieces:
        assert piece is not None, "no result is pending that a task could depend on"
        job = as_job(function, *piece)
        while True:
            try:
                said = next(job)
            except StopIteration as stop:
                yield Result(stop.value)
                break
            yield Pause(said=said)


def batch_count(games: int, size: int) -> int:
    """How many pieces of `size` games: `batch_count(60, 25) == 3`."""
    return -(-games // size)


def run_batches(
    played: Callable[..., Any],
    who: tuple[Any, ...],
    games: int,
    size: int,
    add: Callable[[Any], None],
    note: str,
    sharing: ParallelContext | None,
) -> Job[None]:
    """`played(*who, first, end)` for all games, each piece's value handed to `add` in order.

    HostFailure names the first game of a piece that failed twice.
    """
    at, pieces = 0, ((*who, a, min(a + size, games)) for a in range(0, games, size))
    for step in map_tasks(played, pieces, sharing, lambda n: f"Games from {n * size} on"):
        if isinstance(step, Result):
            add(step.value)
            at = min(at + size, games)
            yield Progress(at, games, note)
        else:
            here = sharing is None and step.said
            yield Progress(here.done if here else at, games, note, waits=step.idle)
