"""Views of a complete 9×9 grid, one row order after the other, all 1296 column orders at once."""

from typing import Any

import numpy as np

from reference.sudoku import line_orders


def _full(cells: Any) -> Any:
    """Which of many boards hold nine different symbols in these cells."""
    return np.bitwise_or.reduce(1 << cells, axis=1) == 1022


def _apart(boards: Any, moves: list[tuple[int, int]]) -> Any:
    out = np.ones(len(boards), bool)
    for down, right in moves:
        a = boards[:, : 9 - down, max(0, -right) : 9 - max(0, right)]
        b = boards[:, down:, max(0, right) : 9 + min(0, right)]
        out &= (a != b).all((1, 2))
    return out


def _obeys(boards: Any, kind: str) -> Any:
    """Which of these boards obey the rule."""
    if kind == "diagonals":
        line = np.arange(9)
        return _full(boards[:, line, line]) & _full(boards[:, line, 8 - line])
    if kind == "windows":
        parts = [boards[:, r : r + 3, c : c + 3] for r in (1, 5) for c in (1, 5)]
        return np.all([_full(part.reshape(-1, 9)) for part in parts], 0)
    if kind == "disjoint":
        parts = [boards[:, r::3, c::3] for r in range(3) for c in range(3)]
        return np.all([_full(part.reshape(-1, 9)) for part in parts], 0)
    if kind == "antiknight":
        return _apart(boards, [(1, 2), (1, -2), (2, 1), (2, -1)])
    return _apart(boards, [(1, 1), (1, -1)])


def least_views(grid: str, kind: str) -> tuple[int, str]:
    """How many of the 3 359 232 cell maps obey the rule, and the least of them, renamed."""
    board = np.array([int(symbol) for symbol in grid]).reshape(9, 9)
    count, least = 0, ""
    for turned in (board, board.T):
        for rows in line_orders():
            boards = turned[rows][:, line_orders()].transpose(1, 0, 2)
            for found in boards[_obeys(boards, kind)].reshape(-1, 81):
                count += 1
                names: dict[int, str] = {}
                text = "".join(names.setdefault(d, str(len(names) + 1)) for d in found)
                least = min(least or text, text)
    return count, least
