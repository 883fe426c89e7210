"""Two tabs that share the browser's own storage; all else about it: tests/page/storage.test.mjs."""

from playwright.sync_api import BrowserContext, Page, expect

from browser import saved


def type_row(page: Page, row: str, rows: int) -> None:
    page.keyboard.type(row)
    page.keyboard.press("Enter")
    expect(page.locator(".guess")).to_have_count(rows)
    saved(page)


def test_two_tabs_on_one_desk_keep_both_their_ways(
    page: Page, context: BrowserContext, site: str
) -> None:
    page.goto(site + "#/code")
    type_row(page, "001111", 1)
    other = context.new_page()
    other.goto(site + "#/code")
    expect(other.locator(".guess")).to_have_count(1)
    type_row(page, "020310", 2)
    type_row(other, "234510", 2)
    type_row(page, "450002", 3)
    expect(other.get_by_role("status").filter(has_text="Another tab")).to_be_visible()
    expect(other.locator(".guess")).to_have_count(2)
    other.reload()
    expect(other.locator(".guess")).to_have_count(2)
    expect(other.locator(".guess").last).to_contain_text("2")
