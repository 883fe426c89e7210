"""Measure the page's latency for `make bench`: interactions, layout shift, cancelling a long job.

Every desk is used with keys and clicks at the size of a phone and of a desktop. Chromium's event
timing reports the time from each event to the next paint; times under 16 ms are not reported and
count as 16 ms.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec
from playwright.sync_api import Browser, Page

from browser import address_of, open_engine
from cluewise import desks
from cluewise.core.benchmark import quantile
from long_jobs import LONG, SHARED, STOP, STOP_ALL

SIZES = [(390, 844), (1440, 900)]
SHORTEST = 0.016  # s; Chromium reports no event that was quicker
WAIT = 60_000  # ms
MOMENTS = [60, 110, 170, 240, 330]  # ms after its start at which a job is cancelled
WATCH = """
  globalThis.vitals = { shift: 0, events: {} };
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries())
      if (!entry.hadRecentInput) vitals.shift += entry.value;
  }).observe({ type: "layout-shift", buffered: true });
  new PerformanceObserver((list) => {
    for (const { interactionId, duration } of list.getEntries())
      if (interactionId)
        vitals.events[interactionId] = Math.max(vitals.events[interactionId] ?? 0, duration / 1000);
  }).observe({ type: "event", durationThreshold: 16, buffered: true });
"""


class Figure(msgspec.Struct, frozen=True):
    """One figure of a desk: `Figure("page.interaction.p95", "scan", 0.024, "seconds", 0.1)`."""

    name: str
    desk: str
    value: float
    unit: str
    aim: float


def measure(browser: Browser, address: str, names: list[str]) -> list[Figure]:
    """Return the figures of these desks; jobs are cancelled in an empty document."""
    figures = [one for name in names for one in _used(browser, address, name)]
    page = browser.new_page()
    page.set_default_timeout(WAIT)
    open_engine(page, address)
    for name in names:
        jobs = [job for job in LONG if job["desk"] == name]
        stops = [page.evaluate(STOP, [job, after]) for job in jobs for after in MOMENTS]
        waits = [one["waited"] / 1000 for one in stops if one["ended"] == "stopped"]
        figures.append(Figure("page.cancel.worst", name, max(waits), "seconds", 0.2))
        if shared := [job for job in SHARED if job["desk"] == name]:
            left = max(one["waited"] for one in page.evaluate(STOP_ALL, shared * 5)) / 1000
            figures.append(Figure("page.cancel.all", name, left, "seconds", 0.2))
    page.close()
    return figures


def table(figures: list[Figure]) -> str:
    """Return the figures as a table, one per line."""
    return "\n".join(
        f"{one.name:<26} {one.desk:<9} {one.value:>9.3f} {one.unit:<8} (aim {one.aim})"
        for one in figures
    )


def _used(browser: Browser, address: str, desk: str) -> list[Figure]:
    shifts, times = [], []
    for width, height in SIZES:
        context = browser.new_context(viewport={"width": width, "height": height})
        context.add_init_script(WATCH)
        page = context.new_page()
        page.set_default_timeout(WAIT)
        page.goto(f"{address}#/{desk}")
        page.locator("#desk h1").first.wait_for()
        page.locator(".phase").wait_for(state="detached")
        page.wait_for_timeout(500)
        steps = USES[desk](page)
        address_of(page)
        page.wait_for_timeout(500)
        vitals = page.evaluate("vitals")
        durations = list(vitals["events"].values())
        times += [SHORTEST] * (steps - len(durations)) + durations
        shifts.append(vitals["shift"])
        context.close()
    return [
        Figure("page.interaction.p95", desk, quantile(times, 0.95), "seconds", 0.1),
        Figure("page.layout_shift", desk, max(shifts), "score", 0.05),
    ]


def _keys(page: Page, keys: str) -> int:
    """Press keys, eight per second; return their number."""
    for key in keys.split():
        page.keyboard.press(key)
        page.wait_for_timeout(120)
    return len(keys.split())


def _code(page: Page) -> int:
    steps = _keys(page, "0 0 1 1 1 1 Enter 2 3 2 4 1 0 Enter Control+z Control+z Control+y")
    for option in page.locator(".options .option").all()[:3]:
        option.click()
        steps += 1
    return steps + _keys(page, "Control+e Control+e")


def _rack(page: Page) -> int:
    steps = _keys(page, "ArrowDown 1 Enter 2 Enter 3 Enter 3 Enter 4 Enter 6 Enter")
    return steps + _keys(page, "ArrowDown ArrowRight i 5 Enter Control+z Control+y Control+z")


def _scan(page: Page) -> int:
    steps = _keys(page, "1 Control+z 2 Control+z")
    page.locator("tile-map canvas").focus()
    steps += _keys(page, "ArrowRight Shift+ArrowRight ArrowUp Enter")
    box = page.locator("tile-map").bounding_box()
    assert box is not None
    for part in (0.3, 0.45, 0.6):
        page.mouse.click(box["x"] + part * box["width"], box["y"] + part * box["height"])
        page.wait_for_timeout(150)
        steps += 1
    return steps + _keys(page, "1 Control+z")


def _mines(page: Page) -> int:
    closed = page.locator(".cell:not(.open)")
    for _ in range(4):
        closed.first.click()
        page.wait_for_timeout(120)
    return 4 + _keys(page, "h h h h c c Control+z Control+z Control+y")


def _sudoku(page: Page) -> int:
    steps = _keys(page, "ArrowDown 5 ArrowRight 3 ArrowDown 7 ArrowRight 1 ArrowDown 9")
    return steps + _keys(page, "Backspace Control+z Control+z Control+y 8 ArrowLeft 2")


USES: dict[str, Callable[[Page], int]] = {
    "code": _code, "rack": _rack, "scan": _scan, "mines": _mines, "sudoku": _sudoku,
}  # fmt: skip
assert set(USES) == set(desks.available())
