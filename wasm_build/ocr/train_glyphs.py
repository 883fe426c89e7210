"""Train the network that reads characters of mine boards' screenshots; numpy only.

    OMP_NUM_THREADS=1 python -m wasm_build.ocr.train_glyphs [--steps N] [--out FILE]

The characters are drawn from the fonts of `train_digits.py`, without those of HELD_BACK, at the
sizes of screenshots, blurred, and cut out as the reader does it (`cluewise.pictures.network`).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from PIL import Image, ImageDraw, ImageFilter, ImageFont

from cluewise.pictures.network import CHARACTERS, FEATURES, HIDDEN, INKED, features
from wasm_build.ocr.digit_cells import TRAINING, faces
from wasm_build.ocr.train_digits import FONTS, ROOT, Adam, loss_gradient, pack, run, temperature

Array: TypeAlias = np.ndarray[Any, Any]
OUT = ROOT / "pysrc" / "cluewise" / "desks" / "mines" / "glyphs.bin"
OTHERS = "AEFHKMNPRTVWXYabdefhkmnprtuwxy+%&@*=:;"
EACH, BATCH, SEED = 2500, 256, 49


def draw_character(
    rng: np.random.Generator, font: ImageFont.FreeTypeFont, text: str
) -> Array | None:
    """Return the features of a character at some size, shape and sharpness."""
    left, top, right, bottom = font.getbbox(text)
    width, height = int(right - left), int(bottom - top)
    if min(width, height) < 2:
        return None
    picture = Image.new("L", (width + 24, height + 24))
    pen = ImageDraw.Draw(picture)
    bold = int(rng.random() < 0.2)
    pen.text((12 - left, 12 - top), text, fill=255, font=font, stroke_width=bold)
    scale = np.exp(rng.uniform(np.log(7), np.log(48))) / font.size
    by = scale * np.exp(rng.normal(0, 0.06, 2))
    size = [max(8, round(n * k)) for n, k in zip(picture.size, by, strict=True)]
    picture = picture.resize((size[0], size[1]), Image.Resampling.BILINEAR, reducing_gap=2)
    if rng.random() < 0.6:
        most = 0.04 * scale * font.size + 0.3
        picture = picture.filter(ImageFilter.GaussianBlur(rng.uniform(0.2, most)))
    grey = np.asarray(picture, np.float32)
    ink = grey / max(1.0, float(grey.max())) + rng.normal(0, rng.uniform(0, 0.06), grey.shape)
    return cut(np.clip(ink, 0, 1).astype(np.float32))


def draw_flag(rng: np.random.Generator) -> Array | None:
    """Return the features of a flag, or of a blot."""
    picture = Image.new("L", (64, 64))
    pen = ImageDraw.Draw(picture)
    x, y, side = rng.uniform(16, 24, 3)
    tall = side * rng.uniform(1.1, 1.8)
    if rng.random() < 0.8:  # a pole and a cloth, which waves or is a triangle
        pen.rectangle((x, y, x + rng.uniform(1, 5), y + tall), fill=255)
        wave, low = rng.uniform(0, 0.2 * side, 2)
        cloth, end = tall * rng.uniform(0.35, 0.75), x + side * rng.uniform(0.6, 1.3)
        outer = [(end, y + wave + low), (end, y + wave + cloth)]
        if rng.random() < 0.5:
            outer = [(end, y + cloth * rng.uniform(0, 0.6))]
        bent = [((x + end) / 2, y + cloth - low), (x, y + cloth)]
        pen.polygon([(x, y), ((x + end) / 2, y + low), *outer, *bent], fill=255)
    else:
        pen.ellipse((x, y, x + side, y + side * rng.uniform(0.5, 1.5)), fill=255)
    size = int(rng.integers(16, 64))
    small = picture.resize((size, size), Image.Resampling.BILINEAR, reducing_gap=2)
    return cut(np.asarray(small, np.float32) / 255)


def cut(ink: Array) -> Array | None:
    """Return the features of what is inked, as the reader cuts it out."""
    rows, columns = (np.flatnonzero((ink > INKED).any(axis)) for axis in (1, 0))
    if len(rows) < 2 or not len(columns):
        return None
    box = np.array([[rows[0], columns[0], rows[-1] + 1, columns[-1] + 1]])
    return np.asarray(features(ink, box)[0])


def examples(files: list[Path], each: int, rng: np.random.Generator) -> tuple[Array, Array]:
    """Return features and classes, about `each` of every class."""
    fonts = [ImageFont.truetype(str(file), 48) for file in files]
    given, answers = [], []
    for answer, name in enumerate(CHARACTERS):
        for _ in range(each * (4 if name == "#" else 1)):
            text = name.replace("#", str(rng.choice(list(OTHERS))))
            if name == "-":
                text = str(rng.choice(list("-−–")))
            one = (
                draw_flag(rng)
                if name == "#" and rng.random() < 0.6
                else draw_character(rng, fonts[rng.integers(len(fonts))], text)
            )
            if one is not None:
                given.append(one)
                answers.append(answer)
    return np.stack(given).astype(np.float32), np.array(answers)


def train(steps: int, out: Path) -> None:
    """Train and write the file: a line of JSON, then the layers as `read_layers` has them."""
    rng = np.random.default_rng(SEED)
    files = faces(FONTS, TRAINING)
    given, answers = examples(files[::2] + files[1::4], EACH, rng)
    held = examples(files[3::4], EACH // 8, rng)
    weights = [rng.normal(0, (2 / FEATURES) ** 0.5, (FEATURES, HIDDEN)), np.zeros(HIDDEN)]
    weights += [rng.normal(0, HIDDEN**-0.5, (HIDDEN, len(CHARACTERS))), np.zeros(len(CHARACTERS))]
    adam = Adam([w.astype(np.float32) for w in weights])
    for number in range(1, steps + 1):
        pick = rng.integers(0, len(given), BATCH)
        x = given[pick]
        hidden = np.maximum(x @ adam.weights[0] + adam.weights[1], 0)
        grad = loss_gradient(hidden @ adam.weights[2] + adam.weights[3], answers[pick])
        back = (grad @ adam.weights[2].T) * (hidden > 0)
        adam.step(number, [x.T @ back, back.sum(0), hidden.T @ grad, grad.sum(0)])
    mean = adam.mean
    scores = np.maximum(held[0] @ mean[0] + mean[1], 0) @ mean[2] + mean[3]
    divisor = temperature(scores, held[1])
    print(f"{len(given)} drawn, held back {(scores.argmax(1) == held[1]).mean():.4f}, T {divisor}")
    out.write_bytes(pack({"classes": CHARACTERS, "hidden": HIDDEN}, mean, divisor))


if __name__ == "__main__":
    run(train, "Train the network of a board's characters.", 16000, OUT)
