"""The author's bench in the browser: a board made from nothing and played; one entered by hand."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from browser import address_of
from reference.mines_puz import faults, inner

DESKTOP = {"viewport": {"width": 1440, "height": 900}}
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
WIDTHS = pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])


def cell(page: Page, index: int) -> Locator:
    return page.locator(f'[data-cell="{index}"]')


def brush(page: Page, name: str) -> None:
    page.locator(".brush").filter(has=page.get_by_text(name, exact=True)).click()
    expect(page.locator('.brush[aria-pressed="true"] b')).to_have_text(name)


def paint(page: Page, *cells: int) -> None:
    for at in cells:
        cell(page, at).click()


def drag(page: Page, start: int, end: int) -> None:
    """One stroke from the middle of a cell to that of another."""
    cell(page, start).scroll_into_view_if_needed()
    boxes = [cell(page, at).bounding_box() for at in (start, end)]
    places = [(b["x"] + b["width"] / 2, b["y"] + b["height"] / 2) for b in boxes if b is not None]
    page.mouse.move(*places[0])
    page.mouse.down()
    page.mouse.move(*places[1], steps=6)
    page.mouse.up()


def verdict(page: Page, said: str) -> None:
    """Wait until the board as it is now has been judged so."""
    expect(page.locator(f'[data-verdict="{said}"]').first).to_be_visible()


def empty(page: Page, kind: str, size: int, button: str = "Empty board to author") -> None:
    page.get_by_role("button", name="Puzzles").first.click()
    page.locator(".fields select").first.select_option(kind)
    page.locator(".fields select").nth(1).select_option(str(size))
    page.get_by_role("button", name=button).click()
    expect(page.locator("dialog[open]")).to_have_count(0)


@WIDTHS
def test_a_board_is_authored_from_nothing_freed_where_it_sticks_and_played(
    watched: Callable[..., Page], site: str, size: dict[str, object]
) -> None:
    page = watched(site + "#/mines", **size)
    empty(page, "combination-lock", 5)
    expect(page.locator(".mines-bench [data-cell]")).to_have_count(25)
    verdict(page, "no-guess")
    paint(page, 0, 6, 12)
    expect(page.locator(".cell.mine")).to_have_count(3)
    verdict(page, "stuck")
    expect(page.get_by_text("Needs a guess").first).to_be_visible()
    expect(page.locator(".cell.stuck").first).to_be_visible()
    page.get_by_role("button", name=re.compile("cells from A1")).click()
    freeing = page.get_by_role("group", name="Changes of one cell that free it")
    freeing.locator("button").first.click()
    verdict(page, "no-guess")
    expect(page.locator(".cell.stuck")).to_have_count(0)
    expect(page.locator(".curve rect").first).to_be_visible()
    link = address_of(page)
    page.get_by_role("button", name="Undo").first.click()
    verdict(page, "stuck")
    page.get_by_role("button", name="Redo").first.click() if size is DESKTOP else page.goto(link)
    verdict(page, "no-guess")
    page.get_by_role("button", name="Play it").first.click()
    expect(page.locator(".mines-bench")).to_have_count(0)
    expect(page.get_by_role("heading", level=1)).to_have_text("Combination lock 5")
    expect(page.get_by_text("mines without a flag").first).to_be_visible()


@WIDTHS
def test_what_the_games_list_shows_is_entered_and_kept_with_the_board(
    watched: Callable[..., Page], site: str, size: dict[str, object]
) -> None:
    page = watched(site + "#/mines", **size)
    empty(page, "combination-lock", 5)
    page.get_by_text("In the game’s list of levels").click()
    told = {"ID": "Ymine1", "ID of the next puzzle": "Ymine2", "On its tile": "M1", "Author": "N."}
    for name, text in told.items():
        page.get_by_label(name, exact=True).fill(text)
        page.get_by_label(name, exact=True).press("Tab")
    tile = page.get_by_label("On its tile", exact=True)
    tile.fill("LONG")
    tile.press("Tab")
    expect(page.get_by_text("A tile has room for three characters.")).to_be_visible()
    expect(tile).to_have_value("M1")
    wide = page.locator(".level").evaluate("(e) => [e.scrollWidth, e.clientWidth]")
    assert wide[0] <= wide[1]
    brush(page, "Cells")
    paint(page, 24)
    expect(page.locator(".cell:not(.room)[data-cell]")).to_have_count(24)
    paint_mine(page, 0)
    verdict(page, "no-guess")
    other = watched(address_of(page), **size)
    other.get_by_text("In the game’s list of levels").click()
    for name, text in told.items():
        expect(other.get_by_label(name, exact=True)).to_have_value(text)
    with other.expect_download() as saved:
        other.get_by_role("button", name="Save as .puz").click()
    text = saved.value.path().read_text()
    assert faults(text) == []
    tags = ("ID", "NEXT_PUZZLE_ID", "TILE_TEXT", "AUTHOR")
    assert [inner(text, tag) for tag in tags] == list(told.values())


def paint_mine(page: Page, at: int) -> None:
    brush(page, "Mine")
    paint(page, at)


def test_every_brush_leaves_its_trace_and_undo_takes_it_back(page: Page, site: str) -> None:
    page.goto(site + "#/mines")
    empty(page, "torus", 4)
    page.get_by_role("button", name="left ↔ right").click()
    paint(page, 0)
    expect(page.locator(".cell.mine")).to_have_count(2)
    brush(page, "Hidden number")
    paint(page, 5)
    expect(cell(page, 5).locator("text")).to_have_text("?")
    expect(cell(page, 6).locator("text")).to_have_text("?")
    brush(page, "Open at the start")
    paint(page, 9)
    expect(page.locator(".cell.start")).to_have_count(2)
    brush(page, "Colour")
    page.get_by_role("button", name="dark green").click()
    paint(page, 12)
    expect(page.locator(".cell.tint-green.dark")).to_have_count(2)
    page.get_by_role("button", name=re.compile("^row 1: 2 mines")).click()
    expect(page.get_by_role("button", name=re.compile("^row 1: count hidden"))).to_be_visible()
    page.get_by_role("button", name="not at all").click()
    brush(page, "Copy")
    drag(page, 0, 1)
    expect(page.get_by_text("2 cells copied")).to_be_visible()
    paint(page, 13)
    expect(page.locator(".cell.mine")).to_have_count(3)
    brush(page, "Cells")
    paint(page, 15)
    expect(page.locator(".cell:not(.room)[data-cell]")).to_have_count(15)
    verdict(page, "stuck") if page.locator(".chip.warn").count() else verdict(page, "no-guess")
    for _ in range(2):
        page.get_by_role("button", name="Undo").first.click()
    expect(page.locator(".cell.mine")).to_have_count(2)


def test_cells_are_drawn_on_a_lattice_of_hexagons_and_joined(page: Page, site: str) -> None:
    page.goto(site + "#/mines")
    empty(page, "hex", 3)
    brush(page, "Cells")
    expect(page.locator(".cell.room")).to_have_count(18)
    page.locator(".cell.room").first.click()
    expect(page.locator(".cell:not(.room)[data-cell]")).to_have_count(20)
    brush(page, "Join")
    drag(page, 0, 1)
    expect(page.locator("[data-cell]")).to_have_count(19)
    brush(page, "Mine")
    paint(page, 0, 5)
    verdict(page, "stuck") if page.locator(".chip.warn").count() else verdict(page, "no-guess")
    link = address_of(page)
    page.goto("about:blank")
    page.goto(link)
    expect(page.locator(".cell.mine")).to_have_count(2)
    expect(page.locator("[data-cell]")).to_have_count(19)


def test_a_bundled_puzzle_goes_to_the_bench_and_a_stroke_is_judged_anew(
    page: Page, site: str
) -> None:
    page.goto(site + "#/mines")
    page.get_by_role("button", name="Puzzles").first.click()
    page.get_by_role("button", name="Edit this board on the bench").click()
    verdict(page, "no-guess")
    mines = page.locator(".cell.mine").count()
    assert mines > 0
    page.locator(".cell.mine").first.click()
    expect(page.locator(".cell.mine")).to_have_count(mines - 1)
    expect(page.locator("[data-verdict=waiting]")).to_have_count(0)


def test_a_board_played_elsewhere_is_entered_by_hand_with_its_counts_beside_it(
    page: Page, site: str
) -> None:
    page.goto(site + "#/mines")
    empty(page, "combination-lock", 5, "Enter it by hand")
    page.get_by_role("button", name="row 2: no count yet; press to enter it").click()
    pad = page.get_by_role("group", name="How many mines are in row 2, of 5 cells?")
    pad.get_by_role("button", name="0", exact=True).click()
    expect(page.get_by_role("button", name="row 2: 0 mines in 5 cells")).to_be_visible()
    page.get_by_label("Mines in all").fill("4")
    page.get_by_label("Mines in all").press("Enter")
    page.get_by_role("button", name="Show every cell's chance").click()
    expect(page.get_by_text("Decided: 5 safe.")).to_be_visible()
    expect(page.locator(".heat.sure-safe")).to_have_count(5)
