"""Boards from text (`paste`) and pictures (`photo`), and for other programs (`export`)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Literal

from cluewise.core.results import BadLine
from cluewise.core.work import Job
from cluewise.desks.sudoku.constraints import Constraint, merge_boards, names_of, of_board
from cluewise.desks.sudoku.formats.text import Found, read_text
from cluewise.desks.sudoku.formats.write import is_carried, write_text
from cluewise.desks.sudoku.position import Position, Shape, write_cells
from cluewise.desks.sudoku.results import (
    Exported,
    ExportOptions,
    Pasted,
    PasteOptions,
    Photo,
    PhotoOptions,
    Same,
    SameOptions,
)
from cluewise.desks.sudoku.verbs.same import same
from cluewise.errors import BadInput, BadNotation, BadOption, BadPosition

if TYPE_CHECKING:
    from cluewise.desks.sudoku.ocr import read as ocr

_SHOWN = 200  # characters of an unreadable line
_SMALL = 9  # symbols; larger boards are not compared at once, as that can take long


def paste(position: Position, options: PasteOptions) -> Job[Pasted]:
    """The boards of a text, its format, and what could not be read, with its place.

    With `same`, the result includes the answer about the two boards that the page then has: that
    would be the next request, and a message to the worker and back is half of a paste's time.
    """
    found = read_text(options.text, position.shape)
    lines = dict(enumerate(options.text.splitlines(), 1))
    bad = [BadLine(one.line, one.column, lines.get(one.line, "")[:_SHOWN], one.why)
           for one in found.bad]  # fmt: skip
    verdict = (yield from _verdict(position, found, options)) if options.same else None
    rules = [list(one) for one in found.constraints] if any(found.constraints) else []
    return Pasted(found.format, _box(found.shape), found.boards, bad, verdict, rules)


def _box(shape: Shape) -> tuple[int, int]:
    return shape.rows, shape.cols


def read_boards(text: str) -> Position:
    """The position of one or two boards written as text. Raises `BadNotation` with the line."""
    found = read_text(text)
    if found.bad or not 1 <= len(found.boards) <= 2:
        bad = found.bad[0] if found.bad else None
        why = f"Line {bad.line}: {bad.why}" if bad else "Expected one or two boards."
        raise BadNotation(why, "$.position")
    return _position(found.shape, found.boards, [*found.constraints, ()])


def _position(
    shape: Shape, boards: Sequence[str], rules: Sequence[Iterable[Constraint]]
) -> Position:
    constraints = merge_boards(rules[0], rules[1])
    return Position(box=_box(shape), grids=tuple(boards), constraints=constraints)


def _verdict(position: Position, found: Found, options: PasteOptions) -> Job[Same | None]:
    """The answer of `same` for the pasted boards; None if there are not two to be compared."""
    two, rules = list(found.boards), list(found.constraints)
    if len(two) == 1 and found.shape == position.shape:
        two = [*position.grids, "", ""][:2]
        rules = [tuple(of_board(position.constraints, i)) for i in (0, 1)]
        two[options.into], rules[options.into] = found.boards[0], found.constraints[0]
    if len(two) != 2 or found.shape.size > _SMALL or not all(t.strip(".0") for t in two):
        return None
    both = _position(found.shape, two, rules)
    try:
        return (yield from same(both, SameOptions(no_relabel=options.no_relabel)))
    except BadPosition:  # a board that breaks the rules is pasted, but not compared
        return None


def export(position: Position, options: ExportOptions) -> Job[Exported]:
    """The position's boards as text or links of another program."""
    yield from ()
    boards = [text.replace("0", ".") for text in position.grids]
    rules = [of_board(position.constraints, i) for i in range(len(boards))]
    text = write_text(boards, position.shape, options.notation, rules)
    left = (c for c in position.constraints if not is_carried(c, options.notation))
    return Exported(text, names_of(left))


# -- pictures ------------------------------------------------------------------------------------

_COUNTS: dict[int | None, Literal["0", "1", ">=2", "unknown"]] = {
    0: "0", 1: "1", 2: ">=2", None: "unknown",
}  # fmt: skip


def photo(position: Position, options: PhotoOptions) -> Job[Photo]:
    """The board in a picture: the symbols of its cells, and the most probable legal reading.

    The lattice is found first, by large connected lines or by equal distances; then every cell is
    read; the result is the most probable reading with exactly one solution, and `repaired` lists
    the cells that this changed. If no probable reading has one solution, nothing is repaired.
    Raises `BadInput` if no board is found. The position is ignored.
    """
    from cluewise.desks.sudoku.ocr.read import read
    from cluewise.pictures.image import Image

    image = Image.from_base64(options.pixels, options.width, options.height)
    if len(options.corners) not in (0, 8):
        raise BadOption("Four corners are eight numbers.", "$.options.corners")
    found = yield from read(image, options.size, options.corners)
    if found is None:
        raise BadInput("No board was found in this picture.", "$.options.pixels")
    return _result(found)


def _result(found: ocr.Found) -> Photo:
    n, read_ = found.read.lattice.n, found.read
    points: list[tuple[float, float]] = [
        (round(x, 2), round(y, 2)) for row in read_.points.tolist() for x, y in row
    ]
    corners = [points[0], points[n], points[-1], points[-1 - n]]
    return Photo(
        write_cells(found.decoded.cells), _box(found.shape), found.doubtful,
        found.decoded.repaired, found.decoded.solutions == 1, _COUNTS[found.decoded.solutions],
        write_cells(bytes(read_.seen.raw)), [round(c, 4) for c in found.certain],
        [_likely(chances) for chances in read_.seen.chances.tolist()], found.own,
        round(max(0.0, min(1.0, read_.lattice.value)), 3), found.lattice_doubtful,
        corners, points, read_.turn,
    )  # fmt: skip


def _likely(chances: list[float]) -> str:
    order = sorted(range(len(chances)), key=lambda v: -chances[v])[:3]
    return write_cells(bytes(order))
