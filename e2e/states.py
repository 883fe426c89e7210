"""The states in which a page is looked at: each desk empty, in play, in doubt and done."""

import json
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect
from playwright.sync_api import TimeoutError as PageError

from cluewise import desks

DESKS = list(desks.available())
NAMES = ["empty", "play", "doubt", "done"]

# The bench is the author's: nothing says which of two corners of each pair has the mine.
_KNOWN = json.loads(Path(__file__).with_name("positions.json").read_text())
STATES: dict[str, dict[str, Any]] = _KNOWN["states"]
# A desk's dialogs: in which state, and what to press for them, one after the other.
DIALOGS: dict[str, list[list[str]]] = _KNOWN["dialogs"]

_OWN = """async ([desk, position]) => {
  const [{ page }, link, { complete }] = await Promise.all([
    import(`./desks/${desk}/page.js`), import("./session/link.js"), import("./validate.js")]);
  const { examples } = await import(`./desks/${desk}/examples.js`);
  const found = examples.find((one) => one.title === position)?.position ?? position;
  return link.encode(desk, complete(desk, found ?? page.initial()));
}"""
# The lock with every safe cell open and every mine flagged: what its seal says.
_OPENED = """async () => {
  const [{ page }, link, { examples }, { drawnOf }, { unseal }, { complete }] =
    await Promise.all([
      import("./desks/mines/page.js"), import("./session/link.js"),
      import("./desks/mines/examples.js"), import("./desks/mines/model.js"),
      import("./desks/mines/sealed-solution.js"), import("./validate.js")]);
  const position = page.accept(complete("mines", examples[0].position));
  const { mines } = await unseal(position);
  const { neighbours } = drawnOf(position);
  const count = (around) => around.filter((cell) => mines.has(cell)).length;
  const revealed = neighbours.map((around, cell) => ({ cell, number: count(around) }))
    .filter(({ cell }) => !mines.has(cell));
  const whole = { ...position, start: [], revealed, flags: [...mines] };
  return link.encode("mines", whole);
}"""


# What still has to be answered or drawn, as selectors.
_PENDING = """() => {
  const late = [
    ".phase", "#desk :is(.options, .left-box, .verdict, .grid-box).stale", "#desk [data-stale]",
    "#desk progress", "#desk [aria-busy=true]", "#desk:not([data-answers=current])",
  ].filter((one) => document.querySelector(one));
  if (!document.querySelector("#desk h1")?.getClientRects().length) late.push("no #desk h1");
  const working = [...document.querySelectorAll(".quiet")];
  return late.concat(working.map((one) => one.textContent).filter((text) => text.includes("…")));
}"""


def settled(page: Page) -> None:
    """Wait until everything asked has been answered; fail with what has not."""
    try:
        page.wait_for_function(f"() => !({_PENDING})().length")
    except PageError as late:
        raise AssertionError(f"not settled: {page.evaluate(_PENDING)}") from late


# A part asks its question when the browser reports that it is open.
_UNFOLD = """() => Promise.all([...document.querySelectorAll("#desk details:not([open])")].map(
  (one) => new Promise((opened) => {
    one.addEventListener("toggle", opened, { once: true });
    one.open = true;
  })))"""


def unfold(page: Page) -> None:
    """Open every closed part of the desk, and wait for the answers to what these parts ask."""
    page.evaluate(_UNFOLD)
    settled(page)


def fragment_of(page: Page, desk: str, state: str) -> str:
    """`#/code/1/…`, made by the page's own code; any page of the site will do."""
    position = STATES[desk][state]
    if desk == "mines" and state == "done":
        return str(page.evaluate(_OPENED))
    return str(page.evaluate(_OWN, [desk, position]))


def show(page: Page, desk: str, state: str) -> None:
    """Bring the open page to a state and wait until it is settled."""
    fragment = fragment_of(page, desk, state)
    page.evaluate("fragment => { location.hash = fragment }", fragment)
    expect(page.locator("#desk")).to_have_attribute("data-desk", desk)
    page.wait_for_function(
        "fragment => location.hash === fragment"
        " && document.documentElement.dataset.address === 'current'",
        arg=fragment,
    )
    settled(page)
