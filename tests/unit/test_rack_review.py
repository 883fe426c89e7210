"""Practice games: partners play by the seats' rule; the review separates decisions from luck."""

import json
from pathlib import Path
from typing import Any

import pytest

from asking import ask_rack as ask
from asking import vectors
from cluewise.errors import BadOption, CluewiseError
from commands import Command

ROWS = vectors("rack-win")["tables"]
T: dict[str, Any] = ROWS[0]["position"]  # the best cut wins 2 of 3 games, a miss all
CUT = {"action": "dual", "stand": 1, "slots": [1], "value": "2"}
RED = {"outcome": {**CUT, "success": False, "shown": "RED"}}


def review(position: dict[str, Any], *turns: dict[str, Any], **more: Any) -> dict[str, Any]:
    found: dict[str, Any] = ask("review", position, turns=list(turns), **more)
    return found


@pytest.mark.parametrize(
    "case",
    [case for case in ROWS if any(row["red"] for row in case["cuts"])],
    ids=lambda case: str(case["name"]),
)
def test_a_cut_that_hits_red_is_split_by_what_every_deal_wins(case: dict[str, Any]) -> None:
    cut = max(case["cuts"], key=lambda row: row["red"])
    made = {key: cut[key] for key in ("action", "stand", "value")} | {"slots": cut.get("slots", [])}
    found = review(case["position"], {"outcome": {**made, "success": False, "shown": "RED"}})
    (turn,) = found["turns"]
    best = max(row["chance"] for row in [*case["cuts"], *case["misses"]])
    assert (found["ended"], found["lost"]) == ("lost", 0)
    assert turn["before"] == {"chance": pytest.approx(best, abs=1e-12), "error": 0}
    assert turn["decision"]["chance"] == pytest.approx(cut["chance"] - best, abs=1e-12)
    assert turn["luck"] == pytest.approx(-cut["chance"], abs=1e-12)
    assert (turn["best"] is None) == (abs(turn["decision"]["chance"]) < 1e-9)


def test_what_cannot_have_been_played_is_named_by_its_turn() -> None:
    for turns, where in (([{}], "turns[0]"), ([{"outcome": {**CUT, "value": "9"}}], "turns[0]")):
        with pytest.raises(BadOption) as problem:
            review(T, *turns)
        assert where in problem.value.where
    assert review(T)["ended"] == "open"


def test_the_terminal_names_the_turn_that_lost_the_game(command: Command, tmp_path: Path) -> None:
    table, turns = tmp_path / "table.json", tmp_path / "turns.json"
    table.write_text(json.dumps({"desk": "rack", "v": 1, **T}))
    turns.write_text(json.dumps([RED]))
    status, out, _ = command("rack", "review", str(table), "--turns", str(turns))
    assert status == 0
    out = " ".join(out.split())
    assert "Turn 1 lost the game" in out
    assert "100% before it and 0% after it: −33 points by the decision, −67 points by luck" in out


def test_partners_play_a_practice_game_to_its_end_and_their_turns_can_be_noted_again() -> None:
    table = ask("deal", {}, mission=2, players=3, seed=7, seat=2)["position"]
    reasons, actor, ended = [], 0, False
    for _ in range(60):
        owners = [stand.get("owner", i) for i, stand in enumerate(table["stands"])]
        left = {
            owner
            for owner, stand in zip(owners, table["stands"], strict=True)
            if any(slot.get("state") != "cut" for slot in stand["slots"])
        }
        if ended or not left & {0, 1}:
            break
        if actor in left and actor < 2:
            found = ask("partner", table, actor=actor)
            assert found["reason"].endswith(".")
            if found["made"]:
                again = ask("outcome", table, **found["made"])
                assert again["position"] == found["position"]
            reasons.append(found["reason"])
            table, ended = found["position"], found["exploded"]
        actor = (actor + 1) % 3
    assert len(reasons) > 5
    assert any("can only be" in one or "shows" in one or "one stand" in one for one in reasons)
    assert any("Best chance of success" in one for one in reasons)


def test_partners_play_in_practice_games_only_and_never_for_the_viewer() -> None:
    table = ask("deal", {}, mission=1, players=3, seed=7)["position"]
    for position, actor, words in (
        (table, 0, "seat of a partner"),
        (table, 4, "seat of a partner"),
        ({**table, "sealed": None}, 1, "practice games only"),
    ):
        with pytest.raises(CluewiseError, match=words):
            ask("partner", position, actor=actor)
