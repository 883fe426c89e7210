"""Least weighted totals of guesses, for codes that are not equally likely.

    T(S) = sum of w over S + min over guesses of the sum of T over the cells but the win

Depth-first branch and bound over sets of codes, each solved once. Lower bound of a cell with
weights w1 >= w2 >= ...: w1 + 2 (w2 + ...), since the next guess finds one code at most. For some
dozens of codes; the cost grows exponentially.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence

from cluewise.core.work import Job, Progress
from cluewise.desks.code.position import Rules, answer

Steps = tuple[tuple[int, int], ...]
"""Codes by their place, and the guess that finds each: `((0, 2), (1, 1))`."""
_PAUSE = 0.03  # seconds between reports
_NOTE = "weighing guesses to the end"


class WeightedSearch:
    """Searches for least totals over `codes`, whose weights are integers >= 0."""

    def __init__(
        self, rules: Rules, codes: Sequence[str], guesses: Iterable[str], weights: Sequence[int]
    ) -> None:
        self.weights = weights
        self.win = rules.win
        self.columns: list[list[tuple[int, int]]] = []
        self.solved: dict[tuple[int, ...], tuple[int, Steps]] = {}
        self.reported = time.perf_counter()
        seen = set[tuple[tuple[int, int], ...]]()
        for guess in guesses:
            column = [answer(rules, guess, code) for code in codes]
            if tuple(column) not in seen:
                seen.add(tuple(column))
                self.columns.append(column)

    def best(self, members: tuple[int, ...]) -> Job[tuple[int, Steps]]:
        """The least total of a set of codes, and the steps of a strategy that has it."""
        if len(members) == 1:
            return self.weights[members[0]], ((members[0], 1),)
        if members not in self.solved:
            options = self._options(members, self.columns)
            self.solved[members] = yield from self._search(members, options)
        return self.solved[members]

    def best_among(
        self, members: tuple[int, ...], columns: Sequence[list[tuple[int, int]]]
    ) -> Job[tuple[int, Steps]]:
        """The same where the first guess is one of these columns of answers."""
        return (yield from self._search(members, self._options(members, columns)))

    def _cells(
        self, members: Sequence[int], column: Sequence[tuple[int, int]]
    ) -> dict[tuple[int, int], list[int]]:
        cells: dict[tuple[int, int], list[int]] = {}
        for code in members:
            cells.setdefault(column[code], []).append(code)
        return cells

    def _options(
        self, members: tuple[int, ...], columns: Sequence[list[tuple[int, int]]]
    ) -> list[tuple[int, int, dict[tuple[int, int], list[int]]]]:
        """Guesses that split the set differently, by their lower bound."""
        whole = sum(self.weights[code] for code in members)
        options, seen = [], set[tuple[object, ...]]()
        for place, column in enumerate(columns):
            cells = self._cells(members, column)
            if len(cells) == 1:
                continue
            parts = sorted(tuple(cell) for result, cell in cells.items() if result != self.win)
            key = (*parts, self.win in cells)
            if key in seen:
                continue
            seen.add(key)
            low = whole
            for part in parts:
                weights = [self.weights[code] for code in part]
                low += 2 * sum(weights) - max(weights)
            options.append((low, place, cells))
        options.sort(key=lambda option: option[:2])
        return options

    def _search(
        self,
        members: tuple[int, ...],
        options: Sequence[tuple[int, int, dict[tuple[int, int], list[int]]]],
    ) -> Job[tuple[int, Steps]]:
        whole = sum(self.weights[code] for code in members)
        best, steps = -1, Steps()
        for low, _, cells in options:
            if 0 <= best <= low:
                break
            if time.perf_counter() - self.reported > _PAUSE:
                self.reported = time.perf_counter()
                yield Progress(len(self.solved), None, _NOTE)
            total, here = whole, list[tuple[int, int]]()
            for result, cell in sorted(cells.items(), key=lambda item: len(item[1])):
                if result == self.win:
                    here.append((cell[0], 1))
                    continue
                value, found = yield from self.best(tuple(cell))
                total += value
                if 0 <= best <= total:
                    break
                here += ((code, k + 1) for code, k in found)
            else:
                best, steps = total, tuple(here)
        return best, steps
