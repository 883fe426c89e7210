"""The size that is chosen, as it is drawn; rules and sizes: tests/page/sudoku_page.test.mjs."""

from __future__ import annotations

from playwright.sync_api import Page


def test_the_chosen_size_reads_as_clearly_as_the_others(page: Page, site: str) -> None:
    page.goto(site + "#/sudoku")
    page.get_by_role("button", name="Change size").click()
    chosen = page.locator(".dialog .soft[aria-pressed=true] span")
    colour = "(e) => getComputedStyle(e).color"
    assert chosen.evaluate(colour) == page.locator(".dialog .soft[aria-pressed=true]").evaluate(
        colour
    )
