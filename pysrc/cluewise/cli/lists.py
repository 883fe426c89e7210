"""A list of any length through the service: pieces of lines in, their answers out in order.

A few pieces a worker are under way, whatever the list's length. By default (see
`crews`) every core has its own kernel in a process of its own; one core does while there is but
one piece.
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

PIECE = 8_000  # lines; the first two have half of that, so that a short list is shared as well
Ask = Callable[[list[str], int], dict[str, Any]]  # lines and how many came before: a request
Take = Callable[[list[str], Any], None]  # lines and the service's answer to them
Lost = Callable[[list[str], str], None]  # lines that no worker could answer, and why


def stream_chunks(
    lines: Iterator[str],
    ask: Ask,
    take: Take,
    size: int | None,
    lost: Lost | None = None,
    **who: Any,
) -> Job[None]:
    """A job that hands every piece and its answer to `take`; its progress counts characters.

    `who` are the flags of `crews`. A piece that fails twice goes to `lost` and the rest goes on;
    without it, it ends the job with `HostFailure`.
    """
    service.parse_request(ask([], 0))  # what is wrong with the options is said at once
    done = 0
    for piece, answer, why in _answered(lines, ask, who):
        if not why:
            take(piece, answer)
        elif lost is None:
            raise HostFailure(f"A piece of the list got no answer: {why}.")
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
    # How many pieces come is not known: more than one are worth all cores.
    some = crews.EACH * (who.get("jobs") or os.cpu_count() or 1) if head[1] else 1
    with crews.workers(some, **who) as they:
        requests = _requests(pieces, ask, waiting)
        for done in run_tasks(encode_batch, requests, they.crew, they.shelf):
            yield waiting.popleft(), None if done.error else decode_batch(done.value), done.error


def _requests(
    pieces: Iterator[list[str]], ask: Ask, waiting: deque[list[str]]
) -> Iterator[tuple[dict[str, Any]]]:
    before = 0
    for piece in filter(None, pieces):
        waiting.append(piece)
        yield (ask(piece, before),)
        before += len(piece)


def encode_batch(request: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """The service's answer for another process: lists of texts as one text each.

    The process that hands out the work takes in all answers alone, and a text of 8 000 lines is
    taken in several times as quickly as 8 000 texts.

    >>> decode_batch({"texts": {"answers": "a\\nb"}, "rest": {"bad": []}})
    {'answers': ['a', 'b'], 'bad': []}
    """
    answer = service.run(request)
    texts = {key: "\n".join(value) for key, value in answer.items() if _is_texts(value)}
    return {"texts": texts, "rest": {k: v for k, v in answer.items() if k not in texts}}


def decode_batch(answer: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """The service's answer again."""
    return {key: text.split("\n") for key, text in answer["texts"].items()} | answer["rest"]


def _is_texts(value: Any) -> bool:
    """Whether it is a list of texts that are lines, at least one of them."""
    if not isinstance(value, list) or not value or not isinstance(value[0], str):
        return False
    return all(isinstance(item, str) and "\n" not in item for item in value)
