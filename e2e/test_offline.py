"""The page without a network, and the arrival of a newer build."""

import os
import re
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from shutil import copytree
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

from browser import ADVICE, DIST, ROOT, until
from browser import KEPT as STORED
from test_bar import advised_guess, answer_key
from wasm_build.site import files as site_files
from wasm_build.site.serve import Server

pytestmark = [pytest.mark.own_worker, pytest.mark.service_worker]

KEPT = """async () => {
  await navigator.serviceWorker.ready;
  return navigator.serviceWorker.controller !== null;
}"""


@pytest.fixture
def host(tmp_path: Path) -> Iterator[tuple[Server, Path]]:
    """A server of a copy of dist/ that a test may stop or change."""
    folder = tmp_path / "site"
    copytree(DIST, folder)
    server = Server(folder)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server, folder
    server.shutdown()
    server.server_close()


@pytest.mark.sampled(2, of="offline")
def test_second_visit_works_without_server_and_http_cache(
    host: tuple[Server, Path], watched: Callable[..., Page]
) -> None:
    server, _ = host
    page = watched(server.address + "#/code")
    until(page, KEPT)
    until(page, STORED, "pyodide.asm.bin")
    assert not page.evaluate(STORED, "numpy-"), "it is fetched when it is used"
    # Another app of the origin may delete the caches of all.
    page.evaluate("async () => { for (const key of await caches.keys()) caches.delete(key); }")
    page.context.set_offline(True)  # a connection that is kept would still be served
    server.shutdown()
    server.server_close()
    for _ in range(2):  # from the second copy, then from the caches that it has filled again
        page.goto("about:blank")
        page.goto(server.address + "#/code")
        expect(page.locator(ADVICE).first).to_be_visible()
    page.goto(f"{server.address}?text={quote('0011 1A1B')}")  # as the device's share sheet does
    expect(page.locator(".guess")).to_have_count(1)
    page.goto(server.address + "docs/theory.html")
    page.get_by_role("link", name="Open the desks").click()
    expect(page.locator("#desk h1").first).to_be_visible()
    page.close()


def newer(folder: Path) -> None:
    """Write another build to the folder: page and scripts of the desks have its version."""
    files = {p.relative_to(folder).as_posix(): p for p in folder.rglob("*") if p.is_file()}
    for name, path in files.items():
        if name == "app.js" or re.fullmatch(r"desks/\w+/page\.js|engine/worker\.js", name):
            path.write_text(f"(globalThis.newer ??= []).push('{name}');\n{path.read_text()}")
    data = {name: path.read_bytes() for name, path in files.items()}
    apart = set(data) - set(site_files.listed(data["sw.js"]))
    data["sw.js"] = (ROOT / "web" / "sw.js").read_bytes()
    (folder / "sw.js").write_bytes(site_files.with_precache(data, apart)["sw.js"])


def a_row(page: Page) -> int:
    """The advised guess goes into the log; how many rows there are then."""
    rows = page.locator(".guess")
    before = rows.count()
    advised_guess(page)
    answer_key(page, 1, 0).click()
    expect(rows).to_have_count(before + 1)
    return before + 1


# The installation of the current build of the host, next to the build in use.
UPDATED = """async () => {
  const registration = await navigator.serviceWorker.getRegistration();
  const begun = new Promise((resolve) =>
    registration.addEventListener("updatefound", () => resolve(registration.installing)));
  registration.update();
  const worker = await begun;
  return new Promise((resolve) => {
    worker.onstatechange = () => worker.state !== "installing" && resolve(worker.state);
  });
}"""


@pytest.mark.sampled(2, of="offline")
def test_incomplete_build_is_not_cached_and_each_tab_keeps_its_build(
    host: tuple[Server, Path], watched: Callable[..., Page]
) -> None:
    server, folder = host
    first = watched(server.address + "#/code")
    until(first, KEPT)
    second = first.context.new_page()
    second.goto(server.address + "#/code")
    expect(second.locator(ADVICE).first).to_be_visible()
    rows = [a_row(first), a_row(second)]  # each tab is in the middle of a game
    before, late = builds(first), (folder / "app.js").read_text()
    newer(folder)
    uploaded = (folder / "app.js").read_text()
    (folder / "app.js").write_text(late)  # the upload has not come to it
    assert first.evaluate(UPDATED) == "redundant"
    assert builds(first) == before
    (folder / "app.js").write_text(uploaded)
    after = time.time() + 2  # a host's dates are whole seconds
    os.utime(folder / "app.js", (after, after))
    assert first.evaluate(UPDATED) == "installed"
    expect(first.get_by_role("button", name="Load it now")).to_be_visible()
    assert first.evaluate("globalThis.newer ?? []") == []  # it is taken only on request
    with first.expect_navigation():
        first.get_by_role("button", name="Load it now").click()
    expect(first.locator(ADVICE).first).to_be_visible()
    expect(first.locator(".guess")).to_have_count(rows[0])
    assert first.evaluate("newer") == ["app.js", "desks/code/page.js"]
    assert first.workers[0].evaluate("newer") == ["engine/worker.js"]

    expect(second.locator("body")).to_contain_text("Another tab has loaded a new version")
    second.get_by_role("link", name="Bomb Busters").first.click()
    expect(second.locator("#desk[data-desk=rack] h1").first).to_be_visible()
    second.workers[0].evaluate("() => { setTimeout(() => { throw new Error('gone'); }, 0); }")
    expect(second.locator(".phase")).to_be_visible()
    expect(second.locator(".phase")).to_have_count(0)
    assert second.evaluate("globalThis.newer ?? []") == []
    assert second.workers[-1].evaluate("globalThis.newer ?? []") == []
    assert len(builds(first)) == 2

    with second.expect_navigation():
        second.get_by_role("button", name="Load it now").click()
    expect(second.locator("#desk[data-desk=rack] h1").first).to_be_visible()
    assert "desks/rack/page.js" in second.evaluate("newer")
    second.get_by_role("link", name="Mastermind").first.click()
    expect(second.locator(".guess")).to_have_count(rows[1])
    first.reload()
    expect(first.locator(ADVICE).first).to_be_visible()
    until(first, "async () => (await caches.keys()).length === 2")
    assert len(builds(first)) == 1
    first.close()
    second.close()


def builds(page: Page) -> list[str]:
    return [key for key in page.evaluate("caches.keys()") if not key.endswith(" pages")]
