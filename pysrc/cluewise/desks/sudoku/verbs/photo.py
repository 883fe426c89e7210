"""The verb `photo`: the board in a picture, and which of its cells deserve a look."""

from __future__ import annotations

import zlib
from binascii import Error, a2b_base64
from typing import Literal

from cluewise.core.work import Job
from cluewise.desks.sudoku.ocr.image import MOST, paired
from cluewise.desks.sudoku.ocr.lattice import corners_of
from cluewise.desks.sudoku.ocr.read import Found, read
from cluewise.desks.sudoku.position import Position, write_cells
from cluewise.desks.sudoku.results import Photo, PhotoOptions
from cluewise.errors import BadInput, BadOption

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
    pixels = _bytes(options.pixels, 3 * options.width * options.height)
    corners = paired(options.corners) if len(options.corners) == 8 else None
    if options.corners and corners is None:
        raise BadOption("Four corners are eight numbers.", "$.options.corners")
    found = yield from read(pixels, options.width, options.height, options.size, corners)
    if found is None:
        raise BadInput("No board was found in this picture.", "$.options.pixels")
    return _result(found)


def _bytes(text: str, length: int) -> bytes:
    """The bytes in base64, unpacked if they are fewer than `length`."""
    try:
        data = a2b_base64(text, strict_mode=True)
    except (Error, ValueError):
        raise BadOption("The picture's bytes are not base64.", "$.options.pixels") from None
    if len(data) >= length or not 0 < length <= 3 * MOST:
        return data
    try:
        return zlib.decompressobj().decompress(data, length)
    except zlib.error:
        return data  # too few, which is said with the numbers


def _result(found: Found) -> Photo:
    n, read_ = found.read.lattice.n, found.read
    points = [(round(x, 2), round(y, 2)) for x, y in read_.points]
    return Photo(
        write_cells(found.decoded.cells), (found.shape.rows, found.shape.cols), found.doubtful,
        found.decoded.repaired, found.decoded.solutions == 1, _COUNTS[found.decoded.solutions],
        write_cells(bytes(read_.seen.raw)), [round(c, 4) for c in found.certain],
        [_likely(chances) for chances in read_.seen.chances], found.own,
        round(max(0.0, min(1.0, read_.lattice.value)), 3), found.lattice_doubtful,
        corners_of(points, n), points, read_.turn,
    )  # fmt: skip


def _likely(chances: list[float]) -> str:
    order = sorted(range(len(chances)), key=lambda v: -chances[v])[:3]
    return write_cells(bytes(order))
