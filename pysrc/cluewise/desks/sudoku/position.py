"""The sudoku desk's position: a box shape and at most two boards.

>>> Position(box=(2, 2), grids=("1234341221434321",)).shape.size
4

Boards are strings row by row: symbols 1–9, then a–z, then A–Z; `.` or `0` is a blank. Inside the
program a board is `Cells`: bytes with 0 for a blank and 1..N for a symbol.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal, NamedTuple, TypeAlias

import msgspec

from cluewise.core.desk import NotebookDisplay
from cluewise.desks.sudoku import constraints, houses
from cluewise.errors import BadInput, BadPosition

SYMBOLS = "123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
LEAST_BOX, MOST_BOX = 2, 6
WITHOUT_BOXES = ((1, 5), (1, 7))  # sizes that are supported with stated regions only
_VALUES = {".": 0, "0": 0} | {symbol: i + 1 for i, symbol in enumerate(SYMBOLS)}
# For `bytes.translate`: a character's value (255: no symbol), a value's character.
_READ = bytes(_VALUES.get(chr(code), 255) for code in range(256))
_WRITTEN = f".{SYMBOLS}".encode().ljust(256, b"?")

Cells: TypeAlias = bytes
# Limits for the schema, with which the page checks links; in Python `check` raises the errors.
_SIDE = msgspec.Meta(extra_json_schema={"minimum": 1, "maximum": 7})
_TWO = msgspec.Meta(extra_json_schema={"maxItems": 2})


class Shape(NamedTuple):
    """A box of `rows` × `cols` cells: `Shape(3, 3).size == 9` symbols, rows and columns."""

    rows: int
    cols: int

    @property
    def size(self) -> int:
        """The number of symbols, of rows and of columns."""
        return self.rows * self.cols

    @property
    def cells(self) -> int:
        """The number of cells."""
        return self.size**2

    @property
    def square(self) -> bool:
        """Whether rows and columns may change places."""
        return self.rows == self.cols

    def houses(self) -> tuple[list[range], list[range], list[list[int]]]:
        """The cells of every row, of every column, and of every box."""
        n, cells = self.size, range(self.cells)
        boxes: list[list[int]] = [[] for _ in range(n)]
        for cell in cells:
            boxes[cell // n // self.rows * self.rows + cell % n // self.cols].append(cell)
        return [cells[i * n : i * n + n] for i in range(n)], [cells[i::n] for i in range(n)], boxes

    def __str__(self) -> str:
        return f"{self.size}×{self.size}"


NINE = Shape(3, 3)


class Position(NotebookDisplay, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The boards of a question; `box` is rows × columns of a box.

    `constraints` are the rules of the puzzles beyond rows, columns and boxes.
    """

    desk: Literal["sudoku"] = "sudoku"
    """Always sudoku."""
    v: Literal[1] = 1
    """The version of this form, always 1."""
    box: tuple[Annotated[int, _SIDE], Annotated[int, _SIDE]] = (3, 3)
    """Rows and columns of a box; 1 and 5, or 1 and 7, for boards with `regions` only."""
    grids: Annotated[tuple[str, ...], _TWO] = ()
    """One or two boards row by row; symbols 1–9, then a–z, then A–Z; `.` or `0` for a blank."""
    constraints: tuple[constraints.Constraint, ...] = ()
    """The rules of the puzzles beyond rows, columns and boxes."""

    @property
    def shape(self) -> Shape:
        """The box as a `Shape`."""
        return Shape(*self.box)


def check(position: Position) -> None:
    """Raise `BadPosition` unless the box is supported and every board fits it.

    Equal symbols in a row, column or box are not checked here: for `solve` such a board has no
    solution, every other verb rejects it in `boards`.
    """
    for i, side in enumerate(() if position.box in WITHOUT_BOXES else position.box):
        if not LEAST_BOX <= side <= MOST_BOX:
            raise BadPosition(
                f"A box has {LEAST_BOX} to {MOST_BOX} rows and columns, not {side}.", f"$.box[{i}]"
            )
    if len(position.grids) > 2:
        raise BadPosition(
            f"A position holds one or two boards, not {len(position.grids)}.", "$.grids"
        )
    for i, text in enumerate(position.grids):
        try:
            read_cells(text, position.shape)
        except BadInput as problem:
            raise BadPosition(problem.message, f"$.grids[{i}]") from None
    constraints.check(position.constraints, *position.shape)
    for i in range(len(position.grids) if position.box in WITHOUT_BOXES else 0):
        rules = constraints.of_board(position.constraints, i)
        if not any(one.kind == "regions" for one in rules):
            raise BadPosition(f"A {position.shape} board has no boxes: state its regions.", "$.box")


def read_cells(text: str, shape: Shape) -> Cells:
    """The cells of a board's string; raises `BadInput` that names row and column."""
    if len(text) != shape.cells:
        raise BadInput(f"A {shape} board has {shape.cells} characters, this one has {len(text)}.")
    cells = text.encode("ascii", "replace").translate(_READ)
    if max(cells) > shape.size:
        at = next(i for i, value in enumerate(cells) if value > shape.size)
        raise BadInput(symbol_error(text[at], at, shape))
    return cells


def symbol_error(symbol: str, at: int, shape: Shape) -> str:
    """The error of a character that is no symbol of a board."""
    return (
        f"{symbol!r} in {place(at, shape)} is not a symbol of a {shape} board: "
        f"use 1 to {SYMBOLS[shape.size - 1]}, or . for a blank."
    )


def write_cells(cells: Cells) -> str:
    """The board's string, `.` for a blank: the inverse of `read_cells`."""
    return cells.translate(_WRITTEN).decode()


def place(at: int, shape: Shape) -> str:
    """The name of a cell: `place(12, NINE) == "row 2, column 4"`."""
    return f"row {at // shape.size + 1}, column {at % shape.size + 1}"


def is_complete(cells: Cells) -> bool:
    """Whether no cell is blank."""
    return 0 not in cells


def conflict(cells: Cells, shape: Shape, rules: Sequence[constraints.Constraint] = ()) -> str:
    """A sentence about two equal symbols in cells that must differ; empty if there are none.

    The pair with the least later cell, then with the least earlier one.
    """
    clash = houses.clash(cells, rules, *shape)
    if clash is None:
        return ""
    a, b, name = clash
    symbol = SYMBOLS[cells[a] - 1]
    return f"{name} holds {symbol} twice: {place(a, shape)} and {place(b, shape)}."


def boards(position: Position, count: int) -> list[Cells]:
    """Exactly `count` legal boards of the position.

    Raises `BadPosition` for another number of boards and for one that breaks the rules.
    """
    if len(position.grids) != count:
        needed = "one board" if count == 1 else "two boards"
        present = {0: "none", 1: "one"}.get(len(position.grids), "two")
        raise BadPosition(
            f"This question is about {needed}; the position has {present}.", "$.position.grids"
        )
    found = []
    for i, text in enumerate(position.grids):
        cells = read_cells(text, position.shape)
        rules = constraints.supported(constraints.of_board(position.constraints, i))
        wrong = conflict(cells, position.shape, rules)
        if wrong:
            raise BadPosition(f"The board breaks the rules. {wrong}", f"$.position.grids[{i}]")
        found.append(cells)
    return found
