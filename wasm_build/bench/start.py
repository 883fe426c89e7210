"""Measure the page's start: rows of `make bench`, and a comparison of builds.

    boot.warm               files in the HTTP cache, no service worker
    boot.second             a later visit, with service worker and snapshot of Python's memory
    boot.cold               a first visit, host on this machine
    boot.200_KB_s           a first visit at that rate and 60 ms latency; so boot.1.5_MB_s
    boot.firefox            first and later visit in Debian's Firefox, if it is installed
    … .first_advice         the code desk's first advice is in the document
    … .python_ready         Python can answer any question

The work of first visits is the bytes sent until then, compressed as by most hosts.

    python -m wasm_build.bench.start --against ../earlier/dist --runs 5

opens a link with the sender's advice and prints medians for each build: bytes sent until Python's
answer, seconds to the sender's advice, to Python's readiness and to its answer, and processor
seconds of the page's process (page, worker and compilation). Each visit has its own browser, and
the builds are visited alternately, so that other load affects all. Firefox makes at most two visits
per row.
"""

from __future__ import annotations

import argparse
import base64
import os
import re
import sys
import zlib
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from statistics import median
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Playwright, sync_playwright

from browser import FIREFOX, KEPT, launch_chromium, until
from cluewise import desks, links, service
from cluewise.core.benchmark import BenchmarkResult
from hosts import Habits, Host, running
from wasm_build.stages import ROOT

VISITS = 7
COLD = {"cold": (0.0, 0.0, 5), "1.5_MB_s": (1.5e6, 0.06, 3), "200_KB_s": (2e5, 0.06, 1)}
"""Bytes per second (0: no limit), latency in seconds, visits."""
SLOW, FAST, LOCAL, LATER = "200 KB/s + 400 ms", "1.5 MB/s + 60 ms", "unthrottled", "later visit"
LINES = {SLOW: (2e5, 0.4), FAST: (1.5e6, 0.06), LOCAL: (0.0, 0.0), LATER: (0.0, 0.0)}
ROWS = [  # label, connection, measure, target
    ("MB until Python answers, host with gzip", LOCAL, "bytes", "4.2"),
    ("seconds to the sender's advice", SLOW, "sender", "5"),
    ("seconds to Python's answer", SLOW, "answer", "26"),
    ("seconds to Python's answer", FAST, "answer", "5"),
    ("seconds to Python's answer", LOCAL, "answer", "1.5"),
    ("seconds until Python is ready", LOCAL, "python_ready", "1.2"),
    ("seconds until Python is ready", LATER, "python_ready", "0.5"),
    ("processor seconds until the answer", LOCAL, "cpu", "2.5"),
]
POSITIONS: dict[str, dict[str, Any]] = {
    "code": {"clues": [{"guess": "0123", "exact": 1, "partial": 1}]},
    "rack": {
        "viewer": 0,
        "wires": {"blue": [1, 5]},
        "stands": [
            {"slots": [{"wire": wire} for wire in "11245"]},
            *[{"slots": [{"state": "cut", "wire": "1"}, *[{}] * 4]}] * 2,
            {"slots": [{}] * 5},
        ],
    },
    "scan": {"region": 364, "observations": [{"at": [2990, 3390, 0], "pulse": 1}]},
    "mines": {
        "board": {"kind": "square", "width": 5, "height": 5, "total": 6},
        "revealed": [{"cell": 6, "number": 2}, {"cell": 12, "number": 3}],
    },
    "sudoku": {"box": [2, 2], "grids": ["3412123421434321"]},
}
WAIT = 180_000  # ms
ANSWERED = "advice|equal|estimated|certain|contradiction|finished"
# Marks the first advice, the sender's advice and the first answer computed here.
WATCH = f"""new MutationObserver(() => {{
  const mark = (name) => performance.getEntriesByName(name).length || performance.mark(name);
  if (document.querySelector(".options .option")) mark("first_advice");
  if (document.querySelector("[data-said]")) mark("sender");
  const bar = document.querySelector(".advice-bar");
  const own = bar && !bar.querySelector("[data-said]");
  if (own && /^({ANSWERED})$/.test(bar.dataset.state)) mark("answer");
}}).observe(document, {{ subtree: true, childList: true, attributes: true }});"""
MARK = "(name) => performance.getEntriesByName(name).at(-1)?.startTime"
PAINT, MARKS = "first-contentful-paint", ("first_advice", "python_ready")


def processor_seconds(command: str = "") -> float:
    """Return user and system time of descendant processes whose command line matches."""
    found = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            words = (folder / "cmdline").read_text()
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue  # it has ended meanwhile
        ticks = int(fields[11]) + int(fields[12])
        found[int(folder.name)] = int(fields[1]), ticks if re.search(command, words) else 0
    below: set[int] = set()
    while more := {n for n, (of, _) in found.items() if of in {os.getpid(), *below}} - below:
        below |= more
    return sum(found[n][1] for n in below) / os.sysconf("SC_CLK_TCK")


def visit(
    context: BrowserContext, address: str, marks: Iterable[str], *, kept: bool = False
) -> dict[str, float]:
    """Open an address; return seconds to each mark and to `sender`, and processor time (`cpu`).

    `kept`: also wait until the snapshot for later visits is stored.
    """
    page = context.new_page()
    page.set_default_timeout(WAIT)
    page.add_init_script(WATCH)
    before = processor_seconds("--type=renderer|firefox")
    page.goto(address)
    if "#/mines/" in address:
        page.locator(".bar-act").click()
    found = {
        name: page.wait_for_function(MARK, arg=name, polling=50).json_value() / 1000
        for name in marks
    }
    found["cpu"] = processor_seconds("--type=renderer|firefox") - before
    found["sender"] = (page.evaluate(MARK, "sender") or 0) / 1000
    found["began"] = page.evaluate("performance.timeOrigin") / 1000  # since 1970
    if kept:
        until(page, KEPT, "/pyodide/snapshot-")
    page.wait_for_timeout(1500)  # compiled code is stored in the background
    page.close()
    return found


def sent(host: Host, found: dict[str, float], mark: str) -> int:
    """Return the bytes that the host sent until a mark of a visit."""
    return sum(size for when, size in host.sent if when <= found["began"] + found[mark])


def rows(browser: Browser, address: str) -> list[BenchmarkResult]:
    """Measure the page's start as medians of several visits."""
    address += "#/code"
    with closing(browser.new_context(service_workers="block")) as context:
        for _ in range(2):  # fills the HTTP cache and the browser's store of compiled code
            visit(context, address, MARKS)
        warm = [visit(context, address, (*MARKS, PAINT)) for _ in range(VISITS)]
    found = [row("boot.warm.first_paint", [one[PAINT] for one in warm]), *_rows("warm", warm)]
    with closing(browser.new_context()) as context:
        found += _rows("second", _later(context, address, VISITS))
    for name, (rate, delay, times) in COLD.items():
        found += _cold(browser, name, Habits(zipped=True, rate=rate, delay=delay), times)
    return found


def firefox_rows(browser: Browser) -> list[BenchmarkResult]:
    """Measure the start in Firefox: `boot.firefox.cold` and `.second`."""
    habits, visits = Habits(zipped=True), COLD["cold"][2]
    found = _cold(browser, "firefox.cold", habits, visits)
    with running(Host(habits, ROOT / "dist")) as host, closing(browser.new_context()) as context:
        return found + _rows("firefox.second", _later(context, f"{host.address}#/code", visits))


def _later(context: BrowserContext, address: str, visits: int) -> list[dict[str, float]]:
    """Return visits after two that fill all caches."""
    visit(context, address, MARKS, kept=True)
    return [visit(context, address, MARKS) for _ in range(visits + 1)][1:]


def _cold(browser: Browser, name: str, habits: Habits, visits: int) -> list[BenchmarkResult]:
    """Return rows of first visits, each with a new browser context and host."""
    found: list[dict[str, float]] = []
    sizes: dict[str, list[int]] = {mark: [] for mark in MARKS}
    for _ in range(visits):
        with (
            running(Host(habits, ROOT / "dist")) as host,
            closing(browser.new_context()) as context,
        ):
            found.append(visit(context, f"{host.address}#/code", MARKS))
            for mark in MARKS:
                sizes[mark].append(sent(host, found[-1], mark))
    return _rows(name, found, sizes)


def _rows(
    name: str, visits: list[dict[str, float]], sizes: dict[str, list[int]] | None = None
) -> list[BenchmarkResult]:
    made = []
    for mark in MARKS:
        seconds, work = [one[mark] for one in visits], sizes and int(median(sizes[mark]))
        made.append(row(f"boot.{name}.{mark}", seconds, "bytes" if work else "starts", work or 1))
    return made


def row(name: str, seconds: list[float], unit: str = "starts", work: int = 1) -> BenchmarkResult:
    """Return a row with the median of several runs."""
    middle = median(seconds)
    return BenchmarkResult(name, work, unit, middle, work / middle, len(seconds))


def link_of(desk: str, said: str = "from the sender") -> str:
    """Return the link of a desk's position with a sender's advice."""
    position = service.read_position(desks.load(desk), {"desk": desk, **POSITIONS[desk]})
    fragment = links.encode(position)
    payload = fragment.split("/")[3]
    text = said.encode()
    whole = zlib.crc32(payload.encode() + text).to_bytes(4, "big") + text
    return f"{fragment}/{base64.urlsafe_b64encode(whole).decode().rstrip('=')}"


def measure(play: Playwright, folder: Path, line: str, desk: str, kind: str) -> dict[str, float]:
    """Make one visit over that connection with a new browser, for LATER after a first one."""
    rate, delay = LINES[line]
    if kind == "Firefox":
        browser = play.firefox.launch(channel="moz-firefox", executable_path=FIREFOX)
    else:
        browser = launch_chromium(play)
    habits = Habits(zipped=True, rate=rate, delay=delay)
    with closing(browser), running(Host(habits, folder)) as host:
        context = browser.new_context(viewport={"width": 390, "height": 844})
        address, marks = host.address + link_of(desk), ("python_ready", "answer")
        found = visit(context, address, marks, kept=line == LATER)
        found["bytes"] = sent(host, found, "answer") / 1e6
        return found | visit(context, address, marks) if line == LATER else found


def main() -> int:
    """Measure and print a table for each browser."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--against", type=Path, action="append", default=[], help="another dist/")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--desk", default="code", help="whose link is opened")
    parser.add_argument("--lines", default=",".join(LINES), help="with commas")
    parser.add_argument("--browsers", default="Chromium,Firefox", help="with commas")
    options = parser.parse_args()
    folders = [*options.against, ROOT / "dist"]
    lines = options.lines.split(",")
    with sync_playwright() as play:
        for kind in options.browsers.split(","):
            if kind == "Firefox" and not FIREFOX.exists():
                continue
            runs = min(options.runs, 2) if kind == "Firefox" else options.runs
            found: dict[tuple[str, Path], list[dict[str, float]]] = {}
            for line in lines:
                for _ in range(runs):
                    for folder in folders:
                        one = measure(play, folder, line, options.desk, kind)
                        found.setdefault((line, folder), []).append(one)
            print(f"\n| {kind}, {options.desk}, medians of {runs} | line | target", end="")
            print("".join(f" | {folder}" for folder in folders), "|")
            print("|---" * (3 + len(folders)) + "|")
            for words, line, key, target in ROWS:
                if line not in lines:
                    continue
                cells = [f"{median(one[key] for one in found[line, f]):.2f}" for f in folders]
                print(f"| {words} | {line} | {target} | {' | '.join(cells)} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
