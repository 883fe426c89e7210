"""Protocols of parallel work: who runs tasks, and where their results are stored.

`parallel.pool` and `parallel.cache` implement them; `core.desk` names them in the signature of a
verb's parallel run, so they lie below both.
"""

from __future__ import annotations

from concurrent.futures import Executor
from typing import Protocol


class Crew(Protocol):
    """Runs tasks: up to `workers` at a time, on executors that it opens and closes."""

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


class Shelf(Protocol):
    """A cache of task results that outlives the process (see `parallel.cache`)."""

    def get(self, key: str) -> bytes | None:
        """Return the stored result of a task, or None."""

    def put(self, key: str, value: bytes) -> None:
        """Store a result."""
