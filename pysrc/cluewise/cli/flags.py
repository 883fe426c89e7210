"""A verb's options struct as terminal flags, and the flags' values as options again.

The struct is the only description: `consistent_only: bool = False` becomes
`--consistent-only`, a Literal becomes choices, a pair of texts takes two values, a pair of
numbers is written `X,Y`, and an option that holds a position is read from a JSON file.
"""

from __future__ import annotations

import inspect
import types
import typing
from collections.abc import Iterator
from enum import Enum
from pathlib import Path
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import msgspec
import typer

from cluewise.cli.files import read_json
from cluewise.errors import BadOption


def parameters(options: type[Any]) -> Iterator[inspect.Parameter]:
    """A keyword parameter for typer per field of the options struct."""
    for field, kind, text in _fields(options):
        default = None if field.default is msgspec.NODEFAULT else field.default
        flag = "--" + field.name.replace("_", "-")
        names = [flag, "--no-" + flag[2:]] if default is True else [flag]
        yield inspect.Parameter(
            field.name,
            inspect.Parameter.KEYWORD_ONLY,
            default=_shown(default, kind),
            annotation=Annotated[_typed(kind, default), typer.Option(*names, help=text)],
        )


def values(options: type[Any], given: dict[str, Any]) -> dict[str, Any]:
    """The options as plain JSON values; flags that were not given are left out."""
    found: dict[str, Any] = {}
    for field, kind, _text in _fields(options):
        value = given.get(field.name)
        if value is None or value == () or value == []:
            continue
        found[field.name] = _plain(value, kind, field.name)
    return found


def _fields(options: type[Any]) -> Iterator[tuple[Any, Any, str]]:
    hints = typing.get_type_hints(options, include_extras=True)
    for field in msgspec.structs.fields(options):
        hint, text = hints[field.name], ""
        if get_origin(hint) is Annotated:
            hint, *extras = get_args(hint)
            text = next((m.description for m in extras if isinstance(m, msgspec.Meta)), None) or ""
        yield field, _without_none(hint), text


def _without_none(hint: Any) -> Any:
    """The type behind an optional and its annotations."""
    if get_origin(hint) is Annotated:
        return _without_none(get_args(hint)[0])
    if get_origin(hint) in (Union, types.UnionType):
        rest = [a for a in get_args(hint) if a is not type(None)]
        return _without_none(rest[0]) if len(rest) == 1 else str
    return hint


def _typed(kind: Any, default: object) -> Any:
    """The type typer should parse into."""
    if kind is bool and isinstance(default, bool):
        return bool
    if get_origin(kind) is Literal:
        choices = Enum("Choice", {str(a): str(a) for a in get_args(kind)})  # type: ignore[misc]  # made from data
        return choices | None
    if kind in (int, float):
        return kind | None
    if get_origin(kind) is tuple and set(get_args(kind)) == {str}:
        return tuple[(str,) * len(get_args(kind))] | None  # type: ignore[misc]  # made from data
    if get_origin(kind) is list and get_args(kind) == (str,):
        return list[str] | None
    return Path | None if _holds_json(kind) else str | None


def _shown(default: Any, kind: Any) -> Any:
    return default if kind is bool else None


def _holds_json(kind: Any) -> bool:
    return kind is dict or get_origin(kind) is dict or hasattr(kind, "__struct_fields__")


def _plain(value: Any, kind: Any, name: str) -> Any:
    if isinstance(value, Enum):
        word = value.value
        return next(a for a in get_args(kind) if str(a) == word)
    if isinstance(value, Path):
        return read_json(str(value))
    if isinstance(value, tuple):
        return list(value)
    inner = get_args(kind)
    if isinstance(value, str) and get_origin(kind) in (tuple, list) and int in inner:
        try:
            return [int(part) for part in value.replace(" ", "").split(",")]
        except ValueError:
            raise BadOption(
                f"--{name.replace('_', '-')} takes whole numbers with commas, such as 12,34.",
                f"$.options.{name}",
            ) from None
    return value
