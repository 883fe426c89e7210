"""Counts presses on a phone (`Thumb`) or a wide screen (`Mouse`), compared with stored limits.

    thumb = Thumb(page)           starts counting presses and scrolls
    thumb.tap(button)             presses an element that is fully in the window and not covered
    thumb.done("code")            asserts no scrolling and at most the stored number of presses

The limits are in presses.json. More presses fail the test. With CLUEWISE_PRESSES=1 the file is
updated; its diff shows the presses that a change costs or saves.
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
    """Return the centre of an element that must be in the window and not covered."""
    box = box_of(thing)
    assert box["y"] >= 0, box
    assert box["y"] + box["height"] <= page.evaluate("innerHeight"), box
    assert box["hit"], "it is covered"
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


class Thumb:
    """Presses elements in the window, by touch on a phone, and counts."""

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
        """Assert that nothing was scrolled and that the game took at most its stored presses."""
        self.unscrolled()
        compared(f"{game}, {self.where}", self.taps)

    def unscrolled(self) -> None:
        """Assert that nothing was scrolled."""
        assert self.page.evaluate("[scrolls, scrollY]") == [0, 0]


class Mouse(Thumb):
    """The same with a mouse on a wide screen."""

    where = "1440×900"
    view = WIDE

    def press(self, x: float, y: float) -> None:
        self.page.mouse.click(x, y)


def compared(game: str, presses: int) -> None:
    """Assert that a game takes at most its stored number of presses."""
    kept: dict[str, int] = json.loads(KEPT.read_text())
    print(f"\n{game}: {presses} presses, no scrolling; limit: {kept.get(game)}")
    if os.environ.get("CLUEWISE_PRESSES"):
        _keep(game, presses)
        return
    assert game in kept, f"{game} has no number in {KEPT.name}: run with CLUEWISE_PRESSES=1"
    assert presses <= kept[game], f"{game} takes {presses} presses, it took {kept[game]}"


def _keep(game: str, presses: int) -> None:
    with KEPT.open("r+") as file:
        fcntl.flock(file, fcntl.LOCK_EX)  # tests run in several processes
        kept = {**json.loads(file.read()), game: presses}
        file.seek(0)
        file.truncate()
        file.write(json.dumps(dict(sorted(kept.items())), indent=2, ensure_ascii=False) + "\n")
