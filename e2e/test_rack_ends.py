"""Missions on a phone to their end: won, lost by the bomb, lost because no player can cut."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from browser import PHONE
from presses import part
from test_rack_hand import PLAYERS, Mission

WON, LOST = "The bomb is defused", "The bomb has gone off"


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
def test_a_mission_with_turned_or_unsorted_wires_is_played_to_its_end_in_the_hand(
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
