"""SVG drawings of boards for notebooks, in the page's light colours.

>>> element("circle", cx=5, cy=5, r=2.5, fill="none")
'<circle cx="5" cy="5" r="2.5" fill="none"/>'
"""

from __future__ import annotations

import html
from collections.abc import Iterable

# The light half of web/style/tokens.css; a test compares.
PAPER, SURFACE, SUNKEN = "#f7f5f0", "#ffffff", "#efece4"
INK, INK_SOFT, INK_FAINT = "#1d1b18", "#5d5850", "#746e63"
LINE, LINE_STRONG, ACCENT, WOOD = "#e2ddd2", "#8f897c", "#1f5fa8", "#cfc6b4"
PEGS = (
    "#3b6fb6", "#b94c35", "#2f7d5b", "#d19a2a", "#7a5aa8", "#5b6470", "#a8467f", "#1f7f8c",
    "#8a6a3f", "#c9c2b2", "#44508f", "#8fb54a", "#d97f6a", "#2b2f36", "#9bc4dd", "#6b3540",
)  # fmt: skip
ON_DARK, ON_LIGHT = "#ffffff", "#1a1710"
SANS = "ui-sans-serif, system-ui, sans-serif"


def element(name: str, *inside: str, **attributes: str | float) -> str:
    """Return an element; `text_anchor` becomes `text-anchor`, numbers get two decimals at most."""
    written = "".join(f' {k.replace("_", "-")}="{_value(v)}"' for k, v in attributes.items())
    if not inside:
        return f"<{name}{written}/>"
    return f"<{name}{written}>{''.join(inside)}</{name}>"


def text(said: str, x: float, y: float, /, **attributes: str | float) -> str:
    """Return a line of text with its baseline at y."""
    return element("text", html.escape(said), x=x, y=y, **attributes)


def drawing(
    parts: Iterable[str], box: tuple[float, float, float, float], **attributes: str | float
) -> str:
    """Return the whole drawing; `box` is x, y, width and height in pixels."""
    x, y, width, height = box
    ground = element("rect", x=x, y=y, width=width, height=height, fill=SURFACE)
    return element(
        "svg", ground, *parts,
        xmlns="http://www.w3.org/2000/svg", viewBox=" ".join(map(_value, box)),
        width=width, height=height, role="img", font_family=SANS, **attributes,
    )  # fmt: skip


def _value(value: str | float) -> str:
    if isinstance(value, str):
        return html.escape(value)
    return f"{round(value, 2):g}" if abs(value) < 1e5 else str(round(value))
