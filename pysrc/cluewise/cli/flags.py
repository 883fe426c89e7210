"""A verb's options struct as terminal flags, and the flags' values as options again.

The struct is the only description: `consistent_only: bool = False` becomes
`--consistent-only`, a Literal becomes choices, a pair of texts takes two values, a pair of
numbers is written `X,Y`, and an option that holds a position is read from a file:
JSON, a link or text.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from enum import Enum
from pathlib import Path
from typing import Annotated, Any, Literal, get_args, get_origin

import msgspec
import typer

from cluewise.cli.files import read_json
from cluewise.cli.positions import read_position
from cluewise.core.options import describe_options
from cluewise.errors import BadOption


def parameters(options: type[Any]) -> Iterator[inspect.Parameter]:
    """A keyword parameter for typer per field of the options struct."""
    for one in describe_options(options):
        flag = "--" + one.name.replace("_", "-")
        names = [flag, "--no-" + flag[2:]] if one.default is True else [flag]
        yield inspect.Parameter(
            one.name,
            inspect.Parameter.KEYWORD_ONLY,
            default=_shown(one.default, one.kind),
            annotation=Annotated[
                _typed(one.kind, one.default), typer.Option(*names, help=one.text)
            ],
        )


def values(options: type[Any], given: dict[str, Any]) -> dict[str, Any]:
    """The options as plain JSON values; flags that were not given are left out."""
    found: dict[str, Any] = {}
    for one in describe_options(options):
        value = given.get(one.name)
        if value is None or value == () or value == []:
            continue
        found[one.name] = _plain(value, one.kind, one.name)
    return found


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


def _desk_of(kind: Any) -> str | None:
    """The desk whose position an option of that kind holds; None where it holds none."""
    if not hasattr(kind, "__struct_fields__"):
        return None
    return next((f.default for f in msgspec.structs.fields(kind) if f.name == "desk"), None)


def _plain(value: Any, kind: Any, name: str) -> Any:
    if isinstance(value, Enum):
        word = value.value
        return next(a for a in get_args(kind) if str(a) == word)
    if isinstance(value, Path):
        desk = _desk_of(kind)
        return read_json(str(value)) if desk is None else read_position(desk, str(value))
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
