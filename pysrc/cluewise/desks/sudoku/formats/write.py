"""Boards in every notation that can be written."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, get_args

from cluewise.desks.sudoku.constraints import Constraint, Kind
from cluewise.desks.sudoku.formats import penpa_write, sudoku_coach
from cluewise.desks.sudoku.formats.characters import sides_of
from cluewise.desks.sudoku.formats.links import write_link
from cluewise.desks.sudoku.houses import region_numbers
from cluewise.desks.sudoku.position import Shape

Notation = Literal[
    "string", "zeros", "grid", "sdk", "sdm", "sudokuwiki", "sudokuexchange", "f-puzzles",
    "sudokupad", "sudoku.coach", "penpa",
]  # fmt: skip


# The kinds of constraints that a notation can express; the others express none.
_EVERY = frozenset(get_args(Kind)) - {"other", "candidates"}
CARRYING: dict[str, frozenset[str]] = {
    "f-puzzles": _EVERY, "sudokupad": _EVERY, "sudoku.coach": sudoku_coach.CARRIED,
    "penpa": penpa_write.CARRIED,
}  # fmt: skip
# Kinds whose number 0 f-puzzles and SudokuPad take for no number; sudoku.coach does so for all.
_WITHOUT_ZERO = ("ratio", "difference", "whispers", "little")


def write_text(
    boards: list[str],
    shape: Shape,
    notation: Notation,
    constraints: Sequence[Sequence[Constraint]] = (),
) -> str:
    """The boards one after another, ending with a newline; links carry each board's constraints."""
    if notation in ("string", "sdm"):
        return "".join(board + "\n" for board in boards)
    if notation == "zeros":
        return "".join(board.replace(".", "0") + "\n" for board in boards)
    if notation == "grid":
        return "\n".join(draw(board, shape) for board in boards)
    if notation == "sdk":
        return "\n".join("\n".join(_rows(board, shape)) + "\n" for board in boards)
    rules = [*constraints, *[()] * len(boards)]
    return "".join(
        write_link(board, shape.size, notation, _linked_rules(own, shape, notation)) + "\n"
        for board, own in zip(boards, rules, strict=False)
    )


def _linked_rules(
    rules: Sequence[Constraint], shape: Shape, notation: Notation
) -> list[Constraint]:
    """The constraints of a board in a link; boxes of another form than the site's are regions."""
    carried = [one for one in rules if is_carried(one, notation)]
    usual = tuple(shape) == sides_of(shape.size) or notation not in CARRYING
    if usual or any(one.kind == "regions" for one in carried):
        return carried
    return [Constraint("regions", tuple(region_numbers((), *shape))), *carried]


def is_carried(one: Constraint, notation: Notation) -> bool:
    """Whether a notation can express a constraint. An XV pair is marked X (10) or V (5) only."""
    if one.kind not in CARRYING.get(notation, ()):
        return False
    if one.kind == "xv":
        return one.value in (5, 10)
    without_zero = one.kind in _WITHOUT_ZERO or notation == "sudoku.coach"
    return not without_zero or 0 not in (one.value, one.sum)


def _rows(board: str, shape: Shape) -> list[str]:
    return [board[i : i + shape.size] for i in range(0, len(board), shape.size)]


def draw(board: str, shape: Shape) -> str:
    """The board with bars between boxes, for people and for the paste box."""
    rule = "+".join("-" * (2 * shape.cols + 1) for _ in range(shape.rows))
    lines = []
    for r, row in enumerate(_rows(board, shape)):
        if r and r % shape.rows == 0:
            lines.append(rule)
        minirows = [row[i : i + shape.cols] for i in range(0, shape.size, shape.cols)]
        lines.append("|".join(f" {' '.join(minirow)} " for minirow in minirows).rstrip())
    return "\n".join(lines) + "\n"
