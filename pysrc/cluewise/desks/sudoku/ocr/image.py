"""A picture in the kernel's memory, at several sizes.

Points are pairs of floats in pixels of the picture that was given; a pixel's centre lies at
integer coordinates, so that the same place at `1 / factor` of the size is (x + .5) / factor - .5.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from cluewise.errors import BadOption
from cluewise.kernel.call import Frame

Point = tuple[float, float]
Points = list[Point]  # (n+1)·(n+1) of them, row by row

LEAST, MOST = 40, 2_000_000  # pixels of a side, of the whole picture


class Sized(NamedTuple):
    """The picture at some size: `rgb` is where its floats lie in the kernel's memory."""

    rgb: int
    width: int
    height: int
    factor: float
    """How many pixels of the picture that was given one of its pixels is wide."""

    def inward(self, points: Iterable[Point]) -> Points:
        """Points of the given picture as points of this one."""
        f = self.factor
        return [((x + 0.5) / f - 0.5, (y + 0.5) / f - 0.5) for x, y in points]

    def outward(self, points: Iterable[Point]) -> Points:
        """The reverse of `inward`."""
        f = self.factor
        return [((x + 0.5) * f - 0.5, (y + 0.5) * f - 0.5) for x, y in points]


class Image:
    """Red, green and blue bytes, row by row, put into the kernel's memory once.

    Raises `BadOption` unless the bytes are as many as width and height say.
    """

    def __init__(self, frame: Frame, pixels: bytes, width: int, height: int) -> None:
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
        self.frame, self.width, self.height = frame, width, height
        self._bytes = frame.put(pixels)
        self._work = frame.reserve(12 * width * height)
        self._made = (0, 0)

    def sized(self, side: float) -> Sized:
        """The picture with its longer side at most that long; valid until the next call."""
        factor = max(1.0, max(self.width, self.height) / side)
        width, height = (max(2, round(n / factor)) for n in (self.width, self.height))
        if (width, height) != self._made:
            self.frame.call("sudoku_picture_shrink", self._bytes, self.width, self.height,
                            width, height, self._work)  # fmt: skip
            self._made = (width, height)
        return Sized(self._work, width, height, self.height / height)


def flat(points: Points) -> Any:
    """Points as the kernel takes them: an array of doubles."""
    from array import array

    return array("d", [c for point in points for c in point])


def paired(numbers: Iterable[float]) -> Points:
    """The reverse of `flat`."""
    every = iter(numbers)
    return list(zip(every, every, strict=True))
