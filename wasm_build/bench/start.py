"""Cold and later visits by a shared link, over slow lines: `python -m wasm_build.bench.start`.

    python -m wasm_build.bench.start --against ../earlier/dist --runs 5

Opens a link with the sender's advice on a test server and prints, for each built page, medians of:
the bytes sent until Python answered, the seconds to the sender's advice, to Python's readiness and
to Python's answer, and the processor seconds of the page's process (page, worker and compilation)
until then. Each visit has a browser of its own. The pages take turns, so that all meet the same
load. Bytes are exact; seconds depend on what else the machine does. Firefox, where the machine has
it, makes at most two visits for each row.
"""

from __future__ import annotations

import argparse
import base64
import os
import sys
import time
import zlib
from pathlib import Path
from statistics import median
from typing import Any

from playwright.sync_api import BrowserContext, Playwright, sync_playwright

from cluewise import desks, links, service

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "e2e"))

# The tests' folder is on no path.
from browser import CHROMIUM, FIREFOX, FLAGS, KEPT, until  # noqa: E402
from hosts import Habits, Host, running  # noqa: E402

SLOW, FAST, LOCAL, LATER = "200 KB/s + 400 ms", "1.5 MB/s + 60 ms", "unthrottled", "later visit"
LINES = {SLOW: (2e5, 0.4), FAST: (1.5e6, 0.06), LOCAL: (0.0, 0.0), LATER: (0.0, 0.0)}
ROWS = [  # what is printed: its words, the line, the measure, the target
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
# Marks the sender's advice and the first answer that is not the sender's.
WATCH = f"""new MutationObserver(() => {{
  const mark = (name) => performance.getEntriesByName(name).length || performance.mark(name);
  if (document.querySelector("[data-said]")) mark("sender");
  const bar = document.querySelector(".advice-bar");
  const own = bar && !bar.querySelector("[data-said]");
  if (own && /^({ANSWERED})$/.test(bar.dataset.state)) mark("answer");
}}).observe(document, {{ subtree: true, childList: true, attributes: true }});"""
MARK = "(name) => performance.getEntriesByName(name).at(-1)?.startTime"


def link_of(desk: str, said: str = "from the sender") -> str:
    """The fragment of a desk's position with a sender's advice."""
    position = service.read_position(desks.load(desk), {"desk": desk, **POSITIONS[desk]})
    fragment = links.encode(position)
    payload = fragment.split("/")[3]
    text = said.encode()
    whole = zlib.crc32(payload.encode() + text).to_bytes(4, "big") + text
    return f"{fragment}/{base64.urlsafe_b64encode(whole).decode().rstrip('=')}"


def _children(process: int) -> set[int]:
    """The process and all that descend from it."""
    parents = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            parents[int(path.parent.name)] = int(path.read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue  # it has ended
    found = {process}
    while more := {one for one, parent in parents.items() if parent in found} - found:
        found |= more
    return found


def _cpu(processes: set[int]) -> float:
    """User and system seconds of these processes so far."""
    ticks = 0
    for one in processes:
        try:
            fields = Path(f"/proc/{one}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def _of_page(process: int) -> bool:
    """Whether a process of Chromium runs pages; of Firefox, any."""
    try:
        words = Path(f"/proc/{process}/cmdline").read_text()
    except OSError:
        return False
    return "--type=renderer" in words or "firefox" in words


def visit(context: BrowserContext, address: str, desk: str, browsers: set[int]) -> dict[str, float]:
    """Open the link and wait for Python's answer; seconds by mark, and processor seconds."""
    page = context.new_page()
    page.set_default_timeout(WAIT)
    page.add_init_script(WATCH)

    def spent() -> float:
        running = {child for one in browsers for child in _children(one)}
        return _cpu({one for one in running if _of_page(one)})

    before = spent()
    page.goto(address + link_of(desk))
    if desk == "mines":
        page.locator(".bar-act").click()
    seconds = {}
    for name in ("python_ready", "answer"):
        found = page.wait_for_function(MARK, arg=name, polling=50)
        seconds[name] = found.json_value() / 1000
    seconds["sender"] = (page.evaluate(MARK, "sender") or 0) / 1000
    seconds["began"] = page.evaluate("performance.timeOrigin") / 1000
    seconds["cpu"] = spent() - before
    page.close()
    return seconds


def measure(play: Playwright, folder: Path, line: str, desk: str, kind: str) -> dict[str, float]:
    """One visit over that line by a browser of its own; before a later visit a first one."""
    rate, delay = LINES[line]
    before = _children(os.getpid())
    if kind == "Firefox":
        browser = play.firefox.launch(channel="moz-firefox", executable_path=FIREFOX)
    else:
        path = CHROMIUM if CHROMIUM.exists() else None
        browser = play.chromium.launch(args=FLAGS, executable_path=path)
    try:
        with running(Host(Habits(zipped=True, rate=rate, delay=delay), folder)) as host:
            started = _children(os.getpid()) - before
            context = browser.new_context(viewport={"width": 390, "height": 844})
            found = visit(context, host.address, desk, started)
            until_answer = found["began"] + found["answer"]
            found["bytes"] = sum(size for when, size in host.sent if when <= until_answer) / 1e6
            if line == LATER:
                page = context.new_page()
                page.goto(host.address + "#/code")
                until(page, KEPT, "/pyodide/image-")
                page.close()
                time.sleep(1.5)  # compiled code is stored in the background
                found |= visit(context, host.address, desk, started)
            return found
    finally:
        browser.close()


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
