"""Deliberate misses: when they are offered, what they win, how they are noted."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from asking import ask_rack as ask
from asking import vectors
from cluewise.core.work import finish
from cluewise.desks.rack.engine import rollout
from cluewise.desks.rack.position import Position
from cluewise.desks.rack.results import CutsOptions
from cluewise.desks.rack.verbs.cuts import cuts
from cluewise.desks.rack.verbs.games import RolloutPolicy
from cluewise.desks.rack.verbs.mission import DealtGame
from commands import Command
from reference.rack_positions import mission_table

ROWS = vectors("rack-win")["tables"]
T: dict[str, Any] = ROWS[0]["position"]  # the best cut wins 2 of 3 games, a miss all


def misses(position: dict[str, Any], **options: Any) -> list[dict[str, Any]]:
    found = ask("cuts", position, **{"rank": "win", **options})["options"]
    return [row for row in found if row["action"] == "miss"]


@pytest.mark.parametrize("case", ROWS, ids=lambda case: str(case["name"]))
def test_cuts_and_misses_win_what_every_deal_played_out_wins(case: dict[str, Any]) -> None:
    wanted = {(c["action"], c["stand"], *c.get("slots", []), c["value"]): c for c in case["cuts"]}
    shown: set[str] = set()
    for row in case["misses"]:
        if not row["shown"] or row["value"] not in shown:
            wanted["miss", row["stand"], *row["slots"], row["value"]] = row
        shown |= {row["value"]} if row["shown"] else set()
    found = {}
    for row in ask("cuts", case["position"], rank="win")["options"]:
        if row["action"] in ("dual", "solo", "reveal", "miss"):
            slots = [] if row["action"] == "solo" else row["slots"]
            found[row["action"], row["stand"], *slots, row["value"]] = row
    assert found.keys() == wanted.keys()
    for key, row in wanted.items():
        assert found[key]["win"]["chance"] == pytest.approx(row["chance"], abs=1e-12)
        numbers = found[key]["success"], found[key]["red"]
        assert numbers == pytest.approx((row["success"], row["red"]), abs=1e-9)


def test_a_miss_is_offered_only_without_a_red_free_cut_and_with_a_step_to_spare() -> None:
    assert misses(T)
    assert misses(T, rank="auto") == misses(T)
    assert [row["action"] for row in ask("cuts", T, rank="win", actions=["miss"])["options"]] == [
        "miss"
    ]
    assert misses(T, rank="success") == []
    assert misses(T, actions=["dual"]) == []
    assert misses({**T, "detonator": 1}) == []
    policy, seen = RolloutPolicy(DealtGame(4, 4, "1"), "1", 16, 0.0), msgspec.convert(T, Position)
    found = finish(cuts(seen, CutsOptions(actions=list(rollout.KINDS)))).options
    chosen = policy._miss(seen, found, found[0], 1)
    assert chosen
    assert (chosen.action, chosen.value) == ("miss", "2")
    assert misses({**T, "mission": 28}) == []  # a failure of the captain's ends the game
    safe = mission_table(4, "1 2 2 3", wires={"red": ["R1"]})
    assert any(not row["red"] for row in ask("cuts", safe, actions=["dual"])["options"])
    assert misses(safe) == []


def test_a_miss_is_noted_as_a_failed_cut_of_a_value_that_cannot_be_there() -> None:
    done = ask("outcome", T, action="miss", stand=1, slots=[0], value="2")
    assert done["text"] == (
        "You, miss on purpose: no 2 at stand 2 A. 2 steps left on the detonator."
    )
    assert done["position"]["detonator"] == 2
    assert list(done["position"]["stands"][0]["facts"]) == [{"kind": "has", "value": "2"}]
    plain = ask("outcome", T, action="dual", stand=1, slots=[0], value="2", success=False)
    assert plain["position"] == done["position"]


def test_the_terminal_ranks_by_the_chance_to_win_and_json_by_success(
    command: Command, tmp_path: Path
) -> None:
    file = tmp_path / "table.json"
    file.write_text(json.dumps({"desk": "rack", **T}))
    status, out, _ = command("rack", "cuts", str(file))
    assert (status, "wins" in out, "miss 2" in out) == (0, True, True)
    assert json.loads(command("rack", "cuts", str(file), "--json")[1]) == ask("cuts", T)
