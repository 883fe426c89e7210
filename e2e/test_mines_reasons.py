"""Reasons in the browser: steps that light their cells, trees, the easiest way as a replay."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect


def cell(page: Page, index: int) -> Locator:
    return page.locator(f'[data-cell="{index}"]')


def take(page: Page, text: str) -> None:
    """A board typed as text."""
    page.get_by_role("button", name="Puzzles").first.click()
    page.locator(".dialog textarea").fill(text)
    page.get_by_role("button", name="Use it").click()
    expect(page.locator("dialog[open]")).to_have_count(0)


def test_a_reason_lights_its_steps_and_opens_as_a_tree_and_a_number_lights_its_neighbours(
    page: Page, site: str
) -> None:
    page.goto(site + "#/mines")
    take(page, "###\n121")
    page.get_by_role("button", name="Show every cell's chance").click()
    expect(cell(page, 1).locator("text")).to_have_text("0%")
    expect(cell(page, 2).locator("text")).to_have_text("100%")
    cell(page, 0).focus()
    page.keyboard.press("ArrowRight")
    page.get_by_role("button", name="Why B1?").click()
    steps = page.locator(".steps .step")
    expect(steps).to_have_count(2)
    expect(page.locator(".ring.clue")).to_have_count(3)
    steps.first.click()
    expect(steps.first).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".ring.clue")).to_have_count(2)
    expect(page.locator(".ring.target")).to_have_count(1)
    steps.first.click()
    expect(page.locator(".ring.clue")).to_have_count(3)
    page.get_by_text("As a tree, back to the clues").click()
    expect(page.get_by_text("All 2 steps use exact counts.")).to_be_visible()
    expect(page.locator(".tree summary")).to_have_count(2)
    page.locator(".tree summary").last.click()
    expect(page.locator(".tree .leaf").get_by_text("the 2 at B2")).to_be_visible()
    lights = page.locator(".board .lights")
    cell(page, 4).hover()
    expect(lights).to_have_attribute("d", re.compile(r"^(M[^M]+Z){5}$"))
    page.get_by_role("heading", level=1).hover()
    expect(lights).to_have_attribute("d", "")


def test_a_number_with_as_many_closed_cells_as_it_counts_flags_them_all(
    page: Page, site: str
) -> None:
    page.goto(site + "#/mines")
    take(page, "*.*.")
    cell(page, 1).click()
    expect(cell(page, 1)).to_have_attribute("aria-label", re.compile("^B1, open, 2"))
    cell(page, 1).click()
    expect(page.get_by_text("Press again to flag all 2 cells around it.")).to_be_visible()
    expect(page.locator(".ring.near")).to_have_count(2)
    cell(page, 1).click()
    expect(page.locator(".cell.flag")).to_have_count(2)
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".cell.flag")).to_have_count(0)


def test_the_easiest_way_is_told_and_replayed_on_the_board_without_touching_the_game(
    page: Page, site: str
) -> None:
    page.goto(site + "#/mines")
    page.get_by_text("How hard is it?").click()
    page.get_by_role("button", name="What does the easiest way take?").click()
    expect(page.get_by_text(re.compile(r"needs \d+ moves:"))).to_be_visible()
    page.get_by_role("button", name="Show it move by move").click()
    replay = page.get_by_label("The solution, move by move")
    expect(replay.get_by_role("status")).to_contain_text("Move 1 of")
    expect(page.locator(".ring.target").first).to_be_visible()
    expect(replay.get_by_text("undefined")).to_have_count(0)
    forward = replay.get_by_role("button", name="Next move")
    for move in range(2, 80):
        forward.click()
        if forward.is_disabled():
            break
        expect(replay.get_by_role("status")).to_contain_text(f"Move {move} of")
        expect(replay.get_by_text("undefined")).to_have_count(0)
    expect(replay.get_by_role("status")).to_contain_text("That was all")
    expect(page.locator(".cell.flag").first).to_be_visible()
    cell(page, 0).click()
    replay.get_by_role("button", name="Back to my game").click()
    expect(page.locator(".cell.open, .cell.flag")).to_have_count(0)
