"""Copies of one puzzle in parts, as Simple Sudoku and HoDoKu make them: givens, state, notes."""

from __future__ import annotations

import re

from cluewise.desks.sudoku.formats.drawn_boards import (
    BoardInText,
    ParseError,
    ParseResult,
    read_rows,
)
from cluewise.desks.sudoku.formats.row_tokenizers import is_frame

_ROW = re.compile(r"[\d.\s|*_?:+'!-]+")
_SIDE = 9


def read_parts(lines: list[str]) -> ParseResult | None:
    """Return the givens of each copy in three parts, or in two of which the second has notes.

    None unless all rows of the text belong to such copies. The digits of the state include the
    givens; the last part has a note in some cell, and its digits include the givens, too.
    """
    rows = [
        (number, line) for number, line in enumerate(lines, 1)
        if _ROW.fullmatch(line) and re.search(r"[\d.]", line) and not is_frame(line)
    ]  # fmt: skip
    for count in (3, 2):
        size = count * _SIDE
        if not rows or len(rows) % size:
            continue
        copies = [_copy(rows[at : at + size]) for at in range(0, len(rows), size)]
        found = [copy for copy in copies if copy]
        if len(found) == len(copies):
            used = {number for number, _ in rows}
            bad = [
                ParseError(i, len(line) - len(line.lstrip()) + 1,
                       f"“{line.strip()[:30]}” is no row of a 9×9 board.")
                for i, line in enumerate(lines, 1)
                if i not in used and re.search(r"\w", line)
                and not line.lstrip().startswith(("#", "//", "%"))
            ]  # fmt: skip
            filled = sum(n for _, n in found)
            also = f"{filled} filled-in cells and " if filled else ""
            words = f"givens of a copy in {count} parts, {also}notes left out"
            boards = [placed for placed, _ in found]
            return ParseResult(boards, bad, 81 * len(boards), words)
    return None


def _copy(rows: list[tuple[int, str]]) -> tuple[BoardInText, int] | None:
    """The givens of one copy and the number of cells filled in since; None if it is no copy."""
    parts = []
    for at in range(0, len(rows), _SIDE):
        read = read_rows([line for _, line in rows[at : at + _SIDE]], None)
        if read.bad or len(read.boards) != 1 or len(read.boards[0].board) != _SIDE**2:
            return None
        parts.append((read.boards[0].board, "notes" in read.words))
    givens = parts[0][0]
    if parts[0][1] or not parts[-1][1] or not all(_includes(board, givens) for board, _ in parts):
        return None
    state = parts[-2][0] if len(parts) > 2 else givens
    return BoardInText(rows[0][0], givens), givens.count(".") - state.count(".")


def _includes(board: str, givens: str) -> bool:
    return all(given in (".", cell) for given, cell in zip(givens, board, strict=True))
