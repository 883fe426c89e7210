"""Accessibility beyond the plain states: documents, embedded boards, the result in words,
something supposed, and paper; the console: test_console.py.
"""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from browser import KeptPages, address_of
from sampling import sample
from states import DESKS, settled, show
from test_a11y import SIZES, flaws, violations

DOCS = sorted(path.name for path in (Path(__file__).parents[1] / "web/docs/pages").glob("*.html"))
SIDEWAYS = "document.documentElement.scrollWidth - innerWidth"


def share(page: Page, item: str) -> None:
    page.get_by_role("button", name="Share", exact=True).click()
    page.locator("dialog").get_by_text(item, exact=True).click()
    expect(page.locator("dialog")).to_have_count(0)


def test_no_document_has_a_flaw_in_any_colours_or_at_320_pixels(
    kept_page: KeptPages, site: str
) -> None:
    page = kept_page("docs/index.html", viewport={"width": 320, "height": 640})
    found = []
    for name in sample(DOCS, 8, kind="documents"):
        page.goto(f"{site}docs/{name}")
        expect(page.locator("main h1")).to_be_visible()
        for details in page.locator("details").all()[:3]:
            details.locator("summary").click()
        found += [f"{name}: {one}" for one in flaws(page)]
        found += [f"{name} scrolls sideways"] if page.evaluate(SIDEWAYS) > 0 else []
    assert found == []


@pytest.mark.sampled(8, of="pages")
@pytest.mark.parametrize("desk", DESKS)
@pytest.mark.parametrize("size", SIZES)
def test_no_embedded_board_has_a_flaw(
    kept_page: KeptPages, site: str, size: str, desk: str
) -> None:
    page = kept_page(**SIZES[size], reduced_motion="reduce")
    show(page, desk, "play")
    fragment = address_of(page).partition("#")[2]
    page.goto(f"{site}?embed=1#{fragment}")
    settled(page)
    found = flaws(page)
    page.goto(f"{site}#{fragment}")
    assert found == []


@pytest.mark.sampled(8, of="pages")
@pytest.mark.parametrize("desk", DESKS)
@pytest.mark.parametrize("size", SIZES)
def test_the_result_in_words_paper_and_what_is_supposed_have_no_flaw(
    kept_page: KeptPages, size: str, desk: str
) -> None:
    page = kept_page(**SIZES[size], reduced_motion="reduce")
    show(page, desk, "play")
    share(page, "Text view")
    expect(page.locator(".text-view p, .text-view li").first).to_be_visible()
    found = [f"in words: {one}" for one in flaws(page)]
    share(page, "Text view")
    page.emulate_media(media="print")
    found += [f"printed: {one}" for one in violations(page)]
    page.emulate_media(media="screen")
    page.get_by_role("button", name="History", exact=True).click()
    page.locator("dialog").get_by_role("button", name="Try a branch…").last.click()
    page.get_by_role("button", name="Try it").click()
    expect(page.locator(".suppose-line")).to_be_visible()
    found += [f"supposing: {one}" for one in flaws(page)]
    page.get_by_role("button", name="Back to the game").click()
    assert found == []
