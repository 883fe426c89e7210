"""Random sudoku transforms, the board after one step of a witness, and boards drawn as pictures."""

import random
import zlib
from base64 import b64encode
from collections.abc import Collection
from typing import Any

from hypothesis import strategies as st
from PIL import Image, ImageDraw, ImageFont

from cluewise.desks.sudoku.position import SYMBOLS, Cells, Shape
from cluewise.desks.sudoku.transform import Step, Transform, apply, transposed


@st.composite
def lines(draw: st.DrawFn, blocks: int, inside: int) -> tuple[int, ...]:
    """An order of the lines that keeps blocks together."""
    order = draw(st.permutations(range(blocks)))
    return tuple(
        block * inside + i for block in order for i in draw(st.permutations(range(inside)))
    )


@st.composite
def transforms(draw: st.DrawFn, shape: Shape, *, labelled: bool = False) -> Transform:
    """Any transform of a shape; `labelled`: symbols keep their names."""
    still = range(1, shape.size + 1)
    digits = still if labelled else draw(st.permutations(still))
    turn = shape.square and draw(st.booleans())
    rows, cols = draw(lines(shape.cols, shape.rows)), draw(lines(shape.rows, shape.cols))
    return Transform(turn, rows, cols, (0, *digits))


def scrambled(cells: Cells, rng: random.Random) -> Cells:
    """The 9×9 board in a random disguise."""

    def order() -> tuple[int, ...]:
        order = [[3 * b + i for i in rng.sample(range(3), 3)] for b in rng.sample(range(3), 3)]
        return tuple(i for block in order for i in block)

    names = (0, *rng.sample(range(1, 10), 9))
    return apply(Transform(rng.random() < 0.5, order(), order(), names), cells)


def play(step: Step, cells: Cells, shape: Shape) -> Cells:
    """The board after one step."""
    size = shape.size
    line = list(range(size))
    if step.move:
        return apply(step.move, cells)
    if step.kind == "transpose":
        return transposed(cells, size)
    if step.kind == "relabel":
        assert isinstance(step.a, str)
        assert isinstance(step.b, str)
        image = {
            SYMBOLS.index(x) + 1: SYMBOLS.index(y) + 1 for x, y in zip(step.a, step.b, strict=True)
        }
        return bytes(image.get(value, value) for value in cells)
    assert isinstance(step.a, int)
    assert isinstance(step.b, int)
    inside = {"swap bands": shape.rows, "swap stacks": shape.cols}.get(step.kind, 1)
    for i in range(inside):
        x, y = step.a * inside + i, step.b * inside + i
        line[x], line[y] = y, x
    still = tuple(range(size))
    rows, cols = (line, still) if step.kind in ("swap rows", "swap bands") else (still, line)
    return apply(Transform(False, tuple(rows), tuple(cols), tuple(range(size + 1))), cells)


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
            shown = symbol if symbol in small else symbol.upper()
            pen.text(place, shown, (20, 80, 220) if i in own else "black", font, "mm")
    return picture


def options(picture: Image.Image, **more: object) -> dict[str, Any]:
    """The options of `photo` for that picture."""
    pixels = b64encode(zlib.compress(picture.convert("RGB").tobytes())).decode()
    return {"pixels": pixels, "width": picture.width, "height": picture.height, **more}
