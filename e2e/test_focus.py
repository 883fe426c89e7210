"""Focus management: into a dialog, to the next one, and back to the opener."""

import re
from collections.abc import Iterator
from itertools import cycle

from playwright.sync_api import Page, expect

from browser import ROOT
from cluewise.desks.code.position import Position, Rules
from cluewise.links import encode
from states import DESKS
from test_a11y import violations

ITEMS = re.findall(
    r"item\(words\.(\w+), words\.\w+, open", (ROOT / "web/shell/header.ts").read_text()
)
NAMES = dict(re.findall(r'^  (\w+): "(.*)",$', (ROOT / "web/strings.ts").read_text(), re.MULTILINE))
SPOTS = ["a.mark", "#desk button:visible", "#desk [tabindex='0']:visible"]
INSIDE = "() => document.querySelector('dialog')?.contains(document.activeElement)"


def desks_in_turn(page: Page) -> Iterator[str]:
    for desk in DESKS:
        page.evaluate("desk => { location.hash = `#/${desk}` }", desk)
        expect(page.locator(f"#desk[data-desk={desk}] h1").first).to_be_visible()
        yield desk


def test_dialog_opened_by_menu_or_key_traps_and_restores_the_focus(page: Page, site: str) -> None:
    page.goto(site)
    menu = page.get_by_role("button", name="Menu")
    assert ITEMS == ["examples", "settings", "help"]
    for _, name in zip(desks_in_turn(page), cycle(ITEMS), strict=False):
        item = NAMES[name]
        menu.focus()
        page.keyboard.press("Enter")
        page.locator("dialog .menu-item", has=page.get_by_text(item, exact=True)).press("Enter")
        title = page.locator("dialog h2").first
        expect(title).to_have_text(re.compile(re.escape(item) + "|Keys"))
        page.wait_for_function(INSIDE)
        page.keyboard.press("Escape")
        expect(page.locator("dialog")).to_have_count(0)
        expect(menu).to_be_focused()
        for spot in (page.locator(one).first for one in SPOTS):
            if not spot.count():
                continue
            spot.focus()
            page.keyboard.press("?")
            expect(page.get_by_role("dialog", name="Keys")).to_be_visible()
            page.keyboard.press("Escape")
            expect(page.locator("dialog")).to_have_count(0)
            expect(spot).to_be_focused()


def test_link_to_another_desk_moves_the_focus_to_its_heading(page: Page, site: str) -> None:
    page.goto(site)
    for place, name in [(".card", "rack"), ("nav.tabs", "scan"), ("header, #top", "")]:
        page.locator(place).locator(f"a[href='#/{name}']").first.press("Enter")
        expect(page.locator("#desk")).to_have_attribute("data-desk", name)
        expect(page.locator("#desk h1").first).to_be_focused()
        expect(page.locator("#desk h1").first).to_be_in_viewport()


def test_dialog_closed_by_its_button_restores_the_focus_or_focuses_the_board(
    page: Page, site: str
) -> None:
    page.goto(f"{site}#/code")
    page.keyboard.type("001111")
    page.keyboard.press("Enter")
    row = page.locator(".guess .open")
    row.press("Enter")
    page.locator("dialog .buttons button").nth(1).press("Enter")
    expect(page.locator("dialog")).to_have_count(0)
    expect(row).to_be_focused()
    row.press("Enter")
    page.locator("dialog .buttons button").last.press("Enter")  # the row itself is taken away
    expect(page.locator(".guess")).to_have_count(0)
    expect(page.locator("main")).to_be_focused()


def test_removed_row_leaves_the_focus_in_the_dialog(page: Page, site: str) -> None:
    page.goto(f"{site}#/code")
    page.get_by_role("button", name="Menu").click()
    page.locator("dialog").get_by_text("Saved positions", exact=True).click()
    page.get_by_role("button", name="Save", exact=True).click()
    page.get_by_role("button", name=re.compile("^Remove: ")).press("Enter")
    expect(page.get_by_text("Nothing saved yet.")).to_be_visible()
    page.wait_for_function(INSIDE)


def test_hint_keeps_the_focus_in_its_card_and_is_announced(page: Page, site: str) -> None:
    page.goto(f"{site}#/mines")
    hint = page.locator("[data-part=hint]")
    hint.focus()
    for _ in range(2):
        page.keyboard.press("Enter")
        expect(page.locator(".hint-text")).to_be_visible()
        expect(hint).to_be_focused()
    expect(page.locator("#live")).to_contain_text("It is outlined")
    hide = page.get_by_role("button", name="Hide the hint")
    hide.press("Enter")
    expect(hide).to_have_count(0)
    expect(page.locator("section", has=hint).last).to_be_focused()


def test_sudoku_board_is_readable_cell_by_cell(page: Page, site: str) -> None:
    page.goto(f"{site}#/sudoku")
    board = page.get_by_role("grid", name="First board")
    board.focus()
    page.keyboard.press("5")
    expect(board.get_by_role("row")).to_have_count(9)
    expect(board.get_by_role("gridcell")).to_have_count(81)
    cell = board.get_by_role("gridcell", name="row 1, column 1: 5 given", exact=True)
    expect(cell).to_have_attribute("aria-selected", "true")
    page.keyboard.press("ArrowRight")
    current = page.locator(f"#{board.get_attribute('aria-activedescendant')}")
    expect(current).to_have_accessible_name("row 1, column 2: blank")
    board.get_by_role("gridcell", name="row 3, column 4: blank").dispatch_event("click")
    expect(board).to_have_attribute("aria-activedescendant", "board-0-21")


def test_unit_of_the_advice_opens_the_glossary_and_links_to_the_theory(
    page: Page, site: str
) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(site + encode(Position(Rules(5, 8))))  # too many codes to rank by guesses
    term = page.get_by_role("button", name="What does “bits” mean?")
    expect(term).to_be_visible()
    term.focus()
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog", name="Bits")
    expect(dialog.get_by_text("One bit halves the possibilities")).to_be_visible()
    expect(dialog.get_by_text("32 letters can be written with 5 binary digits")).to_be_visible()
    assert violations(page) == []
    dialog.get_by_role("button", name="Split").click()
    expect(page.get_by_role("dialog", name="Split")).to_be_visible()
    page.keyboard.press("5")  # the desk behind must not take keys
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.locator(".guess")).to_have_count(0)
    expect(term).to_be_focused()
    term.click()
    with page.context.expect_page() as opened:
        page.get_by_role("link", name="More about this").click()
    expect(opened.value.get_by_role("heading", name="Information and bits")).to_be_visible()
    page.goto(f"{site}docs/glossary.html#minlex")
    expect(page.locator("#minlex")).to_be_in_viewport()
