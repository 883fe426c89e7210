"""Notations: .puz, .mine and .hexcells files, typed boards, and JSON."""

from __future__ import annotations

import msgspec

from cluewise.desks.mines.formats.hexcells import is_hexcells, read_hexcells
from cluewise.desks.mines.formats.puz.read import read_puz
from cluewise.desks.mines.formats.text import is_mine_file, read_mine_file, read_text
from cluewise.desks.mines.position import Position, check
from cluewise.errors import BadNotation, CluewiseError, TooLarge


def read(text: str) -> Position:
    """Parse a .puz, .mine or .hexcells file, a JSON document or a typed board.

    Raises BadNotation with the line and column of the fault, TooLarge beyond the limit of cells.
    """
    start = text.lstrip("\ufeff \t\r\n")
    if start.startswith("<"):
        return read_puz(text)
    if start.startswith("{"):
        return _read_json(text)
    if is_hexcells(text):
        return read_hexcells(text)
    return read_mine_file(text.lstrip("\ufeff")) if is_mine_file(start) else read_text(text)


def _read_json(text: str) -> Position:
    try:
        position = msgspec.json.decode(text, type=Position)
        check(position)
    except (msgspec.MsgspecError, RecursionError) as problem:
        raise BadNotation(f"This is not a position of a mine board: {problem}.", "line 1") from None
    except TooLarge:
        raise
    except CluewiseError as problem:
        raise BadNotation(problem.message, problem.where) from None
    return position
