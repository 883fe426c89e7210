"""Missions on the page: chosen, laid out, their cards entered, what is not counted named."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from rack_page import deals, first, pad, tile, write_stands
from states import settled


def lay_out(page: Page, site: str, mission: str, players: str) -> None:
    page.goto(site + "#/rack")
    expect(deals(page)).to_be_visible()
    page.get_by_role("button", name="New table…").click()
    page.get_by_role("button", name=f"Mission {mission}", exact=True).click()
    captain = f"{players} players, you are the captain"
    page.locator("dialog").get_by_role("button", name=captain).click()


def test_a_late_mission_names_what_is_not_in_its_numbers(page: Page, site: str) -> None:
    lay_out(page, site, "44", "2")
    expect(page.get_by_role("heading", name="Mission 44")).to_be_visible()
    card = page.locator(".check-card")
    expect(card).to_contain_text("Check the card (3 rules not in the numbers)")
    card.locator("summary").click()
    expect(card).to_contain_text("Cuts cost air")
    expect(page.get_by_role("group", name="Detonator")).to_contain_text("2 steps left")


def test_the_pad_offers_no_equipment_that_the_mission_has_not(page: Page, site: str) -> None:
    lay_out(page, site, "2", "4")
    tile(page, 1, 2).click()
    devices = pad(page).get_by_role("group", name="With what").get_by_role("button")
    expect(devices).to_have_text(["Cut", "Double"])


def test_other_moves_are_those_that_the_mission_allows_now(page: Page, site: str) -> None:
    lay_out(page, site, "9", "4")
    pad(page).get_by_role("button", name="Done").click()
    page.get_by_role("button", name="Other moves…").click()
    dialog = page.locator("dialog")
    cards = dialog.get_by_label("What happened").locator("option")
    assert "Single label" not in cards.all_inner_texts()  # of a later box
    expect(cards.and_(page.locator(":enabled"))).to_have_text(["A turn is skipped"])
    locked = dialog.get_by_role("listitem").filter(has_text="Radar")
    expect(locked).to_have_text("Radar: This equipment is usable once two 8s are cut.")
    dialog.get_by_role("button", name="Close").click()
    lay_out(page, site, "2", "4")
    pad(page).get_by_role("button", name="Done").click()
    page.get_by_role("button", name="Other moves…").click()
    expect(cards).to_have_text(["A turn is skipped"])
    expect(dialog.get_by_text("Not now")).to_have_count(0)


def test_values_that_the_mission_locks_are_grey_and_say_why(page: Page, site: str) -> None:
    lay_out(page, site, "9", "4")
    pad(page).get_by_role("button", name="Done").click()
    page.get_by_role("button", name="Mission cards…").click()
    cards = page.get_by_role("group", name="Open number cards, in their order")
    for number in ("4", "6"):
        cards.get_by_role("button", name=number, exact=True).click()
    page.locator("dialog").get_by_role("button", name="Close").click()
    tile(page, 1, 2).click()
    pad(page).get_by_role("group", name="Whose turn").get_by_role("button", name="Bob").click()
    grey = pad(page).locator(".keys-row.numbers button:disabled")
    expect(grey).to_have_text(re.compile(r"^\s*6"))
    expect(pad(page)).to_contain_text("6 is locked until two 4s are cut.")


def test_a_mission_for_three_says_so_when_two_are_chosen(page: Page, site: str) -> None:
    lay_out(page, site, "34", "2")
    expect(page.locator("dialog [role=alert]")).to_contain_text("Mission 34 is for 3 players")
    page.locator("dialog").get_by_role("button", name="3 players, you are player 2").click()
    expect(page.get_by_role("heading", name="Mission 34")).to_be_visible()


def test_the_deadly_number_is_entered_and_never_advised(
    watched: Callable[..., Page], site: str
) -> None:
    page = watched(site + "#/rack", viewport={"width": 390, "height": 844})
    lay_out(page, site, "11", "4")
    pad(page).get_by_role("button", name="Done").click()
    page.get_by_role("button", name="Mission cards…").click()
    cards = page.get_by_role("group", name="Open number cards, in their order")
    expect(cards.locator("[aria-pressed=true]")).to_have_count(0)  # none is guessed
    cards.get_by_role("button", name="7", exact=True).click()
    page.locator("dialog").get_by_role("button", name="Close").click()
    expect(page.locator(".table-head .sub")).to_have_text(re.compile("^card 7 · yellow"))
    hidden = "\n".join([" ".join(["?"] * 13), *[" ".join(["?"] * 12)] * 2])
    write_stands(page, f"?1 ?1 ?2 ?3 ?4 ?5 ?6 ?7 ?7 ?8 ?9 ?11 ?12\n{hidden}")
    page.get_by_role("button", name="Cut", exact=True).first.click()
    expect(first(page)).to_be_visible()
    page.get_by_role("button", name=re.compile("^All")).click()
    named = page.locator(".options:not(.stale) .option .mini-tile").all_inner_texts()
    assert named
    assert "7" not in named
    expect(page.locator(".options .option", has_text="red").first).to_be_visible()


def test_cuts_are_ranked_by_the_chance_to_win_with_its_error(page: Page, site: str) -> None:
    page.goto(site + "#/rack")
    expect(deals(page)).to_be_visible()
    write_stands(page, "?1 ?2 ?3 ?3 ?4 ?6\n? ? ? i4 ? ?\n? ? ? ? ? ?\n? ? ? ? ? ?")
    page.get_by_role("button", name="Cut", exact=True).first.click()
    expect(first(page)).to_be_visible()
    page.get_by_role("group", name="Rank by").get_by_role("button", name="Chance to win").click()
    expect(first(page)).to_contain_text(re.compile(r"wins \d+ % ± \d+"))
    expect(page.get_by_text("every seat plays what is sure")).to_be_visible()
    settled(page)  # the order may change while games are played
    shares = [
        int(re.findall(r"wins (\d+)", text)[0])
        for text in page.locator(".options:not(.stale) .option").all_inner_texts()
    ]
    assert shares == sorted(shares, reverse=True)
