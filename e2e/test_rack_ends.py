"""Missions on a phone to their end: won, lost by the bomb, lost because nobody can cut any more.

In mission 35 sixteen keys tell a value, and unsorted wires are locked at first. Five play from the
empty desk by the desk's advice, or cut what works (`lucky`), so that games are won and lost; who
can cut nothing skips. Nothing is scrolled for in a turn (`Mission.turn`).
"""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from cluewise import desks, links, service
from rack_page import one_step
from test_bar import PHONE, Thumb, part
from test_rack_hand import PLAYERS, Mission

WON, LOST = "The bomb is defused", "The bomb has gone off"


@pytest.mark.parametrize(
    ("number", "seed", "lucky", "end"),
    [
        (56, 3, True, WON), (56, 2, False, LOST), (64, 264, True, WON), (64, 2, False, LOST),
        (35, 1, True, WON), (35, 1, False, LOST), (35, 4, False, LOST),
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
    assert mean <= 2.5
    if end == WON:
        return
    expect(part(page, "act")).to_have_count(0)
    page.get_by_role("button", name=re.compile("^Undo")).tap()
    expect(part(page, "advice")).not_to_contain_text(LOST)


X = {"tokens": ["unsorted"]}


def nearly_over(low: int) -> str:
    """Mission 56: a pair of the lowest number is left, and a pair that is turned away."""
    first, second, third = map(str, range(low, low + 3))
    cut = {wire: {"state": "cut", "wire": wire} for wire in (first, second, third, "R11")}
    table = {
        "desk": "rack", "mission": 56, "detonator": 3, "viewer": 0,
        "wires": {"blue": [low, low + 2], "red": ["R11"]},
        "stands": [
            {"slots": [{"wire": first}, cut[first], X]},
            {"name": "Ann", "slots": [{}, cut[second], X | {"wire": second}]},
            {"name": "Bob", "slots": [cut[first], cut[second], *[cut[third]] * 4, cut["R11"]]},
        ],
    }  # fmt: skip
    return links.encode(service.read_position(desks.load("rack"), table))


@pytest.mark.parametrize(
    ("low", "title", "more"),
    [
        (1, "The mission is lost", "Nobody can cut any more"),
        (8, "Nobody can cut any more", "lost, unless a disintegrator lies there unused"),
    ],
)
def test_the_page_says_that_nobody_can_cut_any_more(
    watched: Callable[..., Page], site: str, low: int, title: str, more: str
) -> None:
    """The last pair that anybody saw is cut: in the bar, in the log; where four 10s are cut a
    card may still help. Undo takes it back."""
    page = watched(site + nearly_over(low), **PHONE, reduced_motion="reduce")
    expect(part(page, "advice")).to_contain_text(f"{low} at Ann A")
    with one_step(page):
        Thumb(page).act("It worked")
    expect(part(page, "advice").locator(".bar-title")).to_have_text(title)
    expect(part(page, "advice")).to_contain_text(more)
    expect(part(page, "act")).to_have_count(0)
    others = part(page, "entry").get_by_role("button")
    expect(others).to_have_count(1 if low == 8 else 0)
    turns = page.get_by_role("region", name="Turns so far")
    expect(turns).to_contain_text("can cut one, now or later: the mission is lost")
    page.get_by_role("button", name=re.compile("^Undo")).tap()
    expect(part(page, "advice")).to_contain_text(f"{low} at Ann A")
