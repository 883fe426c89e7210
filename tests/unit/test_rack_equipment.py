"""Equipment that is no cut, by what it makes public: against enumeration, and never a lie."""

import random
from typing import Any

import pytest

from asking import ask_rack as ask
from cluewise.core.seal import seal, unseal
from reference.rack import Table, World, called
from reference.rack_positions import table as random_table


def answers(position: dict[str, Any], world: World, value: str) -> list[int]:
    """The stands whose players say yes by the rules: uncut blue wires of it, no unsorted ones."""
    return [
        i
        for i, stand in enumerate(position["stands"])
        if any(
            slot.get("state", "hidden") != "cut"
            and "unsorted" not in slot.get("tokens", [])
            and called(world[i, j]) == value
            for j, slot in enumerate(stand["slots"])
        )
    ]


def hides_unsorted(position: dict[str, Any]) -> bool:
    return any(
        "unsorted" in slot.get("tokens", []) and slot.get("state", "hidden") == "hidden"
        for stand in position["stands"]
        for slot in stand["slots"]
    )


def in_order(worlds: list[World]) -> list[Any]:
    return sorted(tuple(sorted(world.items())) for world in worlds)


def test_radar_leaves_the_deals_that_fit_every_answer() -> None:
    exact = 0
    for seed in range(120):
        dice = random.Random(seed)
        position = random_table(dice) | {"viewer": 0}
        worlds = Table(position, 0).worlds()
        low, high = position["wires"]["blue"]
        if not worlds:
            continue
        truth, value = dice.choice(worlds), str(dice.randint(low, high))
        yes = answers(position, truth, value)
        after = ask("use", position, card="8", value=value, yes=yes)["position"]
        left = Table({**after, "viewer": 0}, 0).worlds()
        agreed = [w for w in worlds if answers(position, w, value) == yes]
        if hides_unsorted(position):
            assert all(world in left for world in agreed)
        else:
            exact += 1
            assert in_order(left) == in_order(agreed)
    assert exact > 50


def test_yellow_wire_found_alone_returns_a_step_and_a_failure_costs_one() -> None:
    """Mission 41: yellow is named without holding it."""
    table = ask("mission", {}, mission=41, players=4, seat=0)
    turn: dict[str, Any] = {"action": "dual", "value": "YELLOW", "stand": 1}
    hit = ask("outcome", table, **turn, slots=[3], success=True)
    assert hit["position"]["stands"][1]["slots"][3] == {"state": "cut", "value": "YELLOW"}
    assert (hit["position"]["detonator"], hit["exploded"]) == (2, False)
    missed = ask("outcome", hit["position"], **turn, slots=[5], success=False, shown="7")
    assert missed["position"]["stands"][1]["slots"][5] == {"state": "info", "wire": "7"}
    assert missed["position"]["detonator"] == 1
    assert ask("outcome", table, **turn, slots=[5], success=False, shown="7")["exploded"]
    assert ask("outcome", table, **turn, slots=[5], success=False, shown="RED")["exploded"]


@pytest.mark.parametrize("mission", [43, 54])
def test_wire_next_to_the_stands_joins_a_stand(mission: int) -> None:
    table = ask("mission", {}, mission=mission, players=4, seat=0)
    sizes = [len(stand["slots"]) for stand in table["stands"]]
    done = ask("use", table, card="draw", to=2, at=4)
    assert done["text"] == "Drawn: a wire to stand 3 E."
    after = done["position"]
    assert [len(s["slots"]) for s in after["stands"]] == [*sizes[:2], sizes[2] + 1, sizes[3]]
    assert ask("posterior", after)["stands"][2]["slots"][4]  # stands and wires still match


def practice(mission: int, **more: Any) -> dict[str, Any]:
    """You and Ann have two stands each, two wires of every number are cut aside; sealed."""
    hands = ["1,2,4", "2,3,3", "1,4,5", "2,5,5"]
    stands = [
        {"owner": i // 2, "slots": [{"wire": w} if i < 2 else {} for w in hand.split(",")]}
        for i, hand in enumerate(hands)
    ]
    return {
        "wires": {"blue": [1, 12]}, "mission": mission, "detonator": 2, "stands": stands,
        "sealed": seal(";".join(hands), "rack"), **more,
    }  # fmt: skip


def with_cut(table: dict[str, Any], *wires: str) -> dict[str, Any]:
    """A fifth stand with wires that are cut, so that cards are unlocked."""
    cut = [{"state": "cut", "wire": wire} for wire in wires]
    hands = f"{unseal(table['sealed'], 'rack')};{','.join(wires)}"
    stands = [*table["stands"], {"owner": 1, "slots": cut}]
    return {**table, "stands": stands, "sealed": seal(hands, "rack")}


def wires_of(position: dict[str, Any]) -> list[list[str | None]]:
    return [[slot.get("wire") for slot in stand["slots"]] for stand in position["stands"]]


def test_exchange_in_a_practice_game_moves_sealed_wires_and_shows_own_ones() -> None:
    """Your 4 against Ann's first 1: each goes where its number stands, whatever is said."""
    table = with_cut(practice(4), "2", "2")
    after = ask("use", table, card="2", stand=0, slot=2, other=[2, 0], at=0, other_at=0)["position"]
    assert unseal(after["sealed"], "rack") == "1,1,2;2,3,3;4,4,5;2,5,5;2,2"
    assert wires_of(after)[:3] == [["1", "1", "2"], ["2", "3", "3"], [None, "4", None]]
    assert after["stands"][0]["slots"][1]["tokens"] == ["moved"]
    hooked = with_cut(practice(55), *["11"] * 4)
    after = ask("use", hooked, card="11.11", stand=3, slot=1, to=1)["position"]
    assert unseal(after["sealed"], "rack").split(";")[:4] == ["1,2,4", "2,3,3,5", "1,4,5", "2,5"]
    assert wires_of(after)[1] == ["2", "3", "3", "5"]
