"""Draws curves of cost against size for the docs (measured by bench/scaling.py).

Both axes are logarithmic. All elements use the classes of docs.css, so that they follow the page's
colours, in dark mode and with forced colours; nothing is shown by colour alone.
"""

from __future__ import annotations

import html
import json
from collections.abc import Iterator, Sequence
from math import ceil, floor, log10
from typing import TypedDict

from wasm_build.stages import ROOT

FILE = ROOT / "web" / "docs" / "curves.json"
LEFT, RIGHT, TOP, BOTTOM = 58, 372, 28, 150
LABELS = {
    "code": ("possible codes", "Code desk: advice after one guess"),
    "rack": ("hidden wires", "Rack desk: chances of every wire"),
    "scan": ("spots", "Scan desk: the map of classes"),
    "mines": ("cells", "Mines desk: forced cells and chances"),
    "sudoku": ("lines", "Sudoku desk: a list sorted into groups"),
}


class Point(TypedDict, total=False):
    """The cost of a question of that size, or the reason why it has no answer."""

    size: int
    seconds: float
    megabytes: float
    stops: str


def curves() -> dict[str, list[Point]]:
    """Return the measurements of every desk."""
    found: dict[str, list[Point]] = json.loads(FILE.read_text())
    return found


def text(desk: str) -> str:
    """Return the figure of a desk with its caption."""
    measured, (unit, title) = curves()[desk], LABELS[desk]
    points = [one for one in measured if "stops" not in one]
    first, last = points[0], points[-1]
    caption = (
        f"From {number(first['size'])} to {number(last['size'])} {unit}: "
        f"{time(first['seconds'])} to {time(last['seconds'])}, "
        f"at most {max(p['megabytes'] for p in points):.0f} MB."
    )
    stops = [f" {number(p['size'])}: {p['stops']}" for p in measured if "stops" in p]
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
    yield f'<text class="mid tiny" x="{(LEFT + RIGHT) / 2:.0f}" y="197">{LABELS[desk][0]}</text>'


def time(seconds: float) -> str:
    """Return seconds with a unit and two digits: `time(0.0021) == "2.1 ms"`."""
    for unit, name in ((60.0, "min"), (1.0, "s"), (1e-3, "ms"), (1e-6, "µs")):
        if seconds >= unit * (2 if name == "min" else 0.9995):
            value = float(f"{seconds / unit:.2g}")
            return f"{value:g} {name}"
    return f"{seconds * 1e6:.2g} µs"


def number(value: int) -> str:
    """Return a count: `number(10_000_000) == "10⁷"`, `number(961) == "961"`."""
    power = len(str(value)) - 1
    if value >= 1000 and value == 10**power:
        return "10" + "⁰¹²³⁴⁵⁶⁷⁸⁹"[power]
    return str(value)
