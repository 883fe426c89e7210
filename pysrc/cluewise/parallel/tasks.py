"""Pieces of one question: worked out here one after the other, or by a crew, with the same values.

>>> [step.value for step in map_tasks(pow, iter([(2, 3), (2, 4)]), None) if isinstance(step,
... Result)]
[8, 16]

What is worth handing out next often hangs on the result of other pieces: `None` in place of a piece
says that there is none before another value is back. A verb whose answer must not depend on who
works decides what to do by values alone, in the pieces' order, never by when they came.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cluewise.core.work import Pause, as_job
from cluewise.errors import HostFailure

if TYPE_CHECKING:  # only who shares work out loads it
    from cluewise.core.executor import Crew, Shelf

Tasks = Iterator[tuple[Any, ...] | None]


@dataclass(frozen=True, slots=True)
class Result:
    """The result of the next task, in the order of tasks."""

    value: Any


@dataclass(frozen=True, slots=True)
class ParallelContext:
    """Who works on a question's pieces, and where values are kept: `ParallelContext(Cores(2))`."""

    crew: Crew
    shelf: Shelf | None = None


def worker_count(sharing: ParallelContext | None) -> int:
    """How many work at a time: `worker_count(None) == 1`."""
    return 1 if sharing is None else sharing.crew.workers


def map_tasks(
    function: Callable[..., Any], pieces: Tasks, sharing: ParallelContext | None
) -> Generator[Result | Pause, None, None]:
    """`function(*piece)` for every piece, in order; the function may be a job.

    Its values are such as JSON holds. HostFailure where a piece failed twice.
    """
    if sharing is None or (worker_count(sharing) == 1 and sharing.shelf is None):
        yield from _here(function, pieces)
        return
    from cluewise.parallel.pool import TaskResult, run_tasks_cooperatively

    with closing(run_tasks_cooperatively(function, pieces, sharing.crew, sharing.shelf)) as found:
        for done in found:
            if not isinstance(done, TaskResult):
                yield done
            elif done.error:
                raise HostFailure(f"A piece of the work failed twice: {done.error}.")
            else:
                yield Result(done.value)


def _here(function: Callable[..., Any], pieces: Tasks) -> Generator[Result | Pause, None, None]:
    for piece in pieces:
        assert piece is not None, "no value is on its way that a piece could wait for"
        job = as_job(function, *piece)
        while True:
            try:
                said = next(job)
            except StopIteration as stop:
                yield Result(stop.value)
                break
            yield Pause(said=said)
