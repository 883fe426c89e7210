"""Method packs of scan trees: what is exported can be used, and what others made is rated."""

import itertools
import json
from collections.abc import Callable
from typing import Any

import pytest

from asking import ask_scan as ask
from cluewise.desks.scan.regions import by_id
from sampling import sample


def exported(position: Any, **options: Any) -> Any:
    return ask("pack", position, **{"stop": 1, "effort": 0} | options)["pack"]


def rated(pack: Any) -> Any:
    (tree,) = ask("rate", pack=json.dumps(pack))["trees"]
    return tree


@pytest.mark.parametrize("region", sample(sorted(by_id()), 4))
@pytest.mark.parametrize("meerkats", [False, True])
def test_an_exported_pack_covers_every_spot_without_fault(region: int, meerkats: bool) -> None:
    pack = exported({"region": region, "meerkats": meerkats}, name="Mine")
    tree, method = rated(pack), pack["methods"][0]
    assert (tree["clue"], tree["name"], tree["faults"]) == (region, "Mine", [])
    assert tree["covered"] == tree["spots"] == len(by_id()[region].spots)
    assert method["assumptions"]["meerkats_active"] == meerkats
    assert method["tree"]["assumed_range"] == by_id()[region].range + 5 * meerkats
    heard = rated(exported({"region": region, "meerkats": meerkats}, on_the_way=True))
    assert (heard["covered"], heard["faults"]) == (tree["covered"], [])
    floors = {spot[2] for spot in by_id()[region].spots}
    if (
        len(floors) == 1 and region != 371
    ):  # there one dig serves two spots, here a scan comes first
        assert tree["ticks"] == pytest.approx(method["expected_time"]) == tree["told"]


def test_an_exported_way_over_terrain_goes_round_its_corners() -> None:
    walls = {"painted": [[2900, 3360, 3100, 3360, 1], [3060, 3360, 3060, 3360, 0]]}
    pack = exported({"region": 364, "here": [2999, 3358], "walls": walls})
    tree = rated(pack)
    assert tree["faults"] == []
    assert tree["ticks"] == pytest.approx(pack["methods"][0]["expected_time"])
    blocked = {(x, 3360) for x in range(2900, 3101)} - {(3060, 3360)}
    for run in runs(pack["methods"][0]["tree"]["root"]):
        assert not blocked & set(tiles(run))


def runs(node: Any) -> list[Any]:
    own = [step["waypoints"] for step in node["path"] if step["type"] == "run"]
    return own + [run for child in node["children"] for run in runs(child["value"])]


def tiles(points: Any) -> list[tuple[int, int]]:
    found = []
    for a, b in itertools.pairwise(points):
        dx, dy = b["x"] - a["x"], b["y"] - a["y"]
        long = max(abs(dx), abs(dy))
        found += [(a["x"] + n * dx // long, a["y"] + n * dy // long) for n in range(long + 1)]
    return found


def test_abilities_and_teleports_of_a_plan_are_steps_of_the_pack() -> None:
    port = {"at": [2966, 3403], "ticks": 4, "name": "Falador"}
    position = {"region": 364, "here": [3200, 3200], "teleports": [port]}
    pack = exported(position, surge=2, dive=True, mobile=True, name="Kit")
    method = pack["methods"][0]
    assert method["assumptions"] == {
        "meerkats_active": False, "double_surge": True, "double_escape": False, "mobile_perk": True,
    }  # fmt: skip
    text = json.dumps(method)
    assert '"type": "ability"' in text
    assert {"type": "cheat", "target": {"x": 2966, "y": 3403, "level": 0}, "ticks": 4} in (
        method["tree"]["root"]["path"]
    )
    assert rated(pack)["faults"] == []


def made(spots: list[tuple[int, int]], root: Any) -> Any:
    tree = {"ordered_spots": [place(*spot) for spot in spots], "assumed_range": 20, "root": root}
    method = {"type": "scantree", "for": {"clue": 364}, "assumptions": {}, "tree": tree}
    return rated({"methods": [method]})


def place(x: int, y: int) -> dict[str, int]:
    return {"x": x, "y": y, "level": 0}


def test_a_door_leads_on_from_where_one_stands_and_a_powerburst_makes_surges_ready() -> None:
    sides = [
        {"valid_from": {"origin": place(5, y)}, "offset": place(0, by)}
        for y, by in ((7, -2), (5, 2))
    ]
    door = {"assumed_start": place(5, 5), "internal": {"actions": [{"movement": sides}]}}
    surges = [{"ability": "surge", "from": place(x, 7), "to": place(x + 10, 7)} for x in (5, 15)]
    first, second = [{"type": "ability"} | surge for surge in surges]
    run = {"type": "run", "waypoints": [place(25, 7), place(26, 7)]}
    path = [{"type": "transport"} | door, first, {"type": "powerburst"}, second, run]
    tree = made([(26, 7)], {"path": path})
    assert (tree["faults"], tree["ticks"]) == ([], 2 + 1)


def test_all_answers_of_a_large_place_are_known() -> None:
    area = {"origin": place(0, 0), "size": {"x": 2000, "y": 2000}}
    keys: list[Any] = [{"pulse": 1}, {"pulse": 2}, {"pulse": 3, "spot": place(100, 100)}]
    children = [{"key": key, "value": {}} for key in keys]
    faults = made([(100, 100), (900, 900)], {"region": {"area": area}, "children": children})[
        "faults"
    ]
    assert "At the start: no child for the answer triple of 900, 900." in faults
    assert not any("cannot be there" in fault for fault in faults)


def spoiled(spoil: Callable[[Any], None]) -> Any:
    pack = exported({"region": 364})
    spoil(pack["methods"][0])
    return rated(pack)


def drop_child(method: Any) -> None:
    method["tree"]["root"]["children"].pop()


def add_child(method: Any) -> None:
    root = method["tree"]["root"]
    leaf: dict[str, Any] = {"path": [], "children": []}
    root["children"].append({"key": {"pulse": 1, "different_level": True}, "value": leaf})


def move_start(method: Any) -> None:
    child = method["tree"]["root"]["children"][0]["value"]["children"][0]["value"]
    child["path"][0]["waypoints"][0]["x"] += 1


def cut_leaf(method: Any) -> None:
    node = method["tree"]["root"]
    while node["children"]:
        node = node["children"][0]["value"]
    node["path"][-1]["waypoints"][-1]["x"] += 9


def end_early(method: Any) -> None:
    method["tree"]["root"]["children"][0]["value"]["children"] = []


def change_region(method: Any) -> None:
    method["for"]["clue"] = 1


def damage(method: Any) -> None:
    del method["tree"]["root"]["children"][0]["key"]["pulse"]


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (drop_child, "no child for the answer"),
        (add_child, "the answer single with the sign cannot be there"),
        (move_start, "a step starts at"),
        (cut_leaf, "not within a tile of"),
        (end_early, "the branch ends with"),
        (change_region, "There is no region 1."),
        (damage, "The tree is damaged"),
    ],
)
def test_a_fault_of_a_tree_is_named_with_the_answers_before_it(spoil: Any, said: str) -> None:
    assert any(said in fault for fault in spoiled(spoil)["faults"])
