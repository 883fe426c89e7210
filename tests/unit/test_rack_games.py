"""Whole games: which tables are played out, win rates of ways to choose, practice games with
partners, and the review that separates decisions from luck.
"""

import json
import random
from array import array
from pathlib import Path
from typing import Any

import msgspec
import pytest

from asking import ask_rack as ask
from asking import vectors
from cluewise.core.work import finish
from cluewise.desks.rack.engine import rollout
from cluewise.desks.rack.engine.racing import RacingRollouts
from cluewise.desks.rack.engine.rollout import Choice, encode_game, refusal
from cluewise.desks.rack.game.missions import missions
from cluewise.desks.rack.game.play import after_round, letters_left, turn_limit
from cluewise.desks.rack.game.table_edits import replace_slot
from cluewise.desks.rack.position import Position
from cluewise.desks.rack.results import Cut, CutsOptions, Way
from cluewise.desks.rack.stand import Slot
from cluewise.desks.rack.verbs.cuts import cuts
from cluewise.desks.rack.verbs.cuts_win import chance_followed, choice_of, sentence
from cluewise.desks.rack.verbs.games import RolloutPolicy, mean, play_games, wilson
from cluewise.desks.rack.verbs.mission import DealtGame
from cluewise.desks.rack.verbs.review import next_seat
from cluewise.errors import BadOption, CluewiseError
from commands import Command

CASES = vectors("rack_cases")["played_out"]
ROWS = vectors("rack-win")["tables"]
T: dict[str, Any] = ROWS[0]["position"]  # the best cut wins 2 of 3 games, a miss all
CUT = {"action": "dual", "stand": 1, "slots": [1], "value": "2"}
RED = {"outcome": {**CUT, "success": False, "shown": "RED"}}


def test_win_rates_are_reproducible_and_paired() -> None:
    found = ask("games", {}, mission=1, players=3, games=12)
    assert found == ask("games", {}, mission=1, players=3, games=12)
    assert [row["way"] for row in found["rows"]] == ["likeliest", "careful", "spare"]
    first = found["rows"][0]
    assert (first["gain"], first["error"]) == (0, 0)
    for row in found["rows"]:
        assert row["rate"] == row["won"] / 12
        assert row["low"] <= row["rate"] <= row["high"]
        assert row["gain"] == pytest.approx(row["rate"] - first["rate"])


def test_games_are_the_same_in_batches_and_at_once() -> None:
    ways: list[Way] = ["likeliest", "spare"]
    whole = finish(play_games(4, 4, 1, ways, 16, 0.0, 0, 6))
    parts = [finish(play_games(4, 4, 1, ways, 16, 0.0, a, a + 2)) for a in (0, 2, 4)]
    assert whole[0] == [[w for part in parts for w in part[0][way]] for way in range(2)]


def test_rollout_policy_finishes_a_game_and_evaluates_on_held_out_deals() -> None:
    won, gains = finish(play_games(4, 3, 1, ["win", "misses"], 16, 1.0, 0, 2))
    assert won[0] == won[1]  # no seat misses in these two
    assert len(won[0]) == 2 <= len(gains)
    assert all(-1 <= gain <= 1 and -1 <= rule <= 1 for gain, rule, _ in gains)


def test_player_sees_own_wires_and_public_ones_of_others() -> None:
    dealt = DealtGame(4, 4, "1.5")
    stand, slot = next((i, h.index(w)) for i, h in enumerate(dealt.hands) for w in h if w[0] == "Y")
    shown = replace_slot(dealt.table, stand, slot, Slot("info", None, "YELLOW"))
    for seat in (stand, (stand + 1) % 4, stand):
        shown = dealt.seen_by(seat, shown)
        mine, theirs = shown.stands[seat], shown.stands[(seat + 1) % 4]
        assert [s.wire for s in mine.slots] == dealt.hands[seat]
        assert all(s.wire is None for s in theirs.slots if s.state == "hidden")
        known = shown.stands[stand].slots[slot]
        assert (known.wire, known.value) == (
            (dealt.hands[stand][slot], None) if seat == stand else (None, "YELLOW")
        )


def test_interval_and_mean_follow_the_textbook() -> None:
    """Wilson for 81 of 263: Newcombe, Statistics in Medicine 17 (1998), table I."""
    low, high = wilson(81, 263)
    assert (round(low, 4), round(high, 4)) == (0.2553, 0.3662)
    assert mean([0.0, 1.0]) == (0.5, 0.5)
    assert mean([]) == (0.0, 0.0)


@pytest.mark.slow
@pytest.mark.sampled
@pytest.mark.parametrize(
    "mission", [7, 9, 11, 13, 14, 17, 23, 24, 32, 37, 38, 41, 46, 48, 56, 57, 58, 64]
)
def test_missions_with_special_rules_are_played_by_every_policy(mission: int) -> None:
    won, gains = finish(play_games(mission, 4, 2, ["spare", "win"], 16, 0.2, 0, 1))
    assert [len(row) for row in won] == [1, 1]
    assert all(-1 <= gain <= 1 and -1 <= rule <= 1 for gain, rule, _ in gains)


def test_failed_cut_places_the_right_token_and_a_stuck_seat_skips(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    dealt = DealtGame(24, 4, "1.0")
    game = RolloutPolicy(dealt, "1.0", 16, 0)
    for i, hand in enumerate(dealt.hands):
        for j, wire in enumerate(hand):
            many = sum(value(other) == value(wire) for other in hand)
            said = "RED" if wire[0] == "R" else f"x{many}" if many < 4 else ""
            assert game._token(dealt.table, i, j) == said
    for mission, turns in ((56, 4), (41, 4), (35, 4), (9, 1)):  # 56: until no step is left;
        # 41, 35: all four skip; 9: the bomb explodes
        dealt = DealtGame(mission, 4, "1.0")
        game = RolloutPolicy(dealt, "1.0", 16, 0)
        asked: list[int] = []
        choose = lambda seen, asked=asked: asked.append(seen.detonator)  # noqa: E731
        monkeypatch.setattr(game, "_choose", choose)
        assert not game.play()
        assert len(asked) == turns
        assert asked == sorted(asked, reverse=True)


@pytest.mark.parametrize("mission", [35, 38, 64])
def test_seat_cuts_only_own_wires_that_may_be_cut(mission: int) -> None:
    dealt = DealtGame(mission, 4, "1.0")
    for hand in dealt.hands:
        hand[:] = ["2"] * len(hand)
    loose = [j for j, s in enumerate(dealt.table.stands[0].slots) if "unsorted" in s.tokens]
    table = dealt.table
    for j in range(len(dealt.hands[0])):
        slot = Slot("hidden", tokens=("unsorted",)) if j in loose else Slot("info", "2")
        table = replace_slot(table, 0, j, slot)
    cut = Cut("dual", 1, [3], "2", 1.0, 0.0, 0.0, certain=True)
    ending = RolloutPolicy(dealt, "1.0", 16, 0)._ending(dealt.seen_by(0, table), cut)
    assert loose
    assert ending["own"] == [0, min({0, 1, 2} - set(loose))]


def value(wire: str) -> str:
    return wire[0] if wire[0] in "YR" else wire


class CheckedPolicy(RolloutPolicy):
    """Cuts what is likeliest; each turn is compared with the kernel's on the true deal."""

    checked = 0

    def _choose(self, seen: Position) -> Cut | None:
        found = finish(cuts(seen, CutsOptions(actions=list(rollout.CHOICE_KINDS)))).options
        return found[0] if found else None

    def _act(self, seen: Position, cut: Cut) -> tuple[Position, bool]:
        table, exploded = super()._act(seen, cut)
        deal, players = self.dealt.wires(), self.dealt.players
        words = rollout.encode_game(seen)
        (kernel,) = rollout.play_choices(words, deal, [choice_of(cut)])[0][0]
        mover = next_seat(table, seen.viewer or 0)
        if exploded or not self._has_wires_to_cut(table) or mover is None:
            assert kernel == (not exploded)
        else:
            after = self.dealt.seen_by((mover + 1) % players, table)
            words = rollout.encode_game(after, mover=mover)
            assert (kernel,) == (rollout.play_choices(words, deal, [rollout.POLICY_MOVE])[0][0][0],)
            self.checked += 1
        return table, exploded


@pytest.mark.parametrize("mission", [44, 49, 53, 57, 63])
def test_air_robot_and_limit_cards_after_a_turn_agree_with_the_kernel(mission: int) -> None:
    checked = 0
    for game in "12":
        policy = CheckedPolicy(DealtGame(mission, 4, game), game, 16, 0.0)
        policy.play()
        checked += policy.checked
    assert checked > 8


def test_limit_cards_change_by_the_missions_rules() -> None:
    table, dice = DealtGame(32, 4, "1").table, random.Random(1)
    gone = table
    for left in range(11, -1, -1):
        gone = turn_limit(gone, dice)
        assert len(letters_left(gone)) == max(left - 1, 0)
    assert gone.constraint is None
    stuck = msgspec.structs.replace(DealtGame(37, 4, "1").table, detonator=2)
    table, exploded = after_round(stuck, dice)
    assert (table.detonator, exploded, table.constraint != stuck.constraint) == (1, False, True)
    assert after_round(DealtGame(57, 4, "1").table, dice)[1]


def table(**more: Any) -> dict[str, Any]:
    """Two players, blue 1 to 2: yours are known, the other's are not."""
    mine = [{"wire": wire} for wire in ("1", "1", "2", "2")]
    return {"wires": {"blue": [1, 2]}, "stands": [{"slots": mine}, {"slots": [{}] * 4}], **more}


def dealt(mission: int, players: int, seed: int) -> Any:
    return ask("deal", {}, mission=mission, players=players, seat=0, seed=seed)["position"]


def twelve(position: Position) -> dict[int, Choice]:
    found = finish(cuts(position, CutsOptions(actions=["dual"]))).options[:12]
    return {i: choice_of(cut) for i, cut in enumerate(found)}


def test_all_but_ten_missions_are_simulated_and_those_give_a_reason() -> None:
    refused = {}
    for number, mission in missions().items():
        start = DealtGame(number, max(mission.players[0], 3), "1")
        if why := refusal(start.seen_by(0)):
            refused[number] = why
    assert list(refused) == [19, 29, 30, 34, 42, 43, 54, 59, 65, 66]
    assert all(f"in mission {number}: " in why for number, why in refused.items())


@pytest.mark.parametrize(("position", "words"), CASES["a table that is not played out says why"])
def test_table_that_is_not_simulated_gives_a_reason(position: dict[str, Any], words: str) -> None:
    assert words in refusal(msgspec.convert(position, Position))


def test_win_rate_of_the_list_is_stated_only_for_measured_kinds_of_tables() -> None:
    stated = []
    for mission, players in ((4, 4), (12, 5), (4, 3), (9, 4), (1, 4)):
        table = DealtGame(mission, players, "1").seen_by(0)
        assert not sentence(table, 0.5, 0.0)  # nothing is cut: no choices to read
        begun = replace_slot(table, 0, 0, Slot("cut", "1"))
        stated += [(mission, players)] if sentence(begun, 0.5, 0.01) else []
    assert stated == [(4, 4), (12, 5)]
    assert chance_followed(1.0, 0.5) == 1 > chance_followed(0.5, 0.2) > chance_followed(0.5, 0.1)


@pytest.mark.slow
@pytest.mark.sampled
@pytest.mark.parametrize("seed", range(6))
def test_reasons_of_recommended_cuts_by_games_are_true(seed: int) -> None:
    position = dealt(2, 4, seed)
    actions = ["dual", "solo", "reveal"]
    by = {rank: ask("cuts", position, rank=rank, actions=actions) for rank in ("success", "win")}
    lists = {rank: [(named(found, one), one["reason"]) for one in found["front"]]
             for rank, found in by.items()}  # fmt: skip
    first = by["win"]["options"][0]
    assert by["win"]["front"][0]["option"] == 0
    assert first["win"]["chance"] == max(
        c["win"]["chance"] for c in by["win"]["options"] if c["win"]
    )
    if not first["certain"]:
        assert lists["win"][0][1].startswith("No cut won more of the simulated games: works with")
    rest = [one for one in lists["success"] if one[0] != lists["win"][0][0]]
    assert lists["win"][1:] == rest


def named(found: Any, one: Any) -> tuple[Any, ...]:
    cut = found["options"][one["option"]]
    return cut["action"], cut["stand"], tuple(cut["slots"]), cut["value"]


def test_eliminated_choice_is_estimated_by_its_paired_difference() -> None:
    race = RacingRollouts(array("i"), {0: (0, 1, 0, 1), 1: (0, 1, 1, 1)})
    race.outcomes, race.running = {0: [1, 1, 0, 1], 1: [1, 0]}, [0]
    assert (race.best(), race.chance(0), race.chance(1)) == (0, 0.75, 0.25)


@pytest.mark.sampled(of="rack, brute force")
@pytest.mark.slow
def test_every_plain_cut_is_simulated_likely_ones_first() -> None:
    """Mission 4: 24 cuts make a first order; the others then play the same deals, and of all
    cuts the best play most of the games.
    """
    position = msgspec.convert(dealt(4, 4, 5), Position)
    steps = list(cuts(position, CutsOptions(rank="win", actions=["dual", "solo"])))
    bests: list[Any] = [step.best for step in steps if step.best is not None]
    first, *_, last = ([cut.win for cut in best.options] for best in bests)
    assert [w.games for w in first if w] == [16] * 24
    assert len(last) > 60
    games = [w.games for w in last if w]
    assert 2 * sum(sorted(games)[-2:]) > sum(games) / 4


def test_deferred_choices_play_the_same_deals() -> None:
    position = msgspec.convert(dealt(2, 4, 4), Position)
    choices = twelve(position)
    some = {i: choices[i] for i in (2, 5, 7)}
    late = {i: one for i, one in choices.items() if i not in some}
    words = encode_game(position)
    whole, parts = RacingRollouts(words, choices, 3), RacingRollouts(words, some, 3, late)
    for race in (whole, parts):
        finish(race.run(max_games=96))
    assert parts.outcomes == whole.outcomes
    assert sorted(parts.running) == sorted(whole.running)
    assert parts.best() == whole.best()


def test_race_does_not_start_if_games_take_too_long() -> None:
    position = msgspec.convert(dealt(4, 4, 5), Position)
    race = RacingRollouts(encode_game(position), twelve(position), 3)
    finish(race.run(total_games=1000, work_limit=1000))
    assert race.too_slow
    assert not any(race.outcomes.values())


def test_earlier_first_report_changes_no_game() -> None:
    position = msgspec.convert(dealt(2, 5, 4), Position)
    choices = twelve(position)
    first = {i: one for i, one in choices.items() if i < 5}
    late = {i: one for i, one in choices.items() if i >= 5}
    ends = []
    for opening in (16, 8):
        race = RacingRollouts(encode_game(position), first, 3, late, first_report=opening)
        games = [[len(won) for won in race.outcomes.values()] for _ in race.run(max_games=96)]
        ends.append((race.outcomes, race.running, race.best(), next(n for n in games if n[0])))
    assert ends[0][:3] == ends[1][:3]
    assert [one[3] for one in ends] == [[16] * 5 + [0] * 7, [8] * 5 + [0] * 7]


def test_player_without_a_legal_cut_gets_an_empty_list() -> None:
    """Mission 26: neither of the values that lie open is in the hand."""
    position = table(mission=26, numbers=["3"], wires={"blue": [1, 3]})
    position["stands"] = [*position["stands"], {"slots": [{}] * 4}]
    found = ask("cuts", position, rank="win", actions=["dual", "solo"])
    assert (refusal(msgspec.convert(position, Position)), found["options"]) == ("", [])


def review(position: dict[str, Any], *turns: dict[str, Any], **more: Any) -> dict[str, Any]:
    found: dict[str, Any] = ask("review", position, turns=list(turns), **more)
    return found


@pytest.mark.parametrize(
    "case",
    [case for case in ROWS if any(row["red"] for row in case["cuts"])],
    ids=lambda case: str(case["name"]),
)
def test_review_of_an_explosion_agrees_with_all_deals(case: dict[str, Any]) -> None:
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


def test_impossible_turn_is_named_by_its_number() -> None:
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


def test_partners_finish_a_practice_game_and_their_turns_replay() -> None:
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
