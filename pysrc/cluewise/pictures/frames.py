"""Frames: the four outermost points of the large connected components of a picture's ink.

Run-based connected-component labelling: a component is a set of runs (maximal stretches of ink in
one row) that touch, corners included. Labels of touching runs are merged until none differ, with
pointer jumping. Cost: O(pixels + runs log runs).
"""

from __future__ import annotations

import numpy as np

from cluewise.pictures.image import Array

PARTS = 6
_TURNS = np.deg2rad([-40, -20, 0, 20, 40])


def quads(ink: Array, threshold: float, least: float) -> list[Array]:
    """Return the corners of the large parts of `ink > threshold`, the largest part first.

    Each is `(4, 2)`: x and y, clockwise from the corner nearest the upper left. `least`: the pixels
    that width and height of a part must exceed. At most PARTS of them.
    """
    row, start, end, first = runs_by_part(ink > threshold)
    if not len(row):
        return []
    height = np.maximum.reduceat(row, first) - row[first]  # a part's runs are in order of rows
    width = np.maximum.reduceat(end, first) - np.minimum.reduceat(start, first)
    large = (width > least) & (height > least) & (width < 3 * height) & (height < 3 * width)
    chosen = np.flatnonzero(large)
    last = np.append(first[1:], len(row))
    found = []
    for k in chosen[np.argsort(-(width * height)[chosen], kind="stable")][:PARTS]:
        runs = slice(first[k], last[k])
        quad, area = _outermost(row[runs], start[runs], end[runs])
        sides = np.hypot(*(quad - np.roll(quad, -1, 0)).T)
        if area >= 0.275 * width[k] * height[k] and sides.min() >= 0.4 * sides.max():
            found.append(np.roll(quad, -int(np.argmin(quad.sum(1))), 0))
    return found


def runs_by_part(mask: Array) -> tuple[Array, Array, Array, Array]:
    """Return row, first column and end column of every run, part by part, and where parts begin."""
    row, start, end = _runs(mask)
    part = _components(row, start, end, mask.shape[1] + 2)
    order = np.argsort(part, kind="stable")
    first = np.flatnonzero(np.diff(part[order], prepend=-1))
    return row[order], start[order], end[order], first


def _runs(mask: Array) -> tuple[Array, Array, Array]:
    """Return row, first column and end column of every run, in reading order."""
    height, width = mask.shape
    padded = np.zeros((height, width + 2), bool)
    padded[:, 1:-1] = mask
    edges = np.flatnonzero(padded[:, 1:] != padded[:, :-1])
    row, start = np.divmod(edges[::2], width + 1)
    return row, start, edges[1::2] - row * (width + 1)


def _components(row: Array, start: Array, end: Array, pitch: int) -> Array:
    """Return a number for every run, the same for all runs of a part.

    `pitch` is larger than a row is long, so that row * pitch + column orders all ends of runs.
    """
    count = len(row)
    starts, ends = row * pitch + start, row * pitch + end
    low = np.searchsorted(ends, starts + pitch)  # the runs of the next row that touch
    high = np.searchsorted(starts, ends + pitch, "right")
    touching = np.maximum(high - low, 0)
    above = np.repeat(np.arange(count), touching)
    offset = np.arange(len(above)) - np.repeat(np.cumsum(touching) - touching, touching)
    below = np.repeat(low, touching) + offset
    parent = np.arange(count)
    while len(above):
        a, b = parent[above], parent[below]
        parent[np.maximum(a, b)] = np.minimum(a, b)
        while (parent[parent] != parent).any():
            parent = parent[parent]
        differ = parent[above] != parent[below]
        above, below = above[differ], below[differ]
    return parent


def _outermost(row: Array, start: Array, end: Array) -> tuple[Array, float]:
    """Return the points farthest out in the turn in which they span most, and that area.

    Of points equally far out the uppermost counts, of these the leftmost.
    """
    x = np.stack([start, end - 1], 1).ravel().astype(float)
    y = np.repeat(row, 2).astype(float)
    cos, sin = np.cos(_TURNS)[:, None], np.sin(_TURNS)[:, None]
    u, v = x * cos + y * sin, y * cos - x * sin
    at = np.stack([f.argmax(1) for f in (-u - v, u - v, u + v, v - u)], 1)
    points = np.stack([x[at], y[at]], 2)
    after = np.roll(points, -1, 1)
    areas = abs((points[..., 0] * after[..., 1] - after[..., 0] * points[..., 1]).sum(1)) / 2
    best = 0
    for k in range(1, len(areas)):
        best = k if areas[k] > areas[best] * 1.02 else best
    return points[best], float(areas[best])
