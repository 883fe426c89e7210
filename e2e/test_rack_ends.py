"""Missions with turned wires on a phone, five players, from the empty desk to their end.

Everybody plays by the desk's advice, or cuts what works (`lucky`), so that games are won and lost;
who can cut nothing skips. Nothing is scrolled for in a turn (`Mission.turn`).
"""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from test_bar import PHONE, part
from test_rack_hand import PLAYERS, Mission

WON, LOST = "The bomb is defused", "The bomb has gone off"


@pytest.mark.parametrize(
    ("number", "seed", "lucky", "end"),
    [(56, 3, True, WON), (56, 2, False, LOST), (64, 264, True, WON), (64, 2, False, LOST)],
)
def test_a_mission_with_turned_wires_is_played_to_its_end_in_the_hand(
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
    assert mean <= 2.5
    if end == WON:
        return
    expect(part(page, "act")).to_have_count(0)
    page.get_by_role("button", name=re.compile("^Undo")).tap()
    expect(part(page, "advice")).not_to_contain_text(LOST)
