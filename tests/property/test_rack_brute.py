"""The kernel against brute force: small positions with everything a table may hold."""

import math
import random
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from asking import ask_rack as ask
from cluewise.core.work import Progress, finish
from cluewise.desks.rack.engine.encoding import pack
from cluewise.desks.rack.position import Position
from cluewise.desks.rack.stand import wire_name
from cluewise.desks.rack.verbs.cuts_hand import PlayerView
from cluewise.desks.rack.verbs.cuts_several import Aim, Detectors
from cluewise.errors import Contradiction
from reference.rack import Table, called, entropy, weigh_cut
from reference.rack_positions import positions

EVERY_CHECK = list(HealthCheck)
SIZES = {"double": 2, "triple": 3, "super": 20}
KEPT = 3
CLOSE = 1e-9
Slots = tuple[int, ...]


@settings(max_examples=500, suppress_health_check=EVERY_CHECK)
@given(positions(), st.booleans())
def test_posterior_agrees_with_brute_force(position: dict[str, Any], tile_removal: bool) -> None:
    table = Table(position, position["viewer"])
    model = "tile-removal" if tile_removal else "bayes"
    worlds = table.worlds()
    if not worlds:
        with pytest.raises(Contradiction):
            ask("posterior", position, model=model)
        return
    result = ask("posterior", position, model=model)
    assert result["arrangements"] == str(len(worlds))
    for (stand, slot), chances in table.posterior(tile_removal).items():
        found = result["stands"][stand]["slots"][slot]
        expected = {wire_name(code): float(p) for code, p in chances.items()}
        assert found.keys() == expected.keys()
        assert found == pytest.approx(expected, abs=CLOSE)
    bits = entropy(dict(enumerate(p for _, p in table.weighted(tile_removal))))
    assert result["bits"] == pytest.approx(bits, abs=1e-7)


@settings(max_examples=400, suppress_health_check=EVERY_CHECK)
@given(positions(), st.sampled_from(["standard", "parity", "multiplicity"]), st.data())
def test_cuts_with_any_tokens_agree_with_brute_force(
    position: dict[str, Any], token: str, data: st.DataObject
) -> None:
    assume(position["viewer"] is not None)
    worlds = Table(position, position["viewer"]).weighted()
    assume(worlds)
    options = ask("cuts", {**position, "token": token}, every_triple=True)["options"]
    kinds = sorted({o["action"] for o in options})
    assume(kinds)
    kind = data.draw(st.sampled_from(kinds))
    cut = data.draw(st.sampled_from([o for o in options if o["action"] == kind]))
    if kind in ("solo", "reveal"):
        own = [called(world[cut["stand"], slot]) for world, _ in worlds for slot in cut["slots"]]
        assert set(own) == {cut["value"]}
        return
    named = cut["value"].split("/")
    success, red, gain = weigh_cut(worlds, cut["stand"], cut["slots"], named, token)
    assert cut["success"] == pytest.approx(float(success), abs=CLOSE)
    assert cut["red"] == pytest.approx(float(red), abs=CLOSE)
    assert cut["certain"] == (success == 1)
    if cut["gain"] is None:
        assert token == "multiplicity"
    else:
        assert cut["gain"] == pytest.approx(gain, abs=1e-8)


@settings(max_examples=150, suppress_health_check=EVERY_CHECK)
@given(positions(), st.sampled_from(["standard", "parity", "multiplicity"]))
def test_true_posterior_gains_agree_with_brute_force(position: dict[str, Any], token: str) -> None:
    worlds = Table({**position, "viewer": None}, None)
    truth = truthful(position, worlds)
    assume(truth is not None)
    assert truth is not None
    result = ask("indicate", truth, stand=0, token=token, house_rules=True)
    before = observer(truth, ())
    assert result["baseline"] == pytest.approx(bits(before), abs=1e-8)
    for option in result["options"]:
        after = observer(truth, (option["slot"], token))
        assert option["gain"] == pytest.approx(bits(before) - bits(after), abs=1e-8)


def truthful(position: dict[str, Any], table: Table) -> dict[str, Any] | None:
    """The position with stand 0's wires as in one of its deals, other stands' tokens dropped."""
    worlds = table.worlds()
    if not worlds:
        return None
    first = position["stands"][0]
    slots = [
        {**{k: v for k, v in slot.items() if k != "value"}, "wire": wire_name(worlds[0][0, j])}
        for j, slot in enumerate(first["slots"])
    ]
    return {**position, "viewer": None, "stands": [{**first, "slots": slots}, *bare(position)]}


def bare(position: dict[str, Any]) -> list[dict[str, Any]]:
    """The other stands without what only concerns them: a token there tells nothing public."""
    return [
        {"slots": [{k: v for k, v in s.items() if k in ("state", "wire")} for s in stand["slots"]]}
        if all(s.get("state", "hidden") == "hidden" or "wire" in s for s in stand["slots"])
        else {"slots": [{} for _ in stand["slots"]]}
        for stand in position["stands"][1:]
    ]


def observer(position: dict[str, Any], token: tuple[Any, ...]) -> Counter[tuple[int, ...]]:
    """Weights of stand 0 for one who sees what is public: the others are one unsorted heap."""
    first, others = position["stands"][0], position["stands"][1:]
    slots = [dict(slot) for slot in first["slots"]]
    wires = [slot.pop("wire") for slot in slots]
    for slot, wire in zip(slots, wires, strict=True):
        if slot.get("state", "hidden") != "hidden":
            slot["wire"] = wire
    if token:
        first = {**first, "facts": lay(slots, wires, first.get("facts", []), *token)}
    elsewhere = [
        s["wire"] for o in others for s in o["slots"] if s.get("state", "hidden") != "hidden"
    ]
    table = Table(
        {**position, "stands": [{**first, "slots": slots}], "known_elsewhere": elsewhere}, None
    )
    return stand_weights(table)


def lay(
    slots: list[dict[str, Any]],
    wires: list[str],
    facts: list[dict[str, str]],
    at: int,
    token: str,
) -> list[dict[str, str]]:
    """The token on the slot, as its wire demands; the facts that still say something."""
    value = "YELLOW" if wires[at][0] == "Y" else "RED" if wires[at][0] == "R" else wires[at]
    if token == "standard":
        slots[at].update(state="info", wire=wires[at])
        return [f for f in facts if f != {"kind": "has", "value": value}]
    same = sum(w[0] == wires[at][0] if w[0] in "YR" else w == value for w in wires)
    word = f"x{same}" if token == "multiplicity" else "odd" if int(value) % 2 else "even"
    slots[at]["tokens"] = [*slots[at].get("tokens", []), word]
    return facts


def stand_weights(table: Table) -> Counter[tuple[int, ...]]:
    """Every filling of the stand with its number of deals (up to a factor)."""
    weights: Counter[tuple[int, ...]] = Counter()
    for supply in table.supplies():
        supply.subtract(table.known.values())
        found: list[dict[tuple[int, int], int]] = []
        if min(supply.values()) >= 0:
            table._place(0, supply, dict(table.known), found)
        for world in found:
            weight = table.weight(world, tile_removal=False)
            used = Counter(world[at] for at in table.open)
            for code, copies in supply.items():
                weight /= math.factorial(copies - used[code])
            weights[tuple(world.values())] += weight  # type: ignore[assignment]  # fractions
    return weights


def bits(weights: Counter[tuple[int, ...]]) -> float:
    total = sum(weights.values())
    return entropy({k: Fraction(w) / total for k, w in weights.items()})


@settings(max_examples=200, suppress_health_check=EVERY_CHECK)
@given(st.integers(0, 10**6), st.integers(2, 5), st.integers(1, 30))
def test_marginals_of_a_full_table_sum_to_the_wires_in_play(
    seed: int, players: int, mission: int
) -> None:
    """Chances of a slot sum to 1; expected copies of a wire are the copies left."""
    setup = ask("deal", {}, mission=mission, players=players, seed=seed)["position"]
    result = ask("posterior", setup)
    expected_copies: Counter[str] = Counter()
    for stand in result["stands"]:
        for slot in stand["slots"]:
            if slot is not None:
                assert math.fsum(slot.values()) == pytest.approx(1, abs=CLOSE)
                expected_copies.update(slot)
    wires = setup["wires"]
    low, high = wires.get("blue", [1, 12])
    left = Counter({str(n): 4 for n in range(low, high + 1)})
    left.update([*wires.get("yellow", []), *wires.get("red", [])])
    left.subtract(s["wire"] for stand in setup["stands"] for s in stand["slots"] if "wire" in s)
    grouped = {w for g in wires.get("groups", []) for w in g["of"]}
    for wire in left.keys() - grouped:
        assert expected_copies[wire] == pytest.approx(left[wire], abs=CLOSE)
    for group in wires.get("groups", []):
        shown = [
            s["wire"] for stand in setup["stands"] for s in stand["slots"]
            if s.get("wire") in group["of"]
        ]  # fmt: skip
        total = math.fsum(expected_copies[w] for w in group["of"])
        assert total == pytest.approx(group["drawn"] - len(shown), abs=CLOSE)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("mission", [24, 40])
def test_double_detectors_listed_together_equal_single_computations(
    mission: int, players: int
) -> None:
    """From tables of conditional chances as by four posteriors a pair: whole missions, 1×2×3×."""
    deal = {"mission": mission, "players": players, "seat": players - 1, "seed": players}
    position = ask("deal", {}, **deal)["position"]
    given = msgspec.convert({**position, "sealed": None}, Position)
    hand = PlayerView(given, pack(given))
    detectors, done = Detectors(hand), Progress(0, None, "")
    finish(detectors.compute({"double"}, None))
    pairs = [cut for cut in detectors.found if len(cut.slots) == 2]
    assert len(pairs) > 100
    for cut in random.Random(players).sample(pairs, 40):
        part = next(p for p, stand in hand.targets() if stand == cut.stand)
        slots = hand.plan.parts[part].slots
        aim = Aim(cut.stand, part, tuple(e for e, j in enumerate(slots) if j in cut.slots), ())
        if len(aim.elements) == 2:
            alone = finish(detectors.evaluate(aim, int(cut.value), done))
            assert cut.gain is not None
            assert alone.gain is not None
            got, expected = [cut.success, cut.red, cut.gain], [alone.success, alone.red, alone.gain]
            assert got == pytest.approx(expected, abs=1e-12)


def is_joined(cut: dict[str, Any]) -> bool:
    return cut["action"] in SIZES and "/" in cut["value"]


def reach(position: dict[str, Any], stand: int, action: str) -> list[int]:
    """What it may point at: sorted wires that are not cut; none where they are too few."""
    slots = enumerate(position["stands"][stand]["slots"])
    found = [
        j for j, slot in slots
        if slot.get("state") != "cut" and "unsorted" not in slot.get("tokens", [])
    ]  # fmt: skip
    return found if action == "super" or len(found) >= SIZES[action] else []


def held(position: dict[str, Any]) -> list[str]:
    """The numbers that the viewer may name."""
    found = set()
    for i, stand in enumerate(position["stands"]):
        for slot in stand["slots"] if stand.get("owner", i) == position["viewer"] else ():
            name = slot.get("wire") or slot.get("value") or "RED"
            if slot.get("state", "hidden") != "cut" and name.isdecimal():
                found.add(name)
    return sorted(found, key=int)


def every(
    position: dict[str, Any], table: Table, stand: int, action: str
) -> Iterator[tuple[Slots, list[str]]]:
    """Every set of slots and two numbers; a known wire of either is left to a plain cut."""
    slots = reach(position, stand, action)
    for some in combinations(slots, min(SIZES[action], len(slots))):
        known = {called(table.known[stand, j]) for j in some if (stand, j) in table.known}
        if any((stand, j) not in table.known for j in some):
            for pair in combinations(held(position), 2):
                if not known & set(pair):
                    yield some, list(pair)


@settings(max_examples=400, suppress_health_check=list(HealthCheck))
@given(positions(), st.sampled_from(["standard", "parity", "multiplicity"]))
def test_detector_with_the_ray_is_computed_exactly_and_the_likeliest_are_listed(
    position: dict[str, Any], token: str
) -> None:
    viewer = position["viewer"]
    assume(viewer is not None)
    table = Table(position, viewer)
    worlds = table.weighted()
    assume(worlds)
    options = ask("cuts", {**position, "token": token}, joined=True)["options"]
    for i, stand in enumerate(position["stands"]):
        if stand.get("owner", i) == viewer:
            continue
        for action in SIZES:
            listed = [o for o in options if (o["stand"], o["action"]) == (i, action)]
            listed = [o for o in listed if is_joined(o)]
            for cut in listed:
                success, red, _ = weigh_cut(worlds, i, cut["slots"], cut["value"].split("/"))
                assert cut["success"] == pytest.approx(float(success), abs=CLOSE)
                assert cut["red"] == pytest.approx(float(red), abs=CLOSE)
                assert cut["certain"] == (success == 1)
                assert cut["gain"] is None
            all_ = (weigh_cut(worlds, i, *one)[0] for one in every(position, table, i, action))
            best = sorted((float(p) for p in all_ if p), reverse=True)[:KEPT]
            assert sorted((o["success"] for o in listed), reverse=True) == pytest.approx(best)


def test_ray_with_a_detector_requires_the_option_and_both_cards() -> None:
    stands = [{"slots": [{"wire": w} for w in ("1", "2", "3")]}, {"slots": [{}] * 9}]
    position = {"wires": {"blue": [1, 3]}, "stands": stands}

    def kinds(seen: dict[str, Any], **options: Any) -> set[str]:
        return {o["action"] for o in ask("cuts", seen, **options)["options"] if is_joined(o)}

    assert kinds(position) == set()
    assert kinds(position, joined=True) == set(SIZES)
    assert kinds(position, joined=True, actions=["double", "either"]) == {"double"}
    assert kinds(position, joined=True, actions=["double", "triple"]) == set()
    assert kinds({**position, "mission": 4}, joined=True) == set()  # the ray is locked
    mine = {"slots": [{"wire": w} for w in ("8", "9", "11")]}
    slots: list[dict[str, str]] = [{}] * 6 + [{"state": "cut", "wire": "10"}] * 2 + [{}] * 9
    open_ = {"mission": 4, "wires": {"blue": [8, 12]}, "stands": [mine, {"slots": slots}]}
    assert kinds(open_, joined=True) == {"double"}
