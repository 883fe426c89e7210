"""Stairs in plans: near the optimum, on shortest paths, replayed step by step."""

import random
from typing import Any

import pytest

from asking import ask_scan as ask
from asking import vectors
from cluewise.desks.scan import position as limits
from cluewise.desks.scan.engine.abilities import Abilities
from cluewise.desks.scan.engine.movement import BARE
from cluewise.errors import BadInput
from cluewise.kernel.layouts import SCAN
from reference.scan import answer, walk_ticks
from reference.scan_stairs import (
    FAR,
    Building,
    Place,
    optimal_total,
    start_of,
    toy,
    wall_in,
)
from reference.scan_walker import Walker, kit_options, replay
from reference.scan_walks import name

CASES = vectors("scan")["stairs"]


def check_replay(
    position: Any, building: Building, route: Any, stop: int, kit: Abilities = BARE
) -> list[Walker]:
    """Replay a route for every spot; on foot, check the ticks of the quickest paths."""
    ways = None if kit.any else (building.way, building.way_to_dig)
    return replay(building, position, route, ways, stop=stop, **kit_options(kit))


def test_limits_of_the_position_equal_those_of_the_kernel() -> None:
    assert (limits.MOST_STAIRS, limits.MOST_TELEPORTS) == (SCAN.SCAN_STAIRS, SCAN.SCAN_TELEPORTS)
    ticks = SCAN.SCAN_STAIRS_TICKS, SCAN.SCAN_TELEPORT_TICKS
    assert ticks == (limits.MOST_STAIRS_TICKS, limits.MOST_TELEPORT_TICKS)


@pytest.mark.parametrize("seed", range(44))
def test_plans_over_stairs_take_their_stated_ticks_and_are_near_the_optimum(seed: int) -> None:
    position, building, stop = toy(seed, [5, 7, 9], [1, 2, 3, 4, 5], teleports=seed % 4 == 3)
    found = ask("route", position, stop=stop, bound=True)
    ticks = [walker.tick for walker in check_replay(position, building, found, stop)]
    count = len(position["spots"])
    spots: list[Any] = [tuple(s) for s in position["spots"]]
    best = optimal_total(building, spots, position["range"], stop, start_of(position))
    assert best <= sum(ticks) <= 1.25 * best + 2 * count
    assert "lower_bound" not in found or count == 1
    assert found.get("beyond") is None


@pytest.mark.parametrize("seed", range(44))
def test_plans_over_stairs_and_walls_take_their_stated_ticks(seed: int) -> None:
    sides, counts = ([5, 7, 9], [1, 3, 5]) if seed % 2 else ([16, 24], [9, 16])
    position, building, stop = toy(seed, sides, counts, teleports=seed % 4 == 3)
    building = wall_in(position, building, seed)
    spots: list[Any] = [tuple(s) for s in position["spots"]]
    here = start_of(position)
    beyond = [i for i, spot in enumerate(spots) if building.way_to_dig(here, spot) >= FAR]
    seen = {"policy": random.Random(seed).choice(["search", "search", "rate", "bits"])}
    found, advice = (
        ask("route", position, stop=stop, **seen),
        ask("next", position, stop=stop, **seen),
    )
    assert found.get("beyond", []) == advice.get("beyond", []) == beyond
    ticks = [walker.tick for walker in check_replay(position, building, found, stop)]
    for one in advice["options"]:
        assert one["walk_ticks"] == building.way(here, tuple(one["tile"]))
        assert any(
            a <= one["tile"][0] <= c and b <= one["tile"][1] <= d for a, b, c, d in one["area"]
        )
    if seed % 2 and seen["policy"] == "search" and ticks:
        left = [spot for i, spot in enumerate(spots) if i not in beyond]
        best = optimal_total(building, left, position["range"], stop, here)
        assert best <= sum(ticks) <= 1.25 * best + 2 * len(ticks)


@pytest.mark.sampled(of="scan, whole regions")
def test_plans_over_floors_are_close_to_the_optimum() -> None:
    ratios = []
    for seed in range(60, 70):
        position, building, stop = toy(seed, [7, 9], [3, 4, 5])
        found = ask("route", position, stop=stop)["expected_ticks"] * len(position["spots"])
        spots: list[Any] = [tuple(s) for s in position["spots"]]
        best = optimal_total(building, spots, position["range"], stop, start_of(position))
        ratios.append((found + 1) / (best + 1))
    assert min(ratios) >= 1 - 1e-9
    assert sum(ratios) / len(ratios) <= 1.03


@pytest.mark.parametrize("seed", range(12))
def test_larger_plans_over_stairs_take_their_stated_ticks(seed: int) -> None:
    position, building, stop = toy(seed, [16, 24], [9, 16, 24], teleports=seed % 3 == 2)
    policy = random.Random(seed).choice(["search", "search", "lookahead", "rate", "bits"])
    seen = {"on_the_way": seed % 2 == 0}
    found = ask("route", position, stop=stop, policy=policy, **seen)
    climbed = any(walker.climbed for walker in check_replay(position, building, found, stop))
    assert climbed or "teleports" in position or len({s[2] for s in position["spots"]}) == 1
    advice = ask("next", position, stop=stop, policy=policy, **seen)
    first = advice["options"][0]
    assert first["expected_ticks"] == pytest.approx(found["expected_ticks"])
    assert (first["tile"], first.get("uses")) == (found["tree"]["tile"], found["tree"].get("uses"))
    for one in advice["options"]:
        x, y, level = one["tile"]
        assert one["walk_ticks"] == building.way(start_of(position), (x, y, level))
        heard = [name(answer((x, y), s, position["range"], level, True)) for s in position["spots"]]
        assert one["leaves"] == [heard.count(k) for k in ("1", "2", "3", "1d", "2d", "3d")]


HOUSE: dict[str, Any] = {
    "range": 3, "levels": "use", "here": [0, 0], "floor": 1,
    "spots": [[4, 4, 0], [20, 4, 0], [4, 9, 1], [9, 9, 2]],
    "stairs": [{"at": [2, 2, 0], "to": [2, 3, 1], "ticks": 2, "name": "ladder"}],
}  # fmt: skip


def test_unreachable_spots_are_listed_and_excluded() -> None:
    advice, route = ask("next", HOUSE), ask("route", HOUSE)
    assert advice["beyond"] == route["beyond"] == [3]
    assert advice["remaining"] == route["remaining"] == 4
    assert all(sum(one["leaves"]) == 4 and one["tile"][2] < 2 for one in advice["options"])
    without = HOUSE | {"spots": HOUSE["spots"][:3]}
    assert ask("route", without)["tree"] == route["tree"]
    alone = HOUSE | {"ruled_out": [0, 1]}
    assert ask("next", alone)["dig"]["spot"] == 2
    nowhere = ask("next", HOUSE | {"ruled_out": [0, 1, 2]})
    assert (nowhere["options"], nowhere["beyond"], nowhere["remaining"]) == ([], [3], 1)
    assert ask("route", HOUSE | {"ruled_out": [0, 1, 2]})["beyond"] == [3]
    assert "No stairs lead" in str(refused("review", HOUSE, spot=3))


def test_without_the_level_sign_stairs_lead_to_no_other_floor() -> None:
    flat = HOUSE | {"levels": "ignore"}
    bare = {key: value for key, value in flat.items() if key != "stairs"}
    assert ask("route", flat) == ask("route", bare)
    assert ask("next", flat) == ask("next", bare)
    shortcut = {"range": 3, "spots": [[90, 0, 0]], "here": [0, 0]}
    shortcut["stairs"] = [{"at": [88, 1, 0], "to": [3, 0, 0], "ticks": 4}]
    assert ask("next", shortcut)["dig"]["walk_ticks"] == 2 + 4 + 1


def refused(want: str, position: Any, **options: Any) -> BadInput:
    with pytest.raises(BadInput) as caught:
        ask(want, position, **options)
    return caught.value


@pytest.mark.parametrize(
    ("stairs", "where"), CASES["stairs that cannot be are refused with their place"]
)
def test_invalid_stairs_are_refused_with_their_place(stairs: Any, where: str) -> None:
    assert refused("next", HOUSE | {"stairs": stairs}).where == where.replace("$", "$.position", 1)


def test_stairs_into_a_wall_are_refused() -> None:
    walls = {"painted": [[2, 3, 2, 3, 1]]}
    assert refused("next", HOUSE | {"walls": walls}).where == "$.position.stairs[0].to"


KITS = [
    Abilities(1, True, False),
    Abilities(2, True, True, 1),
    Abilities(0, True, True),
    Abilities(2, False, False),
]


@pytest.mark.parametrize("seed", range(48))
def test_abilities_on_paths_over_floors_are_possible_and_save_ticks(seed: int) -> None:
    position, building, stop = toy(seed, [16, 30, 60], [2, 6, 12], teleports=seed % 3 == 2)
    kit = KITS[seed % len(KITS)]
    building = wall_in(position, building, seed) if seed % 5 == 0 else building
    plain = ask("route", position, stop=stop)
    found = ask("route", position, stop=stop, **kit_options(kit))
    check_replay(position, building, found, stop, kit)
    assert found["on_foot_ticks"] == plain["expected_ticks"]
    assert found["expected_ticks"] <= plain["expected_ticks"]
    advice = ask("next", position, stop=stop, **kit_options(kit))
    if not advice["options"]:
        return
    first, tree = advice["options"][0], found["tree"]
    assert (first["tile"], first.get("uses")) == (tree["tile"], tree.get("uses"))
    assert advice["ability_ticks"] == pytest.approx(found["expected_ticks"])
    for one in advice["options"]:
        x, y, level = one["tile"]
        assert one["walk_ticks"] <= building.way(start_of(position), (x, y, level))


@pytest.mark.parametrize("seed", range(40))
def test_run_plans_over_stairs_never_take_longer_than_scan_plans(seed: int) -> None:
    position, building, stop = toy(seed, [9, 20, 30], [2, 5, 12], teleports=seed % 4 == 3)
    building = wall_in(position, building, seed) if seed % 3 == 0 else building
    scan_plan = ask("route", position, stop=stop)
    found = ask("route", position, stop=stop, listen=True)
    check_replay(position, building, found, stop)
    assert found["expected_ticks"] <= scan_plan["expected_ticks"]
    advice = ask("next", position, stop=stop, listen=True)
    if not advice["options"]:
        return
    first, tree = advice["options"][0], found["tree"]
    assert (first["tile"], first["walk_ticks"]) == (tree["tile"], tree["walk_ticks"])
    assert first["expected_ticks"] == pytest.approx(found["expected_ticks"])
    assert ("changes" in advice) == ("heard" in tree)
    for change in advice.get("changes", []):  # what is noted of a run leaves what it left
        noted = position | {"observations": change["rows"], "floor": change["at"][2]}
        after = ask("next", noted | {"here": change["at"][:2]}, stop=stop)
        assert after["remaining"] >= change["leaves"]


@pytest.mark.sampled(of="scan, whole regions")
def test_runs_over_floors_save_ticks() -> None:
    runs = saved = 0
    for seed in range(12):
        position, building, _ = toy(seed, [30], [12])
        found = ask("route", position, stop=3, listen=True)
        runs += sum(walker.runs for walker in check_replay(position, building, found, 3))
        saved += found["expected_ticks"] < ask("route", position, stop=3)["expected_ticks"]
    assert runs > 12
    assert saved >= 10


@pytest.mark.parametrize("listen", [False, True])
@pytest.mark.parametrize("seed", range(8))
def test_practice_runs_on_one_floor_and_scans_after_stairs(seed: int, listen: bool) -> None:
    position, building, stop = toy(seed, [18, 26], [6, 12])
    hidden = ask("practice", position, seed=seed)
    assert tuple(hidden["start"]) == start_of(position)
    now: Any = position | {"practice": hidden, "observations": []}
    options: dict[str, Any] = {"stop": stop, "listen": True} if listen else {"stop": stop}
    r, at, ticks = random.Random(seed), start_of(position), 0
    for _ in range(4):
        tile: Place = (r.randint(0, 17), r.randint(0, 17), r.choice([at[2], *building.levels]))
        now = now | {"floor": tile[2]}
        heard = ask("listen", now, tile=tile[:2], **options)
        if not heard["rows"]:
            continue
        last = heard["rows"][-1]
        ran = last.get("towards") is not None
        assert ran == (listen and tile[2] == at[2])
        assert ran or last["at"] == list(tile)
        to: Place = (last["at"][0], last["at"][1], last["at"][2])
        walk = walk_ticks(at[:2], to[:2]) if ran else building.way(at, to)
        at, ticks = to, ticks + walk + (0 if last.get("in_passing") else stop)
        assert heard["spot"] is not None or heard["ticks"] == ticks
        now["observations"] = now["observations"] + heard["rows"]
        if heard["spot"] is not None:
            break
    over = ask("listen", now, reveal=True, **options)
    spot: Any = tuple(position["spots"][over["spot"]])
    whole = building.way_to_dig(at, spot) + ticks
    assert over["ticks"] == whole
    found = ask("review", now, spot=over["spot"], **options)
    assert found["ticks"] == whole
    assert listen or found["plan_ticks"] == over["route_ticks"]
    assert found["planned"] + found["loss"] - found["luck"] == pytest.approx(whole)
