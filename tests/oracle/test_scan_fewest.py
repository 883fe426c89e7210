"""The fewest scans, against totals that other programs proved and against a slow search."""

import random
from functools import partial

import pytest

from asking import ask_scan, vectors
from cluewise.errors import BadInput
from reference import scan as slow
from reference.scan_route_replay import distances

VECTORS = vectors("scan")
FEWEST = VECTORS["fewest_scans"]
SMALL = [str(i) for i in FEWEST["small"]]
LARGE = [i for i in FEWEST["totals"] if i not in SMALL]


fewest = partial(ask_scan, "fewest", seconds=60.0)


def agree(region: str, seconds: float = 60.0) -> None:
    expected, result = FEWEST["totals"][region], fewest({"region": int(region)}, seconds=seconds)
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


def test_with_levels_six_answers_are_counted() -> None:
    # Spots 100 tiles apart on two floors, each within reach of itself alone: the sign halves them.
    spots = [[3000 + 100 * i, 3000, i % 2] for i in range(6)]
    result = fewest({"range": 10, "levels": "use", "spots": spots})
    assert (result["total"], result["proved"]) == (13, True)
    assert fewest({"range": 10, "spots": spots})["total"] == 20
    # Dorgesh-Kaan has spots on two levels; 38 scans over its 20 spots with levels ignored.
    assert fewest({"region": 365})["total"] == 38
    assert fewest({"region": 365, "levels": "use"})["total"] == 34


@pytest.mark.parametrize("seed", range(25))
def test_with_levels_a_slow_search_over_all_profiles_finds_the_same(seed: int) -> None:
    r = random.Random(seed)
    reach, side, floor = r.choice([1, 2, 3]), r.choice([4, 9, 14]), r.choice([0, 1])
    spots = [
        (r.randint(0, side), r.randint(0, side), r.choice([0, 0, 1]))
        for _ in range(r.randint(2, 7))
    ]
    position = {"range": reach, "levels": "use", "floor": floor, "spots": spots}
    assert fewest(position)["total"] == slow.fewest_scans(spots, reach, floor, True)


@pytest.mark.parametrize("seed", range(15))
def test_between_walls_only_tiles_one_can_walk_to_are_scanned_from(seed: int) -> None:
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


def test_nothing_is_proved_where_walls_hide_spots_from_every_scan() -> None:
    # Range 0: only standing on a spot informs, and both spots lie in walls.
    painted = [[10, 0, 10, 0, 1], [20, 0, 20, 0, 1]]
    position = {"range": 0, "spots": [[10, 0], [20, 0]], "here": [15, 0]}
    result = fewest(position | {"walls": {"painted": painted}})
    assert (result["proved"], result["at_least"]) == (False, 0)
