"""Special missions at the table: what their cards make happen is entered and noted on the page.

Tables come by link as the desk lays them out, with one's own wires given; what is pressed is what
a player presses. One file: the same table is laid for every rule.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from browser import address_of
from cluewise import desks, links, service
from cluewise.desks.rack.puzzles import deal_hands
from rack_page import one_step, pad, tile
from test_bar import PHONE, part
from test_rack_hand import hidden_wires, shared_link

Place = tuple[int, int]
TURNED = (38, 56, 64)


class Table:
    """A mission dealt to four, and the page of one of them, her own wires in it."""

    def __init__(
        self,
        page: Page,
        site: str,
        mission: int,
        seat: int,
        players: int = 4,
        *,
        shown: bool = False,
    ) -> None:
        """`shown`: the first tokens lie, a blue wire of everybody's."""
        self.page, self.seat, self.mission = page, seat, mission
        table: dict[str, Any] = service.run(
            {"desk": "rack", "want": "mission", "position": {},
             "options": {"mission": mission, "players": players, "seat": seat, "seed": 3}}
        )  # fmt: skip
        self.hands = deal_hands(
            service.read_position(desks.load("rack"), table), random.Random(mission)
        )
        table["captain_card"] = 2 if "captain_card" in table else None
        for i, (stand, name) in enumerate(
            zip(table["stands"], ("Ann", "Bob", "Cleo", "Dan"), strict=False)
        ):
            stand["name"] = name
            for j, slot in enumerate(stand["slots"]):
                turned = mission in TURNED and "unsorted" in slot.get("tokens", [])
                if (stand.get("owner", i) == seat) != turned:
                    slot["wire"] = self.hands[i][j]
        owners = [stand.get("owner", i) for i, stand in enumerate(table["stands"])]
        for i in sorted({owners.index(player) for player in owners}) if shown else ():
            j = next(k for k in range(2, 9) if self.hands[i][k][0] not in "YR")
            table["stands"][i]["slots"][j] = {"state": "info", "wire": self.hands[i][j]}
        self.table = table
        page.goto(site + links.encode(service.read_position(desks.load("rack"), table)))
        expect(page.locator(".left-box:not(.stale) .left b")).to_have_count(1)

    def of(self, value: str, *stands: int) -> list[Place]:
        """Where wires of a value or colour stand."""
        every = [(i, j) for i in stands for j in range(len(self.hands[i]))]
        return [(i, j) for i, j in every if self.hands[i][j].startswith(value)]


def key(page: Page, name: str) -> Locator:
    return pad(page).get_by_role("button", name=re.compile(rf"^{re.escape(name)}(?!\w)")).first


def log(page: Page) -> Locator:
    return page.get_by_role("region", name="Turns so far").locator("li span").first


def phone(watched: Callable[..., Page], site: str) -> Page:
    return watched(site + "#/rack", **PHONE, reduced_motion="reduce")


def test_an_owner_cuts_her_own_turned_wire_and_a_wrong_guess_ends_the_game(
    watched: Callable[..., Page], site: str
) -> None:
    page = phone(watched, site)
    table = Table(page, site, 38, 0, shown=True)
    own = (0, len(table.hands[0]) - 1)
    value = next(w for w in table.hands[0][:-1] if w[0] not in "YR")
    tile(page, *own).tap()
    expect(pad(page).get_by_role("group", name="With what")).to_have_count(0)  # no equipment helps
    with one_step(page):
        key(page, value).tap()
    expect(tile(page, *own)).to_have_class(re.compile("cut"))
    expect(page.locator(".tile.cut")).to_have_count(2)
    page.get_by_role("button", name=re.compile("^Undo")).tap()
    expect(page.locator(".tile.cut")).to_have_count(0)
    tile(page, *own).tap()
    pad(page).get_by_role("button", name="It failed").tap()
    expect(pad(page).get_by_text("With the stabilizer")).to_have_count(0)
    with one_step(page):
        key(page, value).tap()
    expect(log(page)).to_contain_text("The bomb has gone off")
    expect(part(page, "advice")).to_contain_text("The bomb has gone off")
    expect(part(page, "act")).to_have_count(0)
    page.get_by_role("button", name=re.compile("^Undo")).tap()
    expect(part(page, "advice")).not_to_contain_text("gone off")


def test_the_advice_for_ones_own_turned_wire_says_that_failing_ends_the_game(
    page: Page, site: str
) -> None:
    Table(page, site, 38, 0, shown=True)
    page.get_by_role("button", name=re.compile("^All")).click()
    row = page.locator(".options:not(.stale) .option", has_text="You").first
    expect(row).to_contain_text("game over")
    expect(row).not_to_contain_text("red")


def test_turned_wires_of_teammates_are_asked_for_and_no_link_holds_them(
    watched: Callable[..., Page], site: str
) -> None:
    page = phone(watched, site)
    table = Table(page, site, 56, 1)
    assert hidden_wires(address_of(page))
    assert hidden_wires(shared_link(page)) == []
    tile(page, 0, len(table.hands[0]) - 1).tap()
    pad(page).get_by_text("Set it as it is").tap()
    pad(page).get_by_role("button", name="Erase").tap()
    pad(page).get_by_role("button", name="Done").tap()
    expect(part(page, "advice")).to_contain_text("Ann’s turned wire")
    page.get_by_role("button", name="Enter them").tap()
    with one_step(page):
        pad(page).get_by_role("button", name=table.hands[0][-1], exact=True).tap()
    expect(part(page, "advice")).to_contain_text("Ann’s token")


def test_a_teammate_cuts_her_own_turned_wire_by_two_presses(
    watched: Callable[..., Page], site: str
) -> None:
    page = phone(watched, site)
    table = Table(page, site, 56, 1, shown=True)
    turned = (0, len(table.hands[0]) - 1)
    value = table.hands[0][-1]
    fellows = [p for p in table.of(value, 0) if p != turned and table.hands[0][p[1]] == value]
    fellow = fellows[0] if fellows else (0, 4)
    tile(page, *turned).tap()  # Ann is the captain: it is her turn
    with one_step(page):
        tile(page, *fellow).tap()
    expect(log(page)).to_have_text(re.compile(rf"^Ann: {value} at Ann [A-N], cut\.$"))
    expect(page.get_by_role("group", name="Detonator")).to_contain_text("4 steps left")


def test_another_players_turned_wire_takes_a_step_and_the_advice_says_so(
    page: Page, site: str
) -> None:
    table = Table(page, site, 56, 1, shown=True)
    page.get_by_role("button", name=re.compile("^All")).click()
    mine = set(table.hands[1][:-1])
    i = next(i for i in (0, 2, 3) if table.hands[i][-1] in mine)
    name = table.table["stands"][i]["name"]
    letter = chr(ord("A") + len(table.hands[i]) - 1)
    where = page.locator(".where", has_text=re.compile(rf"{name}\s*{letter}\b"))
    row = page.locator(".options:not(.stale) .option", has=where).first
    expect(row).to_contain_text("takes a step")


def test_lying_tokens_are_laid_by_two_presses_each_and_say_what_a_wire_is_not(
    watched: Callable[..., Page], site: str
) -> None:
    page = phone(watched, site)
    table = Table(page, site, 17, 3)
    bar = part(page, "advice")
    for i in (0, 1):
        expect(bar).to_contain_text(f"{('Ann', 'Bob')[i]}’s token")
        place = next(p for p in ((i, j) for j in range(13)) if table.hands[i][p[1]][0] != "R")
        with one_step(page):
            tile(page, *place).tap()
            key(page, table.hands[i][place[1]]).tap()
    for j in (3, 4):
        expect(bar).to_contain_text("Cleo’s token")
        expect(bar).to_contain_text("It lies")
        wrong = next(str(n) for n in range(1, 13) if str(n) != table.hands[2][j])
        with one_step(page):
            tile(page, 2, j).tap()
            key(page, wrong).tap()
    expect(part(page, "act")).to_have_text("Show it")
    slots = links.lean(links.decode(address_of(page)))["stands"][2]["slots"]
    assert [[t[:4] for t in slot.get("tokens", [])] for slot in slots[3:5]] == [["not:"]] * 2


def test_tokens_of_absent_values_lie_beside_the_stand(
    watched: Callable[..., Page], site: str
) -> None:
    page = phone(watched, site)
    table = Table(page, site, 22, 0)
    for player in range(4):
        absent = [str(n) for n in range(1, 13) if str(n) not in table.hands[player]]
        for value in absent[:2]:
            expect(part(page, "advice")).to_contain_text("none of it is there")
            with one_step(page):
                key(page, value).tap()
    facts = [s["facts"] for s in links.lean(links.decode(address_of(page)))["stands"]]
    assert [[f["kind"] for f in one] for one in facts] == [["lacks"] * 2] * 4
    expect(part(page, "advice")).to_have_attribute("data-state", re.compile("advice|certain"))


def test_a_drawn_token_lies_on_a_wire_or_beside_the_stand(
    watched: Callable[..., Page], site: str
) -> None:
    page = phone(watched, site)
    table = Table(page, site, 13, 0)
    own = next(j for j, w in enumerate(table.hands[0]) if w[0] != "R")
    expect(part(page, "advice")).to_contain_text("Your token")
    with one_step(page):
        tile(page, 0, own).tap()
    expect(tile(page, 0, own)).to_have_class(re.compile("info"))
    expect(part(page, "advice")).to_contain_text("Bob’s token")
    with one_step(page):
        key(page, next(str(n) for n in range(1, 13) if str(n) not in table.hands[1])).tap()
    expect(part(page, "advice")).to_contain_text("Cleo’s token")


def test_a_teammates_cut_of_several_wires_is_tapped_wherever_they_stand(
    watched: Callable[..., Page], site: str
) -> None:
    page = phone(watched, site)
    table = Table(page, site, 13, 3, shown=True)
    reds = table.of("R", 0, 1, 2, 3)
    assert len({i for i, _ in reds}) == 3
    tile(page, *reds[0]).tap()
    pad(page).get_by_role("button", name="at once").tap()
    for place in reds[1:]:
        tile(page, *place).tap()
    with one_step(page):
        pad(page).get_by_role("button", name="It worked").tap()
    expect(log(page)).to_contain_text("Ann: 3 × red")
    expect(page.locator(".tile.cut")).to_have_count(3)
    page.get_by_role("button", name=re.compile("^Undo")).tap()
    tile(page, 0, 0).tap()
    pad(page).get_by_role("button", name="at once").tap()
    pad(page).get_by_role("button", name="It failed").tap()
    expect(page.get_by_text("Together, three red wires are cut.")).to_be_visible()


def test_who_skips_is_noted_with_its_cost_and_the_next_one_acts(page: Page, site: str) -> None:
    Table(page, site, 44, 3, shown=True)
    page.get_by_role("button", name="Other moves…").click()
    dialog = page.locator("dialog")
    dialog.get_by_label("What happened").select_option("skip")
    cost = dialog.get_by_role("group", name="Steps that it costs")
    cost.get_by_role("button", name="1", exact=True).click()
    with one_step(page):
        dialog.get_by_role("button", name="Note it").click()
    expect(log(page)).to_have_text("Turn skipped: Ann. 3 steps left on the detonator.")
    tile(page, 2, 3).click()
    who = pad(page).get_by_role("group", name="Whose turn").locator("[aria-pressed=true]")
    expect(who).to_have_text("Bob")


@pytest.mark.parametrize("who", ["You", "Ann"])
def test_a_yellow_wire_is_cut_without_holding_one(page: Page, site: str, who: str) -> None:
    """Nothing of the player's own goes along, and a step of the detonator comes back."""
    table = Table(page, site, 41, 3, shown=True)
    (stand, slot) = table.of("Y", 1)[0]
    tile(page, stand, slot).click()
    pad(page).get_by_role("group", name="Whose turn").get_by_role("button", name=who).click()
    with one_step(page):
        pad(page).get_by_role("button", name=re.compile("^◆")).first.click()
    expect(tile(page, stand, slot)).to_have_class(re.compile("cut yellow"))
    expect(page.locator(".tile.cut")).to_have_count(1)
    expect(page.get_by_role("group", name="Detonator")).to_contain_text("2 steps left")


def test_a_wire_that_lay_beside_the_stands_joins_ones_own(page: Page, site: str) -> None:
    table = Table(page, site, 43, 3, shown=True)
    page.get_by_role("button", name="Other moves…").click()
    dialog = page.locator("dialog")
    dialog.get_by_label("What happened").select_option("draw")
    to = dialog.get_by_role("group", name="To which stand")
    to.get_by_role("button", name="You", exact=True).click()
    place = dialog.get_by_role("group", name="Where the new wire now stands: You")
    place.get_by_role("button", name="Slot A").click()
    with one_step(page):
        dialog.get_by_role("button", name="Note it").click()
    expect(page.locator(".sub").first).to_contain_text("3 wires beside the stands")
    assert len(links.decode(address_of(page)).stands[3].slots) == len(table.hands[3]) + 1
    tile(page, 3, 0).click()
    with one_step(page):
        pad(page).get_by_role("button", name="1", exact=True).click()
    expect(page.locator(".doubt")).to_have_count(0)


def test_a_teammate_cuts_alone_from_both_of_her_stands(page: Page, site: str) -> None:
    """Ann has two stands; two of a number are cut, and the last two stand one on each of hers."""
    stands = [{"name": "Ann", "slots": [{}] * 3}, {"owner": 0, "slots": [{}] * 3}]
    own = [{"state": "cut", "wire": "1"}, {"wire": "2"}, {"wire": "3"}]
    stands += [{"owner": 1, "slots": own}] * 2
    table = {"desk": "rack", "viewer": 1, "wires": {"blue": [1, 3]}, "stands": stands}
    page.goto(site + links.encode(service.read_position(desks.load("rack"), table)))
    expect(page.locator(".left-box:not(.stale) .left b")).to_have_count(1)
    tile(page, 0, 0).click()
    pad(page).get_by_role("button", name="Ann", exact=True).click()
    tile(page, 1, 0).click()
    with one_step(page):
        key(page, "1").click()
    expect(log(page)).to_have_text("Ann: 2 × 1 cut alone.")
    expect(page.locator(".tile.cut")).to_have_count(4)


def test_number_cards_are_asked_for_where_the_table_is_laid_out_and_none_is_guessed(
    page: Page, site: str
) -> None:
    for pressed in (["3", "9", "4"], []):
        page.goto(site + "#/rack")
        expect(page.locator(".left-box .left b")).to_have_count(1)
        page.get_by_role("button", name="New table…").click()
        dialog = page.locator("dialog")
        dialog.get_by_role("button", name="Mission 9", exact=True).click()
        cards = dialog.get_by_role("group", name="Open number cards")
        for number in pressed:
            cards.get_by_role("button", name=number, exact=True).click()
        dialog.get_by_role("button", name="4 players, you are the captain").click()
        expect(page.locator(".table-head h1")).to_have_text("Mission 9")
        expect(dialog).to_have_count(0)
        assert list(links.decode(address_of(page)).numbers) == pressed


def test_who_holds_the_captain_card_is_asked_for(page: Page, site: str) -> None:
    page.goto(site + "#/rack")
    expect(page.locator(".left-box .left b")).to_have_count(1)
    page.get_by_role("button", name="New table…").click()
    dialog = page.locator("dialog")
    dialog.get_by_role("button", name="Mission 14", exact=True).click()
    holder = dialog.get_by_role("group", name="Who holds the captain card")
    holder.get_by_role("button", name="3", exact=True).click()
    dialog.get_by_role("button", name="4 players, you are the captain").click()
    expect(page.locator(".table-head h1")).to_have_text("Mission 14")
    expect(dialog).to_have_count(0)
    assert links.decode(address_of(page)).captain_card == 2


def test_rules_that_are_not_in_the_numbers_stand_beside_the_advice_on_a_phone(
    watched: Callable[..., Page], site: str
) -> None:
    page = phone(watched, site)
    Table(page, site, 44, 0, shown=True)
    expect(part(page, "advice")).to_contain_text("see the card")
    expect(part(page, "advice")).to_contain_text("see the card")
    page.locator(".bar-line").tap()
    sheet = page.get_by_role("dialog", name="Advice")
    expect(sheet.get_by_text("Cuts cost air")).to_be_visible()


@pytest.mark.parametrize("players", [4, 5])
def test_a_closed_stand_is_one_line_and_the_open_one_lies_in_order(
    watched: Callable[..., Page], site: str, players: int
) -> None:
    page = phone(watched, site)
    Table(page, site, 4, 0, players=players, shown=True)
    expect(page.locator(".tile.advised")).to_be_in_viewport(ratio=1)
    boxes = """() => [...document.querySelectorAll(".stand")].map((stand) => [
      stand.classList.contains("opened"),
      [...stand.querySelectorAll(".tile")].map((tile) => {
        const { x, bottom } = tile.getBoundingClientRect();
        return [Math.round(bottom), Math.round(x)];
      })])"""
    stands = page.evaluate(boxes)
    assert sum(open_ for open_, _ in stands) == 1
    for open_, tiles in stands:
        rows = {bottom for bottom, _ in tiles}
        assert len(rows) == (2 if open_ and len(tiles) > 7 else 1)
        assert tiles == sorted(tiles)
