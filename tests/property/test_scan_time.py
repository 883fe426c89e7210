"""A stop costs something: plans with levels against exact values, and what a cost changes."""

import random

import pytest

from asking import ask_scan as run
from reference.scan import Spot
from reference.scan_optimal_dp import Optimum


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
