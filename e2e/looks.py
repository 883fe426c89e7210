"""Pictures of the page, small enough to keep, and a measure that says when one has changed."""

import io
from pathlib import Path

import numpy as np
from PIL import Image

from browser import ROOT

KEPT = Path(__file__).resolve().parent / "looks"
CHANGED = ROOT / "test-results" / "looks"
SIZES = {"wide": (1440, 900), "phone": (390, 844)}
SHRINK = {"wide": 5, "phone": 3}
COLOURS = 96  # of a baseline; enough for text on its ground, a third of the bytes
SQUARE = 8  # px of a baseline, the side of what is compared
STEP = 4  # px from one square to the next
STRONG = 40  # of 255: no square may be farther off than this; edges half a pixel off come to 16
SLIGHT = 22  # of 255: so far off is still nothing, unless many are
MANY = 0.03  # share of squares

Pixels = np.ndarray[tuple[int, int, int], np.dtype[np.float64]]


def small(shot: bytes, size: str) -> Image.Image:
    """A screenshot as it is kept: a fifth or a third of its side."""
    image = Image.open(io.BytesIO(shot)).convert("RGB")
    width, height = SIZES[size]
    return image.resize((width // SHRINK[size], height // SHRINK[size]), Image.Resampling.BOX)


def picture(shots: list[tuple[str, bytes]]) -> Image.Image:
    """Screenshots, each with the name of its size, side by side in one picture of few colours."""
    parts = [small(shot, size) for size, shot in shots]
    width = sum(one.width for one in parts)
    strip = Image.new("RGB", (width, max(one.height for one in parts)), (128, 128, 128))
    left = 0
    for one in parts:
        strip.paste(one, (left, 0))
        left += one.width
    return strip.quantize(COLOURS, dither=Image.Dither.NONE)


def squares(image: Image.Image) -> Pixels:
    """Mean colour of every square: (rows, columns, 3)."""
    pixels = np.asarray(image.convert("RGB"), dtype=np.float64)
    windows = np.lib.stride_tricks.sliding_window_view(pixels, (SQUARE, SQUARE), axis=(0, 1))
    means: Pixels = windows[::STEP, ::STEP].mean(axis=(3, 4))
    return means


def changes(now: Image.Image, kept: Image.Image) -> list[str]:
    """What differs more than machines do, strongest first; empty when nothing does."""
    if now.size != kept.size:
        return [f"it is {now.size} instead of {kept.size}"]
    apart = np.abs(squares(now) - squares(kept)).max(axis=2)
    found = []
    row, column = (int(i) for i in np.unravel_index(apart.argmax(), apart.shape))
    if apart[row, column] > STRONG:
        found.append(
            f"at {column * STEP},{row * STEP} a square is {apart[row, column]:.0f} of 255 off"
        )
    share = float((apart > SLIGHT).mean())
    if share > MANY:
        found.append(f"{100 * share:.1f} % of the squares are more than {SLIGHT} of 255 off")
    return found


def compared(name: str, now: Image.Image, *, write: bool) -> list[str]:
    """Return the changes against the baseline. `write`: keep the new one where it differs."""
    path = KEPT / f"{name}.png"
    found = changes(now, Image.open(path)) if path.exists() else ["there is no baseline"]
    if found and write:
        KEPT.mkdir(exist_ok=True)
        now.save(path, optimize=True)
        return []
    if found:
        CHANGED.mkdir(parents=True, exist_ok=True)
        both = [now, Image.open(path)] if path.exists() else [now]
        sheet = Image.new("RGB", (now.width, sum(one.height + 4 for one in both)), "white")
        for i, one in enumerate(both):
            sheet.paste(one.convert("RGB"), (0, i * (now.height + 4)))
        sheet.save(CHANGED / f"{name}.png")
    return [f"{name}: {one}" for one in found]
