"""Names of cells, clues and inequalities: "row 3", "the 2 at C4", "1 mine in A1 and A2"."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

from cluewise.desks.mines.position import CELLS, Graph, Group, Point, Position

CONTRADICTORY = "No layout of mines fits all the clues; ask `doubt` which of them cannot hold."
NEAR = 0.001  # steps that a place may be off its grid
SINGLY = 8  # cells that are named one by one, or runs of them
Places = tuple[tuple[int, int], ...]


def letters(column: int) -> str:
    """Return a column's name as in a spreadsheet: `letters(0) == "A"`, `letters(26) == "AA"`."""
    name = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        name = chr(65 + rest) + name
    return name


def places(position: Position) -> Places | None:
    """Return the column and row of every cell if the cells lie on a square grid, else None.

    The grid's step is the position's `unit`, or the smallest gap between two columns or rows.
    """
    if position.board is not None:
        width, height = position.board.width, position.board.height
        return tuple((x, y) for y in range(height) for x in range(width))
    return _on_grid(position.pos or (), position.unit)


@lru_cache(maxsize=16)
def _on_grid(pos: tuple[Point, ...], unit: int) -> Places | None:
    if not pos or len(set(pos)) < len(pos):
        return None
    columns, rows = (sorted({float(p[axis]) for p in pos}) for axis in (0, 1))
    for step in (unit, smallest_gap(pos) or unit):
        grid = tuple(((x - columns[0]) / step, (y - rows[0]) / step) for x, y in pos)
        if all(abs(n - round(n)) < NEAR and n < CELLS for place in grid for n in place):
            return tuple((round(x), round(y)) for x, y in grid)
    return None


def smallest_gap(pos: Sequence[Point]) -> float | None:
    """Return the smallest distance of two columns or rows of places; None without two."""
    lines = [sorted({float(p[axis]) for p in pos}) for axis in (0, 1)]
    noise = max(line[-1] - line[0] for line in lines) * 1e-6
    return min((b - a for line in lines for a, b in pairwise(line) if b - a > noise), default=None)


def cell_name(position: Position, cell: int) -> str:
    """Return `C4` on a square grid, `cell 17` elsewhere."""
    grid = places(position)
    if grid is None:
        return f"cell {cell}"
    return _at(*grid[cell])


def _at(column: int, row: int) -> str:
    return f"{letters(column)}{row + 1}"


def join_names(names: Sequence[str]) -> str:
    """Return `A`, `A and B`, `A, B and C`."""
    if len(names) < 2:
        return "".join(names) or "none"
    return f"{', '.join(names[:-1])} and {names[-1]}"


def cells_text(position: Position, cells: Sequence[int]) -> str:
    """Return the names of cells; of many cells the runs, or only their number.

    `A1 and B2`; `the 9 cells A1–C1, B2 and C2–G2`.
    """
    if len(cells) > SINGLY:
        spoken = _runs(places(position), cells)
        many = f"{len(cells)} cells"
        return many if len(spoken) > SINGLY else f"the {many} {join_names(spoken)}"
    if places(position) is None:
        word = "cell" if len(cells) == 1 else "cells"
        return f"{word} {join_names([str(c) for c in cells])}"
    return join_names([cell_name(position, c) for c in cells])


def _runs(grid: Places | None, cells: Sequence[int]) -> list[str]:
    """Return the runs along rows or along columns, whichever are fewer; off a grid by number."""
    if grid is None:
        return [f"{a}–{b}" if a < b else str(a) for a, b in _stretches(sorted(cells))]
    ways = []
    for axis in (0, 1):
        lines: dict[int, list[int]] = {}
        for place in sorted(grid[c] for c in cells):
            lines.setdefault(place[1 - axis], []).append(place[axis])
        found = []
        for line, along in sorted(lines.items()):
            for ends in _stretches(sorted(along)):
                names = [_at(n, line) if axis == 0 else _at(line, n) for n in ends]
                found.append("–".join(dict.fromkeys(names)))
        ways.append(found)
    return min(ways, key=len)


def _stretches(numbers: Sequence[int]) -> list[tuple[int, int]]:
    """Return the first and last of each run of ascending numbers: 1, 2, 4 → (1, 2), (4, 4)."""
    found: list[tuple[int, int]] = []
    for n in numbers:
        if found and found[-1][1] == n - 1:
            found[-1] = found[-1][0], n
        else:
            found.append((n, n))
    return found


def clue_text(position: Position, board: Graph, name: str) -> str:
    """Return the name of a clue: `row 3`, `the 2 at C4`, `the flag at B1`."""
    kind, _, text = name.partition(":")
    index = int(text)
    if kind == "flag":
        return f"the flag at {cell_name(position, index)}"
    if kind == "spot":
        return f"the count on {cell_name(position, index)}"
    if kind == "number":
        number = next(r.number for r in position.revealed if r.cell == index)
        form = position.forms.get(text)
        return f"the {with_form(number, form)} at {cell_name(position, index)}"
    name = group_text(position, board, index)
    form = board.groups[index].form
    return f"{name}, {form}" if form else name


def with_form(number: int | None, form: str | None) -> str:
    """Return `2`; `{2}` if the mines are together, `−2−` if they are apart."""
    return {"together": f"{{{number}}}", "apart": f"−{number}−"}.get(form or "", str(number))


def group_text(position: Position, board: Graph, index: int) -> str:
    """Return a group's unique name: `row 3`, `column B`, `the total`, `the red shape`."""
    return _group_names(board.groups, places(position))[index]


@lru_cache(maxsize=16)
def _group_names(groups: tuple[Group, ...], grid: Places | None) -> tuple[str, ...]:
    plain = [_group_name(groups, grid, i) for i in range(len(groups))]
    count, seen, names = Counter(plain), Counter[str](), []
    for name in plain:
        seen[name] += 1
        names.append(name if count[name] == 1 else f"{name} ({seen[name]})")
    return tuple(names)


def _group_name(groups: tuple[Group, ...], grid: Places | None, index: int) -> str:
    group = groups[index]
    if group.kind == "total":
        return "the total"
    if group.kind == "rest":
        return "the tiles without a colour"
    if group.kind.startswith("the count on"):
        return group.kind
    if group.colour:
        return f"the {colour_name(group)} shape"
    if grid is not None and group.cells and group.kind in ("row", "column", "line"):
        columns, rows = (sorted({grid[c][i] for c in group.cells}) for i in (0, 1))
        if len(rows) == 1 and (len(columns) > 1 or group.kind == "row"):
            return f"row {rows[0] + 1}"
        if len(columns) == 1:
            return f"column {letters(columns[0])}"
    number = [i for i, g in enumerate(groups) if g.kind == group.kind].index(index) + 1
    if group.kind.startswith("line-"):
        return f"line {group.kind[5:].upper()}{number}"
    return f"{'group' if group.kind == 'set' else group.kind} {number}"


def colour_name(group: Group) -> str:
    """Return `red`, `dark red`; `black` for dark grey."""
    colour = (group.colour or "").lower()
    if not group.dark:
        return colour
    return "black" if colour == "grey" else f"dark {colour}"


def gives_text(position: Position, cells: Sequence[int], low: int, high: int) -> str:
    """Describe an inequality: `no mine in A1`, `exactly 1 mine in A1 and A2`."""
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
