"""A stop costs something: plans against exact values of small clues, and what a cost changes."""

import random
from functools import partial

import pytest

from asking import ask_scan as run
from reference.scan import Spot, draw_apart, fewest_scans
from reference.scan_optimal_dp import Optimum
from reference.scan_route_replay import Walker, listener


def spot_in(r: random.Random, side: int) -> Spot:
    return (r.randint(0, side), r.randint(0, side), 0)


@pytest.mark.parametrize("seed", range(60))
def test_a_plan_for_seven_spots_or_fewer_is_the_quickest_and_proves_it(seed: int) -> None:
    r = random.Random(seed)
    side, count = r.choice([15, 40]), r.choice([2, 4, 6, 7])
    spots: list[Spot] = draw_apart(partial(spot_in, r, side), count)
    count = len(spots)
    reach, stop = r.choice([3, 6]), r.choice([0, 1, 3, 6, 10])
    start = (spots[0][0] + r.randint(-reach, reach), spots[0][1])
    position = {"range": reach, "spots": spots, "here": start}
    found = run("route", position, stop=stop, bound=True)
    walker = Walker(list(spots), list(range(count)), listener(reach, 0, False), False, stop)
    total = sum(walker.walk(found["tree"], start, true)[0] for true in range(count))
    assert total == pytest.approx(found["expected_ticks"] * count)
    assert total == Optimum(spots, reach, stop).total(start)
    assert found["lower_bound"] == found["expected_ticks"]


@pytest.mark.parametrize("seed", range(40))
def test_with_levels_too_few_spots_are_finished_in_the_fewest_ticks(seed: int) -> None:
    r = random.Random(seed)
    side, count, floor = r.choice([15, 40]), r.choice([2, 3, 5, 7]), r.choice([0, 1])
    spots: list[Spot] = [
        (r.randint(0, side), r.randint(0, side), r.choice([0, 0, 1])) for _ in range(count)
    ]
    reach, stop, start = r.choice([3, 6]), r.choice([0, 1, 3, 6]), spots[0][:2]
    position = {"range": reach, "spots": spots, "here": start, "levels": "use", "floor": floor}
    found = run("route", position, stop=stop)
    total = Optimum(spots, reach, stop, floor).total(start)
    assert found["expected_ticks"] * count == pytest.approx(total)


@pytest.mark.parametrize("seed", range(12))
def test_no_plan_for_more_spots_is_quicker_than_the_optimum(seed: int) -> None:
    r = random.Random(seed)
    spots = draw_apart(lambda: (r.randint(0, 40), r.randint(0, 30), 0), 9)
    position, stop = {"range": 6, "spots": spots, "here": spots[0][:2]}, r.choice([0, 1, 3, 6])
    found = run("route", position, stop=stop)
    least = Optimum(spots, 6, stop).total(spots[0][:2])
    assert least <= round(found["expected_ticks"] * 9) <= 1.05 * least


def test_dear_stops_bring_plans_of_the_fewest_scans() -> None:
    for seed in range(12):
        r = random.Random(seed)
        spots: list[Spot] = draw_apart(partial(spot_in, r, 9), 5)
        position = {"range": 2, "spots": spots, "here": spots[0][:2]}
        scans = [
            run("route", position, stop=stop, effort=5)["expected_scans"] for stop in (0, 1, 10)
        ]
        assert scans[0] >= scans[1] >= scans[2]
        assert round(scans[2] * len(spots)) >= fewest_scans(spots, 2)
        assert Optimum(spots, 2, 1000).total(spots[0][:2]) // 1000 == fewest_scans(spots, 2)


def test_the_scans_alone_cost_their_ticks() -> None:
    found = run("fewest", {"region": 362}, stop=3)
    assert found["stop_ticks"] == 3 * found["expected_scans"] == 3 * 22 / 12
