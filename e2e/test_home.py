"""The home page: five small pictures that look like their desks, in every theme."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from cluewise import desks

# What a shape would be filled with if no sheet said anything: black, which no token is.
UNDRESSED = """() => [...document.querySelectorAll(".mini svg *")]
  .filter((e) => e instanceof SVGGeometryElement || e instanceof SVGTextElement)
  .filter((e) => getComputedStyle(e).fill === "rgb(0, 0, 0)")
  .map((e) => `${e.closest("a").hash} ${e.tagName}.${e.getAttribute("class")}`)"""


def at_home(page: Page, site: str) -> None:
    page.goto(site)
    expect(page.locator(".mini svg")).to_have_count(len(desks.available()))


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_small_pictures_have_the_colours_of_their_desks(
    page: Page, site: str, theme: str
) -> None:
    page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]  # both are its names
    at_home(page, site)
    assert page.evaluate(UNDRESSED) == []
