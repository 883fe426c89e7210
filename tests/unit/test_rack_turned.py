"""Wires turned away from their owner: what she may cut herself, what it costs, what is noted."""

from typing import Any

import pytest

from asking import ask_rack as ask
from reference.rack import Table, called

X: dict[str, Any] = {"tokens": ["unsorted"]}


def table(mission: int, **more: Any) -> dict[str, Any]:
    """Blue 1 to 3, three players; the last wire of yours is turned away from you, a 2 or a 3."""
    mine = [{"wire": "1"}, {"wire": "2"}, {"wire": "3"}, X]
    ann = [{}, {}, {}, X | {"wire": "1"} if mission == 56 else {}]
    return {
        "wires": {"blue": [1, 3]}, "mission": mission, "detonator": 3,
        "stands": [{"slots": mine}, {"name": "Ann", "slots": ann}, {"slots": [{}] * 4}], **more,
    }  # fmt: skip


@pytest.mark.parametrize("mission", [38, 56])
def test_an_owner_is_offered_her_turned_wire_with_its_exact_chance(mission: int) -> None:
    position = table(mission)
    worlds = Table(position, 0).weighted()
    found = [c for c in ask("cuts", position)["options"] if c["stand"] == 0]
    assert {(c["action"], *c["slots"], c["value"]) for c in found} == {
        ("dual", 3, value) for value in "123"
    }
    for cut in found:
        chance = float(sum(p for w, p in worlds if called(w[0, 3]) == cut["value"]))
        assert cut["success"] == pytest.approx(chance, abs=1e-12)
        assert cut["red"] == pytest.approx(1 - chance, abs=1e-12)


def test_anothers_turned_wire_costs_a_step_or_may_not_be_cut() -> None:
    done = ask("outcome", table(56), stand=1, slots=[3], value="1", success=True)
    assert (done["exploded"], done["position"]["detonator"]) == (False, 2)
    last = ask("outcome", table(56, detonator=1), stand=1, slots=[3], value="1", success=True)
    assert last["exploded"]
    captains = table(38, viewer=1)
    captains["stands"] = [
        {"slots": [{}, {}, {}, X | {"wire": "1"}]},
        {"slots": [{"wire": w} for w in "1123"]},
        {"slots": [{}] * 4},
    ]
    assert not [c for c in ask("cuts", captains)["options"] if (c["stand"], c["slots"]) == (0, [3])]


@pytest.mark.parametrize("seen", [True, False])
def test_anothers_turned_wire_is_never_advised_where_its_step_is_the_last(seen: bool) -> None:
    position = table(56, detonator=2)
    if not seen:
        position["stands"][1]["slots"][3] = X
    turned = [c for c in ask("cuts", position)["options"] if (c["stand"], c["slots"]) == (1, [3])]
    assert max(c["success"] for c in turned) > 0
    position["detonator"] = 1
    found = ask("cuts", position)
    lost = [c for c in found["options"] if (c["stand"], c["slots"]) == (1, [3])]
    assert len(lost) == len(turned)
    assert {(c["success"], c["red"], c["certain"]) for c in lost} == {(0.0, 1.0, False)}
    assert found["options"][-len(lost) :] == lost
