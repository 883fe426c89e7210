"""Boards out of text (`paste`) and pictures (`photo`), and for other programs (`export`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from cluewise.core.results import BadLine
from cluewise.core.work import Job
from cluewise.desks.sudoku.constraints import merge_boards, names_of, of_board
from cluewise.desks.sudoku.formats.text import Found, read_text
from cluewise.desks.sudoku.formats.write import CARRYING, write_text
from cluewise.desks.sudoku.position import Position, write_cells
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

_SHOWN = 200  # characters of a line that could not be read
_SMALL = 9  # symbols: larger boards can take long, and are compared where that can be watched


def paste(position: Position, options: PasteOptions) -> Job[Pasted]:
    """The boards of a text, what kind of text it is, and what could not be read, with its place.

    With `same`, the verdict on the two boards that then stand side by side comes along: it would
    be the next question anyway, and one way to the worker and back is half of a paste's time.
    """
    found = read_text(options.text, position.shape)
    lines = options.text.splitlines()
    bad = [BadLine(one.line, one.column, _line(lines, one.line), one.why) for one in found.bad]
    box = (found.shape.rows, found.shape.cols)
    verdict = (yield from _verdict(position, found, options)) if options.same else None
    rules = [list(one) for one in found.constraints]
    if not any(rules):
        rules = []
    return Pasted(found.format, box, found.boards, bad, verdict, rules)


def read_boards(text: str) -> Position:
    """The position of one or two boards written as text. Raises `BadNotation` with the line."""
    found = read_text(text)
    if found.bad or not 1 <= len(found.boards) <= 2:
        bad = found.bad[0] if found.bad else None
        why = f"Line {bad.line}: {bad.why}" if bad else "Expected one or two boards."
        raise BadNotation(why, "$.position")
    rules = [*found.constraints, ()][:2]
    box = (found.shape.rows, found.shape.cols)
    return Position(
        box=box, grids=tuple(found.boards), constraints=merge_boards(rules[0], rules[1])
    )


def _line(lines: list[str], number: int) -> str:
    """That line as it came, its beginning if it is very long."""
    return lines[number - 1][:_SHOWN] if number <= len(lines) else ""


def _verdict(position: Position, found: Found, options: PasteOptions) -> Job[Same | None]:
    """The answer of `same` for the pasted boards; None if there are not two to be compared."""
    two, rules = list(found.boards), list(found.constraints)
    if len(two) == 1 and found.shape == position.shape:
        two = [*position.grids, "", ""][:2]
        rules = [tuple(of_board(position.constraints, i)) for i in (0, 1)]
        two[options.into], rules[options.into] = found.boards[0], found.constraints[0]
    if len(two) != 2 or found.shape.size > _SMALL or not all(t.strip(".0") for t in two):
        return None
    box = (found.shape.rows, found.shape.cols)
    both = Position(box=box, grids=(two[0], two[1]), constraints=merge_boards(rules[0], rules[1]))
    try:
        return (yield from same(both, SameOptions(no_relabel=options.no_relabel)))
    except BadPosition:  # a board that breaks the rules: nothing to compare, and still a good text
        return None


def export(position: Position, options: ExportOptions) -> Job[Exported]:
    """The position's boards as text or links of another program."""
    yield from ()
    boards = [text.replace("0", ".") for text in position.grids]
    rules = [of_board(position.constraints, i) for i in range(len(boards))]
    text = write_text(boards, position.shape, options.notation, rules)
    carried = CARRYING.get(options.notation, frozenset())
    left = (c for c in position.constraints if c.kind not in carried)
    return Exported(text, names_of(left))


# -- pictures ------------------------------------------------------------------------------------

_COUNTS: dict[int | None, Literal["0", "1", ">=2", "unknown"]] = {
    0: "0", 1: "1", 2: ">=2", None: "unknown",
}  # fmt: skip


def photo(position: Position, options: PhotoOptions) -> Job[Photo]:
    """The board in a picture: what the cells show, and what the rules make of it.

    The lattice is found first, by large connected lines or by equal distances; then every cell is
    read; then the likeliest reading with exactly one solution is taken, and what that changed is
    listed under `repaired`. Where no likely reading has one solution, nothing is repaired.
    Raises `BadInput` where the picture shows no board. The position is not looked at.
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
        write_cells(found.decoded.cells), (found.shape.rows, found.shape.cols), found.doubtful,
        found.decoded.repaired, found.decoded.solutions == 1, _COUNTS[found.decoded.solutions],
        write_cells(bytes(read_.seen.raw)), [round(c, 4) for c in found.certain],
        [_likely(chances) for chances in read_.seen.chances.tolist()], found.own,
        round(max(0.0, min(1.0, read_.lattice.value)), 3), found.lattice_doubtful,
        corners, points, read_.turn,
    )  # fmt: skip


def _likely(chances: list[float]) -> str:
    order = sorted(range(len(chances)), key=lambda v: -chances[v])[:3]
    return write_cells(bytes(order))
