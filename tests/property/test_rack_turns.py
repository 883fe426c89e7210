"""A turn leaves on the table what the rules make public: no deal more, no deal less."""

import random
from fractions import Fraction
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from asking import ask_rack as ask
from cluewise.desks.rack.stand import wire_name
from reference.rack import Table, World, called, check_chances
from reference.rack_positions import table as random_table

POINTED = {"dual": 1, "either": 1, "double": 2, "triple": 3, "super": 0}
Place = tuple[int, int]
Key = tuple[tuple[Place, int], ...]


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
def test_the_table_after_a_turn_holds_what_the_rules_make_public(seed: int) -> None:
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
