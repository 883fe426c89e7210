"""The built site in a real browser: the fixtures of every end-to-end test.

    def test_a_thing(page, site):
        page.goto(site + "#/code")

`page` fails its test on any console error or warning, uncaught error, policy violation or
request to another origin, whatever the test itself looks at; a test that provokes one on purpose
says so first: `watch.allow("could not be fetched")`. Waits end after WAIT milliseconds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from browser import CHROMIUM, DIST, FLAGS, ROOT, WAIT, Watch, origin_of, served
from second_tries import noted

expect.set_options(timeout=WAIT)

RECORD = ROOT / ".cache" / "second-tries.json"
TRIES = pytest.StashKey[list[str]]()


def pytest_configure(config: pytest.Config) -> None:
    """The run's second tries are collected where the reports of all workers arrive."""
    if not hasattr(config, "workerinput"):
        config.stash[TRIES] = []
        config.pluginmanager.register(_Collector(config.stash[TRIES]))


class _Collector:
    def __init__(self, tries: list[str]) -> None:
        self._tries = tries

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.outcome == "rerun":  # type: ignore[comparison-overlap]  # pytest-rerunfailures
            self._tries.append(report.nodeid)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """A test that needed a second try twice in the last ten runs fails this one."""
    tries = session.config.stash.get(TRIES, None)
    if tries is None or not session.config.getoption("reruns", None):
        return
    for name in noted(RECORD, tries):
        print(f"\n{name} needed a second try twice in ten runs: mend it.")
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


@pytest.fixture(scope="session")
def site() -> Iterator[str]:
    """The address of the built site."""
    assert (DIST / "index.html").exists(), "there is no dist/: run make dist"
    with served() as address:
        yield address


@pytest.fixture(scope="session")
def browser_type_launch_args() -> dict[str, Any]:
    """Debian's Chromium where it is, otherwise Playwright's own."""
    found = {"executable_path": str(CHROMIUM)} if CHROMIUM.exists() else {}
    return {"args": FLAGS, "timeout": WAIT, **found}


@pytest.fixture
def watch(context: BrowserContext, site: str) -> Iterator[Watch]:
    """What the context complains of; a complaint fails the test when it is over."""
    one = Watch(context, origin_of(site))
    yield one
    assert one.complaints() == []


@pytest.fixture
def page(context: BrowserContext, watch: Watch) -> Page:
    """A page that is watched and never waits for long; a test may open more from its context."""
    context.set_default_timeout(WAIT)
    return context.new_page()


@pytest.fixture
def watched(browser: Browser) -> Iterator[Callable[..., Page]]:
    """Pages in contexts of their own: `watched(address, viewport=…)`, each watched as `page` is."""
    watches: list[Watch] = []
    contexts: list[BrowserContext] = []

    def open_page(address: str, **options: Any) -> Page:
        context = browser.new_context(**options)
        context.set_default_timeout(WAIT)
        contexts.append(context)
        watches.append(Watch(context, origin_of(address)))
        page = context.new_page()
        page.goto(address)
        return page

    yield open_page
    complaints = [x for one in watches for x in one.complaints()]
    for context in contexts:
        context.close()
    assert complaints == []
