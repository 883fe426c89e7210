"""The simplest reasons why two boards differ: counts of givens, symbols and shared strips."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations, compress

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


@lru_cache(maxsize=32)
def _strips(shape: Shape) -> list[int]:
    """A bit for each of a cell's two strips (a line's part inside one box), cell by cell."""
    n = shape.size
    across = [cell // shape.cols for cell in range(shape.cells)]
    down = [cell // n // shape.rows * n + cell % n for cell in range(shape.cells)]
    return [1 << i | 1 << shape.cells + k for i, k in zip(across, down, strict=True)]


def count_shared_strips(cells: Cells, shape: Shape) -> list[int]:
    """For each pair of symbols (1 and 2, 1 and 3, …), in how many strips both stand."""
    standing = [0] * (shape.size + 1)
    for symbol, strips in zip(cells, _strips(shape), strict=True):
        standing[symbol] |= strips
    return [(x & y).bit_count() for x, y in combinations(standing[1:], 2)]


def meetings_of(a: Cells, b: Cells, shape: Shape) -> Meetings | None:
    """The largest count of shared strips that differently many pairs of symbols have."""
    x, y = count_shared_strips(a, shape), count_shared_strips(b, shape)
    differing = [k for k in {*x, *y} if x.count(k) != y.count(k)]
    if not differing:
        return None
    most = max(differing)
    pairs = [*combinations(range(1, shape.size + 1), 2)]
    first, second = ([*compress(pairs, [k == most for k in found])] for found in (x, y))
    return Meetings(most, len(first), len(second), first, second)


def explain_meetings(found: Meetings) -> Because:
    """Pairs of symbols that share so many strips, differently many on the two boards."""
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
