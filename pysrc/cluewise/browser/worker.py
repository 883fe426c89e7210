"""The Python part of the page's worker: runs jobs by number in slices.

The JavaScript part (web/engine/worker.js) schedules the turns. Messages are JSON text, which passes
between the languages faster than objects. A long `text` among the options, and then that of the
result, passes as bytes.

A question with parallel tasks may use several workers: `due` returns its messages about tasks;
`Blocked` among them means that the job is idle until a task returns.
"""

from __future__ import annotations

import time
from array import array
from collections.abc import Generator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import msgspec

from cluewise import __version__, desks, service
from cluewise.browser import protocol
from cluewise.core.benchmark import run_benchmark
from cluewise.core.work import Progress, ResultWithArrays, as_job
from cluewise.errors import CluewiseError

if TYPE_CHECKING:  # loaded only for parallel work
    from cluewise.parallel.cooperative import CooperativePool

TURN = 0.012  # seconds; the worker reads messages between turns, so this limits a cancel's delay
REPORT = 0.08  # seconds between two progress messages of one job

Work = protocol.Ask | protocol.Bench | protocol.RunTask
_DECODER: msgspec.json.Decoder[Work] = msgspec.json.Decoder(Work)
_GIVEN = msgspec.json.Decoder(protocol.TaskDone)
_encode = msgspec.json.Encoder().encode


@dataclass(slots=True)
class _Running:
    request: Work
    job: Generator[Progress, None, ResultWithArrays[Any]]
    reported: float
    pools: list[CooperativePool] = field(default_factory=list)  # at most one: its pool
    lent: int = 0  # idle workers offered to this job
    announced: bool = False  # TasksAvailable was posted
    waits: bool = False
    best: object | None = None  # found since the last report
    as_bytes: bool = False  # the texts of its options and result pass as bytes


class JobRunner:
    """Holds and steps the running jobs."""

    def __init__(self) -> None:
        self._running: dict[int, _Running] = {}
        self._arrays: dict[int, dict[str, Any]] = {}
        self._text: array[int] | None = None

    def begin(self, text: str) -> int:
        """Parse an `Ask`, `Bench` or `RunTask` and return its number; nothing runs yet."""
        request = _DECODER.decode(text)
        given, self._text = self._text, None
        if given is not None and isinstance(request, protocol.Ask):
            request.options["text"] = given.tobytes().decode("utf-8", "replace")
        pools: list[CooperativePool] = []
        running = _Running(request, _job(request, pools), time.perf_counter(), pools)
        running.as_bytes = given is not None
        self._running[request.id] = running
        return request.id

    def text_buffer(self, length: int) -> array[int]:
        """Return an array to be filled with the UTF-8 bytes of the next request's `text`."""
        self._text = array("B", bytes(length))
        return self._text

    def step(self, number: int) -> str | None:
        """Run a job for one turn and return the JSON message to post, or None."""
        running = self._running[number]
        try:
            report = self._turn(running)
        except StopIteration as stop:
            answer: ResultWithArrays[Any] = stop.value
            if running.as_bytes:
                result: Any = answer.result
                answer.arrays["text"] = array("B", result["text"].encode())
                result["text"] = ""
            if answer.arrays:
                self._arrays[number] = answer.arrays
            return self._end(number, protocol.Result(number, answer.result))
        except CluewiseError as problem:
            return self._end(
                number, protocol.Fault(number, problem.kind, problem.message, problem.where)
            )
        except Exception as mistake:
            return self._broke(number, mistake)
        return report

    def cancel(self, number: int) -> str | None:
        """Close a job and return the `Fault` to post; None if the job has ended."""
        running = self._running.get(number)
        if running is None:
            return None
        try:
            running.job.close()
        except Exception as mistake:
            return self._broke(number, mistake)
        return self._end(number, protocol.Fault(number, "stopped", "Stopped.", "$"))

    def lend(self, number: int) -> None:
        """Note that another worker is idle for a task of that job."""
        if number in self._running:
            self._running[number].lent += 1

    def give(self, text: str) -> None:
        """Pass the result of a task, a `TaskDone` as JSON, to its job."""
        given = _GIVEN.decode(text)
        running = self._running.get(given.id)
        if running is not None and running.pools:
            running.waits = False
            running.pools[0].give(given.number, given.value, given.error)

    def due(self, number: int) -> str:
        """Return a job's messages as JSON: `TasksAvailable` once, `Task`s, `Blocked` last."""
        running = self._running.get(number)
        if running is None or not running.pools:
            return "[]"
        messages: list[protocol.Message] = []
        if not running.announced:
            running.announced = True
            messages.append(protocol.TasksAvailable(number))
        while running.lent and (task := running.pools[0].take()):
            running.lent -= 1
            arguments = list(task.arguments)
            messages.append(protocol.Task(number, task.number, task.function, arguments))
        if running.waits:
            messages.append(protocol.Blocked(number))
        return _encode(messages).decode()

    def prepare(self, name: str) -> None:
        """Import a desk's modules before its first question; ignore unknown names."""
        if name in desks.available():
            desks.load(name)

    def arrays(self, number: int) -> dict[str, Any]:
        """Return and forget the arrays of a result."""
        return self._arrays.pop(number, {})

    def _turn(self, running: _Running) -> str | None:
        ends = time.perf_counter() + TURN
        while True:
            progress = next(running.job)
            now = time.perf_counter()
            running.waits = progress.waits
            if progress.best is not None:
                running.best = progress.best
            if now >= ends or progress.waits or (running.pools and not running.announced):
                break  # tasks are available: other workers can begin at once
        if now - running.reported < REPORT:
            return None
        running.reported = now
        best = None if running.best is None else service.to_plain(running.best)
        running.best = None
        return _text(
            protocol.Progress(
                running.request.id, progress.done, progress.total, progress.note, best
            )
        )

    def _broke(self, number: int, mistake: Exception) -> str:
        message = f"An error in Cluewise stopped this ({type(mistake).__name__}: {mistake})."
        return self._end(number, protocol.Fault(number, "internal", message, "$"))

    def _end(self, number: int, message: protocol.Result | protocol.Fault) -> str:
        self._running.pop(number, None)
        return _text(message)


def ready() -> str:
    """Return the `Ready` message as JSON."""
    return _text(protocol.Ready(list(desks.available()), __version__))


def _text(message: protocol.Message) -> str:
    return _encode(message).decode()


def _job(
    request: Work, pools: list[CooperativePool]
) -> Generator[Progress, None, ResultWithArrays[Any]]:
    """Return a request's job; appends its pool to `pools` once it has parallel tasks."""
    if isinstance(request, protocol.Bench):
        return _bench(request)
    if isinstance(request, protocol.RunTask):
        return _call(request)
    asked = {name: getattr(request, name) for name in ("desk", "want", "position", "options")}
    if request.workers < 2:
        return service.start(asked)
    return _shared(asked, request.workers, pools)


def _shared(
    asked: dict[str, Any], workers: int, pools: list[CooperativePool]
) -> Generator[Progress, None, ResultWithArrays[Any]]:
    """Return the question's job, parallel if it has several tasks."""
    request = service.parse_request(asked)
    count = request.verb.tasks
    if count is None or count(request.position, request.options) < 2:
        return (yield from service.answer(request))
    from cluewise.parallel.cooperative import CooperativePool
    from cluewise.parallel.tasks import ParallelContext

    pools.append(CooperativePool(workers))
    return (yield from service.answer(request, ParallelContext(pools[0])))


def _call(request: protocol.RunTask) -> Generator[Progress, None, ResultWithArrays[Any]]:
    from cluewise.parallel.cooperative import resolve_function

    value = yield from as_job(resolve_function(request.function), *request.arguments)
    return ResultWithArrays(service.to_plain(value), {})


def _bench(request: protocol.Bench) -> Generator[Progress, None, ResultWithArrays[Any]]:
    from cluewise import bench  # rarely needed, so not imported at the start

    rows = bench.rows(request.desk, request.rows)
    measured = []
    for done, row in enumerate(rows):
        yield Progress(done, len(rows), row.name)
        measured.append(run_benchmark(row))
    return ResultWithArrays(service.to_plain(protocol.BenchResult(measured)), {})
