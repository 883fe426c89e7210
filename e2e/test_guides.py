"""Every step of the guides works on the page as it is, and the guides show all its pictures.

The steps are one script for the pictures and for their test.
"""

import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from browser import box_of, example, measured

DOCS = Path(__file__).resolve().parents[1] / "web" / "docs"
PICTURES = DOCS / "pictures"
PHONE = {"viewport": {"width": 390, "height": 760}, "device_scale_factor": 2, "has_touch": True}
WRITE = os.environ.get("CLUEWISE_PICTURES") == "1"

# What stands round the desk: shown again with "".
FRAME = """(display) => {
  for (const one of document.querySelectorAll("#top, #bottom")) one.style.display = display;
}"""
BAR = """(seen) => {
  for (const one of document.querySelectorAll(".advice-bar, .notice")) one.style.visibility = seen;
}"""


@dataclass(frozen=True)
class Picture:
    """`name` of the file; `steps` on the page so far; the part to show, cut at `tallest` pixels."""

    name: str
    steps: Callable[[Page], None]
    part: str
    tallest: int = 620


def button(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=name, exact=True)


def advised(page: Page) -> None:
    expect(page.locator(".options:not(.stale) .option").first).to_be_visible()


def code_row(page: Page) -> None:
    for symbol in "0011":
        button(page, f"Colour {symbol}").click()


def code_advice(page: Page) -> None:
    page.get_by_role("button", name="1 in place, 1 elsewhere").click()
    expect(page.locator(".left-box:not(.stale) .left b")).to_have_text("208")
    advised(page)


def code_doubt(page: Page) -> None:
    example(page, "code", "A contradiction")
    expect(page.get_by_role("heading", name="These rows cannot all be right")).to_be_visible()


def rack_token(page: Page) -> None:
    example(page, "rack", "Which wire to show")
    button(page, "Indicate").first.click()
    advised(page)


def rack_cut(page: Page) -> None:
    example(page, "rack", "Mid-game with yellow and red")
    button(page, "Cut").first.click()
    advised(page)


def rack_doubt(page: Page) -> None:
    example(page, "rack", "Five 7s")
    expect(page.locator(".note.risk").first).to_be_visible()


def scan_map(page: Page) -> None:
    example(page, "scan", "Falador")
    advised(page)


def scan_stand(page: Page) -> None:
    page.locator(".answer-button").nth(1).click()
    expect(page.locator(".answer-button").nth(1)).to_be_visible()
    advised(page)


def scan_doubt(page: Page) -> None:
    example(page, "scan", "Two pulses that cannot both be true")
    expect(page.get_by_role("heading", name="No spot fits all entries")).to_be_visible()


def mines_board(page: Page) -> None:
    expect(page.locator("[data-cell]").first).to_be_visible()
    button(page, "Is there a move?").click()
    expect(page.locator(".hint-text")).to_be_visible()


def mines_hint(page: Page) -> None:
    for name in ("Where is it?", "Which clues?", "What is it, and why?"):
        button(page, name).click()
    expect(page.locator(".hint-text")).to_be_visible()


def mines_parity(page: Page) -> None:
    example(page, "mines", "Parity")
    button(page, "Show every cell's chance").click()
    expect(button(page, "Hide the chances")).to_be_visible()


def sudoku_boards(page: Page) -> None:
    example(page, "sudoku", "One puzzle in disguise")
    expect(page.locator(".answer-word")).to_have_text("The same")


def sudoku_steps(page: Page) -> None:
    for _ in range(3):
        page.get_by_role("button", name="Step forward").click()
    expect(page.locator(".step.done")).to_have_count(3)


def sudoku_different(page: Page) -> None:
    example(page, "sudoku", "Equal tables, different grids")
    expect(page.locator(".answer-word")).to_have_text("Different")


GUIDES: dict[str, list[Picture]] = {
    "code": [
        Picture("row", code_row, ".code-desk > .stack", 500),
        Picture("advice", code_advice, ".options", 700),
        Picture("doubt", code_doubt, ".note.risk"),
    ],
    "rack": [
        Picture("token", rack_token, ".options", 420),
        Picture("cut", rack_cut, ".options", 420),
        Picture("board", lambda page: None, ".desk", 334),
        Picture("doubt", rack_doubt, ".note.risk"),
    ],
    "scan": [
        Picture("map", scan_map, "canvas", 480),
        Picture("next", scan_stand, ".options", 420),
        Picture("doubt", scan_doubt, ".note.risk"),
    ],
    "mines": [
        Picture("board", mines_board, ".mines-desk .board-side", 560),
        Picture("hint", mines_hint, ".mines-desk .side .card"),
        Picture("chances", mines_parity, ".mines-desk .board-side", 520),
    ],
    "sudoku": [
        Picture("board", sudoku_boards, ".boards", 460),
        Picture("steps", sudoku_steps, ".card:has(.answer-word)", 560),
        Picture("different", sudoku_different, ".card:has(.answer-word)", 560),
    ],
}


def take(page: Page, desk: str, picture: Picture) -> None:
    """The part as it stands, without the frame around the desk."""
    part = page.locator(picture.part).first
    expect(part).to_be_visible()
    box = box_of(part)
    assert box["width"] > 100
    assert box["height"] > 40
    if not WRITE:
        return
    measured(page)
    place = part.evaluate(
        "e => { const r = e.getBoundingClientRect();"
        " return [r.x + scrollX, r.y + scrollY, r.width, r.height]; }"
    )
    x, y, width, height = place
    left, top = max(0, x - 10), max(0, y - 10)
    clip = {
        "x": left,
        "y": top,
        "width": min(390 - left, width + 20),
        "height": min(picture.tallest, height + 20),
    }
    PICTURES.mkdir(exist_ok=True)
    page.evaluate(BAR, "hidden")
    page.screenshot(
        path=PICTURES / f"{desk}-{picture.name}.png",
        full_page=True,
        clip=clip,  # type: ignore[arg-type]  # four floats
        animations="disabled",
    )
    page.evaluate(BAR, "")


@pytest.mark.sampled(3)
@pytest.mark.parametrize("desk", GUIDES)
def test_steps_of_a_guide_can_be_followed(
    watched: Callable[..., Page], site: str, desk: str
) -> None:
    page = watched(f"{site}#/{desk}", **PHONE, color_scheme="light")
    page.evaluate(FRAME, "none")  # no header in the pictures
    expect(page.locator("#desk h1").first).to_be_visible()
    for picture in GUIDES[desk]:
        picture.steps(page)
        take(page, desk, picture)


def test_guide_shows_all_its_pictures() -> None:
    for desk, pictures in GUIDES.items():
        text = (DOCS / "pages" / f"guide-{desk}.html").read_text()
        shown = re.findall(r'src="pictures/([\w-]+)\.png"', text)
        assert shown == [name for name in shown if (PICTURES / f"{name}.png").exists()]
        assert sorted(shown) == sorted(f"{desk}-{picture.name}" for picture in pictures)
