"""Later visits restore the build's snapshot of Python's memory and give the same answers."""

import gzip
import json
import struct
from base64 import b64encode

import pytest
from playwright.sync_api import Page

from browser import DIST, KEPT, ROOT, RUNTIME_FILE, KeptPages, open_engine, until
from cluewise import desks, service
from selection import sample

pytestmark = [pytest.mark.own_worker, pytest.mark.service_worker]

SNAPSHOT = next((DIST / "pyodide").glob("snapshot-*.bin"))
NAME = f"pyodide/{SNAPSHOT.name}"
FORGET = """async (name) => {
  for (const key of await caches.keys())
    await (await caches.open(key)).delete(new URL(name, document.baseURI));
}"""
ASKED = "async (asked) => JSON.stringify(await ask(...asked))"
FETCHED = "performance.getEntriesByType('resource').map(({ name }) => name.split('/').at(-1))"
RESTORED = "performance.getEntriesByName('python_from_snapshot').length"


@pytest.fixture(scope="module")
def visited(module_pages: KeptPages) -> Page:
    page = module_pages("#/code")
    until(page, KEPT, NAME)
    return page


@pytest.fixture
def later(visited: Page, kept_page: KeptPages) -> Page:
    """The module's page, which must not complain during a test."""
    return visited


def test_samples_are_answered_from_the_snapshot_as_in_the_terminal(later: Page, site: str) -> None:
    open_engine(later, site, policy=None)
    assert later.workers[-1].evaluate(RESTORED) == 1
    assert RUNTIME_FILE.replace(".bin", ".wasm") in later.evaluate(FETCHED)
    for asked in sample(samples(), 7, kind="samples of the contract"):
        answer = json.loads(later.evaluate(ASKED, asked))
        desk, want, position, options = asked
        request = {"desk": desk, "want": want, "position": position, "options": options}
        assert answer["result"] == service.run(request), asked[:2]


def samples() -> list[list[object]]:
    """Desk, verb, position and options of every sample of the contract."""
    return [
        [desk, sample["want"], sample.get("position", {}), sample.get("options", {})]
        for desk in desks.available()
        for sample in json.loads((ROOT / f"web/docs/samples/{desk}.json").read_text())
    ]


def damaged() -> dict[str, bytes]:
    """What may lie there in place of the snapshot."""
    good = gzip.decompress(SNAPSHOT.read_bytes())
    head, count = struct.unpack_from("<2I", good, 8)
    body = 16 + head + 8 * count
    return {
        "no archive": b"<!doctype html>",
        "no snapshot": gzip.compress(b"word" * 1000, mtime=0),
        "cut short": gzip.compress(good[: len(good) // 2], 1, mtime=0),
        "an archive cut short": SNAPSHOT.read_bytes()[:100_000],
        "another Pyodide's": gzip.compress(good[:40] + b"x" * 20 + good[60:], 1, mtime=0),
        "nothing in memory": gzip.compress(good[:body] + bytes(len(good) - body), 1, mtime=0),
    }


def test_damaged_snapshot_is_deleted_and_the_files_are_used(later: Page, site: str) -> None:
    put = """async ([name, text]) => {
      const bytes = Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
      const cache = await caches.open("in its place");
      await cache.put(new URL(name, document.baseURI), new Response(bytes));
    }"""
    for what, data in sample(list(damaged().items()), 3, kind="damaged snapshots"):
        later.evaluate(FORGET, NAME)
        later.evaluate(put, [NAME, b64encode(data).decode()])
        ready = open_engine(later, site, policy=None)
        assert ready.get("desks") == list(desks.available()), (what, ready)
        assert later.workers[-1].evaluate(RESTORED) == 0, what
        assert not later.evaluate(KEPT, NAME), what
