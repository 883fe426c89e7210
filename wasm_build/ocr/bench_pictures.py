"""Measure the time from dropping a picture to its digits on the page, in Chromium.

    python -m wasm_build.ocr.bench_pictures FOLDER [--limit N] [--none]

FOLDER holds NAME.jpg and NAME.dat as ocr/measure_pictures.py has them. Every photo is dropped on
the sudoku desk of dist/, one after the other; the time is from the drop to the end of the frame
that shows the digits, decoding the file included. The longest gap between two frames is the time
in which the page did not respond. `--none` also drops pictures without a board; their time is to
the sentence that no board was found. The first picture of a visit, which fetches the network, is
measured separately. Processor time, of the page and its worker together, is reported as well: other
work on the machine changes it less than the clock's.
"""

from __future__ import annotations

import argparse
import io
import os
import sys
from base64 import b64encode
from collections.abc import Iterable
from pathlib import Path
from statistics import median_high
from typing import NamedTuple

from PIL import Image
from playwright.sync_api import CDPSession, Page, sync_playwright

from cluewise.core.benchmark import quantile
from wasm_build.ocr.board_photos import no_boards
from wasm_build.ocr.measure_pictures import labelled

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "e2e"))

from browser import launch_chromium, served  # noqa: E402 - the tests' folder is on no path

WAIT = 60_000  # ms
GIVEN = """([text, type]) => {
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  globalThis.given = new File([bytes], "picture", { type });
}"""
# Frames are counted from the one before the drop to the one after the answer.
DROP = """() => new Promise((resolve) => {
  const frames = [];
  let ended = 0;
  const answered = ".photo-board .grid-box, .photo [role=alert]";
  const watch = new MutationObserver(() => {
    if (ended || !document.querySelector(answered)) return;
    ended = performance.now();
    watch.disconnect();
  });
  const frame = () => {
    frames.push(performance.now());
    if (frames.length === 1) drop();
    if (!ended) requestAnimationFrame(frame);
    else setTimeout(() => resolve(report(performance.now())));
  };
  let began = 0;
  const drop = () => {
    const data = new DataTransfer();
    data.items.add(globalThis.given);
    watch.observe(document.body, { subtree: true, childList: true });
    began = performance.now();
    const event = new DragEvent("drop", { bubbles: true, cancelable: true, dataTransfer: data });
    document.querySelector("main").dispatchEvent(event);
  };
  const report = (shown) => {
    const gaps = frames.slice(1).map((at, i) => at - frames[i]);
    const cells = [...document.querySelectorAll(".photo-board .grid-token")].map((token) => {
      const { e, f } = new DOMMatrix(getComputedStyle(token).transform);
      return [Math.floor(f / 40), Math.floor(e / 40), token.textContent.trim()];
    });
    const sentence = document.querySelector(".photo [role=alert]")?.textContent ?? "";
    return [(shown - began) / 1000, Math.max(...gaps) / 1000, cells, sentence];
  };
  requestAnimationFrame(frame);
})"""


class Dropped(NamedTuple):
    """The measurements of one picture; times in seconds."""

    name: str
    seconds: float
    gap: float
    """The longest time between two frames."""
    work: float
    """Processor time of the page and its worker."""
    right: bool


def png_files(pictures: Iterable[tuple[str, Image.Image]]) -> list[tuple[str, bytes, str]]:
    """Name, PNG file and the empty board of pictures without a board."""
    out = []
    for name, picture in pictures:
        file = io.BytesIO()
        picture.save(file, "PNG")
        out.append((name, file.getvalue(), ""))
    return out


def processor_time(system: CDPSession) -> float:
    """Seconds of processor time of all pages and their workers."""
    every = system.send("SystemInfo.getProcessInfo")["processInfo"]
    return float(sum(one["cpuTime"] for one in every if one["type"] == "renderer"))


def drop(page: Page, system: CDPSession, name: str, data: bytes, board: str) -> Dropped:
    """Drop one file, wait for the board or the error, close the dialog."""
    kind = "image/png" if data.startswith(b"\x89PNG") else "image/jpeg"
    page.evaluate(GIVEN, [b64encode(data).decode(), kind])
    before = processor_time(system)
    seconds, gap, cells, sentence = page.evaluate(DROP)
    work = processor_time(system) - before
    read = ["."] * 81
    for row, column, symbol in cells:
        if row < 9 and column < 9:
            read[9 * row + column] = symbol
    page.keyboard.press("Escape")
    page.locator(".photo").wait_for(state="detached")
    right = "".join(read) == board if board else "No board was found" in sentence
    return Dropped(name, seconds, gap, work, right)


def spread(times: list[float]) -> str:
    """Median, 95th percentile and maximum."""
    p95 = quantile(times, 0.95)
    return f"median {median_high(times):.3f}, of 95 in 100 {p95:.3f}, worst {max(times):.3f}"


def summarise(what: str, found: list[Dropped]) -> str:
    """One line of figures, then a line for each picture that was not right, and the slowest."""
    lines = [
        f"{what}: {len(found)}, right {sum(one.right for one in found)}",
        "  seconds to the answer: " + spread([one.seconds for one in found]),
        "  of them the processor's: " + spread([one.work for one in found]),
        "  longest gap between two frames: " + spread([one.gap for one in found]),
    ]
    lines += [f"  not right: {one.name}" for one in found if not one.right]
    slowest = sorted(found, key=lambda one: -one.seconds)[:3]
    lines.append("  slowest: " + ", ".join(f"{one.name} {one.seconds:.3f}" for one in slowest))
    stillest = sorted(found, key=lambda one: -one.gap)[:3]
    lines.append("  longest gaps: " + ", ".join(f"{one.name} {one.gap:.3f}" for one in stillest))
    return "\n".join(lines)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--limit", type=int, default=1_000_000)
    parser.add_argument("--none", action="store_true", help="pictures without a board as well")
    options = parser.parse_args()
    photos = list(labelled(options.folder))[: options.limit]
    taken = [(path.name, path.read_bytes(), board) for path, board in photos]
    if not taken:
        sys.exit(f"{options.folder} holds no photos.")
    print(f"load of this machine: {os.getloadavg()[0]:.1f}", flush=True)
    with served() as address, sync_playwright() as playwright:
        browser = launch_chromium(playwright)
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        page.set_default_timeout(WAIT)
        page.goto(address + "#/sudoku")
        page.wait_for_function("() => performance.getEntriesByName('python_ready').length")
        system = browser.new_browser_cdp_session()
        first = drop(page, system, *taken[0])
        print(f"first picture of a visit: {first.seconds:.3f} s, gap {first.gap:.3f}", flush=True)
        print(summarise("photos", [drop(page, system, *one) for one in taken]), flush=True)
        if options.none:
            every = [drop(page, system, *one) for one in png_files(no_boards())]
            print(summarise("no board", every), flush=True)
        browser.close()
    print(f"load of this machine: {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
