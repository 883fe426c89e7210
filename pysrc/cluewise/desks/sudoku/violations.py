"""Which rule the symbols of a board violate.

>>> violation(bytes((2, 1, *[0] * 14)), [Constraint("thermometer", (0, 1))], Shape(2, 2))
'A thermometer does not rise from row 1, column 1 to row 1, column 2.'
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

from cluewise.desks.sudoku import houses
from cluewise.desks.sudoku.constraints import Constraint
from cluewise.desks.sudoku.position import SYMBOLS, Cells, Shape, place


def violation(cells: Cells, rules: Sequence[Constraint], shape: Shape) -> str:
    """The first violated rule in a sentence, empty if there is none; blanks violate nothing.

    Rules known by name alone are left out.
    """
    clash = houses.clash(cells, rules, *shape)
    if clash:
        a, b, why = clash
        return (
            f"{why} holds {SYMBOLS[cells[a] - 1]} twice: {place(a, shape)} and {place(b, shape)}."
        )
    return next((text for one in rules for text in _violations(cells, one, shape)), "")


def _violations(cells: Cells, one: Constraint, shape: Shape) -> Iterator[str]:
    first, values = one.cells[:1], [cells[i] for i in one.cells]
    at = place(first[0], shape) if first else ""
    filled = 0 not in values
    if one.kind == "killer" and one.sum is not None and filled and sum(values) != one.sum:
        yield f"The cage at {at} adds up to {sum(values)}, not {one.sum}."
    elif one.kind == "arrow" and filled and values[0] != sum(values[1:]):
        symbol = SYMBOLS[values[0] - 1]
        yield f"The arrow from {at} adds up to {sum(values[1:])}, not {symbol}."
    elif one.kind == "renban" and filled and max(values) - min(values) >= len(values):
        yield f"The symbols of the renban line at {at} are not consecutive."
    elif one.kind in ("even", "odd"):
        for cell in one.cells:
            if cells[cell] and cells[cell] % 2 != (one.kind == "odd"):
                yield f"{place(cell, shape).capitalize()} is not {one.kind}."
    else:
        for a, b, text in _pairs(one, shape):
            x, y = cells[a], cells[b]
            if x and y and not _ALLOWED[one.kind](x, y):
                yield text.format(place(a, shape), place(b, shape))


_ALLOWED = {
    "thermometer": lambda x, y: x < y,
    "palindrome": lambda x, y: x == y,
    "nonconsecutive": lambda x, y: abs(x - y) != 1,
}


def _pairs(one: Constraint, shape: Shape) -> Iterable[tuple[int, int, str]]:
    """Pairs of cells that a rule relates, with the sentence for two that violate it."""
    cells = one.cells
    if one.kind == "thermometer":
        text = "A thermometer does not rise from {} to {}."
        return ((a, b, text) for a, b in combinations(cells, 2))
    if one.kind == "palindrome":
        text = "A palindrome has different symbols in {} and {}."
        return ((cells[i], cells[-1 - i], text) for i in range(len(cells) // 2))
    if one.kind == "nonconsecutive":
        text = "The neighbours {} and {} are consecutive."
        pairs = houses.find_moves(((0, 1), (1, 0)), shape.size)
        return ((a, b, text) for a, b in sorted(pairs))
    return ()
