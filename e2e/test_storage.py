"""What this browser keeps: two tabs, files, damaged entries; nothing done is lost."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from browser import SAVED, address_of, saved, until

VECTORS = Path(__file__).resolve().parent.parent / "tests" / "vectors"
FIRST = json.loads((VECTORS / "storage_first.json").read_text())["kept"]

# Everything in storage, and putting something there before the page is loaded.
KEPT = """() => new Promise((resolve, reject) => {
  const opening = indexedDB.open("cluewise");
  opening.onupgradeneeded = () => opening.result.createObjectStore("kept");
  opening.onerror = () => reject(opening.error);
  opening.onsuccess = () => {
    const base = opening.result;
    const kept = base.transaction("kept").objectStore("kept");
    const keys = kept.getAllKeys(), values = kept.getAll();
    kept.transaction.oncomplete = () => {
      base.close();
      resolve(keys.result.map((key, i) => [key, values.result[i]]));
    };
  };
})"""
PUT = """(entries) => new Promise((resolve, reject) => {
  const opening = indexedDB.open("cluewise");
  opening.onupgradeneeded = () => opening.result.createObjectStore("kept");
  opening.onerror = () => reject(opening.error);
  opening.onsuccess = () => {
    const base = opening.result;
    const kept = base.transaction("kept", "readwrite").objectStore("kept");
    for (const [key, value] of entries) kept.put(value, key);
    kept.transaction.oncomplete = () => { base.close(); resolve(); };
  };
})"""


def type_row(page: Page, row: str, rows: int) -> None:
    page.keyboard.type(row)
    page.keyboard.press("Enter")
    expect(page.locator(".guess")).to_have_count(rows)
    saved(page)


def menu(page: Page, item: str) -> None:
    page.get_by_role("button", name="Menu").click()
    page.locator("dialog").get_by_text(item, exact=True).click()


def with_storage(page: Page, site: str, entries: dict[str, Any], desk: str = "code") -> None:
    """Open a desk in a browser that has kept these entries."""
    page.route(
        "**/empty.html", lambda r: r.fulfill(body="<!doctype html>", content_type="text/html")
    )
    page.goto(site + "empty.html")
    page.evaluate(PUT, list(entries.items()))
    page.goto(f"{site}#/{desk}")
    expect(page.locator(f"#desk[data-desk={desk}] h1").first).to_be_visible()


def bring_back(page: Page, file: Path) -> None:
    menu(page, "Saved positions")
    page.locator("dialog input[type=file]").set_input_files(file)
    expect(page.locator("dialog")).to_have_count(0)


def steps(page: Page) -> list[str]:
    """The labels in the list of all steps."""
    menu(page, "History")
    labels = page.locator("dialog .moment b").all_inner_texts()
    page.keyboard.press("Escape")
    return labels


def test_two_tabs_on_one_desk_keep_both_their_ways(
    page: Page, context: BrowserContext, site: str
) -> None:
    page.goto(site + "#/code")
    type_row(page, "001111", 1)
    other = context.new_page()
    other.goto(site + "#/code")
    expect(other.locator(".guess")).to_have_count(1)
    type_row(page, "020310", 2)
    type_row(other, "234510", 2)
    type_row(page, "450002", 3)
    expect(other.get_by_role("status").filter(has_text="Another tab")).to_be_visible()
    expect(other.locator(".guess")).to_have_count(2)
    third = context.new_page()
    third.goto(site + "#/code")
    expect(third.locator(".guess")).to_have_count(3)
    assert len(steps(third)) == 5  # the beginning, one row, two ways on, one of them longer
    other.reload()
    expect(other.locator(".guess")).to_have_count(2)
    expect(other.locator(".guess").last).to_contain_text("2")


def test_undo_and_another_step_keep_the_old_branch(page: Page, site: str) -> None:
    page.goto(site + "#/code")
    type_row(page, "001111", 1)
    type_row(page, "020310", 2)
    page.keyboard.press("Control+z")
    expect(page.locator(".guess")).to_have_count(1)
    type_row(page, "234501", 2)
    page.reload()
    expect(page.locator(".guess")).to_have_count(2)
    menu(page, "History")
    rows = page.locator("dialog .moment")
    expect(rows).to_have_count(4)
    page.locator("dialog .moment:has(.side)").get_by_role("button").click()
    expect(page.locator(".guess").last.locator(".peg").nth(1)).to_contain_text("2")


def test_bringing_back_a_file_replaces_nothing_on_any_desk(
    page: Page, watched: Callable[..., Page], site: str, tmp_path: Path
) -> None:
    page.goto(site + "#/code")
    type_row(page, "001111", 1)
    menu(page, "Saved positions")
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Save to a file").click()
    file = tmp_path / "everything.json"
    waiting.value.save_as(file)

    other = watched(site + "#/code")
    type_row(other, "234510", 1)
    type_row(other, "020310", 2)
    other.goto(site + "#/mines")
    expect(other.locator("#desk[data-desk=mines] h1").first).to_be_visible()
    expect(other.locator("html")).to_have_attribute("data-saved", "current")
    until(other, f"() => ({KEPT})().then((all) => new Map(all).get('last') === 'mines')")
    before = dict(other.evaluate(KEPT))
    bring_back(other, file)
    expect(other.get_by_role("status").filter(has_text="brought back")).to_be_visible()
    after = dict(other.evaluate(KEPT))
    assert {k: after.get(k) for k in before} == before
    assert len(after) > len(before)
    bring_back(other, file)
    expect(other.get_by_role("status").filter(has_text="was here already")).to_be_visible()
    assert dict(other.evaluate(KEPT)) == after
    other.goto(site + "#/code")
    expect(other.locator(".guess")).to_have_count(2)


EMPTY_BOARD = FIRST["desk.code"]["moments"][0]["position"]
ODD_VIEW = {"draft": {"a": [1]}, "criterion": 5, "open": "x"}
DAMAGED: dict[str, dict[str, Any]] = {
    "moments that are no positions": {
        "desk.code": {"moments": [{"position": {}, "label": ""}], "at": "x"}
    },
    "a label that is an object": {
        "desk.code": {"moments": [{"position": EMPTY_BOARD, "label": {}}], "at": 0}
    },
    "no history at all": {"desk.code": "x"},
    "a place nowhere": {"desk.code": {**FIRST["desk.code"], "at": {"a": 1}, "view": [1]}},
    "a view of another kind": {"desk.code": {**FIRST["desk.code"], "view": ODD_VIEW}},
    "records of no kind": {
        **{"moment/code/g/1": 5, "name/code/x": {}, "cursor/code/y": []},
        **{"shelf/1": None, "aside/1": 3},
    },
}


@pytest.mark.parametrize("what", DAMAGED)
def test_a_desk_opens_whatever_is_in_storage(
    page: Page, watch: Any, site: str, tmp_path: Path, what: str
) -> None:
    watch.allow("console error")  # a view that cannot be drawn is told there too
    with_storage(page, site, DAMAGED[what])
    expect(page.locator("#desk h1").first).to_be_visible()
    rows = page.locator(".guess").count()
    type_row(page, "001111", rows + 1)
    page.reload()
    expect(page.locator(".guess")).to_have_count(rows + 1)


@pytest.mark.parametrize("what", DAMAGED)
def test_a_damaged_file_is_told_and_makes_no_desk_unopenable(
    page: Page, watch: Any, site: str, tmp_path: Path, what: str
) -> None:
    watch.allow("console error")
    page.goto(site + "#/code")
    type_row(page, "001111", 1)
    file = tmp_path / "damaged.json"
    file.write_text(
        json.dumps({"format": "cluewise-everything", "version": 1, "kept": DAMAGED[what]})
    )
    bring_back(page, file)
    expect(page.locator(".guess")).to_have_count(1)
    page.reload()
    expect(page.locator(".guess")).to_have_count(1)
    type_row(page, "020310", 2)


def test_what_could_not_be_read_is_said_and_kept_aside(page: Page, site: str) -> None:
    with_storage(page, site, DAMAGED["a label that is an object"])
    expect(page.get_by_role("alert")).to_contain_text("could not be read")
    page.get_by_role("button", name="Close").click()
    menu(page, "Saved positions")
    expect(page.locator("dialog")).to_contain_text("Kept aside")
    expect(page.locator("dialog")).to_contain_text("desk.code.moments[0]")


def test_what_the_first_version_kept_opens(page: Page, site: str) -> None:
    with_storage(page, site, FIRST)
    expect(page.locator(".guess")).to_have_count(1)
    page.keyboard.press("Control+y")
    expect(page.locator(".guess")).to_have_count(2)
    menu(page, "Saved positions")
    expect(page.locator("dialog .list-item")).to_contain_text("after one row")


def test_the_page_says_when_everything_done_is_kept(page: Page, site: str) -> None:
    page.goto(site + "#/code")
    saved(page)
    page.evaluate(
        "() => { globalThis.states = []; new MutationObserver(() => "
        "states.push(document.documentElement.dataset.saved))"
        ".observe(document.documentElement, { attributeFilter: ['data-saved'] }); }"
    )
    type_row(page, "001111", 1)
    states = page.evaluate("states")
    assert states[0] == "behind"
    assert states[-1] == "current"
    page.reload()
    expect(page.locator(".guess")).to_have_count(1)


def test_storage_that_is_refused_is_never_called_current(page: Page, site: str) -> None:
    page.add_init_script(
        "Object.defineProperty(window, 'indexedDB', { get() { throw new Error('refused'); } })"
    )
    page.goto(site + "#/code")
    expect(page.locator(".entry")).to_be_visible()
    page.keyboard.type("001111")
    page.keyboard.press("Enter")
    expect(page.locator(".guess")).to_have_count(1)
    page.wait_for_function(SAVED.replace("current", "refused"))
    expect(page.get_by_role("status").filter(has_text="keeps nothing")).to_be_visible()


def test_a_desk_keeps_many_games_with_names_dates_and_pictures(page: Page, site: str) -> None:
    page.goto(site + "#/code")
    type_row(page, "001111", 1)
    type_row(page, "020310", 2)
    menu(page, "History")
    page.get_by_role("button", name="New game").click()
    expect(page.locator(".guess")).to_have_count(0)
    type_row(page, "234501", 1)
    page.get_by_role("button", name="History", exact=True).click()
    games = page.locator("dialog .games > li")
    expect(games).to_have_count(2)
    expect(games.first).to_contain_text("open")
    expect(games.last).to_contain_text("2 steps")
    expect(games.last.locator(".thumb svg")).to_be_visible()
    games.last.get_by_role("button", name="Rename").click()
    page.get_by_role("textbox", name="Name of the game").fill("against Ann")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(games.last).to_contain_text("against Ann")
    games.last.get_by_role("button", name="against Ann").first.click()
    expect(page.locator(".guess")).to_have_count(2)
    saved(page)
    page.reload()
    expect(page.locator(".guess")).to_have_count(2)


def test_a_game_is_removed_and_brought_back(page: Page, site: str) -> None:
    page.goto(site + "#/code")
    type_row(page, "001111", 1)
    page.keyboard.press("Control+z")
    saved(page)
    before = [key for key, _ in page.evaluate(KEPT) if key.startswith("moment/")]
    menu(page, "History")
    page.get_by_role("button", name="Remove").click()
    expect(page.locator("dialog .games > li")).to_have_count(0)
    page.keyboard.press("Escape")
    assert [key for key, _ in page.evaluate(KEPT) if key.startswith("moment/")] == []
    page.get_by_role("button", name="Undo", exact=True).last.click()
    moments = f"({KEPT})().then((all) => all.filter(([key]) => key.startsWith('moment/')).length)"
    until(page, f"async (count) => await {moments} === count", len(before))
    page.get_by_role("button", name="History", exact=True).click()
    page.locator("dialog .games .game").click()
    expect(page.locator(".guess")).to_have_count(0)
    page.keyboard.press("Control+y")
    expect(page.locator(".guess")).to_have_count(1)


def test_a_link_is_a_game_of_its_own(page: Page, watched: Callable[..., Page], site: str) -> None:
    other = watched(site + "#/code")
    type_row(other, "234501", 1)
    link = address_of(other)
    page.goto(site + "#/code")
    type_row(page, "001111", 1)
    type_row(page, "020310", 2)
    page.goto(link)
    expect(page.locator(".guess")).to_have_count(1)
    expect(page.get_by_role("status").filter(has_text="stays under")).to_be_visible()
    saved(page)
    page.get_by_role("button", name="History", exact=True).click()
    games = page.locator("dialog .games > li")
    expect(games).to_have_count(2)
    games.last.locator(".game").click()
    expect(page.locator(".guess")).to_have_count(2)
    page.goto(site + "#/mines")
    page.goto(link)
    expect(page.locator(".guess")).to_have_count(1)
    page.get_by_role("button", name="History", exact=True).click()
    expect(games).to_have_count(2)


def test_what_is_kept_is_told_and_can_be_removed(page: Page, site: str) -> None:
    page.goto(site + "#/mines")
    expect(page.locator("#desk[data-desk=mines] h1").first).to_be_visible()
    page.goto(site + "#/code")
    expect(page.locator(".entry")).to_be_visible()
    type_row(page, "001111", 1)
    menu(page, "Saved positions")
    dialog = page.locator("dialog")
    expect(dialog).to_contain_text("that the browser allows")
    dialog.get_by_role("button", name="Remove everything…").click()
    expect(dialog.get_by_role("alert")).to_contain_text("Take a file first")
    dialog.get_by_role("button", name="Remove everything", exact=True).click()
    expect(page.locator(".guess")).to_have_count(0)
    until(page, f"async () => (await ({KEPT})()).every(([key]) => key === 'last')")
    page.reload()
    expect(page.locator(".entry")).to_be_visible()
    expect(page.locator(".guess")).to_have_count(0)


def test_the_browser_is_asked_to_keep_what_was_given_a_name(page: Page, site: str) -> None:
    page.add_init_script(
        "globalThis.asked = 0; StorageManager.prototype.persisted = async () => asked > 0;"
        "StorageManager.prototype.persist = async () => { asked += 1; return true; };"
    )
    page.goto(site + "#/code")
    type_row(page, "001111", 1)
    assert page.evaluate("asked") == 0
    menu(page, "Saved positions")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator("dialog .list-item")).to_have_count(1)
    assert page.evaluate("asked") == 1
    page.keyboard.press("Escape")
    menu(page, "Saved positions")
    expect(page.locator("dialog")).to_contain_text("has promised to keep them")


FULL = """() => {
  const put = IDBObjectStore.prototype.put;
  globalThis.room = () => { IDBObjectStore.prototype.put = put; };
  IDBObjectStore.prototype.put = () => { throw new DOMException("full", "QuotaExceededError"); };
}"""


def test_storage_that_is_full_is_told_and_what_was_done_is_kept_once_there_is_room(
    page: Page, site: str
) -> None:
    page.goto(site + "#/code")
    type_row(page, "001111", 1)
    page.evaluate(FULL)
    page.keyboard.type("020310")
    page.keyboard.press("Enter")
    expect(page.locator(".guess")).to_have_count(2)
    page.wait_for_function(SAVED.replace("current", "refused"))
    expect(page.get_by_role("status").filter(has_text="keeps nothing")).to_be_visible()
    page.evaluate("room()")
    type_row(page, "450002", 3)
    page.reload()
    expect(page.locator(".guess")).to_have_count(3)
    page.keyboard.press("Control+z")
    page.keyboard.press("Control+z")
    expect(page.locator(".guess")).to_have_count(1)
