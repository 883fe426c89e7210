"""The board of a line of a list: a string, a link, a packed board, a game id, a grid's number."""

from __future__ import annotations

from cluewise.desks.sudoku.constraints import words
from cluewise.desks.sudoku.formats.links import Link, links_in
from cluewise.desks.sudoku.formats.names import read_name
from cluewise.desks.sudoku.formats.strings import COMMENT, Line, read_string
from cluewise.desks.sudoku.position import NINE, Shape


def read_list_line(line: str, shape: Shape) -> Line:
    """Return the first board of that shape in a line, or what is wrong with the line.

    Lists compare plain boards: a link that carries rules is a problem that names them.
    """
    if line.lstrip().startswith(COMMENT) and "#/" not in line[:3]:
        return read_string(line, shape)
    failed: Link | None = None
    for link in links_in(line):
        before = read_string(line[: link.start], shape)
        if before.board:
            return before
        if link.board:
            return _linked(link, shape)
        failed = failed or link
    named = read_name(line, alone=False) if shape == NINE else None
    if named and named.board:
        return Line(named.board)
    found = read_string(line, shape)
    if found.board is None and failed:
        return Line(None, failed.start + 1, failed.problem)
    if found.board is None and named:
        return Line(None, named.column, named.problem)
    return found


def _linked(link: Link, shape: Shape) -> Line:
    what = link.site if link.shape else f"{link.site} link"
    if len(link.board) != shape.cells or link.shape not in (None, shape):
        side = round(len(link.board) ** 0.5)
        box = f" with boxes of {link.shape.rows}×{link.shape.cols}" if link.shape else ""
        why = f"This {what} has a {side}×{side} board{box}; the list has {shape} boards."
        return Line(None, link.start + 1, why)
    if link.constraints:
        names = ", ".join(words(link.constraints))
        why = f"This {what} has rules that lists leave out: {names}. Paste it as a single board."
        return Line(None, link.start + 1, why)
    return Line(link.board)
