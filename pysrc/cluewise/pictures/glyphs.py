"""Characters of a screenshot: cut out of its ink, brought to one size, read by a small network.

Ink is a plane from 0 (ground) to 1 (the colour of the text). A box is `top, left, bottom, right` in
pixels, the last two exclusive.
"""

from __future__ import annotations

import numpy as np

from cluewise.pictures.cells import sample
from cluewise.pictures.image import Array
from cluewise.pictures.network import read_layers

CLASSES = "0123456789?{}-#"  # the last one: anything else
HEIGHT, WIDTH, HIDDEN = 18, 12, 48
FEATURES = HEIGHT * WIDTH + 3
INKED = 0.4  # ink from which a pixel belongs to a character


def features(ink: Array, boxes: Array) -> Array:
    """Return what the network is given of every box, `(boxes, FEATURES)`.

    The ink in HEIGHT×WIDTH places, whatever the box's shape, and three features of that shape.
    """
    top, left, bottom, right = np.asarray(boxes, np.float32).reshape(-1, 4).T[..., None]
    v, u = ((np.arange(2 * n, dtype=np.float32) + 0.5) / (2 * n) for n in (HEIGHT, WIDTH))
    y, x = top + (bottom - top) * v - 0.5, left + (right - left) * u - 0.5
    places = (len(top), 2 * HEIGHT, 2 * WIDTH)
    x, y = np.broadcast_to(x[:, None, :], places), np.broadcast_to(y[:, :, None], places)
    drawn = sample(ink[None], x, y)[0].reshape(-1, HEIGHT, 2, WIDTH, 2).mean((2, 4))
    shape = np.clip((right - left) / (bottom - top), 0.1, 3)
    flat = drawn.reshape(len(top), -1)
    return np.concatenate([flat, 2 * shape, 2 * np.minimum(shape, 0.5), 1 / (0.5 + shape)], axis=1)


class Glyphs:
    """The weights of the network's file; raises `HostFailure` if it is damaged."""

    def __init__(self, file: bytes) -> None:
        self._layers = read_layers(file, ((FEATURES, HIDDEN), (HIDDEN, len(CLASSES))))

    def chances(self, given: Array) -> Array:
        """Return the chances of each of CLASSES, `(boxes, classes)`, from their `features`."""
        (first, bias), (last, shift) = self._layers
        hidden = np.maximum(np.einsum("ik,ok->io", given, first) + bias, 0)
        scores = np.einsum("ik,ok->io", hidden, last) + shift
        parts = np.exp(scores - scores.max(1, keepdims=True))
        return np.asarray(parts / parts.sum(1, keepdims=True))
