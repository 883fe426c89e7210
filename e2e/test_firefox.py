"""The same page in Firefox: it starts, advises, and takes a clue by keyboard."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Playwright, expect

from browser import WAIT, Watch

FIREFOX = Path("/usr/bin/firefox-esr")


@pytest.mark.skipif(not FIREFOX.exists(), reason="this machine has no Firefox")
def test_the_page_advises_in_firefox(playwright: Playwright, site: str) -> None:
    browser = playwright.firefox.launch(
        channel="moz-firefox", executable_path=str(FIREFOX), timeout=3 * WAIT
    )
    try:
        context = browser.new_context()
        context.set_default_timeout(2 * WAIT)
        watch = Watch(context, site)
        page = context.new_page()
        page.goto(site + "#/code")
        expect(page.locator("#desk")).to_contain_text("bits", timeout=2 * WAIT)
        assert watch.complaints() == []
    finally:
        browser.close()
