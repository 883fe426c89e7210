"""Forced colours: the reader's own few, and still every peg, bar, cell and area is there."""

import pytest
from playwright.sync_api import Locator, Page, expect

from browser import KeptPages, resize
from states import show

# Shares of the canvas by what its pixels are: nearly the ground, nearly the ink, between.
PIXELS = """(canvas) => {
  const copy = new OffscreenCanvas(canvas.width, canvas.height);
  const pen = copy.getContext("2d", { willReadFrequently: true });
  pen.drawImage(canvas, 0, 0);
  const { data } = pen.getImageData(0, 0, canvas.width, canvas.height);
  const parts = { dark: 0, light: 0, colours: new Set() };
  for (let i = 0; i < data.length; i += 4) {
    const bright = (data[i] + data[i + 1] + data[i + 2]) / 3;
    if (bright < 60) parts.dark += 1;
    if (bright > 195) parts.light += 1;
    parts.colours.add(`${data[i] >> 4},${data[i + 1] >> 4},${data[i + 2] >> 4}`);
  }
  const all = data.length / 4;
  return { dark: parts.dark / all, light: parts.light / all, colours: parts.colours.size };
}"""


def style(thing: Locator, name: str) -> str:
    return str(thing.evaluate("(e, name) => getComputedStyle(e)[name]", name))


@pytest.fixture(params=["light", pytest.param("dark", marks=pytest.mark.long)])
def forced(request: pytest.FixtureRequest, kept_page: KeptPages) -> Page:
    return kept_page(color_scheme=request.param, forced_colors="active")


def test_pegs_have_borders_and_bars_have_segments(forced: Page) -> None:
    show(forced, "code", "play")
    ground = style(forced.locator("body"), "backgroundColor")
    for peg in forced.locator(".guess .peg").all():
        assert style(peg, "borderTopStyle") == "solid"
        assert style(peg, "borderTopColor") != ground
    rows = forced.locator(".option .bar")
    part = style(rows.nth(1).locator("i").first, "backgroundColor")
    assert part != ground
    assert style(rows.first.locator("i").first, "backgroundColor") not in (ground, part)
    pins = forced.locator(".guess .pins i")
    assert style(pins.first, "backgroundColor") != ground
    assert style(forced.locator(".hair i"), "backgroundColor") != ground


def test_map_is_drawn_in_forced_colours(forced: Page) -> None:
    show(forced, "scan", "play")
    found = forced.locator("canvas").evaluate(PIXELS)
    less = min(found["dark"], found["light"])
    assert less > 0.04, found  # hatching and lines on the ground
    assert max(found["dark"], found["light"]) < 0.96, found
    assert found["colours"] > 3, found  # ground, ink, the highlight, and their edges


def test_map_is_redrawn_when_the_colours_change(kept_page: KeptPages) -> None:
    page = kept_page()
    show(page, "scan", "play")
    canvas = page.locator("canvas")
    before = canvas.evaluate(PIXELS)
    page.emulate_media(forced_colors="active")
    page.wait_for_function(
        "([canvas, colours]) => {"
        f" const pixels = {PIXELS};"
        " return pixels(canvas).colours < colours }",
        arg=[canvas.element_handle(), before["colours"]],
    )


def test_covered_cells_are_hatched(forced: Page) -> None:
    show(forced, "mines", "play")
    cells = forced.locator(".cell")
    assert "covered" in style(forced.locator(".cell.closed .face").first, "fill")
    assert "covered" not in style(forced.locator(".cell.open .face").first, "fill")
    expect(cells).to_have_count(25)


def test_tiles_differ_by_their_borders(forced: Page) -> None:
    show(forced, "rack", "play")
    ground = style(forced.locator("body"), "backgroundColor")
    assert (
        style(forced.locator(".tile.hidden.open:not(.danger)").first, "borderTopStyle") == "dotted"
    )
    assert style(forced.locator(".tile.info").first, "borderTopStyle") == "double"
    assert "line-through" in style(forced.locator(".tile.cut b").first, "textDecorationLine")
    assert style(forced.locator(".odds i").first, "backgroundColor") != ground


def test_pressed_button_of_a_group_is_marked(forced: Page) -> None:
    show(forced, "code", "play")
    one = forced.locator(".seg button[aria-pressed=true]").first
    other = forced.locator(".seg button[aria-pressed=false]").first
    assert style(one, "backgroundColor") != style(other, "backgroundColor")
    show(forced, "scan", "play")
    assert style(forced.locator(".soft").first, "borderTopStyle") == "solid"


def test_text_on_a_filled_button_is_readable(forced: Page) -> None:
    resize(forced, 390)
    for desk, state, button in (
        ("sudoku", "empty", forced.locator(".tools > .file").first),
        ("code", "doubt", forced.get_by_role("button", name="Fix")),
    ):
        show(forced, desk, state)
        expect(button).to_be_visible()
        # Behind words that are not adjusted the browser lays the ground's colour.
        assert style(button, "forcedColorAdjust") == "none"
        assert style(button, "backgroundColor") != style(button, "color")
