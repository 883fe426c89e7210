"""Class probabilities of the symbols in the cells of a lattice, by a convolutional network.

They are corrected by the similarity of cells on one board and by the height of the symbols in their
cells. Cells with a second ink are found by 2-means clustering of the colours.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np

from cluewise.kernel.files import read
from cluewise.pictures import cells as pictured
from cluewise.pictures.cells import SIDE
from cluewise.pictures.image import Array, Image
from cluewise.pictures.network import Network

SMALL_G = 16  # the symbol g: as a small letter it looks like a 9 with a descender
HANGS, SPREAD = 0.27, 0.06  # depth of the descender; deviation of symbols; in heights of a digit
CLEAR, FEWEST = 0.9, 8  # probability of digits that locate the baseline; the fewest such digits
STEP = 29  # cells are read in this stride, so that the first third is spread over the board
LEAST, ALL = 14, 81  # a board has at least 14 symbols in 81 cells
SCANT = 0.4  # share of these in three times the first third, below which the rest is not read
SCALE_RANK = 12  # the scale is the strength of the 13th strongest ink of 81 cells
UNSEEN = 1e-9  # probability of each symbol in a cell without ink in its middle
PATTERN, PATTERNS = 0.95, 8  # probability of a reference symbol; pairs that measure similarity
SLACK, WEIGHT, MOST = 0.01, 40.0, 2.0  # tolerance of similarity; nats for each 1 below it, at most


class CellReadings(NamedTuple):
    """The cells of a lattice as read, in reading order."""

    chances: Array
    """`(cells, symbols + 1)`: the probability of blank and of every symbol."""
    ink: Array
    """`(cells, 3)`: the colour of the ink."""

    @property
    def raw(self) -> list[int]:
        """The most probable symbol of every cell, without regard to the rules; 0 is blank."""
        likeliest: list[int] = self.chances.argmax(1).tolist()
        return likeliest


def mean_log_likelihood(chances: Array) -> float:
    """The mean log probability of the most probable symbols."""
    return float(np.log(chances.max(1)).mean())


@cache
def network() -> Network:
    """The network of the symbols, loaded on first use."""
    return Network(read("cluewise.desks.sudoku", "digits.bin"))


class Reader:
    """Reads cells of one picture, at a size at which a cell is a little over SIDE pixels."""

    def __init__(self, image: Image) -> None:
        self.image = image
        self.spent = 0
        """The number of cells that the network has read."""

    def cut(self, points: Array, n: int, side: float) -> tuple[Array, Array]:
        """The normalised ink `(n, n, SIDE, SIDE)` of a lattice's cells and its colours `(n, n, 3)`.

        `points`: the lattice, `side`: the side of a cell in pixels.
        """
        longer = max(self.image.width, self.image.height) * min(1.0, 1.3 * SIDE / side)
        picture = self.image.sized(longer)
        cells = pictured.cut(picture.rgb, picture.from_original(points))
        place = min(n * n - 1, round(SCALE_RANK * n * n / ALL))
        scale = max(0.0, float(np.sort(cells.strength)[::-1][place]))
        ink = pictured.normalised(cells, scale)
        return ink.reshape(n, n, SIDE, SIDE), cells.ink_colour.reshape(n, n, 3)

    def seen(
        self, cells: tuple[Array, Array], turn: int = 0, *, whole: bool = False
    ) -> CellReadings:
        """Read the cells that `cut` returned, rotated by `turn` quarters against the clock.

        Unless `whole`, cells that early turn out to be no board (too few symbols) count as blank.
        """
        turned, colours = (np.rot90(a, turn) for a in cells)
        n = len(turned)
        ink = np.rot90(turned, turn, (2, 3)).reshape(n * n, SIDE, SIDE)
        chances = self._chances(ink, n + 1, whole=whole)
        if n >= SMALL_G:
            chances = apply_baseline_offsets(chances, pictured.ends(ink))
        return CellReadings(compared(ink, chances), colours.reshape(n * n, 3))

    def _chances(self, ink: Array, classes: int, *, whole: bool) -> Array:
        """The class probabilities; the network reads no cell without ink."""
        many = len(ink)
        order = np.arange(many) * STEP % many
        order = order[pictured.has_ink(ink)[order]]
        out = np.full((many, classes), UNSEEN)
        out[:, 0] = 1 - UNSEEN * (classes - 1)
        least = LEAST * many / ALL
        if not whole and len(order) < least:
            return out
        third = -(-len(order) // 3)
        self._read(ink, order[:third], out)
        symbols = (out[order[:third]].argmax(1) > 0).sum()
        if whole or 3 * symbols >= SCANT * least:
            self._read(ink, order[third:], out)
        return out

    def _read(self, ink: Array, which: Array, out: Array) -> None:
        """Write the probabilities of these cells to `out`."""
        self.spent += len(which)
        out[which] = network().chances(ink[which], out.shape[1])


def compared(ink: Array, chances: Array) -> Array:
    """The probabilities, corrected by the similarity of unclear symbols to clear ones.

    The symbols of a board have one font: one that is less similar to every clear 1 than clear
    symbols of a kind are to each other is hardly a 1. Without a kind that is clear twice nothing
    changes. `ink`: normalised cells.
    """
    raw, most = chances.argmax(1), chances.max(1)
    unclear = np.flatnonzero((raw > 0) & (most < CLEAR))
    clear = np.flatnonzero((raw > 0) & (most > PATTERN))
    kinds = raw[clear]
    pairs = clear[np.bincount(kinds, minlength=chances.shape[1])[kinds] > 1][:PATTERNS]
    if not len(unclear) or not len(pairs) or len(unclear) > len(clear):
        return chances
    alike = pictured.similarity(ink, pairs, clear)
    others = (raw[pairs][:, None] == kinds) & (pairs[:, None] != clear)
    usual = np.where(others, alike, -np.inf).max(1).min() - SLACK
    out = chances.copy()
    for i, row in zip(unclear, pictured.similarity(ink, unclear, clear), strict=True):
        nearest = np.full(chances.shape[1], -np.inf)
        np.maximum.at(nearest, kinds, row)
        lost = np.minimum(MOST, WEIGHT * np.maximum(0.0, usual - nearest))
        out[i] *= np.where(np.isfinite(nearest), np.exp(-lost), 1.0)
        out[i] /= out[i].sum()
    return out


def apply_baseline_offsets(chances: Array, ends: Array) -> Array:
    """The probabilities, corrected by the height of each symbol: a small g is a 9 with a descender.

    `ends` are the upper and the lower end of every cell's ink, `(cells, 2)`, in any unit. A prior
    of one half for capitals, which are on the baseline. In fonts whose digits are at different
    heights (old-style figures) nothing changes.
    """
    middle, height = ends.mean(1), ends[:, 1] - ends[:, 0]
    clear = chances[:, 1 : SMALL_G // 2 + 1].max(1) > CLEAR
    if clear.sum() < FEWEST:
        return chances
    line, tall = np.median(middle[clear]), np.median(height[clear])
    own = np.sort(abs(middle[clear] - line))
    if tall <= 0 or own[len(own) * 9 // 10] > HANGS / 2 * tall:
        return chances
    # The likelihood ratio of g to the others: two normal distributions of the height.
    low = (middle - line) / tall
    ratio = np.exp(np.minimum((low**2 - (low - HANGS) ** 2) / (2 * SPREAD**2), 12.0))
    out = chances.copy()
    out[:, SMALL_G] *= (1 + ratio) / 2
    return np.where(chances[:, :1] < 0.5, out / out.sum(1, keepdims=True), chances)


# -- printed symbols and a player's own: distinguished by colour if there are clearly two ----------

_LEAST_DISTANCE, _LARGEST_SPREAD, _FEWEST_OF_AN_INK = 0.22, 0.4, 3
_MORE_COLOURFUL = 0.15


def pencilled_cells(seen: CellReadings, cells: Sequence[int]) -> list[int]:
    """Cells whose symbols have the more colourful of two clearly different inks; else none.

    2-means clustering, started from the two most distant inks. The clusters are clearly different
    if the distance of their means is at least _LEAST_DISTANCE (of 1, along red, green and blue),
    and the median ink of each is within _LARGEST_SPREAD of that distance of its mean.
    """
    filled = np.flatnonzero(list(cells))
    if len(filled) < 2 * _FEWEST_OF_AN_INK:
        return []
    inks = seen.ink[filled].astype(float)
    first = inks[_distances(inks, inks.mean(0)).argmax()]
    means = [first, inks[_distances(inks, first).argmax()]]
    for _ in range(8):
        second = _distances(inks, means[0]) > _distances(inks, means[1])
        if min(second.sum(), (~second).sum()) < _FEWEST_OF_AN_INK:
            return []
        means = [inks[~second].mean(0), inks[second].mean(0)]
    second = _distances(inks, means[0]) > _distances(inks, means[1])
    parts = [~second, second]
    distance = float(_distances(means[0], means[1]))
    spread = max(
        np.sort(_distances(inks[part], mean))[part.sum() // 2]
        for part, mean in zip(parts, means, strict=True)
    )
    if distance < _LEAST_DISTANCE or spread > _LARGEST_SPREAD * distance:
        return []
    colourful = [mean.max() - mean.min() for mean in means]
    bright = int(colourful[1] > colourful[0])
    if colourful[bright] < colourful[1 - bright] + _MORE_COLOURFUL:
        return []
    found: list[int] = filled[parts[bright]].tolist()
    return found


def _distances(colours: Array, colour: Array) -> Array:
    return np.asarray(np.sqrt(((colours - colour) ** 2).sum(-1)))
