"""The same page in Firefox: every desk starts, answers, and takes a step that can be undone."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, Playwright, expect

from browser import FIREFOX, WAIT, Watch
from cluewise import desks
from states import settled

pytestmark = [
    pytest.mark.own_worker,
    pytest.mark.skipif(not FIREFOX.exists(), reason="this machine has no Firefox"),
]


@pytest.fixture
def firefox(playwright: Playwright) -> Iterator[Browser]:
    browser = playwright.firefox.launch(
        channel="moz-firefox", executable_path=str(FIREFOX), timeout=3 * WAIT
    )
    yield browser
    browser.close()


@pytest.fixture
def fox(firefox: Browser, site: str) -> Iterator[Page]:
    """A page at home that must not complain."""
    context = firefox.new_context(viewport={"width": 1200, "height": 900})
    context.set_default_timeout(2 * WAIT)
    watch = Watch(context, site)
    page = context.new_page()
    page.goto(site)
    yield page
    assert watch.complaints() == []
    context.close()


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
