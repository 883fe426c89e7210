"""Classes against numbers that another program computed tile by tile (tests/vectors/scan.json)."""

from functools import partial
from typing import Any

import pytest

from asking import ask_scan, vectors
from cluewise.desks.scan.regions import by_id, regions

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
def test_the_toys_have_the_expected_classes(toy: Any) -> None:
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
def test_the_regions_have_the_expected_classes(region: int, name: str) -> None:
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


def test_the_regions_are_the_26_with_641_spots() -> None:
    assert len(regions()) == 26
    assert sum(len(r.spots) for r in regions()) == 641
    assert all(len(set(r.spots)) == len(r.spots) for r in regions())


def test_ruling_out_can_raise_the_maximum() -> None:
    # Wendlewick: 1.154016 -> 1.156780 bits with every second spot ruled out.
    region = next(r for r in regions() if "endlewick" in r.name)
    full, even = classes({"region": region.id}), classes(position_of(region.id, "even_index_kept"))
    assert full["max_bits"] == pytest.approx(1.154016, abs=6e-7)
    assert even["max_bits"] == pytest.approx(1.156780, abs=6e-7)
