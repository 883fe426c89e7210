"""Boards as text: typed by hand, and in the .mine files of JSMinesweeper.

A rectangle, row by row. A puzzle: `.` safe, `*` mine, `?` safe without a number:

    .*.
    ?.*

A board in play: digits are open, `?` is open without a number, `#` closed, `!` a flag; lines
such as `rows 1 2 0`, `columns 2 1 0`, `total 3` give the counts (`-` for none).

A .mine file, in which JSMinesweeper saves a game: width, height and mines on the first line, then
the rows: `H` closed, `F` a flag, `?` a mine that exploded, digits open cells.

    3x2x1
    1FH
    11H
"""

from __future__ import annotations

import re
from typing import TypeAlias

from cluewise.core.results import pluralize
from cluewise.desks.mines.cell_names import cell_name
from cluewise.desks.mines.position import Position, Rectangle, Revealed, check
from cluewise.errors import BadNotation, CluewiseError, TooLarge

Counts: TypeAlias = tuple[int | None, ...]  # of the rows or columns; None for none
_COUNTS = re.compile(r"^(rows|columns|total)\s*[:=]?\s*(.*)$", re.IGNORECASE)
_MINES = r"(?:mines?|bombs?)"
_TOTAL = re.compile(
    rf"^(?:(?:total|number of|total number of|total of)\s+)?{_MINES}"
    r"(?:\s+(?P<left>left|remaining)|\s+(?:total|count|in all|in total))?"
    r"\s*[:=]?\s*(?P<n>\d{1,4})$",
    re.IGNORECASE,
)
_NUMBER_FIRST = re.compile(
    rf"^(?P<n>\d{{1,4}})\s+{_MINES}(?:\s+(?P<left>left|remaining)|\s+in all|\s+in total)?$",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W\d_]{2}")


def read_text(text: str) -> Position:
    """Parse a typed rectangle; the module's docstring lists the characters.

    Raises BadNotation with the line and column of the fault, TooLarge beyond the limit of cells.
    """
    rows, counts, lines = _split_lines(text)
    if not rows:
        raise BadNotation("There is no board in this text.", "line 1")
    width = len(rows[0][1])
    for line, row in rows:
        _check_row(line, row, width)
    cells = "".join(row for _, row in rows)
    puzzle = not re.search(r"[#!0-9]", cells)
    total = (counts.get("total") or (None,))[0]
    if puzzle and total not in (None, cells.count("*")):
        message = (
            f"The total is {total}, but the board shows {pluralize(cells.count('*'), 'mine')}."
        )
        raise BadNotation(message, f"line {lines['total']}")
    position = (_puzzle if puzzle else _in_play)(cells, width, len(rows), counts)
    return _checked(position, rows, lines, rows[0][0])


def _split_lines(text: str) -> tuple[list[tuple[int, str]], dict[str, Counts], dict[str, int]]:
    """Return the board's rows with their line numbers; the counts by name, and their lines."""
    rows: list[tuple[int, str]] = []
    counts: dict[str, Counts] = {}
    lines: dict[str, int] = {}
    left: int | None = None
    for line, raw in enumerate(text.splitlines(), 1):
        content = raw.strip().rstrip(".") if _WORD.search(raw) else raw.strip()
        total = _TOTAL.match(content) or _NUMBER_FIRST.match(content)
        match = None if total else _COUNTS.match(content)
        if not match and not total:
            if content:
                rows.append((line, content.replace(" ", "")))
            continue
        name = match[1].lower() if match else "total"
        if name in counts:
            raise BadNotation(f"The count of {name} is given twice.", f"line {line}")
        counts[name] = _parse_counts(match[2] if match else total["n"] if total else "", line)
        lines[name] = line
        if total and total["left"]:
            left = int(total["n"])
    if left is not None:
        counts["total"] = (left + sum(row.count("!") for _, row in rows),)
    return rows, counts, lines


def _check_row(line: int, row: str, width: int) -> None:
    if re.fullmatch(r"[HF?0-8]*[HF][HF?0-8]*", row):
        message = "A JSMinesweeper .mine file begins with its size and mines, such as 30x16x99."
        raise BadNotation(message, f"line {line}")
    if _WORD.search(row):
        message = (
            f"{row[:40]!r} is neither a row of cells (. * ? # ! and digits) nor a count such as "
            "rows 1 2 0, columns 2 1 0 or total 3."
        )
        raise BadNotation(message, f"line {line}")
    if len(row) != width:
        message = f"Cells in this row: {len(row)}; in the first: {width}."
        raise BadNotation(message, f"line {line}")
    for column, char in enumerate(row, 1):
        if char not in ".*?#!0123456789":
            message = f"{char!r} is no cell of a board."
            raise BadNotation(message, f"line {line}, column {column}")


def _checked(
    position: Position, rows: list[tuple[int, str]], lines: dict[str, int], first: int
) -> Position:
    """Return the position if `check` accepts it; its errors get the line and column in the text.

    `lines`: those of the counts; `first`: that of the board as a whole.
    """
    try:
        check(position)
    except CluewiseError as problem:
        message, where = problem.message, f"line {first}"
        if isinstance(problem, TooLarge):
            raise TooLarge(message, where) from None
        if number := re.match(r"\$\.revealed\[(\d+)\]", problem.where):
            cell = position.revealed[int(number[1])].cell
            y, x = divmod(cell, len(rows[0][1]))
            where = f"line {rows[y][0]}, column {x + 1}"
            message = message.replace(f"Cell {cell} ", f"{cell_name(position, cell)} ")
        elif counts := re.match(r"\$\.board\.(rows|columns|total)", problem.where):
            where = f"line {lines.get(counts[1], first)}"
        raise BadNotation(message, where) from None
    return position


def _parse_counts(text: str, line: int) -> Counts:
    found: list[int | None] = []
    for count in text.replace(",", " ").split():
        if count != "-" and not re.fullmatch(r"\d{1,4}", count):
            raise BadNotation(f"{count!r} is not a count.", f"line {line}")
        found.append(None if count == "-" else int(count))
    return tuple(found)


def _puzzle(cells: str, width: int, height: int, counts: dict[str, Counts]) -> Position:
    """Return a puzzle with counts of all rows, columns and mines, as on a combination lock."""
    mines = tuple(i for i, c in enumerate(cells) if c == "*")
    rows = tuple(cells[y * width : (y + 1) * width].count("*") for y in range(height))
    columns = tuple(cells[x::width].count("*") for x in range(width))
    return Position(
        board=Rectangle("square", width, height, counts.get("rows", rows),
                        counts.get("columns", columns), (counts.get("total") or (len(mines),))[0]),
        mines=mines,
        secret=tuple(i for i, c in enumerate(cells) if c == "?"),
    )  # fmt: skip


def _in_play(cells: str, width: int, height: int, counts: dict[str, Counts]) -> Position:
    total = (counts.get("total") or (None,))[0]
    return Position(
        board=Rectangle("square", width, height, counts.get("rows"), counts.get("columns"), total),
        revealed=tuple(
            Revealed(i, None if c == "?" else int(c))
            for i, c in enumerate(cells) if c in "?0123456789"
        ),
        flags=tuple(i for i, c in enumerate(cells) if c == "!"),
    )  # fmt: skip


_HEAD = re.compile(r"(\d{1,6})\s*x\s*(\d{1,6})\s*x\s*(\d{1,6})", re.IGNORECASE | re.ASCII)
FORMAT = "JSMinesweeper .mine file"


def is_mine_file(text: str) -> bool:
    """Return whether the text starts with a size and a number of mines, such as `30x16x99`."""
    head = next((line.strip() for line in text.splitlines() if line.strip()), "")
    return _HEAD.fullmatch(head) is not None


def read_mine_file(text: str) -> Position:
    """Parse the game in a .mine file: a rectangle with its total.

    An exploded mine becomes a flag: it is known to be a mine. Raises BadNotation with the line
    and column of what breaks the format, TooLarge beyond the limit of cells.
    """
    (first, head), *rows = [
        (line, raw.strip()) for line, raw in enumerate(text.splitlines(), 1) if raw.strip()
    ]
    width, height, total = (int(n) for n in re.findall(r"\d+", head))
    if len(rows) != height:
        message = f"This {FORMAT} has {pluralize(len(rows), 'row')}; its first line says {height}."
        raise BadNotation(message, f"line {first}")
    for line, row in rows:
        bad = re.search(r"[^HF?0-8]", row, re.IGNORECASE)
        if bad:
            message = f"{bad[0]!r} is no cell of a {FORMAT}: H, F, ? or 0 to 8."
            raise BadNotation(message, f"line {line}, column {bad.start() + 1}")
        if len(row) != width:
            message = f"Cells in this row: {len(row)}; the first line of the {FORMAT} says {width}."
            raise BadNotation(message, f"line {line}")
    cells = "".join(row.upper() for _, row in rows)
    shown = tuple(Revealed(i, int(c)) for i, c in enumerate(cells) if c.isdigit())
    flags = tuple(i for i, c in enumerate(cells) if c in "F?")
    if not cells:
        raise BadNotation(f"This {FORMAT} has no cells.", f"line {first}")
    board = Rectangle("square", width, height, total=total)
    return _checked(Position(board=board, revealed=shown, flags=flags), rows, {}, first)
