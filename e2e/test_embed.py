"""An embedded board is looked at: what it offers works, and nothing of it changes the position."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from browser import address_of
from guides import example
from states import settled

EXAMPLES = {
    "code": ["Mastermind after 0011 1A1B", "A contradiction"],
    "rack": ["Mid-game with yellow and red", "Which wire to show"],
    "scan": ["Falador", "Two pulses that cannot both be true"],
    "mines": ["Parity", "A contradiction"],
    "sudoku": ["One puzzle in disguise", "Inkala's puzzle"],
}
# The cells of a board say "only for looking at" when pressed; they are the board itself.
CONTROLS = "#desk :is(button, input, select, textarea):visible:enabled, #desk summary:visible"
READ_ONLY = "This board is only for looking at."


@pytest.mark.parametrize(
    ("desk", "title"), [(desk, title) for desk, titles in EXAMPLES.items() for title in titles]
)
def test_an_embedded_board_offers_nothing_that_does_nothing(
    page: Page, watched: Callable[..., Page], site: str, desk: str, title: str
) -> None:
    page.goto(f"{site}#/{desk}")
    settled(page)
    example(page, desk, title)
    expect(page.locator("#desk h1").first).to_be_visible()
    fragment = address_of(page).split("#")[1]
    frame = watched(f"{site}?embed=1#{fragment}", viewport={"width": 700, "height": 600})
    settled(frame)
    expect(frame.locator(".top")).to_be_hidden()
    press_all(frame, frame.locator(CONTROLS))
    assert address_of(frame).split("#")[1] == fragment


def press_all(frame: Page, controls: Locator) -> None:
    """Every control does something: none is answered with "only for looking at"."""
    names = []
    for i in range(80):
        if i >= controls.count():
            break
        control = controls.nth(i)
        names.append(f"{control.get_attribute('class')}: {control.inner_text()[:40]!r}")
        assert control.get_attribute("type") not in ("text", "file"), names[-1]
        control.evaluate("e => e.click()")
        assert frame.locator("#live").inner_text() != READ_ONLY, names[-1]
        explanation = frame.locator("dialog.explanation")
        if explanation.count():
            explanation.evaluate("e => e.close()")
            expect(explanation).to_have_count(0)
        reasons = frame.locator("dialog:has(.sheet)")
        if reasons.count() and names[-1].startswith("bar-line"):  # only read, and pressed as well
            press_all(frame, reasons.locator(".sheet :is(button, summary):visible:enabled"))
            reasons.get_by_role("button", name="Close").click()
            expect(reasons).to_have_count(0)
        assert frame.locator("dialog:not(:has(.sheet))").count() == 0, names[-1]
