"""The code desk in the browser: on a phone, and in two tabs that share the storage."""

from collections.abc import Callable

from playwright.sync_api import BrowserContext, Page, expect

from browser import PHONE, saved
from cluewise.desks.code.clue import Clue
from cluewise.desks.code.position import Position, Rules
from cluewise.links import encode
from presses import Thumb
from test_bar import answer


def test_code_lists_and_trees_can_be_focused_and_never_scroll_sideways(
    watched: Callable[..., Page], site: str
) -> None:
    page = watched(site + encode(Position(Rules(), (Clue("0011", 1, 1),))), **PHONE)
    page.get_by_text("Show the possible codes").tap()
    codes = page.locator(".codes")
    expect(codes.locator("li").first).to_be_visible()
    codes.focus()
    expect(codes).to_be_focused()
    page.get_by_role("button", name="Equivalent guesses").tap()
    page.get_by_text("Whole strategies").tap()
    page.get_by_role("button", name="Compute").tap()
    page.get_by_text("Show the decision tree").tap()
    level = page.get_by_role("region", name="The decision tree").locator("> ul")
    for touch in (True, False):
        branch = level.locator("> li > details > summary").first
        if touch:
            branch.tap()
        else:
            branch.press("Enter")
        level = level.locator("> li > details > ul").first
        expect(level).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_adversarial_code_maker_is_played_to_the_end_on_a_phone(
    watched: Callable[..., Page], site: str
) -> None:
    page = watched(site + encode(Position(Rules(2, 4), ())), **PHONE)
    page.get_by_role("button", name="Play an undecided code maker").tap()
    expect(page.get_by_role("button", name="Stop playing")).to_be_visible()
    assert page.evaluate("scrollY") == 0  # the rows and their answers are in sight
    thumb = Thumb(page)
    left = [a + b for a in "0123" for b in "0123"]
    for row in range(6):
        guess = left[len(left) // 2]
        for colour in guess:
            thumb.tap(page.get_by_role("button", name=f"Colour {colour}", exact=True))
        thumb.act("Guess")
        expect(page.locator(".guess")).to_have_count(row + 1)
        said = page.locator(".guess .code").last.inner_text()
        left = [code for code in left if "{}A{}B".format(*answer(guess, code)) == said]
        assert left, f"no code fits {said}"
        if said == "2A0B":  # the review comes first now
            break
        expect(page.locator(".guess").last).to_be_in_viewport(ratio=0.9)
    assert left == [guess]
    thumb.done("code, undecided code maker")
    expect(page.get_by_role("button", name="Start again")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def type_row(page: Page, row: str, rows: int) -> None:
    page.keyboard.type(row)
    page.keyboard.press("Enter")
    expect(page.locator(".guess")).to_have_count(rows)
    saved(page)


def test_two_tabs_on_one_desk_both_keep_their_branches(
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
