"""Synthetic test data: screenshots of sudoku programs with many looks.

`Shots(faces, seed).cases(12)` yields looks, pictures and boards: with lines or tiles, light and
dark, with highlighted cells, pencil marks, the player's digits in another colour, other things on
the screen; scaled and compressed as messengers do. Four of five are 9×9, the others 4×4 to 16×16,
with letters after 9. The fonts must be those that the network was not trained with; None is
Pillow's own, which it was not trained with either.
"""

from __future__ import annotations

import io
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from cluewise import service

Colour = tuple[int, int, int]
Box = tuple[int, int]
LIGHT: list[Colour] = [(255, 255, 255), (250, 248, 240), (240, 244, 250), (255, 253, 231)]
DARK: list[Colour] = [(18, 18, 18), (30, 30, 40), (13, 27, 42), (44, 44, 46)]
INK: list[Colour] = [(0, 0, 0), (30, 40, 60), (52, 72, 97), (60, 60, 60)]
PALE: list[Colour] = [(255, 255, 255), (220, 220, 220), (180, 200, 230), (200, 160, 90)]
OWN: list[Colour] = [(33, 96, 200), (0, 120, 90), (120, 60, 180)]
OWN_PALE: list[Colour] = [(110, 170, 255), (120, 220, 170), (230, 170, 90)]
TINTS: list[Colour] = [(225, 235, 248), (255, 243, 205), (230, 230, 230), (214, 234, 214)]
DEEP: list[Colour] = [(45, 50, 65), (60, 55, 40), (52, 52, 58)]
BOXES = ((2, 2), (2, 3), (3, 4), (4, 4))  # of the boards that are not 9×9
CLUES = {4: 6, 6: 14, 12: 66, 16: 130}  # about as many as published puzzles of the size have
WORDS = ["Sudoku", "Level: Hard", "Mistakes 0/3", "12:47", "New game", "Undo", "Notes", "Hint"]


def recompressed(picture: Image.Image, quality: int) -> Image.Image:
    """The picture as a JPEG of that quality keeps it."""
    file = io.BytesIO()
    picture.save(file, "JPEG", quality=quality)
    return Image.open(file).convert("RGB")


def make_puzzle(box: Box, clues: int, seed: int) -> tuple[str, str]:
    """A puzzle with one solution, and that solution."""
    options = {"seed": seed, "clues": clues}
    request = {"desk": "sudoku", "want": "puzzle", "position": {"box": box}, "options": options}
    found = service.run(request)
    return found["puzzle"], found["solution"]


class Drawings(ABC):
    """Random pictures of boards, reproducible from a seed."""

    def __init__(self, faces: Sequence[Path | None], seed: int) -> None:
        self.faces, self.rng = faces, np.random.default_rng(seed)

    @abstractmethod
    def draw(self) -> tuple[str, Image.Image, str]:
        """A description of a picture, the picture, and its board."""

    def cases(self, count: int) -> Iterator[tuple[str, Image.Image, str]]:
        """Yield `count` pictures with numbered descriptions."""
        for number in range(count):
            look, picture, board = self.draw()
            yield f"{number} {look}", picture, board


class Shots(Drawings):
    """Screenshots."""

    def __init__(self, faces: Sequence[Path | None], seed: int) -> None:
        super().__init__(faces, seed)
        self.puzzles = {(3, 3): [make_puzzle((3, 3), 26 + i % 5, i) for i in range(12)]}
        for box in BOXES:
            clues = CLUES[box[0] * box[1]]
            self.puzzles[box] = [make_puzzle(box, clues, i) for i in range(2)]

    def _pick(self, *things: Any) -> Any:
        return things[int(self.rng.integers(len(things)))]

    def _font(self, face: Path | None, size: float) -> Any:
        points = max(6, round(size))
        return ImageFont.truetype(str(face), points) if face else ImageFont.load_default(points)

    def draw(self) -> tuple[str, Image.Image, str]:
        """One screenshot; cells are at least 14 pixels wide in the end."""
        rng, pick = self.rng, self._pick
        box = (3, 3) if rng.random() < 0.8 else pick(*BOXES)
        size = box[0] * box[1]
        puzzle, solution = pick(*self.puzzles[box])
        own = {i for i, c in enumerate(puzzle) if c == "."} if rng.random() < 0.35 else set()
        own = {i for i in own if rng.random() < 0.4}
        board = "".join(solution[i] if i in own else c for i, c in enumerate(puzzle))
        style = pick("plain", "plain", "thin", "tiles", "frameless", "boxes")
        if size < 9 and style in ("tiles", "frameless"):
            style = "plain"  # a small lattice fits everywhere: without a frame it is not looked for
        dark = rng.random() < 0.35
        cell = int(rng.integers(30, 110))
        ground, ink = pick(*(DARK if dark else LIGHT)), pick(*(PALE if dark else INK))
        side = size * cell
        left, top = (int(rng.uniform(0.02, f) * side) for f in (0.12, 0.5))
        sides = (left + side + int(rng.uniform(0.02, 0.4) * side),
                top + side + int(rng.uniform(0.05, 0.6) * side))  # fmt: skip
        picture = Image.new("RGB", sides, ground)
        pen = ImageDraw.Draw(picture)
        face = pick(*self.faces)
        self._around(pen, face, sides, (left, top, side), ink)
        fills = self._fills(dark, box)
        self._cells(pen, (left, top, cell, box), style, fills, (ground, ink), dark=dark)
        marks = rng.random() < 0.4
        self._symbols(pen, (left, top, cell, box), face, board, own, ink,
                      pick(*(OWN_PALE if dark else OWN)), marks=marks)  # fmt: skip
        words = {"dark": dark, "marks": marks, "own": own}
        look = " ".join([f"{size}×{size}", style, *(word for word, so in words.items() if so)])
        return f"{look} {face.stem if face else ''}", self._compressed(picture, cell), board

    def _around(
        self, pen: Any, face: Path | None, size: tuple[int, int], board: Any, ink: Colour
    ) -> None:
        """Words and keys above and below the board."""
        left, top, side = board
        font = self._font(face, side / 22)
        step = side // 12
        above = range(4, top - step, step * 2)
        below = range(top + side + step, size[1] - step, step * 2)
        for y in [*above, *below]:
            keys = self.rng.random() < 0.3
            texts = list("123456789") if keys else [self._pick(*WORDS) for _ in range(3)]
            for k, text in enumerate(texts):
                x = left + (k + 0.5) * side / len(texts)
                if not keys and self.rng.random() < 0.4:
                    pen.rounded_rectangle(
                        (x - side / 8, y - 2, x + side / 8, y + step), 6, None, ink
                    )
                pen.text((x, y + step / 2), text, ink, font, "mm")

    def _fills(self, dark: bool, shape: Box) -> dict[int, Colour]:
        """Cells with a tint: row, column and box of a chosen one; every other box."""
        rng, out = self.rng, {}
        tint = self._pick(*(DEEP if dark else TINTS))
        rows, cols = shape
        n = rows * cols

        def box(cell: int) -> tuple[int, int]:
            return cell // n // rows, cell % n // cols

        if rng.random() < 0.5:
            r, c = (int(v) for v in rng.integers(0, n, 2))
            for i in range(n * n):
                if i // n == r or i % n == c or box(i) == box(n * r + c):
                    out[i] = tint
            out[n * r + c] = (70, 90, 130) if dark else (187, 222, 251)
        if rng.random() < 0.25:
            out |= {i: tint for i in range(n * n) if sum(box(i)) % 2 == 0 and i not in out}
        return out

    def _cells(
        self, pen: Any, place: Any, style: str, fills: dict[int, Colour],
        colours: tuple[Colour, Colour], *, dark: bool,
    ) -> None:  # fmt: skip
        left, top, cell, (rows, cols) = place
        ground, ink = colours
        n = rows * cols
        rng, side = self.rng, n * cell
        gap = max(1, int(cell * rng.uniform(0.03, 0.07)))
        tile = tuple(v + (26 if dark else -18) for v in ground)
        for i in range(n * n):
            x, y = left + i % n * cell, top + i // n * cell
            if style == "tiles":
                a, b = gap * (1 + (i % n % cols == 0)), gap * (1 + (i // n % rows == 0))
                box = (x + a, y + b, x + cell - gap, y + cell - gap)
                pen.rounded_rectangle(box, cell * 0.06, fills.get(i, tile))
            elif i in fills:
                pen.rectangle((x, y, x + cell - 1, y + cell - 1), fills[i])
        if style == "tiles":
            return
        share = 0.3 if style == "boxes" else rng.uniform(0.3, 0.9)
        faint = tuple(int(g + (k - g) * share) for g, k in zip(ground, ink, strict=True))
        thin = max(1, int(cell * rng.uniform(0.01, 0.03)))
        thick = thin if style == "thin" else max(thin + 1, int(cell * rng.uniform(0.035, 0.09)))
        for bold in (False, True):  # the thick ones lie above
            for k in range(1, n) if style == "frameless" else range(n + 1):
                how = (ink, thick) if bold else (faint, thin)
                if (k % cols == 0) == bold:
                    pen.line((left + k * cell, top, left + k * cell, top + side), *how)
                if (k % rows == 0) == bold:
                    pen.line((left, top + k * cell, left + side, top + k * cell), *how)

    def _symbols(
        self, pen: Any, place: Any, face: Path, board: str, own: set[int], ink: Colour,
        other: Colour, *, marks: bool,
    ) -> None:  # fmt: skip
        left, top, cell, (rows, cols) = place
        n = rows * cols
        font = self._font(face, cell * self.rng.uniform(0.55, 0.85))
        small = self._font(face, cell * self.rng.uniform(0.2, 0.3))
        kind = self._pick("grid", "corners", "middle")
        for i, symbol in enumerate(board):
            x, y = left + (i % n + 0.5) * cell, top + (i // n + 0.5) * cell
            if symbol != ".":
                pen.text((x, y), symbol.upper(), other if i in own else ink, font, "mm")
            elif marks and self.rng.random() < 0.8:
                most = min(n, 9)
                some = sorted(self.rng.permutation(most)[: int(self.rng.integers(1, 5))] + 1)
                if kind == "middle":
                    pen.text((x, y), "".join(map(str, some[:3])), ink, small, "mm")
                    continue
                for nth, v in enumerate(some):
                    k = v - 1 if kind == "grid" else (0, 2, 6, 8)[nth]
                    at = (x + (k % 3 - 1) * cell * 0.31, y + (k // 3 - 1) * cell * 0.31)
                    pen.text(at, str(v), ink, small, "mm")

    def _compressed(self, picture: Image.Image, cell: int) -> Image.Image:
        """Scaled, and in three of ten pictures recompressed."""
        rng = self.rng
        size = float(np.exp(rng.uniform(np.log(350), np.log(1400))))
        share = max(min(1.0, size / max(picture.size)), 16 / cell)
        if share < 1:
            w, h = (round(v * share) for v in picture.size)
            picture = picture.resize((w, h), Image.Resampling.BICUBIC)
        if rng.random() < 0.3:
            picture = recompressed(picture, int(rng.integers(40, 92)))
        return picture
