"""Cooperative pool: this process runs one task in steps; other workers lease whole tasks.

For the page's worker, which must handle messages between steps: `step` runs a little of the first
queued task. Idle workers lease a task by `take` and return its result by `give`.
"""

from __future__ import annotations

import importlib
from collections import deque
from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any, NamedTuple

from cluewise.core.work import Backend, Job, as_job
from cluewise.parallel.pool import CooperativeExecutor

PACKAGE = "cluewise."  # only its functions may be called by name


class LeasedTask(NamedTuple):
    """A task for another worker: `LeasedTask(3, "cluewise.parallel.cooperative:square", (2,))`."""

    number: int
    function: str
    arguments: tuple[Any, ...]


class _Task(NamedTuple):
    future: Future[Any]
    function: Callable[..., Any]
    arguments: tuple[Any, ...]


class CooperativePool(CooperativeExecutor, Backend):
    """A backend of this process and the workers that lease tasks; `workers` counts all of them.

    It is its own executor.
    """

    workers = 1

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self._queue: deque[_Task] = deque()
        self._taken: dict[int, Future[Any]] = {}
        self._mine: tuple[Future[Any], Job[Any]] | None = None
        self._last = 0

    def open(self) -> Executor:
        """Return this pool."""
        return self

    def close(self, executor: Executor) -> None:
        """Drop queued tasks and the running one; later results of leased tasks are ignored."""
        self._queue.clear()
        self._taken.clear()
        if self._mine is not None:
            self._mine[1].close()
            self._mine = None

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Queue a task: a function, which may be a job, and its arguments."""
        future: Future[Any] = Future()
        self._queue.append(_Task(future, fn, args))
        return future

    def step(self) -> bool:
        """Run a task until it yields or ends; return False if none is left here."""
        if self._mine is None:
            if not self._queue:
                return False
            task = self._queue.popleft()
            self._mine = task.future, as_job(task.function, *task.arguments)
        future, job = self._mine
        self.progress = None
        try:
            self.progress = next(job)
        except StopIteration as stop:
            self._mine = None
            future.set_result(stop.value)
        except Exception as problem:
            self._mine = None
            future.set_exception(problem)
        return True

    def take(self) -> LeasedTask | None:
        """Lease the first queued task to another worker; None if there is none."""
        if not self._queue:
            return None
        task = self._queue.popleft()
        self._last += 1
        self._taken[self._last] = task.future
        name = f"{task.function.__module__}:{task.function.__qualname__}"
        return LeasedTask(self._last, name, task.arguments)

    def give(self, number: int, value: object, error: str = "") -> None:
        """Set the result of a leased task, or its error."""
        future = self._taken.pop(number, None)
        if future is None:
            return
        if error:
            future.set_exception(RuntimeError(error))
        else:
            future.set_result(value)


def resolve_function(name: str) -> Callable[..., Any]:
    """Return the function of a `LeasedTask`; LookupError if it is not one of this package."""
    module, _, function = name.partition(":")
    if not module.startswith(PACKAGE):
        raise LookupError(f"{name} is not a function of Cluewise.")
    found: Callable[..., Any] = getattr(importlib.import_module(module), function)
    return found
