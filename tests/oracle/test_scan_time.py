"""Plans in a player's time against totals that are proved to be the least."""

from __future__ import annotations

import json
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

import bench_scan
from cluewise import service
from cluewise.desks.scan.regions import by_id
from reference.scan_time import Optimum

FOLDER = Path(__file__).parents[1] / "vectors"
VECTORS = json.loads((FOLDER / "scan_time.json").read_text())
LEAST = json.loads((FOLDER / "scan_optimum.json").read_text())["least"]
CASES = [
    (region, int(cost[1:]), place, total)
    for region, costs in VECTORS["exact"].items()
    for cost, places in costs.items()
    for place, total in places.items()
]


ALL = [
    (int(region), start, int(stop.removeprefix("stop ")), total)
    for region, stops in LEAST.items()
    for stop, starts in stops.items()
    for start, total in starts.items()
]
# What takes more memory or time to prove than a page gives it.
BEYOND = {
    (36, "middle", 3), (36, "middle", 6),
    *((349, "middle", stop) for stop in (1, 3, 6)), *((349, "east", stop) for stop in (1, 3, 6)),
    (349, "south-west", 6),
    *((356, start, stop) for start in ("middle", "south-west") for stop in (1, 3, 6)),
    (356, "east", 3), (356, "east", 6),
}  # fmt: skip
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


@cache
def plans_beside_the_least() -> tuple[list[tuple[int, int, float]], ...]:
    """Per stop cost, of every region and start: the plan's total, the least, that of most bits."""
    table: dict[int, list[tuple[int, int, float]]] = {1: [], 3: [], 6: []}
    for region, start, stop, least in ALL:
        position = {"region": region, "here": bench_scan.place(by_id()[region], start)}
        asked = {"desk": "scan", "want": "route", "position": position, "options": {"stop": stop}}
        found = service.run(asked)
        most_bits = found["baseline_ticks"] * len(by_id()[region].spots)
        table[stop].append((total_of(region, found), least, most_bits))
    return tuple(table.values())


def test_every_least_total_is_known_and_agrees_with_those_proved_before() -> None:
    assert len(ALL) == 26 * 3 * 3
    assert len(ALL) - len(BEYOND) == 217  # those that a page proves, as CONTRIBUTING.md says
    for region, stop, place, least in CASES:
        assert LEAST[region][f"stop {stop}"][NAMES[place]] == least


@pytest.mark.sampled(of="scan, whole regions")
def test_the_default_plans_are_never_below_the_least_and_hardly_above() -> None:
    """All regions and starts: the mean within 0.2 %, the worst within 5 %, most of them equal."""
    for rows in plans_beside_the_least():
        above = [total / least - 1 for total, least, _ in rows]
        assert min(above) >= 0
        assert max(above) <= 0.05
        assert sum(above) <= 0.002 * len(above)
        assert above.count(0) >= 60


def test_how_little_of_most_bits_any_plan_can_take() -> None:
    """The mean ratios of the least plans themselves: no policy reaches 0.582, 0.639 or 0.695."""
    least = [
        sum(least / bits for _, least, bits in rows) / len(rows)
        for rows in plans_beside_the_least()
    ]
    assert least == pytest.approx([0.58213, 0.63927, 0.69548], abs=5e-6)


SHARED_DIGS = {
    one.id
    for one in by_id().values()
    for a, b in combinations(one.spots, 2)
    if a[2] == b[2] and max(abs(a[0] - b[0]), abs(a[1] - b[1])) <= 2
}


@pytest.mark.sampled(24)
@pytest.mark.parametrize(
    ("region", "start", "stop", "least"),
    [
        pytest.param(*case, marks=() if case[2] == 3 else pytest.mark.long)
        for case in ALL
        if case[:3] not in BEYOND
    ],
)
def test_a_route_with_its_bound_is_the_least_there_is(
    region: int, start: str, stop: int, least: int
) -> None:
    position = {"region": region, "here": bench_scan.place(by_id()[region], start)}
    asked = {"desk": "scan", "want": "route", "position": position}
    found = service.run({**asked, "options": {"stop": stop, "bound": True}})
    assert total_of(region, found) == least
    if region in SHARED_DIGS:  # the bound leaves out spots that one dig may serve
        assert found["lower_bound"] <= found["expected_ticks"]
    else:
        assert found["lower_bound"] == found["expected_ticks"]


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
