"""First tokens by the chance to win, against every deal played out by brute force."""

import random
from typing import Any

import msgspec
import pytest

from asking import ask_rack as ask
from asking import steps_of
from cluewise.desks.rack.engine import rollout
from cluewise.desks.rack.game.deal import deal_hands, empty_table
from cluewise.desks.rack.game.table_edits import place_token
from cluewise.desks.rack.position import Position
from cluewise.desks.rack.results import IndicateOptions
from cluewise.desks.rack.stand import wire_name
from cluewise.desks.rack.verbs.indicate import indicate
from cluewise.desks.rack.verbs.indicate_win import TokenGames
from cluewise.desks.rack.verbs.mission import with_wires
from reference.rack import Table, World, code_of
from reference.rack_missions import MissionPlay


def small(seed: int) -> dict[str, Any]:
    """Blue 1-2 and a red wire for three players; the captain has a blue wire and lays a token."""
    dice = random.Random(seed)
    wires = [*"11112222", "R1"]
    dice.shuffle(wires)
    mine = sorted(wires[:3], key=code_of)
    return {
        "wires": {"blue": [1, 2], "red": ["R1"]},
        "detonator": 2,
        "stands": [{"slots": [{"wire": w} for w in mine]}, *[{"slots": [{}] * 3}] * 2],
    }


def with_token(position: dict[str, Any], stand: int, slot: int, wire: str) -> dict[str, Any]:
    stands = [{"slots": [dict(s) for s in one["slots"]]} for one in position["stands"]]
    stands[stand]["slots"][slot] = {"state": "info", "wire": wire}
    return {**position, "stands": stands}


def won(position: dict[str, Any], world: World) -> bool:
    """The others lay the token that is best by the joint metric; then the captain begins."""
    for stand in (1, 2):
        own = [wire_name(world[stand, j]) for j in range(3)]
        stands = [{"slots": [dict(s) for s in one["slots"]]} for one in position["stands"]]
        stands[stand] = {"slots": [{"wire": wire} for wire in own]}
        seen = {**position, "viewer": stand, "stands": stands}
        rows = ask("indicate", seen, stand=stand, model="joint")["options"]
        if rows:
            position = with_token(position, stand, rows[0]["slot"], own[rows[0]["slot"]])
    play = MissionPlay(position, world, (1, 1))
    return play.result(0, play.choose(0))  # type: ignore[arg-type]  # there is a cut


@pytest.mark.parametrize("seed", [1, 2])
def test_a_first_tokens_chance_to_win_is_that_of_every_deal_played_by_brute_force(
    seed: int,
) -> None:
    position = small(seed)
    worlds = Table(position, 0).weighted()
    found = ask("indicate", position, criterion="win")["options"]
    assert found
    chances = [row["win"]["chance"] for row in found]
    assert chances == sorted(chances, reverse=True)
    for row in found:
        table = with_token(position, 0, row["slot"], row["wire"])
        exact = sum(float(p) for world, p in worlds if won(table, world))
        assert row["win"]["chance"] == pytest.approx(exact, abs=1e-12)
        assert (row["win"]["error"], row["win"]["games"]) == (0, len(worlds))


@pytest.mark.parametrize(
    ("mission", "players", "seed"),
    [(4, 4, 1), (4, 5, 3), (8, 3, 2), (15, 4, 1), (5, 2, 6), (44, 4, 1)],
)
def test_tokens_laid_in_the_kernel_are_those_of_the_joint_metric(
    mission: int, players: int, seed: int
) -> None:
    """Known and uncertain wires, one and two stands a player: every game ends the same way."""
    table = empty_table(mission, players, seed)
    hands = deal_hands(table, random.Random(seed))
    table = with_wires(table, hands, 0)
    blue = [j for j, wire in enumerate(hands[0]) if wire.isdigit()][::4]
    after = [place_token(table, 0, j, hands[0]) for j in blue]
    games = TokenGames(table, 0, after, [(0, j) for j in blue])
    laying = games._laying()
    assert laying
    deals = rollout.draw_deals(games.words, seed, 3)
    fast, work = rollout.play_tokens(games.words, deals, [(0, j) for j in blue], laying)
    size = rollout.DEAL
    slow = [
        [
            games._result(one, wires, deals[k * size : (k + 1) * size], "")[0]
            for k, wires in enumerate(rollout.hands_of(table, deals))
        ]
        for one in after
    ]
    assert (fast, work > 0) == (slow, True)


def test_a_first_order_of_tokens_comes_early_and_the_close_ones_get_more_games() -> None:
    options = IndicateOptions(criterion="win")
    bests, last = steps_of(indicate(msgspec.convert(dealt(4), Position), options))
    assert {row.win.games for row in bests[0].options} == {16}
    games = [row.win.games for row in last.options]
    assert max(games) == games[0] > min(games)


def dealt(mission: int, **more: Any) -> dict[str, Any]:
    """A practice deal before the captain has laid a token."""
    position: dict[str, Any] = ask("deal", {}, mission=mission, players=4, seed=1)["position"]
    for i, stand in enumerate(position["stands"]):
        if stand.get("owner", i) == 0:
            stand["facts"] = []
            for slot in stand["slots"]:
                slot.pop("tokens", None)
    return {**position, "sealed": None, **more}


@pytest.mark.parametrize(
    ("mission", "card", "kind"), [(17, 0, "not"), (22, None, "lacks"), (52, None, "not")]
)
def test_tokens_that_lie_or_show_absent_values_are_ranked_by_the_chance_to_win(
    mission: int, card: int | None, kind: str
) -> None:
    position = dealt(mission, captain_card=card)
    plain = ask("indicate", position)
    assert (plain["options"], bool(plain["note"])) == ([], True)
    rows = ask("indicate", position, criterion="win", seconds=0)["options"]
    held = {
        slot["wire"]
        for i, stand in enumerate(position["stands"])
        for slot in stand["slots"]
        if stand.get("owner", i) == 0
    }
    barred = {17: "R", 52: "Y"}.get(mission, "-")  # no such token lies on this colour
    assert rows[0]["win"]["games"] == 1
    for row in rows:
        said, value = row["says"].split(":")
        assert said == kind
        if kind == "lacks":
            assert (row["slot"], row["wire"]) == (None, "")
            assert value not in held
        else:
            assert row["wire"][0] != barred
            assert value not in (row["wire"], "YELLOW")
        assert row["gain"] > -1e-9


def test_first_tokens_are_not_compared_by_games_once_a_wire_is_cut_or_where_games_are_slow() -> (
    None
):
    slow = ask(
        "indicate", ask("deal", {}, mission=35, players=5, seed=1)["position"], criterion="win"
    )
    assert "takes too long" in slow["note"]
    assert all(row["win"] is None for row in slow["options"])
    position = small(1)
    position["stands"][1] = {"slots": [{"state": "cut", "wire": "1"}, {}, {}]}
    found = ask("indicate", position, criterion="win")
    assert "before the first cut" in found["note"]
    assert all(row["win"] is None for row in found["options"])
