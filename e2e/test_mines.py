"""The mines board under mouse, finger and keys, and a screenshot; else mines_page.test.mjs."""

import io
import re
from collections.abc import Callable
from typing import Any

import pytest
from PIL import ImageDraw
from playwright.sync_api import Page, expect

from browser import PASTED, PHONE, WAIT, box_of, resize, touches
from cluewise import links
from cluewise.desks.mines.position import Group, Position, Revealed
from minefields import cell, finger_on, layout_of, open_file
from reference.mines_pictures import drawn


def test_keys_move_open_flag_and_mark_and_hover_highlights_neighbours(
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


def test_dragging_by_touch_flags_cells(watched: Callable[..., Page], site: str) -> None:
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


def test_published_12x12_board_is_readable_on_every_screen(
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


def test_puzzles_dialog_on_a_phone_fits_and_shows_file_errors(
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


TICK = re.compile("^Tick: safe")


def marks(page: Page, kind: str, cells: list[int]) -> None:
    expect(page.locator(f"[data-cell] .mark.{kind}")).to_have_count(len(cells))
    for at in cells:
        expect(cell(page, at).locator(f".mark.{kind}")).to_have_count(1)


def marking(page: Page, site: str) -> None:
    page.goto(site + "#/mines")
    page.get_by_role("button", name="Mark", exact=True).click()
    expect(page.get_by_role("group", name="Which mark")).to_be_visible()


def kind(page: Page, name: re.Pattern[str]) -> None:
    button = page.get_by_role("group", name="Which mark").get_by_role("button", name=name)
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")


def test_marks_are_set_by_tap_hold_and_drag(watched: Callable[..., Page], site: str) -> None:
    page = watched(site + "#/mines", **PHONE)
    marking(page, site)
    kind(page, TICK)
    cell(page, 0).tap()
    marks(page, "safe", [0])
    send = finger_on(page, 0, 6, 12, 18)
    send("touchStart", 0)
    marks(page, "unsure", [0])
    send("touchEnd")
    marks(page, "unsure", [0])
    send("touchStart", 6)
    for at in (12, 18):
        send("touchMove", at)
    send("touchEnd")
    marks(page, "safe", [6, 12, 18])
    assert page.evaluate("scrollY") == 0
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    for button in page.get_by_role("group", name="Which mark").get_by_role("button").all():
        box = box_of(button)
        assert min(box["width"], box["height"]) >= 44


def test_marks_have_different_shapes_in_forced_colours(page: Page, site: str) -> None:
    marking(page, site)
    for at in range(5):
        for _ in range(at + 1):
            cell(page, at).click(button="right")
    shown = page.locator("[data-cell] .mark path:not(.rim)")
    expect(shown).to_have_count(5)
    assert len({str(one.get_attribute("d")) for one in shown.all()}) == 5
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme, forced_colors="active")
        ground = page.locator("body").evaluate("(e) => getComputedStyle(e).backgroundColor")
        for one in shown.all():
            inks = one.evaluate("(e) => [getComputedStyle(e).fill, getComputedStyle(e).stroke]")
            assert [ink for ink in inks if ink not in ("none", ground)], inks


LISTEN = """(frame) => {
  frame.dataset.left = frame.scrollLeft;
  frame.addEventListener("scrollend", () => { frame.dataset.rest = frame.scrollLeft; });
}"""
# Moved, and come to rest: a tap while it still runs would only stop it.
MOVED = """() => {
  const { left, rest } = document.querySelector(".frame").dataset;
  return Number(rest) > Number(left) + 40;
}"""
# A cell without a mine in the frame's middle, or the nearest below: how far a fling runs is the
# browser's business.
IN_SIGHT = """(rows) => {
  const { left, top, width, height } = document.querySelector(".frame").getBoundingClientRect();
  for (let y = top + height / 2; y < top + height; y += 5) {
    const cell = document.elementFromPoint(left + width / 2, y)?.closest("[data-cell]");
    if (cell && rows.join("")[cell.dataset.cell] === ".") return Number(cell.dataset.cell);
  }
}"""


def in_frame(page: Page, at: int) -> tuple[float, float, float]:
    box = box_of(cell(page, at).locator(".face"))
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, box["width"]


def test_pinch_zooms_a_large_board_and_one_finger_scrolls_it(
    watched: Callable[..., Page], site: str
) -> None:
    """31 x 31 on a phone: spread, drag, tap, back to the whole; the page itself never scrolls."""
    page = watched(site + "#/mines", **PHONE)
    rows = ["".join(".*"[(5 * x + 3 * y) % 11 == 0] for x in range(31)) for y in range(31)]
    page.evaluate(PASTED, "\n".join(rows))
    expect(page.locator("[data-cell]")).to_have_count(961)
    expect(page.get_by_text("Pinch to zoom")).to_be_visible()
    touch, middle = touches(page), 31 * 15 + 15

    def spread(x: float, y: float, gaps: list[int]) -> None:
        touch("touchStart", (x - gaps[0], y))
        touch("touchStart", (x - gaps[0], y), (x + gaps[0], y))
        for gap in gaps[1:]:
            touch("touchMove", (x - gap, y), (x + gap, y))
        touch("touchEnd")

    page.locator(".frame").scroll_into_view_if_needed()
    before, top = in_frame(page, middle), page.evaluate("scrollY")
    spread(*before[:2], [30, 50, 70, 90, 110, 120])
    expect(page.get_by_role("button", name="Whole board")).to_be_visible()
    after = in_frame(page, middle)
    assert after[2] == pytest.approx(4 * before[2], rel=0.1)
    assert after[:2] == pytest.approx(before[:2], abs=4)
    expect(page.locator(".cell.open, .cell.flag")).to_have_count(0)

    page.locator(".frame").evaluate(LISTEN)
    x, y = after[:2]
    touch("touchStart", (x, y))
    for step in range(1, 9):
        touch("touchMove", (x - 12 * step, y - 8 * step))
    touch("touchEnd")
    page.wait_for_function(MOVED)
    expect(page.locator(".cell.open, .cell.flag")).to_have_count(0)
    assert page.evaluate("scrollY") == top

    tapped = page.evaluate(IN_SIGHT, rows)
    x, y, width = in_frame(page, tapped)
    page.touchscreen.tap(x, y)
    expect(cell(page, tapped)).to_have_class(re.compile(r"\bopen\b"))
    # An open face is a little larger than a closed one.
    assert in_frame(page, tapped)[2] == pytest.approx(width, rel=0.1)
    page.get_by_role("button", name="Whole board").click()
    expect(page.get_by_role("button", name="Larger cells")).to_be_visible()
    assert in_frame(page, middle)[2] == pytest.approx(before[2])
    spread(*in_frame(page, middle)[:2], [30, 60, 90])
    expect(page.get_by_role("button", name="Whole board")).to_be_visible()
    spread(*in_frame(page, middle)[:2], [90, 60, 40, 20])
    expect(page.get_by_role("button", name="Larger cells")).to_be_visible()
    assert page.evaluate("[scrollY, visualViewport.scale]") == [top, 1]


def test_ctrl_wheel_zooms_a_large_board(watched: Callable[..., Page], site: str) -> None:
    page = watched(site + "#/mines", viewport={"width": 1440, "height": 900})
    rows = ("".join(".*"[(5 * x + 3 * y) % 11 == 0] for x in range(31)) for y in range(31))
    page.evaluate(PASTED, "\n".join(rows))
    expect(page.locator("[data-cell]")).to_have_count(961)
    page.locator(".frame").scroll_into_view_if_needed()
    middle = 31 * 15 + 15
    before, ratio = in_frame(page, middle), page.evaluate("devicePixelRatio")
    page.mouse.move(*before[:2])

    page.keyboard.down("Control")
    page.mouse.wheel(0, -500)
    expect(page.get_by_role("button", name="Whole board")).to_be_visible()
    after = in_frame(page, middle)
    assert after[2] == pytest.approx(1.0015**500 * before[2], rel=0.02)
    assert after[:2] == pytest.approx(before[:2], abs=4)
    page.mouse.wheel(0, 2000)
    expect(page.get_by_role("button", name="Larger cells")).to_be_visible()
    assert in_frame(page, middle) == pytest.approx(before, abs=1)
    page.keyboard.up("Control")
    assert page.evaluate("[devicePixelRatio, visualViewport.scale]") == [ratio, 1]

    page.evaluate("() => addEventListener('wheel', (e) => { e.view.plain = !e.defaultPrevented; })")
    page.mouse.wheel(0, -200)
    page.wait_for_function("() => globalThis.plain === true")
    expect(page.get_by_role("button", name="Larger cells")).to_be_visible()
    assert in_frame(page, middle)[2] == before[2]
    expect(page.locator(".cell.open, .cell.flag")).to_have_count(0)


BOARD = Position(
    neighbours=((1, 3, 4), (0, 2, 3, 4), (1, 4), (0, 1, 4), (0, 1, 2, 3)),
    pos=((0, 0), (1, 0), (2, 0), (0, 1), (1, 1)),
    groups=(Group((0, 1, 2), 1, "row"), Group((1, 4), 1, "column")),
    revealed=(Revealed(0, 1), Revealed(4, 1)),
    flags=(1,),
)


def screenshot() -> bytes:
    """The board as a PNG on which the number of the first cell is not seen."""
    picture = drawn(BOARD, "game", 48)
    ImageDraw.Draw(picture).rectangle((86, 86, 110, 110), (51, 51, 51))
    file = io.BytesIO()
    picture.save(file, "PNG")
    return file.getvalue()


@pytest.mark.own_worker
def test_screenshot_is_compared_corrected_and_used(page: Page, site: str) -> None:
    page.goto(site + "#/mines")
    page.get_by_role("button", name="Puzzles").click()
    page.get_by_role("button", name="Open and rate").click()
    shot: Any = {"name": "shot.png", "mimeType": "image/png", "buffer": screenshot()}
    page.get_by_label("Read a screenshot").set_input_files([shot])
    expect(page.locator(".shot-board .cell")).to_have_count(5, timeout=3 * WAIT)
    expect(page.locator(".shot-picture circle")).to_have_count(1)
    page.get_by_role("combobox", name="A1").select_option("1")
    expect(page.locator(".shot .good").first).to_be_visible()
    page.get_by_role("button", name="Use this board").click()
    expect(page.locator("html")).to_have_attribute("data-address", "current")
    taken = links.decode(page.url.partition("#")[2])
    assert isinstance(taken, Position)
    assert (taken.revealed, taken.flags) == (BOARD.revealed, BOARD.flags)
    assert [(g.cells, g.count) for g in taken.groups] == [(g.cells, g.count) for g in BOARD.groups]
