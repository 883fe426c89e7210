"""Mutated links and pasted texts on the page: a board or a sentence, never an error or a blank.

CLUEWISE_MUTATIONS sets the size (tests/contract/fuzz.py). A release run takes 10000: that is
10 000 links and 10 000 texts a desk through the page's code, and a few hundred through the whole
page with Python behind it.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from browser import EMPTY, measured
from cluewise import desks, links, service
from contract import fuzz, pathological

pytestmark = pytest.mark.long
EVERY = pytest.mark.parametrize("desk", desks.available())
SCRIPT = (Path(__file__).parent / "fuzz.js").read_text()
BATCH = 200
WHOLE = max(fuzz.MUTATIONS // 40, 5)


@pytest.fixture
def pages(page: Page, site: str) -> Page:
    """The desks' pages in an empty document, without an engine."""
    page.route("**/empty.html", lambda r: r.fulfill(body=EMPTY, content_type="text/html"))
    page.goto(site + "empty.html")
    page.evaluate(SCRIPT)
    return page


def links_of(desk: str, dice: random.Random, count: int) -> list[Any]:
    """Half of them positions that the page puts into a link, half changed links."""
    read = desks.load(desk)
    whole = [links.encode(service.read_position(read, p)) for p in fuzz.BASES[desk]]
    return [
        fuzz.text(whole, dice) if dice.random() < 0.5 else fuzz.position(desk, dice)
        for _ in range(count)
    ]


@EVERY
def test_links_are_drawn_or_refused_in_words(pages: Page, desk: str) -> None:
    dice = random.Random(5)
    drawn = 0
    for _ in range(0, fuzz.MUTATIONS, BATCH):
        found = pages.evaluate("x => tryLinks(x.desk, x.links)", {
            "desk": desk, "links": links_of(desk, dice, BATCH),
        })  # fmt: skip
        assert not found["wrong"], "\n".join(found["wrong"])
        drawn += found["drawn"]
    assert drawn > fuzz.MUTATIONS // 10


@EVERY
def test_pasted_texts_are_taken_or_left(pages: Page, desk: str) -> None:
    dice = random.Random(6)
    known = fuzz.texts(desk)
    for _ in range(0, fuzz.MUTATIONS, BATCH):
        found = pages.evaluate("x => tryTexts(x.desk, x.texts)", {
            "desk": desk, "texts": [fuzz.text(known, dice) for _ in range(BATCH)],
        })  # fmt: skip
        assert not found["wrong"], "\n".join(found["wrong"])
        assert found["tried"] == BATCH


def browsers(desk: str, dice: random.Random, count: int) -> list[list[Any]]:
    """What browsers may have kept: histories of the first version, changed here and there."""
    found: list[list[Any]] = []
    for _ in range(count):
        moments = [
            {"position": dice.choice(fuzz.BASES[desk]), "label": f"step {i}"}
            for i in range(dice.randint(1, 4))
        ]
        kept: Any = {f"desk.{desk}": {"moments": moments, "at": dice.randrange(4), "view": {}}}
        for _ in range(dice.randrange(4)):
            kept = fuzz.mutated(kept, dice)
        found.append(list(kept.items()) if isinstance(kept, dict) else [])
    return found


@EVERY
def test_damaged_storage_is_opened_or_set_aside(pages: Page, desk: str) -> None:
    dice = random.Random(9)
    moments = aside = 0
    for _ in range(0, fuzz.MUTATIONS, BATCH):
        found = pages.evaluate("x => tryKept(x.desk, x.browsers)", {
            "desk": desk, "browsers": browsers(desk, dice, BATCH),
        })  # fmt: skip
        assert not found["wrong"], "\n".join(found["wrong"])
        moments += found["moments"]
        aside += found["aside"]
    assert moments > fuzz.MUTATIONS // 2
    assert aside > fuzz.MUTATIONS // 20


@EVERY
def test_damaged_files_are_joined_or_refused_and_the_desk_still_opens(
    page: Page, site: str, desk: str, tmp_path: Path
) -> None:
    dice = random.Random(10)
    page.goto(f"{site}#/{desk}")
    expect(page.locator(f"#desk[data-desk={desk}] h1").first).to_be_visible()
    page.evaluate(SCRIPT)
    found = page.evaluate(
        """async ({ desk, files }) => {
          const shelf = await import(new URL("session/saved-positions.js", document.baseURI));
          const refused = [];
          for (const text of files)
            await shelf.unpack(text).catch((problem) => refused.push(problem));
          return refused.filter((one) => one.constructor !== Error || !/[.]$/.test(one.message))
            .map((one) => String(one.stack));
        }""",
        {"desk": desk, "files": files(desk, dice)},
    )
    assert found == []
    page.reload()
    expect(page.locator(f"#desk[data-desk={desk}] h1").first).to_be_visible()
    assert page.evaluate(SCRIPT) is None
    assert page.evaluate("blank()") == ""


def files(desk: str, dice: random.Random) -> list[str]:
    """Files as the page writes them, of both versions, changed as data or as text."""
    found = []
    for kept in browsers(desk, dice, max(fuzz.MUTATIONS // 10, 20)):
        whole: Any = {
            "format": "cluewise-everything",
            "version": dice.choice([1, 2]),
            "kept": {str(key): value for key, value in kept},
        }
        if dice.random() < 0.3:
            whole = fuzz.mutated(whole, dice)
        text = json.dumps(whole)
        found.append(fuzz.text([text], dice) if dice.random() < 0.3 else text)
    return found


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
