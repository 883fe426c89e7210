"""Whole games on a wide screen: what is pressed lies in the window, unscrolled."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from browser import WIDE
from cluewise.desks.scan.position import Position
from cluewise.desks.scan.regions import by_id
from cluewise.links import encode
from minefields import FIELDS, cleared_by_mouse, field
from presses import Mouse, part
from rack_page import cut_down
from sampling import sample
from states import show
from test_bar import WHOLE_SCANS, advised_guess, answer, answer_key
from test_scan import best_tile, left, pulse, remaining


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
    expect(wide.get_by_role("button", name="Practise")).to_be_visible()
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


def test_scans_are_played_on_a_wide_screen_without_scrolling(wide: Page) -> None:
    for number, goal in sample(WHOLE_SCANS, 3, kind="whole games"):
        region = by_id()[number]
        wide.evaluate("(hash) => { location.hash = hash }", encode(Position(region=number)))
        expect(wide.get_by_role("heading", level=1)).to_have_text(re.compile(region.name[1:]))
        seen: list[tuple[tuple[int, int], int]] = []
        mouse = Mouse(wide)
        while len(few := remaining(seen, number)) > 1:
            left(wide, len(few))
            if seen and seen[-1][1] == 3:
                mouse.tap(
                    wide.get_by_role("button", name=f"The arrow shows spot {goal + 1}", exact=True)
                )
                break
            answers = wide.locator(".options:not(.stale) .reason .answer")
            expect(answers).to_have_count(3)
            tile = best_tile(wide)
            heard = pulse(tile, region.spots[goal], region.range)
            mouse.tap(answers.nth(heard - 1))
            seen.append((tile, heard))
        expect(wide.get_by_text(f"Only spot {goal + 1} is left.")).to_be_visible()
        mouse.done(f"scan, {region.name}")
