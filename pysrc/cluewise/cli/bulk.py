"""Runs one verb on many inputs: files of a folder, named requests, or the lines of a long list.

They are processed in parallel (see `parallel_flags`), and results are in the order of the inputs.
A file with an error does not stop the others: its row has the error, and the program ends with
`BadInput` and the names of all such files. A list of any length is sent in texts of whole lines, of
which only a few per worker are in progress, so memory stays bounded; a list of one text is answered
in this process.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from rich.table import Table

from cluewise import service
from cluewise.cli import parallel_flags
from cluewise.cli.drive import document, finished, out, print_json
from cluewise.core.work import Job, Progress, map_progress
from cluewise.errors import BadInput, CluewiseError, HostFailure, error_from_kind
from cluewise.parallel.pool import InProcess, TaskResult, run_tasks
from cluewise.parallel.tasks import ParallelContext

T = TypeVar("T")
Ask = Callable[[Path], service.Request]  # the request for a file


@dataclass(frozen=True, slots=True)
class Row:
    """A file's name with its result struct or its error."""

    file: str
    result: Any = None
    error: CluewiseError | None = None


HERE = ParallelContext(InProcess())


def answers(files: Sequence[Path], ask: Ask, workers: ParallelContext = HERE) -> Job[list[Row]]:
    """Return one row per file (a job); progress counts files."""
    if workers.cache is None and isinstance(workers.backend, InProcess):
        return (yield from _one_by_one(files, ask))
    rows: dict[Path, Row] = {}  # this process reads the files, the workers answer them
    yield from _run_parallel(files, lambda file: file.name, ask, rows.__setitem__, workers)
    return [rows[file] for file in files]


def _run_parallel(
    things: Sequence[T],
    name_of: Callable[[T], str],
    ask: Callable[[T], service.Request],
    take: Callable[[T, Row], None],
    workers: ParallelContext,
) -> Job[None]:
    """Call `take(thing, row)` for each thing, also if its request raises an error (a job)."""
    requests: list[tuple[T, service.Request]] = []

    def tasks() -> Iterator[tuple[Any, ...]]:
        for thing in things:
            try:
                request = ask(thing)
            except CluewiseError as problem:
                take(thing, Row(name_of(thing), error=problem))
                continue
            requests.append((thing, request))
            parts = service.to_plain(request.position), service.to_plain(request.options)
            yield request.position.desk, request.verb.name, *parts

    for done in run_tasks(service.run_captured, tasks(), workers.backend, workers.cache):
        thing, request = requests[done.number]
        yield Progress(done.number, len(things), name_of(thing))
        take(thing, _row(name_of(thing), request, done))


def _row(name: str, request: service.Request, done: TaskResult) -> Row:
    if done.error:
        return Row(name, error=HostFailure(f"It failed twice: {done.error}."))
    if "error" in done.value:
        return Row(name, error=error_from_kind(**done.value["error"]))
    return Row(name, msgspec.convert(done.value["result"], request.verb.result))


def _one_by_one(files: Sequence[Path], ask: Ask) -> Job[list[Row]]:
    rows = []
    for i, file in enumerate(files):
        yield Progress(i, len(files), file.name)

        def scaled(step: Progress, i: int = i, name: str = file.name) -> Progress:
            share = min(1.0, step.done / step.total) if step.total else 0.0
            return Progress(i + share, len(files), name)

        try:
            found = yield from map_progress(service.outcome(ask(file)), scaled)
            rows.append(Row(file.name, found.result))
        except CluewiseError as problem:
            rows.append(Row(file.name, error=problem))
    return rows


def print_answers(
    files: Sequence[Path],
    ask: Ask,
    as_json: bool,
    columns: Sequence[str],
    cells: Callable[[Any], Iterable[str]],
    workers: ParallelContext = HERE,
) -> None:
    """Print a row per file: its name, then `cells(result)` under `columns`."""
    rows = finished(answers(files, ask, workers))
    if as_json:
        print_json({"files": [_plain(row) for row in rows]})
    else:
        table = Table("file", *columns)
        for row in rows:
            table.add_row(row.file, *(cells(row.result) if row.error is None else [_why(row)]))
        out.print(table)
    bad = [row.file for row in rows if row.error is not None]
    if bad:
        raise BadInput(f"{len(bad)} of {len(rows)} files have errors: {', '.join(bad)}.")


def _plain(row: Row) -> dict[str, Any]:
    if row.error is not None:
        return {"file": row.file, "error": document(row.error)}
    return {"file": row.file, "result": service.to_plain(row.result)}


def _why(row: Row) -> str:
    assert row.error is not None
    where = document(row.error)["where"]
    place = "" if where == "$" else f"{where.removeprefix('$.')}: "
    return place + row.error.message


def run_for_each(
    names: Sequence[str],
    ask: Callable[[str], service.Request],
    keep: Callable[[str, Any], None],
    workers: ParallelContext = HERE,
) -> Job[dict[str, str]]:
    """Run a request per name and call `keep(name, result)` for each result (a job).

    Returns the error messages of the other names.
    """
    failed: dict[str, str] = {}

    def take(name: str, row: Row) -> None:
        if row.error is not None:
            failed[name] = row.error.message
        else:
            keep(name, row.result)

    yield from _run_parallel(names, str, ask, take, workers)
    return failed


AskText = Callable[[str, int], dict[str, Any]]  # (text, number of earlier lines) -> request
Take = Callable[[str, int, Any], None]  # called with a text, its number of lines and its answer
Lost = Callable[[str, int, str], None]  # the same for one that got no answer, and the reason


def stream_texts(
    texts: Iterator[str],
    ask: AskText,
    take: Take,
    size: int | None,
    lost: Lost,
    **parallel: Any,
) -> Job[None]:
    """Call `take(text, lines, answer)` for each text in order (a job); progress counts characters.

    `lost(text, lines, why)` is called for a text that fails twice. `parallel` has the values of
    `parallel_flags`.
    """
    service.parse_request(ask("", 0))  # raises at once for bad options
    done = 0
    for (text, lines), answer, why in _answered(texts, ask, parallel):
        if why:
            lost(text, lines, why)
        else:
            take(text, lines, answer)
        done += len(text)
        yield Progress(done, size, "lines")


def _answered(
    texts: Iterator[str], ask: AskText, parallel: dict[str, Any]
) -> Iterator[tuple[tuple[str, int], Any, str]]:
    head = list(islice(texts, 2))
    waiting: deque[tuple[str, int]] = deque()
    # The number of texts is unknown; more than one justify all cores.
    some = (
        parallel_flags.EACH * (parallel.get("jobs") or os.cpu_count() or 1) if len(head) > 1 else 1
    )
    with parallel_flags.workers(some, **parallel) as context:
        requests = _requests(chain(head, texts), ask, waiting)
        for done in run_tasks(service.run, requests, context.backend, context.cache):
            yield waiting.popleft(), done.value, done.error


def _requests(
    texts: Iterator[str], ask: AskText, waiting: deque[tuple[str, int]]
) -> Iterator[tuple[dict[str, Any]]]:
    before = 0
    for text in texts:
        lines = text.count("\n") + (not text.endswith("\n"))
        waiting.append((text, lines))
        yield (ask(text, before),)
        before += lines
