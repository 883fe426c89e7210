"""A game without a mission's card noted turn by turn, whoever acts, with devices and misses."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from browser import PHONE
from cluewise import desks, links, service
from rack_page import TABLE, write_stands

NAMES = ("You", "Ann", "Bob", "Cleo")
Place = tuple[int, int]


class Game:
    """The true deal, what is cut and shown of it, and the page that shows it."""

    def __init__(self, page: Page, seed: int) -> None:
        self.page, self.dice = page, random.Random(seed)
        wires = [n for n in "123456" for _ in range(4)]
        self.dice.shuffle(wires)
        self.hands = [sorted(wires[i::4]) for i in range(4)]
        self.cut: set[Place] = set()
        self.shown: set[Place] = set()

    def begin(self) -> None:
        """One's own wires, as text."""
        mine = " ".join(f"?{wire}" for wire in self.hands[0])
        write_stands(self.page, "\n".join([mine, *["? ? ? ? ? ?"] * 3]))
        expect(self.page.locator(".options .option").first).to_be_visible()

    def wire(self, place: Place) -> str:
        return self.hands[place[0]][place[1]]

    def left(self, player: int) -> list[Place]:
        return [(player, j) for j in range(6) if (player, j) not in self.cut]

    def tap(self, place: Place) -> None:
        self.page.locator(f'[data-place="{place[0]}.{place[1]}"]').click()

    def key(self, name: str) -> None:
        """A key of the pad: its name may go on with a chance, `5 12 %`."""
        named = re.compile(rf"^{re.escape(name)}(?!\w)")
        self.page.locator(".pad-box").get_by_role("button", name=named).first.click()

    def turn(self, actor: int) -> None:
        """A player names one of her wires; somebody has its fellow, or she cuts alone."""
        value = self.wire(self.dice.choice(self.left(actor)))
        own = [at for at in self.left(actor) if self.wire(at) == value]
        own.sort(key=lambda at: at not in self.shown)
        others = [at for p in range(4) if p != actor for at in self.left(p)]
        fellows = [at for at in others if self.wire(at) == value]
        if not fellows:
            self.alone(actor, own, value)
            return
        target = self.dice.choice(fellows)
        hidden = [at for at in self.left(target[0]) if at not in self.shown]
        wrong = [at for at in hidden if self.wire(at) != value]
        if len(wrong) > 1 and self.dice.random() < 0.25:
            self.miss(actor, wrong[:2], value)
        else:
            self.hit(actor, target, hidden, own[0], value)

    def alone(self, actor: int, own: list[Place], value: str) -> None:
        if actor == 0:
            self.page.get_by_role("button", name="Cut", exact=True).first.click()
            rows = self.page.locator(".options:not(.stale) .option")
            rows.filter(has_text="alone").filter(has_text=value).first.click()
            self.page.locator(".reason .plain").first.click()
        else:
            self.tap(own[0])
            self.key(NAMES[actor])
            for place in own[1:]:
                self.tap(place)
            self.key(value)
        self.cut.update(own)

    def who(self, actor: int) -> None:
        self.page.locator(".pad-box .seg").first.get_by_role(
            "button", name=NAMES[actor], exact=True
        ).click()

    def miss(self, actor: int, pointed: list[Place], value: str) -> None:
        self.tap(pointed[0])
        self.who(actor)
        self.key("Double")
        self.key(f"Slot {'ABCDEF'[pointed[1][1]]}")
        self.key("It failed")
        self.key(value)
        self.key(f"Slot {'ABCDEF'[pointed[1][1]]}")
        if pointed[1][0]:  # one's own wire is known: nothing is asked
            self.key(self.wire(pointed[1]))
        self.shown.add(pointed[1])

    def hit(self, actor: int, at: Place, hidden: list[Place], own: Place, value: str) -> None:
        device = self.dice.choice(["Cut", "Super"]) if at in hidden and len(hidden) > 1 else "Cut"
        self.tap(at)
        self.who(actor)
        if device == "Super":
            self.key(device)
        self.key("It worked")
        self.key(value)
        if device == "Super":
            self.key(f"Slot {'ABCDEF'[at[1]]}")
        if actor and own not in self.shown:
            self.tap(own)
        self.cut.update((at, own))


def test_every_turn_of_a_game_is_noted_and_the_truth_stays_possible(
    watched: Callable[..., Page], site: str
) -> None:
    table = links.encode(service.read_position(desks.load("rack"), TABLE))
    page = watched(site + table, **PHONE)
    expect(page.locator(".left-box")).to_be_visible()
    game = Game(page, 2)
    game.begin()
    for turn in range(60):
        if len(game.cut) == 24:
            break
        if game.left(turn % 4):
            game.turn(turn % 4)
            expect(page.locator(".tile.cut")).to_have_count(len(game.cut))
            expect(page.locator(".tile.info")).to_have_count(len(game.shown - game.cut))
            expect(page.locator(".doubt")).to_have_count(0)
    expect(page.get_by_text("the bomb is defused").first).to_be_visible()
    expect(page.locator(".left b")).to_have_text("1")
