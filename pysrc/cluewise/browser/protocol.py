"""The messages between the page and its worker; the page's types are generated from these.

Every message is a JSON object whose `type` names the struct. The page sends `Ask`, `Bench`,
`RunTask`, `Cancel`, `WorkerIdle`, `TaskDone`, `Ping` and `Prepare`; the worker answers with the
others. A question keeps its `id` until `Result` or `Fault` ends it.

Parallel work: the worker of an `Ask` with `workers` > 1 posts `TasksAvailable` once it has tasks.
The page offers it an idle worker by `WorkerIdle`, receives a `Task`, runs it on that worker
(`RunTask`), returns the result (`TaskDone`), and may offer the worker again.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from cluewise.core.benchmark import BenchmarkResult

PhaseName = Literal["loading", "starting", "ready", "failed"]


class Message(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag=str.lower
):
    """Base of all messages, with the tag `type`."""


class Ask(Message, frozen=True):
    """A request for `service.run`, with an id for the answers.

    With `in_turn` the page may add `arrays.text`, the option `text` as UTF-8 bytes; then the
    result's `text` is among its arrays too.
    """

    id: int
    desk: str
    want: str
    position: Any = msgspec.field(default_factory=dict)
    options: Any = msgspec.field(default_factory=dict)
    workers: int = 1
    """The number of workers for its tasks, including this one."""
    in_turn: bool = False
    """Low priority: it runs in order of arrival, after all other questions."""


class Bench(Message, frozen=True):
    """Measure a desk's rows, all of them or those named; the result is a `BenchResult`."""

    id: int
    desk: str
    rows: list[str] = []


class Cancel(Message, frozen=True):
    """Stop that question; it ends with a `Fault` of kind `stopped`."""

    id: int


class RunTask(Message, frozen=True, tag="call"):
    """Run a task of another worker's question."""

    id: int
    function: str
    arguments: list[Any]


class WorkerIdle(Message, frozen=True, tag="hand"):
    """A worker is idle and can run a task of that question."""

    id: int


class TaskDone(Message, frozen=True, tag="given"):
    """The result of a task of that question, or its error."""

    id: int
    number: int
    value: Any = None
    error: str = ""


class Prepare(Message, frozen=True):
    """Import that desk's modules before its first question. There is no answer."""

    desk: str


class Ping(Message, frozen=True):
    """Check whether the worker is alive; it answers with `Pong` between two turns."""


class Pong(Message, frozen=True):
    """The worker is alive."""


class Phase(Message, frozen=True):
    """Progress of the worker's start: `done` of `total` bytes, and a sentence to show."""

    name: PhaseName
    done: int
    total: int
    message: str


class Ready(Message, frozen=True):
    """The worker is ready; `desks` are the names of the desks.

    `version` is that of the package, shown by the page.
    """

    desks: list[str]
    version: str


class Progress(Message, frozen=True):
    """Progress of a question; `total` is null while unknown.

    `best` is the best result so far if it is new, else null.
    """

    id: int
    done: float
    total: float | None
    note: str
    best: Any


class Result(Message, frozen=True):
    """The answer. The worker adds `arrays`: name to typed array, transferred, not JSON."""

    id: int
    result: Any


class Fault(Message, frozen=True):
    """The named error that ended a question: its kind, one or two sentences, a JSON path."""

    id: int
    kind: str
    message: str
    where: str


class TasksAvailable(Message, frozen=True, tag="shares"):
    """That question has tasks for other workers."""

    id: int


class Task(Message, frozen=True, tag="piece"):
    """A task of that question for the worker that was offered."""

    id: int
    number: int
    function: str
    arguments: list[Any]


class Blocked(Message, frozen=True, tag="waits"):
    """Only from Python to the worker's JavaScript: the job is idle until a task returns."""

    id: int


class BenchResult(msgspec.Struct, frozen=True):
    """The measured rows of one desk."""

    rows: list[BenchmarkResult]


ToWorker = Ask | Bench | RunTask | Cancel | TaskDone | WorkerIdle | Ping | Prepare
ToPage = Phase | Ready | Progress | Result | Fault | TasksAvailable | Task | Pong
