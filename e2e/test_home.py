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
