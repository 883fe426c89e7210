"""Pictures at several sizes: area-averaging resize, box filters by prefix sums, local contrast."""

from __future__ import annotations

import zlib
from binascii import Error, a2b_base64
from contextlib import suppress
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np

from cluewise.errors import BadOption

Array: TypeAlias = np.ndarray[Any, Any]

LEAST, MOST = 40, 2_100_000  # pixels of a side; of the whole picture, a screen of 1920×1080


class Sized:
    """A picture at some size: `factor` original pixels are as wide as one of its pixels."""

    def __init__(self, original: Array, width: int, height: int) -> None:
        self.width, self.height, self._original = width, height, original
        self.factor = len(original) / height

    @cached_property
    def rgb(self) -> Array:
        """The colours, one plane each: `(3, height, width)`."""
        planes, most = np.moveaxis(self._original, 2, 0), 255
        if self.factor >= 2:  # whole pixels first, which is fast
            even = planes[:, : planes.shape[1] & ~1, : planes.shape[2] & ~1]
            rows = np.add(even[:, ::2], even[:, 1::2], dtype=np.uint16)
            planes, most = rows[..., ::2] + rows[..., 1::2], 4 * 255
        return np.stack([shrink(plane, self.width, self.height) for plane in planes]) / most

    @cached_property
    def grey(self) -> Array:
        """The mean of the three colours."""
        r, g, b = np.moveaxis(self._original, 2, 0)
        return shrink(np.add(r, g, dtype=np.uint16) + b, self.width, self.height) / 765

    def from_original(self, points: Array) -> Array:
        """Convert points of the original picture to points of this one."""
        return (points + 0.5) / self.factor - 0.5

    def to_original(self, points: Array) -> Array:
        """Convert points of this picture to points of the original."""
        return (points + 0.5) * self.factor - 0.5


class Image:
    """A picture of red, green and blue bytes, row by row.

    Raises `BadOption` unless the bytes are as many as width and height require.
    """

    def __init__(self, pixels: bytes, width: int, height: int) -> None:
        if min(width, height) < LEAST:
            raise BadOption(
                f"A picture needs {LEAST} pixels along each side; this one is {width}×{height}.",
                "$.options.width",
            )
        if width * height > MOST:
            raise BadOption(
                f"A picture of {width}×{height} is too large to read: scale it to 1000 pixels.",
                "$.options.width",
            )
        if len(pixels) != 3 * width * height:
            raise BadOption(
                f"{width}×{height} pixels are {3 * width * height} bytes, not {len(pixels)}.",
                "$.options.pixels",
            )
        self.width, self.height = width, height
        self.pixels = np.frombuffer(pixels, np.uint8).reshape(height, width, 3)
        self._sizes: dict[tuple[int, int], Sized] = {}

    @classmethod
    def from_base64(cls, text: str, width: int, height: int) -> Image:
        """Decode the bytes in base64, and unpack them with zlib if they are fewer than needed."""
        length = 3 * width * height
        try:
            data = a2b_base64(text, strict_mode=True)
        except (Error, ValueError):
            raise BadOption("The picture's bytes are not base64.", "$.options.pixels") from None
        if len(data) < length <= 3 * MOST:
            with suppress(zlib.error):  # too few bytes, an error below
                data = zlib.decompressobj().decompress(data, length)
        return cls(data, width, height)

    def sized(self, side: float) -> Sized:
        """Return the picture with its longer side at most `side` pixels long."""
        factor = max(1.0, max(self.width, self.height) / side)
        width, height = (max(2, round(n / factor)) for n in (self.width, self.height))
        if (width, height) not in self._sizes:
            self._sizes[width, height] = Sized(self.pixels, width, height)
        return self._sizes[width, height]


def shrink(plane: Array, width: int, height: int) -> Array:
    """Return a plane of a smaller or equal size; every pixel is the mean of the area it covers."""
    return _shrink_rows(_shrink_rows(plane, height).T, width).T


def _shrink_rows(plane: Array, count: int) -> Array:
    size = len(plane)
    if size == count:
        return plane.astype(np.float32)
    edges = np.arange(count + 1) * (size / count)
    first = edges[:-1].astype(int)
    out = np.zeros((count, plane.shape[1]), np.float32)
    for k in range(int(np.ceil(size / count)) + 1):
        at = first + k
        share = np.minimum(edges[1:], at + 1) - np.maximum(edges[:-1], at)
        weight = np.maximum(share, 0).astype(np.float32)[:, None] * np.float32(count / size)
        out += weight * plane[np.minimum(at, size - 1)]
    return out


def box_mean(a: Array, radius: int) -> Array:
    """Return the means over `(2 * radius + 1)²` pixels; the edge is repeated."""
    return _mean_along_rows(_mean_along_rows(a, radius).T, radius).T


def _mean_along_rows(a: Array, radius: int) -> Array:
    width = 2 * radius + 1
    padded = np.empty((len(a), a.shape[1] + width), np.float32)  # in C order, of a transpose also
    padded[:, : radius + 1], padded[:, -radius:] = a[:, :1], a[:, -1:]
    padded[:, radius + 1 : -radius] = a
    sums = np.cumsum(padded, axis=1, out=padded)
    return (sums[:, width:] - sums[:, :-width]) * np.float32(1 / width)


def relief(grey: Array) -> Array:
    """Return the local contrast: how much darker each pixel is than its surroundings, relative to
    the light there.
    """
    least = min(grey.shape)
    near, far = max(4, int(least / 40 + 0.5)), max(1, int(least / 8 + 0.5))
    soft = 0.7 * box_mean(grey, 1) + 0.3 * grey
    light = box_mean(box_mean(soft, near), near)
    return np.asarray((light - soft) / (box_mean(soft, far) + 0.06))


def tint_edges(grey: Array) -> Array:
    """Return twice the larger slope of the softened grey, at most 0.1."""
    down, across = np.gradient(box_mean(grey, 1))
    return np.asarray(np.minimum(2 * np.maximum(abs(down), abs(across)), 0.1))
