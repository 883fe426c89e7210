"""A mission's cards in play: whom they bind, what yellow costs, when equipment is unlocked."""

from typing import Any

import pytest

from asking import ask_rack as ask
from cluewise.desks.rack.game.rules import CARDS
from cluewise.errors import BadOption
from reference.rack import Table, called
from reference.rack_positions import mission_table as table


def cut_of(stand: int, slot: int, value: str, actor: int) -> dict[str, Any]:
    return {"actor": actor, "stand": stand, "slots": [slot], "value": value, "success": True}


def test_number_cards_before_you_bind_no_other_player() -> None:
    mine = table(65, "1 2 2 3", numbers=["1"])
    assert {o["value"] for o in ask("cuts", mine, actions=["dual"])["options"]} == {"1"}
    ask("outcome", mine, **cut_of(2, 1, "2", actor=1), own=[1, 1])


def test_a_far_end_of_a_stand_that_is_cut_whole_forbids_nothing() -> None:
    for letter in "IJ":
        position = table(32, "1 1 2 3", constraint=letter)
        ann = [{"state": "cut", "wire": w} for w in ("2", "2", "3", "3")]
        position["stands"][1]["slots"] = ann
        assert ask("cuts", position)["options"]


def test_yellow_wires_are_found_one_by_one_without_holding_one() -> None:
    """Mission 41: its exact chance, no wire along with it, a step back; nothing else names it."""
    position = table(41, "1 2 2 Y2", wires={"yellow": ["Y1", "Y2"]}, detonator=1)
    worlds = Table(position, 0).weighted()
    found = [o for o in ask("cuts", position)["options"] if "YELLOW" in o["value"]]
    assert {o["action"] for o in found} == {"dual"}
    assert {o["stand"] for o in found} == {1, 2}
    for one in found:
        at = (one["stand"], one["slots"][0])
        chance = float(sum(p for world, p in worlds if called(world[at]) == "YELLOW"))
        assert one["success"] == pytest.approx(chance, abs=1e-12)
    held = table(41, "1 2 2 3", wires={"yellow": ["Y1", "Y2"]}, detonator=1)
    assert [o for o in ask("cuts", held)["options"] if o["value"] == "YELLOW"]
    done = ask("outcome", held, **cut_of(1, 1, "YELLOW", actor=0))
    stands = done["position"]["stands"]
    assert [s.get("state") for s in stands[0]["slots"]] == [None] * 4
    assert stands[1]["slots"][1] == {"state": "cut", "value": "YELLOW"}
    assert done["position"]["detonator"] == 2
    missed = cut_of(1, 1, "YELLOW", actor=0) | {"success": False, "shown": "2"}
    failed = ask("outcome", {**held, "detonator": 2}, **missed)
    assert (failed["exploded"], failed["position"]["detonator"]) == (False, 1)
    assert failed["position"]["stands"][0].get("facts", []) == []  # naming it is not holding it


def test_equipment_is_offered_once_its_wires_are_cut() -> None:
    position = table(4, "1 2 2 3", wires={"blue": [1, 3]})

    def devices(seen: dict[str, Any]) -> set[str]:
        return {o["action"] for o in ask("cuts", seen)["options"]} - {"dual", "solo"}

    assert devices(position) == {"double"}
    for slot in position["stands"][1]["slots"][2:]:
        slot |= {"state": "cut", "wire": "3"}
    assert devices(position) == {"double", "triple"}
    assert devices({**table(38, "1 2 2 3"), "viewer": 0}) == {"double"}
    ann = table(38, "1 2 2 3") | {"viewer": 1}
    ann["stands"] = [ann["stands"][1], ann["stands"][0], ann["stands"][2]]
    assert devices(ann) == {"double", "triple", "either"}
    assert ask("posterior", position)["equipment"] == [["double", "triple"]] * 3


def refused(want: str, position: dict[str, Any], **options: Any) -> BadOption | None:
    """Why something may not be noted; None where it may."""
    try:
        ask(want, position, **options)
    except BadOption as fault:
        return fault
    return None


@pytest.mark.parametrize("cut", [False, True])
def test_what_a_table_may_use_and_name_is_what_noting_it_allows(*, cut: bool) -> None:
    seen = set()
    for mission in range(1, 67):
        mine = table(mission, "1 2 2 3", numbers=["1", "3"], captain_card=0)
        for slot in mine["stands"][1]["slots"][:2] if cut else ():
            slot |= {"state": "cut", "wire": "2"}
        found = ask("posterior", mine)
        for card in CARDS:
            says = [one.get(card, "not in this mission") for one in found["cards"]]
            seen |= set(says)
            fault = refused("use", mine, card=card)
            locked = fault is not None and fault.where == "$.options.card"
            assert locked == all(says), (mission, card)
        for value in "123":
            why = found["barred"][0].get(value, "")
            seen.add(why)
            fault = refused("outcome", mine, stand=2, slots=[0], value=value, success=True)
            assert not why or (fault is not None and fault.message == why), (mission, value)
            assert why or fault is None, (mission, value)
    assert len(seen) > (9 if cut else 8)
