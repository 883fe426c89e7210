"""A list of any length through the service: pieces of lines in, their answers out in order.

At most two pieces a core are under way, whatever the list's length. Every core has its own kernel
in a process of its own; one core does while there is but one piece.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator
from itertools import chain, islice
from typing import Any

from cluewise import service
from cluewise.core.many import Cores, Crew, Here, many
from cluewise.core.work import Job, Progress
from cluewise.errors import HostFailure

PIECE = 10_000  # lines
Ask = Callable[[list[str], int], dict[str, Any]]  # lines and how many came before: a request
Take = Callable[[list[str], Any], None]  # lines and the service's answer to them


def through(lines: Iterator[str], ask: Ask, take: Take, size: int | None) -> Job[None]:
    """A job that hands every piece and its answer to `take`; its progress counts characters."""
    service.understand(ask([], 0))  # what is wrong with the options is said at once
    done = 0
    for piece, answer in _answered(lines, ask):
        take(piece, answer)
        done += sum(map(len, piece))
        yield Progress(done, size, "lines")


def _answered(lines: Iterator[str], ask: Ask) -> Iterator[tuple[list[str], Any]]:
    head = [list(islice(lines, PIECE)) for _ in range(2)]
    cores = os.cpu_count() or 1
    crew: Crew = Cores(cores) if head[1] and cores > 1 else Here()
    pieces = chain(head, iter(lambda: list(islice(lines, PIECE)), []))
    waiting: deque[list[str]] = deque()
    for done in many(service.run, _requests(pieces, ask, waiting), crew):
        if done.error:
            raise HostFailure(f"A piece of the list got no answer: {done.error}.")
        yield waiting.popleft(), done.value


def _requests(
    pieces: Iterator[list[str]], ask: Ask, waiting: deque[list[str]]
) -> Iterator[tuple[dict[str, Any]]]:
    before = 0
    for piece in filter(None, pieces):
        waiting.append(piece)
        yield (ask(piece, before),)
        before += len(piece)
