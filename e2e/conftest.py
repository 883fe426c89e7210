"""The built site in a real browser: the fixtures of every end-to-end test.

    def test_a_thing(page, site):
        page.goto(site + "#/code")

`page` fails its test on any console error or warning, uncaught error, policy violation or request
to another origin. A test that provokes one allows it first: `watch.allow("could not be fetched")`.
Waits end after WAIT milliseconds.

Tests with many cases run a daily sample (tests/selection.py): `@pytest.mark.sampled(n)`. Pages
share started workers (worker_pool.py) unless the test has the marker `own_worker`, and have no
service worker unless it has the marker `service_worker`.
"""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, BrowserType, Page, Playwright, expect

from browser import (
    CHROMIUM,
    DIST,
    FIREFOX,
    FLAGS,
    HEADLESS_SHELL,
    WAIT,
    KeptPages,
    Watch,
    open_context,
    origin_of,
    served,
)
from worker_pool import PoolServer, open_pool, stand_in

expect.set_options(timeout=WAIT)
pytest_plugins = ["selection"]


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--own-workers`: pages share no workers, as in `make test-long`."""
    parser.addoption("--own-workers", action="store_true", help="every page starts its own worker")


@pytest.fixture(scope="session")
def site() -> Iterator[str]:
    """Serve the built site; its address."""
    assert (DIST / "index.html").exists(), "there is no dist/: run make dist"
    with served(PoolServer) as address:
        yield address


@pytest.fixture(scope="session")
def browser_type_launch_args() -> dict[str, Any]:
    """Use Debian's headless shell or Chromium if installed, otherwise Playwright's own."""
    found = next((path for path in (HEADLESS_SHELL, CHROMIUM) if path.exists()), None)
    return {"args": FLAGS, "timeout": WAIT} | ({"executable_path": str(found)} if found else {})


@pytest.fixture(scope="session")
def full_browser(browser_type: BrowserType) -> Iterator[Browser]:
    """Full Chromium, as users have it: the headless shell renders text differently."""
    path = str(CHROMIUM) if CHROMIUM.exists() else None
    browser = browser_type.launch(args=FLAGS, timeout=WAIT, executable_path=path)
    yield browser
    browser.close()


@pytest.fixture(scope="session")
def worker_pool(browser: Browser, site: str) -> Iterator[str]:
    """The script that lets a page use the pool's workers."""
    with open_pool(browser, site):
        yield stand_in(site)


@pytest.fixture
def new_context(
    new_context: Callable[..., BrowserContext], request: pytest.FixtureRequest
) -> Callable[..., BrowserContext]:
    """Contexts that are closed after the test: the plugin's fixture, and the markers."""
    return lambda **options: open_context(new_context, request, **options)


@pytest.fixture
def watch(context: BrowserContext, site: str) -> Iterator[Watch]:
    """The context's watch; complaints fail the test at its end."""
    one = Watch(context, origin_of(site))
    yield one
    assert one.complaints() == []


@pytest.fixture
def page(context: BrowserContext, watch: Watch) -> Page:
    """A watched page; a test may open more from its context."""
    return context.new_page()


@pytest.fixture
def watched(new_context: Callable[..., BrowserContext]) -> Iterator[Callable[..., Page]]:
    """Pages in contexts of their own: `watched(address, viewport=…)`, each watched as `page` is."""
    watches: list[Watch] = []

    def open_page(address: str, **options: Any) -> Page:
        context = new_context(**options)
        watches.append(Watch(context, origin_of(address)))
        page = context.new_page()
        page.goto(address)
        return page

    yield open_page
    assert [x for one in watches for x in one.complaints()] == []


@pytest.fixture(scope="module")
def module_pages(
    browser: Browser, site: str, request: pytest.FixtureRequest
) -> Iterator[KeptPages]:
    """The module's pages; tests take `kept_page`."""
    pages = KeptPages(lambda **options: open_context(browser.new_context, request, **options), site)
    yield pages
    pages.close()


@pytest.fixture
def kept_page(module_pages: KeptPages) -> Iterator[KeptPages]:
    """`kept_page(viewport=…)`: a page of the module, which must not complain during this test."""
    yield module_pages
    assert module_pages.complaints() == []


@pytest.fixture
def fox(playwright: Playwright, site: str) -> Iterator[Page]:
    """A page at home in Firefox, which must not complain."""
    if not FIREFOX.exists():
        pytest.skip("this machine has no Firefox")
    browser = playwright.firefox.launch(
        channel="moz-firefox", executable_path=str(FIREFOX), timeout=3 * WAIT
    )
    context = browser.new_context(viewport={"width": 1200, "height": 900})
    context.set_default_timeout(2 * WAIT)
    watch = Watch(context, site)
    page = context.new_page()
    page.goto(site)
    yield page
    assert watch.complaints() == []
    browser.close()
