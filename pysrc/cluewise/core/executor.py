"""Protocols of parallel work: who runs tasks, and where their results are stored.

`parallel.pool` and `parallel.cache` implement them; `core.desk` names them in the signature of a
verb's parallel run, so they lie below both.
"""

from __future__ import annotations

from concurrent.futures import Executor
from typing import Protocol


class Crew(Protocol):
    """Who does the work: `workers` at a time, on an executor that can be opened anew."""

    @property
    def workers(self) -> int:
        """How many pieces are at work at the same time."""

    def open(self) -> Executor:
        """An executor that takes calls."""

    def close(self, executor: Executor) -> None:
        """End it at once: what has not begun is dropped, what has is not waited for."""

    def gone(self, executor: Executor) -> str:
        """Why nothing more will come of it, and no other can be opened; "" while something may."""


class Shelf(Protocol):
    """Results that outlive the process (see `core.shelf`)."""

    def get(self, key: str) -> bytes | None:
        """The kept result of that piece, None if there is none."""

    def put(self, key: str, value: bytes) -> None:
        """Keep a result."""
