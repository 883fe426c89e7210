"""The curves of cost in the docs: every desk has one, and it shows what was measured."""

import re
from pathlib import Path

import pytest

from cluewise import desks
from wasm_build.bench import scaling
from wasm_build.docs import pages, scaling_plots

DOCS = Path(scaling_plots.KEPT).parent


def test_every_desk_has_its_curve_over_a_wide_range_of_sizes() -> None:
    assert set(scaling_plots.curves()) == set(desks.available()) == set(scaling_plots.SAID)
    for desk, points in scaling_plots.curves().items():
        sizes = [point["size"] for point in points]
        assert sizes == list(scaling.SIZES[desk])[: len(sizes)]
        assert sizes[-1] >= 3 * sizes[0]
        assert all(p["seconds"] > 0 and p["megabytes"] > 10 for p in points if "stops" not in p)


@pytest.mark.parametrize("desk", desks.available())
def test_a_curve_marks_and_names_every_point_that_was_measured(desk: str) -> None:
    drawing, points = scaling_plots.text(desk), scaling_plots.curves()[desk]
    assert drawing.count("<circle") == len(points)
    assert f'id="curve-{desk}"' in pages.pages()["limits.html"]
    for point in points:
        assert f">{scaling_plots.number(point['size'])}</text>" in drawing
        assert f">{scaling_plots.time(point['seconds'])}</text>" in drawing
    heights = [float(y) for y in re.findall(r'<circle.*?cy="(\d+)"', drawing)]
    order = sorted(range(len(points)), key=lambda i: points[i]["seconds"])
    assert [heights[i] for i in order] == sorted(heights, reverse=True)
    # Colours come from the docs' classes: right in the light, in the dark and in forced colours.
    known = set(re.findall(r"svg (?:text)?\.(\w+)", (DOCS / "docs.css").read_text())) | {"strong"}
    assert set(" ".join(re.findall(r'class="([^"]*)"', drawing)).split()) <= known
    assert not re.search(r"(fill|stroke|style)=", drawing)
