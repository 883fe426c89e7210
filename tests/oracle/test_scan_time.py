"""Default plans against proven optimal totals."""

import random
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from asking import ask_scan, vectors
from cluewise import service
from cluewise.desks.scan.regions import by_id, proven_totals, regions, starts_of
from reference.scan import Optimum, Spot
from wasm_build.codegen import native_kernel

VECTORS = vectors("scan")["time"]
CASES = [
    (region, int(cost[1:]), place, total)
    for region, costs in VECTORS["exact"].items()
    for cost, places in costs.items()
    for place, total in places.items()
]


ALL = [
    (region.id, start, stop, total)
    for region in regions()
    for (stop, start), total in proven_totals(region).items()
]
NAMES = {"middle": "middle", "sw_corner": "south-west", "east_side": "east"}


def start_of(region: int, name: str) -> tuple[int, int]:
    return starts_of(by_id()[region])[NAMES[name]]


def route(region: int, name: str, stop: int, **options: Any) -> Any:
    return ask_scan(
        "route", {"region": region, "here": start_of(region, name)}, stop=stop, **options
    )


def total_of(region: int, found: Any) -> int:
    mean: float = found["expected_ticks"]
    return round(mean * len(by_id()[region].spots))


@pytest.mark.parametrize(("region", "stop", "place", "least"), CASES)
def test_default_plan_is_optimal_wherever_the_optimum_is_proven(
    region: str, stop: int, place: str, least: int
) -> None:
    assert total_of(int(region), route(int(region), place, stop)) == least


@cache
def plans_and_optima() -> tuple[list[tuple[int, int, float]], ...]:
    """Return plan total, optimum and bits-policy total per stop cost, region and start."""
    table: dict[int, list[tuple[int, int, float]]] = {1: [], 3: [], 6: []}
    for region, start, stop, least in ALL:
        position = {"region": region, "here": starts_of(by_id()[region])[start]}
        found = ask_scan("route", position, stop=stop)
        most_bits = found["baseline_ticks"] * len(by_id()[region].spots)
        table[stop].append((total_of(region, found), least, most_bits))
    return tuple(table.values())


def test_every_region_has_proven_totals_equal_to_the_earlier_proofs() -> None:
    assert len(ALL) == 26 * 3 * 3
    for region, stop, place, least in CASES:
        assert proven_totals(by_id()[int(region)])[stop, NAMES[place]] == least


@pytest.mark.sampled(of="scan, whole regions")
def test_default_plans_are_at_most_5_percent_above_the_optimum() -> None:
    """All regions and starts: the mean within 0.2 %, the worst within 5 %, most of them equal."""
    for rows in plans_and_optima():
        above = [total / least - 1 for total, least, _ in rows]
        assert min(above) >= 0
        assert max(above) <= 0.05
        assert sum(above) <= 0.002 * len(above)
        assert above.count(0) >= 60


@pytest.mark.sampled(of="scan, whole regions")
def test_ratio_of_the_optimum_to_the_bits_policy_is_the_known_one() -> None:
    """Mean ratios of the optimal plans: no policy goes below these."""
    least = [
        sum(least / bits for _, least, bits in rows) / len(rows) for rows in plans_and_optima()
    ]
    assert least == pytest.approx([0.58213, 0.63927, 0.69548], abs=5e-6)


SHARED_DIG = 371  # one dig serves two of its spots, so that the table does not hold there


@pytest.mark.sampled(24)
@pytest.mark.parametrize(("region", "start", "stop", "least"), ALL)
def test_route_of_a_whole_region_has_the_proven_optimum_as_lower_bound(
    region: int, start: str, stop: int, least: int
) -> None:
    position = {"region": region, "here": starts_of(by_id()[region])[start]}
    found = ask_scan("route", position, stop=stop, bound=True, effort=0)
    if region == SHARED_DIG:
        assert "lower_bound" not in found
    else:
        assert found["lower_bound"] == least / len(by_id()[region].spots)
        assert found["lower_bound"] <= found["expected_ticks"]


ELSEWHERE: list[tuple[dict[str, Any], dict[str, Any]]] = VECTORS["elsewhere"]


@pytest.mark.parametrize(("position", "options"), ELSEWHERE)
def test_no_other_route_of_a_region_has_a_lower_bound(
    position: dict[str, Any], options: dict[str, Any]
) -> None:
    at = {"region": 364, "here": start_of(364, "middle"), **position}
    found = ask_scan("route", at, **({"stop": 3, "bound": True, "effort": 0} | options))
    assert "lower_bound" not in found


def test_timed_search_ends_at_once_with_a_proven_route() -> None:
    position = {"region": 362, "here": start_of(362, "middle")}
    options = {"stop": 3, "bound": True, "seconds": 600}
    steps = service.start(
        {"desk": "scan", "want": "route", "position": position, "options": options}
    )
    assert not [step for step in steps if step.note == "thinking longer"]


@pytest.mark.long
@pytest.mark.skipif(native_kernel.compiler() is None, reason="this machine has no C compiler")
def test_native_prover_reproduces_the_totals_of_two_regions() -> None:
    script = Path(__file__).parents[1] / "tools" / "scan_prover" / "prove_scan.py"
    ran = subprocess.run(
        [sys.executable, str(script), "362", "364"],
        capture_output=True, text=True, timeout=1800, check=False,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stdout + ran.stderr[-2000:]
    assert ran.stdout.count("least") == 18


@pytest.mark.long
@pytest.mark.parametrize("stop", [1, 3, 6])
def test_dynamic_program_over_all_tiles_proves_lumbridge_swamp_caves(stop: int) -> None:
    optimum = Optimum(by_id()[362].spots, by_id()[362].range, stop)
    for place, total in VECTORS["exact"]["362"][f"c{stop}"].items():
        assert optimum.total(start_of(362, place)) == total


@pytest.mark.parametrize("seed", range(40))
def test_plans_of_few_spots_with_the_level_sign_are_optimal(seed: int) -> None:
    r = random.Random(seed)
    side, count, floor = r.choice([15, 40]), r.choice([2, 3, 5, 7]), r.choice([0, 1])
    spots: list[Spot] = [
        (r.randint(0, side), r.randint(0, side), r.choice([0, 0, 1])) for _ in range(count)
    ]
    reach, stop, start = r.choice([3, 6]), r.choice([0, 1, 3, 6]), spots[0][:2]
    position = {"range": reach, "spots": spots, "here": start, "levels": "use", "floor": floor}
    found = ask_scan("route", position, stop=stop)
    total = Optimum(spots, reach, stop, floor).total(start)
    assert found["expected_ticks"] * count == pytest.approx(total)


def test_fewest_scans_have_their_stop_ticks() -> None:
    found = ask_scan("fewest", {"region": 362}, stop=3)
    assert found["stop_ticks"] == 3 * found["expected_scans"] == 3 * 22 / 12
