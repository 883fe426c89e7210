"""Classes, fewest scans and plans under doubt, against numbers of other programs (scan.json)."""

import random
from collections.abc import Sequence
from functools import partial
from typing import Any

import pytest

from asking import ask_scan, vectors
from cluewise.core.work import finish
from cluewise.desks.scan.engine.planner import Planner
from cluewise.desks.scan.engine.posterior import Posterior
from cluewise.desks.scan.engine.posterior_plan import PlanBuilder
from cluewise.desks.scan.position import Observation, Position
from cluewise.desks.scan.regions import by_id, regions
from cluewise.desks.scan.scene import ScanModel
from cluewise.errors import BadInput
from cluewise.kernel import kernel
from reference import scan as slow
from reference.scan import pulse
from reference.scan_walks import distances

VECTORS = vectors("scan")
CASES = [
    (region["id"], name)
    for region in VECTORS["regions"]
    for name in ("all", "all_meerkats", "even_index_kept", "first_half_kept")
]


classes = partial(ask_scan, "classes")


def position_of(region: int, name: str) -> dict[str, Any]:
    count = len(by_id()[region].spots)
    gone = {"even_index_kept": range(1, count, 2), "first_half_kept": range(count // 2, count)}
    return {
        "region": region,
        "meerkats": name == "all_meerkats",
        "ruled_out": list(gone.get(name, [])),
    }


def agree(result: Any, expected: Any) -> None:
    assert result["window"] == expected["window"]
    assert result["profiles"] == expected["distinct_profiles"]
    assert result["classes"] == expected["classes_4"]
    assert result["max_bits"] == pytest.approx(expected["max_information"], abs=6e-7)
    assert result["best"] == expected["tie_classes_4"]


@pytest.mark.parametrize("toy", VECTORS["toys"], ids=lambda t: t["name"])
def test_toy_layouts_have_the_expected_classes(toy: Any) -> None:
    result = classes({"range": toy["range"], "spots": toy["spots"]}, list=True)
    agree(result, toy)
    listed = result["list"]
    assert sum(c["tiles"] for c in listed) == toy["tiles"]
    assert max(c["tiles"] for c in listed) == toy["largest_class_tiles"]
    assert sum(c["tiles"] == 1 for c in listed) == toy["single_tile_classes_4"]
    assert sum(c["tiles"] for c in listed if c["best"]) == toy["tie_tiles"]
    assert sum(len(c["outline"]) > 1 for c in listed) == toy["classes_4_with_holes"]
    best = sorted({tuple(c["counts"]) for c in listed if c["best"]})
    assert best == sorted(map(tuple, toy["max_counts_n1n2n3"]))


@pytest.mark.parametrize(("region", "name"), CASES)
def test_regions_have_the_expected_classes(region: int, name: str) -> None:
    expected = next(r for r in VECTORS["regions"] if r["id"] == region)[name]
    result = classes(position_of(region, name), list=True)
    agree(result, expected)
    best = [c for c in result["list"] if c["best"]]
    assert sum(c["tiles"] for c in best) == expected["tie_tiles"]
    lowest = min((y0, x0) for c in best for x0, y0, _, _ in c["rects"])
    assert [lowest[1], lowest[0]] == expected["first_max_tile_lowest_y_then_x"]


@pytest.mark.parametrize(("region", "plain", "six"), [(356, 1.544669, 2.198901), (None, 0, 0)])
def test_levels_change_the_value_but_not_the_partition(
    region: int | None, plain: float, six: float
) -> None:
    if region is None:
        region = next(r.id for r in regions() if r.name.startswith("Dorgesh"))
        plain, six = 2.356780, 3.046439
    ignored, used = classes({"region": region}), classes({"region": region, "levels": "use"})
    assert ignored["max_bits"] == pytest.approx(plain, abs=6e-7)
    assert used["max_bits"] == pytest.approx(six, abs=6e-7)
    assert used["classes"] == ignored["classes"]
    assert used["profiles"] == ignored["profiles"]


def test_there_are_26_regions_with_641_spots() -> None:
    assert len(regions()) == 26
    assert sum(len(r.spots) for r in regions()) == 641
    assert all(len(set(r.spots)) == len(r.spots) for r in regions())


def test_ruling_out_can_raise_the_maximum() -> None:
    # Wendlewick: 1.154016 -> 1.156780 bits with every second spot ruled out.
    region = next(r for r in regions() if "endlewick" in r.name)
    full, even = classes({"region": region.id}), classes(position_of(region.id, "even_index_kept"))
    assert full["max_bits"] == pytest.approx(1.154016, abs=6e-7)
    assert even["max_bits"] == pytest.approx(1.156780, abs=6e-7)


FEWEST = VECTORS["fewest_scans"]
SMALL = [str(i) for i in FEWEST["small"]]
LARGE = [i for i in FEWEST["totals"] if i not in SMALL]


fewest = partial(ask_scan, "fewest", seconds=60.0)


def find_proved(region: str, seconds: float = 60.0) -> None:
    expected, result = FEWEST["totals"][region], fewest({"region": int(region)}, seconds=seconds)
    assert result["proved"]
    assert (result["total"], result["spots"]) == (expected["total"], expected["spots"])
    assert result["at_least"] == result["total"] <= result["greedy_total"]


@pytest.mark.parametrize("region", SMALL)
def test_small_regions_need_the_proven_number_of_scans(region: str) -> None:
    find_proved(region)


@pytest.mark.long
@pytest.mark.parametrize("region", LARGE)
def test_other_regions_need_the_proven_number_of_scans(region: str) -> None:
    find_proved(region, 600.0)


@pytest.mark.parametrize("seed", range(50))
def test_fewest_scans_equal_an_exhaustive_search(seed: int) -> None:
    r = random.Random(seed)
    reach, side, floor = r.choice([1, 2, 3]), r.choice([4, 9, 14]), r.choice([0, 1])
    count, levels = r.randint(2, 7), seed % 2
    spots = [
        (r.randint(0, side), r.randint(0, side), levels * r.choice([0, 0, 1])) for _ in range(count)
    ]
    asked: dict[str, object] = {"levels": "use", "floor": floor} if levels else {}
    position = {"range": reach, "spots": spots} | asked
    find = partial(slow.fewest_scans, spots, reach, floor * levels, bool(levels))
    assert fewest(position)["total"] == find()
    for doubt in ({"slack": 1}, {"misread": 5}):
        try:
            total = find(slack=doubt.get("slack", 0), misread="misread" in doubt)
        except ValueError:  # some spots cannot be distinguished for certain
            with pytest.raises(BadInput, match="No number of scans"):
                fewest(position | doubt)
            continue
        got = fewest(position | doubt)
        assert (got["total"], got["at_least"], got["proved"]) == (total, find(), total == find())


def test_without_time_the_bounds_enclose_the_optimum() -> None:
    result = fewest({"region": 356}, seconds=0.0)
    assert not result["proved"]
    assert result["at_least"] <= FEWEST["totals"]["356"]["total"] <= result["total"]


def test_with_levels_six_answers_are_counted() -> None:
    assert fewest({"region": 365})["total"] == 38
    assert fewest({"region": 365, "levels": "use"})["total"] == 34


@pytest.mark.parametrize("seed", range(15))
def test_only_reachable_tiles_are_scanned_from(seed: int) -> None:
    r = random.Random(seed)
    spots = [(r.randint(0, 9), r.randint(0, 9), 0) for _ in range(5)]
    strokes = [[x, y, x + 2, y + 3, 1] for x, y in [(r.randint(-3, 9), r.randint(-3, 9))] * 2]
    strokes += [[2, -20, 3, 20, 1], [6, 0, 6, 40, 1]]
    walls = {(a, b) for x, y, u, v, _ in strokes for a in range(x, u + 1) for b in range(y, v + 1)}
    here = (-4, -4)
    position = {"range": 2, "spots": spots, "walls": {"painted": strokes}, "here": here}
    x0, x1, y0, y1 = slow.window(spots, 2)
    reached = distances([here], walls, (-30, -30, 60, 60))
    near = [{(x + i, y + j) for i in (-1, 0, 1) for j in (-1, 0, 1)} for x, y, _ in spots]
    if not all(tiles & set(reached) for tiles in near):
        with pytest.raises(BadInput, match="cannot be reached"):
            fewest(position)
        return
    result = fewest(position)
    tiles = [t for t in reached if x0 <= t[0] <= x1 and y0 <= t[1] <= y1]
    assert result["proved"]
    assert result["total"] == slow.fewest_scans(spots, 2, tiles=tiles)


@pytest.mark.parametrize("seed", range(20))
def test_scans_are_made_on_every_floor_that_stairs_reach(seed: int) -> None:
    r = random.Random(seed)
    spots = [(r.randint(0, 12), r.randint(0, 12), r.choice([0, 1, 1, 2])) for _ in range(6)]
    spots += [(20, 3, 1), (3, 20, 0)]
    position = {"range": 2, "spots": spots, "levels": "use", "here": [-9, -9]}
    position["stairs"] = [{"at": [-6, -6, 0], "to": [-6, -6, 1], "ticks": 2}]
    if seed % 4:
        stroke = [4, -3, 4, 30, 1] if seed % 2 else [90, 90, 90, 90, 1]
        position["walls"] = {"floors": [{"level": 0, "painted": [stroke]}]}
    left, (x0, x1, y0, y1) = [spot for spot in spots if spot[2] < 2], slow.window(spots, 2)
    tiles = [(x, y, n) for x in range(x0, x1 + 1) for y in range(y0, y1 + 1) for n in (0, 1)]
    tiles = [t for t in tiles if not (seed % 2 and t[2] == 0 and t[0] == 4 and -3 <= t[1] <= 30)]
    result = fewest(position | {"floor": 0})
    least = slow.fewest_scans(left, 2, 0, True, tiles)
    assert (result["spots"], result["proved"], result["total"]) == (len(left), True, least)
    assert (result["beyond"] or []) == [i for i, spot in enumerate(spots) if spot[2] == 2]


def test_nothing_is_proved_for_spots_that_no_scan_distinguishes() -> None:
    # Range 0: only standing on a spot informs, and both spots lie in walls.
    painted = [[10, 0, 10, 0, 1], [20, 0, 20, 0, 1]]
    position = {"range": 0, "spots": [[10, 0], [20, 0]], "here": [15, 0]}
    result = fewest(position | {"walls": {"painted": painted}})
    assert (result["proved"], result["at_least"]) == (False, 0)


DOUBTED = VECTORS["doubt"]["toys"]
FIELDS = ("range", "spots", "here", "slack", "misread", "observations")
PAIR: dict[str, Any] = {"range": 3, "spots": [[100, 100], [101, 100]]}
IN_REACH = [PAIR["spots"], [[99, 99], [101, 101], [99, 101]], [[97, 100], [103, 100]]]
HEART = {"region": 371, "ruled_out": [i for i in range(26) if i not in (12, 21)]}


def first_ticks(advice: Any) -> float:
    dig = advice.get("dig")
    return float(dig["expected_ticks"] if dig else advice["options"][0]["expected_ticks"])


def away(a: Sequence[int], b: Sequence[int]) -> int:
    return max(abs(a[0] - b[0]), abs(a[1] - b[1]))


def mean_of(tree: Any, toy: dict[str, Any], spot: int, here: tuple[int, ...]) -> float:
    """Ticks of a plan for a spot, over all places of its scans, by the rules alone."""
    spots, slack = toy["spots"], toy.get("slack", 0)
    stop: int = toy["stop"]
    if "dig" in tree:
        spent = (away(here, tree["dig"]) + 1) // 2
        if spot in tree["spots"]:
            assert away(tree["dig"], spots[spot]) <= 1
            return spent
        return spent + stop + mean_of(tree["else"], toy, spot, tree["dig"])
    if "tile" not in tree:
        assert spot in tree.get("spots", [tree.get("spot")])
        return away(here, spots[spot]) // 2
    tile, around = tree["tile"], range(-slack, slack + 1)
    after = [
        mean_of(tree["answers"][str(pulse((tile[0] + u, tile[1] + v), spots[spot], toy["range"]))],
                toy, spot, tile)
        for u in around for v in around
    ]  # fmt: skip
    return (away(here, tile) + 1) // 2 + stop + sum(after) / len(after)


@pytest.mark.parametrize("digs", [False, True])
@pytest.mark.parametrize(
    "toy", DOUBTED, ids=lambda toy: f"{toy['kind']}-{toy['here']}-{toy['stop']}"
)
def test_plans_with_slack_or_misreadings_are_optimal_on_toys(
    toy: dict[str, Any], digs: bool
) -> None:
    least = pytest.approx(toy["least_with_digs" if digs else "least"])
    position = {name: toy[name] for name in FIELDS if name in toy}
    advice = ask_scan("next", position, stop=toy["stop"], digs=digs)
    route = ask_scan("route", position, stop=toy["stop"], digs=digs, bound=True)
    assert first_ticks(advice) == least
    ticks = [option["expected_ticks"] for option in advice["options"]]
    assert ticks == sorted(ticks)
    assert route["expected_ticks"] == least
    walked = sum(
        weight * mean_of(route["tree"], toy, spot, tuple(toy["here"]))
        for spot, weight in enumerate(toy["weights"])
        if weight
    )
    assert walked / sum(toy["weights"]) == least
    if toy["kind"] == "shared":
        assert route["lower_bound"] == least
    else:
        assert "lower_bound" not in route


def test_one_dig_that_serves_all_spots_needs_no_scan() -> None:
    position = PAIR | {"here": [90, 100]}
    for options in ({}, {"listen": True}, {"on_the_way": True}):
        dig = ask_scan("next", position, stop=3, **options)["dig"]
        assert (dig["spots"], dig["walk_ticks"], dig["expected_ticks"]) == ([0, 1], 5, 5.0)
    route = ask_scan("route", position, stop=3, bound=True)
    assert route["expected_ticks"] == route["lower_bound"] == 5.0
    assert route["tree"] == {"dig": [100, 99], "walk_ticks": 5, "spots": [0, 1]}


def test_a_dig_that_may_fail_names_every_spot_it_serves() -> None:
    spots = [[1435, 64], [1434, 62], [1433, 64], [1435, 63]]
    position = {
        "range": 2,
        "spots": spots,
        "here": [1433, 68],
        "walls": {"painted": [[1428, 67, 1428, 72, 1]]},
    }
    tree = ask_scan("route", position, stop=0, digs=True)["tree"]
    assert (tree["dig"], tree["spots"]) == ([1434, 64], [0, 2, 3])


def test_in_the_heart_one_dig_serves_spots_13_and_22() -> None:
    dig = ask_scan("next", HEART | {"here": [3199, 6943]}, stop=3)["dig"]
    assert (dig["spots"], dig["at"], dig["expected_ticks"]) == ([12, 21], [3228, 6981], 19.0)
    assert ask_scan("next", HEART | {"here": [3228, 6981]}, stop=3)["dig"]["expected_ticks"] == 0.0


@pytest.mark.parametrize("options", [{}, {"listen": True}, {"policy": "bits"}, {"surge": 1}])
@pytest.mark.parametrize("spots", IN_REACH)
def test_start_within_reach_of_all_spots_costs_nothing_without_stop_cost(
    spots: list[list[int]], options: dict[str, Any]
) -> None:
    position = {"range": 3, "spots": spots, "here": [100, 100]}
    expected = 1.0 if spots[0] == [97, 100] else 0.0  # three tiles away: a tick
    assert first_ticks(ask_scan("next", position, stop=0, **options)) == expected
    bound = {} if options else {"bound": True}
    assert ask_scan("route", position, stop=0, **options, **bound)["expected_ticks"] == expected


@pytest.mark.parametrize("doubt", [{"misread": 5}, {"slack": 1}])
def test_routes_with_slack_or_misreadings_have_no_lower_bound(doubt: dict[str, int]) -> None:
    assert "lower_bound" not in ask_scan("route", {"region": 362} | doubt, bound=True)


@pytest.mark.parametrize("doubt", [{"misread": 5}, {"slack": 1}, {"misread": 10, "slack": 2}])
def test_first_advice_has_the_expected_ticks_of_the_route(doubt: dict[str, int]) -> None:
    region = by_id()[351]
    at, goal = (3200, 3400), region.spots[9]
    seen = [{"at": at, "pulse": pulse(at, goal, region.range)}]
    position = {"region": 351, "observations": seen} | doubt
    ticks = [o["expected_ticks"] for o in ask_scan("next", position, stop=3)["options"]]
    assert ticks == sorted(ticks)
    assert ask_scan("route", position, stop=3)["expected_ticks"] == pytest.approx(ticks[0])


def test_practice_follows_a_plan_with_shared_digs_to_its_end() -> None:
    position: dict[str, Any] = {
        "range": 3,
        "spots": [*PAIR["spots"], [120, 100]],
        "here": [90, 100],
    }
    for seed in range(4):
        hidden = ask_scan("practice", position, seed=seed)
        heard = ask_scan("listen", position | {"practice": hidden}, reveal=True, stop=3)
        if heard["spot"] < 2:  # a scan on the way, then the dig that serves both
            assert heard["route_ticks"] == 8


@pytest.mark.parametrize("slack", [0, 1])
def test_plan_built_state_by_state_takes_its_stated_ticks(slack: int) -> None:
    region = by_id()[362]
    seen = (Observation(pulse=1, at=(3200, 9560)),)
    scene = ScanModel.of(Position(region=362, misread=10, slack=slack, observations=seen))
    with kernel().frame() as frame:
        planner = Planner(frame, scene, stop=3, on_the_way=False, table_bits=17)
        posterior = Posterior(planner, digs=True)
        found = finish(PlanBuilder(posterior, "search", 1).compare(scene.start))
        assert found.total == pytest.approx(
            posterior.price(found.plan, posterior.weights, scene.start)
        )
    assert len(region.spots) > len(scene.remaining) > 3


@pytest.mark.parametrize("doubt", [{"misread": 5}, {"slack": 1}, {"misread": 10, "slack": 2}])
def test_review_uses_the_posterior_means_of_next(doubt: dict[str, int]) -> None:
    region, goal, stop = by_id()[364], 6, 3
    tiles = [(2990, 3390), (2960, 3360), (2975, 3340)]
    rows: list[dict[str, Any]] = [
        {"at": tile, "pulse": pulse(tile, region.spots[goal], region.range)} for tile in tiles
    ]
    if "misread" in doubt:
        rows[0]["pulse"] = 3 - rows[0]["pulse"]  # this pulse was misread
    position = {"region": 364, "observations": rows} | doubt
    found = ask_scan("review", position, spot=goal, stop=stop, start=[3000, 3400])
    assert found["ticks"] == pytest.approx(found["planned"] + found["loss"] - found["luck"])
    assert found["planned"] == found["scans"][0]["best_ticks"]
    here: tuple[int, ...] = (3000, 3400)
    for i, row in enumerate(found["scans"]):
        state = position | {"observations": rows[:i], "here": here}
        advice = ask_scan("next", state, stop=stop)
        here = rows[i]["at"]
        assert row["before"] == advice["remaining"] or i == 0
        assert row["best_ticks"] <= first_ticks(advice) + 1e-9
        assert row["best_ticks"] == pytest.approx(min(first_ticks(advice), row["expected_ticks"]))
    with pytest.raises(Exception, match="does not fit"):
        ask_scan("review", position, spot=17, stop=stop)
