"""The author's bench under a finger; what it does: tests/page/mines_page.test.mjs."""

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from browser import PHONE, address_of


def verdict(page: Page, said: str) -> None:
    expect(page.locator(f'[data-verdict="{said}"]').first).to_be_visible()


def test_a_board_is_authored_on_a_phone_freed_where_it_sticks_and_played(
    watched: Callable[..., Page], site: str
) -> None:
    page = watched(site + "#/mines", **PHONE)
    page.get_by_role("button", name="Puzzles").first.click()
    page.locator(".fields select").nth(1).select_option("5")
    page.get_by_role("button", name="Make an empty board").click()
    page.get_by_text("In the game’s list of levels").click()
    wide = page.locator(".level").evaluate("(e) => [e.scrollWidth, e.clientWidth]")
    assert wide[0] <= wide[1]
    expect(page.locator(".mines-bench [data-cell]")).to_have_count(25)
    verdict(page, "no-guess")
    for at in (0, 6, 12):
        page.locator(f'[data-cell="{at}"]').tap()
    expect(page.locator(".cell.mine")).to_have_count(3)
    verdict(page, "stuck")
    expect(page.get_by_text("Needs a guess").first).to_be_visible()
    expect(page.locator(".cell.stuck").first).to_be_visible()
    page.get_by_role("button", name=re.compile("cells from A1")).click()
    freeing = page.get_by_role("group", name="Single-cell changes that fix it")
    freeing.locator("button").first.click()
    verdict(page, "no-guess")
    expect(page.locator(".cell.stuck")).to_have_count(0)
    expect(page.locator(".curve rect").first).to_be_visible()
    link = address_of(page)
    page.get_by_role("button", name="Undo").first.click()
    verdict(page, "stuck")
    page.goto(link)
    verdict(page, "no-guess")
    page.get_by_role("button", name="Play it").first.click()
    expect(page.locator(".mines-bench")).to_have_count(0)
    expect(page.get_by_role("heading", level=1)).to_have_text("Combination lock 5")
    expect(page.get_by_text("mines without a flag").first).to_be_visible()
