"""The fewest scans, against totals that other programs proved and against a slow search."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from cluewise import service
from reference import scan as slow

VECTORS = json.loads((Path(__file__).parents[1] / "vectors" / "scan.json").read_text())
FEWEST = VECTORS["fewest_scans"]
SMALL = [str(i) for i in FEWEST["small"]]
LARGE = [i for i in FEWEST["totals"] if i not in SMALL]


def fewest(position: dict[str, Any], seconds: float = 60.0) -> Any:
    options = {"seconds": seconds}
    return service.run({"desk": "scan", "want": "fewest", "position": position, "options": options})


def agree(region: str, seconds: float = 60.0) -> None:
    expected, result = FEWEST["totals"][region], fewest({"region": int(region)}, seconds)
    assert result["proved"]
    assert (result["total"], result["spots"]) == (expected["total"], expected["spots"])
    assert result["at_least"] == result["total"] <= result["greedy_total"]


@pytest.mark.parametrize("region", SMALL)
def test_the_small_regions_need_the_scans_that_were_proved(region: str) -> None:
    agree(region)


@pytest.mark.long
@pytest.mark.parametrize("region", LARGE)
def test_every_other_region_needs_the_scans_that_were_proved(region: str) -> None:
    agree(region, 600.0)


@pytest.mark.parametrize("seed", range(25))
def test_a_slow_search_over_all_profiles_finds_the_same(seed: int) -> None:
    r = random.Random(seed)
    reach, side = r.choice([1, 2, 3]), r.choice([4, 9, 14])
    spots = [(r.randint(0, side), r.randint(0, side), 0) for _ in range(r.randint(2, 7))]
    assert fewest({"range": reach, "spots": spots})["total"] == slow.fewest_scans(spots, reach)


def test_without_time_the_bounds_are_honest() -> None:
    result = fewest({"region": 356}, seconds=0.0)
    assert not result["proved"]
    assert result["at_least"] <= FEWEST["totals"]["356"]["total"] <= result["total"]


def test_levels_play_no_part() -> None:
    # Dorgesh-Kaan has spots on two levels; 38 scans over its 20 spots with levels ignored.
    assert fewest({"region": 365, "levels": "use"})["total"] == 38
