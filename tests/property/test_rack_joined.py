"""The ray with a detector against brute force: what is listed, and that nothing likelier is not."""

from collections.abc import Iterator
from itertools import combinations
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from asking import ask_rack as ask
from reference.rack import Table, called, weigh_cut
from reference.rack_positions import positions

SIZES = {"double": 2, "triple": 3, "super": 20}
KEPT = 3
CLOSE = 1e-9
Slots = tuple[int, ...]


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
def test_a_detector_with_the_ray_is_weighed_exactly_and_the_likeliest_are_listed(
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


def test_the_ray_joins_no_detector_unless_both_are_asked_for_and_there() -> None:
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
