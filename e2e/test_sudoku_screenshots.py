"""This product's own desk as screenshots: what stands on it is read back from the picture."""

import io
from collections.abc import Callable
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from cluewise import links, service
from cluewise.core.work import finish
from cluewise.desks.sudoku.ocr.read import read
from cluewise.desks.sudoku.position import Position, write_cells
from cluewise.pictures.files import LONGER
from cluewise.pictures.image import Image as Pixels
from states import settled

DEVICES: dict[str, dict[str, Any]] = {
    "phone": {"viewport": {"width": 390, "height": 844}, "device_scale_factor": 3},
    "desktop": {"viewport": {"width": 1440, "height": 900}},
}
CLUES = {(2, 2): 6, (2, 3): 14, (3, 2): 14, (3, 3): 27, (3, 4): 66, (4, 3): 66, (4, 4): 130}


def puzzle(box: tuple[int, int]) -> str:
    """A puzzle with one solution and about as many givens as published ones have."""
    request = {"desk": "sudoku", "want": "puzzle", "position": {"box": list(box)},
               "options": {"seed": 1, "clues": CLUES[box]}}  # fmt: skip
    return str(service.run(request)["puzzle"])


def seen(shot: bytes) -> str:
    picture = Image.open(io.BytesIO(shot)).convert("RGB")
    picture.thumbnail((LONGER, LONGER))
    found = finish(read(Pixels(picture.tobytes(), *picture.size)))
    return write_cells(found.decoded.cells) if found else ""


def missed(page: Page, site: str, palette: str, boxes: list[tuple[int, int]]) -> list[Any]:
    """What was not read of those boards in that palette, light and dark."""
    out = []
    page.evaluate("name => localStorage.setItem('cluewise.palette', name)", palette)
    for box in boxes:
        board = puzzle(box)
        page.goto(site + links.encode(Position(box=box, grids=(board,))))
        page.reload()
        givens = sum(symbol != "." for symbol in board)
        expect(page.locator("#desk .grid-box").first.locator("text")).to_have_count(givens)
        settled(page)
        for theme in ("light", "dark"):
            page.emulate_media(color_scheme=theme)
            if seen(page.screenshot(animations="disabled")) != board:
                out.append((palette, box, theme))
    return out


@pytest.mark.parametrize("screen", DEVICES)
def test_a_screenshot_of_the_desk_is_read(
    watched: Callable[..., Page], site: str, screen: str
) -> None:
    page = watched(site, reduced_motion="reduce", **DEVICES[screen])
    assert missed(page, site, "", [(3, 3)]) == []


@pytest.mark.long
@pytest.mark.parametrize("palette", ["", "clear"])
@pytest.mark.parametrize("screen", DEVICES)
def test_a_screenshot_of_the_desk_is_read_in_every_theme_palette_and_size(
    watched: Callable[..., Page], site: str, screen: str, palette: str
) -> None:
    page = watched(site, reduced_motion="reduce", **DEVICES[screen])
    assert missed(page, site, palette, list(CLUES)) == []
