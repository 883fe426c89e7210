"""How the page starts: in phases, at the address that was typed, without a wait for Python."""

import re

import pytest
from playwright.sync_api import Page, Route, expect

from browser import RUNTIME_FILE, open_engine
from cluewise import desks

# What is advised there, in part; mines and sudoku ask nothing before somebody does.
FIRST = {"code": "360 equivalent", "rack": "1 with 71", "scan": "34.7"}


@pytest.mark.own_worker
def test_first_advice_and_input_need_no_python(page: Page, site: str) -> None:
    held: list[Route] = []
    page.route("**/pyodide/*", lambda route: held.append(route))
    for desk, advice in FIRST.items():
        page.goto("about:blank")
        page.goto(f"{site}#/{desk}")
        expect(page.locator("#desk")).to_contain_text(advice)
        expect(page.locator(".phase")).to_be_visible()
    page.goto(f"{site}#/code")
    expect(page.locator("#desk")).to_contain_text(FIRST["code"])
    page.keyboard.press("3")
    expect(page.locator(".slot").first).to_contain_text("3")
    assert held


# Asks the worker what the build has answered, and names the questions where they differ.
COMPARED = """async (desks) => {
  const plain = (arrays) => Object.fromEntries(
    Object.entries(arrays).map(([name, array]) => [name, [array.constructor.name, ...array]]));
  const differ = [];
  let asked = 0;
  for (const desk of desks) {
    const { default: known } = await import(new URL(`engine/known/${desk}.js`, document.baseURI));
    for (const signature of Object.keys(known)) {
      const [want, position, options] = JSON.parse(signature);
      const question = { desk, want, position, options };
      globalThis.early = globalThis.create();
      const first = await early.ask(question).promise;
      const settled = "seconds" in options ? { ...options, seconds: 600 } : options;
      const there = await engine.ask({ ...question, options: settled }).promise;
      asked++;
      if (JSON.stringify([first.result, plain(first.arrays)]) !==
          JSON.stringify([there.result, plain(there.arrays)])) differ.push(`${desk} ${want}`);
    }
  }
  return { asked, differ };
}"""


@pytest.mark.own_worker
def test_start_needs_no_numpy_and_precomputed_answers_are_correct(page: Page, site: str) -> None:
    fetched: list[str] = []
    page.on("request", lambda request: fetched.append(request.url))
    open_engine(page, site)
    phases = page.evaluate("phases.map((phase) => phase.name)")
    assert list(dict.fromkeys(phases)) == ["loading", "starting", "ready"]
    page.evaluate(
        """async () => {
          const { createEngine } = await import(new URL("engine/client.js", document.baseURI));
          globalThis.create = () => {
            globalThis.Worker = class { postMessage() {} terminate() {} }; // it never starts
            return createEngine();
          };
        }"""
    )
    found = page.evaluate(COMPARED, list(desks.available()))
    assert found["differ"] == []
    assert found["asked"] >= 5
    assert any(RUNTIME_FILE in address for address in fetched)
    assert not [address for address in fetched if "numpy-" in address]


def test_link_on_a_slow_line_does_not_show_the_home_page_first(page: Page, site: str) -> None:
    held: list[Route] = []
    page.route("**/desks/rack/page.js", lambda route: held.append(route))
    with page.expect_request("**/desks/rack/page.js"):
        page.goto(site + "#/rack", wait_until="commit")
    page.wait_for_function("() => document.querySelector('.bottom a, .bottom button')")
    expect(page.locator("#desk .waiting")).to_have_text("Loading the board…")
    expect(page.locator("#desk .home, #desk .examples")).to_have_count(0)
    held[0].continue_()
    expect(page.locator("#desk h1").first).to_be_visible()


def test_actions_wait_until_the_desk_has_loaded(page: Page, site: str) -> None:
    held: list[Route] = []
    page.route("**/desks/code/page.js", lambda route: held.append(route))
    with page.expect_request("**/desks/code/page.js"):
        page.goto(site + "#/code", wait_until="commit")
    page.get_by_role("button", name="Menu").click()
    page.locator("dialog").get_by_text("Saved positions", exact=True).click()
    held[0].continue_()
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_role("button", name=re.compile("^Remove: "))).to_be_visible()
