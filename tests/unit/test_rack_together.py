"""Wires that a mission has cut together: what worked, what failed, and what is no such cut."""

from typing import Any

import pytest

from cluewise import service


def ask(position: dict[str, Any], **options: Any) -> Any:
    return service.run({"desk": "rack", "want": "outcome", "position": position,
                        "options": {"action": "together", **options}})  # fmt: skip


def table(mission: int, **more: Any) -> dict[str, Any]:
    """Blue 1-3, you 1 2 2 3, Ann and Bob with hidden wires."""
    mine = [{"wire": wire} for wire in ("1", "2", "2", "3")]
    stands = [{"slots": mine}, {"name": "Ann", "slots": [{}] * 4}]
    stands.append({"name": "Bob", "slots": [{}] * 4})
    wires = {"blue": [1, 3], "red": ["R1", "R2", "R3"], "yellow": ["Y1", "Y2", "Y3"]}
    return {"wires": wires, "stands": stands, "mission": mission, **more}


REDS: dict[str, Any] = {"value": "RED", "stand": 1, "slots": [1, 3], "also": [[2, 3]]}
YELLOWS: dict[str, Any] = {"value": "YELLOW", "stand": 1, "slots": [0], "also": [[2, 0], [2, 1]]}


def test_three_red_wires_are_cut_wherever_they_stand() -> None:
    done = ask(table(13), **REDS, success=True)
    assert done["text"] == "You: 3 × red: Ann B, Ann D, Bob D, cut."
    assert not done["exploded"]
    stands = done["position"]["stands"]
    cut = [(i, j) for i, s in enumerate(stands) for j, slot in enumerate(s["slots"])
           if slot.get("state") == "cut"]  # fmt: skip
    assert cut == [(1, 1), (1, 3), (2, 3)]
    assert stands[2]["slots"][3]["value"] == "RED"


def test_a_miss_explodes_with_red_and_costs_a_step_with_yellow() -> None:
    done = ask(table(13, detonator=3), **REDS, success=False)
    assert done["text"] == ("You: not all of Ann B, Ann D, Bob D are red. The bomb has gone off.")
    assert done["exploded"]
    done = ask(table(48, detonator=3), **YELLOWS, success=False)
    assert done["text"] == (
        "You: not all of Ann A, Bob A, Bob B are yellow. Lay their tokens. "
        "2 steps left on the detonator."
    )
    assert (done["exploded"], done["position"]["detonator"]) == (False, 2)
    done = ask(table(48, detonator=1), **YELLOWS, success=False)
    assert done["text"].endswith("The detonator has run out: the bomb has gone off.")
    assert done["exploded"]


def test_games_value_a_cut_of_several_wires_beside_the_others() -> None:
    cut, mine = {"state": "cut", "wire": "1"}, [{"wire": "1"}, {"wire": "R3"}]
    there = table(13, wires={"blue": [1, 1], "red": ["R1", "R2", "R3"]}, detonator=2)
    hands: list[list[dict[str, Any]]] = [mine, [cut, {}], [cut, {}, {}]]
    for stand, slots in zip(there["stands"], hands, strict=True):
        stand["slots"] = slots
    asked = {"desk": "rack", "want": "cuts", "position": there, "options": {"rank": "win"}}
    found = service.run(asked)
    several = [one for one in found["options"] if one["action"] == "together"]
    assert several
    assert 0 < several[0]["success"] < 1
    for one in several:
        assert one["win"]["chance"] == pytest.approx(one["success"], abs=1e-12)
        assert one["win"]["error"] == 0
    assert "Several wires are cut at once when all are sure" in found["note"]


def test_four_of_a_number_wait_for_the_number_card() -> None:
    done = ask(table(23, numbers=["2"]), stand=1, slots=[0, 1, 2, 3], value="2", success=True)
    assert done["text"] == "You: 4 × 2: Ann A, Ann B, Ann C, Ann D, cut."
