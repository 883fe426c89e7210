"""The simplest reasons why two boards differ: counts of givens and symbols."""

from __future__ import annotations

from cluewise.desks.sudoku.position import SYMBOLS, Cells, Shape
from cluewise.desks.sudoku.results import Because


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
