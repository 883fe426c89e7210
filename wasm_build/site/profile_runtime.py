"""Record which functions of Pyodide the page runs: `python -m wasm_build.site.profile_runtime`.

Chromium and Firefox open the built page with an instrumented module, whose functions record that
they ran. They start Python from the files and from the memory snapshot, import numpy, and ask
every sample of the contract, every question recorded from the page, and random requests to every
verb. runtime-profile.txt lists the functions that ran in any of these and those that site/thin.mjs
always keeps. Run it after `make dist`; it takes some minutes. `--add` keeps the functions of the
present profile; `--tests e2e/test_code.py` runs these tests instead of the questions.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import re
import shutil
import sys
import tempfile
import threading
from pathlib import Path
from typing import Any, ClassVar

import pytest
from playwright.sync_api import Page, sync_playwright

from cluewise import desks
from wasm_build.site import wheels
from wasm_build.stages import HERE, ROOT, node

sys.path[:0] = [str(ROOT / "e2e"), str(ROOT / "tests")]

# The tests' folders are on no path.
import browser  # noqa: E402
import worker_pool  # noqa: E402
from contract import fuzz  # noqa: E402

PROFILE = HERE / "site/runtime-profile.txt"
WHOLE = wheels.PYODIDE / "pyodide.asm.wasm"
RANDOM = 150  # random requests of each desk
TEXTS = [
    "É ß İ Ǆ ﬁ ① ２３４５ ٣٤٥٦ ἀθήνα Ωmega",
    "\ufeff1\u00a02\u2003三\u3000🀄",
]  # beyond Latin-1
LATEST = 3000  # ms after which a question is cancelled

ALONE = "alone.html"  # a page of the site that runs only the engine
# Prepended to the worker's script: sends the functions that have run to the server, and runs Python
# code that the page sends on a channel.
LISTEN = """
const [instantiate, request] = [WebAssembly.instantiate, fetch];
let counters;
WebAssembly.instantiate = async (...given) => {
  const made = await instantiate(...given);
  const { exports } = made.instance ?? made;
  if (exports.ran0) counters = exports;
  return made;
};
let sent = "";
setInterval(() => {
  const words = [];
  for (let i = 0; counters?.[`ran${i}`]; i++) words.push(counters[`ran${i}`].value);
  const body = JSON.stringify(words);
  if (body === sent) return;
  sent = body;
  request(new URL("../ran", import.meta.url), { method: "POST", body }).catch(() => {});
}, 500);
const channel = new BroadcastChannel("python");
async function run({ files, unpack, code }) {
  for (const name of files) {
    const { body } = await request(new URL(`../${name}`, import.meta.url));
    const packed = name.endsWith(".bin");
    const unzipped = packed ? body.pipeThrough(new DecompressionStream("gzip")) : body;
    const bytes = await new Response(unzipped).arrayBuffer();
    probed.FS.writeFile(`archive-${name.split("/").pop()}`, new Uint8Array(bytes));
    if (unpack) probed.unpackArchive(bytes, packed ? "zip" : name.split(".").pop());
  }
  await probed.runPythonAsync(code);
  return "imported";
}
channel.onmessage = async ({ data }) => channel.postMessage(await run(data).catch(String));
"""
RUN = """(job) => new Promise((resolve) => {
  const channel = new BroadcastChannel("python");
  channel.onmessage = ({ data }) => resolve(data);
  channel.postMessage(job);
})"""
EXTRACT = """
import glob, site, sys, zipfile
for name in glob.glob("archive-*"):
    zipfile.ZipFile(name).extractall(site.getsitepackages()[0])
sys.path_importer_cache.clear()
"""
# Every ufunc of numpy on every numeric type; products of matrices and other operations.
NUMPY = """
import warnings
import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
warnings.simplefilter("ignore")
for kind in np.typecodes["AllInteger"] + np.typecodes["AllFloat"] + "?":
    one = np.array([[0, 1, 2], [3, 4, 5], [6, 7, 101]]).astype(kind)
    for each in vars(np).values():
        if isinstance(each, np.ufunc):
            try:
                each(*[one] * each.nin)
                each.reduce(one)
            except Exception:
                pass
    one @ one, one.sum(), one.T.copy(), one.astype("float32"), np.einsum("ij,jk", one, one)
    np.sort(one), np.argsort(one, axis=None), np.unique(one), one.tolist(), repr(one)
many = np.frombuffer(bytes(range(256)) * 400, np.uint8).reshape(160, 640)
real = many.astype(np.float32) / 255
(real @ real.T).argmax(0), (real.astype(float) @ real.T).max(), real.mean(), real.std()
sliding_window_view(real, (5, 5)).reshape(-1, 25)[:50] @ np.ones((25, 4), np.float32)
np.pad(real, 2), np.cumsum(real, 0), np.where(real > 0.5, 1, 0), np.nonzero(many > 9)
np.percentile(real, [5, 95]), np.histogram(many, 64), np.bincount(many.ravel()), np.median(real)
np.linalg.inv(np.eye(3) + 1), np.linalg.svd(real[:9, :9]), np.linalg.solve(np.eye(8), np.ones(8))
np.linalg.lstsq(real[:9, :4], real[:9, 0]), np.random.default_rng(1).random(9)
np.save("one.npy", real), np.load("one.npy"), str(real), np.stack([real, real])
np.savez_compressed("two", real), np.load("two.npz")["arr_0"], many.tobytes()
"""
ASK = """async ([asked, latest]) => {
  const job = engine.ask(asked);
  const late = setTimeout(() => job.cancel(), latest);
  const end = await job.promise.then(() => "result", ({ kind }) => kind);
  clearTimeout(late);
  return end;
}"""
CACHE_SNAPSHOT = """async (name) => {
  const cache = await caches.open("snapshot");
  await cache.put(new URL(name, document.baseURI), await fetch(new URL(name, document.baseURI)));
}"""


def questions(seed: int, count: int) -> list[dict[str, Any]]:
    """Return all samples, questions of the tests and the page, and random requests of each desk."""
    found: list[dict[str, Any]] = []
    answers = json.loads((ROOT / "tests/vectors/answers.json").read_text())
    for desk in desks.available():
        samples = json.loads((ROOT / f"web/docs/samples/{desk}.json").read_text())
        recorded = json.loads((ROOT / f"tests/vectors/page_answers_{desk}.json").read_text())
        tested = [row for row in answers if row["ask"].get("desk") == desk and "want" in row["ask"]]
        for one in (*samples, *(each["ask"] for each in (*recorded, *tested))):
            asked = {name: one.get(name, {}) for name in ("position", "options")}
            found.append({"desk": desk, "want": one["want"], **asked})
        dice, known = random.Random(seed), [*fuzz.texts(desk), *TEXTS]
        found += [fuzz.request(desk, known, dice) for _ in range(count)]
    return found


def probe_site(folder: Path) -> None:
    """Copy the built page to the folder, with the instrumented module."""
    shutil.copytree(ROOT / "dist", folder, dirs_exist_ok=True)
    probe = folder / "probe"
    node("site/thin.mjs", "probe", WHOLE, probe)
    packed = gzip.compress(probe.read_bytes(), 1)
    probe.unlink()
    (folder / "pyodide/runtime.bin").write_bytes(packed)
    (folder / ALONE).write_text(browser.EMPTY)
    for script in folder.rglob("*.js"):
        text = script.read_text()
        size = re.sub(r'("pyodide/runtime\.bin": ?)\d+', rf"\g<1>{len(packed)}", text)
        if script.name == "worker.js" and script.parent.name == "engine":
            size = LISTEN + re.sub(
                r"(\w+)\.registerJsModule", r"(globalThis.probed = \1).registerJsModule", size
            )
        if size != text:
            script.write_text(size)


class Recorder(worker_pool.PoolHandler):
    """Serves the site and collects the functions that ran, which workers post to `ran`."""

    ran: ClassVar[set[int]] = set()
    lock = threading.Lock()

    def do_POST(self) -> None:  # noqa: N802 - the base class's name
        """Read a list of 32-bit words with a bit for each function."""
        if not self.path.endswith("/ran"):
            super().do_POST()
            return
        words = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        found = {32 * i + bit for i, w in enumerate(words) for bit in range(32) if w >> bit & 1}
        with self.lock:
            self.ran.update(found)
        self.send_response(204)
        self.end_headers()

    @classmethod
    def keep(cls) -> None:
        """Write the profile of the functions that ran so far."""
        with cls.lock, tempfile.NamedTemporaryFile("w", suffix=".json") as listed:
            listed.write(json.dumps(sorted(cls.ran)))
            listed.flush()
            node("site/thin.mjs", "profile", WHOLE, listed.name, PROFILE)


def record(page: Page, address: str, starts: dict[str, str], seed: int) -> None:
    """Start Python from the files and from the snapshot, ask all questions and import numpy."""
    files = [f"pyodide/{name}" for name in (wheels.numpy_wheel().name, "cluewise-pictures.bin")]
    for start, snapshot in starts.items():
        page.goto(address + ALONE)
        if snapshot:
            page.evaluate(CACHE_SNAPSHOT, snapshot)
            page.reload()
        ready = page.evaluate(browser.ENGINE)
        assert "desks" in ready, ready
        ends: dict[str, int] = {}
        for asked in questions(seed, RANDOM if start == "Chromium, files" else 10):
            end = page.evaluate(ASK, [asked, LATEST])
            ends[end] = ends.get(end, 0) + 1
        code = EXTRACT + NUMPY if snapshot else NUMPY
        imported = page.evaluate(RUN, {"files": files, "unpack": not snapshot, "code": code})
        page.wait_for_timeout(2000)  # the last report
        print(f"{start}: {ends}, numpy: {imported}, {len(Recorder.ran)} functions", flush=True)
        Recorder.keep()


def record_browsers(folder: Path, seed: int) -> None:
    """Record all questions in Chromium and in Firefox."""
    snapshot = next((folder / "pyodide").glob("snapshot-*.bin")).relative_to(folder).as_posix()
    path = browser.HEADLESS_SHELL if browser.HEADLESS_SHELL.exists() else None
    with browser.served(worker_pool.PoolServer) as address, sync_playwright() as play:
        chromium = play.chromium.launch(args=browser.FLAGS, executable_path=path)
        page = chromium.new_page(service_workers="block")
        page.set_default_timeout(300_000)
        record(page, address, {"Chromium, files": "", "Chromium, snapshot": snapshot}, seed)
        chromium.close()
        firefox = play.firefox.launch(
            channel="moz-firefox", executable_path=str(browser.FIREFOX), timeout=300_000
        )
        page = firefox.new_page()
        page.set_default_timeout(300_000)
        record(page, address, {"Firefox, files": "", "Firefox, snapshot": snapshot}, seed)
        firefox.close()


def record_tests(tests: list[str]) -> None:
    """Record these end-to-end tests; their results are ignored."""
    pytest.main(["-q", "-p", "no:cacheprovider", "--tb=line", *tests])
    print(f"{len(Recorder.ran)} functions", flush=True)
    Recorder.keep()


def main() -> int:
    """Record and write the profile."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument(
        "--add", action="store_true", help="keep the functions of the present profile"
    )
    parser.add_argument("--seed", type=int, default=20_261_126, help="of the random requests")
    parser.add_argument("--tests", nargs="+", help="end-to-end tests to record; implies --add")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "site"
        probe_site(folder)
        if options.add or options.tests:
            Recorder.ran |= _kept(PROFILE.read_text())
        browser.DIST, worker_pool.PoolServer.handler = folder, Recorder
        if options.tests:
            record_tests(options.tests)
        else:
            record_browsers(folder, options.seed)
    return 0


def _kept(profile: str) -> set[int]:
    """Return the functions of a profile."""
    ranges = [word.split("-") for word in profile.split("\n", 1)[1].split()]
    return {i for one in ranges for i in range(int(one[0]), int(one[-1]) + 1)}


if __name__ == "__main__":
    sys.exit(main())
