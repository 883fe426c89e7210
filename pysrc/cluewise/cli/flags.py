"""Converts a verb's options struct to terminal flags, and the flags' values back to options.

`consistent_only: bool = False` becomes `--consistent-only`, a Literal becomes choices, a pair of
strings takes two values, a pair of numbers is written `X,Y`, and a position (JSON, a link or text)
or a long text is read from a file.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from enum import Enum
from pathlib import Path
from typing import Annotated, Any, Literal, get_args, get_origin

import msgspec
import typer

from cluewise.cli.files import read_json, read_position, read_text
from cluewise.core.desk import describe_options
from cluewise.errors import BadOption


def parameters(options: type[Any], in_tables: dict[str, Any]) -> Iterator[inspect.Parameter]:
    """Yield a keyword parameter for typer per field of the options struct.

    `in_tables`: different defaults that apply without --json.
    """
    for one in describe_options(options):
        flag = "--" + one.name.replace("_", "-")
        names = [flag, "--no-" + flag[2:]] if one.default is True else [flag]
        yield inspect.Parameter(
            one.name,
            inspect.Parameter.KEYWORD_ONLY,
            default=one.default if one.kind is bool else None,
            annotation=Annotated[
                Path | None if one.file else _typer_type(one.kind, one.default),
                typer.Option(
                    *names,
                    help=one.text,
                    show_default=_help_default(one.default, in_tables.get(one.name, one.default)),
                ),
            ],
        )


def values(options: type[Any], given: dict[str, Any]) -> dict[str, Any]:
    """Return the options as plain JSON values, without flags that were not given."""
    found: dict[str, Any] = {}
    for one in describe_options(options):
        value = given.get(one.name)
        if value is None or value == () or value == []:
            continue
        found[one.name] = read_text(value) if one.file else _plain(value, one.kind, one.name)
    return found


def _typer_type(kind: Any, default: object) -> Any:
    """Return the type for typer's parser."""
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


def _help_default(default: Any, in_tables: Any) -> str | bool:
    """Return the default that help shows, `"auto, with --json success"`; True where typer knows."""
    if in_tables != default:
        return f"{in_tables}, with --json {default}"
    is_stated = default and isinstance(default, str | int | float) and default is not True
    return str(default) if is_stated else True


def _holds_json(kind: Any) -> bool:
    if get_origin(kind) is list:
        kind = get_args(kind)[0]
    return kind is dict or get_origin(kind) is dict or hasattr(kind, "__struct_fields__")


def _desk_of(kind: Any) -> str | None:
    """Return the desk whose position an option of that type holds, or None."""
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
