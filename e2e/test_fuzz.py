"""Mutated links and pasted texts on the page with Python behind it: never an error or a blank."""

from __future__ import annotations

import random
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from browser import PASTED
from cluewise import desks, links, service
from contract import fuzz

pytestmark = pytest.mark.long
EVERY = pytest.mark.parametrize("desk", desks.available())
SCRIPT = """async () => {
  const { encode } = await import(new URL("session/link.js", document.baseURI));
  const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  // Open a link as the address bar would, and let its answers come.
  globalThis.visit = async (desk, given) => {
    const text = typeof given === "string" ? given : await encode(desk, given);
    location.hash = text.replace(/^[^#]*/, "");
    await pause(200);
  };
  globalThis.bring = async (text) => {
    paste(text);
    await pause(150);
  };
  const paste = PASTED;
  // Why the page is blank or broken, or nothing.
  globalThis.blank = () => {
    const desk = document.getElementById("desk");
    if (desk.textContent.trim().length < 20) return "the desk is empty";
    const broken = /could not be drawn|undefined|NaN|\\[object/.exec(document.body.innerText);
    return broken ? `it says ${broken[0]}` : "";
  };
}""".replace("PASTED", PASTED)
WHOLE = max(fuzz.MUTATIONS // 40, 5)


def links_of(desk: str, dice: random.Random, count: int) -> list[Any]:
    """Half of them positions that the page puts into a link, half changed links."""
    read = desks.load(desk)
    whole = [links.encode(service.read_position(read, p)) for p in fuzz.BASES[desk]]
    return [
        fuzz.text(whole, dice) if dice.random() < 0.5 else fuzz.position(desk, dice)
        for _ in range(count)
    ]


@EVERY
def test_the_whole_page_stands_whatever_it_is_brought(page: Page, site: str, desk: str) -> None:
    dice = random.Random(8)
    known = fuzz.texts(desk)
    page.goto(f"{site}#/{desk}")
    expect(page.locator("#desk h1").first).to_be_visible()
    expect(page.locator(".phase")).to_have_count(0)
    page.evaluate(SCRIPT)
    for one in links_of(desk, dice, WHOLE):
        page.evaluate("x => visit(x.desk, x.link)", {"desk": desk, "link": one})
        assert page.evaluate("blank()") == "", one
        page.evaluate("text => bring(text)", fuzz.text(known, dice))
        assert page.evaluate("blank()") == "", one
        page.keyboard.press("Escape")
