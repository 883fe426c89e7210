"""Describes the options of a verb: names, types, defaults and descriptions."""

from __future__ import annotations

import types
import typing
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any, Union, get_args, get_origin

import msgspec

TEXT_FILE = {"contentMediaType": "text/plain"}
"""The `extra_json_schema` of a text that the terminal reads from a file."""


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
