"""A screenshot of a mine board on the page: read, an unclear cell corrected, taken."""

import io
from typing import Any

import pytest
from PIL import ImageDraw
from playwright.sync_api import Page, expect

from browser import WAIT
from cluewise import links
from cluewise.desks.mines.position import Group, Position, Revealed
from reference.mines_pictures import drawn

BOARD = Position(
    neighbours=((1, 3, 4), (0, 2, 3, 4), (1, 4), (0, 1, 4), (0, 1, 2, 3)),
    pos=((0, 0), (1, 0), (2, 0), (0, 1), (1, 1)),
    groups=(Group((0, 1, 2), 1, "row"), Group((1, 4), 1, "column")),
    revealed=(Revealed(0, 1), Revealed(4, 1)),
    flags=(1,),
)


def screenshot() -> bytes:
    """The board as a PNG on which the number of the first cell is not seen."""
    picture = drawn(BOARD, "game", 48)
    ImageDraw.Draw(picture).rectangle((86, 86, 110, 110), (51, 51, 51))
    file = io.BytesIO()
    picture.save(file, "PNG")
    return file.getvalue()


@pytest.mark.own_worker
def test_a_screenshot_is_compared_corrected_and_taken(page: Page, site: str) -> None:
    page.goto(site + "#/mines")
    page.get_by_role("button", name="Puzzles").click()
    page.get_by_role("button", name="Open and rate").click()
    shot: Any = {"name": "shot.png", "mimeType": "image/png", "buffer": screenshot()}
    page.get_by_label("Read a screenshot").set_input_files([shot])
    expect(page.locator(".shot-board .cell")).to_have_count(5, timeout=3 * WAIT)
    expect(page.locator(".shot-picture circle")).to_have_count(1)
    page.get_by_role("combobox", name="A1").select_option("1")
    expect(page.locator(".shot .good").first).to_be_visible()
    page.get_by_role("button", name="Use this board").click()
    expect(page.locator("html")).to_have_attribute("data-address", "current")
    taken = links.decode(page.url.partition("#")[2])
    assert isinstance(taken, Position)
    assert (taken.revealed, taken.flags) == (BOARD.revealed, BOARD.flags)
    assert [(g.cells, g.count) for g in taken.groups] == [(g.cells, g.count) for g in BOARD.groups]
