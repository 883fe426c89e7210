"""Streams a list of any length through the service in texts of whole lines, answers in order.

Memory stays bounded: only a few texts per worker are in progress. By default (see `crews`) each
core has a process with its own kernel; a list of one text is answered in this process.
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

Ask = Callable[[str, int], dict[str, Any]]  # (text, number of earlier lines) -> request
Take = Callable[[str, int, Any], None]  # called with a text, its number of lines and its answer
Lost = Callable[[str, int, str], None]  # the same for one that got no answer, and the reason


def stream_texts(
    texts: Iterator[str],
    ask: Ask,
    take: Take,
    size: int | None,
    lost: Lost | None = None,
    **who: Any,
) -> Job[None]:
    """Call `take(text, lines, answer)` for each text in order (a job); progress counts characters.

    `who` are the flags of `crews`. A text that fails twice goes to `lost`, or raises `HostFailure`
    if `lost` is None.
    """
    service.parse_request(ask("", 0))  # raises at once for bad options
    done = 0
    for (text, lines), answer, why in _answered(texts, ask, who):
        if not why:
            take(text, lines, answer)
        elif lost is None:
            raise HostFailure(f"Part of the list could not be processed: {why}.")
        else:
            lost(text, lines, why)
        done += len(text)
        yield Progress(done, size, "lines")


def _answered(
    texts: Iterator[str], ask: Ask, who: dict[str, Any]
) -> Iterator[tuple[tuple[str, int], Any, str]]:
    head = list(islice(texts, 2))
    waiting: deque[tuple[str, int]] = deque()
    # the number of texts is unknown: more than one justify all cores
    some = crews.EACH * (who.get("jobs") or os.cpu_count() or 1) if len(head) > 1 else 1
    with crews.workers(some, **who) as they:
        requests = _requests(chain(head, texts), ask, waiting)
        for done in run_tasks(service.run, requests, they.crew, they.shelf):
            yield waiting.popleft(), done.value, done.error


def _requests(
    texts: Iterator[str], ask: Ask, waiting: deque[tuple[str, int]]
) -> Iterator[tuple[dict[str, Any]]]:
    before = 0
    for text in texts:
        lines = text.count("\n") + (not text.endswith("\n"))
        waiting.append((text, lines))
        yield (ask(text, before),)
        before += lines
