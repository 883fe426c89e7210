"""First tokens read as choices, against every deal and every hand of small tables."""

import random
from collections import Counter
from fractions import Fraction
from typing import Any

import msgspec
import pytest

from asking import ask_rack as ask
from cluewise.desks.rack.engine.counting import extra_words, gains
from cluewise.desks.rack.engine.encoding import pack_one
from cluewise.desks.rack.position import Position, in_play
from cluewise.desks.rack.stand import Slot, Stand
from reference.rack import Table, called, check_chances, code_of, entropy
from reference.rack_choices import Rule, rules_of, share

TABLES = 640


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
        shows = rule.says(code_of(hand[j]))
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
def test_chances_by_the_choice_of_first_tokens_agree_with_brute_force() -> None:
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
def test_what_a_token_tells_of_any_wire_is_what_indicate_says_of_a_hand_that_has_it() -> None:
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
        rows = gains(plan, extra_words(typed, plan, left), typed.token)
        found = ask("indicate", position, stand=0)["options"]
        assert {o["slot"] for o in found} == {j for j, w in enumerate(held) if w.isdigit()}
        for option in found:
            gain = rows[option["slot"]][code_of(option["wire"])]
            assert gain == pytest.approx(option["gain"], abs=1e-10)
            compared += 1
    assert compared >= 200


@pytest.mark.sampled(of="rack, brute force")
def test_cuts_rest_on_the_choice_and_say_so() -> None:
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
