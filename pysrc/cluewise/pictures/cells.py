"""Cells of a lattice: cut out by bilinear sampling, then normalised.

The ink of a cell is the projection of its colours, less the paper's, on their first principal
component (power iteration), in units of its strength.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from cluewise.pictures.image import Array

SIDE = 24  # pixels along the side of a normalised cell
_EDGE = 4  # pixels at its sides that may show lines
_MIDDLE = slice(_EDGE, SIDE - _EDGE)
_CENTRE = slice(7, SIDE - 7)  # where every symbol has ink
_INKED, _FEWEST = 0.4, 4  # the ink of a pixel; the fewest such pixels in an inked centre
_OFF = 2  # pixels by which equal symbols may be displaced


class InkedCells(NamedTuple):
    """The cells of a lattice, in reading order."""

    ink: Array
    """`(cells, SIDE, SIDE)`: along the cell's first principal component, positive for ink."""
    strength: Array
    """`(cells,)`: of the ink."""
    ink_colour: Array
    """`(cells, 3)`: red, green and blue, 0 to 1."""
    paper: Array
    """`(cells, 3)`: likewise."""


def cut(rgb: Array, points: Array) -> InkedCells:
    """Return the cells of a lattice in a picture of three planes, `(3, height, width)`."""
    t = (np.arange(SIDE) + 0.5) / SIDE
    a, b = points[:-1], points[1:]
    left = a[:, :, None] + (b - a)[:, :, None] * t[:, None]  # row, column, pixel row, x and y
    across = (left[:, 1:] - left[:, :-1])[..., None] * t
    at = left[:, :-1, ..., None] + across
    count = (len(points) - 1) ** 2
    x, y = (at[..., c, :].reshape(count, SIDE * SIDE) for c in (0, 1))
    pixels = sample(rgb, x, y).reshape(3, count, SIDE, SIDE)
    middle = pixels[:, :, _MIDDLE, _MIDDLE].reshape(3, count, -1)
    paper = np.median(middle, axis=2)
    off = middle - paper[..., None]
    axis = _main_axis(off)
    along = (off * axis[..., None]).sum(0)
    axis = np.where((along**3).sum(1) < 0, -axis, axis)
    along = (off * axis[..., None]).sum(0)
    place = int(0.96 * along.shape[1])
    strength = np.partition(along, place, axis=1)[:, place]
    inked = along >= strength[:, None]
    colour = paper + (off * inked).sum(2) / inked.sum(1)
    ink = ((pixels - paper[..., None, None]) * axis[..., None, None]).sum(0)
    return InkedCells(ink, strength, colour.T, paper.T)


def sample(planes: Array, x: Array, y: Array) -> Array:
    """Return the bilinear samples of several planes; the edge is repeated."""
    height, width = planes.shape[1:]
    x, y = (np.fmin(np.fmax(a, 0), n - 1.001) for a, n in ((x, width), (y, height)))
    column, row = x.astype(np.intp), y.astype(np.intp)
    u, v = (x - column).astype(np.float32), (y - row).astype(np.float32)
    at = row * width + column
    out = np.empty((len(planes), *x.shape), np.float32)
    for plane, sampled in zip(planes.reshape(len(planes), -1), out, strict=True):
        upper, lower = plane[at], plane[at + width]
        upper += (plane[at + 1] - upper) * u
        lower += (plane[at + width + 1] - lower) * u
        sampled[:] = upper + (lower - upper) * v
    return out


def _main_axis(off: Array) -> Array:
    """Return the first principal component of each cell's colours, `(3, cells)`, of length 1."""
    covariance = np.array([[(p * q).sum(1) for q in off] for p in off], float)
    axis = np.full(off.shape[:2], 3**-0.5)
    for _ in range(6):
        axis = (covariance * axis).sum(1) + 1e-9
        axis /= np.sqrt((axis**2).sum(0)) + 1e-12
    return axis.astype(np.float32)


def normalised(cells: InkedCells, scale: float) -> Array:
    """Return ink in units of its strength, or of 0.42 * scale where that is more."""
    unit = np.maximum(cells.strength, np.float32(0.42 * scale)) + np.float32(1e-6)
    ink = cells.ink * (1 / unit)[:, None, None]
    return np.minimum(np.maximum(ink, np.float32(-1.2)), np.float32(1.6))


def has_ink(ink: Array) -> Array:
    """Return which cells have four pixels of normalised ink or more in their centre."""
    inked = ink[:, _CENTRE, _CENTRE] >= np.float32(_INKED)
    return np.asarray(inked.sum((1, 2)) >= _FEWEST)


def ends(ink: Array) -> Array:
    """Return where the symbols end, `(cells, 2)`: upper and lower end, in pixels of SIDE.

    The symbol is what lies nearest to the middle of the cell; an end is where its ink is half as
    strong. 0 and 0 where there is none.
    """
    most = ink[:, :, _MIDDLE].max(2)
    half, out = SIDE // 2, np.zeros((len(ink), 2))
    order = [y for off in range(half) for y in (half - off, half + off)]
    for cell, rows in enumerate(most.tolist()):
        first = next((y for y in order if rows[y] >= 0.5), 0)
        for k, step in enumerate((-1, 1) if first else ()):
            y = first
            while 0 <= y + step < SIDE and rows[y + step] >= 0.5:
                y += step
            part = (rows[y] - 0.5) / (rows[y] - rows[y + step]) if 0 <= y + step < SIDE else 0
            out[cell, k] = y + step * part
    return out


def similarity(ink: Array, these: Array, those: Array) -> Array:
    """Return the correlation of each of `these` cells with each of `those`, `(these, those)`.

    The middle of the latter is compared with the best of 25 places, up to two pixels off, in the
    former; 0 where either has no ink at all.
    """
    patterns = _shapes(ink[those, _MIDDLE, _MIDDLE])
    wide = slice(_EDGE - _OFF, SIDE - _EDGE + _OFF)
    size = SIDE - 2 * _EDGE
    out = np.zeros((len(these), len(those)))
    for row, cell in enumerate(these):
        places = np.lib.stride_tricks.sliding_window_view(ink[cell, wide, wide], (size, size))
        shapes = _shapes(places.reshape(-1, size, size))
        found = np.einsum("pk,qk->pq", shapes, patterns)
        found[~shapes.any(1)] = -1
        out[row] = np.where(patterns.any(1) & shapes.any(), found.max(0), 0)
    return out


def _shapes(cells: Array) -> Array:
    """Return cells as rows of mean 0 and length 1; 0 where all pixels are alike."""
    flat = cells.reshape(len(cells), -1)
    flat = flat - flat.mean(1, keepdims=True)
    length = np.sqrt((flat**2).sum(1, keepdims=True))
    return np.where(length > 1e-3, flat / np.maximum(length, np.float32(1e-3)), 0)
