"""What missions do to the chances, against enumeration: turned wires, deadly numbers, bundles."""

import random
from collections import Counter
from fractions import Fraction
from typing import Any

import pytest

from asking import ask_rack as ask
from cluewise.desks.rack.stand import wire_name
from reference.rack import Table, World, called, check_chances
from reference.rack_positions import table as random_table

CLOSE = 1e-9
BUNDLES = {13: ("RED", 3), 48: ("YELLOW", 3), 39: ("", 4), 23: ("", 4)}
Weighted = list[tuple[World, Fraction]]


def turned(dice: random.Random) -> dict[str, Any]:
    """The viewer does not see one or two of her own wires; of the others' one is seen turned."""
    position = random_table(dice, groups=dice.random() < 0.3) | {"viewer": 0}
    worlds = Table(position, 0).worlds()
    if not worlds:
        return position
    number = dice.choice([38, 56, 64])
    truth = dice.choice(worlds)
    for i, stand in enumerate(position["stands"]):
        last = len(stand["slots"]) - 1
        ends = [0, last] if number == 64 else [last]
        if i and number == 38:
            continue
        for j, slot in enumerate(stand["slots"]):
            slot["tokens"] = [t for t in slot.get("tokens", []) if t != "unsorted"]
            if j not in ends or slot.get("state", "hidden") != "hidden":
                continue
            slot["tokens"] = [t for t in slot["tokens"] if not t.endswith("-next")] + ["unsorted"]
            if i:
                slot["wire"] = wire_name(truth[i, j])
            else:
                slot.pop("wire", None)
                slot["tokens"] = ["unsorted"]
        for left in stand["slots"]:  # no label next to a turned wire
            left["tokens"] = [t for t in left["tokens"] if not t.endswith("-next")]
        stand["facts"] = []
    return position | {"mission": number}


def deadly(dice: random.Random) -> dict[str, Any]:
    position = random_table(dice) | {"viewer": 0}
    low, high = position["wires"]["blue"]
    return position | {"mission": 11, "numbers": [str(dice.randint(low, high))]}


def bundled(dice: random.Random) -> dict[str, Any]:
    position = random_table(dice) | {"viewer": 0}
    low, high = position["wires"]["blue"]
    number = dice.choice(list(BUNDLES))
    return position | {"mission": number, "numbers": [str(dice.randint(low, high))]}


def agree_on_chances(position: dict[str, Any], worlds: Weighted) -> None:
    """Every slot's chances and the number of arrangements."""
    found = ask("posterior", position)
    assert found["arrangements"] == str(len(worlds))
    check_chances(found["stands"], worlds)


def chance_of(cut: dict[str, Any], worlds: Weighted, reds: set[str]) -> tuple[float, float]:
    """A cut's chance to work and to set off the bomb."""
    places = [(cut["stand"], j) for j in cut["slots"]] + [tuple(p) for p in cut["also"]]
    named = set(cut["value"].split("/"))
    success = red = Fraction(0)
    for world, p in worlds:
        values = [called(world[at]) for at in places]
        if cut["action"] in ("solo", "reveal", "together"):
            shown = named | reds if cut["action"] == "reveal" else named
            success += p if set(values) <= shown else 0
        else:
            success += p if named & set(values) else 0
            red += p if set(values) <= reds else 0
    return float(success), float(red)


def agree_on_cuts(position: dict[str, Any], worlds: Weighted, reds: set[str]) -> Counter[str]:
    """Success and risk of every cut on offer, and none that could not work."""
    kinds: Counter[str] = Counter()
    rows = ask("cuts", position)["options"]
    for cut in rows:
        kinds[cut["action"]] += 1
        success, red = chance_of(cut, worlds, reds)
        assert cut["success"] == pytest.approx(success, abs=CLOSE)
        assert success > 0
        if cut["action"] == "together":
            fails = position["mission"] != 48
            assert cut["red"] == pytest.approx(1 - success if fails else 0, abs=CLOSE)
        elif cut["action"] == "dual" and cut["stand"] == position["viewer"]:
            kinds["own"] += 1  # a wrong guess at one's own turned wire ends the game
            assert cut["red"] == pytest.approx(1 - success, abs=CLOSE)
        elif cut["action"] not in ("solo", "reveal"):
            assert cut["red"] == pytest.approx(red, abs=CLOSE)
        assert cut["certain"] == (success == pytest.approx(1))
    return kinds


@pytest.mark.sampled(of="rack, brute force")
@pytest.mark.parametrize("kind", ["turned", "deadly", "bundled"])
def test_masks_of_a_mission_leave_the_chances_exact(kind: str) -> None:
    make = {"turned": turned, "deadly": deadly, "bundled": bundled}[kind]
    checked, kinds = 0, Counter[str]()
    for seed in range(290):
        position = make(random.Random(f"{kind}.{seed}"))
        worlds = Table(position, 0).weighted()
        if not worlds or len(worlds) > 3000:
            continue
        agree_on_chances(position, worlds)
        reds = {"RED", *position["numbers"]} if kind == "deadly" else {"RED"}
        kinds += agree_on_cuts(position, worlds, reds)
        checked += 1
    assert checked >= 200
    assert kinds["dual"] > 100
    assert kind != "bundled" or kinds["together"] > 50
    assert (kinds["own"] > 50) == (kind == "turned")
