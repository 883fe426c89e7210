"""The rules that the symbols of a board violate.

>>> violation(bytes((2, 1, *[0] * 14)), [Constraint("thermometer", (0, 1))], Shape(2, 2))
'A thermometer does not rise from row 1, column 1 to row 1, column 2.'
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from cluewise.desks.sudoku.constraints import Constraint, name_of
from cluewise.desks.sudoku.engine import primitives
from cluewise.desks.sudoku.position import SYMBOLS, Cells, Shape, conflict, place


def violation(cells: Cells, rules: Sequence[Constraint], shape: Shape) -> str:
    """A sentence about the first violated rule, empty if there is none; blanks violate nothing.

    Rules known by name alone are ignored.
    """
    broken = (text for one in rules for text in _violations(cells, one, rules, shape))
    return conflict(cells, shape, rules) or next(broken, "")


def _violations(
    cells: Cells, one: Constraint, rules: Sequence[Constraint], shape: Shape
) -> Iterator[str]:
    first, values = one.cells[:1], [cells[i] for i in one.cells]
    at = place(first[0], shape) if first else ""
    filled = 0 not in values
    if one.kind == "killer" and one.sum is not None and filled and sum(values) != one.sum:
        yield f"The cage at {at} adds up to {sum(values)}, not {one.sum}."
    elif one.kind == "arrow" and one.head == 1:
        if filled and values[0] != sum(values[1:]):
            symbol = SYMBOLS[values[0] - 1]
            yield f"The arrow from {at} adds up to {sum(values[1:])}, not {symbol}."
    elif one.kind == "renban" and filled and max(values) - min(values) >= len(values):
        yield f"The symbols of the renban line at {at} are not consecutive."
    elif one.kind in ("even", "odd"):
        for cell in one.cells:
            if cells[cell] and cells[cell] % 2 != (one.kind == "odd"):
                yield f"{place(cell, shape).capitalize()} is not {one.kind}."
    elif one.kind in ("between", "quadruple", "sandwich", "xsum", "skyscraper"):
        if filled and not _GROUPS[one.kind](values, one, shape.size):
            yield f"A rule about {name_of(one)} is broken: that at {at}."
    else:
        yield from _broken_pairs(cells, one, rules, shape)
        regions = [rule for rule in rules if rule.kind == "regions"]
        for equation in primitives.equations([one, *regions], shape):
            terms = equation.factors
            if all(cells[cell] for cell in terms) and (
                sum(factor * cells[cell] for cell, factor in terms.items()) != equation.total
            ):
                yield f"A sum of the {name_of(one)} at {at} does not agree."


_SENTENCES = {
    "thermometer": "A thermometer does not rise from {} to {}.",
    "palindrome": "A palindrome has different symbols in {} and {}.",
    "nonconsecutive": "The neighbours {} and {} are consecutive.",
}


def _broken_pairs(
    cells: Cells, one: Constraint, rules: Sequence[Constraint], shape: Shape
) -> Iterator[str]:
    """Pairs of cells, then single ones, whose symbols a rule does not allow."""
    name = name_of(one)
    marks = [r for r in rules if r.kind in _MARKS.get(one.kind, ())]
    regions = [r for r in rules if r.kind == "regions"]
    marked = {tuple(sorted(r.cells)) for r in marks if len(r.cells) == 2}
    text = _SENTENCES.get(one.kind, f"The symbols of {{}} and {{}} break a rule: {name}.")
    for a, b, table in primitives.all_relations([one, *marks, *regions], shape):
        filled = cells[a] and cells[b] and tuple(sorted((a, b))) not in marked
        if filled and not table[cells[a] - 1] >> cells[b] - 1 & 1:
            yield text.format(place(a, shape), place(b, shape))
    for cell, some in primitives.allowed_symbols([one], shape.size):
        if cells[cell] and cells[cell] not in some:
            yield f"{place(cell, shape).capitalize()} has a symbol that a rule excludes: {name}."


# The marks whose cells are exempt from a rule about all neighbours.
_MARKS = {
    "nonconsecutive": ("ratio", "difference"), "negative": ("ratio", "difference", "xv"),
    "minimum": ("minimum",), "maximum": ("maximum",),
}  # fmt: skip


def _are_between_ends(values: Sequence[int], one: Constraint, n: int) -> bool:
    low, high = sorted((values[0], values[-1]))
    return all(low < value < high for value in values[1:-1])


def _is_sandwich_sum(values: Sequence[int], one: Constraint, n: int) -> bool:
    first, last = sorted((values.index(1), values.index(n)))
    return sum(values[first + 1 : last]) == one.sum


def _is_number_of_skyscrapers(values: Sequence[int], one: Constraint, n: int) -> bool:
    return one.value == sum(v > max(values[:i], default=0) for i, v in enumerate(values))


# Whether the symbols of completely filled cells obey a constraint.
_GROUPS: dict[str, Callable[[Sequence[int], Constraint, int], bool]] = {
    "between": _are_between_ends,
    "quadruple": lambda values, one, n: not Counter(one.values) - Counter(values),
    "sandwich": _is_sandwich_sum,
    "xsum": lambda values, one, n: sum(values[: values[0]]) == one.sum,
    "skyscraper": _is_number_of_skyscrapers,
}
