"""The verb `photo`: the board in a picture, and which of its cells deserve a look."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from cluewise.core.work import Job
from cluewise.desks.sudoku.position import Position, write_cells
from cluewise.desks.sudoku.results import Photo, PhotoOptions
from cluewise.errors import BadInput, BadOption

if TYPE_CHECKING:
    from cluewise.desks.sudoku.ocr.read import Found

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
    import numpy as np

    from cluewise.desks.sudoku.ocr.read import read
    from cluewise.pictures.image import Image

    image = Image.from_base64(options.pixels, options.width, options.height)
    if len(options.corners) not in (0, 8):
        raise BadOption("Four corners are eight numbers.", "$.options.corners")
    corners = np.array(options.corners).reshape(4, 2) if options.corners else None
    found = yield from read(image, options.size, corners)
    if found is None:
        raise BadInput("No board was found in this picture.", "$.options.pixels")
    return _result(found)


def _result(found: Found) -> Photo:
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
