"""Inference of two small neural networks: for a board's cells, and for a screenshot's characters.

`Network` is convolutional: four 3×3 convolutions, each a matrix product of its neighbourhoods
(im2col), and one fully connected layer. `Glyphs` has two fully connected layers. Both use ReLU.

A file has one line of JSON, then for each layer its weights as int8 `(inputs, outputs)`, a scale
and a bias for each output as float32. The inputs of a convolution are its nine places, row by row,
each with all channels.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cluewise.errors import HostFailure
from cluewise.pictures.cells import sample
from cluewise.pictures.image import Array

_LAYERS = ((9, 12, 1), (108, 24, 2), (216, 44, 2), (396, 72, 2), (648, 17, 0))  # with the stride
CLASSES = _LAYERS[-1][1]
_BATCH = 32  # cells


def read_layers(file: bytes, sizes: Sequence[tuple[int, int]]) -> list[tuple[Array, Array]]:
    """Return weights `(outputs, inputs)` and bias `(outputs,)` of every layer of a network's file.

    `sizes`: inputs and outputs of each. Raises `HostFailure` if the file is damaged.
    """
    data = file.partition(b"\n")[2]
    if len(data) != sum(outputs * (inputs + 8) for inputs, outputs in sizes):
        raise HostFailure("The file of a network that reads pictures is damaged.")
    layers: list[tuple[Array, Array]] = []
    at = 0
    for inputs, outputs in sizes:
        whole = np.frombuffer(data, np.int8, inputs * outputs, at).reshape(inputs, outputs)
        at += inputs * outputs
        scale, bias = np.frombuffer(data, "<f4", 2 * outputs, at).reshape(2, outputs)
        at += 8 * outputs
        layers.append((np.ascontiguousarray((whole * scale).T, np.float32), bias))
    return layers


class Network:
    """The weights of a network's file; raises `HostFailure` if it is damaged."""

    def __init__(self, file: bytes) -> None:
        self._layers = read_layers(file, [layer[:2] for layer in _LAYERS])

    def scores(self, cells: Array) -> Array:
        """Return the scores `(cells, CLASSES)` of normalised cells `(cells, 24, 24)`."""
        batches = [cells[k : k + _BATCH] for k in range(0, len(cells), _BATCH)]
        return np.concatenate([*map(self._scores, batches)] or [np.zeros((0, CLASSES))])

    def chances(self, cells: Array, classes: int) -> Array:
        """Return the chances of the first `classes` classes, `(cells, classes)`."""
        return softmax(self.scores(cells)[:, :classes].astype(float))

    def _scores(self, cells: Array) -> Array:
        values = cells[..., None].astype(np.float32)
        for (weights, bias), (_, _, stride) in zip(self._layers[:-1], _LAYERS[:-1], strict=True):
            around = neighbourhoods(values, stride)
            # einsum with both operands contiguous: without BLAS it is three times faster than @
            out = np.einsum("ik,ok->io", around.reshape(-1, around.shape[-1]), weights)
            values = np.maximum(out + bias, 0).reshape(*around.shape[:3], -1)
        weights, bias = self._layers[-1]
        flat = values.reshape(len(cells), -1)
        return np.asarray(np.einsum("ik,ok->io", flat, weights) + bias)


def softmax(scores: Array) -> Array:
    """Return class probabilities from scores, row by row."""
    powers = np.exp(scores - scores.max(1, keepdims=True))
    return np.asarray(powers / powers.sum(1, keepdims=True))


def neighbourhoods(values: Array, stride: int) -> Array:
    """Return the 3×3 places around every `stride`-th place, zero outside; channels last."""
    count, side, _, channels = values.shape
    wide = np.zeros((count, side + 2, side + 2, channels), np.float32)
    wide[:, 1:-1, 1:-1] = values
    small = side // stride
    out = np.empty((count, small, small, 9, channels), np.float32)
    for k in range(9):
        i, j = divmod(k, 3)
        out[..., k, :] = wide[:, i : i + side : stride, j : j + side : stride]
    return out.reshape(count, small, small, 9 * channels)


# Characters of a screenshot: cut out of its ink, brought to one size. Ink is a plane from 0
# (ground) to 1 (the colour of the text); a box is top, left, bottom, right in pixels, the last two
# exclusive.
CHARACTERS = "0123456789?{}-#"  # the last one: anything else
HEIGHT, WIDTH, HIDDEN = 18, 12, 48
FEATURES = HEIGHT * WIDTH + 3
INKED = 0.4  # ink from which a pixel belongs to a character


def features(ink: Array, boxes: Array) -> Array:
    """Return the input of the network for every box, `(boxes, FEATURES)`.

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
        self._layers = read_layers(file, ((FEATURES, HIDDEN), (HIDDEN, len(CHARACTERS))))

    def chances(self, given: Array) -> Array:
        """Return the chances of each of CHARACTERS, `(boxes, classes)`, from their `features`."""
        (first, bias), (last, shift) = self._layers
        hidden = np.maximum(np.einsum("ik,ok->io", given, first) + bias, 0)
        return softmax(np.einsum("ik,ok->io", hidden, last) + shift)
