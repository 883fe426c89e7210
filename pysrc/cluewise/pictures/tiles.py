"""Boards of separate tiles in screenshots: the lattice of squares or hexagons, and their patches.

Tiles are connected components of even colour. Pitch and origin are those at which the phases of
their middles agree best (circular means), refined by least squares without outliers.

A place in a lattice is a column and a row, whole numbers; `basis` has the two steps in pixels.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from cluewise.pictures.frames import runs_by_part
from cluewise.pictures.image import Array

SMALLEST, FEWEST = 10, 4  # pixels of a tile's side; tiles
SLOPES = (36, 18, 9)  # sums of red, green and blue from one pixel to the next
ROOT3 = 3**0.5
# Steps to the next column and to the next row, in pitches; the sides of a tile's bounding box.
KINDS: dict[str, tuple[tuple[tuple[float, float], tuple[float, float]], tuple[float, float]]] = {
    "square": (((1, 0), (0, 1)), (1, 1)),
    "hex": (((1, 0), (0.5, ROOT3 / 2)), (1, 2 / ROOT3)),
    "upright hex": (((ROOT3 / 2, 0.5), (0, 1)), (2 / ROOT3, 1)),
}
_HEX = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1))
# Steps to the places with which a tile shares an edge, in columns and rows.
NEIGHBOURS = {"square": _HEX[:4], "hex": _HEX, "upright hex": _HEX}
NEAR = 0.16  # of a pitch: the farthest that a tile's middle is from its place
CLEAR = 0.8  # share of the tiles that must be on the lattice


class TileLattice(NamedTuple):
    """Equal tiles in a picture."""

    kind: str
    """One of KINDS."""
    pitch: float
    """From a tile's middle to the next one's, in pixels."""
    origin: Array
    """x and y of the middle of place 0, 0."""
    basis: Array
    """`(2, 2)`: x and y of a step to the next column, and to the next row."""
    found: Array
    """`(tiles, 2)`: the places of the tiles that were seen, sorted by row and column."""

    def middles(self, places: Array) -> Array:
        """Return x and y in pixels, `(places, 2)`."""
        return np.asarray(self.origin + places @ self.basis)

    def places(self, points: Array) -> Array:
        """Return columns and rows, `(points, 2)`, not rounded."""
        return np.asarray((points - self.origin) @ np.linalg.inv(self.basis))


class Parts(NamedTuple):
    """Connected parts of a mask: their boxes `top, left, bottom, right`, and their pixels."""

    boxes: Array
    areas: Array


def parts_of(mask: Array) -> Parts:
    """Return the connected parts of a mask, corners included."""
    row, start, end, first = runs_by_part(mask)
    if not len(row):
        return Parts(np.zeros((0, 4), int), np.zeros(0, int))
    last = np.append(first[1:], len(row)) - 1
    left, right = np.minimum.reduceat(start, first), np.maximum.reduceat(end, first)
    return Parts(
        np.stack([row[first], left, row[last] + 1, right], 1), np.add.reduceat(end - start, first)
    )


def clear_parts(
    ink: Array, threshold: float, largest: float, margin: int = 0, every: int = 0
) -> None:
    """Set to 0 the parts of `ink > threshold` that reach an edge, or are `largest` high or wide.

    An edge is `margin` pixels wide; with `every`, the plane is a column of planes so high.
    """
    row, start, end, first = runs_by_part(ink > threshold)
    if not len(row):
        return
    every = every or len(ink)
    last, size = np.append(first[1:], len(row)) - 1, np.diff(np.append(first, len(row)))
    outer = (start <= margin) | (end >= ink.shape[1] - margin)
    outer |= (row % every <= margin) | (row % every >= every - 1 - margin)
    wide = np.maximum.reduceat(end, first) - np.minimum.reduceat(start, first)
    large = (row[last] - row[first] >= largest) | (wide >= largest)
    cleared = np.repeat(np.logical_or.reduceat(outer, first) | large, size)
    marks = np.zeros((len(ink), ink.shape[1] + 1), np.int8)
    marks[row[cleared], start[cleared]] += 1
    marks[row[cleared], end[cleared]] -= 1
    ink[np.cumsum(marks, axis=1)[:, :-1] > 0] = 0


def find_tiles(rgb: Array) -> TileLattice | None:
    """Return the lattice of most equal tiles in a picture `(height, width, 3)` of bytes, or None.

    A tile is an even surface, whatever is written on it, between lines or gaps.
    """
    best, most = None, 0.0
    for slope in SLOPES:
        parts = parts_of(_even(rgb, slope))
        one = _lattice(parts)
        if one is not None and len(one.found) * one.pitch**2 > 1.02 * most:
            best, most = one, len(one.found) * one.pitch**2
    return best


def _even(rgb: Array, slope: int) -> Array:
    """Return which pixels differ from none of their four neighbours by more than `slope`."""
    out = np.ones(rgb.shape[:2], bool)
    for axis in (0, 1):
        a, b = (rgb[1:], rgb[:-1]) if axis == 0 else (rgb[:, 1:], rgb[:, :-1])
        off = (np.maximum(a, b) - np.minimum(a, b)).sum(2, dtype=np.uint16) <= slope
        if axis == 0:
            out[1:] &= off
            out[:-1] &= off
        else:
            out[:, 1:] &= off
            out[:, :-1] &= off
    return out


def _lattice(parts: Parts) -> TileLattice | None:
    top, left, bottom, right = parts.boxes.T
    high, wide = bottom - top, right - left
    square = (np.minimum(high, wide) >= SMALLEST) & (wide < 1.4 * high) & (high < 1.4 * wide)
    chosen = np.flatnonzero(square & (parts.areas > 0.35 * high * wide))
    if len(chosen) < FEWEST:
        return None
    high, wide = high[chosen], wide[chosen]
    middles = np.stack([(left + right - 1) / 2, (top + bottom - 1) / 2], 1)[chosen]
    side = np.sqrt(high * wide)
    alike = [
        (abs(high - high[k]) <= 0.08 * high[k] + 1) & (abs(wide - wide[k]) <= 0.08 * wide[k] + 1)
        for k in range(min(len(chosen), 400))
    ]
    worth = np.array([one.sum() for one in alike]) * side[: len(alike)] ** 2
    best: TileLattice | None = None
    tried: list[Array] = []
    for k in np.argsort(-worth, kind="stable"):
        if any(one[k] for one in tried):
            continue
        tried.append(alike[k])
        if alike[k].sum() >= FEWEST:
            for kind in KINDS:
                one = _fitted(kind, middles[alike[k]], wide[alike[k]], high[alike[k]])
                if one and (best is None or len(one.found) > len(best.found)):
                    best = one
        if best is not None or len(tried) == 4:
            break
    return best


def _fitted(kind: str, middles: Array, wide: Array, high: Array) -> TileLattice | None:
    """Return the lattice of that kind on which most of the tiles lie; None if many do not."""
    steps, (width, height) = KINDS[kind]
    w, h = float(np.median(wide)), float(np.median(high))
    if abs(w * height - h * width) > 0.06 * (w + h) + 1.5:
        return None
    least = max(w / width, h / height)
    inverse = np.linalg.inv(np.array(steps))
    tries = least * np.arange(1, 1.4, 0.002)
    places = middles @ inverse
    agree = abs(np.exp(2j * np.pi * places[None] / tries[:, None, None]).mean(1)).min(1)
    pitch = tries[int(np.argmax(agree))]
    if agree.max() < 0.7:
        return None
    shift = np.angle(np.exp(2j * np.pi * places / pitch).mean(0)) / (2 * np.pi)
    whole = np.rint(places / pitch - shift)
    good = np.ones(len(middles), bool)
    basis, origin = pitch * np.array(steps), pitch * shift @ np.array(steps)
    for _ in range(3):  # origin and pitch by least squares
        to = whole[good] @ np.array(steps)
        centred, off = to - to.mean(0), middles[good] - middles[good].mean(0)
        if not (centred**2).sum():
            return None
        pitch = float((centred * off).sum() / (centred**2).sum())
        basis = pitch * np.array(steps)
        origin = middles[good].mean(0) - pitch * to.mean(0)
        exact = (middles - origin) @ np.linalg.inv(basis)
        whole = np.rint(exact)
        good = (abs(whole @ basis + origin - middles) < NEAR * pitch).all(1)
    if good.mean() < CLEAR or good.sum() < FEWEST:
        return None
    found = np.unique(whole[good].astype(int), axis=0)
    found = found[np.lexsort((found[:, 0], found[:, 1]))]
    near = {tuple(p) for p in found.tolist()}
    joined = sum((x + 1, y) in near or (x, y + 1) in near for x, y in near)
    if 2 * joined < len(near):  # equal tiles that do not touch: a pitch too small
        return None
    return TileLattice(kind, pitch, origin, basis, found)


def patches(rgb: Array, middles: Array, side: int) -> Array:
    """Return the squares around these points, `(points, side, side, 3)`; the edge is repeated."""
    at = np.arange(side) - (side - 1) / 2
    x, y = (np.rint(middles[:, k, None] + at).astype(int) for k in (0, 1))
    x, y = np.clip(x, 0, rgb.shape[1] - 1), np.clip(y, 0, rgb.shape[0] - 1)
    return np.asarray(rgb[y[:, :, None], x[:, None, :]])
