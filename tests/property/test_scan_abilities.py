"""Teleports and abilities in plans: optimal on small cases, replayed, never slower than on foot."""

import random
from dataclasses import asdict
from functools import partial
from typing import Any

import pytest

from asking import ask_scan as ask
from cluewise.desks.scan.engine.abilities import Abilities, adjacent_tile, shortest_path
from cluewise.desks.scan.regions import by_id
from reference.scan import (
    Optimum,
    Spot,
    Tile,
    WithTeleports,
    dig_ticks,
    draw_apart,
    path_ticks,
    ticks_to_spot,
    walk_ticks,
)
from reference.scan_walker import Walker, kit_options, replay
from reference.scan_walks import Plane, layout


def drawn(
    r: random.Random, side: int, counts: tuple[int, ...] = (1, 1, 2, 4, 8)
) -> list[dict[str, Any]]:
    """Return a few teleports in and around a square."""
    return [
        {
            "at": [r.randint(-side // 2, side + side // 2), r.randint(-3, side)],
            "ticks": r.choice([0, 1, 2, 4, 7]),
            "name": f"T{i}",
        }
        for i in range(r.choice(counts))
    ]


def plain(teleports: list[dict[str, Any]]) -> list[tuple[int, int, int]]:
    return [(t["at"][0], t["at"][1], t["ticks"]) for t in teleports]


def check_replay(spots: list[Spot], reach: int, route: Any, teleports: list[Any], stop: int) -> int:
    """Replay the route for every spot; return the number of teleports used."""
    position = {"range": reach, "spots": spots, "teleports": teleports}
    ways = [partial(one, teleports=plain(teleports)) for one in (path_ticks, dig_ticks)]
    walkers = replay(Plane(), position, route, ways, stop=stop)
    return sum(walker.teleported for walker in walkers)


@pytest.mark.parametrize("seed", range(60))
def test_plan_for_up_to_seven_spots_is_optimal_and_proved(seed: int) -> None:
    r = random.Random(seed)
    side, count = r.choice([15, 40, 70]), r.choice([2, 3, 4, 6, 7])
    spots: list[Spot] = draw_apart(lambda: (r.randint(0, side), r.randint(0, side), 0), count)
    reach, stop = r.choice([2, 3, 6]), r.choice([0, 1, 3, 6, 10])
    teleports = drawn(r, side, (0, 1, 2, 4, 8) if seed % 2 else (0,))
    start: Tile = (spots[0][0] + r.randint(-reach, reach), spots[0][1])
    position = {"range": reach, "spots": spots, "here": start, "teleports": teleports}
    found = ask("route", position, stop=stop, bound=True)
    least = WithTeleports(spots, reach, stop, plain(teleports)).total(start)
    assert found["expected_ticks"] * count == pytest.approx(least)
    assert found["lower_bound"] == found["expected_ticks"]
    assert least <= Optimum(spots, reach, stop).total(start)
    check_replay(spots, reach, found, teleports, stop)


@pytest.mark.parametrize("seed", range(48))
def test_plans_take_their_stated_ticks_and_never_more_than_on_foot(seed: int) -> None:
    spots, reach, stop, start = layout(seed, [20, 90, 250], [0, 5, 11, 25])
    r = random.Random(seed)
    teleports = drawn(r, r.choice([20, 90, 250]))
    position = {"range": reach, "spots": spots, "here": start}
    on_foot = ask("route", position, stop=stop)
    position["teleports"] = teleports
    policy = r.choice(["search", "search", "search", "lookahead", "rate", "bits"])
    found = ask("route", position, stop=stop, policy=policy)
    check_replay(spots, reach, found, teleports, stop)
    if policy == "search":
        assert found["expected_ticks"] <= on_foot["expected_ticks"]
    advice = ask("next", position, stop=stop, policy=policy)
    if not advice["options"]:
        assert "tile" not in found["tree"]
        return
    first = advice["options"][0]
    for key in ("tile", "walk_ticks"):
        assert first[key] == found["tree"][key]
    assert first.get("uses") == found["tree"].get("uses")
    assert first["expected_ticks"] == pytest.approx(found["expected_ticks"])
    for one in advice["options"]:
        tile = (one["tile"][0], one["tile"][1])
        assert one["walk_ticks"] == path_ticks(start, tile, plain(teleports))
        assert ("uses" in one) == (one["walk_ticks"] < walk_ticks(start, tile))


@pytest.mark.sampled(of="scan, whole regions")
@pytest.mark.parametrize(
    ("region", "teleports", "most"),
    [
        (349, [{"at": [3424, 2916], "ticks": 5, "name": "Nardah"}], 0.92),
        (364, [{"at": [2966, 3403], "ticks": 5, "name": "Lodestone"}], 0.98),
    ],
)
def test_teleports_shorten_routes_of_whole_regions(
    region: int, teleports: Any, most: float
) -> None:
    spots, reach = list(by_id()[region].spots), by_id()[region].range
    walked = ask("route", {"region": region}, stop=3)
    found = ask("route", {"region": region, "teleports": teleports}, stop=3, bound=True)
    assert found["expected_ticks"] < most * walked["expected_ticks"]
    assert check_replay(spots, reach, found, teleports, 3) > 0
    assert "lower_bound" not in found


@pytest.mark.sampled
@pytest.mark.parametrize("seed", range(3))
def test_teleports_never_lengthen_routes_of_more_than_64_spots(seed: int) -> None:
    r = random.Random(seed)
    spots: list[Spot] = draw_apart(lambda: (r.randint(0, 200), r.randint(0, 200), 0), 70)
    teleports = drawn(r, 200)
    position: dict[str, Any] = {"range": 12, "spots": spots, "here": [10, 10]}
    walked = ask("route", position, stop=3)
    found = ask("route", position | {"teleports": teleports}, stop=3)
    assert found["expected_ticks"] <= walked["expected_ticks"]
    check_replay(spots, 12, found, teleports, 3)


@pytest.mark.parametrize("seed", range(20))
def test_teleports_with_abilities_never_lengthen_a_route(seed: int) -> None:
    spots, reach, stop, start = layout(seed, [90, 250], [5, 11, 25])
    teleports = drawn(random.Random(seed), 90)
    position: dict[str, Any] = {"range": reach, "spots": spots, "here": start}
    position["teleports"] = teleports
    found = ask("route", position, stop=stop, surge=1, dive=True)
    on_foot = ask("route", position, stop=stop)
    assert found["on_foot_ticks"] == on_foot["expected_ticks"]
    assert found["expected_ticks"] <= on_foot["expected_ticks"]
    advice = ask("next", position, stop=stop, surge=1, dive=True)
    for one in advice["options"]:
        walker = Walker(Plane(), position, start, surge=1, dive=True, stop=stop)
        walker.travel(one.get("uses", []), {(one["tile"][0], one["tile"][1])})
        assert walker.tick == one["walk_ticks"]


@pytest.mark.parametrize("seed", range(16))
def test_run_plans_teleport_to_scans_and_digs(seed: int) -> None:
    spots, reach, stop, start = layout(seed, [20, 90, 250], [5, 11, 25])
    teleports = drawn(random.Random(seed), 90)
    position: dict[str, Any] = {"range": reach, "spots": spots, "here": start}
    scans = ask("route", position | {"teleports": teleports}, stop=stop)
    runs = ask("route", position, stop=stop, listen=True)
    found = ask("route", position | {"teleports": teleports}, stop=stop, listen=True)
    assert found["expected_ticks"] <= scans["expected_ticks"]
    total = 0
    for i, spot in enumerate(spots):
        at, node = start, found["tree"]
        while "tile" in node:
            if "heard" in node:
                assert "uses" not in node
                heard = next(h for h in node["heard"] if has_spot(h["then"], i))
                total, at, node = total + heard["ticks"], tuple(heard["at"]), heard["then"]
                continue
            tile = (node["tile"][0], node["tile"][1])
            assert node["walk_ticks"] == path_ticks(at, tile, plain(teleports))
            total, at = total + node["walk_ticks"] + stop, tile
            node = next(then for then in node["answers"].values() if has_spot(then, i))
        total += dig_ticks(at, spot, plain(teleports))
    assert total == pytest.approx(found["expected_ticks"] * len(spots))
    assert found["expected_ticks"] <= runs["expected_ticks"]


def has_spot(node: Any, spot: int) -> bool:
    if "tile" not in node:
        return spot in node.get("spots", [node.get("spot")])
    after = [*node.get("answers", {}).values(), *(h["then"] for h in node.get("heard", []))]
    return any(has_spot(one, spot) for one in after)


def test_single_remaining_spot_is_reached_by_teleport() -> None:
    position = {
        "range": 5, "spots": [[90, 0]], "here": [0, 0],
        "teleports": [{"at": [80, 0], "ticks": 4, "name": "gate"}],
    }  # fmt: skip
    dig = ask("next", position)["dig"]
    use = {"ability": "teleport", "tick": 0, "at": [0, 0], "to": [80, 0], "name": "gate"}
    assert dig == {"spot": 0, "walk_ticks": 4 + ticks_to_spot((80, 0), (90, 0, 0)), "uses": [use]}
    for listen in (False, True):
        tree = ask("route", position, listen=listen)["tree"]
        assert tree == {"spot": 0, "digs": [dig]}


SIDES, REACHES = [12, 90, 250], [0, 5, 11, 25]  # tiles
KITS = [
    Abilities(1, True, False),
    Abilities(2, True, True),
    Abilities(0, True, False),
    Abilities(2, False, False),
    Abilities(1, True, False, 1),
    Abilities(0, False, True, 2),
]


@pytest.mark.parametrize("seed", range(60))
def test_marked_abilities_are_possible_and_take_the_stated_ticks(seed: int) -> None:
    spots, reach, stop, start = layout(seed, SIDES, REACHES)
    kit = KITS[seed % len(KITS)]
    position = {"range": reach, "spots": spots, "here": start}
    plain = ask("route", position, stop=stop)
    found = ask("route", position, stop=stop, **kit_options(kit))
    replay(Plane(), position, found, stop=stop, **kit_options(kit))
    assert found["on_foot_ticks"] == plain["expected_ticks"]
    assert found["expected_ticks"] <= plain["expected_ticks"]
    assert found["expected_scans"] == plain["expected_scans"]


@pytest.mark.parametrize("kit", KITS)
def test_path_with_abilities_reaches_its_tile_and_never_takes_longer_than_a_run(
    kit: Abilities,
) -> None:
    r = random.Random(7)
    for _ in range(300):
        to = (r.randint(-60, 60), r.randint(-60, 60))
        found = shortest_path((3, 4), to, kit, kit.full)
        assert found.ticks <= walk_ticks((3, 4), to)
        nothing = {"range": 0, "spots": []}
        walker = Walker(Plane(), nothing, (3, 4), stop=0, **kit_options(kit))
        walker.travel([asdict(use) for use in found.uses], {to})
        assert walker.tick == found.ticks


def test_long_straight_path_begins_with_dive_and_surge() -> None:
    found = shortest_path((0, 0), (22, 0), KITS[0], (0, 0))
    assert (found.ticks, [u.ability for u in found.uses]) == (1, ["dive", "surge"])
    assert found.ready == (33, 33)
    assert found.after(3) == (30, 30)
    alone = shortest_path((0, 0), (22, 0), Abilities(1, False, True), (0,))
    assert [(u.tick, u.at, u.to) for u in alone.uses] == [(1, (2, 0), (12, 0))]
    assert (alone.ticks, alone.ready) == (6, (12,))
    assert adjacent_tile((0, 0), (9, 1)) == (8, 0)


def test_escape_costs_one_tile_of_turning() -> None:
    found = shortest_path((0, 0), (8, 0), Abilities(0, False, False, 1), (0,))
    assert [(u.ability, u.tick, u.at, u.to) for u in found.uses] == [("escape", 1, (-1, 0), (6, 0))]
    assert (found.ticks, found.ready) == (2, (33,))
    assert shortest_path((0, 0), (4, 0), Abilities(0, False, False, 1), (0,)).uses == ()
    all_three = shortest_path((0, 0), (29, 0), Abilities(1, True, False, 1), (0, 0, 0))
    bare = shortest_path((0, 0), (29, 0), Abilities(1, True, False), (0, 0))
    assert (all_three.ticks, bare.ticks) == (3, 5)


@pytest.mark.sampled(of="scan, whole regions")
def test_escape_shortens_most_routes() -> None:
    shorter = 0
    for region in (351, 353, 356, 362, 364, 367):
        two = ask("route", {"region": region}, stop=3, surge=1, dive=True)
        three = ask("route", {"region": region}, stop=3, surge=1, dive=True, escape=1)
        shorter += three["expected_ticks"] < two["expected_ticks"]
    assert shorter >= 4


def test_routes_with_abilities_have_no_lower_bound() -> None:
    found = ask("route", {"region": 362}, surge=1, dive=True, bound=True)
    assert "lower_bound" not in found
    assert ask("route", {"region": 362}, stop=3, bound=True)["lower_bound"] > 0
