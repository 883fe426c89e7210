"""The frame around every desk: named moments, saved positions, sharing, embedding, home."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from browser import address_of, saved
from cluewise.core.edition import mark, package_files

FIRST = "001111"


def type_row(page: Page, row: str, rows: int) -> None:
    page.keyboard.type(row)
    page.keyboard.press("Enter")
    expect(page.locator(".guess")).to_have_count(rows)


def menu(page: Page, item: str) -> None:
    page.get_by_role("button", name="Menu").click()
    page.locator("dialog").get_by_text(item, exact=True).click()


def test_suppose_tries_on_a_branch_and_goes_back_to_the_game(page: Page, site: str) -> None:
    page.goto(site + "#/code")
    type_row(page, FIRST, 1)
    menu(page, "Suppose…")
    page.get_by_role("textbox", name="What do you suppose?").fill("a 3 is in it")
    page.get_by_role("button", name="Try it").click()
    line = page.locator(".suppose-line")
    expect(line).to_contain_text("You suppose: a 3 is in it.")
    type_row(page, "020310", 2)
    type_row(page, "020300", 3)
    saved(page)
    page.reload()
    expect(line).to_contain_text("a 3 is in it")
    line.get_by_role("button", name="Back to the game").click()
    expect(page.locator(".guess")).to_have_count(1)
    expect(line).to_have_count(0)
    type_row(page, "234510", 2)
    page.get_by_role("button", name="History", exact=True).click()
    tree = page.locator("dialog .moment")
    expect(tree).to_have_count(5)
    expect(tree.filter(has_text="you are here")).to_contain_text("2345")
    tree.filter(has_text="a 3 is in it").get_by_role("button").click()
    expect(page.locator(".guess")).to_have_count(2)
    expect(line).to_contain_text("a 3 is in it")


def test_the_way_so_far_outlives_a_reload(page: Page, site: str) -> None:
    page.goto(site + "#/code")
    type_row(page, FIRST, 1)
    type_row(page, "020310", 2)
    saved(page)
    page.reload()
    expect(page.locator(".guess")).to_have_count(2)
    page.keyboard.press("Control+z")
    expect(page.locator(".guess")).to_have_count(1)


def test_a_half_typed_row_outlives_a_reload(page: Page, site: str) -> None:
    page.goto(site + "#/code")
    page.keyboard.type("02")
    expect(page.locator(".slot.c2")).to_have_count(1)
    saved(page)
    page.reload()
    expect(page.locator(".slot.c2")).to_have_count(1)


def test_positions_are_saved_opened_and_carried_away_as_one_file(
    page: Page, watched: Callable[..., Page], site: str, tmp_path: Path
) -> None:
    page.goto(site + "#/code")
    type_row(page, FIRST, 1)
    menu(page, "Saved positions")
    page.get_by_role("textbox", name="Name to save under").fill("after one row")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator("dialog .list-item")).to_contain_text("after one row")
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Save to a file").click()
    file = tmp_path / "everything.json"
    waiting.value.save_as(file)
    assert json.loads(file.read_text())["format"] == "cluewise-everything"
    page.keyboard.press("Escape")
    page.keyboard.press("Control+z")
    expect(page.locator(".guess")).to_have_count(0)
    menu(page, "Saved positions")
    page.locator("dialog .list-item").click()
    expect(page.locator(".guess")).to_have_count(1)

    other = watched(site + "#/code")
    menu(other, "Saved positions")
    expect(other.get_by_text("Nothing saved yet.")).to_be_visible()
    other.locator("dialog input[type=file]").set_input_files(file)
    expect(other.locator(".guess")).to_have_count(1)
    menu(other, "Saved positions")
    expect(other.locator("dialog .list-item").get_by_text("after one row")).to_be_visible()


def test_a_file_that_is_not_ours_is_refused_in_words(page: Page, site: str, tmp_path: Path) -> None:
    page.goto(site + "#/code")
    menu(page, "Saved positions")
    file = tmp_path / "other.json"
    file.write_text('{"format": "something else"}')
    page.locator("dialog input[type=file]").set_input_files(file)
    expect(page.get_by_role("alert")).to_contain_text("not written by Cluewise")


def test_share_shows_the_link_as_text_and_as_a_square(page: Page, site: str) -> None:
    page.goto(site + "#/code")
    type_row(page, FIRST, 1)
    page.get_by_role("button", name="Share").click()
    field = page.get_by_role("textbox", name="Share")
    expect(field).to_have_value(page.url)
    expect(page.get_by_role("img", name="The link as a square to scan")).to_be_visible()


def test_an_embedded_board_shows_advice_and_changes_nothing(
    page: Page, watched: Callable[..., Page], site: str
) -> None:
    page.goto(site + "#/code")
    type_row(page, FIRST, 1)
    expect(page.locator(".options:not(.stale) .option").first).to_contain_text("3.36")
    fragment = page.url.split("#")[1]
    frame = watched(f"{site}?embed=1#{fragment}")
    expect(frame.locator(".options .option").first).to_contain_text("3.36")
    expect(frame.locator(".top")).to_be_hidden()
    frame.keyboard.type("020310")
    frame.keyboard.press("Enter")
    expect(frame.locator(".guess")).to_have_count(1)


def test_home_shows_the_desks_and_goes_on_where_one_was(page: Page, site: str) -> None:
    page.goto(site + "#/code")
    type_row(page, FIRST, 1)
    page.get_by_role("link", name="Cluewise").click()
    expect(page.locator(".cards .card").first).to_contain_text("Mastermind")
    page.get_by_role("link", name="Go on where you were: Code").click()
    expect(page.locator(".guess")).to_have_count(1)


def test_anything_pasted_on_the_home_page_opens_the_right_desk(page: Page, site: str) -> None:
    page.goto(site)
    page.get_by_role("textbox", name="Paste anything").fill("0011 1A1B\n0203 1A0B")
    page.get_by_role("button", name="Open", exact=True).click()
    expect(page.locator(".guess")).to_have_count(2)


@pytest.mark.parametrize("fragment", ["#/chess", "#/code/9/abc", "#/code/1/%%", "#what is this"])
def test_a_link_that_leads_nowhere_is_never_a_blank_page(
    page: Page, site: str, fragment: str
) -> None:
    page.goto(site + fragment)
    expect(page.get_by_role("alert")).to_contain_text("could not be opened")
    expect(page.locator("#desk h1").first).to_be_visible()


def test_the_key_sheet_is_made_from_the_key_table(page: Page, site: str) -> None:
    page.goto(site + "#/code")
    expect(page.locator(".entry")).to_be_visible()
    page.keyboard.press("?")
    sheet = page.locator("dialog .keys")
    expect(sheet.first).to_contain_text("0–5")
    expect(sheet.last).to_contain_text("Undo")
    page.keyboard.press("Escape")
    expect(page.locator("dialog")).to_have_count(0)


def test_settings_change_theme_and_palette_and_stay(page: Page, site: str) -> None:
    page.goto(site + "#/code")
    menu(page, "Settings")
    page.get_by_role("button", name="Dark").click()
    page.get_by_role("button", name="Easy to tell apart").click()
    page.reload()
    root = page.locator("html")
    expect(root).to_have_attribute("data-theme", "dark")
    expect(root).to_have_attribute("data-palette", "clear")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(21, 23, 26)"


def test_the_board_is_saved_as_a_picture(page: Page, site: str) -> None:
    page.goto(site + "#/code")
    type_row(page, FIRST, 1)
    files: list[str] = []
    page.on("download", lambda file: files.append(file.suggested_filename))
    with page.expect_event("download", lambda _: len(files) == 2):
        menu(page, "Save a picture")
    assert sorted(name.rsplit(".", 1)[1] for name in files) == ["png", "svg"]


def test_going_elsewhere_while_the_address_is_written_gets_there(page: Page, site: str) -> None:
    page.goto(f"{site}#/code")
    address_of(page)
    page.evaluate(
        """() => {
          const root = document.documentElement;
          new MutationObserver((_, watch) => {
            if (root.dataset.address !== "behind") return;
            watch.disconnect();
            location.hash = "#/mines";
          }).observe(root, { attributeFilter: ["data-address"] });
          location.hash = "#/rack";
        }"""
    )
    expect(page.locator("#desk[data-desk=mines] h1").first).to_be_visible()
    assert address_of(page).startswith(f"{site}#/mines/")


COUNTED = """
  globalThis.links = 0;
  globalThis.asked = [];
  const Compressing = CompressionStream;
  globalThis.CompressionStream = function (kind) { links += 1; return new Compressing(kind); };
  const post = Worker.prototype.postMessage;
  Worker.prototype.postMessage = function (message, ...more) {
    if (message.type === "ask") asked.push(message.want);
    return post.call(this, message, ...more);
  };
"""


def test_one_press_is_one_round_of_questions_and_one_link(page: Page, site: str) -> None:
    page.add_init_script(COUNTED)
    page.goto(site + "#/code")
    page.keyboard.type(FIRST)
    address_of(page)
    expect(page.locator(".options:not(.stale) .option").first).to_be_visible()
    page.evaluate("() => { links = 0; asked.length = 0; }")
    page.keyboard.press("Enter")
    expect(page.locator(".guess")).to_have_count(1)
    address_of(page)
    asked = page.evaluate("asked")
    assert len(asked) == len(set(asked)), asked
    assert page.evaluate("links") == 1


def test_the_menu_says_a_version_to_quote_and_leads_to_what_is_kept_and_to_the_licences(
    page: Page, site: str
) -> None:
    page.goto(site + "#/code")
    page.get_by_role("button", name="Menu").click()
    line = page.locator("dialog .version")
    package = mark(package_files())
    expect(line).to_contain_text(re.compile(rf"Cluewise [\d.]+ \({package}, page [0-9a-f]{{8}}\)"))
    line.get_by_role("link", name="Licences").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Licences")
    expect(page.locator("main")).to_contain_text(f"({package})")
    expect(page.locator("main")).to_contain_text("Mozilla Public License Version 2.0")
    page.go_back()
    page.get_by_role("button", name="Menu").click()
    line.get_by_role("link", name="What is kept").click()
    expect(page.locator("#kept")).to_be_in_viewport()
