"""Streams a list of any length through the service in chunks of lines; answers keep their order.

Memory stays bounded: only a few chunks per worker are in progress. By default (see `crews`) each
core has a process with its own kernel; a list of one chunk is answered in this process.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator
from itertools import chain, islice
from typing import Any

from cluewise import service
from cluewise.cli import crews
from cluewise.core.work import Job, Progress
from cluewise.errors import HostFailure
from cluewise.parallel.pool import run_tasks

PIECE = 8_000  # lines; the first two chunks have half of it, so that a short list is parallel too
Ask = Callable[[list[str], int], dict[str, Any]]  # (lines, number of earlier lines) -> request
Take = Callable[[list[str], Any], None]  # called with lines and their answer
Lost = Callable[[list[str], str], None]  # called with lines that got no answer, and the reason


def stream_chunks(
    lines: Iterator[str],
    ask: Ask,
    take: Take,
    size: int | None,
    lost: Lost | None = None,
    **who: Any,
) -> Job[None]:
    """Call `take(lines, answer)` for each chunk in order (a job); progress counts characters.

    `who` are the flags of `crews`. A chunk that fails twice goes to `lost`, or raises `HostFailure`
    if `lost` is None.
    """
    service.parse_request(ask([], 0))  # raises at once for bad options
    done = 0
    for piece, answer, why in _answered(lines, ask, who):
        if not why:
            take(piece, answer)
        elif lost is None:
            raise HostFailure(f"Part of the list could not be processed: {why}.")
        else:
            lost(piece, why)
        done += sum(map(len, piece))
        yield Progress(done, size, "lines")


def _answered(
    lines: Iterator[str], ask: Ask, who: dict[str, Any]
) -> Iterator[tuple[list[str], Any, str]]:
    head = [list(islice(lines, PIECE // 2)) for _ in range(2)]
    pieces = chain(head, iter(lambda: list(islice(lines, PIECE)), []))
    waiting: deque[list[str]] = deque()
    # the number of chunks is unknown: more than one justify all cores
    some = crews.EACH * (who.get("jobs") or os.cpu_count() or 1) if head[1] else 1
    with crews.workers(some, **who) as they:
        requests = _requests(pieces, ask, waiting)
        for done in run_tasks(service.run, requests, they.crew, they.shelf):
            yield waiting.popleft(), done.value, done.error


def _requests(
    pieces: Iterator[list[str]], ask: Ask, waiting: deque[list[str]]
) -> Iterator[tuple[dict[str, Any]]]:
    before = 0
    for piece in filter(None, pieces):
        waiting.append(piece)
        yield (ask(piece, before),)
        before += len(piece)
