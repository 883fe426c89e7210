"""The table of the numbers of grids is fetched on first use; the rest: sudoku_page.test.mjs."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from cluewise import links
from cluewise.desks.sudoku.position import Position

LAST = "123456789457893612986217354274538196531964827698721435342685971715349268869172543"


def test_the_table_of_numbers_is_fetched_when_a_number_is_asked_for(page: Page, site: str) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(site + links.encode(Position(grids=(LAST,))))
    expect(page.locator(".form-text").first).to_have_text(LAST)
    assert not any("numbers.bin" in url for url in asked)
    page.get_by_text("The number of a grid", exact=True).click()
    expect(page.locator(".number")).to_have_text("5\u00a0472\u00a0730\u00a0538")
