"""The messages between the page and its worker; the page's types are generated from these.

Every message is a JSON object whose `type` names the struct. The page sends `Ask`, `Bench`,
`Cancel` and `Prepare`; the worker answers with the others. A question keeps its `id` until
`Result` or `Fault` ends it.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from cluewise.core.measure import Measured

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


class Bench(Message, frozen=True):
    """Measure a desk's rows, all of them or those named; the result is a `BenchResult`."""

    id: int
    desk: str
    rows: list[str] = []


class Cancel(Message, frozen=True):
    """Stop that question; it ends with a `Fault` of kind `stopped`."""

    id: int


class Prepare(Message, frozen=True):
    """That desk is open: have it at hand for the first question. Nothing is answered."""

    desk: str


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
    """Where a question stands; `total` is null while unknown, `best` the best result so far."""

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


class Needs(Message, frozen=True):
    """From Python to the worker's JavaScript alone: load this module, then step again."""

    id: int
    module: str


class BenchResult(msgspec.Struct, frozen=True):
    """The measured rows of one desk."""

    rows: list[Measured]


ToWorker = Ask | Bench | Cancel | Prepare
ToPage = Phase | Ready | Progress | Result | Fault
