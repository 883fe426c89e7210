"""The number of a grid on the page: shown, typed, stepped through, fetched when first asked."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from cluewise import links, run
from cluewise.desks.sudoku.position import Position

LAST = "123456789457893612986217354274538196531964827698721435342685971715349268869172543"
OF = "5 472 730 538".replace(" ", "\u00a0")


def test_the_number_of_a_grid_is_shown_and_its_table_fetched_when_it_is_asked_for(
    page: Page, site: str
) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(site + links.encode(Position(grids=(LAST,))))
    expect(page.locator(".form-text").first).to_have_text(LAST)
    assert not any("numbers.bin" in url for url in asked)
    page.get_by_text("The number of a grid", exact=True).click()
    expect(page.locator(".number")).to_have_text(OF)
    expect(page.locator(".identity")).to_contain_text("72 transforms take it to itself")
    expect(page.locator(".identity")).to_contain_text("rspzfgc-aaaaaaaaa")
    expect(page.locator(".fold-body")).to_contain_text("0 of four cells and 66 of six")
    expect(page.locator(".fold-body .grid-mark.moved")).to_have_count(6)
    page.get_by_role("button", name="The next set").click()
    expect(page.locator(".fold-body .counter")).to_have_text("2 of 66")
    page.get_by_role("button", name="The next grid").is_disabled()
    page.get_by_role("button", name="The grid before it").click()
    expect(page.locator(".number")).to_have_text(OF.replace("538", "537"))


def test_a_typed_number_opens_its_grid_and_arrows_step_without_a_gap(page: Page, site: str) -> None:
    page.goto(site + "#/sudoku")
    page.get_by_text("The number of a grid", exact=True).click()
    page.get_by_label("A number, or an address").fill("1 234 567 890")
    page.get_by_role("button", name="Open it").click()
    expect(page.locator(".number")).to_have_text("1 234 567 890".replace(" ", "\u00a0"))
    for k in range(1, 4):
        page.get_by_role("button", name="The next grid").click()
        expect(page.locator(".number")).to_have_text(f"1 234 567 89{k}".replace(" ", "\u00a0"))
    page.keyboard.press("Control+z")
    expect(page.locator(".number")).to_have_text("1 234 567 892".replace(" ", "\u00a0"))


def test_a_number_that_no_grid_has_is_said_in_words(page: Page, site: str) -> None:
    page.goto(site + "#/sudoku")
    page.get_by_text("The number of a grid", exact=True).click()
    page.get_by_label("A number, or an address").fill("5472730539")
    page.get_by_role("button", name="Open it").click()
    expect(page.locator(".fold-body .note")).to_contain_text("Grids have the numbers 1 to")
    page.get_by_role("button", name="A random one").click()
    expect(page.locator(".number")).to_be_visible()


SCRAMBLED = "645729183172438596893516742456187329387294651921365478539841267264973815718652934"
NUMBER = {"desk": "sudoku", "want": "number", "position": {"grids": [SCRAMBLED]}}


def test_a_link_of_seven_letters_opens_its_grid(page: Page, site: str) -> None:
    page.goto(site + "#/sudoku/rspzfgc")
    expect(page.locator(".form-text").first).to_have_text(LAST)
    expect(page).to_have_url(re.compile("#/sudoku/1/"))
    page.goto(site + "#/sudoku/zzzzzzz")
    expect(page.locator(".notice.risk")).to_contain_text("Grids have the numbers 1 to")
    expect(page.locator(".form-text").first).to_have_text(LAST)


def test_a_typed_address_brings_the_very_board_back(page: Page, site: str) -> None:
    address = run(NUMBER)["address"]
    page.goto(site + "#/sudoku")
    page.get_by_text("The number of a grid", exact=True).click()
    expect(page.locator(".fold-body")).to_contain_text("each with the same chance")
    page.get_by_label("A number, or an address").fill(address)
    page.get_by_role("button", name="Open it").click()
    expect(page.locator(".identity")).to_contain_text(address)
    expect(page.locator(".number")).to_have_text(
        f"{run(NUMBER)['number']:,}".replace(",", "\u00a0")
    )
    text = links.encode(Position(grids=(SCRAMBLED,)))
    expect(page).to_have_url(re.compile(re.escape(text)))
