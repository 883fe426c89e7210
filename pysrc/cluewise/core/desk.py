"""The interface of a desk: a position type and a table of verbs.

The service, the terminal and the page use a desk only through `Desk`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import msgspec

from cluewise.core.work import Job

if TYPE_CHECKING:  # loaded only for parallel work
    from cluewise.core.executor import Crew, Shelf

P = TypeVar("P")
O = TypeVar("O")  # noqa: E741 - P: position, O: options of a request


class NoOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The options of a verb that takes none."""


@dataclass(frozen=True, slots=True)
class Parallelism(Generic[P, O]):
    """The parallel form of a verb: the number of tasks (1: not parallel) and the job for a crew.

    The job's result equals that of the verb's `run`, byte for byte.
    """

    pieces: Callable[[P, O], int]
    run: Callable[[P, O, Crew, Shelf | None], Job[object]]


@dataclass(frozen=True, slots=True)
class Verb(Generic[P, O]):
    """A verb of a desk: `Verb("advise", "Rank the next guess", Options, Result, run)`.

    `options` and `result` are msgspec structs: the page's types, the terminal's flags and the
    JSON are derived from them. `run(position, options)` is a job whose value is a `result` (or an
    `Answer` around one). The position it gets has passed the desk's `check`.
    """

    name: str
    summary: str
    options: type[O]
    result: Any
    run: Callable[[P, O], Job[object]]
    share: Parallelism[P, O] | None = None


@dataclass(frozen=True, slots=True)
class Desk(Generic[P]):
    """A game: its name in requests and links, its position type and its verbs.

    `check(position)` raises `BadPosition` with the path of the first broken rule. `to_link`
    converts a position for a link (for example, seals its solution), `from_link` converts it back.
    `from_name` returns the position of a short link `#/<desk>/<name>` (letters and hyphens).
    `from_text` reads a text notation and raises `BadInput` with the place of an error. `from_json`
    converts plain values with the names of other programs.
    """

    name: str
    title: str
    position: type[P]
    check: Callable[[P], None]
    verbs: tuple[Verb[P, Any], ...]
    to_link: Callable[[P], P] | None = None
    from_link: Callable[[P], P] | None = None
    from_name: Callable[[str], P] | None = None
    from_text: Callable[[str], P] | None = None
    from_json: Callable[[Any], Any] | None = None

    def verb(self, name: str) -> Verb[P, Any] | None:
        """Return the verb of that name, or None."""
        return next((verb for verb in self.verbs if verb.name == name), None)
