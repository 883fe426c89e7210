"""The Python half of the page's worker: jobs by number, stepped in slices.

The JavaScript half (web/engine/worker.js) decides whose turn it is; here a turn is taken. JSON
text goes in and out, because it crosses the language border faster than objects do.
"""

from __future__ import annotations

import time
from collections.abc import Generator
from dataclasses import dataclass
from typing import Any

import msgspec

from cluewise import __version__, desks, protocol, service
from cluewise.core.measure import measure
from cluewise.core.work import Answer, Progress
from cluewise.errors import CluewiseError

TURN = 0.012  # seconds; between turns the worker sees messages, so this bounds a cancel's delay
REPORT = 0.08  # seconds between two progress messages of one job

_DECODER: msgspec.json.Decoder[protocol.Ask | protocol.Bench] = msgspec.json.Decoder(
    protocol.Ask | protocol.Bench
)
_encode = msgspec.json.Encoder().encode


@dataclass(slots=True)
class _Running:
    request: protocol.Ask | protocol.Bench
    job: Generator[Progress, None, Answer]
    reported: float


class Jobs:
    """The jobs that are under way."""

    def __init__(self) -> None:
        self._running: dict[int, _Running] = {}
        self._arrays: dict[int, dict[str, Any]] = {}

    def begin(self, text: str) -> int:
        """Take in an `Ask` or a `Bench` as JSON; returns its number. Nothing runs yet."""
        request = _DECODER.decode(text)
        self._running[request.id] = _Running(request, _job(request), time.perf_counter())
        return request.id

    def step(self, number: int) -> str | None:
        """Work on that job for one turn; the message to post as JSON, or None if none is due."""
        running = self._running[number]
        try:
            report = self._turn(running)
        except StopIteration as stop:
            answer: Answer = stop.value
            if answer.arrays:
                self._arrays[number] = answer.arrays
            return self._end(number, protocol.Result(number, answer.result))
        except CluewiseError as problem:
            return self._end(
                number, protocol.Fault(number, problem.kind, problem.message, problem.where)
            )
        except ModuleNotFoundError as missing:
            if missing.name != "numpy":
                return self._broke(number, missing)
            running.job = _job(running.request)  # jobs are pure: this one starts afresh
            return _text(protocol.Needs(number, "numpy"))
        except Exception as mistake:
            return self._broke(number, mistake)
        return report

    def cancel(self, number: int) -> str | None:
        """Close the job, which frees what it holds; the `Fault` to post, None if it is gone."""
        running = self._running.get(number)
        if running is None:
            return None
        try:
            running.job.close()
        except Exception as mistake:
            return self._broke(number, mistake)
        return self._end(number, protocol.Fault(number, "stopped", "Stopped.", "$"))

    def prepare(self, name: str) -> None:
        """Import a desk's modules before anybody waits for them; a name that is none is let be."""
        if name in desks.available():
            desks.load(name)

    def arrays(self, number: int) -> dict[str, Any]:
        """The arrays beside that result, handed out once."""
        return self._arrays.pop(number, {})

    def _turn(self, running: _Running) -> str | None:
        ends = time.perf_counter() + TURN
        while True:
            progress = next(running.job)
            now = time.perf_counter()
            if now >= ends:
                break
        if now - running.reported < REPORT:
            return None
        running.reported = now
        best = None if progress.best is None else service.to_plain(progress.best)
        return _text(
            protocol.Progress(
                running.request.id, progress.done, progress.total, progress.note, best
            )
        )

    def _broke(self, number: int, mistake: Exception) -> str:
        message = (
            f"A mistake in Cluewise itself stopped this ({type(mistake).__name__}: {mistake})."
        )
        return self._end(number, protocol.Fault(number, "internal", message, "$"))

    def _end(self, number: int, message: protocol.Result | protocol.Fault) -> str:
        self._running.pop(number, None)
        return _text(message)


def ready() -> str:
    """The `Ready` message as JSON."""
    return _text(protocol.Ready(list(desks.available()), __version__))


def _text(message: protocol.Message) -> str:
    return _encode(message).decode()


def _job(request: protocol.Ask | protocol.Bench) -> Generator[Progress, None, Answer]:
    if isinstance(request, protocol.Bench):
        return _bench(request)
    return service.start(
        {
            "desk": request.desk,
            "want": request.want,
            "position": request.position,
            "options": request.options,
        }
    )


def _bench(request: protocol.Bench) -> Generator[Progress, None, Answer]:
    from cluewise import bench  # rarely asked for: it stays off the way to readiness

    rows = bench.rows(request.desk, request.rows)
    measured = []
    for done, row in enumerate(rows):
        yield Progress(done, len(rows), row.name)
        measured.append(measure(row))
    return Answer(service.to_plain(protocol.BenchResult(measured)), {})
