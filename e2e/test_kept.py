"""What this browser keeps, told desk by desk; one desk can be removed and the others stay."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from browser import saved
from test_storage import KEPT, menu, type_row


def test_what_is_kept_is_told_of_each_desk_and_one_desk_can_be_removed(
    page: Page, site: str
) -> None:
    page.goto(site + "#/sudoku")
    expect(page.locator("#desk[data-desk=sudoku] h1").first).to_be_visible()
    page.get_by_role("button", name="One puzzle in disguise").first.click()
    expect(page.locator(".answer-word")).to_have_text("The same")
    saved(page)
    page.goto(site + "#/code")
    expect(page.locator(".entry")).to_be_visible()
    type_row(page, "001111", 1)
    type_row(page, "020310", 2)
    menu(page, "Saved positions")
    dialog = page.locator("dialog")
    dialog.get_by_role("button", name="Save", exact=True).click()
    expect(dialog.locator(".list-item")).to_have_count(1)
    page.keyboard.press("Escape")
    menu(page, "Saved positions")
    kept = dialog.locator(".kept-parts li")
    expect(kept.filter(has_text="Code")).to_contain_text("1 game ·")
    expect(kept.filter(has_text="Sudoku")).to_contain_text("1 game ·")
    expect(kept.filter(has_text="Saved positions")).to_contain_text("1 entry ·")
    dialog.get_by_role("button", name="Remove all games: Code").click()
    expect(dialog.get_by_role("alert")).to_contain_text("Every game of the Code desk")
    dialog.get_by_role("button", name="Keep them").click()
    expect(dialog.get_by_role("alert")).to_have_count(0)
    dialog.get_by_role("button", name="Remove all games: Code").click()
    dialog.locator(".buttons").get_by_role("button", name="Remove all games: Code").click()
    expect(kept.filter(has_text="Code")).to_have_count(0)
    expect(kept).to_have_count(2)
    page.keyboard.press("Escape")
    expect(page.locator(".guess")).to_have_count(0)
    left = {key.split("/")[0] + key.split("/")[1] for key, _ in page.evaluate(KEPT) if "/" in key}
    assert "momentsudoku" in left
    assert "momentcode" not in left
