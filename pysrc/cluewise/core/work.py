"""Long work that can be watched and stopped: progress, jobs, and the pace of slices.

A job is a generator: it yields `Progress` and returns its result. Anyone who drives it (a
terminal, the page's worker, a test) may stop between two yields by closing it; a job therefore
yields at least every 50 ms and holds what it must release in `with` blocks.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Any, TypeVar

R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a job stands: `Progress(3, 10, "comparing guesses")`.

    `total` is None while no one can know it. `best` is the best result so far, in the shape of
    the final one, for jobs that are worth stopping early; None otherwise. `waits`: nothing can
    be done here until somebody else has done a piece of the work (see `core.hands`).
    """

    done: float
    total: float | None = None
    note: str = ""
    best: object | None = None
    waits: bool = False


Job = Generator[Progress, None, R]


@dataclass(frozen=True, slots=True)
class Pause:
    """No result yet: anyone who drives the work may look after something else.

    `idle`: nothing can be done here until somebody else has done a piece. `said`: how far the piece
    is that is worked on here.
    """

    idle: bool = False
    said: Progress | None = None


@dataclass(frozen=True, slots=True)
class ResultWithArrays:
    """A result and its arrays: `ResultWithArrays(result, {"rects": array("h", [0, 0, 4, 4])})`.

    The page receives each array as a typed array without a detour through JSON; every other
    caller sees `result` alone. Values are contiguous buffers with an `array.array` typecode.
    """

    result: object
    arrays: dict[str, Any]


def as_job(function: Callable[..., Any], *arguments: Any) -> Job[Any]:
    """A call as a job, whether the function is one or not.

    >>> finish(as_job(pow, 2, 3))
    8
    """
    value = function(*arguments)
    if isinstance(value, Generator):
        value = yield from value
    return value


def finish(job: Job[R]) -> R:
    """The result of a job, run to its end without progress reports."""
    while True:
        try:
            next(job)
        except StopIteration as stop:
            return stop.value  # type: ignore[no-any-return]  # StopIteration.value is untyped


class SliceTimer:
    """How many rows the next slice should take so that it lasts about `target` seconds.

    >>> pace = SliceTimer(first=64)
    >>> pace.rows(left=40)
    40

    Call `rows` before a slice and `took` after it. Growth is limited to four times a slice, so
    that one lucky measurement cannot freeze the page.
    """

    def __init__(self, first: int, target: float = 0.02) -> None:
        self._next = float(first)
        self._target = target
        self._rows = 0
        self._began = 0.0

    def rows(self, left: int) -> int:
        """The size of the next slice, at least 1 and at most `left`."""
        self._rows = max(1, min(left, int(self._next)))
        self._began = time.perf_counter()
        return self._rows

    def took(self) -> None:
        """Note that the slice handed out last is finished."""
        seconds = max(time.perf_counter() - self._began, 1e-6)
        self._next = min(self._rows * self._target / seconds, self._rows * 4.0)
        self._next = max(self._next, 1.0)
