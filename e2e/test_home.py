"""Pictures beside the boards themselves: five small ones at home, and those saved as files."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from cluewise import desks
from guides import example

# What a shape would be filled with if no sheet said anything: black, which no token is.
UNDRESSED = """(place) => [...document.querySelectorAll(`${place} svg *`)]
  .filter((e) => e instanceof SVGGeometryElement || (e.matches("text") && e.textContent.trim()))
  .filter((e) => getComputedStyle(e).fill === "rgb(0, 0, 0)")
  .map((e) => e.outerHTML)"""
BACK_ON_THE_PAGE = """(text) => {
  const file = new DOMParser().parseFromString(text, "image/svg+xml");
  const box = document.createElement("div");
  box.id = "file";
  box.append(file.documentElement);
  document.body.append(box);
}"""
EXAMPLES = {
    "code": "A contradiction",
    "rack": "Mid-game with yellow and red",
    "mines": "Parity",
    "sudoku": "One puzzle in disguise",
}


def at_home(page: Page, site: str) -> None:
    page.goto(site)
    expect(page.locator(".mini svg")).to_have_count(len(desks.available()))


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_small_pictures_have_the_colours_of_their_desks(
    page: Page, site: str, theme: str
) -> None:
    page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]  # both are its names
    at_home(page, site)
    assert page.evaluate(UNDRESSED, ".mini") == []


def test_every_desk_has_a_picture_a_question_and_two_examples(page: Page, site: str) -> None:
    at_home(page, site)
    cards = page.locator(".cards > li")
    expect(cards).to_have_count(len(desks.available()))
    for card in cards.all():
        expect(card.locator(".mini svg")).to_be_visible()
        expect(card.locator(".asks")).to_contain_text("?")
        expect(card.locator(".examples button")).to_have_count(2)
        assert card.locator(".mini svg *").count() > 10, "a picture of a real position has parts"
    expect(page.get_by_role("textbox", name="Paste anything")).to_be_visible()
    expect(page.locator(".home").get_by_role("link", name="Guide")).to_be_visible()
    assert page.locator(".home button").count() == 2 * len(desks.available()) + 1


def test_an_example_at_home_opens_its_position(page: Page, site: str) -> None:
    at_home(page, site)
    page.locator(".examples [data-desk=rack]").first.click()
    expect(page.locator("#desk[data-desk=rack] .tile").first).to_contain_text("1")
    page.get_by_role("link", name="Cluewise", exact=True).click()
    expect(page.get_by_role("link", name="Go on where you were: Rack")).to_be_in_viewport()


# A canvas is saved as it is; the other boards are drawn anew for the file.
@pytest.mark.parametrize("desk", ["code", "rack", "mines", "sudoku"])
def test_a_saved_picture_has_the_colours_of_its_desk(
    page: Page, site: str, tmp_path: Path, desk: str
) -> None:
    page.goto(f"{site}#/{desk}")
    example(page, desk, EXAMPLES[desk])
    page.get_by_role("button", name="Menu").click()
    with page.expect_download(lambda file: file.suggested_filename.endswith(".svg")) as waiting:
        page.locator("dialog").get_by_text("Save a picture", exact=True).click()
    file = tmp_path / "board.svg"
    waiting.value.save_as(file)
    page.evaluate(BACK_ON_THE_PAGE, file.read_text())
    assert page.locator("#file svg *").count() > 10
    assert page.evaluate(UNDRESSED, "#file") == []
