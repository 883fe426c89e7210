"""The co-occurrence table (`table`): an invariant, compared with the exact answer (`compare`).

Entry (a, b) counts the minilines (minirows and minicolumns) that hold both symbols. Row sums are
constant on complete grids; the sorted rows may distinguish them. Different multisets of sorted rows
prove that two boards differ; equal ones prove nothing.
"""

from __future__ import annotations

from collections import Counter
from itertools import chain, combinations
from typing import TypeAlias

from cluewise.core.desk import NoOptions
from cluewise.core.work import Job
from cluewise.desks.sudoku.constraints import names_of
from cluewise.desks.sudoku.engine.canonical import canonical
from cluewise.desks.sudoku.position import SYMBOLS, Cells, Position, Shape, boards
from cluewise.desks.sudoku.results import Comparison, Table, TableRow
from cluewise.desks.sudoku.transform import transposed

Miniline: TypeAlias = tuple[int, ...]
Group: TypeAlias = tuple[Miniline, ...]


def minilines(cells: Cells, shape: Shape) -> list[list[Miniline]]:
    """The symbols of every minirow, row by row, and of every minicolumn, column by column."""
    return [
        [tuple(d for d in board[at : at + step] if d) for at in range(0, len(board), step)]
        for board, step in ((cells, shape.cols), (transposed(cells, shape.size), shape.rows))
    ]


def cooccurrence(cells: Cells, shape: Shape) -> list[list[int]]:
    """The table: `[a-1][b-1]` for symbols a and b."""
    table = [[0] * shape.size for _ in range(shape.size)]
    for line in chain(*minilines(cells, shape)):
        for a, b in combinations(line, 2):
            table[a - 1][b - 1] += 1
            table[b - 1][a - 1] += 1
    return table


def sorted_rows(cells: Cells, shape: Shape) -> list[tuple[int, ...]]:
    """The table's rows, each by size, in the order of the symbols."""
    return [tuple(sorted(row)) for row in cooccurrence(cells, shape)]


def describe(cells: Cells, shape: Shape) -> Table:
    """The table, its sorted rows, the normalisation, and ties in it."""
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
    return Table(table, rows, normalisation, ties, len(alike), _ties_text(ties))


def _ties_text(ties: list[list[str]]) -> str:
    if not ties:
        return "All sorted rows differ: the table determines the order of the symbols."
    groups = " and ".join(", ".join(group) for group in ties)
    return f"The table cannot tell {groups} apart: their order among themselves is arbitrary."


def miniline_sets(
    cells: Cells, shape: Shape
) -> tuple[Counter[Group], Counter[Group], Counter[Group]]:
    """Rows, columns and boxes as multisets of groups of minilines.

    Two boards whose multisets are equal, with or without a transposition, match by position.
    """
    rows, cols, boxes = miniline_groups(cells, shape)
    return Counter(rows), Counter(cols), Counter(boxes)


def miniline_groups(cells: Cells, shape: Shape) -> tuple[list[Group], list[Group], list[Group]]:
    """The sorted minilines of each row, each column and each box, a miniline as a set of symbols.

    A box has its minirows, an empty set and its minicolumns.
    """
    bands, stacks = shape.cols, shape.rows
    across, down = ([tuple(sorted(line)) for line in lines] for lines in minilines(cells, shape))
    rows = [tuple(sorted(across[at : at + stacks])) for at in range(0, len(across), stacks)]
    cols = [tuple(sorted(down[at : at + bands])) for at in range(0, len(down), bands)]
    boxes = [
        (
            *sorted(across[i * stacks * stacks + j : (i + 1) * stacks * stacks : stacks]),
            (),
            *sorted(down[j * bands * bands + i : (j + 1) * bands * bands : bands]),
        )
        for i in range(bands)
        for j in range(stacks)
    ]
    return rows, cols, boxes


def miniline_sets_match(a: Cells, b: Cells, shape: Shape) -> bool:
    """Whether rows, columns and boxes of `a` pair off with those of `b` or its transpose."""
    mine = miniline_sets(a, shape)
    if mine == miniline_sets(b, shape):
        return True
    return shape.square and mine == miniline_sets(transposed(b, shape.size), shape)


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
    """Compare two boards by the table method and exactly."""
    a, b = boards(position, 2)
    shape = position.shape
    yield from ()
    first, second = describe(a, shape), describe(b, shape)
    rows_agree = Counter(sorted_rows(a, shape)) == Counter(sorted_rows(b, shape))
    agree = miniline_sets_match(normalised(a, first), normalised(b, second), shape)
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
