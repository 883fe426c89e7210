"""First tokens, read as choices and by the chance to win, against every deal of small tables."""

import random
from collections import Counter
from fractions import Fraction
from typing import Any

import msgspec
import pytest

from asking import ask_rack as ask
from asking import steps_of
from cluewise.desks.rack.engine import rollout
from cluewise.desks.rack.engine.counting import encode_groups, gains
from cluewise.desks.rack.engine.encoding import pack_one
from cluewise.desks.rack.game.deal import deal_hands, empty_table
from cluewise.desks.rack.game.table_edits import place_token
from cluewise.desks.rack.position import Position, in_play
from cluewise.desks.rack.results import IndicateOptions
from cluewise.desks.rack.stand import Slot, Stand, wire_name
from cluewise.desks.rack.verbs.indicate import indicate
from cluewise.desks.rack.verbs.indicate_win import TokenGames
from cluewise.desks.rack.verbs.mission import with_wires
from reference.rack import (
    Rule,
    Table,
    World,
    called,
    check_chances,
    code_of,
    entropy,
    rules_of,
    share,
)
from reference.rack_missions import MissionPlay

TABLES = 640


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
def test_win_chances_of_first_tokens_agree_with_brute_force_over_all_deals(
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
def test_kernel_places_the_first_tokens_of_the_joint_metric(
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
    deals = rollout.draw_deals(games.game, seed, 3)
    fast, work = rollout.play_tokens(games.game, deals, [(0, j) for j in blue], laying)
    size = rollout.DEAL
    slow = [
        [
            games._play_deal(one, wires, deals[k * size : (k + 1) * size], "")[0]
            for k, wires in enumerate(rollout.hands_of(table, deals))
        ]
        for one in after
    ]
    assert (fast, work > 0) == (slow, True)


def test_tokens_are_ranked_early_and_close_ones_get_more_games() -> None:
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
def test_false_and_absent_tokens_are_ranked_by_the_chance_to_win(
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


def test_first_tokens_are_not_simulated_after_a_cut_or_if_games_are_slow() -> None:
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


def table(dice: random.Random) -> dict[str, Any]:
    """A small deal in which all but a few show the best wire, and some wires are cut by now."""
    kind = dice.choice(["standard", "standard", "parity"])
    low = dice.randint(1, 3)
    high = low + dice.randint(1, 2)
    red = dice.sample(["R1", "R2", "R3", "R4"], dice.randint(0, 2))
    yellow = dice.sample(["Y1", "Y2", "Y3"], dice.randint(0, 2)) if kind == "standard" else []
    groups: list[dict[str, Any]] = []
    bag = [str(n) for n in range(low, high + 1) for _ in range(4)] + yellow + red
    if len(red) == 2 and dice.random() < 0.5:
        groups, red = [{"of": red, "drawn": 1}], []
        bag.remove(dice.choice(groups[0]["of"]))
    dice.shuffle(bag)
    count = dice.randint(2, 4)
    hands = [sorted(bag[i::count], key=code_of) for i in range(count)]
    position: dict[str, Any] = {
        "desk": "rack", "viewer": dice.choice([0, 0, 0, None]), "token": kind, "agreed": [],
        "wires": {"blue": [low, high], "yellow": yellow, "red": red, "groups": groups},
        "stands": [{"slots": [{} for _ in hand]} for hand in hands],
    }  # fmt: skip
    lay_tokens(dice, position, hands)
    cut_some(dice, position, hands)
    return position


def lay_tokens(dice: random.Random, position: dict[str, Any], hands: list[list[str]]) -> None:
    for i, hand in enumerate(hands):
        trial = {"stand": i, "slot": 0, "shows": "1"}  # what it shows comes after the rule
        rule: Rule = rules_of({**position, "agreed": [*position["agreed"], trial]})[i]
        best = rule.best(tuple(code_of(wire) for wire in hand))
        if not best:
            continue
        if dice.random() < 0.15:
            best = tuple(j for j, wire in enumerate(hand) if wire.isdigit())
        j = dice.choice(best)
        shows = rule.doc(code_of(hand[j]))
        position["agreed"].append({**trial, "slot": j, "shows": shows})
        slot = position["stands"][i]["slots"][j]
        if position["token"] == "standard":
            slot.update(state="info", wire=hand[j])
        else:
            slot["tokens"] = [shows]


def cut_some(dice: random.Random, position: dict[str, Any], hands: list[list[str]]) -> None:
    """Wires of the others are cut until brute force is quick; the viewer sees her own."""
    hidden = []
    for i, stand in enumerate(position["stands"]):
        for j, slot in enumerate(stand["slots"]):
            if i == position["viewer"]:
                slot["wire"] = hands[i][j]
            elif slot.get("state") != "info":
                hidden.append((i, j))
    dice.shuffle(hidden)
    for i, j in hidden[dice.randint(4, 9) :]:
        slot = position["stands"][i]["slots"][j]
        slot.clear()
        slot.update(state="cut", wire=hands[i][j])


def expected(
    position: dict[str, Any],
) -> tuple[list[tuple[dict[tuple[int, int], int], Fraction]], bool]:
    """All deals with their chances, as the rule has them; and whether it could be kept to."""
    worlds = Table(position, position["viewer"]).weighted()
    rules = rules_of(position)
    read = [t["stand"] for t in position["agreed"] if t["stand"] != position["viewer"]]
    shares = {s: [share(position, rules, s, world) for world, _ in worlds] for s in read}
    alone = [s for s in read if any(shares[s])]
    weights = [p for _, p in worlds]
    for stand in alone:
        weights = [w * one for w, one in zip(weights, shares[stand], strict=True)]
    if not sum(weights):
        alone, weights = [], [p for _, p in worlds]
    total = sum(weights)
    pairs = zip(worlds, weights, strict=True)
    return [(world, w / total) for (world, _), w in pairs if w], alone == read


@pytest.mark.sampled(of="rack, brute force")
def test_posterior_given_the_token_convention_agrees_with_brute_force() -> None:
    """Every deal weighed by whether each hand would have shown what it showed."""
    seen: Counter[str] = Counter()
    for seed in range(TABLES):
        position = table(random.Random(seed))
        found = ask("posterior", position)
        if "too many wires" in found["assumed"]:
            seen["ties"] += 1
            continue
        worlds, kept = expected(position)
        assert ("only for its value" in found["assumed"]) == (not kept), seed
        assert found["arrangements"] == str(len(worlds)), seed
        check_chances(found["stands"], worlds)
        bits = entropy(dict(enumerate(p for _, p in worlds)))
        assert found["bits"] == pytest.approx(bits, abs=1e-7), seed
        plain = ask("posterior", {**position, "agreed": []})
        seen["restricted"] += plain["arrangements"] != found["arrangements"]
        seen["shared"] += len({p / Table(position, None).weight(w, False) for w, p in worlds}) > 1
        seen["all"] += 1
        seen["broken"] += not kept
    print(f"\n{dict(seen)}")
    assert seen["all"] >= 560
    assert seen["restricted"] >= 200
    assert seen["shared"] >= 10
    assert seen["broken"] >= 20


@pytest.mark.sampled(of="rack, brute force")
def test_token_gains_of_the_kernel_equal_those_of_indicate() -> None:
    compared = 0
    for seed in range(100):
        given = table(random.Random(seed))
        position = {**given, "viewer": 0, "agreed": []}
        if any("wire" not in slot for slot in position["stands"][0]["slots"]):
            continue
        held = [slot["wire"] for slot in position["stands"][0]["slots"]]
        blank: list[dict[str, Any]] = [
            {"slots": [{} for _ in stand["slots"]]} for stand in position["stands"]
        ]
        blank[0] = {"slots": [{"wire": wire} for wire in held]}
        position["stands"] = blank
        typed = msgspec.convert(position, Position)
        left = in_play(typed.wires)
        plan = pack_one(Stand(slots=(Slot(),) * len(held)), 0, left)
        rows = gains(plan, encode_groups(typed, plan, left), typed.token)
        found = ask("indicate", position, stand=0)["options"]
        assert {o["slot"] for o in found} == {j for j, w in enumerate(held) if w.isdigit()}
        for option in found:
            gain = rows[option["slot"]][code_of(option["wire"])]
            assert gain == pytest.approx(option["gain"], abs=1e-10)
            compared += 1
    assert compared >= 200


@pytest.mark.sampled(of="rack, brute force")
def test_cuts_use_the_token_convention_and_state_it() -> None:
    compared = 0
    for seed in range(60):
        position = {**table(random.Random(seed)), "viewer": 0}
        if any("wire" not in slot for slot in position["stands"][0]["slots"]):
            continue
        found = ask("cuts", position, actions=["dual"])
        if "too many wires" in found["note"]:
            continue
        worlds, _ = expected(position)
        assert not position["agreed"] or found["note"]
        for cut in found["options"]:
            at = cut["stand"], cut["slots"][0]
            success = sum((p for w, p in worlds if called(w[at]) == cut["value"]), Fraction(0))
            assert cut["success"] == pytest.approx(float(success), abs=1e-9)
            assert cut["certain"] == (success == 1)
            compared += 1
    assert compared >= 100
