"""What cuts and detectors may point at, and what a turn leaves on the table."""

from typing import Any

from asking import ask_rack as ask
from asking import vectors

CASES = vectors("rack_legal")


def test_a_cut_yellow_whose_number_nobody_saw_is_cut() -> None:
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
