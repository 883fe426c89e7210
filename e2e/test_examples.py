"""Every example on the home page opens its desk, settles without a complaint, and can be shared."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from browser import address_of
from cluewise import desks

DESKS = list(desks.available())


@pytest.mark.parametrize("desk", DESKS)
def test_the_examples_of_a_desk_open_and_answer(page: Page, site: str, desk: str) -> None:
    page.goto(site)
    rows = page.locator(f".examples [data-desk={desk}]")
    expect(rows.first).to_be_visible()
    for i in range(rows.count()):
        rows.nth(i).click()
        expect(page.locator(f"#desk[data-desk={desk}] h1").first).to_be_visible()
        assert len(address_of(page)) < 2000
        expect(page.locator(".phase")).to_have_count(0)
        assert page.evaluate("scrollY") == 0, "the desk opens in the middle"
        page.goto(site + "#/")
        expect(rows.first).to_be_visible()


@pytest.mark.parametrize("desk", DESKS)
def test_a_desk_shows_the_same_in_a_fresh_profile(
    page: Page, watched: Callable[..., Page], site: str, desk: str
) -> None:
    page.goto(site)
    page.locator(f".examples [data-desk={desk}]").nth(1).click()
    expect(page.locator(f"#desk[data-desk={desk}] h1").first).to_be_visible()
    expect(page.locator(".phase")).to_have_count(0)
    other = watched(address_of(page))
    expect(other.locator(".phase")).to_have_count(0)
    for one in (page, other):
        one.keyboard.press("Control+e")
        expect(one.locator(".text-view p").first).to_be_visible()
    expect(other.locator(".quiet", has_text="…")).to_have_count(0)
    expect(page.locator(".quiet", has_text="…")).to_have_count(0)
    text = page.locator(".text-view").text_content() or ""
    assert len(text) > 40
    expect(other.locator(".text-view")).to_have_text(text)
