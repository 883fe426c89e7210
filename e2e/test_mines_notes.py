"""The player's own marks: five kinds at the board, by mouse, finger and keys, in links and undo."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from browser import address_of

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
TICK, FIRST = re.compile("^Tick: safe"), re.compile("^First pencil")


def cell(page: Page, index: int) -> Locator:
    return page.locator(f'[data-cell="{index}"]')


def marks(page: Page, kind: str, cells: list[int]) -> None:
    """Wait until exactly those cells show the kind."""
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


def drag(page: Page, start: int, end: int) -> None:
    boxes = [cell(page, at).bounding_box() for at in (start, end)]
    places = [(b["x"] + b["width"] / 2, b["y"] + b["height"] / 2) for b in boxes if b is not None]
    page.mouse.move(*places[0])
    page.mouse.down()
    page.mouse.move(*places[1], steps=12)
    page.mouse.up()


def test_marks_of_several_kinds_are_set_counted_changed_and_taken_away(
    watched: Callable[..., Page], page: Page, site: str
) -> None:
    marking(page, site)
    cell(page, 0).click()
    marks(page, "dot", [0])
    expect(page.get_by_text("36 cells, 14 mines in all, 1 mark")).to_be_visible()
    kind(page, TICK)
    drag(page, 6, 9)
    marks(page, "safe", [6, 7, 8, 9])
    cell(page, 0).click(button="right")
    marks(page, "safe", [0, 6, 7, 8, 9])
    cell(page, 0).click(button="right")
    marks(page, "unsure", [0])
    kind(page, FIRST)
    cell(page, 6).click()
    marks(page, "first", [6])
    expect(cell(page, 6)).to_have_attribute(
        "aria-label", "A2, closed, marked by the first pencil, row 2, column A"
    )
    expect(page.get_by_role("button", name="Tick: safe, on 3 cells")).to_be_visible()
    expect(page.get_by_text("36 cells, 14 mines in all, 5 marks")).to_be_visible()
    other = watched(address_of(page))
    marks(other, "safe", [7, 8, 9])
    marks(other, "first", [6])
    marks(other, "unsure", [0])
    kind(page, TICK)
    page.get_by_role("button", name="Take all 3 away").click()
    marks(page, "safe", [])
    marks(page, "first", [6])
    page.get_by_role("button", name="Undo").click()
    marks(page, "safe", [7, 8, 9])
    drag(page, 7, 8)
    marks(page, "safe", [9])


def test_flags_stand_above_marks_and_opening_takes_them_away(page: Page, site: str) -> None:
    marking(page, site)
    drag(page, 12, 13)
    marks(page, "dot", [12, 13])
    cell(page, 13).focus()
    page.keyboard.press("f")
    expect(cell(page, 13)).to_have_class(re.compile(r"\bflag\b"))
    marks(page, "dot", [12])
    cell(page, 13).click()
    expect(page.get_by_text("B3 has a flag. Take it off to put a mark there.")).to_be_visible()
    marks(page, "dot", [12])
    page.get_by_role("button", name="Open", exact=True).click()
    expect(page.get_by_role("group", name="Which mark")).to_have_count(0)
    cell(page, 12).click()
    expect(cell(page, 12)).to_have_class(re.compile(r"\bopen\b"))
    marks(page, "dot", [])


def test_marks_by_keys(page: Page, site: str) -> None:
    page.goto(site + "#/mines")
    cell(page, 0).focus()
    page.keyboard.press("m")
    marks(page, "dot", [0])
    for shown in ("safe", "unsure", "first", "second"):
        page.keyboard.press("Shift+M")
        marks(page, shown, [0])
    page.keyboard.press("Shift+M")
    expect(page.locator("[data-cell] .mark")).to_have_count(0)
    page.keyboard.press("k")
    chosen = page.get_by_role("group", name="Which mark").locator('[aria-pressed="true"]')
    expect(chosen).to_have_attribute("aria-label", "Tick: safe")
    cell(page, 7).focus()
    page.keyboard.press("m")
    marks(page, "safe", [7])
    page.keyboard.press("m")
    marks(page, "safe", [])


def test_a_finger_taps_holds_and_drags_marks(watched: Callable[..., Page], site: str) -> None:
    page = watched(site + "#/mines", **PHONE)
    marking(page, site)
    kind(page, TICK)
    cell(page, 0).tap()
    marks(page, "safe", [0])
    touch = page.context.new_cdp_session(page)

    def send(move: str, at: int | None = None) -> None:
        box = None if at is None else cell(page, at).bounding_box()
        points = [] if box is None else [{"x": box["x"] + 20, "y": box["y"] + 20}]
        touch.send("Input.dispatchTouchEvent", {"type": move, "touchPoints": points})

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
        box = button.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 44


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_marks_are_there_with_forced_colours_each_in_its_shape(
    page: Page, site: str, scheme: str
) -> None:
    page.emulate_media(color_scheme=scheme, forced_colors="active")  # type: ignore[arg-type]  # one of its two words
    marking(page, site)
    for at in range(5):
        for _ in range(at + 1):
            cell(page, at).click(button="right")
    shown = page.locator("[data-cell] .mark path:not(.rim)")
    expect(shown).to_have_count(5)
    shapes = {str(one.get_attribute("d")) for one in shown.all()}
    assert len(shapes) == 5
    ground = page.locator("body").evaluate("(e) => getComputedStyle(e).backgroundColor")
    for one in shown.all():
        inks = one.evaluate("(e) => [getComputedStyle(e).fill, getComputedStyle(e).stroke]")
        assert [ink for ink in inks if ink not in ("none", ground)], inks
