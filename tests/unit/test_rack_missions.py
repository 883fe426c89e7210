"""The 66 missions: laid out and dealt as their cards say, their rules kept by advice and turns."""

import os
from itertools import combinations, product
from math import log2
from typing import Any

import pytest
from msgspec import convert

from asking import ask_rack as ask
from cluewise import desks, service
from cluewise.core.seal import unseal
from cluewise.desks.rack.game.deal import describe
from cluewise.desks.rack.game.missions import first_tokens, missions
from cluewise.desks.rack.game.rules import CARDS
from cluewise.desks.rack.position import Position
from cluewise.errors import BadOption
from reference.rack import Table, called, code_of
from reference.rack_cards import ROWS, Row
from reference.rack_positions import mission_table
from reference.rack_positions import mission_table as table
from selection import sample

DEALS = int(os.environ.get("CLUEWISE_DEALS", "4"))  # a mission and number of players


def test_colour_in_a_pile_is_not_on_the_stands() -> None:
    table = convert(ask("mission", {}, mission=54, players=4), Position)
    assert describe(table) == "Blue 1–12; no red on the stands. 48 wires on 4 stands."


def hands_of(table: dict[str, Any]) -> list[list[str]]:
    return [hand.split(",") for hand in unseal(table["sealed"], "rack").split(";")]


def fits(table: dict[str, Any], hands: list[list[str]]) -> None:
    """Whether the true deal is one of those that everything recorded allows."""
    stands = []
    for stand, hand in zip(table["stands"], hands, strict=True):
        slots = [
            {**slot, "state": "info", "wire": wire, "value": None}
            if slot.get("state", "hidden") == "hidden"
            else {**slot, "wire": wire, "value": None}
            for slot, wire in zip(stand["slots"], hand, strict=True)
        ]
        facts = [f for f in stand.get("facts", []) if f["kind"] != "has"]
        hidden = {
            called(code_of(wire))
            for wire, slot in zip(hand, stand["slots"], strict=True)
            if slot.get("state", "hidden") == "hidden"
        }
        for fact in stand.get("facts", []):
            if fact["kind"] == "has":
                assert fact["value"] in hidden
            if fact["kind"] == "lacks":
                assert fact["value"] not in hidden
        facts = [f for f in facts if f["kind"] == "one"]
        stands.append({**stand, "slots": slots, "facts": facts})
    ask("posterior", {**table, "sealed": None, "viewer": None, "stands": stands})


@pytest.mark.sampled
@pytest.mark.parametrize("row", ROWS, ids=lambda r: f"{r.number}-{r.players}")
def test_practice_deals_never_exclude_the_true_deal(row: Row) -> None:
    number, players = row.number, row.players
    for seed in sample(range(DEALS)):
        table = ask("deal", {}, mission=number, players=players, seed=seed, seat=seed % players)
        fits(table["position"], hands_of(table["position"]))
        ask("posterior", table["position"])  # and as the viewer sees it


def test_deadly_number_counts_as_red_in_every_result() -> None:
    """Mission 11, the 2 is deadly: never named, its chance is the chance of the bomb."""
    table = mission_table(11, "1 2 2 3", numbers=["2"])
    found = ask("cuts", table, every_triple=True)
    chances = ask("posterior", table)["stands"]
    assert not [o for o in found["options"] if "2" in o["value"].split("/")]
    for option in found["options"]:
        if option["action"] in ("dual", "either"):
            two = chances[option["stand"]]["slots"][option["slots"][0]].get("2", 0)
            assert option["red"] == pytest.approx(two, abs=1e-12)
    assert any(o["red"] > 0 for o in found["options"])
    hit = ask("outcome", table, stand=1, slots=[0], value="1", success=False, shown="2")
    assert hit["exploded"]


def test_player_whose_failed_cut_explodes_has_that_risk() -> None:
    table = mission_table(28, "1 2 2 3")
    found = ask("cuts", table)["options"]
    assert found
    assert all(o["red"] == pytest.approx(1 - o["success"], abs=1e-9) for o in found)
    assert not [o for o in found if o["action"] not in ("dual", "solo")]  # the captain has no gear
    ended = ask("outcome", table, stand=1, slots=[0], value="3", success=False, shown="1")
    assert ended["exploded"]
    other = ask("outcome", table, actor=1, stand=2, slots=[0], value="3", success=False, shown="1")
    assert not other["exploded"]


def test_failed_cut_without_a_token_only_excludes_the_value() -> None:
    """Mission 58: the bits are those of yes or no; that the game goes on says: not red."""
    table = mission_table(58, "1 2 2 3")
    for option in ask("cuts", table, actions=["dual"])["options"]:
        p = option["success"]
        bits = -sum(q * log2(q) for q in (p, 1 - p) if q)
        assert option["gain"] == pytest.approx(bits, abs=1e-9)
    after = ask("outcome", table, stand=1, slots=[0], value="3", success=False)["position"]
    assert list(after["stands"][1]["slots"][0]["tokens"]) == ["not:3", "not:RED"]


def test_three_red_wires_are_cut_together_and_their_chance_is_exact() -> None:
    """Mission 13 on a small table: the joint chance of the three slots, by enumeration."""
    table = mission_table(13, "1 2 2 3", wires={"red": ["R1", "R2", "R3"]})
    worlds = Table(table, 0).weighted()
    found = [o for o in ask("cuts", table)["options"] if o["action"] == "together"]
    assert found
    for option in found:
        places = [(option["stand"], j) for j in option["slots"]] + [
            (i, j) for i, j in option["also"]
        ]
        assert len(places) == 3
        chance = sum(p for w, p in worlds if all(called(w[at]) == "RED" for at in places))
        assert option["success"] == pytest.approx(float(chance), abs=1e-12)
        assert option["red"] == pytest.approx(1 - float(chance), abs=1e-12)
    best = max(
        sum(p for w, p in worlds if all(called(w[at]) == "RED" for at in trio))
        for trio in combinations([at for at in worlds[0][0] if at[0]], 3)
    )
    assert found[0]["success"] == pytest.approx(float(best), abs=1e-12)


def test_colour_dealt_apart_is_counted_exactly() -> None:
    wires = {"red": ["R1", "R2"], "yellow": ["Y1", "Y2"]}
    for colour in ("RED", "YELLOW"):
        table = mission_table(4, "1 2 2 3", wires=wires)
        plain = Table(table, 0).weighted()
        table["stands"][1] = {**table["stands"][1], "facts": [{"kind": "one", "value": colour}]}
        kept = [
            (world, p) for world, p in plain
            if sum(called(c) == colour for (i, _), c in world.items() if i == 1) == 1
        ]  # fmt: skip
        total = sum(p for _, p in kept)
        found = ask("posterior", table)
        assert found["arrangements"] == str(len(kept))
        first = found["stands"][1]["slots"][0]
        for wire, chance in first.items():
            share = sum(p for world, p in kept if world[1, 0] == code_of(wire))
            assert chance == pytest.approx(float(share / total), abs=1e-12)


def test_unmodelled_rules_are_stated_with_every_answer() -> None:
    for number in (19, 44, 49, 66):
        table = ask("deal", {}, mission=number, players=4, seed=1)
        assert table["check"]
        for want in ("posterior", "cuts", "indicate"):
            assert ask(want, table["position"])["check"] == table["check"]
    plain = ask("deal", {}, mission=4, players=4, seed=1)
    assert plain["check"] == []
    assert ask("cuts", plain["position"])["check"] == []


def test_listed_equipment_is_what_outcome_accepts() -> None:
    seen = set()
    for mission in (1, 2, 11, 27, 31, 36, 41, 63):
        table = ask("deal", {}, mission=mission, players=4, seed=1)["position"]
        listed = ask("posterior", table)["equipment"]
        for player, action in product(range(4), ("double", "triple", "super", "either")):
            slots, values = ([0, 1, 2], {"value": "1"}) if action != "either" else ([0], {})
            said = ""
            try:
                ask("outcome", table, action=action, stand=(player + 1) % 4, slots=slots,
                    success=False, actor=player, **values)  # fmt: skip
            except BadOption as fault:
                said = str(fault)
            refused = said.startswith(("This equipment is", "This player may not use"))
            assert refused == (action not in listed[player]), (mission, player, action, said)
            seen.add(refused)
    assert seen == {True, False}


def test_fourth_of_a_kind_gets_no_multiplicity_token() -> None:
    """A failed cut in a practice game of mission 24 never excludes the truth."""
    for seed in range(40):
        table = ask("deal", {}, mission=24, players=4, seed=seed)["position"]
        hands = hands_of(table)
        fours = [
            (i, hand.index(w)) for i, hand in enumerate(hands) if i for w in hand
            if hand.count(w) == 4
        ]  # fmt: skip
        for i, j in fours[:1]:
            value = next(w for w in hands[0] if w[0] not in "YR" and w != hands[i][j])
            after = ask("outcome", table, stand=i, slots=[j], value=value)["position"]
            assert list(after["stands"][i]["slots"][j]["tokens"])[-1:] == [f"not:{value}"]
            fits(after, hands)


def test_position_that_no_deal_fits_is_a_contradiction() -> None:
    table = mission_table(4, "1 2 2 3")
    table["stands"][1] = {**table["stands"][1], "facts": [{"kind": "one", "value": "2"}] * 2}
    table["stands"][2] = {**table["stands"][2], "facts": [{"kind": "one", "value": "2"}]}
    assert ask("posterior", table)
    table["stands"][2] = {**table["stands"][2], "facts": [{"kind": "lacks", "value": "2"}]}


def test_first_tokens_by_player_follow_the_card() -> None:
    def lay(mission: int, players: int) -> list[list[str]]:
        position = ask("mission", {}, mission=mission, players=players)
        return first_tokens(service.read_position(desks.load("rack"), position))

    dealt = ask("deal", {}, mission=4, players=5)["position"]
    assert ask("posterior", dealt)["tokens"] == lay(4, 5) == [["own_choice"]] * 5
    for number, one in missions().items():
        if one.tokens.who == "all":
            players = one.players[-1]
            each = [one.tokens.setup] * (2 if one.tokens.setup in ("absent", "false") else 1)
            if one.tokens.setup == "none":
                each = []
            assert lay(number, players) == [each] * players, number
    captains = [n for n, one in missions().items() if one.tokens.two_players == "captain_none"]
    assert captains
    assert all(lay(n, 2)[0] == [] for n in captains)
    table = ask("mission", {}, mission=17, players=4) | {"captain_card": 2}
    lies = [["own_choice"], ["own_choice"], ["false", "false"], ["own_choice"]]
    assert ask("posterior", table)["tokens"] == lies
    bare = {"wires": {"blue": [1, 1]}, "stands": [{"slots": [{}] * 4}]}
    assert ask("posterior", bare)["tokens"] == []


def test_rules_list_names_the_cards_of_a_mission() -> None:
    def rules(mission: int) -> list[str]:
        return list(ask("posterior", ask("mission", {}, mission=mission))["rules"])

    assert rules(4) == []
    assert rules(9) == ["number_cards", "order"]
    assert {"captain_card", "false_token"} <= set(rules(17))
    assert rules(23) == ["gear_lock", "number_cards", "together"]
    assert "number_cards" not in rules(13)  # three red ones, whatever card lies there
    assert {"flipped", "owner_cut"} <= set(rules(56))


def cut_of(stand: int, slot: int, value: str, actor: int) -> dict[str, Any]:
    return {"actor": actor, "stand": stand, "slots": [slot], "value": value, "success": True}


def test_own_number_cards_bind_no_other_player() -> None:
    mine = table(65, "1 2 2 3", numbers=["1"])
    assert {o["value"] for o in ask("cuts", mine, actions=["dual"])["options"]} == {"1"}
    ask("outcome", mine, **cut_of(2, 1, "2", actor=1), own=[1, 1])


def test_end_of_a_fully_cut_stand_forbids_nothing() -> None:
    for letter in "IJ":
        position = table(32, "1 1 2 3", constraint=letter)
        ann = [{"state": "cut", "wire": w} for w in ("2", "2", "3", "3")]
        position["stands"][1]["slots"] = ann
        assert ask("cuts", position)["options"]


def test_yellow_wires_are_found_one_by_one_without_holding_one() -> None:
    """Mission 41: its exact chance, no wire along with it, a step back; nothing else names it."""
    position = table(41, "1 2 2 Y2", wires={"yellow": ["Y1", "Y2"]}, detonator=1)
    worlds = Table(position, 0).weighted()
    found = [o for o in ask("cuts", position)["options"] if "YELLOW" in o["value"]]
    assert {o["action"] for o in found} == {"dual"}
    assert {o["stand"] for o in found} == {1, 2}
    for one in found:
        at = (one["stand"], one["slots"][0])
        chance = float(sum(p for world, p in worlds if called(world[at]) == "YELLOW"))
        assert one["success"] == pytest.approx(chance, abs=1e-12)
    held = table(41, "1 2 2 3", wires={"yellow": ["Y1", "Y2"]}, detonator=1)
    assert [o for o in ask("cuts", held)["options"] if o["value"] == "YELLOW"]
    done = ask("outcome", held, **cut_of(1, 1, "YELLOW", actor=0))
    stands = done["position"]["stands"]
    assert [s.get("state") for s in stands[0]["slots"]] == [None] * 4
    assert stands[1]["slots"][1] == {"state": "cut", "value": "YELLOW"}
    assert done["position"]["detonator"] == 2
    missed = cut_of(1, 1, "YELLOW", actor=0) | {"success": False, "shown": "2"}
    failed = ask("outcome", {**held, "detonator": 2}, **missed)
    assert (failed["exploded"], failed["position"]["detonator"]) == (False, 1)
    assert failed["position"]["stands"][0].get("facts", []) == []  # naming it is not holding it


def test_games_are_simulated_if_order_determines_each_cut_yellow_wire() -> None:
    """Where it leaves two they are not, and past choices are not read: that is said once."""
    seen = table(4, "2 2 3 3", wires={"yellow": ["Y1", "Y2"]}, choices=[])
    for stand in (1, 2):
        seen["stands"][stand]["slots"][2] = {"state": "cut", "value": "YELLOW"}
    played = {"slots": [3], "value": "YELLOW", "success": True, "actor": 1, "own": [1, 3]}
    fault = refused("outcome", seen, stand=2, own_shown="3", **played)
    assert fault
    assert fault.where == "$.options.own_shown"
    open_ = ask("cuts", seen, rank="win")
    assert open_["note"].count("a cut wire's number is unknown") == 1
    assert not any(cut.get("win") for cut in open_["options"])
    seen["stands"][1]["slots"][3] = {"state": "info", "wire": "2"}
    found = ask("cuts", seen, rank="win", seconds=0.1)
    assert found["options"][0]["win"]
    assert "unknown" not in found["note"]


def test_equipment_is_offered_once_its_wires_are_cut() -> None:
    position = table(4, "1 2 2 3", wires={"blue": [1, 3]})

    def devices(seen: dict[str, Any]) -> set[str]:
        return {o["action"] for o in ask("cuts", seen)["options"]} - {"dual", "solo"}

    assert devices(position) == {"double"}
    for slot in position["stands"][1]["slots"][2:]:
        slot |= {"state": "cut", "wire": "3"}
    assert devices(position) == {"double", "triple"}
    assert devices({**table(38, "1 2 2 3"), "viewer": 0}) == {"double"}
    ann = table(38, "1 2 2 3") | {"viewer": 1}
    ann["stands"] = [ann["stands"][1], ann["stands"][0], ann["stands"][2]]
    assert devices(ann) == {"double", "triple", "either"}
    assert ask("posterior", position)["equipment"] == [["double", "triple"]] * 3


def refused(want: str, position: dict[str, Any], **options: Any) -> BadOption | None:
    """Why something may not be noted; None where it may."""
    try:
        ask(want, position, **options)
    except BadOption as fault:
        return fault
    return None


@pytest.mark.parametrize("cut", [False, True])
def test_usable_cards_and_nameable_values_agree_with_use_and_outcome(*, cut: bool) -> None:
    seen = set()
    for mission in range(1, 67):
        mine = table(mission, "1 2 2 3", numbers=["1", "3"], captain_card=0)
        for slot in mine["stands"][1]["slots"][:2] if cut else ():
            slot |= {"state": "cut", "wire": "2"}
        found = ask("posterior", mine)
        for card in CARDS:
            says = [one.get(card, "not in this mission") for one in found["cards"]]
            seen |= set(says)
            fault = refused("use", mine, card=card)
            locked = fault is not None and fault.where == "$.options.card"
            assert locked == all(says), (mission, card)
        for value in "123":
            why = found["barred"][0].get(value, "")
            seen.add(why)
            fault = refused("outcome", mine, stand=2, slots=[0], value=value, success=True)
            assert not why or (fault is not None and fault.message == why), (mission, value)
            assert why or fault is None, (mission, value)
    assert len(seen) > (9 if cut else 8)


@pytest.mark.parametrize(
    ("shown", "allowed"), [({"value": "YELLOW"}, False), ({"wire": "7"}, True)]
)
def test_teammate_who_shows_another_value_cuts_the_last_value_too_early(
    shown: dict[str, Any], *, allowed: bool
) -> None:
    """Mission 46: the 7s go last, except for a player who has nothing else."""
    early = table(46, "6 7 7 8", wires={"blue": [6, 8], "yellow": ["Y5"]})
    early["stands"][1]["slots"] = [{"state": "info", **shown}, {}]
    places = {"stand": 1, "slots": [1], "also": [[0, 1], [0, 2], [2, 0]], "value": "7"}
    fault = refused("outcome", early, action="together", actor=1, success=True, **places)
    assert (fault is None) == allowed
    assert allowed or "go last" in str(fault)
