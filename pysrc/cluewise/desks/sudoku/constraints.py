"""Constraints of variant sudokus: diagonals, cages, moved regions, lines and others.

>>> names_of([Constraint("diagonals"), Constraint("other", name="thermometers")])
['both diagonals', 'thermometers']

A constraint without `board` belongs to both boards of its position.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple, TypeVar

import msgspec

from cluewise.errors import BadPosition

MOST = 1000
_LONGEST = 120
Kind = Literal[
    "house", "regions", "diagonals", "diagonal", "antidiagonal", "windows", "disjoint",
    "antiknight", "antiking", "nonconsecutive", "negative", "killer", "little", "arrow",
    "thermometer", "slow", "palindrome", "clone", "renban", "whispers", "entropic", "zipper",
    "regionsum", "between", "ratio", "difference", "xv", "quadruple", "even", "odd", "minimum",
    "maximum", "candidates", "rowindex", "columnindex", "sandwich", "xsum", "skyscraper", "other",
]  # fmt: skip


class KindInfo(NamedTuple):
    """Properties of a kind of constraint. How it propagates is in `engine.primitives`."""

    plural: str
    """Its name in the plural."""
    fewest: int = 0
    """Its fewest cells; 0: it is about the whole board."""
    most: Literal["size", "board", "pair"] = "board"
    """Its most cells."""
    repeats: bool = False
    """Whether a cell may occur in it twice."""
    needs: Literal["", "sum", "value", "values", "of"] = ""
    """The field that it requires."""


KINDS: dict[str, KindInfo] = {
    "house": KindInfo("extra regions", 1, "size"),
    "regions": KindInfo("moved regions"),
    "diagonals": KindInfo("both diagonals"),
    "diagonal": KindInfo("the falling diagonal"),
    "antidiagonal": KindInfo("the rising diagonal"),
    "windows": KindInfo("windows"),
    "disjoint": KindInfo("disjoint groups"),
    "antiknight": KindInfo("antiknight"),
    "antiking": KindInfo("antiking"),
    "nonconsecutive": KindInfo("nonconsecutive neighbours"),
    "negative": KindInfo("negative constraints", needs="of"),
    "killer": KindInfo("killer cages", 1, "size"),
    "little": KindInfo("little killer sums", 1, repeats=True),
    "arrow": KindInfo("arrows", 2, repeats=True),
    "thermometer": KindInfo("thermometers", 2, "size"),
    "slow": KindInfo("slow thermometers", 2),
    "palindrome": KindInfo("palindromes", 2),
    "clone": KindInfo("clones", 2, repeats=True),
    "renban": KindInfo("renban lines", 1, "size"),
    "whispers": KindInfo("whisper lines", 2, repeats=True),
    "entropic": KindInfo("entropic lines", 2, repeats=True),
    "zipper": KindInfo("zipper lines", 2, repeats=True),
    "regionsum": KindInfo("region sum lines", 2, repeats=True),
    "between": KindInfo("between lines", 3),
    "ratio": KindInfo("ratio dots", 2, "pair"),
    "difference": KindInfo("difference dots", 2, "pair"),
    "xv": KindInfo("XV pairs", 2, "pair", needs="value"),
    "quadruple": KindInfo("quadruples", 1, "size", needs="values"),
    "even": KindInfo("even cells", 1),
    "odd": KindInfo("odd cells", 1),
    "minimum": KindInfo("minimum cells", 1),
    "maximum": KindInfo("maximum cells", 1),
    "candidates": KindInfo("candidates", 1, needs="values"),
    "rowindex": KindInfo("row indexers", 1),
    "columnindex": KindInfo("column indexers", 1),
    "sandwich": KindInfo("sandwich sums", 2, "size", needs="sum"),
    "xsum": KindInfo("X-sums", 2, "size", needs="sum"),
    "skyscraper": KindInfo("skyscrapers", 2, "size", needs="value"),
}
_WHOLE_LINES = ("sandwich", "xsum", "skyscraper")
_MOST_VALUE = 9999


class Constraint(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """`Constraint("house", cells=(0, 10, 20))`: these cells hold different symbols.

    `killer` also has their `sum`; `regions` has one number a cell, row by row: cells of one number
    are a region, and the boxes do not count. A thermometer's cells rise from the first on (a slow
    one's do not fall), the first `head` cells of an arrow are the number that the others add up to,
    a palindrome reads the same from both ends, a renban's cells hold neighbouring symbols in any
    order. Whispers differ by `value` at least from cell to cell; in an entropic line, three cells
    in a row are of three different thirds; a zipper's pairs from its ends add up to its middle; a
    region sum line has equal sums in all boxes; between the ends of a between line lie the symbols
    of its other cells. `clone` has the cells of one shape, then of the other. `other` is known by
    its `name` alone.
    """

    kind: Kind
    """Which rule; house: its cells hold different symbols."""
    cells: tuple[int, ...] = ()
    """Cells from 0, row by row, of what has cells; for regions a number for each cell."""
    sum: int | None = None
    """The sum of the cells of a cage, little killer, sandwich or X-sum; null if not stated."""
    name: str = ""
    """The name of an `other` constraint."""
    board: Literal[0, 1] | None = None
    """0 or 1 if it belongs to one of two boards alone; null: to both."""
    value: int | None = None
    """The number of a dot (2 of a ratio, 1 of a difference by default), an X or V (10 or 5),
    whisper lines (half the size, rounded up, by default), or skyscrapers."""
    values: tuple[int, ...] = ()
    """Symbols as numbers: those that a quadruple holds, those that candidates allow."""
    head: int = 1
    """How many cells at the front of an arrow are its head."""
    of: Literal["", "ratio", "xv"] = ""
    """The relation that pairs without a mark do not have, of a negative constraint."""


def check(constraints: Sequence[Constraint], rows: int, cols: int) -> None:
    """Raise `BadPosition` for a constraint that a board with such boxes cannot have."""
    if len(constraints) > MOST:
        raise BadPosition(
            f"A position has at most {MOST} constraints, not {len(constraints)}.", "$.constraints"
        )
    for i, one in enumerate(constraints):
        problem, field = _problem(one, rows * cols)
        if one.kind == "windows" and rows != cols:
            problem, field = _NO_WINDOWS, ".kind"
        if problem:
            raise BadPosition(problem, f"$.constraints[{i}]{field}")
    for board in (0, 1):
        if len({one.cells for one in of_board(constraints, board) if one.kind == "regions"}) > 1:
            raise BadPosition("A board is divided into regions in one way only.", "$.constraints")


_NO_WINDOWS = "“windows” needs square boxes, such as those of 4×4, 9×9 and 16×16 boards."


def _problem(one: Constraint, size: int) -> tuple[str, str]:
    cells, kind = one.cells, one.kind
    if kind == "regions":
        return _regions_problem(cells, size)
    if kind == "other":
        if not 0 < len(one.name) <= _LONGEST:
            return f"Another constraint needs a name of 1 to {_LONGEST} characters.", ".name"
    elif not KINDS[kind].fewest and cells:
        return f"“{kind}” is about the whole board; it takes no cells.", ".cells"
    facts = KINDS.get(kind, KindInfo("", repeats=True))
    if any(not 0 <= cell < size * size for cell in cells):
        return f"Cells of this board are numbered 0 to {size * size - 1}.", ".cells"
    if not facts.repeats and len(set(cells)) != len(cells):
        return "A cell stands here twice.", ".cells"
    least = size if kind in _WHOLE_LINES else facts.fewest
    most = {"size": size, "pair": 2, "board": size * size}[facts.most]
    if least and not least <= len(cells) <= most:
        return f"This constraint ({kind}) has {least} to {most} cells, not {len(cells)}.", ".cells"
    rows, cols = {cell // size for cell in cells}, {cell % size for cell in cells}
    if kind in _WHOLE_LINES and len(rows) > 1 and len(cols) > 1:
        return f"“{kind}” needs the cells of a row or a column.", ".cells"
    return _value_problem(one, facts, size)


def _value_problem(one: Constraint, facts: KindInfo, size: int) -> tuple[str, str]:
    if facts.needs and getattr(one, facts.needs) in (None, (), ""):
        return f"This constraint ({one.kind}) needs its `{facts.needs}`.", f".{facts.needs}"
    if one.value is not None and not 0 <= one.value <= _MOST_VALUE:
        return f"A value is 0 to {_MOST_VALUE}.", ".value"
    if any(not 1 <= symbol <= size for symbol in one.values):
        return f"Symbols of this board are 1 to {size}.", ".values"
    if one.kind == "quadruple" and len(one.values) > len(one.cells):
        return "There are more values than cells.", ".values"
    if one.kind == "arrow" and not 1 <= one.head < min(len(one.cells), 5):
        return "An arrow has a head of 1 to 4 cells and a shaft.", ".head"
    if one.kind == "clone" and len(one.cells) % 2:
        return "The two shapes of a clone have equally many cells.", ".cells"
    return "", ""


def _regions_problem(cells: Sequence[int], size: int) -> tuple[str, str]:
    if len(cells) != size * size:
        return f"Regions take a number for each of {size * size} cells.", ".cells"
    counts = [cells.count(number) for number in set(cells)]
    if len(counts) != size or set(counts) != {size}:
        return f"There must be {size} regions of {size} cells each.", ".cells"
    return "", ""


def of_board(constraints: Iterable[Constraint], board: int) -> list[Constraint]:
    """The constraints of one board, as constraints of a position that has no other."""
    return [
        msgspec.structs.replace(one, board=None)
        for one in constraints
        if one.board in (None, board)
    ]


def supported(constraints: Iterable[Constraint]) -> tuple[Constraint, ...]:
    """All constraints but those known by name alone."""
    return tuple(one for one in constraints if one.kind != "other")


R = TypeVar("R", bound=msgspec.Struct)


class Scope(NamedTuple):
    """The constraints that an answer takes into account, and those that it leaves out."""

    rules: tuple[Constraint, ...]
    others: tuple[Constraint, ...]

    def label(self, result: R) -> R:
        """The result with the names of the constraints in its two fields for them."""
        compared, not_compared = names_of(self.rules), names_of(self.others)
        return msgspec.structs.replace(result, compared=compared, not_compared=not_compared)

    def without_rules(self) -> Scope:
        """The scope of an answer about plain sudoku."""
        return Scope((), (*self.rules, *self.others))


def scope_of(constraints: Iterable[Constraint]) -> Scope:
    """The scope of an answer that leaves only those known by name alone out."""
    every = tuple(constraints)
    return Scope(supported(every), tuple(one for one in every if one.kind == "other"))


def name_of(one: Constraint) -> str:
    """The name of a constraint, in the plural."""
    return KINDS[one.kind].plural if one.kind in KINDS else one.name


def names_of(constraints: Iterable[Constraint]) -> list[str]:
    """The name of each kind once, in order of appearance; with its board if only one has it."""
    found: dict[str, set[int]] = {}
    for one in constraints:
        boards = {0, 1} if one.board is None else {one.board}
        found.setdefault(name_of(one), set()).update(boards)
    where = (" (first board only)", " (second board only)", "")
    return [name + where[2 if len(b) == 2 else b.pop()] for name, b in found.items()]


def merge_boards(
    first: Iterable[Constraint], second: Iterable[Constraint]
) -> tuple[Constraint, ...]:
    """The constraints of a position from those of its two boards; shared ones belong to both."""
    one, two = list(dict.fromkeys(first)), list(dict.fromkeys(second))
    mine = [msgspec.structs.replace(c, board=None if c in two else 0) for c in one]
    return (*mine, *(msgspec.structs.replace(c, board=1) for c in two if c not in one))
