"""Links of other sites as boards, and boards as links."""

from __future__ import annotations

import json
import re
from typing import Any

from cluewise.desks.sudoku.formats.lzstring import compress, decompress
from cluewise.desks.sudoku.position import SYMBOLS
from cluewise.errors import BadNotation

_PLAIN = {"bd": "sudokuwiki", "s": "sudokuexchange"}
_PACKED = re.compile(r"^(?:fpuzzles|fpuz)(?P<data>[A-Za-z0-9+/_=-]{8,})$")
SITES = ("sudokuwiki", "sudokuexchange", "f-puzzles", "sudokupad")


def read_link(text: str) -> tuple[str, str] | None:
    """`("f-puzzles", "..5…")` for a link of a known site; None for anything else.

    Raises `BadNotation` for a known site whose link holds no plain board.
    """
    packed = _PACKED.match(text.strip())
    if packed:
        return "sudokupad", _unpack(packed["data"])
    if "://" not in text and not re.match(r"^[\w.-]+\.(?:com|org|app|coach|net)\b", text):
        return None
    address, _, query = text.partition("#")[0].partition("?")
    fields = _fields(query)
    for name, site in _PLAIN.items():
        if name in fields and re.fullmatch(r"[0-9A-Za-z.]{16,}", fields[name]):
            return site, fields[name]
    if "load" in fields:
        return "f-puzzles", _unpack(fields["load"])
    last = fields.get("puzzleid") or _unquoted(address)
    packed = re.search(r"fpuz(?:zles)?(?P<data>[A-Za-z0-9+/_=-]{8,})$", last)
    if packed:
        return "sudokupad", _unpack(packed["data"])
    raise BadNotation(
        "This link holds no board that can be read without asking its site. Links of "
        + ", ".join(SITES) + " that carry the board in them can be."
    )  # fmt: skip


def _fields(query: str) -> dict[str, str]:
    """A link's fields. (urllib would do, but the page's library leaves it out.)"""
    pairs = (part.partition("=") for part in query.split("&"))
    return {name: _unquoted(value) for name, _, value in pairs}


def _unquoted(text: str) -> str:
    return re.sub(r"%([0-9A-Fa-f]{2})", lambda match: chr(int(match[1], 16)), text)


def write_link(board: str, size: int, site: str) -> str:
    """A link that opens the board (81 characters, or size² for f-puzzles and SudokuPad) there."""
    if site in ("sudokuwiki", "sudokuexchange") and size != 9:
        raise BadNotation(f"{site} takes 9×9 boards only.")
    digits = board.replace(".", "0")
    if site == "sudokuwiki":
        return f"https://www.sudokuwiki.org/sudoku.htm?bd={digits}"
    if site == "sudokuexchange":
        return f"https://sudokuexchange.com/play/?s={digits}"
    data = compress(json.dumps({"size": size, "grid": _cells(board, size)}, separators=(",", ":")))
    if site == "f-puzzles":
        return f"https://www.f-puzzles.com/?load={data}"
    return f"https://sudokupad.app/fpuzzles{data}"


def _cells(board: str, size: int) -> list[list[dict[str, Any]]]:
    cells: list[dict[str, Any]] = [
        {} if c == "." else {"value": SYMBOLS.index(c) + 1, "given": True} for c in board
    ]
    return [cells[i : i + size] for i in range(0, len(cells), size)]


def _unpack(data: str) -> str:
    try:
        puzzle = json.loads(decompress(data.replace(" ", "+")))
        rows = puzzle["grid"]
        size = len(rows)
        cells = [cell for row in rows for cell in row]
        if not 4 <= size <= 36 or len(cells) != size * size:
            raise BadNotation("The link's board is not a square of 4 to 36 cells a side.")
        return "".join(_symbol(cell, size) for cell in cells)
    except BadNotation:
        raise
    except (ValueError, KeyError, TypeError, RecursionError):
        raise BadNotation("The link does not hold a puzzle of f-puzzles.") from None


def _symbol(cell: Any, size: int) -> str:
    value = cell.get("value") if isinstance(cell, dict) and cell.get("given", True) else None
    if value in (None, "", 0):
        return "."
    if not isinstance(value, int) or not 1 <= value <= size:
        raise BadNotation(f"The link has the value {value!r} in a board of {size} symbols.")
    return SYMBOLS[value - 1]
