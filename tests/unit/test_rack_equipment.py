"""Equipment that is no cut, by what it makes public: against enumeration, and never a lie."""

from __future__ import annotations

import random
from typing import Any

import pytest

from cluewise import service
from cluewise.errors import BadOption
from reference.rack import Table, World, called
from reference.rack_positions import table as random_table


def ask(want: str, position: dict[str, Any], **options: Any) -> Any:
    return service.run({"desk": "rack", "want": want, "position": position, "options": options})


def own(text: str) -> list[dict[str, str]]:
    return [{"wire": wire} for wire in text.split()]


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
    """Exactly them where no unsorted wire is hidden; all of them where one is."""
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
    with pytest.raises(BadOption, match="that is a yes"):
        ask("use", small(), card="8", value="2", yes=[0])


def test_a_disintegrator_cuts_all_of_a_number_and_denies_it_elsewhere() -> None:
    places = [[0, 1], [0, 2], [1, 1], [2, 2]]
    after = ask("use", small(), card="10.10", value="2", places=places)["position"]
    states = [[s.get("state", "hidden") for s in stand["slots"]] for stand in after["stands"]]
    assert states[1] == ["hidden", "cut", "hidden", "hidden"]
    assert states[2] == ["hidden", "hidden", "cut", "hidden"]
    assert list(after["stands"][2]["slots"][0]["tokens"]) == ["not:2"]
    with pytest.raises(BadOption, match="known otherwise"):
        ask("use", small(), card="10.10", value="2", places=places[1:])


def test_a_fast_pass_cuts_two_though_others_are_left() -> None:
    after = ask("use", small(), card="9.9", value="2", stand=0, slots=[1, 2])["position"]
    states = [s.get("state", "hidden") for s in after["stands"][0]["slots"]]
    assert states == ["hidden", "cut", "cut", "hidden"]
    with pytest.raises(BadOption, match="another wire"):
        ask("use", small(), card="9.9", value="2", stand=0, slots=[0, 1])


def test_labels_notes_and_the_rewind_are_laid() -> None:
    table = small(detonator=2)
    label = ask("use", table, card="12", stand=0, slot=1)["position"]
    assert list(label["stands"][0]["slots"][1]["tokens"]) == ["same-as-next"]
    note = ask("use", table, card="4", stand=0, slot=0)["position"]
    assert note["stands"][0]["slots"][0]["state"] == "info"
    assert ask("use", table, card="6")["position"]["detonator"] == 3
    single = ask("use", table, card="2.2", stand=0, slot=0)["position"]
    assert list(single["stands"][0]["slots"][0]["tokens"]) == ["x1"]
    with pytest.raises(BadOption, match="changes no position"):
        ask("use", table, card="7")


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


def movable(position: dict[str, Any], i: int) -> list[int]:
    return [
        j
        for j, slot in enumerate(position["stands"][i]["slots"])
        if slot.get("state", "hidden") != "cut" and "unsorted" not in slot.get("tokens", [])
    ]


def arrival(position: dict[str, Any], i: int, gone: int, hand: list[int], code: int) -> int:
    """Where a wire goes in: behind the last sorted one that is not higher."""
    slots = [s for j, s in enumerate(position["stands"][i]["slots"]) if j != gone]
    places = [
        j + 1
        for j, slot in enumerate(slots)
        if "unsorted" not in slot.get("tokens", []) and hand[j] <= code
    ]
    return max(places, default=0)


def exchanged(position: dict[str, Any], world: World, dice: random.Random) -> Any:
    """A random exchange by the rules: its options, and the deal after it; None where none is."""
    stands = position["stands"]
    pair = dice.sample(range(len(stands)), 2)
    if not all(movable(position, i) for i in pair):
        return None
    gone = {i: dice.choice(movable(position, i)) for i in pair}
    hands = {i: [world[i, j] for j in range(len(stands[i]["slots"]))] for i in pair}
    moved = {i: hands[i].pop(gone[i]) for i in pair}
    into = {}
    for i, other in (pair, pair[::-1]):
        into[i] = arrival(position, i, gone[i], hands[i], moved[other])
    for i, other in (pair, pair[::-1]):
        hands[i].insert(into[i], moved[other])
    after = {at: code for at, code in world.items() if at[0] not in pair}
    after |= {(i, j): code for i in pair for j, code in enumerate(hands[i])}
    a, b = pair
    options = {"card": "2", "stand": a, "slot": gone[a], "other": [b, gone[b]]}
    return options | {"at": into[a], "other_at": into[b], "actor": a}, after


def test_an_exchange_of_wires_never_excludes_the_truth_and_is_named() -> None:
    done = 0
    for seed in range(300):
        dice = random.Random(seed)
        position = random_table(dice) | {"viewer": None}
        worlds = Table(position, None).worlds()
        found = exchanged(position, dice.choice(worlds), dice) if worlds else None
        if found is None:
            continue
        options, truth = found
        after = ask("use", position, **options)["position"] | {"viewer": None}
        assert truth in Table(after, None).worlds()
        assert "changed stands" in ask("posterior", after)["check"][0]
        done += 1
    assert done > 100


def test_moves_of_single_missions_are_noted_with_what_they_cost() -> None:
    """Mission 41: yellow alone, a step back or lost; mission 43: a wire comes onto a stand."""
    table = ask("mission", {}, mission=41, players=4, seat=0)
    hit = ask("use", table, card="yellow", stand=1, slot=3, shown="YELLOW")
    assert hit["text"] == "Yellow alone: stand 2 D, cut. One step back on the detonator."
    assert hit["position"]["stands"][1]["slots"][3] == {"state": "cut", "value": "YELLOW"}
    assert (hit["position"]["detonator"], hit["exploded"]) == (2, False)
    missed = ask("use", hit["position"], card="yellow", stand=1, slot=5, shown="7")
    assert missed["position"]["stands"][1]["slots"][5] == {"state": "info", "wire": "7"}
    assert missed["text"].endswith("F is none: it shows 7. 1 step left on the detonator.")
    assert ask("use", table, card="yellow", stand=1, slot=5, shown="7")["exploded"]
    assert ask("use", table, card="yellow", stand=1, slot=5, shown="RED")["exploded"]
    for wrong in ({"stand": 0, "shown": "YELLOW"}, {"stand": 1}):
        with pytest.raises(BadOption):
            ask("use", table, card="yellow", slot=5, **wrong)
    with pytest.raises(BadOption, match="no such cut"):
        ask("use", small(), card="yellow", stand=1, shown="3")


@pytest.mark.parametrize("mission", [43, 54])
def test_a_wire_from_beside_the_stands_comes_onto_one(mission: int) -> None:
    table = ask("mission", {}, mission=mission, players=4, seat=0)
    sizes = [len(stand["slots"]) for stand in table["stands"]]
    done = ask("use", table, card="draw", to=2, at=4)
    assert done["text"] == "Drawn: a wire to stand 3 E."
    after = done["position"]
    assert [len(s["slots"]) for s in after["stands"]] == [*sizes[:2], sizes[2] + 1, sizes[3]]
    assert ask("posterior", after)["stands"][2]["slots"][4]  # stands and wires still match
    with pytest.raises(BadOption, match="beside the stands"):
        ask("use", small(), card="draw", to=2)


def test_a_skipped_turn_costs_what_the_mission_says() -> None:
    table = small(mission=44, detonator=2)
    assert ask("use", table, card="skip", actor=1)["position"] == table
    done = ask("use", table, card="skip", actor=1, steps=1)
    assert done["text"] == "Turn skipped: Ann. 1 step left on the detonator."
    assert ask("use", table, card="skip", actor=0, steps=2)["exploded"]
    with pytest.raises(BadOption, match="Who"):
        ask("use", table, card="skip", actor=5)
