"""The page without a network, and the arrival of a newer build."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from shutil import copytree

import pytest
from playwright.sync_api import Page, expect

from browser import DIST
from serve import Server

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


def test_the_second_visit_works_with_the_server_gone(
    host: tuple[Server, Path], watched: Callable[..., Page]
) -> None:
    server, _ = host
    page = watched(server.address + "#/code")
    page.wait_for_function(KEPT)
    server.shutdown()
    server.server_close()
    page.goto("about:blank")
    page.goto(server.address + "#/code")
    expect(page.locator("#desk")).to_contain_text("bits")
    page.close()


def test_a_newer_build_is_offered_and_taken_only_on_request(
    host: tuple[Server, Path], watched: Callable[..., Page]
) -> None:
    server, folder = host
    page = watched(server.address + "#/code")
    page.wait_for_function(KEPT)
    worker = folder / "sw.js"
    worker.write_text(worker.read_text().replace('const VERSION = "', 'const VERSION = "newer-'))
    page.evaluate("globalThis.mark = 'not reloaded'")
    page.evaluate("navigator.serviceWorker.getRegistration().then((r) => r.update())")
    offer = page.get_by_role("button", name="Load it now")
    expect(offer).to_be_visible()
    assert page.evaluate("globalThis.mark") == "not reloaded"
    with page.expect_navigation():
        offer.click()
    expect(page.locator("#desk")).to_contain_text("bits")
    assert all("newer-" in name for name in page.evaluate("caches.keys()"))
    page.close()
