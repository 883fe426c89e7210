"""Lattices: started from four corners, fitted to the lines, and scored, several at once.

The start is the homography of the unit square to the corners. `fit` moves the points by polynomials
over the board (for curl, folds and lens distortion): least squares with a ridge penalty, made
robust by iterative reweighting with Cauchy weights. The degree rises while the reach narrows, so
that faint lines cannot bend it early. Arrays of lattices are `(lattices, n + 1, n + 1, 2)`.

`best_comb` finds upright square lattices of one pitch: a matched filter by prefix sums over all
places, with a bound for each block of places. It is for screenshots whose frame is missing, or is
connected with other boxes.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np

from cluewise.pictures.image import Array

_ALONG = np.linspace(0.14, 0.86, 11)  # where an edge is sampled
_STIFFNESS = (1e-3, 0.2, 1.0, 2.0, 3.0)  # of the terms of each degree
_FITTED, _JUDGED = 25, 17  # offsets across an edge
_ROUNDS = 5  # of weighting


class Ink:
    """A plane of ink that can be sampled at places between its pixels, to half a pixel."""

    def __init__(self, plane: Array) -> None:
        self.height, self.width = plane.shape
        double = np.empty((2 * self.height - 1, 2 * self.width - 1), np.float32)
        double[::2, ::2] = plane
        double[1::2, ::2] = 0.5 * (double[:-1:2, ::2] + double[2::2, ::2])
        double[:, 1::2] = 0.5 * (double[:, :-1:2] + double[:, 2::2])
        self.plane, self._double = plane, double

    def profiles(self, points: Array, reach: float, steps: int) -> Array:
        """Return the mean ink along every edge at offsets up to `reach` cells across it.

        `(lattices, 2, n + 1, n, steps)`: first the upright lines from the left, with their edges
        from the top; then the level lines from the top, with their edges from the left.
        """
        lines = np.stack([points.swapaxes(1, 2), points], 1)
        across = np.gradient(lines, axis=2)
        t = _ALONG.reshape(-1, 1, 1, 1, 1, 1)
        at, step = (a[..., :-1, :] * (1 - t) + a[..., 1:, :] * t for a in (lines, across))
        index = np.zeros(1, np.float32)
        offsets = np.linspace(-reach, reach, steps).astype(np.float32)
        height, width = self._double.shape
        for c, last, stride in ((1, height - 1, width), (0, width - 1, 1)):
            middle, by = 2 * at[..., c], 2 * step[..., c]
            place = (
                middle.astype(np.float32)[..., None] + by.astype(np.float32)[..., None] * offsets
            )
            farthest = abs(by) * reach
            if not ((middle - farthest).min() >= 0 and (middle + farthest).max() <= last):
                place = np.fmin(np.fmax(place, 0), last)
            place = np.rint(place)
            index = index + (place * stride if stride > 1 else place)
        return np.asarray(self._double.ravel()[index.astype(np.intp)].mean(0))


def start(corners: Array, n: int) -> tuple[Array, Array]:
    """Return the lattices of plane squares seen with these corners, `(squares, 4, 2)`.

    Corners go clockwise. Squares of which three corners lie on a line are left out; the second
    array, of bool, says which ones are there.
    """
    p = corners.swapaxes(0, 1).astype(float)
    a, b, s = p[1] - p[2], p[3] - p[2], p[0] - p[1] + p[2] - p[3]
    cross = a[:, 0] * b[:, 1] - b[:, 0] * a[:, 1]
    plane = abs(cross) > 1e-6
    cross = np.where(plane, cross, 1)
    g = (s[:, 0] * b[:, 1] - b[:, 0] * s[:, 1]) / cross
    k = (a[:, 0] * s[:, 1] - s[:, 0] * a[:, 1]) / cross
    v, u = np.meshgrid(np.arange(n + 1) / n, np.arange(n + 1) / n, indexing="ij")
    depth = g[:, None, None] * u + k[:, None, None] * v + 1
    seen = plane & (depth > 1e-3).all((1, 2))
    right = p[1] - p[0] + g[:, None] * p[1]
    down = p[3] - p[0] + k[:, None] * p[3]
    u, v = u[None, :, :, None], v[None, :, :, None]
    flat = right[:, None, None] * u + down[:, None, None] * v + p[0][:, None, None]
    return flat[seen] / depth[seen][..., None], seen


def fit(ink: Ink, points: Array, reach: float, degree: int) -> Array:
    """Return lattices after one step towards the lines.

    Along every edge the ink is sampled at offsets across it, up to `reach` cells to either side;
    the best offsets become a polynomial of that degree (1 to 4), by which the points move.
    """
    n = points.shape[1] - 1
    offsets = np.linspace(-reach, reach, _FITTED)
    seen = ink.profiles(points, reach, _FITTED)
    joined = seen.copy()
    joined[..., 1:, :] += 0.5 * seen[..., :-1, :]  # the neighbours along the line
    joined[..., :-1, :] += 0.5 * seen[..., 1:, :]
    penalty = (0.15 * (offsets / reach) ** 2).astype(np.float32)
    joined -= joined.max(-1, keepdims=True) * penalty
    best = offsets[joined.argmax(-1)]
    clear = np.maximum(joined.max(-1) - np.median(joined, -1), 0).reshape(len(points), 2, -1)
    clear = np.minimum(clear / (np.median(clear, -1, keepdims=True) + 1e-9), 1.5)
    by = _polynomials(best.reshape(len(points), 2, -1), clear, n, degree)
    # A polynomial is one of the place along the lines and across them: x and y for upright lines.
    upright, level = by[:, 0].swapaxes(1, 2)[..., None], by[:, 1][..., None]
    return np.asarray(
        points + upright * np.gradient(points, axis=2) + level * np.gradient(points, axis=1)
    )


def _polynomials(offsets: Array, weights: Array, n: int, degree: int) -> Array:
    """Return the polynomials through the offsets `(lattices, 2, edges)` at the points.

    `(lattices, 2, n + 1, n + 1)`: by line, then along it. Iteratively reweighted least squares.
    """
    terms, products, place, ridge, at_points = _terms(n, degree)
    offsets, weights = (a.reshape(-1, offsets.shape[-1]) for a in (offsets, weights.astype(float)))
    weight = weights
    for _ in range(_ROUNDS):
        normal = np.einsum("ce,pe->cp", weight, products)[:, place] + ridge
        right = np.einsum("ce,te->ct", weight * offsets, terms)
        c = np.linalg.solve(normal, right[..., None])[..., 0]
        weight = weights / (1 + ((offsets - c @ terms) / 0.05) ** 2)
    return np.asarray(c @ at_points).reshape(-1, 2, n + 1, n + 1)


@cache
def _terms(n: int, degree: int) -> tuple[Array, Array, Array, Array, Array]:
    """Return the terms at the edges, their products, where each goes, the ridge, terms at points.

    Across and along the lines coordinates go from -1 to 1; edges are seen at their middles.
    """
    powers = [(i, j) for i in range(degree + 1) for j in range(degree + 1 - i)]
    ends, middles = np.arange(n + 1) * 2 / n - 1, (np.arange(n) + 0.5) * 2 / n - 1
    terms, at_points = (
        np.stack([np.outer(ends**i, along**j).ravel() for i, j in powers])
        for along in (middles, ends)
    )
    rows, columns = np.triu_indices(len(powers))
    place = np.empty((len(powers), len(powers)), int)
    place[rows, columns] = place[columns, rows] = np.arange(len(rows))
    ridge = np.diag([_STIFFNESS[i + j] for i, j in powers])
    return terms, terms[rows] * terms[columns], place, ridge, at_points


def score(ink: Ink, points: Array) -> tuple[Array, Array]:
    """Return how much each looks like a lattice, up to 1, and the strengths of its lines.

    `(lattices,)` and `(lattices, 2 * (n + 1))`: the upright lines from the left, then the level
    ones from the top.
    """
    n = points.shape[1] - 1
    seen = ink.profiles(points, 0.4, _JUDGED)
    sides = np.maximum(np.median(seen[..., :5], -1), np.median(seen[..., -5:], -1))
    clear = seen[..., 7:10].max(-1) - sides
    usual = np.array([np.median(c[c > 0]) if (c > 0).any() else 1e-9 for c in clear])
    along = np.sort(clear, -1)[..., n // 4, None]  # a line is one along most of its length
    full = 0.5 * usual + 0.002
    good = np.clip((0.5 * clear + 0.5 * along) / full[:, None, None, None], -0.5, 1)
    x, y = points[..., 0], points[..., 1]
    inside = (x > -3) & (x < ink.width + 2) & (y > -3) & (y < ink.height + 2)
    value = good.mean((1, 2, 3)) * inside.mean((1, 2)) * np.minimum(1, usual / 0.006)
    return value, clear.mean(3).reshape(len(points), -1)


_BLOCK = 4
_CLEAR = np.float32(0.75)  # evidence along a line above which it is clear
_END, _THIRD = 0.6, -0.5  # weights of the outermost lines, of lines a third of a cell from others


class Ridges(NamedTuple):
    """Running sums of the evidence of thin lines at least 11 pixels long.

    Both are for level lines, `(height, width + 1)`; `upright` is of the transposed picture.
    """

    upright: Array
    level: Array


def ridges(grey: Array, kind: int) -> Ridges:
    """Return the evidence for dark lines (kind 1), light ones (-1) or edges of tints (0)."""
    return Ridges(_level_lines(grey.T, kind), _level_lines(grey, kind))


def _level_lines(grey: Array, kind: int) -> Array:
    evidence = np.zeros_like(grey)
    if kind:
        here = grey[2:-2]
        above, below = kind * (grey[:-4] - here), kind * (grey[4:] - here)
        value = 0.5 * np.minimum(above, below) + 0.25 * (above + below)
    else:
        value = 0.5 * abs(grey[3:-1] - grey[1:-3])
    evidence[2:-2, 2:-2] = np.minimum(np.maximum(50 * value, 0), 1)[:, 2:-2]
    sums = np.cumsum(np.pad(evidence, ((0, 0), (6, 5))), axis=1)
    run = sums[:, 11:] - sums[:, :-11]
    kept = evidence * np.minimum(np.maximum(run * (2.2 / 11) - 1, 0), 1)
    wider = kept.copy()
    wider[1:-1] = np.maximum(kept[1:-1], 0.8 * np.maximum(kept[:-2], kept[2:]))
    return np.pad(np.cumsum(wider, axis=1), ((0, 0), (1, 0)))


def best_comb(lines: Ridges, n: int, pitch: float, least: float) -> tuple[float, int, int] | None:
    """Return value, left and top of the best lattice of n×n cells `pitch` pixels wide.

    None if it does not fit, or none is worth more than `least`. Lines a third of a cell from
    others count against it.

    Branch and bound over blocks of places: the level lines' share of a comb hardly changes across a
    block, nor the upright lines' share down it, so one row and one column of a block bound the
    value of all its places. Only blocks that may hold the best one are evaluated.
    """
    upright, level = lines
    length = int(n * pitch + 0.5)
    if length + 1 >= min(len(upright), len(level)):
        return None
    offsets = [min(int(k * pitch + 0.5), length) for k in range(n + 1)]
    thirds = [int((k + third) * pitch + 0.5) for k in range(n) for third in (0.33, 0.67)]
    bound = _bounds(level, length, offsets, thirds) + _bounds(upright, length, offsets, thirds).T
    # A step changes a line's mean by 1 / length at most, and a place lies up to two steps from
    # where either share was taken; the weights of a direction add up to less than 2n + 1.
    bound += _BLOCK * (2 * n + 1) / length + 1e-3
    weights = np.array([_END, *[1.0] * (n - 1), _END, *[_THIRD] * (2 * n)], np.float32)
    places = np.array(offsets + thirds), weights
    value, found = least, None
    order = np.argsort(-bound, axis=None)
    for some in (order[:4], order[4:]):  # the first ones leave few others
        blocks = some[bound.ravel()[some] >= value]
        if not len(blocks):
            continue
        y, x = _places_of(blocks, bound.shape, len(level) - length, len(upright) - length)
        values = _values(lines, x, y, length, *places)
        best = np.lexsort((x, y, -values))[0]
        if values[best] > value:
            value = float(values[best])
            found = value, int(x[best]), int(y[best])
    return found


def _bounds(level: Array, length: int, offsets: list[int], thirds: list[int]) -> Array:
    """Return for every block of places the most that its level lines are worth."""
    wide, high = level.shape[1] - 1 - length, len(level) - length
    at = np.minimum(np.arange(0, wide, _BLOCK) + _BLOCK // 2, wide - 1)
    means = (level[:, at + length] - level[:, at]) * np.float32(1 / length)
    np.minimum(means, _CLEAR, out=means)
    sums = means[thirds[0] : thirds[0] + high].copy()
    for offset in thirds[1:]:
        sums += means[offset : offset + high]
    sums *= _THIRD / _END
    for offset in (offsets[0], offsets[-1]):
        sums += means[offset : offset + high]
    sums *= _END
    for offset in offsets[1:-1]:
        sums += means[offset : offset + high]
    return np.maximum.reduceat(sums, np.arange(0, high, _BLOCK), axis=0)


def _places_of(blocks: Array, shape: tuple[int, ...], high: int, wide: int) -> tuple[Array, Array]:
    """Return the rows and columns of the places of these blocks."""
    j, i = np.divmod(blocks, shape[1])
    inside = np.arange(_BLOCK)
    y = (_BLOCK * j[:, None, None] + inside[:, None] + 0 * inside).ravel()
    x = (_BLOCK * i[:, None, None] + inside + 0 * inside[:, None]).ravel()
    fits = (y < high) & (x < wide)
    return y[fits], x[fits]


def _values(
    lines: Ridges, x: Array, y: Array, length: int, offsets: Array, weights: Array
) -> Array:
    """Return what the combs at these places are worth."""
    out = np.zeros(len(x), np.float32)
    for sums, along, across in ((lines.upright, y, x), (lines.level, x, y)):
        at = (across[:, None] + offsets) * sums.shape[1] + along[:, None]
        flat = sums.ravel()
        means = np.minimum((flat[at + length] - flat[at]) * np.float32(1 / length), _CLEAR)
        out += np.einsum("pk,k->p", means, weights)
    return out
