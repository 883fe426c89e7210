"""The page on every kind of static host: it works, or shows the reason why it does not."""

import re
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from browser import ADVICE, DIST, RUNTIME_FILE, Watch, open_engine, served
from hosts import NGINX, NO_WASM, PLAIN_WASM, STOCK_NGINX, hosted, stock_nginx

pytestmark = pytest.mark.own_worker

NOSNIFF = {"X-Content-Type-Options": "nosniff"}


def plays(page: Page, address: str) -> None:
    page.goto(address + "#/code")
    expect(page.locator(ADVICE).first).to_be_visible()


@pytest.fixture
def guest(context: BrowserContext) -> Page:
    context.set_default_timeout(20_000)
    return context.new_page()


# What plays everywhere ------------------------------------------------------------------------


# Each opens the site on a host; the argument is an empty folder.
PLACES: dict[str, Callable[[Path], AbstractContextManager[str]]] = {
    "the policy as a header": lambda _: served(policy="full"),
    "no policy header": lambda _: served(policy="none"),
    "a folder of a host": lambda _: served(under="/games/cluewise"),
    "the types of a stock nginx": lambda _: hosted(types=STOCK_NGINX),
    "the same and nosniff": lambda _: hosted(types=STOCK_NGINX, headers=NOSNIFF),
    "no type for wasm": lambda _: hosted(types=NO_WASM),
    "wasm as text, nosniff": lambda _: hosted(types=PLAIN_WASM, headers=NOSNIFF),
    "HTTP 1.0 without lengths": lambda _: hosted(protocol="HTTP/1.0"),
    "a page in place of what is missing": lambda _: hosted(page_instead=True),
    "a slow line": lambda _: hosted(rate=6e6),
    "compressed files": lambda _: hosted(zipped=True),
    "compressed, far away": lambda _: hosted(zipped=True, delay=0.06),
    "a stock nginx": stock_nginx,
}


@pytest.mark.sampled(6)
@pytest.mark.parametrize("place", PLACES)
def test_page_works_on_host(place: str, watched: Callable[..., Page], tmp_path: Path) -> None:
    if PLACES[place] is stock_nginx and not NGINX.exists():
        pytest.skip("this machine has no nginx")
    with PLACES[place](tmp_path) as address:
        page = watched(address)
        plays(page, address)
        page.close()


def test_first_advice_needs_no_file_of_python(guest: Page) -> None:
    """All of them stand still half-way: they must not take every connection from the desk's own."""
    with hosted(stall=r"^(kernel\.wasm|pyodide/.*\.(wasm|bin|whl|json))$") as address:
        plays(guest, address)


# Storage -----------------------------------------------------------------------------------------


def test_page_works_with_full_storage_and_reports_it(guest: Page, site: str) -> None:
    line = guest.context.new_cdp_session(guest)
    line.send("Storage.overrideQuotaForOrigin", {"origin": site.rstrip("/"), "quotaSize": 1000})
    guest.goto(site + "#/code")
    guest.keyboard.type("001111")
    guest.keyboard.press("Enter")
    expect(guest.locator(".guess")).to_have_count(1)
    expect(guest.locator("body")).to_contain_text("Storage is off in this browser")
    expect(guest.locator(ADVICE).first).to_be_visible()


# Failures have a message -------------------------------------------------------------------------


def test_page_opened_as_a_file_explains_what_to_do(guest: Page) -> None:
    guest.goto((DIST / "index.html").as_uri() + "#/code")
    expect(guest.locator("#desk")).to_contain_text("opened as a file")
    expect(guest.locator("#desk")).to_contain_text("python3 -m http.server")
    guest.goto((DIST / "console.html").as_uri())
    expect(guest.locator("body")).to_contain_text("opened as a file")


@pytest.mark.parametrize("shared", [False, True], ids=["closed host", "host open to all"])
def test_page_in_a_sandboxed_frame_explains_what_to_do(shared: bool, guest: Page) -> None:
    frame = '<!doctype html><iframe sandbox="allow-scripts" src="index.html#/code"></iframe>'
    guest.route("**/frame.html", lambda r: r.fulfill(body=frame, content_type="text/html"))
    with hosted(headers={"Access-Control-Allow-Origin": "*"} if shared else {}) as address:
        guest.goto(address + "frame.html")
        inside = guest.frame_locator("iframe").locator("body")
        if shared:  # then the board is there, and only Python is not
            expect(inside).to_contain_text("The board, undo and links still work")
            expect(inside).to_contain_text("It needs a worker, which this frame forbids")
            return
        expect(inside).to_contain_text("sandbox without allow-same-origin")
        link = guest.frame_locator("iframe").get_by_role("link", name=address)
        expect(link).to_have_attribute("href", re.compile(re.escape(address)))


def test_missing_script_is_named(guest: Page) -> None:
    early = re.findall(r'rel="modulepreload" href="(.+?)"', (DIST / "index.html").read_text())
    assert early[0] == "app.js"
    for name in (early[0], early[-1]):
        with hosted(missing=f"^{name}$") as address:
            guest.goto(address + "#/code")
            expect(guest.locator("#desk")).to_contain_text(f"{name} is missing")


def test_missing_script_of_a_desk_is_named_and_other_desks_work(guest: Page) -> None:
    with hosted(missing="^desks/rack/page.js$") as address:
        guest.goto(address + "#/rack")
        expect(guest.locator("body")).to_contain_text("desks/rack/page.js could not be fetched")
        guest.get_by_role("link", name="Mastermind").first.click()
        expect(guest.locator(ADVICE).first).to_be_visible()


def test_scripts_with_a_wrong_type_are_named(guest: Page) -> None:
    types = {**STOCK_NGINX, ".js": "application/octet-stream"}
    with hosted(types=types) as address:
        guest.goto(address + "#/code")
        expect(guest.locator("#desk")).to_contain_text(".js as “application/octet-stream”")
    with hosted(types=types, headers=NOSNIFF) as address:  # not one script runs there
        guest.goto(address + "#/code")
        expect(guest.get_by_text("must send files that end in .js")).to_be_visible()


def test_page_without_scripts_shows_a_message(guest: Page) -> None:
    with hosted(headers={"Content-Security-Policy": "script-src 'none'"}) as address:
        guest.goto(address + "#/code")
        expect(guest.get_by_text("the browser must allow scripts")).to_be_visible()


def test_missing_worker_script_is_named_at_once_and_can_be_retried(guest: Page, site: str) -> None:
    guest.route(re.compile("/engine/worker.js$"), lambda route: route.fulfill(status=404))
    fault = open_engine(guest, site)
    assert fault["kind"] == "host"
    assert "engine/worker.js could not be fetched: the site answers 404" in fault["message"]
    guest.unroute_all()
    assert "desks" in guest.evaluate("() => { engine.restart(); return engine.ready; }")


def test_policy_without_webassembly_is_named_as_the_reason(page: Page, watch: Watch) -> None:
    watch.allow("WebAssembly|wasm|127.0.0.1")
    with served(policy="no-wasm") as address:
        fault = open_engine(page, address)
        assert fault["kind"] == "host"
        assert "'wasm-unsafe-eval'" in fault["message"]
        page.goto(address + "#/code")
        expect(page.locator("body")).to_contain_text("not allowed to use WebAssembly")


def test_stalled_download_ends_with_a_message(guest: Page) -> None:
    guest.clock.install()
    with hosted(stall=RUNTIME_FILE) as address:
        guest.goto(address + "#/code")
        came = re.compile(r"^(6[5-9]|7\d|8[0-4])$")  # all but the second half of the largest file
        expect(guest.locator(".phase")).to_have_attribute("aria-valuenow", came)
        guest.clock.run_for(70_000)
        expect(guest.locator("body")).to_contain_text("it did not respond for a minute")
        guest.keyboard.press("3")
        expect(guest.locator(".slot").first).to_contain_text("3")
