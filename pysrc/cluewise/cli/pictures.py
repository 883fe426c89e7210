"""Picture files in the terminal, for the desks that read pictures, by Pillow.

Pillow comes with `cluewise[pictures]`.
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Callable
from typing import Any

import typer
from msgspec import to_builtins

from cluewise.cli.drive import ask
from cluewise.errors import BadInput, CluewiseError, HostFailure

LONGER = 1000  # pixels of the longer side that is read
MEGAPIXELS = 40
SUFFIXES = (".jpeg", ".jpg", ".png", ".webp")


def read_picture(desk: str, name: str, longer: int = LONGER, **options: object) -> Any:
    """Return what the desk's `photo` reads in a picture's file; errors name the file."""
    pixels = _photo_options(name, longer)
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


def _photo_options(name: str, longer: int = LONGER) -> dict[str, Any]:
    """Return the options of `photo` for a picture's file.

    The picture is turned upright by its EXIF data and scaled so that its longer side has at most
    `longer` pixels. Raises `BadInput` with the file's name; `HostFailure` without Pillow.
    """
    try:
        from PIL import Image, ImageOps, UnidentifiedImageError
    except ModuleNotFoundError:
        raise HostFailure(
            "Reading pictures needs Pillow: python -m pip install 'cluewise[pictures]'."
        ) from None
    try:
        with Image.open(name) as picture:
            _check_size(name, picture)
            picture.draft("RGB", (longer, longer))
            upright = ImageOps.exif_transpose(picture).convert("RGBA")
    except UnidentifiedImageError:
        raise BadInput(f"{name} is not a picture that can be read (jpg, png, webp).") from None
    except Image.DecompressionBombError:
        raise BadInput(
            f"{name} has more than {MEGAPIXELS} million pixels: make it smaller."
        ) from None
    except OSError as problem:
        if problem.strerror:
            raise BadInput(f"Cannot read {name}: {problem.strerror}.") from None
        raise BadInput(f"{name} is broken: only a part of the picture is there.") from None
    except (SyntaxError, ValueError):
        raise BadInput(f"{name} is broken and cannot be read as a picture.") from None
    upright.thumbnail((longer, longer))
    paper = Image.new("RGB", upright.size, "white")
    paper.paste(upright, mask=upright.getchannel("A"))
    pixels = b64encode(paper.tobytes()).decode()
    return {"pixels": pixels, "width": paper.width, "height": paper.height}


def _check_size(name: str, picture: Any) -> None:
    if getattr(picture, "n_frames", 1) > 1:
        raise BadInput(f"{name} is animated: save one of its pictures and read that.")
    count = picture.width * picture.height
    if count > MEGAPIXELS * 1_000_000:
        raise BadInput(
            f"{name} has {count / 1e6:.0f} million pixels, more than {MEGAPIXELS}: make it smaller."
        )
