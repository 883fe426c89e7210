"""The colours of pictures: the small ones at home, and those that are saved as files."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Download, Page, expect

from browser import PHONE, example
from cluewise import desks
from presses import Thumb, in_sight, part
from states import settled
from sudoku_photos import PUZZLE

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


def test_pictures_at_home_have_the_colours_of_their_desks(page: Page, site: str) -> None:
    page.goto(site)
    expect(page.locator(".mini svg")).to_have_count(len(desks.available()))
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)
        assert page.evaluate(UNDRESSED, ".mini") == []


# The scan desk's canvas is saved as it is; the other boards are drawn anew for the file.
def test_saved_picture_has_the_colours_of_its_desk(page: Page, site: str, tmp_path: Path) -> None:
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


def add_row(page: Page, thumb: Thumb) -> None:
    """0011 with one peg in place and one elsewhere."""
    for colour in (0, 0, 1, 1):
        thumb.tap(page.locator(".palette .peg").nth(colour))
    thumb.tap(page.get_by_role("button", name=re.compile("^1 in place, 1 elsewhere")))


def enter_wires(page: Page, thumb: Thumb) -> None:
    """Six wires of one's own, which are not counted."""
    thumb.act("Enter them")
    for value in "123456":
        thumb.press(*in_sight(page, page.get_by_role("button", name=value, exact=True)))


def scan_there(page: Page, thumb: Thumb) -> None:
    """A page address, and what it shows."""
    thumb.tap(page.get_by_role("button", name="Where did you arrive?"))
    thumb.tap(page.locator("dialog").get_by_role("button", name="Cabbage field"))
    thumb.tap(page.get_by_role("button", name=re.compile("^single")).last)


# A game, the presses after "Open" or after the card of the desk, and the text of the bar then.
FIRST_ANSWERS = {
    "code, pasted": ("0011 1A1B", None, "3.45 guesses"),
    "code, entered": ("", add_row, "3.45 guesses"),
    "rack, pasted": (
        "?1 ?2 ?3 ?4 ?5 ?6\n1 ? ? ? ? 6\n1 ? ? ? ? 6\n? ? ? ? ? ?",
        lambda page, thumb: thumb.tap(page.get_by_role("button", name="Use these stands")),
        "no red",
    ),
    "rack, entered": ("", enter_wires, "settled"),
    "scan, entered": ("", scan_there, "s to the spot"),
    "scan, pasted": ("2990 3390\n3006 3390\n2996 3412\n3020 3380", None, "s to the spot"),
    "mines, pasted": ("???\n?2?\n1?1", lambda _, thumb: thumb.act("Hint"), "a certain move"),
    "mines, entered": ("", lambda _, thumb: thumb.act("Hint"), "a certain move"),
    "sudoku, pasted": (f"{PUZZLE}\n{PUZZLE[::-1]}", None, "The same"),
}
# Terms that the page shows, and those it does not explain; the bar's are explained in its sheet.
UNEXPLAINED = """async () => {
  const { phrases, glossary } = await import(new URL("strings-glossary.js", document.baseURI));
  const desk = document.getElementById("desk");
  const explained = [...desk.querySelectorAll(".term")].map((one) => one.title).join(" ");
  const seen = [...desk.children].filter((one) => !one.matches(".advice-bar"))
    .map((one) => one.innerText).join(" ");
  const met = phrases.filter(([pattern]) => pattern.test(seen)).map(([, id]) => glossary[id].name);
  return [met, met.filter((name) => !explained.includes(name))];
}"""


@pytest.mark.sampled(3)
@pytest.mark.parametrize("way", FIRST_ANSWERS)
def test_first_answer_about_a_players_game_takes_at_most_six_taps(
    watched: Callable[..., Page], site: str, way: str
) -> None:
    page = watched(site, **PHONE, reduced_motion="reduce")
    expect(page.locator(".mini svg")).to_have_count(len(desks.available()))
    desk = way.split(",")[0]
    game, further, answer = FIRST_ANSWERS[way]
    opener = page.get_by_role("button", name="Open", exact=True)
    if game:
        opener.scroll_into_view_if_needed()
    thumb = Thumb(page)
    begun = page.evaluate("performance.now()")
    if game:
        thumb.tap(page.get_by_role("textbox"))
        page.keyboard.insert_text(game)
    thumb.tap(opener if game else page.locator(f'.desk-door[href="#/{desk}"]'))
    expect(page.locator("#desk")).to_have_attribute("data-desk", desk)
    if further:
        further(page, thumb)
    expect(part(page, "advice")).to_contain_text(answer)
    seconds = (page.evaluate("performance.now()") - begun) / 1000
    scrolls = page.evaluate("scrolls")
    settled(page)
    met, unexplained = page.evaluate(UNEXPLAINED)
    print(f"\n{way}: {thumb.taps} taps, {seconds:.1f} s, {scrolls} scrolls, terms: {met}")
    assert thumb.taps <= 6
    assert unexplained == []
