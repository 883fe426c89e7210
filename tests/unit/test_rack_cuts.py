"""Cuts that are no plain advice: misses on purpose, several wires at once, turned wires, and lists
that a table has agreed to cut by.
"""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from asking import ask_rack as ask
from asking import vectors
from cluewise import service
from cluewise.core.work import finish
from cluewise.desks.rack.engine import rollout
from cluewise.desks.rack.engine.reading import calibrate_success, restore_tables
from cluewise.desks.rack.position import Position
from cluewise.desks.rack.results import Cut, CutsOptions
from cluewise.desks.rack.verbs.cuts import cuts
from cluewise.desks.rack.verbs.cuts_win import RolloutRanking, choice_of
from cluewise.desks.rack.verbs.games import RolloutPolicy
from cluewise.desks.rack.verbs.mission import DealtGame
from cluewise.errors import BadPosition
from commands import Command
from reference.rack import Table, called
from reference.rack_positions import mission_table

ROWS = vectors("rack-win")["tables"]
T: dict[str, Any] = ROWS[0]["position"]  # the best cut wins 2 of 3 games, a miss all
X: dict[str, Any] = {"tokens": ["unsorted"]}
READ_ROWS = vectors("rack-win")["read"]


def misses(position: dict[str, Any], **options: Any) -> list[dict[str, Any]]:
    found = ask("cuts", position, **{"rank": "win", **options})["options"]
    return [row for row in found if row["action"] == "miss"]


@pytest.mark.parametrize("case", ROWS, ids=lambda case: str(case["name"]))
def test_win_chances_of_cuts_and_misses_agree_with_all_deals(case: dict[str, Any]) -> None:
    expected = {(c["action"], c["stand"], *c.get("slots", []), c["value"]): c for c in case["cuts"]}
    shown: set[str] = set()
    for row in case["misses"]:
        if not row["shown"] or row["value"] not in shown:
            expected["miss", row["stand"], *row["slots"], row["value"]] = row
        shown |= {row["value"]} if row["shown"] else set()
    found = {}
    for row in ask("cuts", case["position"], rank="win")["options"]:
        if row["action"] in ("dual", "solo", "reveal", "miss"):
            slots = [] if row["action"] == "solo" else row["slots"]
            found[row["action"], row["stand"], *slots, row["value"]] = row
    assert found.keys() == expected.keys()
    for key, row in expected.items():
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
    found = finish(cuts(seen, CutsOptions(actions=list(rollout.CHOICE_KINDS)))).options
    chosen = policy._better_miss(seen, found, found[0], 1)
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


def mixed(mission: int, **more: Any) -> dict[str, Any]:
    """Blue 1-3, you 1 2 2 3, Ann and Bob with hidden wires."""
    mine = [{"wire": wire} for wire in ("1", "2", "2", "3")]
    stands = [{"slots": mine}, {"name": "Ann", "slots": [{}] * 4}]
    stands.append({"name": "Bob", "slots": [{}] * 4})
    wires = {"blue": [1, 3], "red": ["R1", "R2", "R3"], "yellow": ["Y1", "Y2", "Y3"]}
    return {"wires": wires, "stands": stands, "mission": mission, **more}


def test_cut_of_several_wires_is_simulated_with_the_other_cuts() -> None:
    cut, mine = {"state": "cut", "wire": "1"}, [{"wire": "1"}, {"wire": "R3"}]
    there = mixed(13, wires={"blue": [1, 1], "red": ["R1", "R2", "R3"]}, detonator=2)
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


def turned(mission: int, **more: Any) -> dict[str, Any]:
    """Blue 1 to 3, three players; the last wire of yours is turned away from you, a 2 or a 3."""
    mine = [{"wire": "1"}, {"wire": "2"}, {"wire": "3"}, X]
    ann = [{}, {}, {}, X | {"wire": "1"} if mission == 56 else {}]
    return {
        "wires": {"blue": [1, 3]}, "mission": mission, "detonator": 3,
        "stands": [{"slots": mine}, {"name": "Ann", "slots": ann}, {"slots": [{}] * 4}], **more,
    }  # fmt: skip


@pytest.mark.parametrize("mission", [38, 56])
def test_owner_may_cut_a_turned_wire_with_its_exact_chance(mission: int) -> None:
    position = turned(mission)
    worlds = Table(position, 0).weighted()
    found = [c for c in ask("cuts", position)["options"] if c["stand"] == 0]
    assert {(c["action"], *c["slots"], c["value"]) for c in found} == {
        ("dual", 3, value) for value in "123"
    }
    for cut in found:
        chance = float(sum(p for w, p in worlds if called(w[0, 3]) == cut["value"]))
        assert cut["success"] == pytest.approx(chance, abs=1e-12)
        assert cut["red"] == pytest.approx(1 - chance, abs=1e-12)


def test_turned_wire_of_another_player_costs_a_step_or_may_not_be_cut() -> None:
    done = ask("outcome", turned(56), stand=1, slots=[3], value="1", success=True)
    assert (done["exploded"], done["position"]["detonator"]) == (False, 2)
    last = ask("outcome", turned(56, detonator=1), stand=1, slots=[3], value="1", success=True)
    assert last["exploded"]
    captains = turned(38, viewer=1)
    captains["stands"] = [
        {"slots": [{}, {}, {}, X | {"wire": "1"}]},
        {"slots": [{"wire": w} for w in "1123"]},
        {"slots": [{}] * 4},
    ]
    assert not [c for c in ask("cuts", captains)["options"] if (c["stand"], c["slots"]) == (0, [3])]


@pytest.mark.parametrize("seen", [True, False])
def test_turned_wire_of_another_player_is_not_advised_if_its_step_is_the_last(seen: bool) -> None:
    position = turned(56, detonator=2)
    if not seen:
        position["stands"][1]["slots"][3] = X
    offered = [c for c in ask("cuts", position)["options"] if (c["stand"], c["slots"]) == (1, [3])]
    assert max(c["success"] for c in offered) > 0
    position["detonator"] = 1
    found = ask("cuts", position)
    lost = [c for c in found["options"] if (c["stand"], c["slots"]) == (1, [3])]
    assert len(lost) == len(offered)
    assert {(c["success"], c["red"], c["certain"]) for c in lost} == {(0.0, 1.0, False)}
    assert found["options"][-len(lost) :] == lost


@pytest.mark.parametrize("case", READ_ROWS, ids=lambda case: str(case["name"]))
def test_deals_are_weighted_by_whether_the_policy_makes_the_choices(case: dict[str, Any]) -> None:
    answer = ask("cuts", case["position"])
    assert "by your teammates' last choices" in answer["assumed"]
    found = answer["options"]
    read = {(c["stand"], *c["slots"], c["value"]): c["read"] for c in found if c["read"]}
    assert len(read) == len(case["cuts"])
    for row in case["cuts"]:
        one = read[row["stand"], *row["slots"], row["value"]]
        assert one["effective"] is None
        numbers = row["read_success"], row["read_red"]
        assert (one["success"], one["red"]) == pytest.approx(numbers, abs=1e-12)
        assert one["calibrated"] == {"success": one["success"], "red": one["red"]}
    plain = ask("cuts", case["position"], read=False)["options"]
    assert not any(cut["read"] for cut in plain)


def test_calibration_preserves_certainty_and_order() -> None:
    shown = [calibrate_success(step / 100) for step in range(101)]
    assert shown == sorted(shown)
    assert (shown[0], shown[100]) == (0, 1)


class AgreedSeats(RolloutPolicy):
    """A game by the agreed list: every turn is put back and compared with the table before it."""

    turns, read, sampled = 0, 0, 0

    def _choose(self, seen: Position) -> Any:
        options = CutsOptions(actions=list(rollout.CHOICE_KINDS), rank="auto")
        cut = finish(cuts(seen, options)).options[0]
        if not seen.choices:
            words = rollout.encode_game(seen)
            (made,) = rollout.policy_moves(words, rollout.draw_deals(words, 1, 1))
            mine = choice_of(cut)
            same = mine if mine[0] == 0 else (mine[0], 0, 0, mine[3])
            assert made == same or made[0] == mine[0] == rollout.CHOICE_KINDS["reveal"]
        self.read += bool(cut.read)
        if cut.read and cut.read.effective:
            self.sampled += 1
            assert cut.read.calibrated.success == calibrate_success(cut.read.success)
        return cut

    def _act(self, seen: Position, cut: Any) -> tuple[Position, bool]:
        after, exploded = super()._act(seen, cut)
        table = restore_tables(after)[-1]
        states = [[slot.state for slot in stand.slots] for stand in seen.stands]
        assert [[slot.state for slot in stand.slots] for stand in table.stands] == states
        assert [stand.facts for stand in table.stands] == [s.facts for s in seen.stands]
        assert table.detonator == seen.detonator
        self.turns += 1
        return after, exploded


def test_agreed_seats_follow_the_policy_then_the_past_choices() -> None:
    game = AgreedSeats(DealtGame(4, 4, "2.0"), "2.0", 0, agreed=True)
    won = game.play()
    assert game.turns > 9
    assert game.read > 3
    assert game.sampled > 3
    options = {"mission": 4, "players": 4, "games": 1, "ways": ["likeliest", "agreed"]}
    found = ask("games", {}, **options, seed=2)["rows"][1]["won"]
    assert found == won


def test_race_weights_its_deals_by_past_choices() -> None:
    position = next(row["position"] for row in READ_ROWS if row["name"] == "read-6")
    best = [ask("cuts", position, rank="win", read=on)["options"][0] for on in (True, False)]
    assert [one["win"]["chance"] for one in best] == pytest.approx([10 / 17, 4 / 7])
    assert [one["win"]["error"] for one in best] == [0, 0]


def test_choices_are_cleared_if_wires_move_and_refused_if_impossible() -> None:
    position = {**READ_ROWS[0]["position"], "viewer": 0}
    done = ask("use", position, card="skip", actor=1)
    assert (done["choice"]["action"], len(done["position"]["choices"])) == ("", 2)
    slots = {"card": "2", "stand": 0, "slot": 1, "other": [1, 0], "shown": "6"}
    moved = ask("use", position, **slots)
    assert (moved["choice"], moved["position"]["choices"]) == (None, [])
    text = "? ?\n? ?"
    assert ask("shorthand", position, text=text)["position"]["choices"] == []
    parity = ask("cuts", {**position, "token": "parity"})
    assert "standard tokens" in parity["note"]
    choice = position["choices"][0]
    for wrong, where in (
        ({**choice, "stand": 9}, "$.position.choices[0].slots[0]"),
        ({**choice, "actor": 7}, "$.position.choices[0].actor"),
        ({**choice, "was": {"slots": [[0, 99, "cut"]]}}, "$.position.choices[0].was.slots[0]"),
    ):
        with pytest.raises(BadPosition) as caught:
            ask("cuts", {**position, "choices": [wrong]})
        assert caught.value.where == where


def test_eliminated_cut_is_not_ranked_above_running_ones() -> None:
    cuts_named = [Cut("dual", 1, [1], value, 0.5, 0.0, 0.0, False) for value in "23"]
    position = msgspec.convert(vectors("rack-win")["tables"][0]["position"], Position)
    ranking = RolloutRanking(position, cuts_named, [], [], CutsOptions(), None)
    race = ranking.race
    race.outcomes, race.running = {0: [1, 1, 1, 0], 1: [1, 0, 1, 0, 1, 0, 1, 0]}, [1]
    assert race.chance(0) == race.chance(1) == 0.5
    assert [cut.value for cut in ranking.ranked(cuts_named)[0]] == ["3", "2"]
