"""The map of a scan as arrays of tiles."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cluewise.arrays.checks import asked


class ScanMap(NamedTuple):
    """The result of `classes`. Row 0 has the lowest y, as coordinates of the game do."""

    labels: NDArray[np.int32]
    """`(height, width)`: the class of each tile, -1 on a wall."""
    information: NDArray[np.float64]
    """`(height, width)`: expected information of a scan there in bits, NaN on a wall."""
    origin: tuple[int, int]
    """x and y of the tile `[0, 0]`: tile (x, y) is `labels[y - origin[1], x - origin[0]]`."""


def classes(position: Any = None) -> ScanMap:
    """Return class labels and information of the window in which scans differ.

    Tiles outside it all answer alike. Empty arrays for a region without spots. Raises
    `BadPosition`, and `Contradiction` if no spot is left.
    """
    _, found, drawn = asked("scan", "classes", position, drawing=True)
    if not drawn:
        return ScanMap(np.zeros((0, 0), np.int32), np.zeros((0, 0)), (0, 0))
    columns, rows = (np.diff(np.array(drawn[name])).tolist() for name in ("columns", "rows"))
    labels = np.array(drawn["labels"], np.int32).reshape(len(rows), len(columns))
    bits = np.array(drawn["bits"])[np.array(drawn["split"], np.int64)]
    values = np.where(labels >= 0, bits[labels], np.nan)
    labels, values = (np.repeat(np.repeat(x, rows, 0), columns, 1) for x in (labels, values))
    return ScanMap(labels, values, (found.window[0], found.window[2]))
