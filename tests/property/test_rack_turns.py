"""A turn points at what the rules allow, and leaves on the table what they make public."""

import random
from fractions import Fraction
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from asking import ask_rack as ask
from asking import vectors
from cluewise.desks.rack.stand import wire_name
from reference.rack import Table, World, called, check_chances
from reference.rack_positions import table as random_table

POINTED = {"dual": 1, "either": 1, "double": 2, "triple": 3, "super": 0}
Place = tuple[int, int]
Key = tuple[tuple[Place, int], ...]
CASES = vectors("rack_cases")["legal"]


class Turn:
    """Somebody's cut, played by the rules on the true deal: what becomes public."""

    def __init__(self, position: dict[str, Any], truth: World, dice: random.Random) -> None:
        self.position, self.truth, self.dice = position, truth, dice
        stands = range(len(position["stands"]))
        self.action = dice.choice(list(POINTED))
        self.actor, self.stand = dice.sample(stands, 2)
        self.mine = [at for at in self.slots(self.actor) if self.state(at) != "cut"]
        reach = [at for at in self.slots(self.stand) if self.reached(at)]
        many = len(reach) if self.action == "super" else POINTED[self.action]
        self.pointed = sorted(dice.sample(reach, many)) if len(reach) >= many else []
        held = {self.value(at) for at in self.mine} - {"RED"}
        if self.action not in ("dual", "either"):
            held -= {"YELLOW"}
        many = 2 if self.action == "either" else 1
        self.named = dice.sample(sorted(held), many) if len(held) >= many else []
        self.possible = bool(self.pointed and self.named)

    def slots(self, stand: int) -> list[Place]:
        return [(stand, j) for j in range(len(self.position["stands"][stand]["slots"]))]

    def state(self, at: Place) -> str:
        slot = self.position["stands"][at[0]]["slots"][at[1]]
        return str(slot.get("state", "hidden"))

    def reached(self, at: Place) -> bool:
        slot = self.position["stands"][at[0]]["slots"][at[1]]
        if self.state(at) == "cut" or (self.state(at) == "info" and self.action == "either"):
            return False
        return self.action == "dual" or "unsorted" not in slot.get("tokens", [])

    def value(self, at: Place, world: World | None = None) -> str:
        return called((world or self.truth)[at])

    def play(self) -> tuple[dict[str, Any], Any]:
        """The options that note the turn, and whether a deal agrees with what became public."""
        options: dict[str, Any] = {
            "action": self.action, "actor": self.actor, "stand": self.stand,
            "slots": [j for _, j in self.pointed], "value": "/".join(self.named),
        }  # fmt: skip
        matching = [at for at in self.pointed if self.value(at) in self.named]
        if matching:
            return self.success(options, self.dice.choice(matching))
        safe = [at for at in self.pointed if self.value(at) != "RED"]
        return self.failure(options, self.dice.choice(safe)) if safe else (options, None)

    def success(self, options: dict[str, Any], at: Place) -> tuple[dict[str, Any], Any]:
        value = self.value(at)
        own = self.dice.choice([place for place in self.mine if self.value(place) == value])
        exact = value == "YELLOW" and self.dice.random() < 0.5  # somebody reads its number
        shown = wire_name(self.truth[at]) if exact else value
        options |= {"success": True, "at": at[1], "own": list(own), "shown": shown}
        others = [v for v in self.named if v != value]

        def agrees(world: World) -> bool:
            left = {self.value(place, world) for place in self.mine if place != own}
            return (
                (world[at] == self.truth[at] if exact else self.value(at, world) == value)
                and self.value(own, world) == value
                and left.issuperset(others)
            )

        return options, agrees

    def failure(self, options: dict[str, Any], at: Place) -> tuple[dict[str, Any], Any]:
        value = self.value(at)
        same = sum(self.value(place) == value for place in self.slots(at[0]))
        kind = self.dice.choice(["value", "parity", "times"])
        if kind == "parity" and value.isdigit():
            shown = "odd" if int(value) % 2 else "even"
        elif kind == "times" and same <= 3:
            shown = f"x{same}"
        else:
            kind, shown = "value", value
        options |= {"success": False, "at": at[1], "shown": shown}

        def token_fits(world: World) -> bool:
            now = self.value(at, world)
            if kind == "value":
                return now == value
            if kind == "parity":
                return now.isdigit() and int(now) % 2 == int(value) % 2
            count = sum(self.value(place, world) == now for place in self.slots(at[0]))
            return now != "RED" and count == same

        def agrees(world: World) -> bool:
            held = {self.value(place, world) for place in self.mine}
            denied = all(self.value(place, world) not in self.named for place in self.pointed)
            return denied and held.issuperset(self.named) and token_fits(world)

        return options, agrees


def shares(worlds: list[tuple[World, Fraction]]) -> dict[Key, Fraction]:
    total = sum((p for _, p in worlds), Fraction(0))
    return {tuple(sorted(world.items())): p / total for world, p in worlds}


@settings(max_examples=400, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 2**32))
def test_table_after_a_turn_contains_exactly_the_public_information(seed: int) -> None:
    dice = random.Random(seed)
    position = random_table(dice)
    before = Table(position, position["viewer"]).weighted()
    for _ in range(3):  # a few turns on end: what one leaves, the next one finds
        if not before:
            return
        turn = Turn(position, dice.choice(before)[0], dice)
        if not turn.possible:
            continue
        options, agrees = turn.play()
        if agrees is None:  # only red was pointed at: the game is over
            return
        after = ask("outcome", position, **options)["position"]
        position = {**after, "viewer": position["viewer"]}  # a default is left out
        expected = shares([(world, p) for world, p in before if agrees(world)])
        before = Table(position, position["viewer"]).weighted()
        assert shares(before) == expected
        check_chances(ask("posterior", position)["stands"], before)


def test_cut_yellow_wire_without_a_number_is_cut() -> None:
    options = ask("cuts", CASES["YELLOW_BY_COLOUR"])["options"]
    yellow = [(o["action"], o["stand"], o["slots"], o["certain"]) for o in options
              if o["value"] == "YELLOW"]  # fmt: skip
    assert yellow == [("solo", 0, [1, 3], True)]
    assert not [o for o in options if o["stand"] == 1 and 5 in o["slots"]]


def x_table() -> dict[str, Any]:
    return {
        "wires": {"blue": [1, 3], "yellow": ["Y1", "Y2"]},
        "stands": [
            {"slots": [{"wire": w} for w in ("1", "Y1", "2", "3", "3")]},
            {"slots": [{}, {}, {}, {}, {"tokens": ["unsorted"]}]},
            {"slots": [{}, {}, {}, {"tokens": ["unsorted"]}]},
        ],
    }


def test_equipment_leaves_unsorted_wires_alone_and_a_plain_cut_does_not() -> None:
    options = ask("cuts", x_table(), every_triple=True)["options"]
    loose = {o["action"] for o in options if o["stand"] == 1 and 4 in o["slots"]}
    assert loose == {"dual"}
    assert {tuple(o["slots"]) for o in options if o["action"] == "super" and o["stand"] == 1} == {
        (0, 1, 2, 3)
    }


def test_a_super_detector_denies_nothing_of_an_unsorted_wire() -> None:
    after = ask(
        "outcome", x_table(), action="super", stand=1, value="1", success=False, at=0, shown="2"
    )["position"]
    assert [list(slot.get("tokens", [])) for slot in after["stands"][1]["slots"]] == [
        [], ["not:1"], ["not:1"], ["not:1"], ["unsorted"],
    ]  # fmt: skip


def test_a_ray_may_name_yellow_where_it_is_held() -> None:
    options = [o for o in ask("cuts", x_table())["options"] if o["action"] == "either"]
    assert {"1/YELLOW", "2/YELLOW", "3/YELLOW"} <= {o["value"] for o in options}
    after = ask(
        "outcome", x_table(), action="either", stand=1, slots=[1], value="1/YELLOW", success=True,
        shown="YELLOW",
    )  # fmt: skip
    assert after["position"]["stands"][1]["slots"][1] == {"state": "cut", "value": "YELLOW"}
    assert after["position"]["stands"][0]["slots"][1] == {"state": "cut", "wire": "Y1"}
    assert list(after["position"]["stands"][0]["facts"]) == [{"kind": "has", "value": "1"}]


def test_a_stand_that_shows_a_wire_cannot_be_all_red_under_a_super_detector() -> None:
    table = {
        "wires": {"blue": [1, 2], "red": ["R1", "R2"]},
        "stands": [
            {"slots": [{"wire": w} for w in ("1", "1", "2", "2")]},
            {"slots": [{"state": "info", "wire": "1"}, {}, {}]},
            {"slots": [{}, {}, {}]},
        ],
    }
    by_stand = {
        o["stand"]: o for o in ask("cuts", table)["options"]
        if o["action"] == "super" and o["value"] == "2"
    }  # fmt: skip
    assert by_stand[1]["red"] == 0
    assert by_stand[1]["slots"] == [0, 1, 2]
