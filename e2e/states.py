"""The states in which a page is looked at: each desk empty, in play, in doubt and done."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page, expect
from playwright.sync_api import TimeoutError as PageError

from cluewise import desks

DESKS = list(desks.available())
NAMES = ["empty", "play", "doubt", "done"]

_CUT = [{"wire": w, "state": "cut"} for w in "1122"]
_LOCK = "First lock (easy)"
STATES: dict[str, dict[str, Any]] = {
    "code": {
        "empty": {},
        "play": "Mastermind after 0011 1A1B",
        "doubt": "A contradiction",
        "done": {
            "clues": [
                {"guess": "0011", "exact": 1, "partial": 1},
                {"guess": "0203", "exact": 4, "partial": 0},
            ]
        },
    },
    "rack": {
        "empty": None,
        "play": "Mid-game with yellow and red",
        "doubt": "Five 7s",
        "done": {"wires": {"blue": [1, 2]}, "stands": [{"slots": _CUT}, {"slots": _CUT}]},
    },
    "scan": {
        "empty": {"range": 22, "spots": []},
        "play": {"region": 364, "observations": [{"at": [2990, 3390, 0], "pulse": 1}]},
        "doubt": "Two pulses that cannot both be true",
        "done": {"region": 364, "ruled_out": list(range(17))},
    },
    "mines": {
        "empty": _LOCK,
        "play": {
            "board": {"kind": "square", "width": 5, "height": 5, "total": 6},
            "revealed": [{"cell": 6, "number": 2}, {"cell": 12, "number": 3}],
            "flags": [7],
        },
        "doubt": "A contradiction",
        "done": None,
        # The author's bench: nothing says which of two corners of each pair has the mine.
        "bench": {
            "board": {
                "kind": "square",
                "width": 5,
                "height": 5,
                "rows": [1, 1, 1, 0, 0],
                "columns": [1, 1, 1, 0, 0],
                "total": 3,
            },
            "mines": [0, 6, 12],
        },
    },
    "sudoku": {
        "empty": {},
        "play": "Inkala's puzzle",
        "doubt": {"grids": ["11" + "." * 79, "." * 81]},
        "done": "One puzzle in disguise",
    },
}

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
