"""Cells, clues and inequalities in plain words: "row 3", "the 2 at C4", "1 mine in A1 and A2"."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from cluewise.desks.mines.position import Graph, Point, Position


def letters(column: int) -> str:
    """A column's name as in a spreadsheet: `letters(0) == "A"`, `letters(26) == "AA"`."""
    name = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        name = chr(65 + rest) + name
    return name


def places(position: Position) -> tuple[tuple[int, int], ...] | None:
    """Column and row of every cell where the cells lie on a grid of squares, None elsewhere."""
    if position.board is not None:
        width, height = position.board.width, position.board.height
        return tuple((x, y) for y in range(height) for x in range(width))
    return _on_grid(position.pos or (), position.unit)


@lru_cache(maxsize=16)
def _on_grid(pos: tuple[Point, ...], unit: int) -> tuple[tuple[int, int], ...] | None:
    if not pos or len(set(pos)) < len(pos) or any(x % unit or y % unit for x, y in pos):
        return None
    left, top = min(x for x, _ in pos), min(y for _, y in pos)
    return tuple((int((x - left) // unit), int((y - top) // unit)) for x, y in pos)


def cell_name(position: Position, cell: int) -> str:
    """`C4` on a grid of squares, `cell 17` elsewhere."""
    grid = places(position)
    if grid is None:
        return f"cell {cell}"
    x, y = grid[cell]
    return f"{letters(x)}{y + 1}"


def listed(names: Sequence[str]) -> str:
    """`A`, `A and B`, `A, B and C`."""
    if len(names) < 2:
        return "".join(names) or "none"
    return f"{', '.join(names[:-1])} and {names[-1]}"


def cells_text(position: Position, cells: Sequence[int]) -> str:
    """The cells by name, or how many there are where a list would be long."""
    if len(cells) > 8:
        return f"{len(cells)} cells"
    if places(position) is None:
        word = "cell" if len(cells) == 1 else "cells"
        return f"{word} {listed([str(c) for c in cells])}"
    return listed([cell_name(position, c) for c in cells])


def clue_text(position: Position, board: Graph, name: str) -> str:
    """What a person would call a clue: `row 3`, `the 2 at C4`, `the flag at B1`."""
    kind, _, text = name.partition(":")
    index = int(text)
    if kind == "flag":
        return f"the flag at {cell_name(position, index)}"
    if kind == "number":
        number = next(r.number for r in position.revealed if r.cell == index)
        return f"the {number} at {cell_name(position, index)}"
    return group_text(position, board, index)


def group_text(position: Position, board: Graph, index: int) -> str:
    """A group's name: `row 3`, `column B`, `the total`, `the red shape`."""
    group = board.groups[index]
    if group.kind == "total":
        return "the total"
    if group.colour:
        return f"the {group.colour.lower()} shape"
    grid = places(position)
    if grid is not None and group.kind in ("row", "column"):
        columns, rows = (sorted({grid[c][i] for c in group.cells}) for i in (0, 1))
        if group.kind == "row" and len(rows) == 1:
            return f"row {rows[0] + 1}"
        if group.kind == "column" and len(columns) == 1:
            return f"column {letters(columns[0])}"
    same = [i for i, g in enumerate(board.groups) if g.kind == group.kind]
    number = same.index(index) + 1
    if group.kind.startswith("line-"):
        return f"line {group.kind[5:].upper()}{number}"
    return f"{'group' if group.kind == 'set' else group.kind} {number}"


def gives_text(position: Position, cells: Sequence[int], low: int, high: int) -> str:
    """An inequality: `no mine in A1`, `exactly 1 mine in A1 and A2`, `1 or 2 mines in …`."""
    where = cells_text(position, cells)
    if high == 0:
        return f"no mine in {where}"
    if low == len(cells):
        return f"a mine in {where}" if low == 1 else f"only mines in {where}"
    if low == high:
        return f"exactly {low} {'mine' if low == 1 else 'mines'} in {where}"
    if low == 0:
        return f"at most {high} {'mine' if high == 1 else 'mines'} in {where}"
    if high == len(cells):
        return f"at least {low} {'mine' if low == 1 else 'mines'} in {where}"
    return f"{low} to {high} mines in {where}"
