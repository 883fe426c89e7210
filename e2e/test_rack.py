"""The rack desk in the browser: games begun and ended by touch, a turn by keys, how stands lie."""

import random
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from browser import PHONE, measured
from cluewise import desks, links, service
from cluewise.desks.rack.game.deal import deal_hands
from presses import part
from rack_page import TABLE, deals, first, one_step, pad, read_stands, tile, write_stands
from test_rack_hand import PLAYERS, Mission

WON, LOST = "The bomb is defused", "The bomb has gone off"
SMALL_PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
STANDS = "?1 ?2 ?3 ?3 ?4 ?6\n? ? ? ? ? ?\n? ? ? ? ? ?\n? ? ? ? ? ?"


def enter_text(page: Page, site: str, text: str) -> None:
    page.goto(site + links.encode(service.read_position(desks.load("rack"), TABLE)))
    expect(deals(page)).to_be_visible()
    write_stands(page, text)


def test_ray_is_entered_by_keys_alone(page: Page, site: str) -> None:
    enter_text(page, site, STANDS)
    expect(first(page)).to_be_visible()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    expect(tile(page, 1, 0)).to_be_focused()

    for name in ("Cleo", "X or Y"):
        pad(page).get_by_role("button", name=name).press("Enter")
    for value in "25":
        page.keyboard.press(value)
        page.keyboard.press("Space")
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


def test_pad_shows_each_number_key_once(page: Page, site: str) -> None:
    enter_text(page, site, STANDS)
    expect(first(page)).to_be_visible()
    tile(page, 2, 1).click()
    three = pad(page).get_by_role("button", name=re.compile(r"^3\b"))
    expect(three.locator("visible=true")).to_have_count(1)
    pad(page).get_by_text("Set slot directly").click()
    pad(page).get_by_role("button", name="Shown").click()
    expect(three.locator("visible=true")).to_have_count(1)


def test_the_tab_order_of_a_phone_is_the_order_seen_and_all_choices_of_the_pad_are_in_sight(
    watched: Callable[..., Page], site: str
) -> None:
    page = watched(site + links.encode(laid_out(4)), **PHONE, reduced_motion="reduce")
    expect(page.locator(".tile.advised")).to_be_in_viewport(ratio=1)
    tile(page, 2, 1).tap()
    for name in ("Whose turn", "With", "Result"):
        expect(pad(page).get_by_role("group", name=name)).to_be_in_viewport(ratio=1)
    pad(page).get_by_role("button", name="Done").focus()
    rows = []
    while page.locator("summary:focus").count() == 0:
        page.keyboard.press("Tab")
        rows.append(page.evaluate("document.activeElement.getBoundingClientRect().y"))
    assert len(rows) > 12
    assert rows == sorted(rows)
    tile(page, 3, 11).focus()  # the last of the stands above one's own
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    expect(tile(page, 0, 0)).to_be_focused()


def laid_out(players: int) -> Any:
    """Mission 4 dealt, the captain's own wires in it, and a blue wire of each player's shown."""
    options = {"mission": 4, "players": players, "seat": 0, "seed": 3}
    table: dict[str, Any] = service.run(
        {"desk": "rack", "want": "mission", "position": {}, "options": options}
    )
    hands = deal_hands(service.read_position(desks.load("rack"), table), random.Random(4))
    for i, (stand, hand) in enumerate(zip(table["stands"], hands, strict=True)):
        if i == 0:
            stand["slots"] = [{"wire": wire} for wire in hand]
        shown = next(j for j in range(2, 9) if hand[j][0] not in "YR")
        stand["slots"][shown] = {"state": "info", "wire": hand[shown]}
    return service.read_position(desks.load("rack"), table)


def test_closed_stands_have_one_line_and_tiles_are_in_order(
    watched: Callable[..., Page], site: str
) -> None:
    boxes = """() => [...document.querySelectorAll(".stand")].map((stand) => [
      stand.classList.contains("opened"),
      [...stand.querySelectorAll(".tile")].map((tile) => {
        const { x, bottom } = tile.getBoundingClientRect();
        return [Math.round(bottom), Math.round(x)];
      })])"""
    page = watched(site + "#/rack", **SMALL_PHONE, reduced_motion="reduce")
    for players in (4, 5):
        page.goto(site + links.encode(laid_out(players)))
        expect(page.locator(".stand")).to_have_count(players)
        expect(page.locator(".tile.advised")).to_be_in_viewport(ratio=1)
        stands = measured(page, boxes)
        assert sum(open_ for open_, _ in stands) == 1
        for open_, tiles in stands:
            rows = {bottom for bottom, _ in tiles}
            assert len(rows) == (2 if open_ and len(tiles) > 7 else 1)
            assert tiles == sorted(tiles)


def rare(*game: object) -> object:
    return pytest.param(*game, marks=pytest.mark.long)


@pytest.mark.sampled(3, of="rack, hands")
@pytest.mark.parametrize(
    ("number", "seed", "lucky", "end"),
    [
        (56, 3, True, WON), rare(56, 2, False, LOST), rare(64, 264, True, WON),
        rare(64, 2, False, LOST), rare(35, 1, True, WON), (35, 1, False, LOST),
    ],
)  # fmt: skip
def test_mission_with_turned_or_unsorted_wires_is_played_on_a_phone(
    watched: Callable[..., Page], site: str, number: int, seed: int, lucky: bool, end: str
) -> None:
    page = watched(site + "#/rack", **PHONE, reduced_motion="reduce")
    expect(page.locator(".left-box .left b")).to_have_count(1)
    game = Mission(page, number, seed, lucky=lucky)
    game.set_up()
    game.first_tokens()
    over = part(page, "advice").filter(has_text=re.compile(f"{WON}|{LOST}"))
    for turn in range(60):
        game.turn(turn % PLAYERS)
        expect(page.locator(".doubt")).to_have_count(0)
        if over.count():
            break
    expect(part(page, "advice")).to_contain_text(end)
    mean = sum(game.turns) / len(game.turns)
    print(f"\nmission {number}: {len(game.turns)} turns, {mean:.2f} presses a turn")
    assert mean <= 2.25
    if end == WON:
        return
    part(page, "act").filter(has_text="Look back").tap()
    expect(page.locator("details.review[open]")).to_have_count(1)
    page.get_by_role("button", name=re.compile("^Undo")).tap()
    expect(part(page, "advice")).not_to_contain_text(LOST)
