"""The co-occurrence table (`table`): a filter for equivalence, next to the exact one (`compare`).

Entry (a, b) counts the minirows and minicolumns that hold both symbols. Its row sums are constant
on complete grids; what distinguishes grids is the sorted rows. Different multisets of sorted rows
prove that two boards differ; equal ones prove nothing.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import TypeAlias

from cluewise.core.desk import NoOptions
from cluewise.core.work import Job
from cluewise.desks.sudoku.constraints import names_of
from cluewise.desks.sudoku.engine.canonical import canonical
from cluewise.desks.sudoku.position import SYMBOLS, Cells, Position, Shape, boards
from cluewise.desks.sudoku.results import Comparison, Table, TableRow
from cluewise.desks.sudoku.transform import transposed

Atom: TypeAlias = tuple[int, ...]
Group: TypeAlias = tuple[Atom, ...]


def minilines(cells: Cells, shape: Shape) -> list[Atom]:
    """The used symbols of every minirow, then of every minicolumn, as they stand."""
    found: list[Atom] = []
    for board, step in ((cells, shape.cols), (transposed(cells, shape.size), shape.rows)):
        starts = range(0, len(board), step)
        found.extend(tuple(d for d in board[at : at + step] if d) for at in starts)
    return found


def cooccurrence(cells: Cells, shape: Shape) -> list[list[int]]:
    """The table: `[a-1][b-1]` for symbols a and b."""
    table = [[0] * shape.size for _ in range(shape.size)]
    for line in minilines(cells, shape):
        for a, b in combinations(line, 2):
            table[a - 1][b - 1] += 1
            table[b - 1][a - 1] += 1
    return table


def sorted_rows(cells: Cells, shape: Shape) -> list[tuple[int, ...]]:
    """The table's rows, each by size, in the order of the symbols."""
    return [tuple(sorted(row)) for row in cooccurrence(cells, shape)]


def describe(cells: Cells, shape: Shape) -> Table:
    """The table, its sorted rows, the normalisation and its ties."""
    table = cooccurrence(cells, shape)
    values = [sorted(row) for row in table]
    order = sorted(range(shape.size), key=lambda i: (sum(values[i]), values[i], i))
    index = {symbol: at for at, symbol in enumerate(order)}
    alike: dict[tuple[int, ...], list[str]] = {}
    for i in order:
        alike.setdefault(tuple(values[i]), []).append(SYMBOLS[i])
    ties = [sorted(group, key=SYMBOLS.index) for group in alike.values() if len(group) > 1]
    rows = [TableRow(SYMBOLS[i], sum(values[i]), values[i], index[i]) for i in order]
    normalisation = [index[i] for i in range(shape.size)]
    return Table(table, rows, normalisation, ties, len(alike), _words(ties, shape))


def _words(ties: list[list[str]], shape: Shape) -> str:
    if not ties:
        return "All sorted rows differ: the table determines the order of the symbols."
    groups = " and ".join(", ".join(group) for group in ties)
    return f"The table cannot tell {groups} apart: their order among themselves is arbitrary."


def minirow_sets(
    cells: Cells, shape: Shape
) -> tuple[Counter[Group], Counter[Group], Counter[Group]]:
    """Rows, columns and boxes as collections of atoms, an atom as its set of symbols.

    Two boards whose collections are equal, with or without a transposition, match by position.
    """
    rows, cols, boxes = minirow_groups(cells, shape)
    return Counter(rows), Counter(cols), Counter(boxes)


def minirow_groups(cells: Cells, shape: Shape) -> tuple[list[Group], list[Group], list[Group]]:
    """The atoms of each row, each column and each box, in the order of the lines and boxes."""
    n, turned = shape.size, transposed(cells, shape.size)
    rows, cols = _groups(cells, n, shape.cols), _groups(turned, n, shape.rows)
    boxes: list[Group] = []
    for top in range(0, n, shape.rows):
        for left in range(0, n, shape.cols):
            across = sorted(
                _atom(cells[r * n + left : r * n + left + shape.cols])
                for r in range(top, top + shape.rows)
            )
            down = sorted(
                _atom(turned[c * n + top : c * n + top + shape.rows])
                for c in range(left, left + shape.cols)
            )
            boxes.append((*across, (), *down))
    return rows, cols, boxes


def _atom(cells: Cells) -> Atom:
    return tuple(sorted(d for d in cells if d))


def _groups(board: Cells, size: int, inside: int) -> list[Group]:
    return [
        tuple(sorted(_atom(board[i : i + inside]) for i in range(r, r + size, inside)))
        for r in range(0, size * size, size)
    ]


def minirow_sets_match(a: Cells, b: Cells, shape: Shape) -> bool:
    """Whether rows, columns and boxes of `a` pair off with those of `b` or its transpose."""
    mine = minirow_sets(a, shape)
    if mine == minirow_sets(b, shape):
        return True
    return shape.square and mine == minirow_sets(transposed(b, shape.size), shape)


def normalised(cells: Cells, table: Table) -> Cells:
    """The board with every symbol replaced by its place in the table's order, from 1."""
    label = [0, *(index + 1 for index in table.normalisation)]
    return bytes(label[d] for d in cells)


def table(position: Position, options: NoOptions) -> Job[Table]:
    """One board's table, its normalisation and its ties."""
    (cells,) = boards(position, 1)
    yield from ()
    return describe(cells, position.shape)


def compare(position: Position, options: NoOptions) -> Job[Comparison]:
    """Two boards by the table method, and what the exact comparison says to that."""
    a, b = boards(position, 2)
    shape = position.shape
    yield from ()
    first, second = describe(a, shape), describe(b, shape)
    rows_agree = Counter(sorted_rows(a, shape)) == Counter(sorted_rows(b, shape))
    agree = minirow_sets_match(normalised(a, first), normalised(b, second), shape)
    same = canonical(a, shape).form == canonical(b, shape).form
    text = _verdict(rows_agree, agree, same, bool(first.ties or second.ties))
    left = names_of(position.constraints)
    text = f"As plain sudoku: {text}" if left else text
    return Comparison(first, second, rows_agree, agree, same, text, not_compared=left)


def _verdict(rows_agree: bool, agree: bool, same: bool, ties: bool) -> str:
    if not rows_agree:
        return "The sorted rows differ, which proves that the boards are different."
    if same and agree:
        return "The tables agree, and after normalising so do all rows, columns and boxes."
    if same:
        return (
            "The tables agree and the boards are the same; the comparison after normalising misses "
            "it, because symbols that tie in the table were put in an arbitrary order."
        )
    if agree:
        return "The table method calls them the same, and it is wrong: the exact answer is no."
    if ties:
        return (
            "The tables agree, but that proves nothing, and symbols tie: only the exact "
            "comparison shows that the boards are different."
        )
    return (
        "The tables agree, but after normalising rows, columns and boxes do not: with no ties, "
        "the boards are different."
    )
