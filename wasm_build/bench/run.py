"""`make bench`: the same rows under wasmtime and in the page's worker, and the page's start.

`--json` prints `{"hosts": [{"host", "rows"}, …]}`, hosts `wasmtime` and `chromium`. `--desk NAME`
measures one desk. Every run is stored; rows that became slower since the last run on this machine
are listed on standard error (compare.py). `--against FOLDER` compares the rows under wasmtime with
those of another checkout. Rows of the page's start: see start.py. Other rows of the page:

    scan.click.desert       from a click that restores all 51 spots of the Desert to the end of the
                            frame with its map
    sudoku.same.page        from a paste of two boards to the verdict in the document; `.drawn` to
                            the end of its frame, `.second` from a paste of the second board alone
    mines.least.published   smallest proofs of the 1404 cells decided at some wave of twenty
                            published locks, from the page's question to the answer
"""

from __future__ import annotations

import argparse
import random
import re
import sys
import threading
from pathlib import Path
from typing import Any

import msgspec
from playwright.sync_api import Browser, Page, sync_playwright

from browser import FIREFOX, PASTED, launch_chromium, open_engine
from cluewise import bench, desks, links
from cluewise.core.benchmark import BenchmarkResult, quantile
from cluewise.desks.mines.bench import position_of, states
from cluewise.desks.mines.engine.board import UNKNOWN
from cluewise.desks.mines.engine.playthrough import puzzle_of
from cluewise.desks.scan.position import Position
from cluewise.desks.sudoku.engine import random_boards
from cluewise.desks.sudoku.position import write_cells
from cluewise.service import to_plain
from reference.mines_boards import lock_of, locks
from wasm_build.bench import compare, start
from wasm_build.bench import page as bench_page
from wasm_build.bench.start import row
from wasm_build.site.serve import Server
from wasm_build.stages import ROOT

PASTES = 20
CLICKS = 21
DESERT = 349
WAIT = 120_000  # ms

# Entries reach an observer in a task of its own, after the frame in which they were made.
UNDO = """() => new Promise((resolve) => {
  const began = performance.now();
  new PerformanceObserver((_, self) => {
    self.disconnect();
    resolve((performance.now() - began) / 1000);
  }).observe({ type: "mark" });
  document.querySelector("[aria-label^='Undo: single']").click();
})"""


class Hosts(msgspec.Struct, frozen=True):
    """What `--json` prints."""

    hosts: list[bench.Report]
    page: list[bench_page.Figure]


def click_row(browser: Browser, address: str) -> BenchmarkResult:
    """Measure undoing an observation, after which all 3710 areas are on the map again."""
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    page.set_default_timeout(WAIT)
    page.goto(address + links.encode(Position(region=DESERT)))
    seconds = []
    for _ in range(CLICKS):
        _quiet(page, "51")
        page.locator(".answer-button").first.click()
        _quiet(page, "(?!51)[0-9]+")
        seconds.append(page.evaluate(UNDO))
    page.close()
    return row("scan.click.desert", seconds, "clicks")


def _quiet(page: Page, left: str) -> None:
    """Wait until all questions about so many spots are answered."""
    page.locator(".left:not(.stale) b", has_text=re.compile(f"^{left}$")).wait_for()
    page.locator(".options:not(.stale)").wait_for()
    page.wait_for_timeout(500)


# Pastes a text and returns the ms until its verdict is in the document, the ms until the frame with
# it is drawn, and the verdict. Reads the text without forcing a layout.
PASTE = """(text) => new Promise((resolve) => {
  const shown = () => document.querySelector(".verdict:not(.stale) .answer-word")?.parentElement;
  const before = shown()?.textContent;
  const began = performance.now();
  const look = () => {
    const now = shown();
    if (!now || now.textContent === before) return;
    watch.disconnect();
    const there = performance.now() - began;
    const word = now.querySelector(".answer-word").textContent;
    const after = new MessageChannel();
    after.port1.onmessage = () => resolve([there, performance.now() - began, word]);
    requestAnimationFrame(() => after.port2.postMessage(null));
  };
  const watch = new MutationObserver(look);
  watch.observe(document.querySelector("#desk"), { subtree: true, childList: true });
  (PASTED)(text);
})""".replace("PASTED", PASTED)


def paste_rows(browser: Browser, address: str) -> list[BenchmarkResult]:
    """Measure pastes up to the verdict: in the document, drawn, and for a second board."""
    page = browser.new_page()
    page.set_default_timeout(WAIT)
    page.goto(address + "#/sudoku")
    page.wait_for_function(start.MARK, arg="python_ready")
    page.wait_for_timeout(2500)  # background downloads are complete
    pairs = _pairs(PASTES + 4)
    both = [_paste(page, pair, i) for i, pair in enumerate(pairs)][4:]
    second = []
    for i, pair in enumerate(pairs):
        for at in (1, 0):
            page.locator(".board").nth(at).get_by_role("button", name="Clear").click()
        one, other = pair.split()
        page.evaluate(PASTED, one)
        page.locator(".board").first.get_by_text("givens").wait_for()
        second.append(_paste(page, other, i))
    page.close()
    return [
        row("sudoku.same.page", [there for there, _ in both], "pastes"),
        row("sudoku.same.page.drawn", [drawn for _, drawn in both], "pastes"),
        row("sudoku.same.page.second", [there for there, _ in second[4:]], "pastes"),
    ]


def _paste(page: Page, text: str, i: int) -> tuple[float, float]:
    """Return the seconds until the verdict on the i-th text is in the document and drawn."""
    page.wait_for_timeout(300)
    there, drawn, word = page.evaluate(PASTE, text)
    if word != ("The same" if i % 2 else "Different"):
        raise AssertionError(f"the verdict is {word!r} on\n{text}")
    return there / 1000, drawn / 1000


def _pairs(count: int) -> list[str]:
    """Return texts of two minimal puzzles, equivalent (rows reversed) for odd indices."""
    rng = random.Random(1)
    data = random_boards.minimal(random_boards.grids(2 * count, rng), 2 * count, rng)[0]
    boards = [write_cells(data[81 * i : 81 * i + 81]) for i in range(2 * count)]
    turned = [board[::-1] for board in boards]
    return [f"{boards[i]}\n{turned[i] if i % 2 else boards[i + count]}" for i in range(count)]


# Asks for the proof of one cell after another and returns the ms of each; fails for a proof that is
# not a smallest one.
PROOFS = """async ([position, cells]) => {
  const times = [];
  for (const cell of cells) {
    const began = performance.now();
    const job = engine.ask({ desk: "mines", want: "explain", position, options: { cell } });
    const { result } = await job.promise;
    times.push(performance.now() - began);
    if (!result.smallest) throw new Error(`cell ${cell}: not proved smallest`);
  }
  return times;
}"""


def least_rows(page: Page) -> list[BenchmarkResult]:
    """Measure the smallest proofs of published locks: the 99th percentile and the maximum."""
    seconds: list[float] = []
    for lock in locks():
        if not lock["twenty"]:
            continue
        puzzle = puzzle_of(lock_of(lock))
        for cells, counts in states(puzzle):
            asked = [
                cell for cell, mark in enumerate(cells)
                if mark == UNKNOWN and counts.mass(cell) in (0, counts.solutions)
            ]  # fmt: skip
            plain = to_plain(position_of(puzzle.board, cells))
            seconds += [ms / 1000 for ms in page.evaluate(PROOFS, [plain, asked])]
    return [
        row("mines.least.published.p99", [quantile(seconds, 0.99)], "proofs"),
        row("mines.least.published.worst", [max(seconds)], "proofs"),
    ]


def desk_rows(page: Page, names: list[str]) -> list[BenchmarkResult]:
    """Measure the desks' rows in the page's worker."""
    measured = []
    for name in names:
        for one in bench.rows(name):
            print(f"measuring {one.name} in chromium …", file=sys.stderr, flush=True)
            answer: Any = page.evaluate(
                "([desk, row]) => engine.bench(desk, [row]).promise", [name, one.name]
            )
            measured += msgspec.convert(answer["result"]["rows"], list[BenchmarkResult])
    return measured


def chromium(names: list[str]) -> tuple[bench.Report, list[bench_page.Figure]]:
    """Measure everything in Chromium, and the start in Firefox if it is installed."""
    server = Server(ROOT / "dist")
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with sync_playwright() as playwright:
        browser = launch_chromium(playwright)
        try:
            rows = start.rows(browser, server.address)
            if "scan" in names:
                rows.append(click_row(browser, server.address))
            if "sudoku" in names:
                rows += paste_rows(browser, server.address)
            page = browser.new_page()
            page.set_default_timeout(WAIT)
            open_engine(page, server.address)
            if "mines" in names:
                rows += least_rows(page)
            rows += desk_rows(page, names)
            page.close()
            figures = bench_page.measure(browser, server.address, names)
        finally:
            browser.close()
            server.shutdown()
        if FIREFOX.exists():
            browser = playwright.firefox.launch(channel="moz-firefox", executable_path=str(FIREFOX))
            rows += start.firefox_rows(browser)
            browser.close()
    return bench.Report("chromium", rows), figures


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--desk", choices=desks.available())
    parser.add_argument("--against", type=Path, help="compare with an earlier checkout instead")
    options = parser.parse_args()
    if options.against:
        compare.main(options.against, options.desk)
        return 0
    names = [options.desk] if options.desk else list(desks.available())
    here = bench.report(options.desk, show=True)
    there, figures = chromium(names)
    if options.json:
        print(msgspec.json.encode(Hosts([here, there], figures)).decode())
    else:
        print(bench.table([here, there]), bench_page.table(figures), sep="\n\n")
    run = compare.this_run([here, there])
    print("", *compare.slower_rows(run, compare.stored_runs()), sep="\n", file=sys.stderr)
    compare.store(run)
    return 0


if __name__ == "__main__":
    sys.exit(main())
