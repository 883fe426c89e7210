"""The spots as an SVG: north is up, numbers as on the page, excluded spots are pale."""

from __future__ import annotations

from cluewise.core.svg import ACCENT, INK, INK_FAINT, LINE_STRONG, drawing, element, text
from cluewise.desks.scan.position import Position, range_of
from cluewise.desks.scan.scene import ScanModel

WIDE = 480  # units across


def svg(position: Position) -> str:
    """Spots with their numbers, tiles where a pulse was seen, and a scale as long as the range."""
    scene = ScanModel.of(position)
    spots = scene.spots
    seen = [o for o in position.observations if o.at is not None and not o.ignored]
    tiles = [(s[0], s[1]) for s in spots] + [(o.at[0], o.at[1]) for o in seen if o.at]
    left, low = (min((t[k] for t in tiles), default=0) for k in (0, 1))
    right, top = (max((t[k] for t in tiles), default=1) for k in (0, 1))
    scale = WIDE / max(20, right - left, top - low)

    def place(tile: tuple[int, ...]) -> tuple[float, float]:
        return (tile[0] - left) * scale + 24, (top - tile[1]) * scale + 24

    kept = set(scene.remaining)
    parts = [_spot(i, *place(s), i in kept) for i, s in enumerate(spots)]
    parts += [_pulse(o.pulse, *place(o.at)) for o in seen if o.at]
    width, height = (right - left) * scale + 56, (top - low) * scale + 48
    long = range_of(position) * scale
    parts.append(
        element(
            "path", d=f"M24 {height + 4:g}h{min(long, width - 48):g}", stroke=INK, stroke_width=2
        )
    )
    parts.append(text(f"range {range_of(position)} tiles", 24, height + 22, fill=INK, font_size=12))
    return drawing(parts, (0, 0, width, height + 32), font_weight=600)


def _spot(i: int, x: float, y: float, left: bool) -> str:
    dot = element("circle", cx=x, cy=y, r=4 if left else 3, fill=INK if left else LINE_STRONG)
    ink = INK if left else INK_FAINT
    return dot + text(str(i + 1), x + 6, y + 4, fill=ink, font_size=12)


def _pulse(pulse: int, x: float, y: float) -> str:
    rings = [
        element("circle", cx=x, cy=y, r=4 + 4 * n, fill="none", stroke=ACCENT, stroke_width=1.5)
        for n in range(pulse)
    ]
    return element("g", *rings)
