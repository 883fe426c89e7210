"""Synthetic training data: cells of sudokus with symbols of many fonts, degraded as in pictures.

`Drawing(faces(folder, TRAINING), rng).cells(512)` returns 512 cells of 24×24, normalised as the
reader does (ink 0 for paper, about 1 for the symbol), and their classes: 0 blank, 1–9, 10–16 for
A–G.
"""

from __future__ import annotations

import io
from collections.abc import Iterable
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from PIL import Image, ImageDraw, ImageFont

SIDE, CLASSES, SYMBOLS = 24, 17, "123456789ABCDEFG"
GLYPH, LARGE = 64, 48
TRAINING = (
    "open-sans", "roboto", "inter", "montserrat", "poppins", "source-sans-3", "pt-sans",
    "merriweather", "lora", "playfair-display", "libre-baskerville", "oswald", "work-sans",
    "quicksand", "dm-sans", "comic-neue", "patrick-hand", "kalam", "courier-prime", "roboto-mono",
    "inconsolata", "crimson-text", "bitter", "arvo", "roboto-slab", "cabin", "karla", "rubik",
    "barlow", "exo-2", "titillium-web", "archivo-narrow", "arimo", "tinos", "source-serif-4",
    "josefin-sans", "abel",
)  # fmt: skip
HELD_BACK = (
    "nunito", "noto-serif", "fira-sans", "lato", "roboto-condensed", "ibm-plex-serif", "manrope",
    "pt-serif",
)  # fmt: skip

Array: TypeAlias = np.ndarray[Any, Any]
_WEIGHTS = ("-300-normal", "-400-normal", "-500-normal", "-700-normal", "-400-italic")


def faces(folder: Path, names: Iterable[str]) -> list[Path]:
    """The fonts' files of those families, sorted by family and name."""
    out: list[Path] = []
    for name in names:
        files = sorted((folder / "node_modules" / "@fontsource" / name / "files").glob("*.woff2"))
        plain = [f for f in files if f.name.startswith(f"{name}-latin-") and "-ext-" not in f.name]
        out += [f for f in plain if f.stem.endswith(_WEIGHTS)]
    return out


def glyphs(face: Path) -> Array:
    """The sixteen symbols of a face, each in the middle of a square; letters large and small."""
    font = ImageFont.truetype(str(face), 56)
    out = []
    for symbol in SYMBOLS + SYMBOLS[9:].lower():
        left, top, right, bottom = font.getbbox(symbol)
        picture = Image.new("L", (GLYPH, GLYPH))
        at = (GLYPH / 2 - (left + right) / 2, GLYPH / 2 - (top + bottom) / 2)
        ImageDraw.Draw(picture).text(at, symbol, fill=255, font=font)
        out.append(np.asarray(picture, np.float32) / 255)
    return np.stack(out)


def smaller(x: Array) -> Array:
    """Half the side, each pixel the mean of four."""
    n, h, w = x.shape
    return np.asarray(x.reshape(n, h // 2, 2, w // 2, 2).mean((2, 4)))


def blurred(x: Array, spread: Array) -> Array:
    """A Gaussian blur of every picture with its own standard deviation in pixels."""
    r = 5
    k = np.arange(-r, r + 1, dtype=np.float32)
    weight = np.exp(-(k[None] ** 2) / (2 * spread[:, None] ** 2 + 1e-6))
    weight = (weight / weight.sum(1, keepdims=True)).astype(np.float32)[:, :, None, None]
    side = x.shape[1]
    for axis in (1, 2):
        wide = [(0, 0), (0, 0), (0, 0)]
        wide[axis] = (r, r)
        padded = np.pad(x, wide, mode="edge")
        parts = (padded[:, i : i + side] if axis == 1 else padded[:, :, i : i + side]
                 for i in range(2 * r + 1))  # fmt: skip
        zero: Array = np.zeros((), np.float32)
        x = sum((p * weight[:, i] for i, p in enumerate(parts)), zero)
    return x


def inked(cells: Array, scale: Array) -> Array:
    """Grey cells normalised as the reader does: paper 0, the symbol about 1, dark or light.

    `scale` is the strength of the board's stronger symbols: a much fainter cell stays faint.
    """
    edge = round(SIDE * 0.17)
    middle = cells[:, edge : SIDE - edge, edge : SIDE - edge].reshape(len(cells), -1)
    paper = np.median(middle, axis=1, keepdims=True)
    off = middle - paper
    sign = np.where((off**3).sum(1) < 0, -1, 1).astype(np.float32)
    ordered = np.sort(off * sign[:, None], axis=1)
    strength = ordered[:, int(0.96 * ordered.shape[1])]
    by = sign / (np.maximum(strength, 0.42 * scale) + 1e-6)
    return np.clip((cells - paper[:, :, None]) * by[:, None, None], -1.2, 1.6).astype(np.float32)


class Drawing:
    """Draws cells; the same seed and fonts give the same cells."""

    def __init__(self, files: list[Path], rng: np.random.Generator) -> None:
        self.bank = np.stack([glyphs(f) for f in files])
        self.rng = rng
        self._half = smaller(self.bank.reshape(-1, GLYPH, GLYPH)).reshape(
            len(files), -1, GLYPH // 2, GLYPH // 2
        )

    def cells(self, count: int) -> tuple[Array, Array]:
        """Normalised cells and their classes."""
        rng = self.rng
        kind = rng.random(count)
        answer = np.where(kind < 0.68, rng.integers(1, 10, count), rng.integers(10, 17, count))
        answer = np.where(kind < 0.2, 0, answer)
        small = (answer > 9) & (rng.random(count) < 0.25)
        glyph = np.where(small, answer + 6, answer - 1)
        face = rng.integers(0, len(self.bank), count)
        picture = self._symbols(face, np.maximum(glyph, 0))
        picture *= ((answer > 0) * self._uniform(count, 0.55, 1.2))[:, None, None]
        many = (answer == 0) & (rng.random(count) < 0.5)
        self._add_pencil_marks(picture, face, answer, many)
        self._add_show_through(picture, face, (answer == 0) & ~many & (rng.random(count) < 0.35))
        self._add_grid_lines(picture)
        spread = np.where(
            rng.random(count) < 0.5, self._uniform(count, 0.2, 1.2), self._uniform(count, 0.8, 3.6)
        )
        picture = self._with_light(smaller(blurred(picture, spread)))
        self._compress(picture)
        return inked(picture, self._uniform(count, 0.6, 1.1)), answer.astype(np.int64)

    def _uniform(self, count: int, low: float, high: float) -> Array:
        return self.rng.uniform(low, high, count).astype(np.float32)

    def _symbols(self, face: Array, glyph: Array) -> Array:
        n, rng = len(face), self.rng
        normal = rng.normal(0, 1, (4, n)).astype(np.float32) * np.array(
            [[0.09], [0.1], [0.13], [0.13]], np.float32
        )
        size, aspect = self._uniform(n, 0.62, 1.28), self._uniform(n, 0.78, 1.2)
        out = self._warped(face, glyph, size, aspect, normal[0], normal[1], normal[2], normal[3])
        thick = rng.random(n)
        for k, pick in ((1, thick < 0.18), (-1, thick > 0.9)):
            if pick.any():
                part = k * out[pick]
                part = np.maximum.reduce([np.roll(part, s, a) for a in (1, 2) for s in (-1, 0, 1)])
                out[pick] = part if k > 0 else 0.5 * (out[pick] - part)
        return out

    def _warped(
        self, face: Array, glyph: Array, size: Array, aspect: Array, turn: Array, slant: Array,
        right: Array, down: Array,
    ) -> Array:  # fmt: skip
        """Affinely transformed symbols, `size` cells large and moved by half cells."""
        n = len(face)
        c, s = np.cos(turn), np.sin(turn)
        at = (np.arange(LARGE, dtype=np.float32) + 0.5) * (2 / LARGE) - 1
        x = at[None, None, :] - right[:, None, None]
        y = at[None, :, None] - down[:, None, None]
        wide, high = (1 / (size * aspect))[:, None, None], (1 / size)[:, None, None]
        u = wide * (c[:, None, None] * x + (s + slant)[:, None, None] * y)
        v = high * (c[:, None, None] * y - s[:, None, None] * x)
        lean = self.rng.normal(0, 0.03, (2, n, 1, 1)).astype(np.float32)
        cross = u * v
        u, v = u + lean[0] * cross, v + lean[1] * cross
        out = np.empty((n, LARGE, LARGE), np.float32)
        tiny = size < 0.7
        for pick, bank in ((~tiny, self.bank), (tiny, self._half)):
            if pick.any():
                out[pick] = _sampled(bank, face[pick], glyph[pick], u[pick], v[pick])
        return out

    def _add_pencil_marks(self, picture: Array, face: Array, answer: Array, many: Array) -> None:
        """Small digits: nine places, the corners or a row in the middle; a few next to a symbol."""
        rng, n = self.rng, len(face)
        kind, size = rng.integers(0, 3, n), self._uniform(n, 0.17, 0.40)
        tone, aspect = self._uniform(n, 0.25, 1.1), self._uniform(n, 0.8, 1.1)
        count, dense = rng.integers(1, 6, n), self._uniform(n, 0.15, 0.9)
        middle = rng.normal(0, 0.12, n).astype(np.float32)
        corners = np.array([0, 2, 6, 8, 1, 1, 1, 1, 1])
        for slot in range(9):
            on = many & np.where(kind == 0, rng.random(n) < dense, slot < count)
            if slot == 0:
                on |= (answer > 0) & (rng.random(n) < 0.05)
            k = np.nonzero(on)[0]
            m = len(k)
            if m == 0:
                continue
            away = self._uniform(m, 0.5, 0.72)
            place = np.where(kind[k] == 1, corners[slot], slot)
            dx, dy = (place % 3 - 1) * away, (place // 3 - 1) * away
            step = size[k] * aspect[k] * self._uniform(m, 0.82, 0.9)
            dx = np.where(kind[k] == 2, (slot - (count[k] - 1) / 2) * step, dx)
            dy = np.where(kind[k] == 2, middle[k], dy)
            shifted = answer[k] > 0
            dx, dy = np.where(shifted, -away - 0.05, dx), np.where(shifted, -away - 0.05, dy)
            ordered = (kind[k] == 0) & (rng.random(m) < 0.7)
            glyph = np.where(ordered, slot, rng.integers(0, 9, m))
            tall = np.where(shifted, np.minimum(size[k], 0.33), size[k]).astype(np.float32)
            zero = np.zeros(m, np.float32)
            marks = self._warped(face[k], glyph, tall, aspect[k], zero, zero,
                                 dx.astype(np.float32), dy.astype(np.float32))  # fmt: skip
            picture[k] = np.maximum(picture[k], marks * tone[k][:, None, None])

    def _add_show_through(self, picture: Array, face: Array, where: Array) -> None:
        """Print of the other side of the paper: mirrored, faint, blurred."""
        k = np.nonzero(where)[0]
        m = len(k)
        if m == 0:
            return
        normal = self.rng.normal(0, 1, (3, m)).astype(np.float32)
        shine = self._warped(
            face[k], self.rng.integers(0, 9, m), self._uniform(m, 0.5, 2.2),
            self._uniform(m, 0.8, 1.3), 0.3 * normal[0], np.zeros(m, np.float32),
            0.4 * normal[1], 0.4 * normal[2],
        )[:, :, ::-1]  # fmt: skip
        shine = blurred(shine, self._uniform(m, 0.5, 3))
        picture[k] = np.maximum(picture[k], shine * self._uniform(m, 0.03, 0.25)[:, None, None])

    def _add_grid_lines(self, picture: Array) -> None:
        """The lattice at the four sides, not quite straight, not quite in place."""
        rng, n = self.rng, len(picture)
        at = (np.arange(LARGE, dtype=np.float32) + 0.5) / LARGE
        for side in range(4):
            across, along = at[None, None, :], at[None, :, None]
            if side % 2:
                across, along = along, across
            if side > 1:
                across = 1 - across
            normal = rng.normal(0, 1, (2, n)).astype(np.float32)[:, :, None, None]
            place = 0.035 * normal[0] - 0.005 + 0.03 * normal[1] * (along - 0.5)
            wide = self._uniform(n, 0, 0.03) + (rng.random(n) < 0.3) * self._uniform(n, 0, 0.05)
            tone = self._uniform(n, 0, 1.3) * (rng.random(n) < 0.9)
            line = np.clip((wide[:, None, None] - abs(across - place)) * LARGE + 0.5, 0, 1)
            np.maximum(picture, line * tone[:, None, None].astype(np.float32), out=picture)

    def _with_light(self, picture: Array) -> Array:
        """Uneven light, soft shadows, sharpening, noise."""
        rng, n = self.rng, len(picture)
        c = np.linspace(-1, 1, SIDE, dtype=np.float32)
        x, y = c[None, None, :], c[None, :, None]
        for axis in (x, y):
            slope = rng.normal(0, 0.12, n) * (rng.random(n) < 0.5)
            picture = picture + slope.astype(np.float32)[:, None, None] * axis
        turn, off = self._uniform(n, 0, 6.3)[:, None, None], self._uniform(n, -0.5, 0.5)
        steep = self._uniform(n, 2, 20)[:, None, None]
        edge = (np.cos(turn) * x + np.sin(turn) * y + off[:, None, None]) * steep
        deep = self._uniform(n, -0.3, 0.3) * (rng.random(n) < 0.08)
        picture = picture + deep[:, None, None] / (1 + np.exp(-edge))
        sharp = self._uniform(n, 0.2, 1.0) * (rng.random(n) < 0.25)
        halo = picture - blurred(picture, self._uniform(n, 0.8, 1.6))
        picture = picture + sharp[:, None, None] * halo
        noise = rng.normal(0, 1, (2, n, SIDE, SIDE)).astype(np.float32)
        fine, coarse = 0.16 * rng.random(n) ** 2, 0.2 * rng.random(n) ** 2
        grain = blurred(noise[1], np.full(n, 0.8, np.float32))
        picture = picture + fine[:, None, None] * noise[0] + coarse[:, None, None] * grain
        return picture.astype(np.float32)

    def _compress(self, picture: Array) -> None:
        """JPEG, in sheets of 16×16 cells, half of them."""
        rng = self.rng
        for s in range(0, len(picture) - 255, 256):
            if rng.random() < 0.5:
                continue
            ink, paper = rng.uniform(20, 120), rng.uniform(140, 250)
            if rng.random() < 0.3:
                ink, paper = paper, ink
            part = picture[s : s + 256].reshape(16, 16, SIDE, SIDE).transpose(0, 2, 1, 3)
            sheet = paper + (ink - paper) * part.reshape(16 * SIDE, 16 * SIDE)
            down, right = rng.integers(0, 8, 2)
            data = np.pad(np.clip(sheet, 0, 255).astype(np.uint8), ((down, 0), (right, 0)), "edge")
            file = io.BytesIO()
            Image.fromarray(data).save(file, "JPEG", quality=int(rng.integers(20, 95)))
            seen = np.asarray(Image.open(file), np.float32)[down:, right:]
            part = ((seen - paper) / (ink - paper)).reshape(16, SIDE, 16, SIDE)
            picture[s : s + 256] = part.transpose(0, 2, 1, 3).reshape(256, SIDE, SIDE)


def _sampled(bank: Array, face: Array, glyph: Array, u: Array, v: Array) -> Array:
    """Bilinear samples of glyphs at places from -1 to 1; 0 outside."""
    side = bank.shape[-1]
    wide = np.zeros((*bank.shape[:2], side + 2, side + 2), np.float32)
    wide[..., 1:-1, 1:-1] = bank
    flat, row = wide.reshape(-1), side + 2
    x = np.clip((u + 1) * (side / 2) + 0.5, 0, side + 0.999)
    y = np.clip((v + 1) * (side / 2) + 0.5, 0, side + 0.999)
    j, i = x.astype(np.int32), y.astype(np.int32)
    a, b = x - j, y - i
    start = ((face * bank.shape[1] + glyph) * row * row).astype(np.int32)[:, None, None]
    at = start + i * row + j
    upper = flat[at] * (1 - a) + flat[at + 1] * a
    lower = flat[at + row] * (1 - a) + flat[at + row + 1] * a
    return np.asarray(upper * (1 - b) + lower * b)
