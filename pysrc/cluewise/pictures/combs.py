"""Combs: upright square lattices found by running sums over all places.

They are for screenshots whose frame is missing, or has grown together with other boxes.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from cluewise.pictures.image import Array

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

    The level lines' share of a comb hardly changes across a block of places, nor the upright
    lines' share down it: one row and one column of a block bound what its places can be worth,
    and only blocks that may hold the best one are looked at in full.
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
