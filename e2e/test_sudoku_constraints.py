"""Puzzles with rules beyond rows, columns and boxes, on the page: nothing is said without them."""

from __future__ import annotations

import json

from playwright.sync_api import Page, expect

from cluewise import links
from cluewise.desks.sudoku.constraints import Constraint
from cluewise.desks.sudoku.formats.lzstring import compress
from cluewise.desks.sudoku.position import Position

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SWAPPED = PUZZLE[9:18] + PUZZLE[:9] + PUZZLE[18:]
THERMO = Constraint("other", name="thermometers")


def linked(board: str, **rules: object) -> str:
    cells = [{} if c == "." else {"value": int(c), "given": True} for c in board]
    grid = [cells[i : i + 9] for i in range(0, 81, 9)]
    return "https://www.f-puzzles.com/?load=" + compress(
        json.dumps({"size": 9, "grid": grid, **rules})
    )


def test_a_pasted_pair_with_constraints_is_never_called_the_same_without_naming_them(
    page: Page, site: str
) -> None:
    page.goto(site + "#/sudoku")
    page.get_by_role("button", name="Paste or type boards").click()
    text = f"{linked(PUZZLE, thermometer=[1])}\n{linked(SWAPPED, thermometer=[1])}"
    page.locator("dialog textarea").fill(text)
    page.get_by_role("button", name="Read this").click()
    expect(page.locator(".answer-word")).to_have_text("The same as plain sudoku")
    expect(page.locator(".verdict .note")).to_have_text("Not compared: thermometers.")
    expect(page.locator(".also").first).to_contain_text("With thermometers.")
    expect(page.locator(".board-head p").first).to_have_text(
        "30 givens, one solution by plain rules"
    )
    expect(page.locator(".forms .note").first).to_have_text("Not compared: thermometers.")
    page.get_by_text("Solutions", exact=True).click()
    expect(
        page.locator(".folds").get_by_text("As plain sudoku: It has exactly one solution.")
    ).to_be_visible()
    expect(page.locator(".folds .note")).to_have_text("Not compared: thermometers.")


def test_constraints_travel_in_the_link_and_can_be_left_out_on_purpose(
    page: Page, site: str
) -> None:
    there = Position(grids=(PUZZLE, SWAPPED), constraints=(THERMO,))
    page.goto(site + links.encode(there))
    expect(page.locator(".answer-word")).to_have_text("The same as plain sudoku")
    for _ in range(2):
        page.get_by_role("button", name="Take it as plain sudoku").first.click()
    expect(page.locator(".answer-word")).to_have_text("The same")
    expect(page.locator(".verdict .note")).to_have_count(0)
    page.keyboard.press("Control+z")
    expect(page.locator(".also")).to_have_count(1)


def test_a_cleared_board_forgets_its_constraints(page: Page, site: str) -> None:
    page.goto(site + links.encode(Position(grids=(PUZZLE,), constraints=(THERMO,))))
    expect(page.locator(".also")).to_have_count(1)
    page.get_by_role("button", name="Clear", exact=True).first.click()
    expect(page.locator(".also")).to_have_count(0)


def test_the_chosen_size_reads_as_clearly_as_the_others(page: Page, site: str) -> None:
    page.goto(site + "#/sudoku")
    page.get_by_role("button", name="Change size").click()
    chosen = page.locator(".dialog .soft[aria-pressed=true] span")
    colour = "(e) => getComputedStyle(e).color"
    assert chosen.evaluate(colour) == page.locator(".dialog .soft[aria-pressed=true]").evaluate(
        colour
    )


def test_two_x_sudokus_are_compared_within_the_symmetries_of_both_diagonals(
    page: Page, site: str
) -> None:
    there = Position(grids=(PUZZLE, PUZZLE[::-1]), constraints=(Constraint("diagonals"),))
    page.goto(site + links.encode(there))
    expect(page.locator(".answer-word")).to_have_text("The same")
    expect(page.locator(".verdict")).to_contain_text(
        "Compared with both diagonals: 96 ways to move the cells keep what is asked."
    )
    expect(page.locator(".steps .step")).to_have_text(["Turn the board by half"])
    expect(page.locator(".board .rule-line")).to_have_count(4)
    page.locator(".steps .step").click()
    expect(page.locator(".board-head p").first).to_have_text("Now it is the second board")


def test_rules_are_switched_on_for_both_boards_and_undone(page: Page, site: str) -> None:
    page.goto(site + links.encode(Position(grids=(PUZZLE, SWAPPED))))
    expect(page.locator(".answer-word")).to_have_text("The same")
    page.get_by_role("button", name="Rules", exact=True).click()
    page.get_by_label("X: both diagonals").check()
    page.get_by_role("button", name="Close").click()
    expect(page.locator(".answer-word")).to_have_text("Different")
    expect(page.locator(".verdict")).to_contain_text("96 maps of cells keep the constraints")
    page.keyboard.press("Control+z")
    expect(page.locator(".answer-word")).to_have_text("The same")


def test_two_equal_digits_on_a_diagonal_are_marked(page: Page, site: str) -> None:
    there = Position(grids=("5" + "." * 79 + "5",), constraints=(Constraint("diagonals"),))
    page.goto(site + links.encode(there))
    expect(page.locator(".grid-mark.wrong")).to_have_count(2)
