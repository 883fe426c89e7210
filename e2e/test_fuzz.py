"""Mutated links and pasted texts on the page with Python behind it: never an error or a blank.

CLUEWISE_MUTATIONS sets the size (tests/contract/fuzz.py). Without Python, in Node:
tests/contract/test_page_fuzz.py.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from browser import PASTED, measured
from cluewise import desks, links, service
from contract import fuzz, pathological

pytestmark = pytest.mark.long
EVERY = pytest.mark.parametrize("desk", desks.available())
SCRIPT = """async () => {
  const { encode } = await import(new URL("session/link.js", document.baseURI));
  const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  // Open a link as the address bar would, and let its answers come.
  globalThis.visit = async (desk, given) => {
    const text = typeof given === "string" ? given : await encode(desk, given);
    location.hash = text.replace(/^[^#]*/, "");
    await pause(200);
  };
  globalThis.bring = async (text) => {
    paste(text);
    await pause(150);
  };
  const paste = PASTED;
  // Why the page is blank or broken, or nothing.
  globalThis.blank = () => {
    const desk = document.getElementById("desk");
    if (desk.textContent.trim().length < 20) return "the desk is empty";
    const broken = /could not be drawn|undefined|NaN|\\[object/.exec(document.body.innerText);
    return broken ? `it says ${broken[0]}` : "";
  };
}""".replace("PASTED", PASTED)
WHOLE = max(fuzz.MUTATIONS // 40, 5)


def links_of(desk: str, dice: random.Random, count: int) -> list[Any]:
    """Half of them positions that the page puts into a link, half changed links."""
    read = desks.load(desk)
    whole = [links.encode(service.read_position(read, p)) for p in fuzz.BASES[desk]]
    return [
        fuzz.text(whole, dice) if dice.random() < 0.5 else fuzz.position(desk, dice)
        for _ in range(count)
    ]


@EVERY
def test_the_whole_page_stands_whatever_it_is_brought(page: Page, site: str, desk: str) -> None:
    dice = random.Random(8)
    known = fuzz.texts(desk)
    page.goto(f"{site}#/{desk}")
    expect(page.locator("#desk h1").first).to_be_visible()
    expect(page.locator(".phase")).to_have_count(0)
    page.evaluate(SCRIPT)
    for one in links_of(desk, dice, WHOLE):
        page.evaluate("x => visit(x.desk, x.link)", {"desk": desk, "link": one})
        assert page.evaluate("blank()") == "", one
        page.evaluate("text => bring(text)", fuzz.text(known, dice))
        assert page.evaluate("blank()") == "", one
        page.keyboard.press("Escape")


LENGTH = 500_000  # characters of a text that repeats one piece
FROZEN = 200  # ms of one task of the page's own thread, beyond which a key press is felt as late
REPEATED = 10**6 if fuzz.MUTATIONS >= 10_000 else 12  # texts a desk
WATCH_TASKS = """() => {
  globalThis.longest = 0;
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) longest = Math.max(longest, duration);
  }).observe({ type: "longtask" });
}"""


class Pace:
    """How long the page's own thread is busy in one piece.

    A long task's duration counts what the machine gave to others meanwhile; the thread's own clock
    does not, but only tells the sum of all tasks. Neither is less than the longest task's work, so
    the lesser of the two is a bound that holds on a busy machine as well.
    """

    def __init__(self, page: Page) -> None:
        self._page = page
        page.evaluate(WATCH_TASKS)
        self._session = page.context.new_cdp_session(page)
        self._session.send("Performance.setTimeDomain", {"timeDomain": "threadTicks"})
        self._session.send("Performance.enable")

    def worked(self) -> float:
        """The thread's own time in tasks so far, in ms."""
        metrics = self._session.send("Performance.getMetrics")["metrics"]
        return 1000 * next(float(m["value"]) for m in metrics if m["name"] == "TaskDuration")

    def of(self, run: Callable[[], object]) -> float:
        """What one run took at most in one piece, in ms."""
        self._page.evaluate("globalThis.longest = 0")
        before = self.worked()
        run()
        longest = float(self._page.evaluate("longest"))
        return min(longest, self.worked() - before)


def frozen(page: Page, pace: Pace, text: str) -> float:
    """The longest task in ms after that text was pasted, the least of three tries.

    The text is on the page before: that it came there from the test is not the page's work.
    """
    page.evaluate("text => { globalThis.brought = text; }", text)
    least = float("inf")
    for _ in range(3):
        least = min(least, pace.of(lambda: page.evaluate("bring(brought)")))
        page.keyboard.press("Escape")
        if least <= FROZEN:
            break
    return least


@pytest.mark.parametrize("place", ["", *desks.available()])
def test_a_text_that_repeats_one_piece_never_freezes_the_page(
    page: Page, site: str, place: str
) -> None:
    every = list(pathological.texts(LENGTH))
    page.goto(f"{site}#/{place}")
    expect(page.locator("#desk h1").first).to_be_visible()
    expect(page.locator(".phase")).to_have_count(0)
    page.evaluate(SCRIPT)
    pace = Pace(page)
    found = {}
    for text in random.Random(34).sample(every, min(REPEATED, len(every))):
        took = frozen(page, pace, text)
        if took > FROZEN:
            found[text[:40] + text[-10:]] = took
        assert page.evaluate("blank()") == "", text[:40]
    assert found == {}


def test_a_long_text_in_the_box_of_the_home_page_never_freezes_it(page: Page, site: str) -> None:
    page.goto(site)
    page.evaluate(SCRIPT)
    pace = Pace(page)
    for text in ("\n" * LENGTH, " " * LENGTH, "0" * LENGTH, "1," * (LENGTH // 2)):
        page.locator(".anything textarea").evaluate("(box, text) => { box.value = text; }", text)
        measured(page)

        def opened() -> None:
            page.get_by_role("button", name="Open", exact=True).click()
            measured(page)

        assert pace.of(opened) <= FROZEN, text[:10]
        page.goto(site + "#/")
