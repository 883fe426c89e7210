"""Counts presses: a thumb on a phone, a mouse on a wide screen, and the kept number of each game.

    thumb = Thumb(page)           counts from here; every scroll of the page is noted
    thumb.tap(button)             presses what lies in the window with nothing over it
    thumb.done("code")            nothing was scrolled, and no more was pressed than is kept

The numbers stand in presses.json. More presses than that fail the test. Fewer are good news: run
with CLUEWISE_PRESSES=1 and the file has them; what a change costs a player is in its diff.
"""

import fcntl
import json
import os
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from browser import PHONE, WIDE, box_of

KEPT = Path(__file__).resolve().parent / "presses.json"
NOTE = "() => { globalThis.scrolls = 0; addEventListener('scroll', () => { scrolls += 1 }) }"


def part(page: Page, name: str) -> Locator:
    return page.locator(f"[data-part={name}]")


def in_sight(page: Page, thing: Locator) -> tuple[float, float]:
    """Return the middle of an element that lies in the window with nothing over it."""
    box = box_of(thing)
    assert box["y"] >= 0, box
    assert box["y"] + box["height"] <= page.evaluate("innerHeight"), box
    assert box["hit"], "something lies over it"
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


class Thumb:
    """Presses what lies in the window, and counts."""

    where = "390×844"
    view = PHONE

    def __init__(self, page: Page) -> None:
        self.page = page
        self.taps = 0
        page.evaluate(NOTE)

    def press(self, x: float, y: float) -> None:
        self.page.touchscreen.tap(x, y)

    def tap(self, thing: Locator) -> None:
        expect(thing).to_be_enabled()
        self.press(*in_sight(self.page, thing))
        self.taps += 1

    def act(self, label: str) -> None:
        button = part(self.page, "act")
        expect(button).to_have_text(label)
        self.tap(button)

    def done(self, game: str) -> None:
        """Nothing was scrolled, and the game took no more presses than it did."""
        self.unscrolled()
        compared(f"{game}, {self.where}", self.taps)

    def unscrolled(self) -> None:
        """Nothing was scrolled."""
        assert self.page.evaluate("[scrolls, scrollY]") == [0, 0]


class Mouse(Thumb):
    """The same on a wide screen."""

    where = "1440×900"
    view = WIDE

    def press(self, x: float, y: float) -> None:
        self.page.mouse.click(x, y)


def compared(game: str, presses: int) -> None:
    """AssertionError where a game takes more presses than is kept, or is not kept at all."""
    kept: dict[str, int] = json.loads(KEPT.read_text())
    print(f"\n{game}: {presses} presses, no scrolling; kept: {kept.get(game)}")
    if os.environ.get("CLUEWISE_PRESSES"):
        _keep(game, presses)
        return
    assert game in kept, f"{game} has no number in {KEPT.name}: run with CLUEWISE_PRESSES=1"
    assert presses <= kept[game], f"{game} takes {presses} presses, it took {kept[game]}"


def _keep(game: str, presses: int) -> None:
    with KEPT.open("r+") as file:
        fcntl.flock(file, fcntl.LOCK_EX)  # several workers may be at it
        kept = {**json.loads(file.read()), game: presses}
        file.seek(0)
        file.truncate()
        file.write(json.dumps(dict(sorted(kept.items())), indent=2, ensure_ascii=False) + "\n")
