"""SVG drawing of a board, as on the page, with the counts where lines start."""

from __future__ import annotations

import math
from collections.abc import Sequence

from cluewise.core.svg import (
    INK,
    INK_SOFT,
    LINE_STRONG,
    PAPER,
    PEGS,
    SURFACE,
    WOOD,
    drawing,
    element,
    text,
)  # fmt: skip
from cluewise.desks.mines.cell_names import with_form
from cluewise.desks.mines.formats.puz.label_layout import beyond_ends
from cluewise.desks.mines.position import Group, Position
from cluewise.desks.mines.position import graph as graph_of

STEP = 44  # one step between cells
_SQUARE = ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5))
TINTS = dict(
    zip(
        ("BLUE", "RED", "GREEN", "YELLOW", "VIOLET", "GREY", "PINK", "INDIGO", "ORANGE"),
        (0, 1, 2, 3, 4, 5, 6, 10, 12),
        strict=True,
    )
)
Place = tuple[float, float]


def svg(position: Position) -> str:
    """Draw every cell with its number, flag or `?`, and the counts of rows, columns and lines."""
    graph = graph_of(position)
    places = _places(position, graph.cells)
    shapes = [_shape(position, cell) for cell in range(graph.cells)]
    tints = {c: TINTS.get(g.colour or "", 5) for g in graph.groups if g.colour for c in g.cells}
    opened = {one.cell for one in position.revealed}
    order = sorted(range(graph.cells), key=opened.__contains__)  # their edges lie above others'
    cells = [_cell(position, c, places[c], shapes[c], tints.get(c)) for c in order]
    labels = _labels(graph.groups, places)
    counts = [
        text(with_form(g.count, g.form), x, y, fill=INK_SOFT, font_size=0.4 * STEP, **_MIDDLE)
        for (x, y), g in labels
    ]
    counts += [
        text(with_form(g.count, g.form), x, y, fill=INK_SOFT, font_size=0.24 * STEP, **_MIDDLE)
        for (x, y), g in _inside(graph.groups, places, shapes)
    ]
    corners = [(x + a, y + b) for (x, y), s in zip(places, shapes, strict=True) for a, b in s]
    corners += [(x + d, y + d) for (x, y), _ in labels for d in (-STEP / 2, STEP / 2)]
    low = [min((p[k] for p in corners), default=0) - 4 for k in (0, 1)]
    high = [max((p[k] for p in corners), default=STEP) + 4 for k in (0, 1)]
    return drawing(
        [*cells, *counts], (low[0], low[1], high[0] - low[0], high[1] - low[1]), font_weight=560
    )


_MIDDLE: dict[str, str | float] = {"text_anchor": "middle", "dominant_baseline": "central"}


def _places(position: Position, cells: int) -> list[Place]:
    """Return every cell's middle in the drawing's units."""
    if position.board:
        return [
            (c % position.board.width * STEP, c // position.board.width * STEP)
            for c in range(cells)
        ]
    if position.pos:
        return [
            (float(x) * STEP / position.unit, float(y) * STEP / position.unit)
            for x, y in position.pos
        ]
    across = math.ceil(math.sqrt(cells)) or 1
    return [(c % across * 1.15 * STEP, c // across * 1.15 * STEP) for c in range(cells)]


def _shape(position: Position, cell: int) -> list[Place]:
    if position.board or not position.polygons:
        return [(a * STEP, b * STEP) for a, b in _SQUARE]
    which = position.polygon_of[cell] if position.polygon_of else 0
    scale = STEP / position.unit
    return [(float(a) * scale, float(b) * scale) for a, b in position.polygons[which]]


def _cell(position: Position, c: int, at: Place, shape: list[Place], tint: int | None) -> str:
    numbers = {one.cell: one.number for one in position.revealed}
    points = " ".join(f"{round(at[0] + a, 2):g},{round(at[1] + b, 2):g}" for a, b in shape)
    hue = WOOD if tint is None else PEGS[tint]
    if c in numbers:
        number = numbers[c]
        said = "?" if number is None else with_form(number, position.forms.get(str(c)))
        look = {"fill": SURFACE if tint is None else hue, "stroke": LINE_STRONG}
        strong = 0.13
    else:
        said = "⚑" if c in position.flags else ""
        look = {"fill": hue, "stroke": PAPER}
        strong = 0.74 if tint is None else 0.46
    face = element(
        "polygon", points=points, **look, fill_opacity=strong, stroke_width=2,
        stroke_linejoin="round",
    )  # fmt: skip
    return face + text(said, *at, fill=INK, font_size=0.5 * STEP, **_MIDDLE) if said else face


def _labels(groups: Sequence[Group], places: list[Place]) -> list[tuple[Place, Group]]:
    """Place the counts of lines: before their first cells, no two in one place."""
    taken = list(places)
    found: list[tuple[Place, Group]] = []
    for group in groups:
        if group.kind == "total" or group.colour or not group.cells:
            continue
        for place in beyond_ends(group, places, STEP, (1, 1.25, 1.6, 2)):
            if all(math.dist(place, other) > 0.62 * STEP for other in taken):
                taken.append(place)
                found.append((place, group))
                break
    return found


def _inside(
    groups: Sequence[Group], places: list[Place], shapes: list[list[Place]]
) -> list[tuple[Place, Group]]:
    """Place the count of each coloured group: in a corner of its first free cell."""
    taken: set[int] = set()
    found = []
    for group in groups:
        if not group.colour or not group.cells:
            continue
        ordered = sorted(group.cells, key=lambda c: (places[c][1], places[c][0]))
        cell = next((c for c in ordered if c not in taken), ordered[0])
        taken.add(cell)
        a, b = min(shapes[cell], key=sum)
        found.append(((places[cell][0] + 0.62 * a, places[cell][1] + 0.62 * b), group))
    return found
