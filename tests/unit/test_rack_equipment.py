"""Equipment that is no cut, by what it makes public: against enumeration, and never a lie."""

import random
from typing import Any

import pytest

from asking import ask_rack as ask
from asking import wires_of as own
from cluewise.core.seal import seal, unseal
from reference.rack import Table, World, called
from reference.rack_positions import table as random_table


def small(**more: Any) -> dict[str, Any]:
    """Blue 1-3, you 1 2 2 3, Ann with a shown 2, Bob."""
    ann = [{}, {"state": "info", "wire": "2"}, {}, {}]
    stands = [{"slots": own("1 2 2 3")}, {"name": "Ann", "slots": ann}]
    stands.append({"name": "Bob", "slots": [{}, {}, {}, {}]})
    return {"wires": {"blue": [1, 3]}, "stands": stands, **more}


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


def test_a_radar_leaves_the_deals_that_agree_with_every_answer() -> None:
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


def test_a_shown_wire_answers_the_radar_and_tells_nothing_more() -> None:
    after = ask("use", small(), card="8", value="2", yes=[0, 1])
    assert after["text"] == "Radar: 2? you yes, Ann yes, Bob no."
    assert [list(s.get("facts", [])) for s in after["position"]["stands"]] == [
        [{"kind": "has", "value": "2"}], [], [{"kind": "lacks", "value": "2"}],
    ]  # fmt: skip


def test_labels_notes_and_the_rewind_are_laid() -> None:
    table = small(detonator=2)
    label = ask("use", table, card="12", stand=0, slot=1)["position"]
    assert list(label["stands"][0]["slots"][1]["tokens"]) == ["same-as-next"]
    note = ask("use", table, card="4", stand=0, slot=0)["position"]
    assert note["stands"][0]["slots"][0]["state"] == "info"
    assert ask("use", table, card="6")["position"]["detonator"] == 3
    single = ask("use", table, card="2.2", stand=0, slot=0)["position"]
    assert list(single["stands"][0]["slots"][0]["tokens"]) == ["x1"]


def test_the_stabilizer_holds_a_miss_and_a_red_wire() -> None:
    table = small(detonator=1) | {"wires": {"blue": [1, 3], "red": ["R1", "R2"]}}
    table["stands"][2] = {"slots": [{}] * 6}
    miss = {"stand": 2, "slots": [1], "value": "3", "success": False, "stabilized": True}
    held = ask("outcome", table, **miss, shown="1")
    assert (held["exploded"], held["position"]["detonator"]) == (False, 1)
    red = ask("outcome", table, **miss, shown="RED")
    assert not red["exploded"]
    slot = red["position"]["stands"][2]["slots"][1]
    assert (slot["state"], slot["value"]) == ("info", "RED")


def test_a_yellow_wire_found_alone_wins_a_step_and_one_missed_costs_it() -> None:
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
def test_a_wire_from_beside_the_stands_comes_onto_one(mission: int) -> None:
    table = ask("mission", {}, mission=mission, players=4, seat=0)
    sizes = [len(stand["slots"]) for stand in table["stands"]]
    done = ask("use", table, card="draw", to=2, at=4)
    assert done["text"] == "Drawn: a wire to stand 3 E."
    after = done["position"]
    assert [len(s["slots"]) for s in after["stands"]] == [*sizes[:2], sizes[2] + 1, sizes[3]]
    assert ask("posterior", after)["stands"][2]["slots"][4]  # stands and wires still match


def test_a_skipped_turn_costs_what_the_mission_says() -> None:
    table = small(mission=44, detonator=2)
    assert ask("use", table, card="skip", actor=1)["position"] == table
    done = ask("use", table, card="skip", actor=1, steps=1)
    assert done["text"] == "Turn skipped: Ann. 1 step left on the detonator."
    assert ask("use", table, card="skip", actor=0, steps=2)["exploded"]


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


def test_in_practice_an_exchange_moves_the_sealed_wires_and_shows_yours() -> None:
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


def test_in_practice_what_others_say_of_a_card_is_looked_up() -> None:
    table = with_cut(practice(4), "8", "8", "4", "4", "12", "12")
    heard = ask("use", table, card="8", value="4")
    assert heard["text"] == "Radar: 4? you yes, you no, stand 3 yes, stand 4 no, stand 5 no."
    noted = ask("use", table, card="4", stand=2, slot=1)["position"]["stands"][2]["slots"][1]
    assert (noted["state"], noted["wire"]) == ("info", "4")
    gone = ask("use", with_cut(practice(55), *["10"] * 4), card="10.10", value="5")
    assert gone["text"] == "Disintegrator: 3 × 5 cut."


def test_a_fast_pass_takes_from_both_stands_of_a_player() -> None:
    table = with_cut(practice(55), *["9"] * 4) | {"sealed": None}
    use = {"card": "9.9", "value": "2", "stand": 0, "slots": [1], "places": [[1, 0]]}
    after = ask("use", table, **use)["position"]
    assert [after["stands"][i]["slots"][j]["state"] for i, j in ((0, 1), (1, 0))] == ["cut"] * 2


def test_a_note_says_what_the_missions_tokens_say() -> None:
    """Even or odd in 21; in 52, where tokens lie, what a wire is not."""
    even = with_cut(practice(21, token="parity"), "4", "4")
    assert ask("use", even, card="4", stand=2, slot=1)["text"] == "Note: stand 3 B: even."
    liar = with_cut(practice(52), "4", "4")
    after = ask("use", liar, card="4", stand=2, slot=1, shown="7")["position"]
    assert list(after["stands"][2]["slots"][1]["tokens"]) == ["not:7"]


def test_a_stabilizer_and_a_ray_with_a_detector_need_their_cards() -> None:
    table = {**with_cut(practice(4), "5", "5"), "sealed": None}
    joined = {"action": "super", "stand": 2, "slots": [], "value": "2/3", "success": False}
    table = {**with_cut(practice(4), "5", "5", "10", "10"), "sealed": None}
    done = ask("outcome", table, **joined, at=0, shown="1")
    assert done["text"].startswith("You, super detector with the ray: no 2 or 3 at stand 3 A B C.")
    slots = done["position"]["stands"][2]["slots"]
    assert [list(s.get("tokens", [])) for s in slots] == [
        [],
        ["not:2", "not:3"],
        ["not:2", "not:3"],
    ]
