"""The .hexcells text form of levels: 33 rows of 33 places, two characters each.

o O x X   a safe cell, a mine; capitals are open at the start
          then . nothing (safe: a ?), + a number, c together, n apart
| \\ /     a line's count, downwards from there: + c n
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from math import sqrt

from cluewise.desks.mines.arrangement import Form, Spot
from cluewise.desks.mines.generator.board_shapes import UNIT, hexagon_corners
from cluewise.desks.mines.position import Group, Position, Revealed, check
from cluewise.errors import BadInput, BadNotation, CluewiseError

FIRST_LINE = "Hexcells level v1"
SIDE = 33
FORMS: dict[str, Form] = {"c": "together", "n": "apart"}
LINES = {"|": (0, 2), "\\": (1, 1), "/": (-1, 1)}
AROUND = ((0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1))
NEAR = [(x, y) for x in range(-2, 3) for y in range(-4, 5)
        if (x, y) != (0, 0) and (x + y) % 2 == 0 and abs(x) + abs(y) <= 4]  # fmt: skip


def is_hexcells(text: str) -> bool:
    """Return whether some line of the text starts a level."""
    return any(line.strip() == FIRST_LINE for line in text.splitlines())


def read_hexcells(text: str) -> Position:
    """Parse a level; text before its first line is skipped.

    Raises BadNotation with the line and column of the fault.
    """
    lines = [line.strip() for line in text.splitlines()]
    first = lines.index(FIRST_LINE)
    grid = _grid(lines, first + 5)
    cells = sorted(
        (at for at, symbol in grid.items() if symbol[0] in "oOxX"), key=lambda at: at[::-1]
    )
    if not cells:
        raise BadNotation("This level has no cells.", f"line {first + 1}")
    number = {at: i for i, at in enumerate(cells)}
    mines = {number[at] for at in cells if grid[at][0] in "xX"}

    def near(at: tuple[int, int], steps: Sequence[tuple[int, int]]) -> tuple[int, ...]:
        places = ((at[0] + x, at[1] + y) for x, y in steps)
        return tuple(number[place] for place in places if place in number)

    neighbours = tuple(near(at, AROUND) for at in cells)
    groups = [_line(at, symbol, number, mines) for at, symbol in grid.items() if symbol[0] in LINES]
    groups.append(Group(tuple(range(len(cells))), len(mines), "total"))
    secret = [i for i, at in enumerate(cells) if grid[at][0] in "oO" and grid[at][1] == "."]
    opened = [i for i, at in enumerate(cells) if grid[at][0] == "O"]
    spots = [(i, near(at, NEAR)) for i, at in enumerate(cells)
             if grid[at][0] in "xX" and grid[at][1] != "."]  # fmt: skip
    position = Position(
        title=lines[first + 1],
        neighbours=neighbours,
        pos=tuple((round(UNIT * x * sqrt(3) / 2), UNIT * y // 2) for x, y in cells),
        polygons=(hexagon_corners(0),),
        unit=UNIT,
        groups=tuple(group for group in groups if group.cells),
        forms={str(i): FORMS[grid[at][1]] for i, at in enumerate(cells)
               if grid[at][0] in "oO" and grid[at][1] in FORMS},
        spots=tuple(Spot(i, around, sum(c in mines for c in around)) for i, around in spots),
        revealed=tuple(
            Revealed(i, None if i in secret else sum(c in mines for c in neighbours[i]))
            for i in opened
        ),
        flags=tuple(i for i, at in enumerate(cells) if grid[at][0] == "X"),
        mines=tuple(sorted(mines)),
        secret=tuple(secret),
    )  # fmt: skip
    try:
        check(position)
    except CluewiseError as problem:
        raise BadNotation(problem.message, f"line {first + 1}") from None
    return position


def write_hexcells(puzzle: Position, author: str = "") -> str:
    """Return the level's text, which `read_hexcells` parses to the same level.

    Raises BadInput for a board whose cells or counts the format cannot hold.
    """
    if puzzle.mines is None:
        raise BadInput("Only a puzzle can be written: the mines of this board are not known.")
    mines, secret, marks = set(puzzle.mines), set(puzzle.secret), dict[tuple[int, int], str]()
    at = [_place(pos, puzzle.unit) for pos in puzzle.pos or ()]
    opened = puzzle.start if puzzle.start is not None else [r.cell for r in puzzle.revealed]
    shown, spots = {*opened, *puzzle.flags}, {spot.cell for spot in puzzle.spots}
    signs: dict[str | None, str] = {form: sign for sign, form in FORMS.items()}
    for cell, place in enumerate(at):
        kind, form = ("x" if cell in mines else "o"), puzzle.forms.get(str(cell))
        plain = "." if cell in secret or (cell in mines and cell not in spots) else "+"
        marks[place] = (kind.upper() if cell in shown else kind) + signs.get(form, plain)
    for group in puzzle.groups:
        if at and group.kind == "line" and group.label is not None and group.cells:
            place, (x, y) = _place(group.label[:2], puzzle.unit), at[group.cells[0]]
            direction = (x - place[0], y - place[1])
            sign = "|" if direction[0] == 0 else "\\" if direction[0] > 0 else "/"
            marks[place] = sign + signs.get(group.form, "+")
    rows = [[marks.get((x, y), "..") for x in range(SIDE)] for y in range(SIDE)]
    text = "\n".join([FIRST_LINE, puzzle.title, author, "", "", *map("".join, rows)]) + "\n"
    if not at or _content(read_hexcells(text)) != _content(puzzle):
        raise BadInput("This board has no place in a Hexcells level.")
    return text


def _content(puzzle: Position) -> object:
    """Return the parts of a puzzle that a level holds."""
    return puzzle.neighbours, [(g.cells, g.form) for g in puzzle.groups], puzzle.mines


def _place(pos: Sequence[float], unit: int) -> tuple[int, int]:
    """Return the column and row of a middle, in half rows."""
    return round(2 * pos[0] / unit / sqrt(3)), round(2 * pos[1] / unit)


def _grid(lines: Sequence[str], first: int) -> dict[tuple[int, int], str]:
    """Return the places that are not empty, by column and row."""
    rows = lines[first : first + SIDE]
    if len(rows) < SIDE:
        raise BadNotation(f"A level has {SIDE} rows; here are {len(rows)}.", f"line {first + 1}")
    found: dict[tuple[int, int], str] = {}
    for y, row in enumerate(rows):
        if len(row) != 2 * SIDE:
            message = f"A row has {2 * SIDE} characters; this one has {len(row)}."
            raise BadNotation(message, f"line {first + y + 1}")
        for x in range(SIDE):
            symbol = row[2 * x : 2 * x + 2]
            legal = {"o": ".+cn", "x": ".+"}.get(
                symbol[0].lower(), "+cn" if symbol[0] in LINES else "."
            )
            if symbol[0] not in ".oOxX|\\/" or symbol[1] not in legal:
                where = f"line {first + y + 1}, column {2 * x + 1}"
                raise BadNotation(f"{symbol!r} is not a cell or count of a level.", where)
            if symbol != "..":
                found[x, y] = symbol
    return found


def _line(
    at: tuple[int, int], symbol: str, number: Mapping[tuple[int, int], int], mines: Collection[int]
) -> Group:
    """Return the counted line that runs down from a place."""
    dx, dy = LINES[symbol[0]]
    places = ((at[0] + k * dx, at[1] + k * dy) for k in range(1, SIDE))
    cells = tuple(number[place] for place in places if place in number)
    count = sum(c in mines for c in cells)
    label = (round(UNIT * at[0] * sqrt(3) / 2), UNIT * at[1] // 2, 0)
    return Group(cells, count, "line", label=label, form=FORMS.get(symbol[1]))
