"""How soon a page answers, for `make bench`, and after how many bytes.

`boot.warm`: the files lie in the browser's cache, and no service worker helps. `boot.second`: a
later visit, served by the service worker, with the image of Python's memory. `boot.cold`: nothing
is there yet, the host is this machine; `boot.200_KB_s` and `boot.1.5_MB_s` are the same over such
a line, 60 ms from a question to its answer. `.first_advice` is the first advice of the code desk in
the document, `.python_ready` the moment from which any question is answered; the work of cold rows
is the bytes that had been sent by then, compressed as most hosts do. `boot.firefox` are the cold
and the later visit in Debian's Firefox, where it is installed.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import NamedTuple

from playwright.sync_api import Browser, BrowserContext, Page

from cluewise.core.benchmark import BenchmarkResult

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "e2e"))

# The tests' folder is on no path.
from browser import KEPT, until  # noqa: E402
from hosts import Habits, Host, running  # noqa: E402

VISITS = 7
COLD = {"cold": (0.0, 0.0, 5), "1.5_MB_s": (1.5e6, 0.06, 3), "200_KB_s": (2e5, 0.06, 1)}
"""Bytes a second (0: no limit), seconds to an answer, visits."""
WAIT = 120_000  # ms

READY = "() => performance.getEntriesByName('python_ready').at(-1)?.startTime"
# Marks when the first advice of the code desk is in the document.
FIRST_ADVICE = """new MutationObserver((_, self) => {
  if (!document.querySelector(".options .option")) return;
  self.disconnect();
  performance.mark("first_advice");
}).observe(document, { subtree: true, childList: true });"""
ADVICE = "() => performance.getEntriesByName('first_advice')[0]?.startTime"
PAINT = """() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime"""


class Visit(NamedTuple):
    """Seconds from the address to the first paint, the first advice, Python's readiness."""

    paint: float
    advice: float
    ready: float
    began: float  # seconds since 1970


def rows(browser: Browser, address: str) -> list[BenchmarkResult]:
    """The page's start, as medians of several visits."""
    context = browser.new_context(service_workers="block")
    _visit(context, address)  # fills the HTTP cache and the browser's store of compiled code
    _visit(context, address)
    warm = [_visit(context, address) for _ in range(VISITS)]
    context.close()
    context = browser.new_context()
    _visit(context, address, kept=True)
    _visit(context, address)
    second = [_visit(context, address) for _ in range(VISITS)]
    context.close()
    found = [row("boot.warm.first_paint", [one.paint for one in warm])]
    for name, visits in (("warm", warm), ("second", second)):
        found.append(row(f"boot.{name}.first_advice", [one.advice for one in visits]))
        found.append(row(f"boot.{name}.python_ready", [one.ready for one in visits]))
    for name, (rate, delay, times) in COLD.items():
        found += _cold(browser, name, Habits(zipped=True, rate=rate, delay=delay), times)
    return found


def firefox_rows(browser: Browser) -> list[BenchmarkResult]:
    """The start in Firefox: `boot.firefox.cold` and `.second`, as the rows of Chromium."""
    habits, visits = Habits(zipped=True), COLD["cold"][2]
    found = _cold(browser, "firefox.cold", habits, visits)
    with running(Host(habits, ROOT / "dist")) as host, _new(browser) as context:
        _visit(context, host.address, kept=True)
        _visit(context, host.address)
        second = [_visit(context, host.address) for _ in range(visits)]
    found.append(row("boot.firefox.second.first_advice", [one.advice for one in second]))
    found.append(row("boot.firefox.second.python_ready", [one.ready for one in second]))
    return found


def _cold(browser: Browser, name: str, habits: Habits, visits: int) -> list[BenchmarkResult]:
    """Visits by browsers that have never been there, on a host of their own each."""
    advice, ready = [], []
    for _ in range(visits):
        with running(Host(habits, ROOT / "dist")) as host, _new(browser) as context:
            one = _visit(context, host.address)
            advice.append((one.advice, _sent(host, one.began + one.advice)))
            ready.append((one.ready, _sent(host, one.began + one.ready)))
    return [
        _bytes_row(f"boot.{name}.first_advice", advice),
        _bytes_row(f"boot.{name}.python_ready", ready),
    ]


@contextmanager
def _new(browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context()
    try:
        yield context
    finally:
        context.close()


def _sent(host: Host, until: float) -> int:
    return sum(size for when, size in host.sent if when <= until)


def _visit(context: BrowserContext, address: str, *, kept: bool = False) -> Visit:
    page = context.new_page()
    page.add_init_script(FIRST_ADVICE)
    page.set_default_timeout(WAIT)
    page.goto(address + "#/code")
    ready = _seconds(page, READY)
    paint, advice = _seconds(page, PAINT), _seconds(page, ADVICE)
    began = page.evaluate("() => performance.timeOrigin") / 1000
    if kept:
        until(page, KEPT, "/pyodide/image-")
    page.wait_for_timeout(1500)  # compiled code is stored in the background
    page.close()
    return Visit(paint, advice, ready, began)


def _seconds(page: Page, mark: str) -> float:
    found: float = page.wait_for_function(mark).json_value()
    return found / 1000


def row(name: str, seconds: list[float], unit: str = "starts") -> BenchmarkResult:
    """The median of several."""
    middle = median(seconds)
    return BenchmarkResult(name, 1, unit, middle, 1 / middle, len(seconds))


def _bytes_row(name: str, found: list[tuple[float, int]]) -> BenchmarkResult:
    middle = median(seconds for seconds, _ in found)
    size = int(median(size for _, size in found))
    return BenchmarkResult(name, size, "bytes", middle, size / middle, len(found))
