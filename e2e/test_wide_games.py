"""Whole games on a wide screen: what is pressed lies in the window, unscrolled."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from browser import WIDE
from minefields import FIELDS, cleared_by_mouse, field
from presses import Mouse, part
from rack_page import cut_down
from states import show
from test_bar import advised_guess, answer, answer_key


@pytest.fixture
def wide(watched: Callable[..., Page], site: str) -> Page:
    page = watched(site, **WIDE, reduced_motion="reduce")
    expect(page.locator("h1").first).to_be_visible()
    return page


def test_a_code_is_broken_on_a_wide_screen_without_scrolling(wide: Page) -> None:
    show(wide, "code", "empty")
    mouse = Mouse(wide)
    for row in range(8):
        exact, partial = answer(advised_guess(wide), "3025")
        mouse.tap(answer_key(wide, exact, partial))
        expect(wide.locator(".guess")).to_have_count(row + 1)
        if exact == 4:
            break
    expect(wide.get_by_text("The code is 3025")).to_be_visible()
    expect(part(wide, "advice")).to_be_hidden()  # the bar is a phone's
    mouse.done("code")


@pytest.mark.sampled(6, of="minefields")
@pytest.mark.parametrize("name", FIELDS)
def test_a_minefield_is_cleared_on_a_wide_screen_without_scrolling(wide: Page, name: str) -> None:
    field(wide, name)
    mouse = Mouse(wide)
    cleared_by_mouse(mouse, name)
    mouse.done(name)


def test_a_rack_is_cut_down_on_a_wide_screen_without_scrolling(wide: Page, site: str) -> None:
    wide.goto(site + "#/rack")
    expect(wide.get_by_role("button", name="Table", exact=True)).to_be_visible()
    mouse = Mouse(wide)
    cut_down(wide, mouse.tap)
    mouse.unscrolled()  # every deal is another one: the presses are not kept


def test_a_disguise_is_undone_on_a_wide_screen_without_scrolling(wide: Page) -> None:
    show(wide, "sudoku", "done")
    mouse = Mouse(wide)
    steps = wide.locator(".steps li").count()
    for n in range(steps):
        mouse.tap(wide.get_by_role("button", name="Step forward"))
        expect(wide.locator(".step.done")).to_have_count(n + 1)
    mouse.done("sudoku")
