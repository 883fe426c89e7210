"""Chances of mines as an array of the board's shape."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from cluewise.arrays.checks import asked


def probabilities(position: Any = None, *, ignore_flags: bool = False) -> NDArray[np.float64]:
    """Return the chance of a mine in every hidden cell, from 0 to 1, as float64.

    >>> board = {"board": {"kind": "square", "width": 2, "height": 1, "total": 1}}
    >>> probabilities(board).tolist()
    [[0.5, 0.5]]

    `(height, width)` for a rectangle, rows from the top; `(cells,)` for a board given by its
    `neighbours`. NaN for open cells and where the chance is not known; 0.0 and 1.0 only where every
    layout agrees, while `mines.solve` says whether the others are exact or estimated.
    Raises `BadPosition`, and `Contradiction` if no layout fits.
    """
    board, found, _ = asked("mines", "solve", position, ignore_flags=ignore_flags)
    flat = np.array(found.probability, np.float64)  # None becomes NaN
    if board.board is None:
        return flat
    return flat.reshape(board.board.height, board.board.width)
