"""Picture files in the terminal, for the desks that read pictures."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import typer
from msgspec import to_builtins

from cluewise.cli.drive import ask
from cluewise.errors import BadInput, CluewiseError
from cluewise.pictures.files import LONGER, options_of

SUFFIXES = (".jpeg", ".jpg", ".png", ".webp")


def read_picture(desk: str, name: str, longer: int = LONGER, **options: object) -> Any:
    """Return what the desk's `photo` reads in a picture's file; errors name the file."""
    pixels = options_of(name, longer)
    try:
        return ask(desk, "photo", None, **pixels, **options)
    except BadInput as problem:
        raise BadInput(f"{name}: {problem.message}", problem.where) from None


def print_pictures(
    files: list[str], read: Callable[[str], Any], lines: Callable[[Any], list[str]], as_json: bool
) -> None:
    """Read pictures one after the other and print them; report those that fail and go on."""
    found, failed = [], 0
    for name in files:
        try:
            one = read(name)
        except CluewiseError as problem:
            if len(files) == 1:
                raise
            failed = problem.exit_status
            typer.echo(problem.message, err=True)
            continue
        found.append(to_builtins(one))
        if not as_json:
            typer.echo("\n".join([*([name] if len(files) > 1 else []), *lines(one)]))
    if as_json:
        typer.echo(json.dumps(found[0] if len(files) == 1 else found))
    if failed:
        raise typer.Exit(failed)
