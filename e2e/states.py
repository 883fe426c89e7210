"""The states in which pages are tested: each desk empty, in play, contradictory and finished."""

import json
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect
from playwright.sync_api import TimeoutError as PageError

from cluewise import desks

DESKS = list(desks.available())
NAMES = ["empty", "play", "doubt", "done"]

# "bench": the level editor with two pairs of corners that the clues do not decide.
_KNOWN = json.loads(Path(__file__).with_name("positions.json").read_text())
STATES: dict[str, dict[str, Any]] = _KNOWN["states"]
# Each desk's dialogs: the state, then the buttons to press.
DIALOGS: dict[str, list[list[str]]] = _KNOWN["dialogs"]

_OWN = """async ([desk, position]) => {
  const [{ page }, link, { complete }] = await Promise.all([
    import(`./desks/${desk}/page.js`), import("./session/link.js"), import("./validate.js")]);
  const { examples } = await import(`./desks/${desk}/examples.js`);
  const found = examples.find((one) => one.title === position)?.position ?? position;
  return link.encode(desk, complete(desk, found ?? page.initial()));
}"""
# The first example with every safe cell open and every mine flagged, from its seal.
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


# Selectors and texts of parts that are not yet answered or drawn.
_PENDING = """() => {
  const late = [
    ".phase", "#desk :is(.options, .left-box, .verdict, .grid-box).stale", "#desk [data-stale]",
    "#desk progress", "#desk [aria-busy=true]", "#desk:not([data-answers=current])",
  ].filter((one) => document.querySelector(one));
  if (!document.querySelector("#desk h1")?.getClientRects().length) late.push("no #desk h1");
  const loading = document.querySelector(".phase");
  if (loading) {
    const of = (name) => loading.getAttribute(name);
    late.push(`${of("aria-label")}: ${of("aria-valuenow")} %`);
    if (performance.getEntriesByName("python_missed").length) late.push("complete Pyodide");
  }
  const working = [...document.querySelectorAll(".quiet")];
  return late.concat(working.map((one) => one.textContent).filter((text) => text.includes("…")));
}"""


def settled(page: Page) -> None:
    """Wait until all requests are answered and drawn; a failure lists the pending parts."""
    try:
        page.wait_for_function(f"() => !({_PENDING})().length")
    except PageError as late:
        raise AssertionError(f"not settled: {page.evaluate(_PENDING)}") from late


# A section sends its request on the toggle event of the browser.
_UNFOLD = """() => Promise.all([...document.querySelectorAll("#desk details:not([open])")].map(
  (one) => new Promise((opened) => {
    one.addEventListener("toggle", opened, { once: true });
    one.open = true;
  })))"""


def unfold(page: Page) -> None:
    """Open every collapsed section of the desk and wait for the answers to their requests."""
    page.evaluate(_UNFOLD)
    settled(page)


def fragment_of(page: Page, desk: str, state: str) -> str:
    """Return `#/code/1/…`, encoded by the page's own code on any page of the site."""
    position = STATES[desk][state]
    if desk == "mines" and state == "done":
        return str(page.evaluate(_OPENED))
    return str(page.evaluate(_OWN, [desk, position]))


def show(page: Page, desk: str, state: str) -> None:
    """Show a state of a desk on the open page and wait until it is settled."""
    fragment = fragment_of(page, desk, state)
    page.evaluate("fragment => { location.hash = fragment }", fragment)
    expect(page.locator("#desk")).to_have_attribute("data-desk", desk)
    page.wait_for_function(
        "fragment => location.hash === fragment"
        " && document.documentElement.dataset.address === 'current'",
        arg=fragment,
    )
    settled(page)
