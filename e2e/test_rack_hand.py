"""A table in the hand: a whole mission of five on a phone, by presses alone, and what they cost."""

import copy
import random
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from browser import PHONE, address_of, saved
from cluewise import desks, links, service
from cluewise.desks.rack.game.deal import deal_hands
from presses import Thumb, part
from rack_page import from_table_menu, one_step, pad, rank_by_success, tile

PLAYERS, SEAT = 5, 2
PLAIN = ["dual", "solo", "reveal", "together"]
Place = tuple[int, int]


def called(wire: str) -> str:
    return {"Y": "YELLOW", "R": "RED"}.get(wire[0], wire)


def spoken(wire: str) -> str:
    """The name of a wire's or value's key: `yellow 4` for Y4, `yellow` for YELLOW."""
    return re.sub("^R(?:ED)?", "red ", re.sub("^Y(?:ELLOW)?", "yellow ", wire)).strip()


class Mission:
    """A mission dealt, and the phone of the player in SEAT."""

    def __init__(self, page: Page, number: int, seed: int, *, lucky: bool = False) -> None:
        """`lucky`: everybody cuts what works, so that the game is won."""
        self.page, self.number = page, number
        self.thumb = Thumb(page)
        self.dice = random.Random(seed)
        self.turns: list[int] = []
        self.lucky = lucky
        table = service.run(
            {"desk": "rack", "want": "mission", "position": {},
             "options": {"mission": number, "players": PLAYERS, "seat": SEAT, "seed": seed}}
        )  # fmt: skip
        wires = table["wires"]
        drawn = [wire for group in wires.get("groups", []) for wire in group["of"]]
        self.special = [*wires.get("yellow", []), *wires.get("red", []), *drawn]
        self.cards = table.get("numbers", [])
        self.hands = deal_hands(service.read_position(desks.load("rack"), table), self.dice)
        self.table = table
        self.turned = {  # wires that all but their owner see
            (i, j)
            for i, stand in enumerate(table["stands"])
            for j, slot in enumerate(stand["slots"])
            if number in (38, 56, 64) and "unsorted" in slot.get("tokens", [])
        }
        asked = {"desk": "rack", "want": "posterior", "position": self.known(table, SEAT)}
        self.tokens = service.run(asked)["tokens"]

    def seen(self, place: Place, player: int) -> bool:
        return (place[0] == player) != (place in self.turned)

    def wire(self, place: Place) -> str:
        return self.hands[place[0]][place[1]]

    def value(self, place: Place) -> str:
        return called(self.wire(place))

    def key(self, name: str) -> Locator:
        """A key of the pad: its name may go on with a chance, `5 12 %`."""
        return pad(self.page).get_by_role("button", name=re.compile(rf"^{re.escape(name)}(?!\w)"))

    def tap_key(self, name: str) -> None:
        self.thumb.tap(self.key(name).first)

    def tap_tile(self, place: Place) -> None:
        self.thumb.tap(tile(self.page, *place))

    def set_up(self) -> int:
        """The table as it lies; how many presses that took."""
        page, thumb = self.page, self.thumb
        from_table_menu(page, "New table…", thumb.tap)
        dialog = page.locator("dialog")
        thumb.tap(dialog.get_by_role("button", name=f"Mission {self.number}", exact=True))
        for wire in self.special:
            colour = "Yellow wires" if wire[0] == "Y" else "Red wires"
            keys = dialog.get_by_role("group", name=re.compile(colour))
            thumb.tap(keys.get_by_role("button", name=wire[1:], exact=True))
        for card in self.cards:
            keys = dialog.get_by_role("group", name="Open number cards")
            thumb.tap(keys.get_by_role("button", name=card, exact=True))
        thumb.tap(
            dialog.get_by_role("button", name=f"{PLAYERS} players, you are player {SEAT + 1}")
        )
        expect(page.get_by_role("heading", name=f"Mission {self.number}")).to_be_visible()
        places = [(SEAT, j) for j in range(len(self.hands[SEAT]))] + sorted(self.turned)
        for place in places:
            if self.seen(place, SEAT):
                name = spoken(self.wire(place))
                thumb.tap(pad(page).get_by_role("button", name=name, exact=True))
        expect(part(page, "advice")).to_contain_text("token")
        return thumb.taps

    def first_tokens(self) -> int:
        """A token each, clockwise from the captain; how many presses that took."""
        before = self.thumb.taps
        for player in range(PLAYERS):
            drawn = self.tokens[player] == ["random"]
            blind = any(i == SEAT for i, _ in self.turned)  # then the desk weighs no token of hers
            if player == SEAT and not drawn and not blind:
                with one_step(self.page):
                    self.thumb.act("Indicate")
                continue
            expect(part(self.page, "advice")).to_contain_text("token")
            hand = self.hands[player]
            blue = [j for j, wire in enumerate(hand) if wire[0] not in "YR"]
            blue = [j for j in blue if (player, j) not in self.turned]
            shown = str(self.dice.randint(1, 12)) if drawn else hand[self.dice.choice(blue)]
            with one_step(self.page):
                if shown in hand:
                    self.tap_tile((player, hand.index(shown)))
                if shown not in hand or player != SEAT:
                    self.tap_key(shown)
        return self.thumb.taps - before

    def seen_by(self, player: int) -> dict[str, Any]:
        return self.known(links.without_defaults(links.decode(address_of(self.page))), player)

    def known(self, table: dict[str, Any], player: int) -> dict[str, Any]:
        """A table with the hidden wires that a player sees, and no others."""
        position: dict[str, Any] = copy.deepcopy(table)
        for i, stand in enumerate(position["stands"]):
            for j, slot in enumerate(stand["slots"]):
                if slot.get("state", "hidden") == "hidden":
                    slot.pop("wire", None)
                    if self.seen((i, j), player):
                        slot["wire"] = self.wire((i, j))
        position["viewer"] = player
        return position

    def left(self, player: int, position: dict[str, Any]) -> list[Place]:
        slots = position["stands"][player].get("slots", [])
        return [(player, j) for j, slot in enumerate(slots) if slot.get("state") != "cut"]

    def turn(self, player: int) -> None:
        """The cut that the desk advises to the player who acts, entered in the page."""
        position, self.before = self.seen_by(player), self.seen_by(SEAT)
        if not self.left(player, position):
            return
        found = service.run(
            {"desk": "rack", "want": "cuts", "position": position, "options": {"actions": PLAIN}}
        )
        if not found["options"]:
            self.skip(player)
            return
        rank_by_success(self.page)
        best = found["options"][found["front"][0]["option"]]
        works = self.hits(player, found["options"]) if self.lucky else [best]
        cut = best if player == SEAT and best in works else works[0]
        before = self.thumb.taps
        with one_step(self.page):
            if player == SEAT and cut != best:  # the bar advises another
                self.tap_tile((cut["stand"], cut["slots"][0]))
                self.tap_key(spoken(cut["value"]))
            else:
                self.tell(player, cut, position)
        self.turns.append(self.thumb.taps - before)
        assert self.page.evaluate("[scrolls, scrollY]") == [0, 0], (player, cut)

    def skip(self, player: int) -> None:
        """Nothing can be cut: the turn passes."""
        before = self.thumb.taps
        from_table_menu(self.page, "Other moves…", self.thumb.tap)
        dialog = self.page.locator("dialog")
        dialog.get_by_label("What happened").select_option("skip")
        who = dialog.get_by_role("group", name="Whose turn it is").get_by_role("button")
        self.thumb.tap(who.nth(player))
        with one_step(self.page):
            self.thumb.tap(dialog.get_by_role("button", name="Add to log"))
        self.turns.append(self.thumb.taps - before)

    def hits(self, player: int, options: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """The cuts that work: one's own turned wire first, others', which take a step, last."""
        works = [
            cut for cut in options
            if cut["certain"] or self.value((cut["stand"], cut["slots"][0])) == cut["value"]
        ]  # fmt: skip
        turned = [cut for cut in works if (cut["stand"], cut["slots"][0]) in self.turned]
        own = [cut for cut in turned if cut["stand"] == player]
        return own + [cut for cut in works if cut not in turned] + turned

    def tell(self, player: int, cut: dict[str, Any], position: dict[str, Any]) -> None:
        if cut["action"] == "together":
            self.together(
                player,
                [*((cut["stand"], j) for j in cut["slots"]), *((i, j) for i, j in cut["also"])],
            )
            return
        alone = cut["action"] in ("solo", "reveal")
        target = (cut["stand"], cut["slots"][0])
        hit = alone or self.value(target) == cut["value"]
        if player == SEAT:
            self.own(hit, target)
        elif alone:
            self.alone(cut)
        else:
            self.other(player, target, cut["value"], hit, position)

    def own(self, hit: bool, target: Place) -> None:
        if hit:
            self.thumb.act("It worked")
        else:
            self.thumb.tap(part(self.page, "entry").get_by_role("button", name="It failed…"))
            own_turned = target[0] == SEAT  # a wrong guess at it
            self.tap_key("✸ It failed: the bomb" if own_turned else spoken(self.value(target)))

    def together(self, player: int, places: list[Place]) -> None:
        """Tapped wherever they stand; the mission's cut of several wires at once."""
        if player == SEAT:
            self.thumb.act("It worked")
            return
        first, *others = sorted(places, key=lambda p: p[0] == SEAT)
        self.tap_tile(first)
        self.thumb.tap(pad(self.page).get_by_role("button", name="at once"))
        for place in others:  # those that are known are marked already
            if tile(self.page, *place).get_attribute("aria-pressed") != "true":
                self.tap_tile(place)
        self.tap_key("It worked")

    def numbers(self) -> Locator:
        """The keys of the pad for yellow wires by number."""
        return pad(self.page).get_by_role("button", name=re.compile(r"^yellow \d"))

    def tap_along(self, place: Place) -> None:
        """The wire that went along; of a yellow one the number, where several fit."""
        self.tap_tile(place)
        if self.value(place) == "YELLOW" and self.numbers().count():
            self.tap_key(spoken(self.wire(place)))

    def alone(self, cut: dict[str, Any]) -> None:
        places = [(cut["stand"], j) for j in cut["slots"]]
        for place in places if cut["action"] == "solo" else places[:1]:
            self.tap_tile(place)
        if cut["action"] == "solo" and self.is_only(places, cut["value"]):
            return  # no other value fits: the last tap noted it
        self.tap_key("✸" if cut["value"] == "RED" else spoken(cut["value"]))

    def is_only(self, places: list[Place], value: str) -> bool:
        """Whether the player in SEAT knows that these wires, if equal, have this value."""
        found = service.run({"desk": "rack", "want": "posterior", "position": self.before})
        known = [found["stands"][i]["slots"][j] or [self.wire((i, j))] for i, j in places]
        likely = [{called(wire) for wire in wires} for wires in known]
        slots = [slot for stand in self.before["stands"] for slot in stand["slots"]]
        cut = [slot.get("wire") for slot in slots if slot.get("state") == "cut"]
        alone = len({i for i, _ in places}) == 1  # then they are all that is left
        fits = [
            v
            for v in set.intersection(*likely) - {"RED"}
            if not alone or 4 - cut.count(v) >= len(places)
        ]
        return fits == [value] != ["YELLOW"] and (not alone or 4 - cut.count(value) == len(places))

    def other(
        self, player: int, target: Place, value: str, hit: bool, position: dict[str, Any]
    ) -> None:
        slots = position["stands"][player]["slots"]
        left = [p for p in self.left(player, position) if self.value(p) == value]
        shown = {p for p in left if slots[p[1]].get("state") == "info"}
        own = [p for p in left if p not in self.turned - shown]
        own.sort(key=lambda p: slots[p[1]].get("state") != "info")
        on_show = slots[own[0][1]].get("state") == "info"
        there = position["stands"][target[0]]["slots"][target[1]]
        lies = there.get("state") == "info" and (value != "YELLOW" or "wire" in there)
        known = self.seen(target, SEAT) or lies  # of a shown yellow wire its number is asked
        sure = tile(self.page, *target).and_(self.page.locator(".sure")).count()
        self.tap_tile(target)
        expect(pad(self.page)).to_be_visible()
        sure = sure and self.numbers().count() < 2
        if hit and not on_show and (known or sure or self.is_only([target, own[0]], value)):
            self.tap_along(own[0])
            return
        name = spoken(value)
        if not hit and on_show and not known:
            self.tap_key("It failed")
        exact = spoken(self.wire(target)) if hit and value == "YELLOW" else name
        keys = [self.key(exact), pad(self.page).get_by_role("button", name=re.compile(f"^{name}"))]
        self.thumb.tap(next(key for key in keys if key.count()).first)
        if hit and not on_show:
            self.tap_along(own[0])
        if not hit and target[0] == player:
            self.tap_key("✸ It failed: the bomb")
        elif not hit and not known:
            self.tap_key(spoken(self.value(target)))


@pytest.mark.sampled(3, of="rack, hands")
@pytest.mark.parametrize(
    ("number", "seed", "most"),
    [
        (3, 1, 22),
        (38, 37, 26),
        *(pytest.param(n, 2, 26, marks=pytest.mark.long) for n in (4, 11, 13)),
    ],
)
def test_mission_of_five_is_set_up_and_played_in_few_presses(
    watched: Callable[..., Page], site: str, number: int, seed: int, most: int
) -> None:
    """Of mission 4's presses ten are wires of one's own and three the numbers that were drawn."""
    page = watched(site + "#/rack", **PHONE, reduced_motion="reduce")
    expect(page.locator(".left-box .left b")).to_have_count(1)
    game = Mission(page, number, seed)
    set_up = game.set_up()
    tokens = game.first_tokens()
    for turn in range(120):
        game.turn(turn % PLAYERS)
        expect(page.locator(".doubt")).to_have_count(0)
        if page.get_by_text("the bomb is defused").count():
            break
    mean = sum(game.turns) / len(game.turns)
    print(f"\nmission {number}: {set_up} + {tokens} presses, {len(game.turns)} turns of {mean:.2f}")
    expect(part(page, "advice")).to_have_attribute("data-state", "finished")
    assert page.evaluate("[scrolls, scrollY]") == [0, 0]
    assert max(game.turns) <= 6
    assert set_up + tokens <= most
    assert mean <= 2.15


def hidden_wires(address: str) -> list[str]:
    slots = [slot for stand in links.decode(address).stands for slot in stand.slots]
    return [slot.wire for slot in slots if slot.state == "hidden" and slot.wire]


def shared_link(page: Page) -> str:
    page.get_by_role("button", name="Share").click()
    address = page.locator("dialog input").input_value()
    page.locator("dialog").get_by_role("button", name="Close").click()
    return address


HANDS = ["122356", "133445", "124456", "123566"]


def take_seat(page: Page, who: str, wires: str) -> None:
    part(page, "entry").get_by_role("button", name=who, exact=True).tap()
    for wire in wires:
        pad(page).get_by_role("button", name=wire, exact=True).tap()
    expect(pad(page)).to_have_count(0)
    saved(page)


def opened(page: Page, link: str, cut: int) -> None:
    page.goto("about:blank")
    page.goto(link)
    expect(page.locator(".tile.cut")).to_have_count(cut)
    saved(page)


@pytest.mark.sampled(3, of="rack, hands")
def test_two_phones_play_five_turns_by_links_without_secrets(
    watched: Callable[..., Page], site: str
) -> None:
    table: dict[str, Any] = {"desk": "rack", "wires": {"blue": [1, 6]}, "viewer": None, "stands": [
        {"name": name, "slots": [{}] * 6} for name in ("Dora", "Ann", "Bob", "Cleo")
    ]}  # fmt: skip
    public = site + links.encode(service.read_position(desks.load("rack"), table))
    dora, bob = watched(public, **PHONE), watched(public, **PHONE)
    take_seat(dora, "Dora", HANDS[0])
    take_seat(bob, "Bob", HANDS[2])
    link = public
    turns = [
        (dora, (2, 1), "2"), (bob, (3, 0), "1"), (dora, (1, 1), "3"), (bob, (1, 3), "4"),
        (dora, (3, 5), "6"),
    ]  # fmt: skip
    for played, (phone, (stand, slot), value) in enumerate(turns):
        if played:
            opened(phone, link, 2 * played)
        with one_step(phone):
            tile(phone, stand, slot).tap()
            pad(phone).get_by_role("button", name="You", exact=True).tap()
            pad(phone).get_by_role("button", name=re.compile(rf"^{value}\b")).tap()
        expect(phone.locator(".tile.cut")).to_have_count(2 * played + 2)
        saved(phone)
        link = shared_link(phone)
        assert hidden_wires(link) == []
        assert links.decode(link).viewer is None
        assert len(link.removeprefix(site)) < 600
    opened(bob, link, 10)
    for phone, seat in ((dora, 0), (bob, 2)):
        shown = [tile(phone, seat, j).locator("b").inner_text() for j in range(6)]
        assert "".join(shown) == HANDS[seat]
        expect(phone.locator(".doubt")).to_have_count(0)
        whole = links.without_defaults(links.decode(address_of(phone)))
        cut = [
            [slot.get("wire") for slot in stand["slots"] if slot.get("state") == "cut"]
            for stand in whole["stands"]
        ]
        assert cut == [["2", "3", "6"], ["3", "4"], ["1", "2", "4"], ["1", "6"]]
