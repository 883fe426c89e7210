"""Boards drawn as pictures: plain lines, symbols in the middle of their cells."""

import zlib
from base64 import b64encode
from collections.abc import Collection
from typing import Any

from PIL import Image, ImageDraw, ImageFont


def drawn(
    text: str, rows: int, cols: int, cell: int = 30, own: Collection[int] = (), margin: int = 12,
    thin: str = "black", small: str = "",
) -> Image.Image:  # fmt: skip
    """The board with boxes of rows × cols, `own` cells in blue; Pillow's own font.

    `thin` is the colour of the lines within a box; letters are large but for those `small`.
    """
    n = rows * cols
    side = n * cell
    picture = Image.new("RGB", (side + 2 * margin, side + 2 * margin), "white")
    pen = ImageDraw.Draw(picture)
    font = ImageFont.load_default(size=int(cell * 0.75))
    for k in range(n + 1):
        at, end = margin + k * cell, margin + side
        pen.line((at, margin, at, end), *((thin, 1) if k % cols else ("black", 2)))
        pen.line((margin, at, end, at), *((thin, 1) if k % rows else ("black", 2)))
    for i, symbol in enumerate(text):
        if symbol != ".":
            place = (margin + (i % n + 0.5) * cell, margin + (i // n + 0.5) * cell)
            said = symbol if symbol in small else symbol.upper()
            pen.text(place, said, (20, 80, 220) if i in own else "black", font, "mm")
    return picture


def options(picture: Image.Image, **more: object) -> dict[str, Any]:
    """The options of `photo` for that picture."""
    pixels = b64encode(zlib.compress(picture.convert("RGB").tobytes())).decode()
    return {"pixels": pixels, "width": picture.width, "height": picture.height, **more}
