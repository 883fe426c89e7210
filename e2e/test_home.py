"""The colours of pictures: the small ones at home, and those that are saved as files."""

from pathlib import Path

from playwright.sync_api import Download, Page, expect

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


def test_the_small_pictures_have_the_colours_of_their_desks(page: Page, site: str) -> None:
    page.goto(site)
    expect(page.locator(".mini svg")).to_have_count(len(desks.available()))
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)
        assert page.evaluate(UNDRESSED, ".mini") == []


# The scan desk's canvas is saved as it is; the other boards are drawn anew for the file.
def test_a_saved_picture_has_the_colours_of_its_desk(page: Page, site: str, tmp_path: Path) -> None:
    files: list[Download] = []
    page.on("download", lambda file: files.append(file))
    for desk, title in EXAMPLES.items():
        page.goto(f"{site}#/{desk}")
        example(page, desk, title)
        files.clear()
        page.get_by_role("button", name="Share", exact=True).click()
        with page.expect_event("download", lambda _: len(files) == 2):
            page.locator("dialog").get_by_text("Save a picture", exact=True).click()
        drawn, painted = sorted(files, key=lambda one: one.suggested_filename, reverse=True)
        assert [one.suggested_filename[-4:] for one in (drawn, painted)] == [".svg", ".png"]
        drawn.save_as(tmp_path / "board.svg")
        page.evaluate(BACK_ON_THE_PAGE, (tmp_path / "board.svg").read_text())
        assert page.locator("#file svg *").count() > 10
        assert page.evaluate(UNDRESSED, "#file") == []
        page.evaluate("() => document.getElementById('file').remove()")
