"""Draws pictures in which no sudoku stands, to see that this is said, and how soon.

`no_boards()` gives names and pictures, the same ones in every run: pages of text and of numbers, a
table of numbers, a month of a calendar, a crossword, a chess board with letters, colours without
shapes, noise. The letters are Pillow's own face.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np
from PIL import Image, ImageDraw, ImageFont

WORDS = ["the", "quick", "brown", "fox", "jumps", "over", "a", "lazy", "dog", "and", "27", "of",
         "365", "days", "count", "while", "nobody", "looks", "for", "boards", "in", "1984",
         "lines", "plain", "text"]  # fmt: skip


def no_boards() -> Iterator[tuple[str, Image.Image]]:
    """(name, picture) of each."""
    rng = random.Random(4)
    yield "text", _page(rng, (900, 700), 18)
    yield "text in columns", _page(rng, (1000, 700), 13, columns=3)
    yield "large text", _page(rng, (700, 1000), 34)
    yield "pale text", _page(rng, (800, 1000), 22, ink="#999")
    yield "numbers", _page(rng, (900, 700), 20, numbers=True)
    yield "light numbers", _page(rng, (1000, 1000), 30, numbers=True, ink="white", paper="#223")
    yield "table", _table(rng, _page(rng, (800, 1000), 16), 12, 7)
    yield "square table", _table(rng, _page(rng, (1000, 1000), 16), 10, 10)
    yield "calendar", _calendar()
    yield "crossword", _crossword(rng)
    yield "chess", _chess(rng)
    noise = np.random.default_rng(1)
    soft = np.uint8(np.clip(128 + 50 * noise.normal(0, 1, (40, 50, 3)), 0, 255))
    yield "colours", Image.fromarray(soft).resize((1000, 800), Image.Resampling.BICUBIC)
    yield "noise", Image.fromarray(np.uint8(noise.integers(0, 256, (800, 1000, 3))))


def numbers(rng: random.Random) -> Image.Image:
    """A page of numbers of some size, in letters of some size."""
    size = rng.choice([(900, 700), (1000, 1000), (700, 900), (800, 800)])
    return _page(rng, size, rng.choice([16, 18, 20, 24, 28, 30]), numbers=True)


def _page(
    rng: random.Random, size: tuple[int, int], points: int, *, columns: int = 1,
    numbers: bool = False, ink: str = "black", paper: str = "white",
) -> Image.Image:  # fmt: skip
    """Lines of words, or of numbers of one to five digits."""
    picture = Image.new("RGB", size, paper)
    pen, font = ImageDraw.Draw(picture), ImageFont.load_default(points)
    wide = size[0] // columns
    for column in range(columns):
        for y in range(20, size[1] - 30, round(points * 1.35)):
            x, end = column * wide + 15.0, (column + 1) * wide - 15
            while True:
                word = str(rng.randrange(10 ** rng.randint(1, 5))) if numbers else rng.choice(WORDS)
                long = pen.textlength(word + " ", font)
                if x + long > end:
                    break
                pen.text((x, y), word, ink, font)
                x += long
    return picture


def _table(rng: random.Random, page: Image.Image, rows: int, columns: int) -> Image.Image:
    """A table of numbers up to 98, with lines, in the middle of a page."""
    pen, font = ImageDraw.Draw(page), ImageFont.load_default(24)
    left, top, wide, high = 100, 200, 560 // columns, 600 // rows
    right, low = left + columns * wide, top + rows * high
    pen.rectangle((left, top, right, low), "white")
    for row in range(rows + 1):
        pen.line((left, top + row * high, right, top + row * high), "black", 2)
    for column in range(columns + 1):
        pen.line((left + column * wide, top, left + column * wide, low), "black", 2)
    for row in range(rows):
        for column in range(columns):
            at = (left + (column + 0.5) * wide, top + (row + 0.5) * high)
            pen.text(at, str(rng.randrange(1, 99)), "black", font, "mm")
    return page


def _calendar() -> Image.Image:
    """A month of 31 days in six rows of seven."""
    picture = Image.new("RGB", (900, 840), "#fdfbf5")
    pen, font = ImageDraw.Draw(picture), ImageFont.load_default(44)
    for row in range(7):
        pen.line((30, 100 + 115 * row, 870, 100 + 115 * row), "#777", 3)
    for column in range(8):
        pen.line((30 + 120 * column, 100, 30 + 120 * column, 790), "#777", 3)
    for day in range(1, 32):
        row, column = divmod(day + 1, 7)
        pen.text((90 + 120 * column, 158 + 115 * row), str(day), "#222", font, "mm")
    return picture


def _crossword(rng: random.Random) -> Image.Image:
    """15 rows of 15 squares, a quarter of them black; numbers in the corners."""
    picture = Image.new("RGB", (760, 760), "white")
    pen, font = ImageDraw.Draw(picture), ImageFont.load_default(13)
    for k in range(225):
        x, y = 5 + k % 15 * 50, 5 + k // 15 * 50
        dark = rng.random() < 0.25
        pen.rectangle((x, y, x + 50, y + 50), "black" if dark else "white", "black", 2)
        if not dark and rng.random() < 0.4:
            pen.text((x + 5, y + 3), str(k // 2 + 1), "black", font)
    return picture


def _chess(rng: random.Random) -> Image.Image:
    """A chess board whose pieces are letters."""
    picture = Image.new("RGB", (640, 640), "white")
    pen, font = ImageDraw.Draw(picture), ImageFont.load_default(50)
    for row in range(8):
        for column in range(8):
            x, y = 80 * column, 80 * row
            pen.rectangle((x, y, x + 80, y + 80), "#b58863" if (row + column) % 2 else "#f0d9b5")
            if row in (0, 1, 6, 7):
                pen.text((x + 40, y + 40), rng.choice("KQRBNP"), "black", font, "mm")
    return picture
