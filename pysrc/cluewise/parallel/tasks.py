"""Pieces of one question: worked out here one after the other, or by a crew, with the same values.

>>> [step.value for step in worked(pow, iter([(2, 3), (2, 4)]), None) if isinstance(step, Came)]
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

Pieces = Iterator[tuple[Any, ...] | None]


@dataclass(frozen=True, slots=True)
class Came:
    """What came of the next piece, in the pieces' order."""

    value: Any


@dataclass(frozen=True, slots=True)
class Sharing:
    """Who works on a question's pieces, and where values are kept: `Sharing(Cores(2))`."""

    crew: Crew
    shelf: Shelf | None = None


def hands(sharing: Sharing | None) -> int:
    """How many work at a time: `hands(None) == 1`."""
    return 1 if sharing is None else sharing.crew.workers


def worked(
    function: Callable[..., Any], pieces: Pieces, sharing: Sharing | None
) -> Generator[Came | Pause, None, None]:
    """`function(*piece)` for every piece, in order; the function may be a job.

    Its values are such as JSON holds. HostFailure where a piece failed twice.
    """
    if sharing is None or (hands(sharing) == 1 and sharing.shelf is None):
        yield from _here(function, pieces)
        return
    from cluewise.parallel.pool import Done, turns

    with closing(turns(function, pieces, sharing.crew, sharing.shelf)) as found:
        for done in found:
            if not isinstance(done, Done):
                yield done
            elif done.error:
                raise HostFailure(f"A piece of the work failed twice: {done.error}.")
            else:
                yield Came(done.value)


def _here(function: Callable[..., Any], pieces: Pieces) -> Generator[Came | Pause, None, None]:
    for piece in pieces:
        assert piece is not None, "no value is on its way that a piece could wait for"
        job = as_job(function, *piece)
        while True:
            try:
                said = next(job)
            except StopIteration as stop:
                yield Came(stop.value)
                break
            yield Pause(said=said)
