"""The messages between the page and its worker; the page's types are generated from these.

Every message is a JSON object whose `type` names the struct. The page sends `Ask`, `Bench`,
`RunTask`, `Cancel`, `WorkerIdle`, `TaskDone`, `Ping` and `Prepare`; the worker answers with the
others. A question keeps its `id` until `Result` or `Fault` ends it.

Work that several workers share: to an `Ask` that may use some, the worker says `TasksAvailable` as
soon as there are pieces. The page lends it a free worker by `WorkerIdle`, gets a `Task` for it when
there is one, has that worker do it (`RunTask`), brings its result (`TaskDone`), and may lend it
again.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from cluewise.core.benchmark import BenchmarkResult

PhaseName = Literal["loading", "starting", "ready", "failed"]


class Message(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag=str.lower
):
    """What all messages share: the tag."""


class Ask(Message, frozen=True):
    """A question: what `service.run` takes, and a number to answer to."""

    id: int
    desk: str
    want: str
    position: Any = msgspec.field(default_factory=dict)
    options: Any = msgspec.field(default_factory=dict)
    workers: int = 1
    """How many workers may share its work, this one among them."""
    in_turn: bool = False
    """One of many: those asked before it go first, and any other question before all of them."""


class Bench(Message, frozen=True):
    """Measure a desk's rows, all of them or those named; the result is a `BenchResult`."""

    id: int
    desk: str
    rows: list[str] = []


class Cancel(Message, frozen=True):
    """Stop that question; it ends with a `Fault` of kind `stopped`."""

    id: int


class RunTask(Message, frozen=True, tag="call"):
    """Do a piece of work that another worker has handed out."""

    id: int
    function: str
    arguments: list[Any]


class WorkerIdle(Message, frozen=True, tag="hand"):
    """A worker is free to do a piece of that question."""

    id: int


class TaskDone(Message, frozen=True, tag="given"):
    """The result of a task of that question: its value, or why it has none."""

    id: int
    number: int
    value: Any = None
    error: str = ""


class Prepare(Message, frozen=True):
    """That desk is open: have it at hand for the first question. Nothing is answered."""

    desk: str


class Ping(Message, frozen=True):
    """Ask whether the worker is alive; it answers with `Pong` between two turns."""


class Pong(Message, frozen=True):
    """The worker is alive."""


class Phase(Message, frozen=True):
    """How far the worker's start has come: `done` of `total` bytes, and a sentence for people."""

    name: PhaseName
    done: int
    total: int
    message: str


class Ready(Message, frozen=True):
    """Questions are answered from now on; `desks` are the names that can be asked.

    `version` is that of the package that answers, which the page shows as its own.
    """

    desks: list[str]
    version: str


class Progress(Message, frozen=True):
    """Where a question stands; `total` is null while unknown.

    `best` is the best result so far where it is a new one, else null.
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
    """That question has pieces for other workers."""

    id: int


class Task(Message, frozen=True, tag="piece"):
    """A piece of that question for a worker that was lent to it."""

    id: int
    number: int
    function: str
    arguments: list[Any]


class Blocked(Message, frozen=True, tag="waits"):
    """From Python to the worker's JavaScript alone: no turn until a piece has come back."""

    id: int


class BenchResult(msgspec.Struct, frozen=True):
    """The measured rows of one desk."""

    rows: list[BenchmarkResult]


ToWorker = Ask | Bench | RunTask | Cancel | TaskDone | WorkerIdle | Ping | Prepare
ToPage = Phase | Ready | Progress | Result | Fault | TasksAvailable | Task | Pong
