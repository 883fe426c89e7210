"""Plans in a player's time against totals that are proved to be the least."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import bench_scan
from cluewise import service
from cluewise.desks.scan.regions import by_id
from reference.scan_time import Optimum

VECTORS = json.loads((Path(__file__).parents[1] / "vectors" / "scan_time.json").read_text())
CASES = [
    (region, int(cost[1:]), place, total)
    for region, costs in VECTORS["exact"].items()
    for cost, places in costs.items()
    for place, total in places.items()
]


NAMES = {"middle": "middle", "sw_corner": "south-west", "east_side": "east"}


def start_of(region: int, name: str) -> tuple[int, int]:
    return bench_scan.place(by_id()[region], NAMES[name])


def route(region: int, name: str, stop: int, **options: Any) -> Any:
    position = {"region": region, "here": start_of(region, name)}
    asked = {"stop": stop, **options}
    return service.run({"desk": "scan", "want": "route", "position": position, "options": asked})


def total_of(region: int, found: Any) -> int:
    mean: float = found["expected_ticks"]
    return round(mean * len(by_id()[region].spots))


@pytest.mark.parametrize(("region", "stop", "place", "least"), CASES)
def test_the_default_plan_is_the_optimum_wherever_that_is_proven(
    region: str, stop: int, place: str, least: int
) -> None:
    assert total_of(int(region), route(int(region), place, stop)) == least


@pytest.mark.parametrize(("region", "stop", "place", "least"), CASES)
def test_no_lower_bound_exceeds_a_proven_optimum(
    region: str, stop: int, place: str, least: int
) -> None:
    found = route(int(region), place, stop, bound=True)
    assert found["lower_bound"] * len(by_id()[int(region)].spots) <= least + 1e-6


def test_proven_bounds_of_other_regions_hold() -> None:
    for region, costs in VECTORS["bound"].items():
        for cost, bound in costs.items():
            assert total_of(int(region), route(int(region), "middle", int(cost[1:]))) >= bound


@pytest.mark.long
@pytest.mark.parametrize("stop", [1, 3, 6])
def test_the_programme_over_all_tiles_proves_the_caves_beneath_lumbridge_swamp(stop: int) -> None:
    optimum = Optimum(by_id()[362].spots, by_id()[362].range, stop)
    for place, total in VECTORS["exact"]["362"][f"c{stop}"].items():
        assert optimum.total(start_of(362, place)) == total
