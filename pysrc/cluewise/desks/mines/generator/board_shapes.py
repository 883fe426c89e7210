"""Board shapes of generated puzzles: cells, places, and the sets that get a count."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from cluewise.desks.mines.position import Group, Point, Position, Rectangle, graph
from cluewise.errors import BadOption

UNIT = 1000
COLOURS = ("RED", "ORANGE", "YELLOW", "GREEN", "BLUE", "INDIGO", "VIOLET", "PINK", "GREY")


@dataclass(frozen=True, slots=True)
class Template:
    """A board without mines: `frame` is the position without counts, `sets` are its groups.

    `starts`: the initial number of cells open at the start; `density`: the default share of mines.
    """

    name: str
    frame: Position
    sets: tuple[Group, ...]
    starts: int
    density: float


def neighbours_at(
    places: Sequence[tuple[int, int]], steps: Sequence[tuple[int, int]]
) -> tuple[tuple[int, ...], ...]:
    """Return for every cell, by its column and row, the cells that these steps lead to."""
    at = {place: i for i, place in enumerate(places)}
    return tuple(
        tuple(sorted(at[x + dx, y + dy] for dx, dy in steps if (x + dx, y + dy) in at))
        for x, y in places
    )


def _lines(places: Sequence[tuple[int, ...]], kind: str, axis: int) -> list[Group]:
    """Return the lines of cells with one coordinate in common."""
    values = sorted({p[axis] for p in places})
    return [Group(tuple(i for i, p in enumerate(places) if p[axis] == v), 0, kind) for v in values]


def _whole(cells: int) -> Group:
    return Group(tuple(range(cells)), 0, "total")


def _squares(places: Sequence[tuple[int, int]]) -> Position:
    """Return a board of unit squares at those places, eight neighbours each."""
    around = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if (x, y) != (0, 0)]
    return Position(neighbours=neighbours_at(places, around), pos=tuple(places))


def _grid(places: Sequence[tuple[int, int]]) -> tuple[Group, ...]:
    """Return rows, columns and the total."""
    return (*_lines(places, "row", 1), *_lines(places, "column", 0), _whole(len(places)))


def _square(size: int) -> list[tuple[int, int]]:
    return [(x, y) for y in range(size) for x in range(size)]


def combination_lock(size: int, rng: random.Random) -> Template:
    """Return N × N with every row, column and the total counted; no cell is open at the start."""
    frame = Position(board=Rectangle("square", size, size))
    return Template("combination-lock", frame, _grid(_square(size)), 0, 0.4)


def torus(size: int, rng: random.Random) -> Template:
    """Return N × N with opposite edges joined, with rows, columns and the total counted."""
    frame = Position(board=Rectangle("torus", size, size))
    return Template("torus", frame, _grid(_square(size)), 1, 0.3)


def corner_bite(size: int, rng: random.Random) -> Template:
    """Return a square without one corner; rows, columns and the total are counted."""
    bite = max(1, size // 3)
    right, low = rng.random() < 0.5, rng.random() < 0.5
    gone_x = range(size - bite, size) if right else range(bite)
    gone_y = range(size - bite, size) if low else range(bite)
    places = [p for p in _square(size) if not (p[0] in gone_x and p[1] in gone_y)]
    return Template("corner-bite", _squares(places), _grid(places), 1, 0.35)


def holey(size: int, rng: random.Random) -> Template:
    """Return a square with holes; rows, columns and the total are counted."""
    cells = _square(size)
    holes = set(rng.sample(cells, max(1, round(size * size * 0.16))))
    places = [p for p in cells if p not in holes]
    return Template("holey", _squares(places), _grid(places), 1, 0.35)


def colours(size: int, rng: random.Random) -> Template:
    """Return a square divided into coloured shapes, each counted, and the total."""
    places = _square(size)
    owner = _shapes(size, rng)
    names = rng.sample(COLOURS, len(COLOURS))
    sets = [_whole(len(places))]
    for k in sorted(set(owner)):
        members = tuple(i for i, o in enumerate(owner) if o == k)
        sets.append(Group(members, 0, "colour", names[k % len(names)]))
    return Template("colours", _squares(places), tuple(sets), 2, 0.28)


def _shapes(size: int, rng: random.Random) -> list[int]:
    """Return every cell's shape: connected regions grown from seeds, about seven cells each."""
    cells = size * size
    count = min(len(COLOURS), max(2, cells // 7))
    owner = [-1] * cells
    edge: list[tuple[int, int]] = [(c, k) for k, c in enumerate(rng.sample(range(cells), count))]
    while edge:
        cell, shape = edge.pop(rng.randrange(len(edge)))
        if owner[cell] >= 0:
            continue
        owner[cell] = shape
        y, x = divmod(cell, size)
        for u, v in ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)):
            if 0 <= u < size and 0 <= v < size and owner[v * size + u] < 0:
                edge.append((v * size + u, shape))
    return owner


def hexagon_corners(first: int) -> tuple[Point, ...]:
    """Return the corners of a hexagon one UNIT wide; `first`: degrees of the first one."""
    turns = [math.radians(first + 60 * k) for k in range(6)]
    side = UNIT / math.sqrt(3)
    return tuple((round(side * math.cos(t)), round(side * math.sin(t))) for t in turns)


def hexagon(size: int, rng: random.Random) -> Template:
    """Return a hexagon of hexagons, `size` cells a side; lines in three directions are counted."""
    reach = size - 1
    axial = [
        (q, r) for r in range(-reach, reach + 1) for q in range(-reach, reach + 1)
        if abs(q + r) <= reach
    ]  # fmt: skip
    steps = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1))
    neighbours = neighbours_at(axial, steps)
    pos = tuple((round(UNIT * (q + r / 2)), round(UNIT * r * math.sqrt(3) / 2)) for q, r in axial)
    frame = Position(neighbours=neighbours, pos=pos, polygons=(hexagon_corners(30),), unit=UNIT)
    thirds = [(q, r, -q - r) for q, r in axial]
    sets = [_whole(len(axial))]
    for axis, kind in enumerate(("line-q", "line-r", "line-s")):
        sets += _lines(thirds, kind, axis)
    return Template("hex", frame, tuple(sets), 0, 0.38)


def triangle(size: int, rng: random.Random) -> Template:
    """Return a triangle of triangles with `size` rows; cells that share a corner are neighbours."""
    cells = [(r, k) for r in range(size) for k in range(2 * r + 1)]
    corners = [_triangle_corners(r, k) for r, k in cells]
    touching: dict[tuple[int, int], list[int]] = {}
    for i, points in enumerate(corners):
        for point in points:
            touching.setdefault(point, []).append(i)
    neighbours = tuple(
        tuple(sorted({j for point in points for j in touching[point]} - {i}))
        for i, points in enumerate(corners)
    )
    tall = math.sqrt(3) / 2
    places = [[(x / 2, y * tall) for x, y in points] for points in corners]
    middles = [(sum(p[0] for p in c) / 3, sum(p[1] for p in c) / 3) for c in places]
    pos = tuple((round(UNIT * x), round(UNIT * y)) for x, y in middles)
    shapes = tuple(
        tuple((round(UNIT * (x - mx)), round(UNIT * (y - my))) for x, y in places[i])
        for i in (0, 2) if i < len(cells)
        for mx, my in [middles[i]]
    )  # fmt: skip
    turned = tuple(k % 2 if size > 1 else 0 for _, k in cells)
    frame = Position(neighbours=neighbours, pos=pos, polygons=shapes, polygon_of=turned, unit=UNIT)
    sets = (*_lines([(0, r) for r, _ in cells], "row", 1), _whole(len(cells)))
    return Template("triangle", frame, sets, 2, 0.25)


def _triangle_corners(r: int, k: int) -> list[tuple[int, int]]:
    """Return the corners in half steps across and whole rows down; odd k point down."""
    left = k - r  # the leftmost corner's place, in half steps from the middle
    if k % 2 == 0:
        return [(left, r), (left - 1, r + 1), (left + 1, r + 1)]
    return [(left - 1, r), (left + 1, r), (left, r + 1)]


def same_graph(position: Position, rng: random.Random) -> Template:
    """Return the graph and the counted sets of any position, for new mines."""
    board = graph(position)
    sets = tuple(Group(g.cells, 0, g.kind, g.colour) for g in board.groups)
    start = position.start if position.start is not None else position.revealed
    frame = Position(
        board=Rectangle(position.board.kind, position.board.width, position.board.height)
        if position.board else None,
        neighbours=position.neighbours, pos=position.pos, polygons=position.polygons,
        polygon_of=position.polygon_of, unit=position.unit,
    )  # fmt: skip
    known = len(position.mines) / max(1, board.cells) if position.mines else 0.3
    return Template("clone", frame, sets, len(start), min(0.8, max(0.05, known)))


KINDS: dict[str, tuple[Callable[[int, random.Random], Template], int, int]] = {
    "combination-lock": (combination_lock, 8, 20),
    "corner-bite": (corner_bite, 8, 20),
    "holey": (holey, 8, 20),
    "colours": (colours, 7, 16),
    "hex": (hexagon, 4, 10),
    "triangle": (triangle, 7, 20),
    "torus": (torus, 7, 16),
}


def template(kind: str, size: int | None, rng: random.Random) -> Template:
    """Return the board of that kind. Raises BadOption for an unsupported size."""
    make, usual, most = KINDS[kind]
    wanted = usual if size is None else size
    if not 2 <= wanted <= most:
        raise BadOption(f"A {kind} board takes sizes from 2 to {most}.", "$.options.size")
    return make(wanted, rng)
