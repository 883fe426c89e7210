"""What the frame around every desk needs a browser for; the rest: tests/page/shell.test.mjs."""

from __future__ import annotations

from playwright.sync_api import Page, expect


def test_settings_change_theme_and_palette_and_stay(page: Page, site: str) -> None:
    page.goto(site + "#/code")
    page.get_by_role("button", name="Menu").click()
    page.locator("dialog").get_by_text("Settings", exact=True).click()
    page.get_by_role("button", name="Dark").click()
    page.get_by_role("button", name="Easy to tell apart").click()
    page.reload()
    root = page.locator("html")
    expect(root).to_have_attribute("data-theme", "dark")
    expect(root).to_have_attribute("data-palette", "clear")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(21, 23, 26)"
