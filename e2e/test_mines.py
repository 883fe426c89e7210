"""The mines desk in the browser: whole games, hints, chances, contradiction, making, links."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Locator, Page, expect

from browser import address_of

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


def follow(page: Page) -> bool:
    """Ask for the whole hint and do what it says; False once the puzzle is solved."""
    if page.get_by_text("Solved.").count():
        return False
    for name in ("Is there a move?", "Where is it?", "Which clues?", "What is it, and why?"):
        page.get_by_role("button", name=name).click()
    page.locator(".mines-desk .card .main").click()
    expect(page.locator(".told")).to_have_count(0)
    return True


def test_a_puzzle_is_solved_by_following_hints_by_touch(
    watched: Callable[..., Page], site: str
) -> None:
    page = watched(site + "#/mines", **PHONE)
    puzzle(page, "Small honeycomb")
    expect(page.get_by_text("Tap opens a cell; hold it to flag.")).to_be_visible()
    for _ in range(40):
        if not follow(page):
            break
    expect(page.get_by_text("Solved. Every safe cell is open.")).to_be_visible()
    expect(page.get_by_text("Not one mine was opened.")).to_be_visible()


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


def test_wrong_flags_on_a_coloured_board_are_named(page: Page, site: str) -> None:
    page.goto(site + "#/mines")
    puzzle(page, "Coat of many colours")
    expect(page.locator(".fence")).to_have_count(1)
    for at in (0, 1):
        cell(page, at).click(button="right")
    page.get_by_role("button", name="Is there a move?").click()
    expect(page.get_by_text("These clues cannot all hold")).to_be_visible()
    expect(page.get_by_text("the yellow shape · the flag at A1")).to_be_visible()


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


def test_a_puzzle_is_made_and_rated(page: Page, site: str) -> None:
    page.goto(site + "#/mines")
    page.get_by_role("button", name="Puzzles").first.click()
    page.locator(".dialog select").first.select_option("corner-bite")
    page.locator(".dialog select").last.select_option("6")
    page.get_by_role("button", name="Easy").click()
    page.get_by_role("button", name="Make it").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Corner bite 6")
    page.get_by_text("How hard is it?").click()
    expect(page.get_by_text("No guess is needed")).to_be_visible()
    expect(page.locator(".curve rect").first).to_be_visible()
