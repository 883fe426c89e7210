"""Eyes and ears: axe-core finds nothing on any desk, in any theme, palette or state."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

ROOT = Path(__file__).resolve().parents[1]
AXE = ROOT / "node_modules" / "axe-core" / "axe.min.js"
DESKS = re.findall(r"^  (\w+): \{$", (ROOT / "web/desks/index.js").read_text(), flags=re.MULTILINE)


def violations(page: Page) -> list[str]:
    """What axe-core finds, a line each: the rule and where."""
    page.evaluate(AXE.read_text())
    found: dict[str, Any] = page.evaluate("axe.run({resultTypes: ['violations']})")
    return [
        f"{rule['id']}: {node['target']} {node['failureSummary']}"
        for rule in found["violations"]
        for node in rule["nodes"]
    ]


def settled(page: Page) -> None:
    """Everything asked has been answered."""
    expect(page.locator("#desk h1").first).to_be_visible()
    expect(page.locator(".phase")).to_have_count(0)
    expect(page.locator(".quiet", has_text="…")).to_have_count(0)


@pytest.mark.parametrize("palette", ["", "clear"])
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("desk", DESKS)
def test_a_desk_has_no_violation(
    page: Page, site: str, desk: str, theme: str, palette: str
) -> None:
    page.add_init_script(
        f"localStorage.setItem('cluewise.theme', '{theme}');"
        f"localStorage.setItem('cluewise.palette', '{palette}')"
    )
    page.goto(f"{site}#/{desk}")
    settled(page)
    assert violations(page) == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_home_page_has_no_violation(page: Page, site: str, theme: str) -> None:
    page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]  # both are its names
    page.goto(site)
    expect(page.locator(".examples li").first).to_be_visible()
    assert violations(page) == []


@pytest.mark.parametrize("item", ["Settings", "Saved positions", "All steps", "Suppose…", "Help"])
def test_the_dialogs_have_no_violation(page: Page, site: str, item: str) -> None:
    page.goto(site + "#/code")
    settled(page)
    page.get_by_role("button", name="Menu").click()
    page.locator("dialog").get_by_text(item, exact=True).click()
    expect(page.locator("dialog")).to_be_visible()
    assert violations(page) == []


def test_a_contradiction_has_no_violation(page: Page, site: str) -> None:
    page.goto(site + "#/code")
    for row in ("001100", "010121"):
        page.keyboard.type(row)
        page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_be_visible()
    assert violations(page) == []


@pytest.mark.parametrize("width", [360, 390, 820, 1440])
@pytest.mark.parametrize("desk", DESKS)
def test_no_page_scrolls_sideways(
    watched: Callable[..., Page], site: str, desk: str, width: int
) -> None:
    page = watched(f"{site}#/{desk}", viewport={"width": width, "height": 900})
    settled(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_two_hundred_per_cent_zoom_keeps_everything_reachable(
    watched: Callable[..., Page], site: str
) -> None:
    # 200 % zoom of a 1280 px window is a 640 px one with twice the pixels.
    page = watched(site + "#/code", viewport={"width": 640, "height": 450}, device_scale_factor=2)
    settled(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 640


def test_touch_targets_are_large_enough(watched: Callable[..., Page], site: str) -> None:
    page = watched(site + "#/code", viewport={"width": 390, "height": 844}, has_touch=True)
    settled(page)
    small = page.evaluate(
        """() => {
             // A word within a text reaches further than its letters: ::after lies over it.
             const reach = (e) => Math.max(e.getBoundingClientRect().height,
               parseFloat(getComputedStyle(e, "::after").height) || 0);
             return [...document.querySelectorAll("button, summary, .bottom a")]
             .filter(e => e.offsetParent && !e.matches(".answer, .skip"))
             .map(e => [e.textContent.trim(), e.getBoundingClientRect(), reach(e)])
             .filter(([, box, tall]) => box.height > 0 && (tall < 38 || box.width < 38))
             .map(([text]) => text)}"""
    )
    assert small == []
