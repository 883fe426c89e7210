"""A large board made larger: by two fingers and moved by one, or by the wheel with Ctrl."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from browser import PASTED, PHONE, box_of
from minefields import cell

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


def test_two_fingers_make_a_large_board_larger_and_one_moves_it(
    watched: Callable[..., Page], site: str
) -> None:
    """31 x 31 on a phone: spread, drag, tap, back to the whole; the page itself never scrolls."""
    page = watched(site + "#/mines", **PHONE)
    rows = ["".join(".*"[(5 * x + 3 * y) % 11 == 0] for x in range(31)) for y in range(31)]
    page.evaluate(PASTED, "\n".join(rows))
    expect(page.locator("[data-cell]")).to_have_count(961)
    expect(page.get_by_text("Pinch to zoom")).to_be_visible()
    hand, middle = page.context.new_cdp_session(page), 31 * 15 + 15

    def touch(kind: str, *points: tuple[float, float]) -> None:
        places = [{"x": x, "y": y, "id": i} for i, (x, y) in enumerate(points)]
        hand.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": places})

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


def test_the_wheel_with_ctrl_makes_a_large_board_larger(
    watched: Callable[..., Page], site: str
) -> None:
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
