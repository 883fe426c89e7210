"""The interface of a desk: a position type and a table of verbs with their options.

The service, the terminal and the page use a desk only through `Desk`.
"""

from __future__ import annotations

import importlib
import importlib.util
import types
import typing
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any, Generic, TypeVar, Union, get_args, get_origin

import msgspec

from cluewise.core.work import Job, ResultWithArrays

P = TypeVar("P")
O = TypeVar("O")  # noqa: E741 - P: position, O: options of a request

TEXT_FILE = {"contentMediaType": "text/plain"}
"""The `extra_json_schema` of a text that the terminal reads from a file."""


def doc(text: str, **limits: Any) -> msgspec.Meta:
    """Describe an option, with its limits: `Annotated[int, doc("how many to list", ge=1)]`."""
    return msgspec.Meta(description=text, **limits)


class NotebookDisplay(msgspec.Struct, frozen=True):
    """Base of positions; a notebook shows them as a board: `desks/<desk>/drawing.py` draws it."""

    def _repr_svg_(self) -> str | None:
        name = f"cluewise.desks.{getattr(self, 'desk', None)}.drawing"
        if importlib.util.find_spec(name) is None:
            return None  # a desk without a drawing is shown as text
        text: str = importlib.import_module(name).svg(self)
        return text

    def _repr_html_(self) -> str | None:
        """The drawing for hosts that show only HTML; a wide board scrolls."""
        drawing = self._repr_svg_()
        return drawing and f'<div style="max-width:100%;overflow-x:auto">{drawing}</div>'


class NoOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The options of a verb that takes none."""


@dataclass(frozen=True)
class Verb(Generic[P, O]):
    """A verb of a desk: `Verb("advise", "Rank the next guess.", advise)`.

    `run(position, options)` is a job whose value is a result (or a `ResultWithArrays` around one).
    The annotations of `run` name the msgspec structs of options and result, from which the page's
    types, the terminal's flags and the JSON are derived. The position has passed the desk's
    `check`. A verb with `tasks`, their number for a question (1: not parallel), takes a
    `ParallelContext` as a third argument; the result does not depend on it, byte for byte.
    """

    name: str
    summary: str
    run: Callable[..., Job[object]]
    tasks: Callable[[P, O], int] | None = None

    @cached_property
    def _hints(self) -> dict[str, Any]:
        return typing.get_type_hints(self.run)

    @property
    def options(self) -> type[O]:
        """The struct of the options: the type of the second argument."""
        kind: type[O] = list(self._hints.values())[1]
        return kind

    @property
    def result(self) -> Any:
        """The struct of the result, or several as a union: what the job returns."""
        kind = get_args(self._hints["return"])[-1]
        return get_args(kind)[0] if get_origin(kind) is ResultWithArrays else kind


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


@dataclass(frozen=True, slots=True)
class OptionInfo:
    """One option: `OptionInfo("top", int, 10, "How many to list.")`.

    `kind` is the type without `None` and annotations; `default` is None if there is none. `file`:
    the terminal reads the text from a file.
    """

    name: str
    kind: Any
    default: Any
    text: str
    file: bool = False


def describe_options(options: type[Any]) -> Iterator[OptionInfo]:
    """Yield the options of a verb in the struct's order."""
    hints = typing.get_type_hints(options, include_extras=True)
    for field in msgspec.structs.fields(options):
        hint, text, file = hints[field.name], "", False
        if get_origin(hint) is Annotated:
            hint, *extras = get_args(hint)
            metas = [m for m in extras if isinstance(m, msgspec.Meta)]
            text = next((m.description for m in metas), None) or ""
            file = any(m.extra_json_schema == TEXT_FILE for m in metas)
        default = None if field.default is msgspec.NODEFAULT else field.default
        yield OptionInfo(field.name, _without_none(hint), default, text, file)


def _without_none(hint: Any) -> Any:
    if get_origin(hint) is Annotated:
        return _without_none(get_args(hint)[0])
    if get_origin(hint) in (Union, types.UnionType):
        rest = [a for a in get_args(hint) if a is not type(None)]
        return _without_none(rest[0]) if len(rest) == 1 else str
    return hint
