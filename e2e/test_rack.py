"""The rack desk in the browser: a game by touch, one by keys, doubt, undo, links, practice.

One file, since every test begins with the same table entered as text.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import unquote

from playwright.sync_api import Page, expect

from browser import address_of
from cluewise import desks, links, service
from rack_page import TABLE, deals, first, one_step, pad, press, read_stands, tile, write_stands

PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}


def fill_own(page: Page, wires: str) -> None:
    tile(page, 0, 0).tap()
    for wire in wires.split():
        page.locator(".pad-box").get_by_role("button", name=wire, exact=True).tap()


def enter_text(page: Page, site: str, text: str) -> None:
    """A table of no mission with these stands, through the text dialog."""
    page.goto(site + links.encode(service.read_position(desks.load("rack"), TABLE)))
    expect(deals(page)).to_be_visible()
    write_stands(page, text)


def test_a_game_begins_by_touch_on_a_small_phone(watched: Callable[..., Page], site: str) -> None:
    page = watched(site + "#/rack", **PHONE)
    fill_own(page, "1 2 3 3 4 6")
    expect(first(page)).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.get_by_role("button", name="Show this one to the table").tap()
    expect(page.locator(".tile.info")).to_have_count(1)
    expect(first(page)).to_contain_text("works")
    before = deals(page).inner_text()

    page.get_by_role("button", name="No more first tokens").tap()
    tile(page, 1, 0).tap()  # the usual cut: two taps
    page.locator(".pad-box .soft.key").first.tap()
    expect(page.locator(".tile.cut")).to_have_count(2)
    expect(deals(page)).not_to_have_text(before)

    page.get_by_role("button", name=re.compile("^Undo")).tap()
    expect(page.locator(".tile.cut")).to_have_count(0)
    expect(deals(page)).to_have_text(before)
    page.get_by_role("button", name=re.compile("^Redo")).tap()
    expect(page.locator(".tile.cut")).to_have_count(2)


def test_a_teammates_failed_cut_leaves_a_token_and_a_fact(page: Page, site: str) -> None:
    page.goto(site + "#/rack")
    expect(deals(page)).to_be_visible()
    tile(page, 2, 3).click()
    pad = page.locator(".pad-box")
    pad.get_by_role("button", name="Ann", exact=True).click()
    pad.get_by_role("button", name="It failed").click()
    pad.locator(".soft.key", has_text="4").first.click()
    expect(pad.get_by_text("What does the token show?")).to_be_visible()
    pad.get_by_role("button", name="3", exact=True).click()
    expect(tile(page, 2, 3)).to_have_class(re.compile("info"))
    expect(page.get_by_text("has 4", exact=True)).to_be_visible()


def test_a_teammates_cut_takes_a_wire_of_hers_along(page: Page, site: str) -> None:
    page.goto(site + "#/rack")
    expect(deals(page)).to_be_visible()
    tile(page, 2, 3).click()
    pad = page.locator(".pad-box")
    pad.get_by_role("button", name="Ann", exact=True).click()
    pad.locator(".soft.key", has_text="4").first.click()
    expect(page.get_by_text("Now tap the 4 that Ann cut along with it.")).to_be_in_viewport()
    tile(page, 1, 3).click()
    expect(page.locator(".tile.cut")).to_have_count(2)
    expect(tile(page, 1, 3).locator("b")).to_have_text("4")


def test_a_detector_is_noted_with_the_slot_that_was_cut_or_marked(page: Page, site: str) -> None:
    enter_text(page, site, "?1 ?2 ?3 ?3 ?4 ?6\n? ? ? ? ? ?\n? ? ? ? ? ?\n? ? ? ? ? ?")
    page.get_by_text("Cut", exact=True).click()
    page.get_by_text("With detectors and rays too").click()
    double = page.locator(".options:not(.stale) .option", has_text="double detector").first
    double.click()
    why = page.locator(".reason")
    expect(why).to_contain_text("It worked. Which one was cut?")
    slots = [b.inner_text() for b in why.locator(".keys-row").first.get_by_role("button").all()]
    why.locator(".keys-row").first.get_by_role("button", name=slots[1]).click()
    expect(page.locator(".tile.cut")).to_have_count(2)
    page.keyboard.press("Control+z")
    expect(page.locator(".tile.cut")).to_have_count(0)

    double.click()
    why.locator(".keys-row").last.get_by_role("button", name=slots[0]).click()
    pad = page.locator(".pad-box")
    expect(pad.get_by_text(re.compile("What does the token on . show"))).to_be_visible()
    pad.locator(".soft.key").first.click()
    expect(page.locator(".tile.info")).to_have_count(1)
    expect(page.locator(".tile.hidden .marks", has_text="not")).to_have_count(1)


NAMES = ("Ann", "Bob", "Cleo")
STANDS = "?1 ?2 ?3 ?3 ?4 ?6\n? ? ? ? ? ?\n? ? ? ? ? ?\n? ? ? ? ? ?"


def test_a_teammates_failed_double_detector_is_noted(page: Page, site: str) -> None:
    enter_text(page, site, STANDS)
    expect(first(page)).to_be_visible()  # the advice comes after the count
    before = deals(page).inner_text()
    tile(page, 2, 0).click()
    press(page, "Ann", "Double", "It failed")
    expect(pad(page)).to_contain_text("One more slot.")
    tile(page, 2, 3).click()  # the second slot is tapped on the stand
    press(page, "5")
    expect(pad(page)).to_contain_text("Ann named 5: it failed.")
    with one_step(page):
        press(page, "Slot D", "4")
    expect(deals(page)).not_to_have_text(before)
    assert read_stands(page)[1:3] == ["Ann: ? ? ? ? ? ? | +5", "Bob: !5 ? ? i4 ? ?"]
    undo = page.get_by_role("button", name=re.compile("^Undo"))
    expect(undo).to_have_accessible_name(
        re.compile("Ann, double detector: no 5 at Bob A D. Slot D shows 4.")
    )
    undo.click()
    expect(deals(page)).to_have_text(before)
    assert read_stands(page) == ["?1 ?2 ?3 ?3 ?4 ?6", *(f"{n}: ? ? ? ? ? ?" for n in NAMES)]


def test_the_ray_joins_a_detector(page: Page, site: str) -> None:
    """Two values are named of two slots: which one was cut, and which of the two it was."""
    enter_text(page, site, STANDS)
    expect(first(page)).to_be_visible()
    tile(page, 2, 0).click()
    press(page, "Ann", "Double")
    pad(page).get_by_label("With the X-or-Y ray").check()
    tile(page, 2, 3).click()
    press(page, "3", "5")
    expect(pad(page)).to_contain_text("Ann named 3 or 5: it worked.")
    press(page, "Slot D")
    with one_step(page):
        press(page, "5")
        tile(page, 1, 4).click()  # her own that went along
    expect(tile(page, 2, 3).locator("b")).to_have_text("5")
    assert read_stands(page)[1:3] == ["Ann: ? ? ? ? 5 ? | +3", "Bob: ? ? ? 5 ? ?"]


def test_the_ray_with_a_detector_is_in_the_list_and_noted_from_there(
    watched: Callable[..., Page], site: str
) -> None:
    page = watched(site, **PHONE)
    enter_text(page, site, STANDS)
    page.get_by_role("button", name="Cut", exact=True).first.tap()
    expect(page.locator(".bar-number")).to_be_visible()
    page.locator(".bar-line").tap()
    sheet = page.get_by_role("dialog", name="Advice")
    sheet.get_by_label("With detectors and rays too").tap()
    sheet.get_by_role("button", name=re.compile("^All")).tap()
    rows = sheet.locator(".options:not(.stale) .option")
    row = rows.filter(has_text="double detector with the ray").first
    expect(row).to_contain_text(re.compile(r"\d/\d"))
    row.tap()
    sheet.locator(".reason").get_by_role("button", name=re.compile("^[A-F]$")).first.tap()
    expect(sheet).to_have_count(0)  # the pad asks the rest
    expect(pad(page)).to_contain_text("it worked.")
    with one_step(page):
        pad(page).get_by_role("button", name=re.compile(r"^\d$")).first.tap()
    expect(page.locator(".tile.cut")).to_have_count(2)
    expect(page.locator(".turns li").first).to_contain_text("You, double detector with the ray: ")


def test_a_teammates_triple_that_works_says_only_what_was_cut(
    watched: Callable[..., Page], site: str
) -> None:
    page = watched(site, **PHONE)
    enter_text(page, site, STANDS)
    tile(page, 3, 1).tap()
    press(page, "Bob", "Triple", "Slot C", "Slot D", "4")
    press(page, "Slot D")
    expect(page.get_by_text("Now tap the 4 that Bob cut along with it.")).to_be_in_viewport()
    tile(page, 1, 3).tap()  # not Bob's
    expect(page.get_by_text("Tap a wire of the player who cut")).to_be_visible()
    tile(page, 2, 4).tap()
    expect(page.locator(".tile.cut")).to_have_count(2)
    assert read_stands(page)[1:] == ["Ann: ? ? ? ? ? ?", "Bob: ? ? ? ? 4 ?", "Cleo: ? ? ? 4 ? ?"]


def test_the_last_cut_of_all_defuses_the_bomb(page: Page, site: str) -> None:
    enter_text(page, site, "?1 1 1 2 2 2\n1!3 2 3 3 3 3\n4 4 4 4 5 5\n5 5 6 6 6 ?")
    page.get_by_role("button", name="Cut", exact=True).click()
    expect(tile(page, 1, 0)).not_to_contain_text("not 3")  # cut: what it is not says nothing
    expect(page.get_by_text("the bomb is defused")).to_have_count(0)
    write_stands(page, "1 1 1 2 2 2\n1!3 2 3 3 3 3\n4 4 4 4 5 5\n5 5 6 6 6 6")
    expect(page.get_by_text("and so is every other: the bomb is defused")).to_be_visible()


def test_a_super_detector_at_ones_own_stand_is_noted(page: Page, site: str) -> None:
    """One's own wires are known: the token shows what stands there."""
    enter_text(page, site, STANDS.replace("\n? ", "\ni1 ", 1))
    tile(page, 0, 2).click()
    with one_step(page):
        press(page, "Cleo", "Super", "It failed", "5", "Slot E")
    lines = read_stands(page)
    assert lines[0] == "?1!5 ?2!5 ?3!5 ?3!5 i4 ?6!5"
    assert lines[3] == "Cleo: ? ? ? ? ? ? | +5"


def test_a_ray_is_noted_by_keys_alone(page: Page, site: str) -> None:
    enter_text(page, site, STANDS)
    expect(first(page)).to_be_visible()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")

    def key(name: str) -> None:
        button = pad(page).get_by_role(
            "button", name=re.compile(rf"^{name}\b")
        )  # 2 with its chance
        for _ in range(60):
            if button.evaluate("e => e === document.activeElement"):
                break
            page.keyboard.press("Tab")
        page.keyboard.press("Enter")

    for name in ("Cleo", "X or Y", "2", "5"):
        key(name)
    expect(pad(page)).to_contain_text("Cleo named 2 or 5: it worked.")
    page.keyboard.press("Tab")  # the first answer is at hand: 2, then 5
    page.keyboard.press("Enter")
    expect(page.get_by_text("Now tap the 5 that Cleo cut along with it.")).to_be_visible()
    for arrow in ("ArrowUp", "ArrowRight", "ArrowRight"):
        page.keyboard.press(arrow)
    with one_step(page):
        page.keyboard.press("Enter")
    assert read_stands(page)[1:] == [
        "Ann: 5 ? ? ? ? ?", "Bob: ? ? ? ? ? ?", "Cleo: ? ? 5 ? ? ? | +2",
    ]  # fmt: skip


def test_a_teammate_cuts_the_last_of_a_value_alone(page: Page, site: str) -> None:
    enter_text(page, site, "?1 ?1 ?3 3 ?4 ?6\n? ? 3 ? ? ?\n? ? ? ? ? ?\n? ? ? ? ? ?")
    tile(page, 2, 1).click()
    press(page, "Bob", "3")
    expect(page.get_by_text("the last two or all four")).to_be_visible()
    tile(page, 2, 2).click()
    with one_step(page):
        press(page, "3")
    assert read_stands(page)[2] == "Bob: ? 3 3 ? ? ?"


def test_the_detonator_is_counted_down_and_warns(
    page: Page, site: str, watched: Callable[..., Page]
) -> None:
    enter_text(page, site, STANDS)
    bare = address_of(page)
    page.get_by_role("button", name="Count the detonator").click()
    dial = page.get_by_role("group", name="Detonator")
    expect(dial).to_contain_text("4 steps left")
    for left in ("3 steps", "2 steps"):
        dial.get_by_role("button", name="One step less").click()
        expect(dial).to_contain_text(left)
    tile(page, 2, 0).click()
    press(page, "Ann", "It failed")
    pad(page).get_by_role("button", name=re.compile(r"^5\b")).click()
    press(page, "1")
    expect(dial).to_contain_text("1 step left")
    page.get_by_text("Cut", exact=True).first.click()
    expect(page.get_by_text("a cut that fails ends the game")).to_be_visible()
    uncertain = page.locator(".options:not(.stale) .option", has_text="game over").first
    works = int(re.findall(r"(\d+) %\s*works", uncertain.inner_text())[0])
    ends = int(re.findall(r"game over\s(\d+)\s%", uncertain.inner_text())[0])
    assert works + ends in (99, 100, 101)  # each is rounded

    other = watched(address_of(page))
    expect(other.get_by_role("group", name="Detonator")).to_contain_text("1 step left")
    page.keyboard.press("Control+z")
    expect(dial).to_contain_text("2 steps left")
    dial.get_by_role("button", name="Stop counting").click()
    expect(page.get_by_role("button", name="Count the detonator")).to_be_visible()
    assert address_of(page) == bare  # what is not counted is not in the link


def test_a_mission_takes_the_yellow_and_red_wires_of_the_table(page: Page, site: str) -> None:
    page.goto(site + "#/rack")
    expect(deals(page)).to_be_visible()
    page.get_by_role("button", name="New table…").click()
    page.get_by_role("button", name="Mission 5", exact=True).click()
    yellow = page.get_by_role("group", name="Yellow wires, 2 of 3")
    for number in ("3", "7"):
        yellow.get_by_role("button", name=number, exact=True).click()
    seat = page.get_by_role("button", name="4 players, you are the captain")
    seat.click()
    expect(page.locator("dialog [role=alert]")).to_contain_text("3 yellow and 1 red, or none")
    yellow.get_by_role("button", name="9", exact=True).click()
    red = page.get_by_role("group", name="Red wires, 1")
    red.get_by_role("button", name="2", exact=True).click()
    red.get_by_role("button", name="5", exact=True).click()  # one is in play: the 2 goes out
    seat.click()
    expect(page.locator(".sub").first).to_contain_text("red 5 · 2 of yellow 3, 7, 9")
    expect(page.get_by_role("heading", name="Mission 5")).to_be_visible()


def test_everything_can_be_typed(page: Page, site: str) -> None:
    page.goto(site + "#/rack")
    expect(deals(page)).to_be_visible()
    page.keyboard.press("ArrowDown")
    for word in ("1", "2", "3", "3", "4", "6"):
        page.keyboard.type(word)
        page.keyboard.press("Enter")
    expect(first(page)).to_be_visible()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    page.keyboard.type("i5")
    page.keyboard.press("Enter")
    expect(page.locator(".tile.info")).to_have_count(1)
    page.keyboard.press("Control+z")
    expect(page.locator(".tile.info")).to_have_count(0)


def test_a_question_mark_opens_the_sheet_of_keys_and_a_dot_is_an_unknown_wire(
    page: Page, site: str
) -> None:
    enter_text(page, site, STANDS)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("?")
    sheet = page.locator("dialog")
    expect(sheet.get_by_role("heading", name="Keys")).to_be_visible()
    expect(sheet).to_contain_text("arrows choose a slot")
    page.keyboard.press("Escape")
    expect(sheet).to_have_count(0)
    page.keyboard.type(".4")
    with one_step(page):
        page.keyboard.press("Enter")
    assert read_stands(page)[0] == "?4 ?2 ?3 ?3 ?4 ?6"


def test_what_a_wire_shows_is_asked_for_and_never_guessed(page: Page, site: str) -> None:
    """Set as it is to Shown, a hidden wire stays hidden until somebody has said what it shows."""
    enter_text(page, site, STANDS)
    expect(deals(page)).to_be_visible()
    tile(page, 2, 3).click()
    pad(page).get_by_text("Set it as it is").click()
    states = pad(page).get_by_role("group", name="Set it as it is")
    states.get_by_role("button", name="Shown").click()
    expect(pad(page)).to_contain_text("What does it show?")
    assert read_stands(page)[2] == "Bob: ? ? ? ? ? ?"
    states.get_by_role("button", name="Cut", exact=True).click()
    expect(pad(page)).to_contain_text("Which wire was cut?")
    states.get_by_role("button", name="Shown").click()
    with one_step(page):
        pad(page).locator("details .keys-row").first.get_by_role("button", name="2").click()
    assert read_stands(page)[2] == "Bob: ? ? ? i2 ? ?"


def test_what_cannot_be_is_pointed_at_and_kept(page: Page, site: str) -> None:
    enter_text(page, site, "? ? ? ? ? ?\n? 5 ? 2 ? ?\n? ? ? ? ? ?\n? ? ? ? ? ?")
    expect(page.get_by_role("alert")).to_contain_text("cannot all hold")
    expect(page.locator(".tile.doubted")).to_have_count(2)
    expect(tile(page, 1, 1)).to_have_text(re.compile("5"))
    page.get_by_role("button", name=re.compile("^Undo")).click()
    expect(page.get_by_role("alert")).to_have_count(0)


def test_a_text_that_is_no_stand_is_answered_with_its_place(page: Page, site: str) -> None:
    enter_text(page, site, "1 2 banana")
    expect(page.locator("dialog [role=alert]")).to_contain_text("slot 3")


def test_a_link_shows_the_same_table_but_not_ones_own_wires(
    page: Page, site: str, watched: Callable[..., Page]
) -> None:
    enter_text(page, site, "?1 ?2 ?3 ?3 ?4 ?6\nAnn: ? i5 ? ? ? ?\n? ? ? ? ? ?\n? ? ? ? ? ?")
    expect(first(page)).to_be_visible()
    page.get_by_role("button", name="Share").click()
    open_link = page.locator("dialog input").input_value()
    page.get_by_role("button", name="With my secrets").click()
    whole_link = page.locator("dialog input").input_value()
    assert unquote(open_link) != unquote(whole_link)

    other = watched(open_link)
    expect(tile(other, 1, 1)).to_have_class(re.compile("info"))
    expect(tile(other, 0, 0)).to_have_class(re.compile("open"))
    same = watched(whole_link)
    expect(first(same)).to_have_text(first(page).text_content() or "")


def test_a_practice_game_scores_the_choice_and_answers_cuts(
    watched: Callable[..., Page], site: str
) -> None:
    page = watched(site + "#/rack", **PHONE)
    expect(deals(page)).to_be_visible()
    page.get_by_role("button", name="Practise").tap()
    expect(page.get_by_text("Which wire would you show?")).to_be_visible()
    tile(page, 0, 1).tap()
    expect(page.get_by_text(re.compile("of what the best one|nothing tells more"))).to_be_visible()
    page.get_by_role("button", name="Show this one to the table").tap()
    for cuts in (2, 4):
        expect(first(page)).to_be_visible()
        page.locator(".reason .plain").first.tap()
        if cuts == 2:
            expect(page.locator(".tile.cut, .tile.info")).not_to_have_count(1)
    page.get_by_role("button", name=re.compile("^Undo")).tap()


def test_tokens_are_compared_and_detectors_listed(page: Page, site: str) -> None:
    enter_text(page, site, "?1 ?2 ?3 ?3 ?4 ?6\n? i5 ? ? ? ?\n? ? ? ? ? ?\n? ? ? ? ? ?")
    page.get_by_role("button", name="Compare the three tokens").click()
    expect(page.locator(".compare tbody tr")).to_have_count(6)
    expect(page.locator(".compare .most")).to_have_count(3)  # a best slot a token
    page.get_by_role("button", name="Cut", exact=True).click()
    page.get_by_text("With detectors and rays too").click()
    page.get_by_role("button", name=re.compile("^All")).click()
    expect(page.locator(".facts", has_text="double detector").first).to_be_visible()
