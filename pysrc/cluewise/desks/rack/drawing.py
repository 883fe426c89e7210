"""The racks as a drawing, as the page's picture has them (web/desks/rack/picture.js)."""

from __future__ import annotations

from cluewise.core.svg import (
    ACCENT,
    INK,
    INK_FAINT,
    LINE_STRONG,
    SUNKEN,
    SURFACE,
    WOOD,
    drawing,
    element,
    text,
)  # fmt: skip
from cluewise.desks.rack.position import Position
from cluewise.desks.rack.stand import Slot, short

STEP, ROW = 46, 104
_SIGNS = {
    "even": "E", "odd": "O", "x1": "1×", "x2": "2×", "x3": "3×", "unsorted": "X",
    "same-as-next": "=", "differs-from-next": "≠", "moved": "↔",
}  # fmt: skip


def svg(position: Position) -> str:
    """Every stand, the viewer's first; wires the viewer knows are written on them."""
    longest = max([6, *(len(stand.slots) for stand in position.stands)])
    order = sorted(range(len(position.stands)), key=lambda i: not _mine(position, i))
    rows = [_stand(position, i, row * ROW, longest) for row, i in enumerate(order)]
    box = (0, 0, longest * STEP + 40, len(rows) * ROW + 12)
    return drawing(rows, box, font_size=16, font_weight=620)


def _mine(position: Position, i: int) -> bool:
    return position.owner_of(i) == position.viewer


def _stand(position: Position, i: int, y: float, longest: int) -> str:
    tiles = [_tile(slot, 20 + j * STEP, y + 26) for j, slot in enumerate(position.stands[i].slots)]
    name = text(_name(position, i), 20, y + 16, fill=INK, font_size=13)
    wood = element("rect", x=16, y=y + 80, width=longest * STEP + 8, height=7, rx=3, fill=WOOD)
    return element("g", name, wood, *tiles)


def _name(position: Position, i: int) -> str:
    owner = position.owner_of(i)
    first = position.stands_of(owner)[0]
    given = position.stands[i].name or position.stands[first].name
    name = "You" if _mine(position, i) else given or f"Stand {i + 1}"
    return name if first == i else f"{name}, second stand"


def _tile(slot: Slot, x: float, y: float) -> str:
    edge = {"info": ACCENT}.get(slot.state, LINE_STRONG)
    ink = {"info": ACCENT, "cut": INK_FAINT}.get(slot.state, INK)
    ground = SUNKEN if slot.state == "hidden" else SURFACE
    dashes = {"stroke_dasharray": "3 3"} if slot.state == "cut" else {}
    wide = 2 if slot.state == "info" else 1
    wire = short(slot.wire or slot.value or "?")
    face = {"Y": "◆", "R": "✸"}.get(wire[0], wire[0]) + wire[1:]
    marks = " ".join(map(_sign, slot.tokens))
    return element(
        "g",
        element("rect", x=x, y=y, width=40, height=54, rx=6, fill=ground, stroke=edge,
                stroke_width=wide, **dashes),
        text(face, x + 20, y + 32, fill=ink, text_anchor="middle", font_weight=650),
        text(marks, x + 20, y + 48, fill=ink, text_anchor="middle", font_size=9),
    )  # fmt: skip


def _sign(token: str) -> str:
    if token.startswith("not:"):
        return f"not {short(token[4:])}"
    return _SIGNS.get(token, token)
