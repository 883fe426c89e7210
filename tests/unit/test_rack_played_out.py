"""Which tables whole games are played out of: a sentence that says why not."""

from array import array
from typing import Any

import msgspec
import pytest

from asking import ask_rack as ask
from asking import vectors
from cluewise.core.work import finish
from cluewise.desks.rack.engine.racing import RacingRollouts
from cluewise.desks.rack.engine.rollout import Choice, game_words, refusal
from cluewise.desks.rack.game.missions import missions
from cluewise.desks.rack.game.table_edits import replace_slot
from cluewise.desks.rack.position import Position, Slot
from cluewise.desks.rack.results import CutsOptions
from cluewise.desks.rack.verbs.cuts import cuts as cuts_by_games
from cluewise.desks.rack.verbs.cuts_win import chance_followed, choice_of, sentence
from cluewise.desks.rack.verbs.mission import DealtGame

CASES = vectors("rack_played_out")


def table(**more: Any) -> dict[str, Any]:
    """Two players, blue 1 to 2: yours are known, the other's are not."""
    mine = [{"wire": wire} for wire in ("1", "1", "2", "2")]
    return {"wires": {"blue": [1, 2]}, "stands": [{"slots": mine}, {"slots": [{}] * 4}], **more}


def dealt(mission: int, players: int, seed: int) -> Any:
    return ask("deal", {}, mission=mission, players=players, seat=0, seed=seed)["position"]


def twelve(position: Position) -> dict[int, Choice]:
    found = finish(cuts_by_games(position, CutsOptions(actions=["dual"]))).options[:12]
    return {i: choice_of(cut) for i, cut in enumerate(found)}


def test_all_but_ten_missions_have_a_chance_to_win_and_those_say_why() -> None:
    refused = {}
    for number, mission in missions().items():
        start = DealtGame(number, max(mission.players[0], 3), "1")
        if why := refusal(start.seen_by(0)):
            refused[number] = why
    assert list(refused) == [19, 29, 30, 34, 42, 43, 54, 59, 65, 66]
    assert all(f"in mission {number}: " in why for number, why in refused.items())


@pytest.mark.parametrize(("position", "words"), CASES["a table that is not played out says why"])
def test_a_table_that_is_not_played_out_says_why(position: dict[str, Any], words: str) -> None:
    assert words in refusal(msgspec.convert(position, Position))


def test_what_all_win_who_follow_the_list_is_told_of_tables_like_those_measured() -> None:
    told = []
    for mission, players in ((4, 4), (12, 5), (4, 3), (9, 4), (1, 4)):
        table = DealtGame(mission, players, "1").seen_by(0)
        assert not sentence(table, 0.5, 0.0)  # nothing is cut: no choices to read
        begun = replace_slot(table, 0, 0, Slot("cut", "1"))
        told += [(mission, players)] if sentence(begun, 0.5, 0.01) else []
    assert told == [(4, 4), (12, 5)]
    assert chance_followed(1.0, 0.5) == 1 > chance_followed(0.5, 0.2) > chance_followed(0.5, 0.1)


@pytest.mark.slow
@pytest.mark.sampled
@pytest.mark.parametrize("seed", range(6))
def test_the_short_list_of_cuts_by_games_names_each_for_what_it_is(seed: int) -> None:
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
        assert lists["win"][0][1].startswith("No cut won more of the games played out: works with")
    rest = [one for one in lists["success"] if one[0] != lists["win"][0][0]]
    assert lists["win"][1:] == rest


def named(found: Any, one: Any) -> tuple[Any, ...]:
    cut = found["options"][one["option"]]
    return cut["action"], cut["stand"], tuple(cut["slots"]), cut["value"]


def test_what_is_left_behind_is_estimated_on_the_deals_that_the_best_played_too() -> None:
    race = RacingRollouts(array("i"), {0: (0, 1, 0, 1), 1: (0, 1, 1, 1)})
    race.won, race.running = {0: [1, 1, 0, 1], 1: [1, 0]}, [0]
    assert (race.best(), race.chance(0), race.chance(1)) == (0, 0.75, 0.25)


@pytest.mark.sampled(of="rack, brute force")
@pytest.mark.slow
def test_every_plain_cut_is_played_out_likely_ones_first() -> None:
    """Mission 4: 24 cuts make a first order; the others then play the same deals, and of all
    cuts the best play most of the games.
    """
    position = msgspec.convert(dealt(4, 4, 5), Position)
    steps = list(cuts_by_games(position, CutsOptions(rank="win", actions=["dual", "solo"])))
    bests: list[Any] = [step.best for step in steps if step.best is not None]
    first, *_, last = ([cut.win for cut in best.options] for best in bests)
    assert [w.games for w in first if w] == [16] * 24
    assert len(last) > 60
    games = [w.games for w in last if w]
    assert 2 * sum(sorted(games)[-2:]) > sum(games) / 4


def test_choices_that_join_late_play_the_same_deals() -> None:
    position = msgspec.convert(dealt(2, 4, 4), Position)
    choices = twelve(position)
    some = {i: choices[i] for i in (2, 5, 7)}
    late = {i: one for i, one in choices.items() if i not in some}
    words = game_words(position)
    whole, parts = RacingRollouts(words, choices, 3), RacingRollouts(words, some, 3, late=late)
    for race in (whole, parts):
        finish(race.run(most=96))
    assert parts.won == whole.won
    assert sorted(parts.running) == sorted(whole.running)
    assert parts.best() == whole.best()


def test_where_games_take_too_long_none_is_counted() -> None:
    position = msgspec.convert(dealt(4, 4, 5), Position)
    race = RacingRollouts(game_words(position), twelve(position), 3)
    finish(race.run(in_all=1000, work=1000))
    assert race.too_slow
    assert not any(race.won.values())


def test_a_first_order_reported_sooner_changes_no_game() -> None:
    position = msgspec.convert(dealt(2, 5, 4), Position)
    choices = twelve(position)
    first = {i: one for i, one in choices.items() if i < 5}
    late = {i: one for i, one in choices.items() if i >= 5}
    ends = []
    for opening in (16, 8):
        race = RacingRollouts(game_words(position), first, 3, late=late, opening=opening)
        games = [[len(won) for won in race.won.values()] for _ in race.run(most=96)]
        ends.append((race.won, race.running, race.best(), next(n for n in games if n[0])))
    assert ends[0][:3] == ends[1][:3]
    assert [one[3] for one in ends] == [[16] * 5 + [0] * 7, [8] * 5 + [0] * 7]


def test_who_may_cut_nothing_gets_no_cut_and_no_fault() -> None:
    """Mission 26: neither of the values that lie open is in the hand."""
    position = table(mission=26, numbers=["3"], wires={"blue": [1, 3]})
    position["stands"] = [*position["stands"], {"slots": [{}] * 4}]
    found = ask("cuts", position, rank="win", actions=["dual", "solo"])
    assert (refusal(msgspec.convert(position, Position)), found["options"]) == ("", [])
