"""The player's own marks under a finger and with forced colours; the rest: mines_page.test.mjs."""

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from browser import PHONE, box_of
from minefields import cell, finger_on

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


def test_a_finger_taps_holds_and_drags_marks(watched: Callable[..., Page], site: str) -> None:
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


def test_marks_are_there_with_forced_colours_each_in_its_shape(page: Page, site: str) -> None:
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
