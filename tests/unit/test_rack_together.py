"""Wires that a mission has cut together: what worked, what failed, and what is no such cut."""

from typing import Any

import pytest

from cluewise import service


def table(mission: int, **more: Any) -> dict[str, Any]:
    """Blue 1-3, you 1 2 2 3, Ann and Bob with hidden wires."""
    mine = [{"wire": wire} for wire in ("1", "2", "2", "3")]
    stands = [{"slots": mine}, {"name": "Ann", "slots": [{}] * 4}]
    stands.append({"name": "Bob", "slots": [{}] * 4})
    wires = {"blue": [1, 3], "red": ["R1", "R2", "R3"], "yellow": ["Y1", "Y2", "Y3"]}
    return {"wires": wires, "stands": stands, "mission": mission, **more}


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
