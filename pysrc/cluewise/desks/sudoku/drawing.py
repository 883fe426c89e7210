"""The boards as an SVG drawing, like the picture of the page (web/desks/sudoku)."""

from __future__ import annotations

from cluewise.core.svg import INK, INK_SOFT, LINE, drawing, element, text
from cluewise.desks.sudoku.position import Position, Shape

CELL = 32


def svg(position: Position) -> str:
    """The boards side by side; an empty one if there are none."""
    shape = position.shape
    side = shape.size * CELL
    boards = [grid for grid in position.grids if grid.strip(".0")] or ["." * shape.cells]
    parts = [_board(grid, shape, 20 + k * (side + 24), 20) for k, grid in enumerate(boards)]
    return drawing(
        parts, (0, 0, len(boards) * (side + 24) + 16, side + 40), font_size=17, font_weight=600
    )


def _board(grid: str, shape: Shape, left: float, top: float) -> str:
    side = shape.size * CELL
    thin: list[str] = []
    thick: list[str] = []
    for i in range(shape.size + 1):
        (thin if i % shape.rows else thick).append(f"M0 {i * CELL}H{side}")
        (thin if i % shape.cols else thick).append(f"M{i * CELL} 0V{side}")
    symbols = [
        text(s, i % shape.size * CELL + CELL / 2, i // shape.size * CELL + 22, fill=INK,
             text_anchor="middle")
        for i, s in enumerate(grid) if s not in ".0"
    ]  # fmt: skip
    return element(
        "g",
        element("path", d="".join(thin), stroke=LINE, fill="none"),
        element("path", d="".join(thick), stroke=INK_SOFT, stroke_width=1.6, fill="none"),
        *symbols,
        transform=f"translate({left:g} {top:g})",
    )
