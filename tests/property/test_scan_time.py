"""A stop costs something: plans against exact values of small clues, and what a cost changes."""

import random
from functools import partial

import pytest

from asking import ask_scan as run
from reference.scan import Spot, draw_apart
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


def test_the_scans_alone_cost_their_ticks() -> None:
    found = run("fewest", {"region": 362}, stop=3)
    assert found["stop_ticks"] == 3 * found["expected_scans"] == 3 * 22 / 12
