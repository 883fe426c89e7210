"""Cancellable jobs with progress reports, slice sizes, and interfaces of parallel backends.

A job is a generator that yields `Progress` and returns its result. The caller (terminal, page's
worker, test) stops it between two yields by closing it. So a job yields at least every 50 ms and
releases resources in `with` blocks.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

if TYPE_CHECKING:  # loaded only for parallel work
    from concurrent.futures import Executor

R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of a job: `Progress(3, 10, "comparing guesses")`.

    `total` is None while unknown. `best` is the best result so far, of the final result's type, for
    jobs that can be stopped early; otherwise None. `waits`: this process is idle until another
    worker returns a task (see `parallel.cooperative`).
    """

    done: float
    total: float | None = None
    note: str = ""
    best: object | None = None
    waits: bool = False


Job = Generator[Progress, None, R]


@dataclass(frozen=True, slots=True)
class Pause:
    """No result yet: the caller may process other events.

    `idle`: this process is idle until another worker returns a task. `progress`: that of the task
    that runs in this process.
    """

    idle: bool = False
    progress: Progress | None = None


@dataclass(frozen=True, slots=True)
class ResultWithArrays(Generic[R]):
    """A result and its arrays: `ResultWithArrays(result, {"rects": array("h", [0, 0, 4, 4])})`.

    The page receives each array as a typed array, without JSON; other callers use only `result`.
    Values are contiguous buffers with an `array.array` typecode.
    """

    result: R
    arrays: dict[str, Any]


def as_job(function: Callable[..., Any], *arguments: Any) -> Job[Any]:
    """Call a function, a job or not, as a job.

    >>> finish(as_job(pow, 2, 3))
    8
    """
    value = function(*arguments)
    if isinstance(value, Generator):
        value = yield from value
    return value


def finish(job: Job[R]) -> R:
    """Run a job to its end and return its result."""
    while True:
        try:
            next(job)
        except StopIteration as stop:
            return stop.value  # type: ignore[no-any-return]  # StopIteration.value is untyped


def map_progress(job: Job[R], change: Callable[[Progress], Progress]) -> Job[R]:
    """Run a job, each of its progress reports replaced by `change(report)`.

    >>> def work():
    ...     yield Progress(1, 2)
    >>> list(map_progress(work(), lambda step: Progress(step.done + 5)))
    [Progress(done=6, total=None, note='', best=None, waits=False)]
    """
    try:
        while True:
            yield change(next(job))
    except StopIteration as stop:
        return stop.value  # type: ignore[no-any-return]  # StopIteration.value is untyped
    finally:
        job.close()


class SliceTimer:
    """Chooses the number of rows of the next slice so that it takes about `target` seconds.

    >>> pace = SliceTimer(first=64)
    >>> pace.rows(left=40)
    40

    Call `rows` before a slice and `took` after it. A slice is at most four times the previous one,
    so that one wrong measurement cannot block the page.
    """

    def __init__(self, first: int, target: float = 0.02) -> None:
        self._next = float(first)
        self._target = target
        self._rows = 0
        self._began = 0.0

    def rows(self, left: int) -> int:
        """Return the size of the next slice, from 1 to `left`."""
        self._rows = max(1, min(left, int(self._next)))
        self._began = time.perf_counter()
        return self._rows

    def took(self) -> None:
        """Record that the last slice has ended."""
        seconds = max(time.perf_counter() - self._began, 1e-6)
        self._next = min(self._rows * self._target / seconds, self._rows * 4.0)
        self._next = max(self._next, 1.0)


class Backend(Protocol):
    """Runs up to `workers` tasks at a time, on executors that it opens and closes.

    `parallel.pool` and `parallel.cooperative` implement it.
    """

    @property
    def workers(self) -> int:
        """The number of tasks that run at the same time."""

    def open(self) -> Executor:
        """Return a new executor."""

    def close(self, executor: Executor) -> None:
        """Shut down at once: drop queued tasks and do not wait for running ones."""
        executor.shutdown(wait=False, cancel_futures=True)

    def gone(self, executor: Executor) -> str:
        """Return why the executor is lost and no other can be opened; "" while it works."""
        return ""


class ResultCache(Protocol):
    """A cache of task results that outlives the process (see `parallel.cache`)."""

    def get(self, key: str) -> bytes | None:
        """Return the stored result of a task, or None."""

    def put(self, key: str, value: bytes) -> None:
        """Store a result."""
