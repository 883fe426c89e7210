"""Curves of cost against size as drawings for the docs (measured by bench/scaling.py).

Both axes are logarithmic. Ink, lines and marks have the classes of all drawings of the docs, so
they follow the page's colours, dark ones and forced ones too; nothing is shown by colour alone.
"""

from __future__ import annotations

import html
import json
from collections.abc import Iterator, Sequence
from math import ceil, floor, log10
from pathlib import Path
from typing import TypedDict

ROOT = Path(__file__).resolve().parents[2]
KEPT = ROOT / "web" / "docs" / "curves.json"
LEFT, RIGHT, TOP, BOTTOM = 58, 372, 28, 150
SAID = {
    "code": ("possible codes", "Code desk: advice after one guess"),
    "rack": ("hidden wires", "Rack desk: chances of every wire"),
    "scan": ("spots", "Scan desk: the map of classes"),
    "mines": ("cells", "Mines desk: forced cells and chances"),
    "sudoku": ("lines", "Sudoku desk: a list sorted into groups"),
}


class Point(TypedDict, total=False):
    """What a question of that size took, or why it was not answered."""

    size: int
    seconds: float
    megabytes: float
    stops: str


def curves() -> dict[str, list[Point]]:
    """The kept measurements of every desk."""
    found: dict[str, list[Point]] = json.loads(KEPT.read_text())
    return found


def text(desk: str) -> str:
    """The figure of a desk, caption and all, without the sentence that follows it."""
    kept, (unit, title) = curves()[desk], SAID[desk]
    points = [one for one in kept if "stops" not in one]
    first, last = points[0], points[-1]
    caption = (
        f"From {number(first['size'])} to {number(last['size'])} {unit}: "
        f"{time(first['seconds'])} to {time(last['seconds'])}, "
        f"at most {max(p['megabytes'] for p in points):.0f} MB."
    )
    stops = [f" {number(p['size'])}: {p['stops']}" for p in kept if "stops" in p]
    drawing = "\n".join(f"  {line}" for line in _drawing(desk, points))
    return (
        f'<svg viewBox="0 0 400 200" role="img" aria-labelledby="curve-{desk}">\n'
        f'  <title id="curve-{desk}">{html.escape(caption)}</title>\n{drawing}\n</svg>\n'
        f"<figcaption>{title}. {html.escape(caption + ''.join(stops))}</figcaption>"
    )


def _drawing(desk: str, points: Sequence[Point]) -> Iterator[str]:
    low = floor(log10(min(p["seconds"] for p in points)))
    high = max(low + 1, ceil(log10(max(p["seconds"] for p in points))))
    least, most = log10(points[0]["size"]), log10(points[-1]["size"])

    def across(size: float) -> float:
        return LEFT + 30 + (RIGHT - LEFT - 50) * (log10(size) - least) / (most - least)

    def down(seconds: float) -> float:
        return BOTTOM - (BOTTOM - TOP) * (log10(seconds) - low) / (high - low)

    yield f'<path class="edge" d="M{LEFT} {TOP}V{BOTTOM}H{RIGHT}"/>'
    for power in range(low, high + 1):
        y = down(10.0**power)
        yield f'<path class="edge" d="M{LEFT - 4} {y:.0f}H{LEFT}"/>'
        label = time(10.0**power)
        yield f'<text class="end soft tiny" x="{LEFT - 8}" y="{y + 4:.0f}">{label}</text>'
    places = [(across(p["size"]), down(p["seconds"])) for p in points]
    line = "L".join(f"{x:.0f} {y:.0f}" for x, y in places)
    yield f'<path class="edge strong" d="M{line}"/>'
    for point, (x, y) in zip(points, places, strict=True):
        yield f'<circle class="full" cx="{x:.0f}" cy="{y:.0f}" r="4"/>'
        for text, row in (
            (time(point["seconds"]), y - 9),
            (number(point["size"]), BOTTOM + 17),
            (f"{point['megabytes']:.0f} MB", BOTTOM + 33),
        ):
            soft = "" if row < BOTTOM else " soft"
            yield f'<text class="mid tiny{soft}" x="{x:.0f}" y="{row:.0f}">{text}</text>'
    yield f'<text class="mid tiny" x="{(LEFT + RIGHT) / 2:.0f}" y="197">{SAID[desk][0]}</text>'


def time(seconds: float) -> str:
    """Seconds as they are said: `time(0.0021) == "2.1 ms"`, two digits."""
    for unit, name in ((60.0, "min"), (1.0, "s"), (1e-3, "ms"), (1e-6, "µs")):
        if seconds >= unit * (2 if name == "min" else 0.9995):
            value = float(f"{seconds / unit:.2g}")
            return f"{value:g} {name}"
    return f"{seconds * 1e6:.2g} µs"


def number(value: int) -> str:
    """A count as people write it: `number(10_000_000) == "10⁷"`, `number(961) == "961"`."""
    power = len(str(value)) - 1
    if value >= 1000 and value == 10**power:
        return "10" + "⁰¹²³⁴⁵⁶⁷⁸⁹"[power]
    return str(value)
