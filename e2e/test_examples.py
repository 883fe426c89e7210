"""Every example opens its desk, settles without a complaint, and can be shared."""

import pytest
from playwright.sync_api import Page, expect

from browser import address_of
from cluewise import desks

DESKS = list(desks.available())


@pytest.mark.sampled(5)
@pytest.mark.parametrize("desk", DESKS)
def test_the_examples_of_a_desk_open_and_answer(page: Page, site: str, desk: str) -> None:
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
