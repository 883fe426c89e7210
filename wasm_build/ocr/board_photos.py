"""Synthetic test data: photos of printed sudokus, and pictures without one.

`Photos(faces, seed).cases(12)` yields descriptions, pictures and boards: a 9×9 puzzle printed on
grey or yellowish paper, between lines of text, with print of the other side showing through; bent,
seen from the side, in uneven light with a shadow; out of focus, with a camera's noise, as a JPEG.
The fonts must be those that the network was not trained with. Nothing of the reader is tuned on
these pictures.

`no_boards()` yields names and pictures without a sudoku, the same ones in every run: pages of text
and of numbers, a table of numbers, a month of a calendar, a crossword, a chess board with letters,
colours without shapes, noise. The letters are Pillow's own face.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image, ImageDraw, ImageFilter, ImageFont

from cluewise.pictures.cells import sample
from wasm_build.ocr.board_shots import Drawings, make_puzzle, recompressed

CELL = 64  # pixels of the page that is photographed
PAGE = 15 * CELL
LINES = ["three", "of", "these", "puzzles", "a", "day", "keep", "every", "reader", "of", "this",
         "paper", "awake", "until", "noon"]  # fmt: skip
Array = np.ndarray[Any, Any]


class Photos(Drawings):
    """Photos of paper."""

    def __init__(self, faces: Sequence[Path], seed: int) -> None:
        super().__init__(faces, seed)
        seeds = range(1000 * seed, 1000 * seed + 12)
        self.boards = [make_puzzle((3, 3), 24 + one % 8, one)[0] for one in seeds]

    def draw(self) -> tuple[str, Image.Image, str]:
        """One photo."""
        rng = self.rng
        board = self.boards[int(rng.integers(len(self.boards)))]
        face = self.faces[int(rng.integers(len(self.faces)))]
        assert face is not None, "faces are files"
        left, top = (int(v) for v in self.rng.uniform(2.2 * CELL, 3.8 * CELL, 2))
        page, look = self._page(board, face, left, top)
        bent, bend = self._seen(page, left, top)
        lit = self._lit(bent)
        return f"{look} {bend} {face.stem}", self._taken(lit), board

    def _page(self, board: str, face: Path, left: int, top: int) -> tuple[Array, str]:
        """The printed page, 0 black to 1 white, three colours."""
        rng = self.rng
        picture = Image.new("L", (PAGE, PAGE), 255)
        pen = ImageDraw.Draw(picture)
        end = 9 * CELL
        self._text(pen, face, left, top, end)
        thin, thick = int(rng.integers(1, 4)), int(rng.integers(4, 8))
        shade = int(rng.integers(0, 130))
        if rng.random() < 0.15:  # every other box has a tint
            for k in range(0, 9, 2):
                a, b = left + k % 3 * 3 * CELL, top + k // 3 * 3 * CELL
                pen.rectangle((a, b, a + 3 * CELL, b + 3 * CELL), int(rng.integers(205, 235)))
        for bold in (False, True):
            for k in range(10):
                if (k % 3 == 0) == bold:
                    how = (0, thick) if bold else (shade, thin)
                    pen.line((left + k * CELL, top, left + k * CELL, top + end), *how)
                    pen.line((left, top + k * CELL, left + end, top + k * CELL), *how)
        size = round(CELL * rng.uniform(0.5, 0.82))
        font = ImageFont.truetype(str(face), size)
        for i, symbol in enumerate(board):
            if symbol != ".":
                x, y = left + (i % 9 + 0.5) * CELL, top + (i // 9 + 0.5) * CELL
                off = rng.normal(0, 0.02 * CELL, 2)
                pen.text((x + off[0], y + off[1]), symbol, 0, font, "mm")
        ink = 1 - np.asarray(picture, np.float32) / 255
        behind = np.asarray(picture.transpose(Image.Transpose.FLIP_LEFT_RIGHT).filter(
            ImageFilter.GaussianBlur(3)), np.float32) / 255  # fmt: skip
        through = np.roll(1 - behind, rng.integers(-90, 90, 2), (0, 1)) * rng.uniform(0, 0.12)
        black = rng.uniform(0.55, 0.95)
        paper = np.array([1, rng.uniform(0.94, 1), rng.uniform(0.8, 1)]) * rng.uniform(0.7, 1)
        cover = np.maximum(ink * black, through)[:, :, None]
        grain = rng.normal(0, rng.uniform(0, 0.03), (PAGE, PAGE, 1))
        return np.clip(paper * (1 - cover) + grain, 0, 1), f"lines {thin}/{thick} digits {size}"

    def _text(self, pen: Any, face: Path, left: int, top: int, side: int) -> None:
        """A heading, and lines of words above, next to and below the board."""
        rng = self.rng
        font = ImageFont.truetype(str(face), round(CELL * rng.uniform(0.25, 0.45)))
        step = round(CELL * 0.5)
        for y in range(8, PAGE, step):
            near_edge = top - step < y < top + side + step // 2
            x: float = 8
            while x < PAGE:
                word = LINES[int(rng.integers(len(LINES)))] + " "
                long = pen.textlength(word, font)
                if not (near_edge and x + long > left - 10 and x < left + side + 12):
                    pen.text((x, y), word, 40, font)
                x += long

    def _seen(self, page: Array, left: int, top: int) -> tuple[Array, str]:
        """The page bent and seen from the side, with the whole board in the picture."""
        wide = int(self.rng.integers(480, 1000))
        high = round(wide * self.rng.uniform(0.85, 1.3))
        while True:
            a, b, look = self._view(wide, high)
            rim = [np.concatenate([c[0], c[-1], c[:, 0], c[:, -1]]) for c in (a, b)]
            cut = [
                (c > at - 12) & (c < at + 9 * CELL + 12)
                for c, at in zip(rim, (left, top), strict=True)
            ]
            if not (cut[0] & cut[1]).any():
                break
        step = abs(np.diff(a[high // 2])).mean()
        flat = Image.fromarray(np.uint8(255 * page))
        if step > 1.2:
            flat = flat.filter(ImageFilter.GaussianBlur(float(0.4 * step)))
        soft = np.asarray(flat, np.float32) / 255
        seen = np.moveaxis(sample(np.moveaxis(soft, 2, 0), a, b), 0, 2)
        past = (a < 0) | (a > PAGE - 1) | (b < 0) | (b > PAGE - 1)
        seen[past] = self.rng.uniform(0.1, 0.6, 3)  # the table that the page lies on
        return seen, f"{wide}×{high} {look}"

    def _view(self, wide: int, high: int) -> tuple[Array, Array, str]:
        """The place of the page that every pixel shows, across and down; and a description."""
        rng = self.rng
        x, y = np.meshgrid(np.linspace(-1, 1, wide), np.linspace(-1, 1, high))
        y = y * high / wide
        turn = rng.normal(0, 0.06)
        u, v = x * np.cos(turn) - y * np.sin(turn), x * np.sin(turn) + y * np.cos(turn)
        lean = rng.normal(0, 0.07, 2)
        depth = 1 + lean[0] * u + lean[1] * v
        u, v = u / depth, v / depth
        bend = abs(rng.normal(0, 0.035))
        v = v + bend * np.cos(2.2 * u + rng.uniform(-1, 1))
        u = u + 0.4 * bend * u**2
        half = rng.uniform(0.72, 0.95) * (PAGE - 1) / 2
        look = f"bend {bend:.2f} lean {abs(lean).max():.2f}"
        return u * half + (PAGE - 1) / 2, v * half + (PAGE - 1) / 2, look

    def _lit(self, seen: Array) -> Array:
        """Light that falls off to one side, and in every other photo a soft shadow."""
        rng = self.rng
        high, wide = seen.shape[:2]
        x, y = np.meshgrid(np.linspace(-1, 1, wide), np.linspace(-1, 1, high))
        way = rng.uniform(0, 6.3)
        light = 1 + rng.uniform(0, 0.35) * (np.cos(way) * x + np.sin(way) * y) - 0.2
        if rng.random() < 0.5:
            way, at = rng.uniform(0, 6.3), rng.uniform(-0.5, 0.5)
            edge = (np.cos(way) * x + np.sin(way) * y - at) * rng.uniform(6, 40)
            light = light * (1 - rng.uniform(0.15, 0.5) / (1 + np.exp(-np.clip(edge, -50, 50))))
        lit: Array = seen * light[:, :, None] * rng.uniform(0.75, 1.05)
        return lit

    def _taken(self, lit: Array) -> Image.Image:
        """Out of focus, with noise, sharpened now and then, as a JPEG."""
        rng = self.rng
        picture = Image.fromarray(np.uint8(255 * np.clip(lit, 0, 1)))
        cell = 0.8 * picture.width / 13
        blur = ImageFilter.GaussianBlur(float(rng.uniform(0, 0.045) * cell))
        noise = rng.normal(0, 255 * rng.uniform(0.002, 0.03), (*picture.size[::-1], 3))
        grey = np.asarray(picture.filter(blur), np.float32) + noise
        picture = Image.fromarray(np.uint8(np.clip(grey, 0, 255)))
        if rng.random() < 0.3:
            picture = picture.filter(ImageFilter.UnsharpMask(1.5, 80, 2))
        return recompressed(picture, int(rng.integers(45, 92)))


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
