"""The advice and the noting of turns agree on what may be cut, on tables with everything."""

import random
from collections.abc import Iterator
from itertools import combinations
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from asking import ask_rack as ask
from asking import vectors
from cluewise.errors import BadOption
from reference.rack import Table, World, called
from reference.rack_positions import table as random_table

CASES = vectors("rack_legal")

POINTED = {"dual": 1, "either": 1, "double": 2, "triple": 3}
CUTS = ("dual", "solo", "reveal", "double", "triple", "super", "either")
VALUES = [*(str(n) for n in range(1, 6)), "YELLOW", "RED"]
Key = tuple[str, int, tuple[int, ...], str]


def key_of(cut: dict[str, Any]) -> Key:
    value = "/".join(sorted(cut["value"].split("/"), key=VALUES.index))
    return cut["action"], cut["stand"], tuple(cut["slots"]), value


def candidates(position: dict[str, Any]) -> Iterator[Key]:
    """Every cut that anybody could think of, legal or not."""
    for action in CUTS:
        values = ["/".join(p) for p in combinations(VALUES, 2)] if action == "either" else VALUES
        for stand, one in enumerate(position["stands"]):
            slots = range(len(one["slots"]))
            most = min(POINTED.get(action, len(slots)), len(slots))
            sizes = range(1, most + 1)
            for size in sizes if action not in ("solo", "reveal") else [0]:
                for chosen in combinations(slots, size):
                    for value in values if action != "reveal" else ["RED"]:
                        yield action, stand, chosen, value


def noted(position: dict[str, Any], cut: Key, worlds: list[World], success: bool) -> bool | None:
    """Whether `outcome` takes the cut; None where no deal lets it end so."""
    action, stand, slots, value = cut
    named = value.split("/")
    options = {"action": action, "stand": stand, "slots": list(slots), "value": value}
    if action not in ("solo", "reveal"):
        ends = [
            (at, called(world[stand, at]))
            for world in worlds
            for at in slots
            if (called(world[stand, at]) in named) == success
            and (success or not any(called(world[stand, j]) in named for j in slots))
            and (success or called(world[stand, at]) != "RED")
        ]
        if not ends:
            return None
        options |= {"success": success, "at": ends[0][0], "shown": ends[0][1]}
    try:
        ask("outcome", position, **options)
    except BadOption:
        return False
    return True


def places_of(cut: dict[str, Any]) -> Key:
    """A solo cut names no slots: `outcome` finds the viewer's own."""
    if cut["action"] in ("solo", "reveal"):
        return cut["action"], 0, (), cut["value"]
    return key_of(cut)


def known_table(dice: random.Random) -> dict[str, Any]:
    """A table with a viewer, now and then with a stand's name given to another player."""
    position = random_table(dice) | {"viewer": 0}
    for slot in position["stands"][0]["slots"]:
        if "wire" not in slot and "value" not in slot:
            slot["state"] = "hidden"
    return position | {"token": dice.choice(["standard", "parity", "multiplicity"])}


@settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 2**32))
def test_a_cut_is_an_option_exactly_where_it_can_be_noted(seed: int) -> None:
    position = known_table(random.Random(seed))
    worlds = Table(position, 0).worlds()
    if not worlds:
        return
    options = ask("cuts", position, every_triple=True)["options"]
    offered = {places_of(cut) for cut in options}
    for cut in offered:
        assert noted(position, cut, worlds, success=True), cut
        assert noted(position, cut, worlds, success=False) in (True, None), cut
    for cut in candidates(position):
        own = cut[0] in ("solo", "reveal")
        normal = (cut[0], 0, (), cut[3]) if own else cut
        if normal not in offered:
            assert not noted(position, normal, worlds, success=True), cut


YELLOW_BY_COLOUR = CASES["YELLOW_BY_COLOUR"]


def test_a_cut_yellow_whose_number_nobody_saw_is_cut() -> None:
    options = ask("cuts", YELLOW_BY_COLOUR)["options"]
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
