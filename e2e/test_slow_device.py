"""Links opened where the whole browser has a tenth of one processor core."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserType, Page, expect

from browser import CHROMIUM, FLAGS
from states import DESKS, fragment_of

SHARE = 0.1  # of one core
PERIOD = 100_000  # µs
PATIENCE = 900_000  # ms; the answer of one link takes two to four minutes, a busy machine more

# What the page said, and how many of its workers were replaced.
LISTEN = """
  globalThis.heard = new Set();
  globalThis.replaced = 0;
  const terminate = Worker.prototype.terminate;
  Worker.prototype.terminate = function () { replaced++; return terminate.call(this); };
  new MutationObserver(() => {
    for (const one of document.querySelectorAll(".notice, .note.risk, .advice-bar"))
      heard.add(one.innerText);
  }).observe(document, { childList: true, subtree: true, characterData: true });
"""
ANSWERED = ["advice", "equal", "estimated", "certain", "contradiction", "finished"]
UNTRUE = ("stopped the worker", "did not start", "No advice for this", "did not respond")


@pytest.fixture
def slow_browser(browser_type: BrowserType, tmp_path: Path) -> Iterator[Browser]:
    """Chromium in a control group of its own with SHARE of a core; skips where none can be made."""
    root = Path("/sys/fs/cgroup")
    old = (root / "cpu").is_dir()
    group = (root / "cpu" if old else root) / f"cluewise-{os.getpid()}"
    quota = int(SHARE * PERIOD)
    try:
        group.mkdir()
        if old:
            (group / "cpu.cfs_period_us").write_text(str(PERIOD))
            (group / "cpu.cfs_quota_us").write_text(str(quota))
        else:
            (group / "cpu.max").write_text(f"{quota} {PERIOD}")
    except OSError as problem:
        pytest.skip(f"this machine makes no control group: {problem}")
    members = group / ("tasks" if old else "cgroup.procs")
    start = tmp_path / "slow-chromium"
    start.write_text(f'#!/bin/sh\necho $$ > {members}\nexec {CHROMIUM} "$@"\n')
    start.chmod(0o755)
    browser = browser_type.launch(executable_path=start, args=FLAGS, timeout=PATIENCE)
    yield browser
    browser.close()
    group.rmdir()


@pytest.mark.long
@pytest.mark.skipif(not CHROMIUM.exists(), reason="the browser has to be started by a script")
def test_links_are_answered_on_a_slow_device_without_restart(
    slow_browser: Browser, page: Page, site: str
) -> None:
    page.goto(site)
    links = {d: fragment_of(page, d, "done" if d == "sudoku" else "play") for d in DESKS}
    page.close()
    for desk, fragment in links.items():
        context = slow_browser.new_context(viewport={"width": 390, "height": 844})
        context.set_default_timeout(PATIENCE)
        context.add_init_script(LISTEN)
        cold = context.new_page()
        cold.goto(site + fragment)
        bar = cold.locator(".advice-bar")
        expect(bar).to_be_visible(timeout=PATIENCE)
        if desk == "mines":
            cold.locator(".bar-act").click()
        states = "|".join(ANSWERED)
        cold.wait_for_function(
            f"() => /^({states})$/.test(document.querySelector('.advice-bar')?.dataset.state)"
        )
        found = cold.evaluate("({ heard: [...heard].join('\\n'), replaced })")
        assert found["replaced"] == 0, desk
        assert [text for text in UNTRUE if text in found["heard"]] == [], desk
        context.close()
