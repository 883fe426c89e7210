"""Slow, obvious: in how few cells two boards differ, by trying all transforms; near pairs."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from reference.sudoku import Bytes2, board, line_orders


def edits(a: str, b: str, most: int) -> int:
    """The fewest cells that differ after any transform of `a`; `most` + 1 if there are more."""
    best, target = most + 1, board(b)

    def place(source: Bytes2, rows: list[int], orders: Bytes2, cost: NDArray[np.int_]) -> None:
        nonlocal best
        at = len(rows)
        if at == 9:
            for flat in np.unique(source[rows][:, orders].swapaxes(0, 1).reshape(-1, 81), axis=0):
                best = min(best, differing(flat.reshape(9, 9), target))
            return
        tried = set[tuple[int, bytes]]()
        for row in range(9):
            inside = at % 3 == 0 or row // 3 == rows[-1] // 3
            fresh = at % 3 or all(row // 3 != r // 3 for r in rows)
            if row in rows or not inside or not fresh or (row // 3, bytes(source[row])) in tried:
                continue
            tried.add((row // 3, bytes(source[row])))  # equal rows of a band: one of them
            now = cost + ((source[row][orders] > 0) != (target[at] > 0)).sum(axis=1)
            if (now < best).any():
                place(source, [*rows, row], orders[now < best], now[now < best])

    for source in (board(a), board(a).T):
        orders = line_orders()
        _, once = np.unique(
            source[:, orders].swapaxes(0, 1).reshape(-1, 81), axis=0, return_index=True
        )
        place(source, [], orders[once], np.zeros(len(once), np.int64))
    return best


def differing(moved: Bytes2, target: Bytes2) -> int:
    """Cells that differ under the best names for the symbols of `moved`."""
    both = (moved > 0) & (target > 0)
    tally = np.zeros((9, 9), int)
    for x, y in zip(moved[both], target[both], strict=True):
        tally[x - 1, y - 1] += 1
    one = int(((moved > 0) != (target > 0)).sum())
    return one + int(both.sum()) - matching(tally)


def matching(tally: NDArray[np.int_]) -> int:
    """The most that nine names for nine symbols can make agree, over all sets of names."""

    @cache
    def best(symbol: int, free: int) -> int:
        if symbol == 9:
            return 0
        return max(
            int(tally[symbol, k]) + best(symbol + 1, free & ~(1 << k))
            for k in range(9)
            if free >> k & 1
        )

    return best(0, 511)


def near_pairs(
    boards: Sequence[str], most: int, least_form: Callable[[Iterable[str]], list[str]]
) -> set[tuple[int, int, int]]:
    """(first, second, edits) of all pairs of at most `most` edits."""
    having: dict[str, set[int]] = defaultdict(set)
    for i, text in enumerate(boards):
        givens = [k for k, d in enumerate(text) if d != "."]
        gone = [set(c) for n in range(most + 1) for c in combinations(givens, n)]
        for form in least_form(
            "".join("." if k in out else d for k, d in enumerate(text)) for out in gone
        ):
            having[form].add(i)
    candidates = {pair for these in having.values() for pair in combinations(sorted(these), 2)}
    found = {(a, b, edits(boards[a], boards[b], most)) for a, b in candidates}
    return {one for one in found if one[2] <= most}
