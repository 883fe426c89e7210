"""The verbs `regions`, `paste`, `write` and `walls`: built-in regions, texts and files of maps."""

from __future__ import annotations

import base64
import binascii
import contextlib

from cluewise.core.desk import NoOptions
from cluewise.core.work import Job, Progress
from cluewise.desks.scan.formats.maps import (
    read_clue,
    read_grid,
    read_ground,
    write_grid,
    write_spots,
)
from cluewise.desks.scan.position import MEERKATS, Position, floor_of, spots_of
from cluewise.desks.scan.regions import by_id, landings
from cluewise.desks.scan.results import (
    CollisionFile,
    Grid,
    Pasted,
    PasteOptions,
    RegionRow,
    Regions,
    WallsOptions,
    WrittenMap,
)
from cluewise.desks.scan.scene import ScanModel
from cluewise.desks.scan.steps import Ground, terrain_of_ground
from cluewise.desks.scan.walls import FloorWalls, check_size, extent, pack, window_rows
from cluewise.errors import BadNotation, BadOption, BadPosition, TooLarge


def regions(_position: Position, _options: NoOptions) -> Job[Regions]:
    """List the built-in regions."""
    yield Progress(1, 1)
    rows = []
    for r in by_id().values():
        levels = sorted({level for _, _, level in r.spots})
        row = RegionRow(r.id, r.name, r.tier, r.range, len(r.spots), levels, list(landings()[r.id]))
        rows.append(row)
    return Regions(rows)


def paste(_position: Position, options: PasteOptions) -> Job[Pasted]:
    """Read spots from a text, equal ones once."""
    yield Progress(1, 1)
    clue_range, spots = read_clue(options.text)
    return Pasted([list(spot) for spot in dict.fromkeys(spots)], clue_range)


def write(position: Position, options: NoOptions) -> Job[WrittenMap]:
    """Write all spots of the clue, also those ruled out, for `paste`, and the walls of the current
    floor as a grid.

    Raises `TooLarge` if the grid of the walls exceeds the limits of `walls`.
    """
    yield from ()
    text = write_spots(spots_of(position))
    walls = ScanModel.of(position).walls_on(floor_of(position))
    window = extent(walls) if walls is not None else None
    if walls is None or window is None:
        return WrittenMap(text)
    x, y, width, height = window
    try:
        check_size((width, height), "$.position.walls")
    except BadPosition as problem:
        raise TooLarge(problem.message, problem.where) from None
    return WrittenMap(text, write_grid(width, window_rows(walls, window)), [x, y])


def walls(position: Position, options: WallsOptions) -> Job[Grid]:
    """Convert a text grid, a PNG or collision files to the position's walls."""
    given = (options.text, options.png, options.collision)
    if sum(one is not None for one in given) != 1:
        raise BadOption("Give a text grid, a PNG or collision files.", "$.options.text")
    if options.collision is not None:
        yield Progress(0, None, "reading the collision files")
        return cut_ground(position, options.collision)
    yield Progress(0, None, "reading the grid")
    where = "$.options.text" if options.png is None else "$.options.png"
    try:
        if options.png is not None:
            width, rows = read_picture(_decode_base64(options.png))
        else:
            width, rows = read_grid(options.text or "")
        check_size((width, len(rows)), where)
    except BadPosition as problem:
        raise BadNotation(problem.message, where) from None
    at = options.at or _default_corner(position)
    grid = pack(rows, at, (width, len(rows)))
    blocked = sum(row.bit_count() for row in rows)
    return Grid(grid, [width, len(rows)], blocked, list(at))


def cut_ground(position: Position, files: tuple[CollisionFile, ...]) -> Grid:
    """Return the grounds round all spots of the clue: of the current floor, and of every other
    floor from the lowest to the highest spot that has a file. They include the current tile if the
    files contain it."""
    spots = spots_of(position)
    if not spots:
        raise BadPosition("Name a region, or give a range and spots.", "$.position.spots")
    clue = by_id()[position.region].range if position.region is not None else position.range or 0
    grow = 2 * (clue + MEERKATS) + 1
    xs, ys = [s[0] for s in spots], [s[1] for s in spots]
    by_name = {f.name: (f"$.options.collision[{i}].data", f.data) for i, f in enumerate(files)}
    box = min(xs) - grow, min(ys) - grow, max(xs) + grow, max(ys) + grow
    ground = _ground_round_box(by_name, box, position)
    levels = [level for _, _, level in spots]
    others = [
        FloorWalls(level, ground=read_ground(by_name, box, level))
        for level in range(min(levels), max(levels) + 1)
        if level != ground.level and any(name.endswith(f"-{level}.bin") for name in by_name)
    ]
    standable = terrain_of_ground(ground, ()).standable
    width, height = ground.size
    blocked = width * height - sum(row.bit_count() for row in standable)
    return Grid(None, [width, height], blocked, list(ground.at), ground, others or None)


def _ground_round_box(
    files: dict[str, tuple[str, str]], box: tuple[int, int, int, int], position: Position
) -> Ground:
    """Return the ground of a box, extended to the current tile if limits and files allow it."""
    level = floor_of(position)
    if position.here is not None:
        x, y = position.here[:2]
        wider = min(box[0], x - 2), min(box[1], y - 2), max(box[2], x + 2), max(box[3], y + 2)
        with contextlib.suppress(BadOption):
            return read_ground(files, wider, level)
    return read_ground(files, box, level)


def read_picture(data: bytes) -> tuple[int, list[int]]:
    """Read the width and rows of a picture."""
    try:
        from cluewise.desks.scan.formats import walls_image
    except ImportError:  # the page reads pictures with the browser's own decoder
        raise BadOption("Pictures are not read here; send `text`.", "$.options.png") from None
    return walls_image.read_picture(data)


def _default_corner(position: Position) -> tuple[int, int]:
    """Return the default corner of a grid: the lowest corner of the spots."""
    spots = ScanModel.of(position).spots
    return (min(s[0] for s in spots), min(s[1] for s in spots)) if spots else (0, 0)


def _decode_base64(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise BadNotation("This is not base64.", "$.options.png") from None
