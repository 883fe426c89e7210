"""The chance to win: games in the kernel against the same games played by brute force."""

from __future__ import annotations

import random
from array import array
from collections import Counter
from math import sqrt
from typing import Any

import msgspec
import pytest

from asking import ask_rack as ask
from asking import steps_of
from cluewise.desks.rack.engine import rollout
from cluewise.desks.rack.position import Position, in_play
from cluewise.desks.rack.results import CutsOptions
from cluewise.desks.rack.stand import value_number
from cluewise.desks.rack.verbs.cuts import cuts
from reference.rack import Table, World, called, code_of
from reference.rack_missions import MissionPlay
from reference.rack_rules import Deed


def tiny(seed: int) -> dict[str, Any]:
    """Blue 1-2 or 1-3, perhaps yellow and red wires, two to four stands, some moves in."""
    dice = random.Random(seed)
    high = dice.randint(2, 3)
    special = dice.sample(["Y1", "Y2"], dice.choice([0, 2])) + dice.sample(["R1", "R2"], 1)
    wires = [str(n) for n in range(1, high + 1) for _ in range(4)] + special
    dice.shuffle(wires)
    count = dice.choice([2, 3, 4])
    hands = [sorted(wires[i::count], key=code_of) for i in range(count)]
    pairs = dice.sample(range(1, high + 1), high - 1) if high == 3 else []
    stands: list[dict[str, Any]] = []
    for i, hand in enumerate(hands):
        slots: list[dict[str, Any]] = []
        for wire in hand:
            gone = wire.isdigit() and int(wire) in pairs[:1]
            state = "cut" if gone else "info" if dice.random() < 0.25 and wire[0] != "R" else ""
            slot: dict[str, Any] = {"state": state or "hidden", "tokens": []}
            if state == "info" and wire[0] == "Y":
                slot["value"] = "YELLOW"
            elif state or i == 0:
                slot["wire"] = wire
            if not state and wire[0] != "R" and dice.random() < 0.1:
                slot["tokens"] = ["not:RED"]
            slots.append(slot)
        stands.append({"owner": i, "slots": slots, "facts": []})
    if count == 4 and dice.random() < 0.5:  # two players, two stands each
        for i, stand in enumerate(stands):
            stand["owner"] = i // 2
            if i == 1:
                for slot, wire in zip(stand["slots"], hands[1], strict=True):
                    slot["wire"] = wire
                    slot.pop("value", None)
    return {
        "wires": {
            "blue": [1, high],
            "yellow": sorted(w for w in special if w[0] == "Y"),
            "red": [w for w in special if w[0] == "R"],
        },
        "stands": stands,
        "viewer": 0,
        "detonator": dice.randint(1, 3),
        "token": dice.choice(["standard", "parity"]) if not special[1:] else "standard",
    }


def worlds_of(position: dict[str, Any]) -> list[tuple[World, Any]]:
    worlds = Table(position, 0).weighted()
    return worlds if len(worlds) < 400 else []


def codes_of(position: Position) -> list[int]:
    return sorted(code for code, n in in_play(position.wires).items() if n)


def deal_bytes(codes: list[int], world: World, seed: int = 0) -> array[int]:
    """A world as the kernel's deal: 5 stands of 14 layers, the seed of cards that are drawn."""
    wires = rollout.STANDS * rollout.SLOTS
    deal = array("B", bytes(wires) + seed.to_bytes(rollout.DEAL - wires, "little"))
    for (i, j), code in world.items():
        deal[i * rollout.SLOTS + j] = codes.index(code)
    return deal


def deed_of(cut: dict[str, Any]) -> Deed:
    """A listed cut as the rules engine has it."""
    places = [(cut["stand"], j) for j in cut["slots"]] + [tuple(at) for at in cut["also"]]
    return "dual" if cut["action"] == "miss" else cut["action"], tuple(places), cut["value"]


def choice_of(cut: dict[str, Any]) -> rollout.Choice:
    """A listed cut as the kernel has it."""
    action, places, value = deed_of(cut)
    return rollout.encode_choice(rollout.CHOICE_KINDS[action], places, value_number(value) or 0)


def check_listed(position: dict[str, Any], most: int) -> int:
    """All deals listed from the table that deals are drawn from: as enumerated; how many."""
    exact = {tuple(sorted(w.items())): float(p) for w, p in Table(position, 0).weighted()}
    given = msgspec.convert(position, Position)
    codes, words = codes_of(given), rollout.encode_game(given)
    listed = rollout.enumerate_deals(words, most)
    assert listed is not None
    deals, chances = listed
    places = [at for at, _ in next(iter(exact))]
    found = {}
    for g, chance in enumerate(chances):
        base = g * rollout.DEAL
        world = ((at, codes[deals[base + at[0] * rollout.SLOTS + at[1]]]) for at in places)
        found[tuple(world)] = chance
    assert found == pytest.approx(exact, abs=1e-12)
    assert len(found) == len(chances)
    return len(chances)


@pytest.mark.parametrize("seed", range(60))
def test_kernel_rollouts_agree_with_brute_force(seed: int) -> None:
    position = tiny(seed)
    worlds = worlds_of(position)
    given = msgspec.convert(position, Position)
    if not worlds or rollout.refusal(given):
        return
    codes = codes_of(given)
    dice = random.Random(seed)
    caution = dice.choice([(10, 0), (0, 0), (5, 15)])
    words = rollout.encode_game(given, caution)
    cuts = ask("cuts", position, actions=["dual", "solo", "reveal"])["options"]
    for world, _ in worlds[:6]:
        deed = MissionPlay(position, world, (caution[0] / 10, caution[1] / 10)).choose(0)
        (made,) = rollout.policy_moves(words, deal_bytes(codes, world))
        assert deed is not None
        assert (made[0], made[3]) == (rollout.CHOICE_KINDS[deed[0]], value_number(deed[2]) or 0)
        assert deed[0] != "dual" or made[1:3] == deed[1][0]
    for cut in dice.sample(cuts, min(3, len(cuts))):
        for world, _ in dice.sample(worlds, min(4, len(worlds))):
            play = MissionPlay(position, world, (caution[0] / 10, caution[1] / 10))
            found = rollout.play_choices(words, deal_bytes(codes, world), [choice_of(cut)])[0][0]
            assert found == [int(play.result(0, deed_of(cut)))]


@pytest.mark.sampled(of="rack, brute force")
@pytest.mark.parametrize("mission", [4, 9, 14, 17, 21])
def test_outcome_table_shares_positions_without_changing_outcomes(mission: int) -> None:
    numbers = [str(n) for n in random.Random(mission).sample(range(1, 13), 12)]
    differ = 0
    for seed in range(2):
        deal = ask("deal", {}, mission=mission, players=4, seed=seed, seat=0)["position"]
        position = {**deal, "captain_card": 1, "numbers": numbers[:3] if mission == 9 else []}
        words = rollout.encode_game(msgspec.convert(position, Position))
        cuts = ask("cuts", position, actions=["dual", "solo"])["options"][::4]
        choices = [choice_of(cut) for cut in cuts]
        deals = rollout.draw_deals(words, seed, 6)
        found = rollout.play_choices(words, deals, choices)[0]
        assert found == [rollout.play_choices(words, deals, [choice])[0][0] for choice in choices]
        differ += len({tuple(won) for won in found})
    assert differ > 2


@pytest.mark.sampled(of="rack, brute force")
def test_deals_are_sampled_with_their_exact_chances() -> None:
    """Facts about blue and yellow, tokens, shown wires: 4 000 draws within five deviations."""
    checked = 0
    for seed in range(40):
        position = tiny(seed)
        said_of(position, seed)
        worlds = worlds_of(position)
        given = msgspec.convert(position, Position)
        if len(worlds) < 2 or rollout.refusal(given):
            continue
        codes = codes_of(given)
        deals = rollout.draw_deals(rollout.encode_game(given), seed + 1, 4000)
        drawn: Counter[Any] = Counter()
        keys = sorted(at for at in worlds[0][0] if at in Table(position, 0).open)
        for g in range(4000):
            base = g * rollout.DEAL
            drawn[tuple(codes[deals[base + i * rollout.SLOTS + j]] for i, j in keys)] += 1
        exact = {tuple(w[at] for at in keys): float(p) for w, p in worlds}
        assert drawn.keys() <= exact.keys()
        for key, p in exact.items():
            assert abs(drawn[key] / 4000 - p) <= 5 * sqrt(p * (1 - p) / 4000) + 1e-3
        checked += 1
    assert checked > 15


def said_of(position: dict[str, Any], seed: int) -> None:
    """Perhaps a fact about every other stand, true or not."""
    dice = random.Random(seed)
    for stand in position["stands"][1:]:
        if stand["owner"] and dice.random() < 0.5:
            values = ["1", "2", *(["YELLOW"] if position["wires"]["yellow"] else [])]
            fact = {"kind": dice.choice(["has", "lacks"]), "value": dice.choice(values)}
            stand["facts"] = [fact]


@pytest.mark.sampled(of="rack, brute force")
def test_enumeration_yields_every_deal_with_its_chance() -> None:
    """All deals listed from the table that deals are drawn from: as enumerated, to 1e-12."""
    checked = 0
    for seed in range(120):
        position = tiny(seed)
        said_of(position, seed)
        given = msgspec.convert(position, Position)
        if not worlds_of(position) or rollout.refusal(given):
            continue
        many = check_listed(position, 400)
        assert many == 1 or rollout.enumerate_deals(rollout.encode_game(given), many - 1) is None
        checked += 1
    assert checked > 50


@pytest.mark.sampled(of="rack, brute force")
def test_win_chances_agree_with_rollouts_of_all_deals() -> None:
    """Where few deals fit every one is played: the chance is their exact mean, to 1e-12."""
    checked = missed = 0
    for seed in range(110):
        position = tiny(seed)
        worlds = worlds_of(position)
        given = msgspec.convert(position, Position)
        if not 1 < len(worlds) < 40 or rollout.refusal(given):
            continue
        rows = ask("cuts", position, rank="win")["options"]
        misses = [cut for cut in rows if cut["action"] == "miss"]
        where = {(cut["stand"], cut["slots"][0], cut["value"]) for cut in misses}
        assert where == misses_by_hand(position, worlds), seed
        missed += len(misses)
        for cut in (
            [*(cut for cut in rows[:2] if cut["win"]), *misses] if seed < 40 or misses else []
        ):
            exact = sum(
                float(p)
                for world, p in worlds
                if MissionPlay(position, world, (1, 1)).result(0, deed_of(cut))
            )
            assert cut["win"]["chance"] == pytest.approx(exact, abs=1e-12)
            assert cut["win"]["error"] == 0
            assert cut["win"]["games"] == len(worlds)
            checked += 1
    assert checked > 10
    assert missed > 2


def misses_by_hand(
    position: dict[str, Any], worlds: list[tuple[World, Any]]
) -> set[tuple[int, int, str]]:
    """Deliberate misses: where no plain cut is free of red, values that are in no deal there."""
    game = MissionPlay(position, worlds[0][0], (1, 0)).game
    mine = game.places(0)
    values = {game.value(at) for at in mine} - {"RED"}
    others = [at for at in game.places() if at not in mine]
    may = {at: {called(world[at]) for world, _ in worlds} for at in others}
    alone = {v for v in values if not any(v in may[at] for at in others)}
    solo = any(v == "YELLOW" or sum(game.value(at) == v for at in mine) in (2, 4) for v in alone)
    free = any("RED" not in may[at] and may[at] & values for at in others)
    if position["detonator"] < 2 or not values or solo or free:
        return set()
    found = {(*at, v) for at in others if "RED" not in may[at] for v in values - may[at]}
    shown = sorted(row for row in found if game.state_of(row[:2]) == "info")
    again = {row for row in shown if any(row[2] == one[2] and one < row for one in shown)}
    return found - again


@pytest.mark.sampled(of="rack, brute force")
def test_ranking_by_win_simulates_every_plain_cut() -> None:
    table = ask("deal", {}, mission=1, players=4, seed=3, seat=1)["position"]
    plain = ask("cuts", table, actions=["dual", "solo"])
    ranked = ask("cuts", table, actions=["dual", "solo"], rank="win")
    assert ranked == ask("cuts", table, actions=["dual", "solo"], rank="win")
    wins = [o["win"] for o in ranked["options"]]
    assert 32 <= wins[0]["games"] <= 2048
    assert all(wins)  # every plain cut
    chances = [w["chance"] for w in wins]
    assert chances == sorted(chances, reverse=True)
    bare = {(o["stand"], *o["slots"], o["value"]) for o in plain["options"]}
    assert {(o["stand"], *o["slots"], o["value"]) for o in ranked["options"]} == bare


@pytest.mark.sampled(of="rack, brute force")
def test_first_ranking_by_win_precedes_the_detectors() -> None:
    table = ask("deal", {}, mission=4, players=4, seed=3, seat=0)["position"]
    table |= {"mission": None}  # whose equipment would have to be unlocked first
    bests, whole = steps_of(cuts(msgspec.convert(table, Position), CutsOptions(rank="win")))
    first = bests[0]
    assert {cut.action for cut in first.options} <= {"dual", "solo", "reveal"}
    assert first.options[0].win.games == 16
    assert {"double", "either"} <= {cut.action for cut in whole.options}
    assert whole.options[0].win.games > 16
    assert all(len(best.options) == len(whole.options) for best in bests[1:])
