"""How the page starts: in phases, on every kind of static host, and in words where it cannot."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from browser import Watch, open_engine, served


def test_the_phases_come_in_order_and_end_with_ready(page: Page, site: str) -> None:
    ready = open_engine(page, site)
    names = page.evaluate("phases.map((phase) => phase.name)")
    assert "code" in ready["desks"]
    assert list(dict.fromkeys(names)) == ["loading", "starting", "ready"]


def test_the_page_paints_and_takes_input_while_python_never_comes(page: Page, site: str) -> None:
    held: list[Route] = []
    page.route("**/pyodide/*", lambda route: held.append(route))
    page.goto(site + "#/code")
    expect(page.get_by_role("heading", name="Mastermind")).to_be_visible()
    page.keyboard.press("3")
    expect(page.locator("#desk")).to_contain_text("3")
    assert held
    for route in held:
        route.abort()


def test_a_link_on_a_slow_line_never_shows_the_home_page_first(page: Page, site: str) -> None:
    held: list[Route] = []
    page.route("**/desks/rack/page.js", lambda route: held.append(route))
    with page.expect_request("**/desks/rack/page.js"):
        page.goto(site + "#/rack", wait_until="commit")
    page.wait_for_function("() => document.querySelector('.bottom a, .bottom button')")
    expect(page.locator("#desk .waiting")).to_have_text("Laying out the board…")
    expect(page.locator("#desk .home, #desk .examples")).to_have_count(0)
    held[0].continue_()
    expect(page.locator("#desk h1").first).to_be_visible()


@pytest.mark.parametrize("fragment", ["#/code/", "#code", "#code/"])
def test_a_desk_is_found_however_its_address_is_typed(
    fragment: str, page: Page, site: str
) -> None:
    page.goto(site + fragment)
    expect(page.locator("#desk[data-desk=code] h1").first).to_be_visible()
    expect(page.locator("body")).not_to_contain_text("could not be opened")


@pytest.mark.parametrize("word", ["constructor", "toString", "valueOf", "__proto__"])
def test_a_word_that_javascript_knows_is_no_desk(word: str, page: Page, site: str) -> None:
    page.goto(f"{site}#/{word}")
    expect(page.locator("body")).to_contain_text("This link could not be opened.")
    expect(page.locator(".examples [data-desk=code]").first).to_be_visible()


@pytest.mark.parametrize("policy", ["full", "none"])
def test_the_page_advises_with_the_policy_header_and_without(
    policy: str, watched: Callable[..., Page]
) -> None:
    with served(policy=policy) as address:
        page = watched(address + "#/code")
        expect(page.locator("#desk")).to_contain_text("bits")
        page.close()


def test_the_page_advises_from_a_folder_of_a_host(watched: Callable[..., Page]) -> None:
    with served(under="/games/cluewise") as address:
        page = watched(address + "#/code")
        expect(page.locator("#desk")).to_contain_text("bits")
        page.close()


def test_a_host_that_refuses_webassembly_is_named_as_the_reason(page: Page, watch: Watch) -> None:
    watch.allow("WebAssembly|wasm|127.0.0.1")
    with served(policy="no-wasm") as address:
        fault = open_engine(page, address)
        assert fault["kind"] == "host"
        assert "'wasm-unsafe-eval'" in fault["message"]
        page.goto(address + "#/code")
        expect(page.locator("body")).to_contain_text("not allowed to use WebAssembly")


def test_a_device_without_memory_is_told_so_and_the_board_stays(page: Page, site: str) -> None:
    def poor(route: Route) -> None:
        text = route.fetch().text()
        refuse = "WebAssembly.Memory = class { constructor() { throw new RangeError(); } };"
        route.fulfill(body=f"{refuse}\n{text}", content_type="text/javascript")

    page.route("**/engine/worker.js", poor)
    page.goto(site + "#/code")
    expect(page.locator("body")).to_contain_text("no memory left for Python")
    page.keyboard.press("3")
    expect(page.locator(".slot").first).to_contain_text("3")


def test_without_storage_the_page_works_and_says_that_nothing_is_kept(
    page: Page, site: str
) -> None:
    page.add_init_script("indexedDB.open = () => { throw new DOMException('refused'); }")
    page.goto(site + "#/code")
    page.keyboard.type("001111")
    page.keyboard.press("Enter")
    expect(page.locator(".guess")).to_have_count(1)
    expect(page.locator("body")).to_contain_text("keeps nothing for this page")
    page.get_by_role("button", name="All right").click()
    expect(page.locator("body")).not_to_contain_text("keeps nothing for this page")
    expect(page.locator("#desk")).to_contain_text("bits")


@pytest.mark.parametrize("missing", ["kernel.wasm", "pyodide/pyodide.mjs", "pyodide/cluewise-*"])
def test_a_missing_file_ends_in_a_message_and_can_be_tried_again(
    missing: str, page: Page, watch: Watch, site: str
) -> None:
    watch.allow("")  # the browser reports a missing file in words of its own
    page.route(f"**/{missing}", lambda route: route.fulfill(status=404))
    fault = open_engine(page, site)
    assert fault["kind"] == "host"
    assert page.evaluate("phases.at(-1).name") == "failed"
    page.unroute(f"**/{missing}")
    assert "desks" in page.evaluate("() => { engine.restart(); return engine.ready; }")
