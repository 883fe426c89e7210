"""Houses: cells that hold different symbols, of the board and of its constraints.

>>> clash(bytes((1, 2, 3, 4, 3, 4, 0, 0, 0, 0, 1)) + bytes(5), [Constraint("diagonals")], 2, 2)
(0, 10, 'The falling diagonal')
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from cluewise.desks.sudoku.constraints import Constraint

_KNIGHT = ((1, 2), (2, 1), (1, -2), (2, -1))
_KING = ((1, 1), (1, -1))


class House(NamedTuple):
    """Cells that hold different symbols, and their name at the beginning of a sentence."""

    name: str
    cells: tuple[int, ...]


def houses(constraints: Iterable[Constraint], rows: int, cols: int) -> Iterator[House]:
    """All houses of a board with boxes of `rows` × `cols`; regions replace the boxes."""
    n, rules = rows * cols, list(constraints)
    for i in range(n):
        yield House(f"Row {i + 1}", tuple(range(i * n, i * n + n)))
        yield House(f"Column {i + 1}", tuple(range(i, n * n, n)))
    name = "Region" if any(one.kind == "regions" for one in rules) else "Box"
    numbers = region_numbers(rules, rows, cols)
    for k, number in enumerate(sorted(set(numbers)), 1):
        yield House(f"{name} {k}", tuple(c for c in range(n * n) if numbers[c] == number))
    for one in rules:
        yield from _houses_of(one, rows, cols)


def region_numbers(constraints: Iterable[Constraint], rows: int, cols: int) -> Sequence[int]:
    """The number of each cell's region: the stated regions, else the boxes row by row."""
    n = rows * cols
    own = next((one.cells for one in constraints if one.kind == "regions"), None)
    return own or [c // n // rows * rows + c % n // cols for c in range(n * n)]


_NAMES = {"house": "An extra region", "killer": "A cage", "renban": "A renban line",
          "thermometer": "A thermometer"}  # fmt: skip


def _houses_of(one: Constraint, rows: int, cols: int) -> Iterator[House]:
    n, kind = rows * cols, one.kind
    if kind in _NAMES:
        yield House(_NAMES[kind], one.cells)
    if kind in ("diagonals", "diagonal"):
        yield House("The falling diagonal", tuple(i * n + i for i in range(n)))
    if kind in ("diagonals", "antidiagonal"):
        yield House("The rising diagonal", tuple(i * n + n - 1 - i for i in range(n)))
    if kind == "windows":
        yield from _windows(rows)
    if kind == "disjoint":
        for place in range(n):
            first = place // cols * n + place % cols
            cells = (first + r * rows * n + c * cols for r in range(cols) for c in range(rows))
            yield House(f"Group {place + 1} of equal places", tuple(cells))


def _windows(box: int) -> Iterator[House]:
    """Boxes with one row and column around each of them: four on a 9×9 board."""
    n = box * box
    for top in range(1, n - box, box + 1):
        for left in range(1, n - box, box + 1):
            cells = ((top + i) * n + left + k for i in range(box) for k in range(box))
            yield House("A window", tuple(cells))


def pairs(constraints: Sequence[Constraint], rows: int, cols: int) -> dict[tuple[int, int], str]:
    """All pairs of cells that hold different symbols, the smaller cell first, and the reason."""
    found: dict[tuple[int, int], str] = {}
    for house in houses(constraints, rows, cols):
        for a, b in combinations(sorted(house.cells), 2):
            found.setdefault((a, b), house.name)
    kinds = {one.kind for one in constraints}
    for kind, moves, name in (("antiknight", _KNIGHT, "A knight's move"),
                              ("antiking", _KING, "A king's move")):  # fmt: skip
        if kind in kinds:
            for pair in find_moves(moves, rows * cols):
                found.setdefault(pair, name)
    return found


@lru_cache(maxsize=32)
def _plain_pairs(rows: int, cols: int) -> dict[tuple[int, int], str]:
    """The pairs of plain sudoku by the later cell, then by the earlier one."""
    return dict(sorted(pairs((), rows, cols).items(), key=lambda item: item[0][::-1]))


def find_moves(moves: Iterable[tuple[int, int]], n: int) -> set[tuple[int, int]]:
    """Pairs of cells that one of these moves connects, the smaller cell first."""
    return {
        (row * n + col, (row + down) * n + col + right)
        for row in range(n)
        for col in range(n)
        for down, right in moves
        if row + down < n and 0 <= col + right < n
    }


@lru_cache(maxsize=32)
def houses_of_cells(rows: int, cols: int) -> list[int]:
    """A bit for each row, column and box of a cell, cell by cell."""
    found = [0] * (rows * cols) ** 2
    for i, house in enumerate(houses((), rows, cols)):
        for cell in house.cells:
            found[cell] |= 1 << i
    return found


def is_legal(cells: Sequence[int], rows: int, cols: int) -> bool:
    """Whether no row, column or box holds a symbol twice."""
    taken = [0] * (rows * cols + 1)
    for symbol, own in zip(cells, houses_of_cells(rows, cols), strict=True):
        if symbol:
            if taken[symbol] & own:
                return False
            taken[symbol] |= own
    return True


def clash(
    cells: Sequence[int], constraints: Sequence[Constraint], rows: int, cols: int
) -> tuple[int, int, str] | None:
    """Two equal symbols where they must differ, and the reason; None if there are none.

    The pair with the least later cell, then with the least earlier one.
    """
    if not constraints and is_legal(cells, rows, cols):
        return None
    differing = pairs(constraints, rows, cols) if constraints else _plain_pairs(rows, cols)
    wrong = ((b, a) for a, b in differing if cells[a] and cells[a] == cells[b])
    b, a = min(wrong, default=(0, 0)) if constraints else next(wrong)
    return None if a == b else (a, b, differing[a, b])
