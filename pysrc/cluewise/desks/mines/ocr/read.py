"""Reads a screenshot as a position of the desk."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import numpy as np

from cluewise.desks.mines.generator.board_shapes import UNIT, hexagon_corners, neighbours_at
from cluewise.desks.mines.ocr.groups import (
    Count,
    Line,
    assign_counts,
    colour_names,
    find_lines,
    find_outer_words,
)
from cluewise.desks.mines.ocr.tiles import Tile, background, read_tiles
from cluewise.desks.mines.ocr.words import SURE, Word
from cluewise.desks.mines.position import CELLS, Group, Point, Position, Rectangle, Revealed, graph
from cluewise.errors import BadInput
from cluewise.pictures.image import Image
from cluewise.pictures.tiles import FEWEST, KINDS, NEIGHBOURS, TileLattice, find_tiles


class Reading(NamedTuple):
    """The result: the position, and what needs checking."""

    position: Position
    lattice: TileLattice
    doubtful: list[int]
    doubtful_groups: list[int]
    unread: list[Line]
    unplaced: list[Word]
    uncounted: list[tuple[str, list[int]]]
    middles: list[tuple[float, float]]


def read(image: Image) -> Reading | None:
    """Return the board in a picture, or None where it shows none.

    Raises `BadInput` for boards of more cells than the desk has.
    """
    rgb = image.pixels
    lattice = find_tiles(rgb)
    if lattice is None:
        return None
    if len(lattice.found) > CELLS:
        message = f"This picture shows {len(lattice.found)} tiles; a board has at most {CELLS}."
        raise BadInput(message, "$.options.pixels")
    ground = background(rgb, lattice)
    tiles = read_tiles(rgb, lattice, ground)
    if len(tiles) < FEWEST:
        return None
    around = NEIGHBOURS[lattice.kind]
    if lattice.kind == "square":
        around = (*around, (1, 1), (1, -1), (-1, 1), (-1, -1))
    places = [t.place for t in tiles]
    neighbours = neighbours_at(places, around)
    tiles = [_possible(t, len(n)) for t, n in zip(tiles, neighbours, strict=True)]
    middles = lattice.middles(np.array(places))
    lines = find_lines(lattice, places)
    words = [w for w in find_outer_words(rgb, lattice, middles, ground) if re.search(r"\d", w.text)]
    counts, rest = assign_counts(lattice, middles, lines, words)
    groups, doubted, uncounted = _colour_groups(tiles)
    doubted += [c.line.tiles for c in counts if c.doubtful]
    unread = [c for c in counts if c.word.number is None or c.word.number > len(c.line.tiles)]
    known = [c for c in counts if c not in unread]
    position = _position(lattice, tiles, neighbours, known, groups)
    return Reading(
        position, lattice, [i for i, t in enumerate(tiles) if t.doubtful],
        [k for k, g in enumerate(graph(position).groups) if g.cells in doubted],
        [c.line for c in unread],
        [w for w in rest if w.number is not None], uncounted,
        [(round(float(x), 2), round(float(y), 2)) for x, y in middles],
    )  # fmt: skip


def _possible(tile: Tile, neighbours: int) -> Tile:
    """Return the tile; as a doubtful `?` if it shows more mines than it has neighbours."""
    number = tile.word.number if tile.word and tile.shows == "number" else None
    if number is None or number <= neighbours:
        return tile
    return tile._replace(shows="question", doubtful=True)


def _colour_groups(
    tiles: list[Tile],
) -> tuple[list[Group], list[tuple[int, ...]], list[tuple[str, list[int]]]]:
    """Return the counted colours, the cells of those that are doubtful, and uncounted colours."""
    of: dict[str, list[int]] = {}
    for i, name in enumerate(colour_names(tiles)):
        if name is not None:
            of.setdefault(name, []).append(i)
    groups, doubted, uncounted = [], [], []
    for name, cells in of.items():
        corners = [w for i in cells if (w := tiles[i].corner) and w.number is not None]
        best = max(corners, key=lambda w: w.chance, default=None)
        if best is None or best.number is None or best.number > len(cells):
            uncounted.append((name, cells))
            continue
        groups.append(Group(tuple(cells), best.number, "colour", name, form=best.form))
        if len(corners) > 1 or best.chance < SURE:
            doubted.append(tuple(cells))
    return groups, doubted, uncounted


def _position(
    lattice: TileLattice,
    tiles: list[Tile],
    neighbours: tuple[tuple[int, ...], ...],
    counts: list[Count],
    colours: list[Group],
) -> Position:
    revealed = tuple(
        Revealed(i, t.word.number if t.word and t.shows == "number" else None)
        for i, t in enumerate(tiles)
        if t.shows in ("number", "question")
    )
    forms = {str(i): t.word.form for i, t in enumerate(tiles)
             if t.shows == "number" and t.word and t.word.form}  # fmt: skip
    flags = tuple(i for i, t in enumerate(tiles) if t.shows == "flag")
    lines = [Group(c.line.tiles, c.word.number or 0, c.line.kind, form=c.word.form) for c in counts]
    places = [t.place for t in tiles]
    x0, y0 = (min(p[k] for p in places) for k in (0, 1))
    width, height = (max(p[k] for p in places) - low + 1 for k, low in ((0, x0), (1, y0)))
    if lattice.kind == "square" and len(tiles) == width * height and not any(g.form for g in lines):
        of = {(g.kind, min(g.cells)): g.count for g in lines}
        rows = tuple(of.get(("row", y * width)) for y in range(height))
        columns = tuple(of.get(("column", x)) for x in range(width))
        board = Rectangle(
            "square", width, height, rows if any(v is not None for v in rows) else None,
            columns if any(v is not None for v in columns) else None,
        )  # fmt: skip
        return Position(
            board=board, groups=tuple(colours), revealed=revealed, forms=forms, flags=flags
        )
    more: dict[str, Any] = {}
    if lattice.kind == "square":
        pos: tuple[Point, ...] = tuple((x - x0, y - y0) for x, y in places)
    else:
        (a, b), (c, d) = KINDS[lattice.kind][0]
        pos = tuple(
            (round(UNIT * (x * a + y * c)), round(UNIT * (x * b + y * d))) for x, y in places
        )
        first = 30 if lattice.kind == "hex" else 0
        more = {"polygons": (hexagon_corners(first),), "unit": UNIT}
    return Position(
        neighbours=neighbours, pos=pos, groups=(*lines, *colours), revealed=revealed, forms=forms,
        flags=flags, **more,
    )  # fmt: skip
