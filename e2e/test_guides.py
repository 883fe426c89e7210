"""Every step of the guides works on the page as it is, and the guides show all its pictures."""

import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from browser import box_of, measured
from guides import GUIDES, PHONE, Picture

DOCS = Path(__file__).resolve().parents[1] / "web" / "docs"
PICTURES = DOCS / "pictures"
WRITE = os.environ.get("CLUEWISE_PICTURES") == "1"

# What stands round the desk: shown again with "".
FRAME = """(display) => {
  for (const one of document.querySelectorAll("#top, #bottom")) one.style.display = display;
}"""
BAR = """(seen) => {
  for (const one of document.querySelectorAll(".advice-bar, .notice")) one.style.visibility = seen;
}"""


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
def test_a_guide_can_be_followed(watched: Callable[..., Page], site: str, desk: str) -> None:
    page = watched(f"{site}#/{desk}", **PHONE, color_scheme="light")
    page.evaluate(FRAME, "none")  # no header in the pictures
    expect(page.locator("#desk h1").first).to_be_visible()
    for picture in GUIDES[desk]:
        picture.steps(page)
        take(page, desk, picture)


def test_a_guide_shows_the_pictures_there_are() -> None:
    for desk, pictures in GUIDES.items():
        text = (DOCS / "pages" / f"guide-{desk}.html").read_text()
        shown = re.findall(r'src="pictures/([\w-]+)\.png"', text)
        assert shown == [name for name in shown if (PICTURES / f"{name}.png").exists()]
        assert sorted(shown) == sorted(f"{desk}-{picture.name}" for picture in pictures)
