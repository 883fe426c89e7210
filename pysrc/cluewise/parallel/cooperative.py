"""Tasks that an idle worker leases: the page's further workers.

This process must not stand still, and it works too: `step` does a little of the first piece that
no one has taken. Others `take` a piece whenever they are free and `give` back its result.
"""

from __future__ import annotations

import importlib
from collections import deque
from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any, NamedTuple

from cluewise.core.work import Job, as_job
from cluewise.parallel.pool import CooperativeExecutor

PACKAGE = "cluewise."  # whose functions may be asked for by name


class LeasedTask(NamedTuple):
    """A piece for somebody else: `LeasedTask(3, "cluewise.parallel.cooperative:square", (2,))`."""

    number: int
    function: str
    arguments: tuple[Any, ...]


class _Piece(NamedTuple):
    future: Future[Any]
    function: Callable[..., Any]
    arguments: tuple[Any, ...]


class CooperativePool(CooperativeExecutor):
    """A crew of this process and of those who come and take.

    It is its own executor. `workers` counts all of them.
    """

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self._queue: deque[_Piece] = deque()
        self._taken: dict[int, Future[Any]] = {}
        self._mine: tuple[Future[Any], Job[Any]] | None = None
        self._last = 0

    def open(self) -> Executor:
        """Itself."""
        return self

    def close(self, executor: Executor) -> None:
        """What has not begun is dropped, what has is left; what others bring is not wanted."""
        self._queue.clear()
        self._taken.clear()
        if self._mine is not None:
            self._mine[1].close()
            self._mine = None

    def gone(self, executor: Executor) -> str:
        """It is where this is."""
        return ""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """A piece: a function, which may be a job, and its arguments."""
        future: Future[Any] = Future()
        self._queue.append(_Piece(future, fn, args))
        return future

    def step(self) -> bool:
        """Work on a piece until it yields or ends; False if all have been taken."""
        if self._mine is None:
            if not self._queue:
                return False
            piece = self._queue.popleft()
            self._mine = piece.future, as_job(piece.function, *piece.arguments)
        future, job = self._mine
        self.said = None
        try:
            self.said = next(job)
        except StopIteration as stop:
            self._mine = None
            future.set_result(stop.value)
        except Exception as problem:
            self._mine = None
            future.set_exception(problem)
        return True

    def take(self) -> LeasedTask | None:
        """The first piece that no one works on, None if there is none."""
        if not self._queue:
            return None
        piece = self._queue.popleft()
        self._last += 1
        self._taken[self._last] = piece.future
        name = f"{piece.function.__module__}:{piece.function.__qualname__}"
        return LeasedTask(self._last, name, piece.arguments)

    def give(self, number: int, value: object, error: str = "") -> None:
        """The result of a leased task: its value, or why it has none."""
        future = self._taken.pop(number, None)
        if future is None:
            return
        if error:
            future.set_exception(RuntimeError(error))
        else:
            future.set_result(value)


def resolve_function(name: str) -> Callable[..., Any]:
    """The function of a `LeasedTask`; LookupError for one that is not the package's."""
    module, _, function = name.partition(":")
    if not module.startswith(PACKAGE):
        raise LookupError(f"{name} is no function of Cluewise.")
    found: Callable[..., Any] = getattr(importlib.import_module(module), function)
    return found
