"""What every desk is to the rest of the program: a position type and a table of verbs.

The service, the terminal and the page know a desk only through `Desk`; nothing here knows a
game.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import msgspec

from cluewise.core.work import Job

if TYPE_CHECKING:  # only who shares work out loads it
    from cluewise.core.executor import Crew, Shelf

P = TypeVar("P")
O = TypeVar("O")  # noqa: E741 - position, options: the two halves of every request


class NoOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The options of a verb that takes none."""


@dataclass(frozen=True, slots=True)
class Parallelism(Generic[P, O]):
    """How a verb's work is shared out: how many pieces it makes (1: it does not), and the job for
    a crew.

    The job's value is byte for byte what the verb's own `run` gives.
    """

    pieces: Callable[[P, O], int]
    run: Callable[[P, O, Crew, Shelf | None], Job[object]]


@dataclass(frozen=True, slots=True)
class Verb(Generic[P, O]):
    """One question a desk answers: `Verb("advise", "Rank the next guess", Options, Result, run)`.

    `options` and `result` are msgspec structs: the page's types, the terminal's flags and the
    JSON all follow from them. `run(position, options)` is a job whose value is a `result` (or an
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
    """One game: its name in requests and links, its position, what it can be asked.

    `check(position)` raises `BadPosition` with the place of the first broken rule; it never
    changes the position. `to_link` gives the form in which a position travels in links (a
    solution sealed, say) and `from_link` takes it back; both leave it alone unless a desk says.
    `from_name` is the position that a short link `#/<desk>/<name>` names, letters and hyphens.
    `from_text` reads a position that people write as text; it raises `BadInput` with the place.
    `from_json` turns plain values with other programs' names into those of a position.
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
        """The verb of that name, or None."""
        return next((verb for verb in self.verbs if verb.name == name), None)
