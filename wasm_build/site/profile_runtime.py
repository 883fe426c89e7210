"""Record which functions of Pyodide the page runs: `python -m wasm_build.site.profile_runtime`.

Chromium opens the built page with a module in which every function notes that it ran, starts
Python from the files and again from the image of its memory, and asks every sample of the
contract, every question recorded from the page, and drawn requests to every verb. The union, with
what stays whole in any case, becomes runtime-profile.txt (site/thin.mjs). Run it after
`make dist`; it takes some minutes. `--add` keeps what the present profile has.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright

from cluewise import desks
from wasm_build.site import wheels
from wasm_build.stages import HERE, ROOT

sys.path[:0] = [str(ROOT / "e2e"), str(ROOT / "tests")]

# The tests' folders are on no path.
from browser import EMPTY, ENGINE, FLAGS, HEADLESS_SHELL  # noqa: E402
from contract import fuzz  # noqa: E402
from hosts import hosted  # noqa: E402

PROFILE = HERE / "site/runtime-profile.txt"
WHOLE = wheels.PYODIDE / "pyodide.asm.wasm"
DRAWN = 150  # requests of each desk
TEXTS = [
    "É ß İ Ǆ ﬁ ① ２３４５ ٣٤٥٦ ἀθήνα Ωmega",
    "\ufeff1\u00a02\u2003三\u3000🀄",
]  # beyond Latin-1
LATEST = 3000  # ms after which a question is stopped

# In front of the worker's script: it answers on a channel which functions have run.
LISTEN = """
const instantiate = WebAssembly.instantiate;
let counters;
WebAssembly.instantiate = async (...given) => {
  const made = await instantiate(...given);
  const { exports } = made.instance ?? made;
  if (exports.ran0) counters = exports;
  return made;
};
const channel = new BroadcastChannel("ran");
channel.onmessage = ({ data }) => {
  if (data !== "report" || !counters) return;
  const words = [];
  for (let i = 0; counters[`ran${i}`]; i++) words.push(counters[`ran${i}`].value);
  channel.postMessage(words);
};
"""
ASK = """async ([asked, latest]) => {
  const job = engine.ask(asked);
  const late = setTimeout(() => job.cancel(), latest);
  const end = await job.promise.then(() => "result", ({ kind }) => kind);
  clearTimeout(late);
  return end;
}"""
REPORT = """() => new Promise((resolve) => {
  const channel = new BroadcastChannel("ran");
  const reports = [];
  channel.onmessage = ({ data }) => Array.isArray(data) && reports.push(data);
  channel.postMessage("report");
  setTimeout(() => resolve(reports), 2000);
})"""
KEEP_IMAGE = """async (name) => {
  const cache = await caches.open("image");
  await cache.put(new URL(name, document.baseURI), await fetch(new URL(name, document.baseURI)));
}"""


def questions(seed: int) -> list[dict[str, Any]]:
    """Every sample, every question recorded from the page, and ones drawn with a seed."""
    found: list[dict[str, Any]] = []
    for desk in desks.available():
        samples = json.loads((ROOT / f"web/docs/samples/{desk}.json").read_text())
        recorded = json.loads((ROOT / f"tests/vectors/page_answers_{desk}.json").read_text())
        for one in (*samples, *(each["ask"] for each in recorded)):
            asked = {name: one.get(name, {}) for name in ("position", "options")}
            found.append({"desk": desk, "want": one["want"], **asked})
        dice, known = random.Random(seed), [*fuzz.texts(desk), *TEXTS]
        found += [fuzz.request(desk, known, dice) for _ in range(DRAWN)]
    return found


def probe_site(folder: Path) -> None:
    """The built page with the module that notes what runs."""
    shutil.copytree(ROOT / "dist", folder, dirs_exist_ok=True)
    probe = folder / "probe"
    _thin("probe", WHOLE, probe)
    packed = gzip.compress(probe.read_bytes(), 1)
    probe.unlink()
    (folder / "pyodide/runtime.bin").write_bytes(packed)
    for script in folder.rglob("*.js"):
        text = script.read_text()
        size = re.sub(r'("pyodide/runtime\.bin": ?)\d+', rf"\g<1>{len(packed)}", text)
        if script.name == "worker.js" and script.parent.name == "engine":
            size = LISTEN + size
        if size != text:
            script.write_text(size)


def record(page: Page, address: str, image: str, seed: int) -> set[int]:
    """The functions that ran in starts from the files and from the image, with all questions."""
    page.route("**/vercel.json", lambda r: r.fulfill(body=EMPTY, content_type="text/html"))
    ran: set[int] = set()
    for start in ("files", "image"):
        page.goto(address + "vercel.json")
        if start == "image":
            page.evaluate(KEEP_IMAGE, image)
            page.reload()
        ready = page.evaluate(ENGINE)
        assert "desks" in ready, ready
        ends: dict[str, int] = {}
        for asked in questions(seed):
            end = page.evaluate(ASK, [asked, LATEST])
            ends[end] = ends.get(end, 0) + 1
        for words in page.evaluate(REPORT):
            ran |= {
                32 * i + bit for i, word in enumerate(words) for bit in range(32) if word >> bit & 1
            }
        print(f"started from the {start}: {ends}, {len(ran)} functions", flush=True)
    return ran


def _thin(*arguments: object) -> None:
    command = ["node", str(HERE / "site/thin.mjs"), *map(str, arguments)]
    subprocess.run(command, check=True, timeout=600)


def main() -> int:
    """Record and write the profile."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--add", action="store_true", help="keep what the present profile has")
    parser.add_argument("--seed", type=int, default=20_261_126, help="of the drawn requests")
    options = parser.parse_args()
    image = next((ROOT / "dist/pyodide").glob("image-*.bin")).name
    with tempfile.TemporaryDirectory() as name, sync_playwright() as play:
        folder = Path(name) / "site"
        probe_site(folder)
        path = HEADLESS_SHELL if HEADLESS_SHELL.exists() else None
        browser = play.chromium.launch(args=FLAGS, executable_path=path)
        with hosted(folder) as address:
            page = browser.new_page(service_workers="block")
            page.set_default_timeout(300_000)
            ran = record(page, address, f"pyodide/{image}", options.seed)
        browser.close()
        if options.add:
            ran |= _kept(PROFILE.read_text())
        listed = Path(name) / "ran.json"
        listed.write_text(json.dumps(sorted(ran)))
        _thin("profile", WHOLE, listed, PROFILE)
    return 0


def _kept(profile: str) -> set[int]:
    """The functions of a profile."""
    ranges = [word.split("-") for word in profile.split("\n", 1)[1].split()]
    return {i for one in ranges for i in range(int(one[0]), int(one[-1]) + 1)}


if __name__ == "__main__":
    sys.exit(main())
