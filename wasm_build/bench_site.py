"""`make bench`: the same rows under wasmtime and in the page's worker, and the page's start.

`--json` prints `{"hosts": [{"host", "rows"}, …]}`, hosts `wasmtime` and `chromium`; `--desk NAME`
measures one desk. The boot rows are the contract's: first paint and Python's readiness from a
warm HTTP cache, and a second visit served by the service worker.
"""

from __future__ import annotations

import argparse
import sys
import threading
from pathlib import Path
from statistics import median
from typing import Any

import msgspec
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from cluewise import bench, desks
from cluewise.core.measure import Measured
from serve import Server

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "e2e"))

from browser import CHROMIUM, FLAGS, open_engine  # noqa: E402 - the tests' folder is on no path

VISITS = 7
WAIT = 120_000  # ms

READY = "() => performance.getEntriesByName('python_ready').at(-1)?.startTime"
PAINT = """() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime"""


class Hosts(msgspec.Struct, frozen=True):
    """What `--json` prints."""

    hosts: list[bench.Report]


def boot_rows(browser: Browser, address: str) -> list[Measured]:
    """The page's start, as medians of several visits."""
    context = browser.new_context(service_workers="block")
    _visit(context, address)  # fills the HTTP cache and the browser's store of compiled code
    _visit(context, address)
    visits = [_visit(context, address) for _ in range(VISITS)]
    context.close()
    context = browser.new_context()
    _visit(context, address, kept=True)
    _visit(context, address)
    second = [_visit(context, address) for _ in range(VISITS)]
    context.close()
    return [
        _row("boot.first_paint", [paint for paint, _ in visits]),
        _row("boot.python_ready", [ready for _, ready in visits]),
        _row("boot.second_visit", [ready for _, ready in second]),
    ]


def _visit(context: BrowserContext, address: str, *, kept: bool = False) -> tuple[float, float]:
    page = context.new_page()
    page.set_default_timeout(WAIT)
    page.goto(address + "#/code")
    ready = page.wait_for_function(READY).json_value()
    paint = page.wait_for_function(PAINT).json_value()
    if kept:
        page.wait_for_function("() => navigator.serviceWorker?.controller")
    page.wait_for_timeout(1500)  # compiled code is stored in the background
    page.close()
    return paint / 1000, ready / 1000


def _row(name: str, seconds: list[float]) -> Measured:
    middle = median(seconds)
    return Measured(name, 1, "starts", middle, 1 / middle, len(seconds))


def desk_rows(page: Page, names: list[str]) -> list[Measured]:
    """The desks' rows, one at a time, in the page's worker."""
    measured = []
    for name in names:
        for row in bench.rows(name):
            print(f"measuring {row.name} in chromium …", file=sys.stderr, flush=True)
            answer: Any = page.evaluate(
                "([desk, row]) => engine.bench(desk, [row]).promise", [name, row.name]
            )
            measured += msgspec.convert(answer["result"]["rows"], list[Measured])
    return measured


def chromium(names: list[str]) -> bench.Report:
    """Everything that is measured in Chromium."""
    server = Server(ROOT / "dist")
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with sync_playwright() as playwright:
        found = {"executable_path": str(CHROMIUM)} if CHROMIUM.exists() else {}
        browser = playwright.chromium.launch(args=FLAGS, **found)  # type: ignore[arg-type]  # one string
        try:
            rows = boot_rows(browser, server.address)
            page = browser.new_page()
            page.set_default_timeout(WAIT)
            open_engine(page, server.address)
            rows += desk_rows(page, names)
        finally:
            browser.close()
            server.shutdown()
    return bench.Report("chromium", rows)


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--desk", choices=desks.available())
    options = parser.parse_args()
    names = [options.desk] if options.desk else list(desks.available())
    reports = [bench.report(options.desk, show=True), chromium(names)]
    print(msgspec.json.encode(Hosts(reports)).decode() if options.json else bench.table(reports))
    return 0


if __name__ == "__main__":
    sys.exit(main())
