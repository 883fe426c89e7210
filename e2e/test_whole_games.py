"""A whole game on every desk, on a phone by touch alone and on a desktop by keyboard alone.

By keyboard means what a person without a mouse does: Tab until the thing has the focus, then
Enter. Games that are already played whole in a desk's own tests are not played twice: code by
keys and by touch (test_code.py), mines by touch (test_bar.py), sudoku by touch (test_sudoku.py).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

import pytest
from playwright.sync_api import Locator, Page, expect

from cluewise.desks.scan.regions import by_id
from rack_page import cut_down
from test_scan import best, best_tile, left, pulse, remaining
from test_sudoku import FIRST, SECOND, cells

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
FAR = 250  # presses of Tab within which everything must be reached


class Hand(Protocol):
    """How the game is played."""

    page: Page

    def press(self, thing: Locator) -> None:
        """Do what the button is for."""

    def enter(self, field: Locator) -> None:
        """Go into a field to type."""


class Touch:
    """A thumb."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def press(self, thing: Locator) -> None:
        thing.tap()

    def enter(self, field: Locator) -> None:
        field.tap()


class Keys:
    """A keyboard: everything is reached with Tab and done with Enter."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def press(self, thing: Locator) -> None:
        self.enter(thing)
        self.page.keyboard.press("Enter")

    def enter(self, field: Locator) -> None:
        expect(field).to_be_visible()
        for _ in range(FAR):
            if field.evaluate("e => e === document.activeElement"):
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"{field} is not reached by {FAR} presses of Tab")


@pytest.fixture(params=["touch", "keys"])
def hand(request: Any, watched: Callable[..., Page], site: str) -> Hand:
    """A player, at the home page."""
    touch = request.param == "touch"
    page = watched(site, **(PHONE if touch else {}))
    return Touch(page) if touch else Keys(page)


def test_a_rack_is_cut_down_to_the_last_wire(hand: Hand, site: str) -> None:
    page = hand.page
    page.goto(site + "#/rack")
    cut_down(page, hand.press)


def test_a_scan_clue_is_followed_to_its_spot(hand: Hand, site: str) -> None:
    page = hand.page
    page.goto(site + "#/scan")
    spots = by_id()[364].spots
    goal = 6
    seen: list[tuple[tuple[int, int], int]] = []
    left(page, len(spots))
    while len(remaining(seen)) > 1:
        expect(best(page)).to_be_visible()
        tile = best_tile(page)
        heard = pulse(tile, spots[goal], by_id()[364].range)
        hand.press(page.locator(".reason .answer").nth(heard - 1))
        seen.append((tile, heard))
        left(page, len(remaining(seen)))
        assert len(seen) < 9
        if heard == 3:  # its arrow shows the spot
            break
    assert goal in remaining(seen)
    expect(page.locator(".entry")).to_have_count(len(seen))


def test_a_minefield_is_cleared_by_asking(watched: Callable[..., Page], site: str) -> None:
    page = watched(site + "#/mines")
    hand = Keys(page)
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    hand.press(page.get_by_role("button", name="Puzzles").first)
    hand.press(page.get_by_role("button", name="Small honeycomb", exact=False).first)
    expect(page.get_by_role("heading", level=1)).to_have_text("Small honeycomb")
    for _ in range(40):
        if page.get_by_text("Solved.").count():
            break
        for name in ("Is there a move?", "Where is it?", "Which clues?", "What is it, and why?"):
            hand.press(page.get_by_role("button", name=name))
        hand.press(page.locator(".mines-desk .card .main"))
        expect(page.locator(".told")).to_have_count(0)
    expect(page.get_by_text("Not one mine was opened.")).to_be_visible()


def test_a_disguise_is_undone_step_by_step(hand: Hand, site: str) -> None:
    page = hand.page
    page.goto(site + "#/sudoku")
    hand.press(page.get_by_role("button", name="Paste or type boards"))
    box = page.locator("dialog textarea")
    hand.enter(box)
    page.keyboard.insert_text(f"{FIRST}\n{SECOND}\n")
    hand.press(page.get_by_role("button", name="Read this"))
    expect(page.locator(".answer-word")).to_have_text("The same")
    steps = page.locator(".steps li").count()
    for n in range(steps):
        hand.press(page.get_by_role("button", name="Step on"))
        expect(page.locator(".step.done")).to_have_count(n + 1)
    assert cells(page, 0) == SECOND
