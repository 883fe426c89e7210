"""The simplest reasons why two boards differ: counts of givens, symbols and shared strips."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

from cluewise.core.text import pluralize
from cluewise.desks.sudoku.position import SYMBOLS, Cells, Shape
from cluewise.desks.sudoku.results import Because, Meetings

_PAIRS_SHOWN = 3


def givens(a: Cells, b: Cells, shape: Shape) -> Because | None:
    """Different numbers of givens."""
    n, m = shape.cells - a.count(0), shape.cells - b.count(0)
    if n == m:
        return None
    return Because("givens", f"The first has {n} givens, the second {m}.", n, m)


def symbols(a: Cells, b: Cells, shape: Shape) -> Because | None:
    """Symbols that occur differently often, whatever they are called."""
    x, y = (sorted((g.count(d) for d in range(1, shape.size + 1)), reverse=True) for g in (a, b))
    if x == y:
        return None
    text = (
        "How often the symbols occur, largest first: "
        f"{' '.join(map(str, x))} in the first, {' '.join(map(str, y))} in the second."
    )
    return Because("symbols", text, first_lists=[x], second_lists=[y])


def names(a: Cells, b: Cells, shape: Shape) -> Because | None:
    """A symbol that occurs differently often under its own name."""
    for d in range(1, shape.size + 1):
        n, m = a.count(d), b.count(d)
        if n != m:
            symbol = SYMBOLS[d - 1]
            return Because(
                "names", f"{symbol} stands {n} times in the first, {m} times in the second.", n, m
            )
    return None


def count_shared_strips(cells: Cells, shape: Shape) -> Counter[tuple[int, int]]:
    """For each pair of symbols, in how many strips (a line's part inside one box) both stand."""
    n = shape.size
    found = Counter(dict.fromkeys(combinations(range(1, n + 1), 2), 0))
    across = [range(at, at + shape.cols) for at in range(0, shape.cells, shape.cols)]
    down = [
        range(top * n + c, (top + shape.rows) * n + c, n)
        for top in range(0, n, shape.rows)
        for c in range(n)
    ]
    for strip in (*across, *down):
        found.update(combinations(sorted(cells[i] for i in strip if cells[i]), 2))
    return found


def meetings_of(a: Cells, b: Cells, shape: Shape) -> Meetings | None:
    """The largest count of shared strips that differently many pairs of symbols have."""
    x, y = (count_shared_strips(board, shape) for board in (a, b))
    for count in sorted({*x.values(), *y.values()}, reverse=True):
        first, second = ([pair for pair in found if found[pair] == count] for found in (x, y))
        if len(first) != len(second):
            return Meetings(count, len(first), len(second), first, second)
    return None


def meetings(a: Cells, b: Cells, shape: Shape) -> Because | None:
    """Pairs of symbols that share so many strips, differently many on the two boards."""
    found = meetings_of(a, b, shape)
    if found is None:
        return None
    strips = pluralize(found.count, "strip") if found.count else "no strip"
    text = (
        f"Call a row's or column's part inside one box a strip. {_pairs(found.first_pairs)} of the "
        f"first board share{_ending(found.first)} {'exactly ' if found.count else ''}{strips}, "
        f"{_pairs(found.second_pairs, capital=False)} of the second."
    )
    return Because("meetings", text, found.first, found.second)


def _ending(count: int) -> str:
    return "s" if count == 1 else ""


def _pairs(pairs: list[tuple[int, int]], *, capital: bool = True) -> str:
    if not pairs:
        return "No two symbols" if capital else "no two"
    named = [f"{SYMBOLS[a - 1]} and {SYMBOLS[b - 1]}" for a, b in pairs[:_PAIRS_SHOWN]]
    more = "; …" if len(pairs) > _PAIRS_SHOWN else ""
    return f"{pluralize(len(pairs), 'pair')} of symbols ({'; '.join(named)}{more})"
