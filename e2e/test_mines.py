"""The mines desk in the browser: whole games, hints, chances, contradiction, making, links."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from browser import address_of
from minefields import layout_of, open_file

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


def cell(page: Page, index: int) -> Locator:
    return page.locator(f'[data-cell="{index}"]')


def puzzle(page: Page, title: str) -> None:
    page.get_by_role("button", name="Puzzles").first.click()
    page.get_by_role("button", name=title, exact=False).first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text(title)


def deeper(page: Page) -> None:
    """One more degree of the hint."""
    page.locator(".mines-desk .card .soft").first.click()
    expect(page.locator(".told")).to_be_visible()


def test_what_a_press_does_is_said_for_the_hand_that_presses(
    watched: Callable[..., Page], site: str
) -> None:
    page = watched(site + "#/mines", **PHONE)
    expect(page.get_by_text("Tap opens a cell; hold it to flag.")).to_be_visible()


def test_keys_walk_open_flag_and_mark(page: Page, site: str) -> None:
    page.goto(site + "#/mines")
    cell(page, 12).click()
    expect(cell(page, 12)).to_have_class(re.compile(r"\bopen\b"))
    cell(page, 12).focus()
    page.keyboard.press("ArrowUp")
    expect(cell(page, 6)).to_be_focused()
    page.keyboard.press("f")
    expect(cell(page, 6)).to_have_attribute("aria-label", "A2, flag, row 2, column A")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("m")
    expect(cell(page, 7).locator(".mark")).to_have_count(1)
    page.keyboard.press("n")
    expect(page.locator("[data-cell]:focus")).to_have_count(1)
    page.get_by_role("button", name="Is a flag wrong?").click()
    told = page.get_by_text(re.compile("a flag is wrong|flags are right"))
    expect(told).to_be_visible()


def test_hints_come_by_degrees_and_outline_the_clues(page: Page, site: str) -> None:
    page.goto(site + "#/mines")
    deeper(page)
    expect(page.get_by_text("Yes: at least one cell is decided.")).to_be_visible()
    expect(page.locator(".ring.target")).to_have_count(0)
    deeper(page)
    expect(page.locator(".ring.target")).to_have_count(6)
    expect(page.locator(".edge.lit")).to_have_count(0)
    deeper(page)
    expect(page.locator(".edge.lit")).to_have_count(1)
    deeper(page)
    expect(page.get_by_text("They are safe.")).to_be_visible()
    expect(page.get_by_text("One count is enough.")).to_be_visible()
    page.get_by_role("button", name="Hide the hint").click()
    expect(page.locator(".ring")).to_have_count(0)


def test_chances_and_why(page: Page, site: str) -> None:
    page.goto(site + "#/mines")
    page.get_by_role("button", name="Show every cell's chance").click()
    expect(page.get_by_text("395 layouts fit the clues.")).to_be_visible()
    expect(page.locator(".heat")).to_have_count(36)
    cell(page, 12).focus()
    page.keyboard.press("ArrowRight")
    page.get_by_role("button", name="Why B3?").click()
    expect(page.locator(".steps li")).to_have_count(1)


def test_undo_takes_back_and_a_link_brings_the_board_to_a_fresh_profile(
    watched: Callable[..., Page], page: Page, site: str
) -> None:
    page.goto(site + "#/mines")
    cell(page, 12).click()
    expect(page.locator(".cell.open")).to_have_count(1)
    cell(page, 13).click()
    expect(page.locator(".cell.open")).to_have_count(2)
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".cell.open")).to_have_count(1)
    page.get_by_role("button", name="Redo").click()
    cell(page, 0).click(button="right")
    expect(page.locator(".cell.flag")).to_have_count(1)
    other = watched(address_of(page))
    expect(other.locator(".cell.open")).to_have_count(2)
    expect(other.locator(".cell.flag")).to_have_count(1)
    expect(other.get_by_role("heading", level=1)).to_have_text("First lock")


def test_dragging_in_flag_mode_flags_a_row(page: Page, site: str) -> None:
    page.goto(site + "#/mines")
    page.get_by_role("button", name="Flag", exact=True).click()
    first, last = cell(page, 0).bounding_box(), cell(page, 3).bounding_box()
    assert first is not None
    assert last is not None
    page.mouse.move(first["x"] + 20, first["y"] + 20)
    page.mouse.down()
    page.mouse.move(last["x"] + 20, last["y"] + 20, steps=12)
    page.mouse.up()
    expect(page.locator(".cell.flag")).to_have_count(4)


def test_a_finger_drags_flags(watched: Callable[..., Page], site: str) -> None:
    page = watched(site + "#/mines", **PHONE)
    page.get_by_role("button", name="Flag", exact=True).click()
    touch = page.context.new_cdp_session(page)

    def send(kind: str, at: int | None = None) -> None:
        points = []
        if at is not None:
            box = cell(page, at).bounding_box()
            assert box is not None
            points = [{"x": box["x"] + 20, "y": box["y"] + 20}]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    send("touchStart", 0)
    for at in (6, 12, 18):
        send("touchMove", at)
    expect(page.locator(".cell.touched")).to_have_count(4)
    send("touchEnd")
    expect(page.locator(".cell.flag")).to_have_count(4)
    assert page.evaluate("scrollY") == 0


def test_a_wrong_flag_is_said_at_once_and_named_only_to_those_who_ask(
    page: Page, site: str
) -> None:
    page.goto(site + "#/mines")
    puzzle(page, "Coat of many colours")
    expect(page.locator(".fence")).to_have_count(1)
    for at in (0, 1):
        cell(page, at).click(button="right")
    page.get_by_role("button", name="Is there a move?").click()
    expect(page.get_by_text("At least one flag is wrong")).to_be_visible()
    expect(page.locator(".ring")).to_have_count(0)
    expect(page.get_by_text("These clues cannot all hold")).to_have_count(0)
    page.get_by_role("button", name="Which one?").click()
    named = page.get_by_text(re.compile("There (is no mine|are no mines) at A1"))
    expect(named).to_be_visible()
    expect(page.locator(".ring.wrong").first).to_be_visible()


def test_flags_are_judged_together_on_a_typed_board(page: Page, site: str) -> None:
    """Each of the two may be right, both cannot; which clue they clash with comes on request."""
    page.goto(site + "#/mines")
    page.get_by_role("button", name="Puzzles").first.click()
    page.locator(".dialog textarea").fill("!#!\ntotal 1")
    page.get_by_role("button", name="Use it").click()
    expect(page.locator(".cell.flag")).to_have_count(2)
    page.get_by_role("button", name="Is a flag wrong?").click()
    expect(page.get_by_text("Yes, a flag is wrong.")).to_be_visible()
    page.get_by_role("button", name="Show every cell's chance").click()
    expect(page.get_by_text("At least one flag is wrong")).to_be_visible()
    expect(page.get_by_text("the flag at A1")).to_have_count(0)
    page.get_by_role("button", name="Which one?").click()
    expect(page.get_by_text("the total · the flag at A1 · the flag at C1")).to_be_visible()


def test_holding_a_cell_flags_it(page: Page, site: str) -> None:
    page.goto(site + "#/mines")
    box = cell(page, 8).bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 20, box["y"] + 20)
    page.mouse.down()
    expect(page.locator(".hold.on")).to_have_count(1)
    expect(page.locator(".cell.flag")).to_have_count(1)
    page.mouse.up()
    expect(page.locator(".cell.flag")).to_have_count(1)


def test_a_typed_board_is_taken_and_a_contradiction_is_named(page: Page, site: str) -> None:
    page.goto(site + "#/mines")
    page.get_by_role("button", name="Puzzles").first.click()
    page.locator(".dialog textarea").fill("3###\n####\ntotal 2")
    page.get_by_role("button", name="Use it").click()
    expect(page.get_by_text("These clues cannot all hold")).to_be_visible()
    expect(page.get_by_text("the total · the 3 at A1")).to_be_visible()
    cell(page, 0).click()
    page.get_by_role("button", name="1", exact=True).click()
    expect(page.get_by_text("These clues cannot all hold")).to_have_count(0)


def test_a_broken_file_is_named_with_its_line(page: Page, site: str) -> None:
    page.goto(site + "#/mines")
    page.get_by_role("button", name="Puzzles").first.click()
    page.locator(".dialog textarea").fill("<PUZZLE>\n<GRAPH></PUZZLE>")
    page.get_by_role("button", name="Use it").click()
    told = page.locator(".dialog").get_by_text("line 2")
    expect(told).to_be_visible()
    expect(told).to_be_in_viewport()
    expect(page.locator(".dialog textarea")).to_have_value("<PUZZLE>\n<GRAPH></PUZZLE>")


@pytest.mark.parametrize("screen", [PHONE, {"viewport": {"width": 1440, "height": 900}}])
def test_a_published_board_of_twelve_is_opened_read_and_told_about(
    watched: Callable[..., Page], site: str, screen: dict[str, Any]
) -> None:
    """How a smaller one is played to its end: test_bar.py and test_wide_games.py."""
    page = watched(site + "#/mines", **screen)
    open_file(page, layout_of("12x12-with-score-60.38"))
    boxes = [cell(page, at).bounding_box() for at in (0, 1, 143)]
    assert all(box is not None and box["width"] > 18 for box in boxes)
    # A count at the edge can be read: 10 px at least, on a board of twelve on a phone.
    assert page.locator(".edge text").first.evaluate("(e) => e.getBoundingClientRect().height") > 10
    drawn = page.locator("text.name").all_text_contents()
    assert drawn == [*"ABCDEFGHIJKL", *map(str, range(1, 13))]
    expect(cell(page, 14)).to_have_attribute("aria-label", "C2, closed, row 2, column C")
    page.get_by_role("button", name="Is there a move?").click()
    page.get_by_role("button", name="Where is it?").click()
    page.get_by_role("button", name="Which clues?").click()
    expect(page.get_by_text("decide")).to_contain_text(re.compile(r"(row|column) \w+"))


def test_typed_digits_are_for_the_cell_that_was_pressed(page: Page, site: str) -> None:
    page.goto(site + "#/mines")
    page.get_by_role("button", name="Puzzles").first.click()
    page.locator(".dialog textarea").fill("####\n####\n####")
    page.get_by_role("button", name="Use it").click()
    expect(page.get_by_text("Press a cell, then type its number.")).to_be_visible()
    cell(page, 5).click()
    page.keyboard.press("3")
    expect(cell(page, 5)).to_have_attribute("aria-label", "B2, open, 3")
    cell(page, 6).click()
    page.keyboard.press("?")
    expect(cell(page, 6)).to_have_attribute("aria-label", "C2, open, no number")


def test_the_key_sheet_opens_by_its_key_and_names_the_board_keys(page: Page, site: str) -> None:
    page.goto(site + "#/mines")
    cell(page, 0).focus()
    page.keyboard.press("?")
    sheet = page.get_by_role("dialog", name="Keys")
    expect(sheet).to_be_visible()
    for words in ("Open, or a number's neighbours", "Flag", "Mark", "Round the neighbours"):
        expect(sheet.get_by_text(words, exact=True)).to_be_visible()


def test_puzzles_do_not_scroll_sideways_on_a_phone(watched: Callable[..., Page], site: str) -> None:
    page = watched(site + "#/mines", **PHONE)
    page.get_by_role("button", name="Puzzles").first.click()
    body = page.locator(".dialog")
    expect(body).to_be_visible()
    wide = "(e) => [e, ...e.querySelectorAll('*')].filter((x) => x.scrollWidth > x.clientWidth + 1"
    wide += " && getComputedStyle(x).overflowX !== 'visible' && x.tagName !== 'TEXTAREA'"
    wide += " && !x.classList.contains('unseen')).map((x) => x.className || x.tagName)"
    assert body.evaluate(wide) == []


def test_inexact_rounds_are_chosen_on_the_page(page: Page, site: str) -> None:
    page.goto(site + "#/mines")
    page.get_by_text("How hard is it?").click()
    expect(page.get_by_text("solves it in")).to_be_visible()
    expect(page.locator(".scale").get_by_text("easy")).to_have_class("here")
    page.get_by_text("The record of every step").click()
    expect(page.locator(".records tbody tr").first).to_be_visible()
    page.get_by_role("group", name="Inexact rounds in a row").get_by_role(
        "button", name="0"
    ).click()
    expect(page.get_by_role("button", name="0", exact=True)).to_have_attribute(
        "aria-pressed", "true"
    )
    expect(page.get_by_text("solves it in").or_(page.get_by_text("stops here"))).to_be_visible()


def test_the_published_scale_stands_beside_ours(page: Page, site: str) -> None:
    page.goto(site + "#/mines")
    page.get_by_text("How hard is it?").click()
    page.get_by_role("button", name="On the scale of published boards").click()
    expect(page.get_by_text("On the scale of the boards published in 2018: 0.00.")).to_be_visible()
    expect(page.get_by_text("Order-free, with ties that decide nothing: 0.00.")).to_be_visible()


def choose(page: Page, site: str, board: str, size: str, wish: str) -> None:
    """The generator's dialog, filled in."""
    page.goto(site + "#/mines")
    page.get_by_role("button", name="Puzzles").first.click()
    page.locator(".dialog select").first.select_option(board)
    page.locator(".dialog select").last.select_option(size)
    page.get_by_role("button", name=wish).click()


def test_a_missed_difficulty_is_said(page: Page, site: str) -> None:
    choose(page, site, "hex", "3", "Fiendish")
    page.get_by_role("button", name="Make it").click()
    expect(page.get_by_text("You asked for a difficulty of 20 to 40.")).to_be_visible(
        timeout=80_000
    )


def test_a_puzzle_is_made_and_rated(page: Page, site: str) -> None:
    choose(page, site, "corner-bite", "6", "Easy")
    page.get_by_role("button", name="Make it").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Corner bite 6")
    page.get_by_text("How hard is it?").click()
    expect(page.get_by_text("No guess is needed")).to_be_visible()
    expect(page.locator(".curve rect").first).to_be_visible()


def test_a_puzzle_is_made_by_moves_of_several_kinds(page: Page, site: str) -> None:
    """Two subsets, no chain, from three counts at most: every line is kept, and one left out."""
    choose(page, site, "combination-lock", "5", "By its moves")
    page.get_by_label("How many moves").select_option("2")
    page.get_by_label("Of which kind").select_option("subset")
    page.get_by_role("button", name="Another kind").click()
    page.get_by_role("button", name="Another kind").click()
    lines = page.locator(".dialog [role=group]").filter(has=page.get_by_label("How many moves"))
    expect(lines).to_have_count(3)
    page.get_by_role("button", name="Leave out “a sum of counts”").click()
    line = page.get_by_role("group", name="a chain of counts")
    line.get_by_label("How many moves").select_option("none")
    expect(lines).to_have_count(2)
    expect(lines.first.get_by_label("Of which kind")).to_have_value("subset")
    expect(lines.last.get_by_label("Of which kind")).to_have_value("chain")
    page.get_by_label("Counts that one move may need").select_option("3 at most")
    page.get_by_label("No move harder than these").uncheck()
    page.get_by_role("button", name="Make it").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Combination lock 5", timeout=80_000)
    expect(page.get_by_text("As you asked.")).to_be_visible()
    page.get_by_text("How hard is it?").click()
    page.get_by_role("button", name="What does the easiest way take?").click()
    row = page.locator("dt", has_text="One count lies inside another.")
    expect(row.locator("+ dd")).to_have_text("2")
    expect(page.locator("dt", has_text="A chain of overlapping counts.")).to_have_count(0)


def test_a_puzzle_is_made_by_the_moves_that_it_takes(page: Page, site: str) -> None:
    choose(page, site, "combination-lock", "5", "By its moves")
    page.get_by_label("How many moves").select_option("2")
    page.get_by_label("Of which kind").select_option("subset")
    page.get_by_role("button", name="Make it").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Combination lock 5", timeout=80_000)
    expect(page.get_by_text("As you asked.")).to_be_visible()
    expect(page.get_by_text("looked at.")).to_be_visible()
    page.get_by_text("How hard is it?").click()
    page.get_by_role("button", name="What does the easiest way take?").click()
    row = page.locator("dt", has_text="One count lies inside another.")
    expect(row.locator("+ dd")).to_have_text("2")
