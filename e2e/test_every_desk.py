"""Every desk starts, answers and takes a step back, also in Firefox; every example opens."""

import pytest
from playwright.sync_api import Page, expect

from browser import WAIT, address_of
from cluewise import desks
from states import settled


@pytest.mark.own_worker
@pytest.mark.sampled(2, of="firefox")
def test_every_desk_answers_in_firefox(fox: Page) -> None:
    for desk in desks.available():
        fox.evaluate("() => { location.hash = '' }")
        fox.locator(f".examples [data-desk={desk}]").first.click()
        expect(fox.locator(f"#desk[data-desk={desk}] h1").first).to_be_visible()
        expect(fox.locator(".phase")).to_have_count(0, timeout=2 * WAIT)
        if not fox.locator(".text-view").count():  # it stays open on the next desk
            fox.keyboard.press("Control+e")
        expect(fox.locator(".text-view p").first).to_be_visible()
        settled(fox)
        before = fox.locator(".text-view").text_content() or ""
        assert len(before) > 40
        step(fox, desk)
        expect(fox.locator(".text-view")).not_to_have_text(before)
        fox.keyboard.press("Control+z")
        expect(fox.locator(".text-view")).to_have_text(before)


def step(page: Page, desk: str) -> None:
    """One thing a player does there."""
    match desk:
        case "code":
            page.keyboard.type("001111")
            page.keyboard.press("Enter")
        case "rack":
            page.keyboard.press("ArrowDown")
            page.keyboard.press("ArrowRight")
            page.keyboard.type("i5")
            page.keyboard.press("Enter")
        case "scan":
            page.keyboard.press("1")
        case "mines":
            page.locator(".cell:not(.open)").first.click()
        case "sudoku":
            page.keyboard.press("ArrowDown")
            page.keyboard.press("5")


@pytest.mark.sampled(5)
@pytest.mark.parametrize("desk", desks.available())
def test_examples_of_a_desk_open_and_are_answered(page: Page, site: str, desk: str) -> None:
    page.goto(f"{site}#/{desk}")
    rows = page.locator("dialog .list .list-item")

    def listed() -> int:
        page.get_by_role("button", name="Menu").click()
        page.locator("dialog").get_by_text("Examples", exact=True).click()
        expect(rows.first).to_be_visible()
        return rows.count()

    expect(page.locator("#desk h1").first).to_be_visible()
    for i in range(listed()):
        if i:
            listed()
        rows.nth(i).click()
        expect(page.locator("dialog")).to_have_count(0)
        expect(page.locator(f"#desk[data-desk={desk}] h1").first).to_be_visible()
        assert len(address_of(page)) < 2000
        expect(page.locator(".phase")).to_have_count(0)
        assert page.evaluate("scrollY") == 0, "the desk opens in the middle"
