"""Walkability from a picture: dark or mostly transparent pixels are walls.

In an overlay, a transparent picture without light pixels, the opaque pixels are walls.

Needs Pillow (`cluewise[pictures]`). The page uses the browser's decoder and sends a text grid.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from io import BytesIO

from cluewise.desks.scan.walls import check_size
from cluewise.errors import BadInput, BadNotation

WHERE = "$.options.png"
_DARK = 128  # below this brightness, or this opacity, a pixel is a wall
_DAMAGED = (OSError, SyntaxError, ValueError, EOFError, IndexError, MemoryError)


def read_picture(data: bytes) -> tuple[int, list[int]]:
    """Read the width and rows (lowest y first, bit = wall) of a PNG, JPEG, GIF, BMP … file.

    A pixel is a wall if the mean of red, green and blue, or its opacity, is below 128 of 255; where
    every opaque pixel is that dark and there are others, those are free.
    Raises `BadNotation` for another or a damaged file, `BadInput` without Pillow, and `BadPosition`
    for more tiles than walls may have, before any pixel is decoded.
    """
    try:
        from PIL import Image
    except ModuleNotFoundError:
        message = "Pictures need Pillow: python -m pip install 'cluewise[pictures]'."
        raise BadInput(message, WHERE) from None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # check_size limits the size
            picture: Image.Image = Image.open(BytesIO(data))
    except Image.DecompressionBombError:
        raise BadNotation("This picture is too large.", WHERE) from None
    except _DAMAGED:
        raise BadNotation("This is not a PNG or another picture that is known.", WHERE) from None
    width, height = picture.size
    check_size((width, height), WHERE)
    try:
        if picture.mode.startswith("I"):  # 16 bits a pixel, which convert would cut off at 255
            picture = picture.convert("I").point([v >> 8 for v in range(1 << 16)], "L")
        pixels = picture.convert("RGBA").tobytes()
    except _DAMAGED:
        kind = picture.format or "picture"
        raise BadNotation(f"This {kind} is cut short or damaged.", WHERE) from None
    over = _is_overlay(pixels)
    rows = [_row(pixels[at : at + 4 * width], over) for at in range(0, len(pixels), 4 * width)]
    return width, rows[::-1]


def _channels(pixels: bytes) -> Iterator[tuple[int, int, int, int]]:
    return zip(pixels[::4], pixels[1::4], pixels[2::4], pixels[3::4], strict=True)


def _is_overlay(pixels: bytes) -> bool:
    """Whether the walls are opaque on a transparent picture."""
    if min(pixels[3::4]) >= _DARK or max(pixels[3::4]) < _DARK:
        return False
    return all(r + g + b < 3 * _DARK for r, g, b, a in _channels(pixels) if a >= _DARK)


def _row(pixels: bytes, over: bool) -> int:
    """Return a row's walls as bits, lowest x first."""
    signs = [
        "1" if (a >= _DARK if over else r + g + b < 3 * _DARK or a < _DARK) else "0"
        for r, g, b, a in _channels(pixels)
    ]
    return int("".join(reversed(signs)), 2)
