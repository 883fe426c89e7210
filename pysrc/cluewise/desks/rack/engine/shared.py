"""Games that a crew shares out: so many to a piece, reported as they come."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from cluewise.core.work import Job, Progress
from cluewise.errors import HostFailure

if TYPE_CHECKING:  # only who shares work out loads it
    from cluewise.core.executor import Crew, Shelf


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
    crew: Crew,
    shelf: Shelf | None,
) -> Job[None]:
    """`played(*who, first, end)` for all games, each piece's value handed to `add` in order.

    HostFailure names the first game of a piece that failed twice.
    """
    from cluewise.core.work import Pause
    from cluewise.parallel.pool import run_tasks_cooperatively

    at, pieces = 0, ((*who, a, min(a + size, games)) for a in range(0, games, size))
    for done in run_tasks_cooperatively(played, pieces, crew, shelf):
        if isinstance(done, Pause):
            yield Progress(at, games, note, waits=done.idle)
            continue
        if done.error:
            raise HostFailure(f"Games from {done.number * size} on failed twice: {done.error}.")
        add(done.value)
        at = min(at + size, games)
        yield Progress(at, games, note)
