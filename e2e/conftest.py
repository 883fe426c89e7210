"""The built site in a real browser: the fixtures of every end-to-end test.

    def test_a_thing(page, site):
        page.goto(site + "#/code")

`page` fails its test on any console error or warning, uncaught error, policy violation or
request to another origin, whatever the test itself looks at; a test that provokes one on purpose
says so first: `watch.allow("could not be fetched")`. Waits end after WAIT milliseconds.

Pages share started workers (worker_pool.py) unless the test has the marker `own_worker`, and have
no service worker unless it has the marker `service_worker`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, BrowserType, Page, expect

from browser import CHROMIUM, DIST, FLAGS, HEADLESS_SHELL, WAIT, Watch, origin_of, served
from worker_pool import PoolServer, open_pool, stand_in

expect.set_options(timeout=WAIT)


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--own-workers`: nothing is shared, as in the long run."""
    parser.addoption("--own-workers", action="store_true", help="every page starts its own worker")


@pytest.fixture(scope="session")
def site() -> Iterator[str]:
    """The address of the built site."""
    assert (DIST / "index.html").exists(), "there is no dist/: run make dist"
    with served(PoolServer) as address:
        yield address


@pytest.fixture(scope="session")
def browser_type_launch_args() -> dict[str, Any]:
    """Debian's headless shell or Chromium where it is, otherwise Playwright's own."""
    found = next((path for path in (HEADLESS_SHELL, CHROMIUM) if path.exists()), None)
    return {"args": FLAGS, "timeout": WAIT} | ({"executable_path": str(found)} if found else {})


@pytest.fixture(scope="session")
def full_browser(browser_type: BrowserType) -> Iterator[Browser]:
    """Chromium as people have it: the headless shell draws letters in another way."""
    path = str(CHROMIUM) if CHROMIUM.exists() else None
    browser = browser_type.launch(args=FLAGS, timeout=WAIT, executable_path=path)
    yield browser
    browser.close()


@pytest.fixture(scope="session")
def worker_pool(browser: Browser, site: str) -> Iterator[str]:
    """The script that lets a page use the pool's workers."""
    with open_pool(browser, site):
        yield stand_in(site)


def open_context(
    opener: Callable[..., BrowserContext], request: pytest.FixtureRequest, **options: Any
) -> BrowserContext:
    """A context as the markers of the test or module want it: its workers, its service worker."""
    if request.node.get_closest_marker("service_worker") is None:
        options.setdefault("service_workers", "block")
    own_worker = request.node.get_closest_marker("own_worker") is not None
    script = "" if own_worker or request.config.getoption("own_workers") else pool_of(request)
    context = opener(**options)
    context.set_default_timeout(WAIT)
    if script:
        context.add_init_script(script)
    return context


def pool_of(request: pytest.FixtureRequest) -> str:
    """The pool's script; the pool starts with the first test that shares workers."""
    return str(request.getfixturevalue("worker_pool"))


@pytest.fixture
def new_context(
    new_context: Callable[..., BrowserContext], request: pytest.FixtureRequest
) -> Callable[..., BrowserContext]:
    """Contexts that are closed after the test: the plugin's fixture, and the markers."""
    return lambda **options: open_context(new_context, request, **options)


@pytest.fixture
def watch(context: BrowserContext, site: str) -> Iterator[Watch]:
    """What the context complains of; a complaint fails the test when it is over."""
    one = Watch(context, origin_of(site))
    yield one
    assert one.complaints() == []


@pytest.fixture
def page(context: BrowserContext, watch: Watch) -> Page:
    """A page that is watched and never waits for long; a test may open more from its context."""
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


class KeptPages:
    """Pages that live as long as a module, for tests that only bring them to a state and look.

    One page for each set of context options. What its context complains of fails the test that
    was running; a page that a failed test left with an open dialog is loaded again.
    """

    def __init__(self, open_one: Callable[..., BrowserContext], site: str) -> None:
        self._open = open_one
        self._site = site
        self._pages: dict[str, tuple[Page, Watch]] = {}

    def __call__(self, path: str = "", **options: Any) -> Page:
        """The page with these options; `path` is where it begins."""
        key = repr((path, sorted(options.items())))
        if key not in self._pages:
            context = self._open(**options)
            watch = Watch(context, origin_of(self._site))
            page = context.new_page()
            page.goto(self._site + path)
            self._pages[key] = page, watch
        page, _ = self._pages[key]
        if page.locator("dialog[open]").count():
            page.reload()
        return page

    def complaints(self) -> list[str]:
        """Everything since the last call."""
        return [one for _, watch in self._pages.values() for one in watch.complaints()]

    def close(self) -> None:
        """Close every context."""
        for page, _ in self._pages.values():
            page.context.close()


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
