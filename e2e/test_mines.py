"""The mines board under mouse, finger and keys, and its layout; the rest: mines_page.test.mjs."""

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from browser import PHONE, box_of, resize
from minefields import cell, finger_on, layout_of, open_file


def test_keys_walk_open_flag_and_mark_and_a_number_lights_its_neighbours(
    page: Page, site: str
) -> None:
    page.goto(site + "#/mines")
    cell(page, 12).click()
    expect(cell(page, 12)).to_have_class(re.compile(r"\bopen\b"))
    cell(page, 12).focus()
    page.keyboard.press("ArrowUp")
    expect(cell(page, 6)).to_be_focused()
    page.keyboard.press("f")
    expect(cell(page, 6)).to_have_attribute(
        "aria-label", "A2, flag, row 2: 5 mines, column A: 4 mines"
    )
    page.keyboard.press("ArrowRight")
    page.keyboard.press("m")
    expect(cell(page, 7).locator(".mark")).to_have_count(1)
    page.keyboard.press("n")
    expect(page.locator("[data-cell]:focus")).to_have_count(1)
    lights = page.locator(".board .lights")
    cell(page, 12).hover()
    expect(lights).to_have_attribute("d", re.compile(r"^(M[^M]+Z){3}$"))
    page.get_by_role("heading", level=1).hover()
    expect(lights).to_have_attribute("d", "")


def test_dragging_in_flag_mode_flags_a_row(page: Page, site: str) -> None:
    page.goto(site + "#/mines")
    page.get_by_role("button", name="Flag", exact=True).click()
    first, last = box_of(cell(page, 0)), box_of(cell(page, 3))
    page.mouse.move(first["x"] + 20, first["y"] + 20)
    page.mouse.down()
    page.mouse.move(last["x"] + 20, last["y"] + 20, steps=12)
    page.mouse.up()
    expect(page.locator(".cell.flag")).to_have_count(4)


def test_a_finger_drags_flags(watched: Callable[..., Page], site: str) -> None:
    page = watched(site + "#/mines", **PHONE)
    page.get_by_role("button", name="Flag", exact=True).click()
    send = finger_on(page, 0, 6, 12, 18)
    send("touchStart", 0)
    for at in (6, 12, 18):
        send("touchMove", at)
    expect(page.locator(".cell.touched")).to_have_count(4)
    send("touchEnd")
    expect(page.locator(".cell.flag")).to_have_count(4)
    assert page.evaluate("scrollY") == 0


def test_holding_a_cell_flags_it(page: Page, site: str) -> None:
    page.goto(site + "#/mines")
    box = box_of(cell(page, 8))
    page.mouse.move(box["x"] + 20, box["y"] + 20)
    page.mouse.down()
    expect(page.locator(".hold.on")).to_have_count(1)
    expect(page.locator(".cell.flag")).to_have_count(1)
    page.mouse.up()
    expect(page.locator(".cell.flag")).to_have_count(1)


def test_a_published_board_of_twelve_can_be_read_on_every_screen(
    watched: Callable[..., Page], site: str
) -> None:
    page = watched(site + "#/mines", **PHONE)
    open_file(page, layout_of("12x12-with-score-60.38"))
    for width, height in ((390, 844), (1440, 900)):
        resize(page, width, height)
        boxes = [box_of(cell(page, at)) for at in (0, 1, 143)]
        assert all(box["width"] > 18 for box in boxes)
        # A count at the edge can be read: 10 px at least, on a board of twelve on a phone.
        count = page.locator(".edge text").first
        assert count.evaluate("(e) => e.getBoundingClientRect().height") > 10


def test_puzzles_on_a_phone_do_not_scroll_sideways_and_show_what_is_wrong_with_a_file(
    watched: Callable[..., Page], site: str
) -> None:
    page = watched(site + "#/mines", **PHONE)
    page.get_by_role("button", name="Puzzles").first.click()
    body = page.locator(".dialog")
    expect(body).to_be_visible()
    wide = "(e) => [e, ...e.querySelectorAll('*')].filter((x) => x.scrollWidth > x.clientWidth + 1"
    wide += " && getComputedStyle(x).overflowX !== 'visible' && x.tagName !== 'TEXTAREA'"
    wide += " && !x.classList.contains('unseen')).map((x) => x.className || x.tagName)"
    for tab in ("Choose", "Make", "Open and rate"):
        page.get_by_role("button", name=tab, exact=True).click()
        assert body.evaluate(wide) == []
    page.locator(".dialog textarea").fill("<PUZZLE>\n<GRAPH></PUZZLE>")
    page.get_by_role("button", name="Use it").click()
    expect(body.get_by_text("line 2")).to_be_in_viewport()
